"""Botzone: bots written for it at our tables, and our agents as its bots.

- `lines`, `io`: the requests and answers, and the two forms of input and output;
- `process`: a Botzone bot as a subprocess at our tables; `form`: detects its form from its first answer;
- `mistakes`: explains illegal answers; `seat_input`: what a seat was sent, to run a bot again;
- `judge`: the platform's judge, as strict as the original;
- `tracker`, `player`: a view rebuilt from requests, and an agent that answers them;
- `bundle`, `submission`: an agent as one file to submit, and how that file starts.
"""
