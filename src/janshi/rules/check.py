"""One check for every rule set: that it keeps the contract of `rules/game.py`.

>>> from janshi.rules.check import check_game
>>> from janshi.rules.registry import make_game
>>> check_game(make_game("riichi/tenhou"), tables=4, steps=60)

It plays random legal games through `Batch` and checks what must hold for any game: the same seed gives the same play
on any number of threads, masks agree with what is accepted, no tile and no point is lost, a view reveals nothing
hidden, and games end with rewards that sum to zero. The first failure raises `GameCheckError`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from janshi.rules.batch import Batch
from janshi.rules.game import Array, Game

LONGEST_GAME = 100_000
"""Steps after which a game of random players counts as endless."""
SAMPLE = 8
"""Steps between costly checks."""
SHUFFLES = 8
"""Shuffles of the hidden tiles after which an unchanged oracle view is a fault."""


GAP = "gap"
"""Name of the fields that only align others (see `record_dtype`), before a number."""


class GameCheckError(ValueError):
    """A rule set breaks the contract; the message says how."""


def check_game(game: Game, *, tables: int = 16, steps: int = 300, seed: int = 1) -> None:
    """Raise `GameCheckError` if a game breaks the contract: a batch of `tables` plays `steps` steps for each check."""
    check_names(game)
    check_dtypes(game)
    for check in (
        check_asked,
        check_same_play,
        check_threads,
        check_masks,
        check_refusals,
        check_conserved,
        check_views,
        check_ends,
    ):
        check(game, tables, steps, seed)


def require(holds: bool, game: Game, what: str) -> None:
    """Raise unless the condition holds."""
    if not holds:
        raise GameCheckError(f"{game.id}: {what}")


def walk(game: Game, tables: int, steps: int, seed: int, threads: int = 1) -> Iterator[Batch]:
    """Play random-legal games on a batch; yields it before each step."""
    batch = Batch(game, tables=tables, seed=seed, threads=threads)
    for _ in range(steps):
        yield batch
        batch.step(batch.random_actions())
    yield batch


def all_seats(game: Game, states: Array) -> tuple[Array, Array, Array]:
    """(table, player, whether asked) of every seat of every table."""
    tables = np.repeat(np.arange(len(states)), game.players)
    players = np.tile(np.arange(game.players), len(states))
    asked = (game.asked(states).astype(np.int64)[tables] >> players) & 1 == 1
    return tables, players, asked


# --- what a game says about itself


def check_names(game: Game) -> None:
    """The id has a version; every action has a unique name."""
    stem, _, version = game.id.rpartition("-v")
    require(bool(stem) and version.isdigit(), game, "its id does not end in a version such as -v1")
    require(game.players >= 2, game, f"it has {game.players} players")
    names = game.action_names
    require(all(isinstance(name, str) and name.strip() == name != "" for name in names), game, "an action has no name")
    twice = sorted({name for name in names if names.count(name) > 1})
    require(not twice, game, f"action names are not unique: {', '.join(twice)}")
    require(game.num_actions == len(names), game, f"it has {game.num_actions} actions but {len(names)} names")


def check_dtypes(game: Game) -> None:
    """States and views are records of plain numbers; an oracle view has all fields of a view, and more."""
    for what in ("state_dtype", "view_dtype", "oracle_dtype"):
        dtype = getattr(game, what)
        require(bool(dtype.names), game, f"{what} is not a structured dtype")
        require(not dtype.hasobject, game, f"{what} holds Python objects")
    view, oracle = game.view_dtype, game.oracle_dtype
    for name in view.names or ():
        if name.startswith(GAP):
            continue
        there = name in (oracle.names or ()) and oracle[name] == view[name]
        require(there, game, f"the oracle view lacks the view's field {name}")
    require(len(oracle.names or ()) > len(view.names or ()), game, "the oracle view adds no field to the view")


# --- how it plays


def check_asked(game: Game, tables: int, steps: int, seed: int) -> None:
    """A player who is asked has a legal action; one who is not has none."""
    for step, batch in enumerate(walk(game, tables, steps, seed)):
        bits = game.asked(batch.states)
        require(bool((bits >> game.players == 0).all()), game, f"step {step} asks a player who is not there")
        where, players, asked = all_seats(game, batch.states)
        masks = np.zeros((len(where), game.num_actions), np.bool_)
        game.legal_masks(batch.states, where, players, masks)
        able = masks.any(axis=1)
        for at in np.flatnonzero(able != asked)[:1]:
            what = "asked but has no legal action" if asked[at] else "not asked but has legal actions"
            seat = f"player {players[at]} of table {where[at]}"
            require(False, game, f"at step {step} {seat} is {what} (seed {seed})")


def check_same_play(game: Game, tables: int, steps: int, seed: int) -> None:
    """The same seed gives the same play, another seed another."""
    for step, (one, two) in enumerate(zip(walk(game, tables, steps, seed), walk(game, tables, steps, seed))):
        require(one.states.tobytes() == two.states.tobytes(), game, f"seed {seed} played differently at step {step}")
    other = Batch(game, tables=tables, seed=seed + 1)
    first = Batch(game, tables=tables, seed=seed)
    require(first.states.tobytes() != other.states.tobytes(), game, f"seeds {seed} and {seed + 1} start the same games")


def check_threads(game: Game, tables: int, steps: int, seed: int) -> None:
    """The number of threads does not change the play."""
    walks = [walk(game, tables, steps, seed, threads) for threads in (1, 2, 3)]
    for step, (one, *more) in enumerate(zip(*walks)):
        for batch, threads in zip(more, (2, 3)):
            same = one.states.tobytes() == batch.states.tobytes()
            require(same, game, f"seed {seed} on {threads} threads played differently from one thread at step {step}")


def check_masks(game: Game, tables: int, steps: int, seed: int) -> None:
    """`first_illegal` and the masks agree on every action of a sample of decisions."""
    for step, batch in enumerate(walk(game, tables, steps, seed)):
        if step % SAMPLE or not len(batch):
            continue
        masks, actions = batch.legal_masks().copy(), batch.random_actions().copy()
        at = step // SAMPLE % len(batch)
        table = int(batch.tables[at])
        mine = batch.tables == table
        first = np.array([0, mine.sum()], np.int64)
        answers = actions[mine]
        place = at - int(np.argmax(mine))
        for action in range(game.num_actions):
            answers[place] = action
            refused = game.first_illegal(batch.states[table : table + 1], first, answers) == place
            require(
                refused != masks[at, action],
                game,
                f"at step {step} {game.action_names[action]!r} is {'refused' if refused else 'taken'} "
                f"against the mask of player {batch.players[at]} at table {table} (seed {seed})",
            )


def check_refusals(game: Game, tables: int, steps: int, seed: int) -> None:
    """An illegal action raises `ValueError` and changes nothing."""
    for step, batch in enumerate(walk(game, tables, steps, seed)):
        if step % SAMPLE or not len(batch):
            continue
        at = step // SAMPLE % len(batch)
        illegal = np.flatnonzero(~batch.legal_masks()[at]).tolist()
        for action in (-1, game.num_actions, *illegal[:: max(1, len(illegal) // 4)]):
            actions = batch.random_actions().copy()
            actions[at] = action
            before = batch.states.tobytes()
            require(raises(batch, actions), game, f"at step {step} the illegal action {action} was taken (seed {seed})")
            require(
                batch.states.tobytes() == before, game, f"at step {step} a refused action changed a state (seed {seed})"
            )


def raises(batch: Batch, actions: Array) -> bool:
    """Whether a batch refuses these actions."""
    try:
        batch.step(actions)
    except ValueError:
        return True
    return False


def check_conserved(game: Game, tables: int, steps: int, seed: int) -> None:
    """The numbers of tiles and points never change."""
    tiles = points = None
    for step, batch in enumerate(walk(game, tables, steps, seed)):
        counted, total = game.tile_counts(batch.states), game.total_points(batch.states)
        tiles, points = (counted, total) if tiles is None else (tiles, points)
        lost = np.flatnonzero((counted != tiles).any(axis=1))
        require(not lost.size, game, f"tiles are not conserved at step {step}, tables {lost.tolist()} (seed {seed})")
        lost = np.flatnonzero(total != points)
        require(not lost.size, game, f"points are not conserved at step {step}, tables {lost.tolist()} (seed {seed})")


def check_views(game: Game, tables: int, steps: int, seed: int) -> None:
    """A view stays the same when hidden tiles are shuffled, and on a copy; an oracle view changes with the shuffle."""
    for step, batch in enumerate(walk(game, tables, steps, seed)):
        if step % SAMPLE:
            continue
        table, player = step // SAMPLE % tables, step // SAMPLE % game.players
        where = f"player {player}, table {table}, step {step}, seed {seed}"
        check_view(game, batch.states[table : table + 1], player, where)


def check_view(game: Game, states: Array, player: int, where: str) -> None:
    """Look at the view of one player of one table."""
    copy = states.copy()
    view, oracle = looks(game, states, player)
    require(looks(game, copy, player) == (view, oracle), game, f"a copied state gives another view ({where})")
    if not game.asked(states)[0]:
        return
    changed = False
    for shuffle in range(SHUFFLES):
        game.shuffle_hidden(copy[0], player, shuffle)
        seen, behind = looks(game, copy, player)
        require(seen == view, game, f"a view reveals hidden tiles ({where})")
        changed = changed or behind != oracle
    require(changed, game, f"an oracle view does not show hidden tiles ({where})")


def looks(game: Game, states: Array, player: int) -> tuple[bytes, bytes]:
    """The bytes of a player's view and oracle view of one table."""
    table, players = np.zeros(1, np.int64), np.array([player], np.int64)
    view = np.zeros(1, game.view_dtype).view(np.recarray)
    oracle = np.zeros(1, game.oracle_dtype).view(np.recarray)
    game.views(states, table, players, view)
    game.oracle_views(states, table, players, oracle)
    return view.tobytes(), oracle.tobytes()


