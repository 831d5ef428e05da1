"""Bots for Botzone as real subprocesses at our tables: whole games in every mode, and every way to misbehave."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from janshi.protocols.bot import BotFault, substitute
from janshi.protocols.botzone.io import MARK, History, Output, OutputError, read_output
from janshi.protocols.botzone.process import BotzoneProcessBot, event_dicts
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.table import Table
from patience import PATIENCE, group_lives, wait_until

BOTS = Path(__file__).resolve().parent.parent / "bots"
PYTHON = [sys.executable, "-S", "-E"]
NAMES = ("a", "b", "c", "d")


def play(table: Table, bots: Sequence[BotzoneProcessBot], most: int = 1000) -> list[tuple[int, BotFault]]:
    """Play a hand, or `most` steps of it, with a bot at every seat; faulty answers are replaced, as in the arena."""
    recorder, faults, told = Recorder(table), [], 0
    for seat, bot in enumerate(bots):
        bot.begin(table, seat, NAMES)
    while not table.hand_over and (most := most - 1) >= 0:
        for bot in bots:
            bot.tell(event_dicts(recorder.events[told:]))
        told, answers = len(recorder.events), {}
        for seat in table.asked:
            try:
                answers[seat] = bots[seat].ask(table, seat)
            except BotFault as fault:
                faults.append((seat, fault))
                answers[seat] = substitute(table, seat)
            assert table.is_legal(seat, answers[seat])
        recorder.step(answers)
    for bot in bots:
        bot.end(table)
    return faults


def caller(form: str, keep: bool, seconds: float = PATIENCE) -> BotzoneProcessBot:
    command = [*PYTHON, str(BOTS / "botzone_caller.py"), form, *(["keep"] if keep else [])]
    return BotzoneProcessBot(command, io=form, keep_running=keep, seconds=seconds, label="caller")


@pytest.fixture
def bad() -> Iterator[object]:
    made: list[BotzoneProcessBot] = []

    def make(how: str, form: str = "simple", *rest: str, seconds: float = PATIENCE) -> BotzoneProcessBot:
        command = [*PYTHON, str(BOTS / "botzone_bad.py"), how, form, *rest]
        made.append(BotzoneProcessBot(command, io=form, keep_running=True, seconds=seconds, label=how))
        return made[-1]

    yield make
    for bot in made:
        bot.close()


@pytest.mark.parametrize("form", ["json", "simple"])
def test_whole_games_of_four_processes(form: str):
    bots, melds = [caller(form, True) for _ in range(4)], 0
    for seed in range(10):
        table = Table(seed=seed)
        assert play(table, bots) == []
        melds += sum(len(table.melds(player)) for player in range(4))
    assert melds > 40


@pytest.mark.parametrize("form", ["json", "simple"])
def test_a_bot_started_anew_for_every_turn(form: str):
    table = Table(seed=3)
    assert play(table, [caller(form, False), *(caller("simple", True) for _ in range(3))], most=50) == []
    assert len(table.river(0)) > 3


def test_a_game_is_the_same_through_the_processes_and_the_judge():
    """The bots keep their word: what they answer in one process is what they answer when asked line by line."""
    table, again = Table(seed=5), Table(seed=5)
    assert play(table, [caller("json", True) for _ in range(4)]) == []
    assert play(again, [caller("simple", True) for _ in range(4)]) == []
    assert table == again


@pytest.mark.parametrize(
    ("how", "form", "kind", "message"),
    [
        ("crash", "simple", "crash", "out of luck"),
        ("crash", "json", "crash", "status 1"),
        ("at once", "json", "crash", "status 3"),
        ("die", "simple", "crash", "status -9"),
        ("hang", "simple", "timeout", "did not answer in time"),
        ("deaf", "simple", "crash", ""),
        ("flood", "simple", "flood", "bytes"),
        ("lines", "json", "flood", "bytes"),
        ("nonsense", "simple", "nonsense", "I should like"),
        ("nonsense", "json", "nonsense", "not JSON"),
        ("number", "json", "nonsense", "response"),
        ("bytes", "simple", "nonsense", "is not an answer"),
        ("silent", "simple", "nonsense", "no answer"),
        ("silent", "json", "nonsense", "no answer"),
        ("false hu", "simple", "illegal", "legal: PLAY W1/W7"),
        ("false hu", "json", "illegal", "legal: PLAY W1/W7"),
        ("foreign tile", "json", "illegal", "PLAY W"),
        ("claim", "simple", "illegal", "PENG"),
        ("false hu unasked", "simple", "illegal", "there is no tile to win with; legal: PASS"),
    ],
)
def test_misbehaving_bots_give_the_right_fault(bad, how: str, form: str, kind: str, message: str):
    bot = bad(how, form, seconds=0.7 if how == "hang" else PATIENCE)
    table = Table(seed=1)
    bot.begin(table, 0, NAMES)
    bot.tell(event_dicts(Recorder(table).events))
    with pytest.raises(BotFault) as caught:
        bot.ask(table, 0)
    assert (caught.value.kind, message in caught.value.message) == (kind, True), caught.value.message


def test_a_command_that_is_none():
    bot = BotzoneProcessBot(["/no/such/program"])
    table = Table(seed=1)
    bot.begin(table, 0, NAMES)
    bot.tell(event_dicts(Recorder(table).events))
    with pytest.raises(BotFault, match="cannot be started") as caught:
        bot.ask(table, 0)
    assert caught.value.kind == "start"


@pytest.mark.parametrize("how", ["crash", "hang"])
def test_a_dead_bot_meets_the_same_fault_to_the_end_and_plays_the_next_game(bad, how: str):
    bot = bad(how, seconds=0.7 if how == "hang" else PATIENCE)
    faults = play(Table(seed=1), [bot, *(caller("simple", True) for _ in range(3))])
    assert len(faults) > 3
    assert {(seat, fault.kind) for seat, fault in faults} == {(0, "crash" if how == "crash" else "timeout")}
    good = caller("simple", True)
    bot.process.command, bot.process.seconds = good.process.command, PATIENCE
    assert play(Table(seed=2), [bot, *(caller("simple", True) for _ in range(3))]) == []


@pytest.mark.parametrize("how", ["false hu", "nonsense"])
def test_a_bot_that_erred_once_plays_on(bad, how: str):
    table = Table(seed=1)
    faults = play(table, [bad(how), *(caller("simple", True) for _ in range(3))])
    assert len(faults) == 1
    assert table.river(0)


def test_a_claim_with_a_tile_that_is_not_there_is_illegal(bad):
    bot = bad("foreign discard")
    for seed in range(40):
        table = Table(seed=seed)
        recorder = Recorder(table)
        recorder.step({0: table.drawn})
        pengs = [seat for seat in table.asked if any(act.PENG <= a < act.KONG for a in table.legal_actions(seat))]
        if pengs and 31 not in table.hand(pengs[0]):
            break
    start = Table(seed=seed)
    bot.begin(start, pengs[0], NAMES)
    bot.tell(event_dicts(recorder.events))
    with pytest.raises(BotFault, match="after the claim it could play"):
        bot.ask(table, pengs[0])


def test_what_a_bot_started_is_ended_with_it(bad, tmp_path: Path):
    note = tmp_path / "group"
    bot = bad("orphan", "simple", str(note))
    table = Table(seed=1)
    bot.begin(table, 0, NAMES)
    bot.tell(event_dicts(Recorder(table).events))
    with pytest.raises(BotFault):
        bot.ask(table, 0)
    wait_until(lambda: not group_lives(int(note.read_text())), "a process of the bot is still there")


# --- the forms


def test_input_of_both_forms():
    history = History(["0 1 2", "1 0 0 0 0 W1"], ["PASS"], data="mine")
    assert history.whole_input("simple") == "2\n0 1 2\nPASS\n1 0 0 0 0 W1\nmine\n\n"
    assert history.whole_input("simple", saved=False) == "2\n0 1 2\nPASS\n1 0 0 0 0 W1\n"
    assert history.whole_input("json") == (
        '{"requests": ["0 1 2", "1 0 0 0 0 W1"], "responses": ["PASS"], "data": "mine"}\n'
    )
    assert history.next_input("simple") == "1 0 0 0 0 W1\n"
    assert history.next_input("json") == '"1 0 0 0 0 W1"\n'


def test_output_of_both_forms():
    said = '{"response": "PASS", "data": {"n": 1}, "debug": "x"}'
    assert read_output("json", [said]) == Output("PASS", {"n": 1}, None, "x")
    assert read_output("simple", ["", "PASS"]) == Output("PASS")
    assert read_output("simple", ["PASS", "why", "kept", "for ever"]) == Output("PASS", "kept", "for ever", "why")
    for lines in ([], [""], ["{}"], ["[" * 100000], ["PASS"], ['"PASS"']):
        with pytest.raises(OutputError):
            read_output("json", lines)


def test_the_mark_is_the_platforms():
    assert MARK == ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
