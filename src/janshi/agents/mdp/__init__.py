"""The player of Kurita & Hoki (2021): one hand as Markov decision processes, solved from its end backwards.

- `hands`: a hand as two words, and a hash table of hands;
- `melds`: the melds that hands have called since the decision;
- `space`: the set of hands Q_S(n, m) that can be reached, and the exchanges and calls between them;
- `worth`: what wins of its tenpai hands pay;
- `fold`: the process of folding, solved in closed form;
- `solve`: the processes that aim at a win, at tenpai or at everything, by retrograde analysis;
- `scene`: what a decision knows about the opponents, from the models;
- `candidates`, `kans`: the actions to compare;
- `inclusive`, `scenarios`, `early`: their values by M (eq. 16), by scenarios (eq. 17), and far from a win;
- `decide`: the choice;
- `agent`: the player.
"""