def check_ends(game: Game, tables: int, steps: int, seed: int) -> None:
    """Games end, with rewards that sum to zero, and stay ended; with `restart` a new one begins."""
    batch = Batch(game, tables=tables, seed=seed, restart=False)
    for _ in range(LONGEST_GAME):
        over = batch.over
        require(not game.rewards(batch.states)[~over].any(), game, f"there are rewards before the end (seed {seed})")
        require(not game.asked(batch.states)[over].any(), game, f"a finished game asks a player (seed {seed})")
        if over.all():
            break
        batch.step(batch.random_actions())
    require(bool(batch.over.all()), game, f"a game did not end within {LONGEST_GAME} steps (seed {seed})")
    rewards = game.rewards(batch.states)
    require(rewards.shape == (tables, game.players), game, f"rewards have shape {rewards.shape}")
    require(bool(np.allclose(rewards.sum(axis=1), 0, atol=1e-3)), game, f"rewards do not sum to zero (seed {seed})")
    ended = batch.states.tobytes()
    batch.step(batch.random_actions())
    require(batch.states.tobytes() == ended, game, "a finished game continued without restart")
    check_restart(game, batch)


def check_restart(game: Game, batch: Batch) -> None:
    """With `restart`, tables whose games are over begin other games."""
    blank = game.new_states(len(batch.states))
    game.start(blank, np.zeros(len(blank), np.uint64), game.new_context())
    points = game.total_points(blank)
    batch.restart = True
    batch.step(batch.random_actions())
    require(not batch.over.any(), game, "restart does not begin a new game")
    require(bool(game.asked(batch.states).all()), game, "a game begun by restart asks nobody")
    require(bool((game.total_points(batch.states) == points).all()), game, "restart changes the total points")
    require(not game.rewards(batch.states).any(), game, "a game begun by restart has rewards")
