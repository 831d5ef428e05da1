"""A game that is being played: people are asked, agents think, the clock runs, answers are kept, everybody is told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

from janshi.agents.substitute import substitute_answer
from janshi.web.choices import Choice, choices
from janshi.web.families import REACTION, TURN
from janshi.web.live.audience import Connection, Message, Outlook
from janshi.web.live.auto import auto_answer, no_options, read_options
from janshi.web.live.play import DEALS, Event, Play, for_viewer, game_of
from janshi.web.live.thinking import Minds
from janshi.web.position import position
from janshi.web.store import Answer, GameRow, Store

log = logging.getLogger("janshi.web")
YOU: Final = "you"
"""A seat for a person."""
HOLD: Final = 0.5
"""Seconds that outlooks which are not asked wait at most to be told of a discard that others think about."""
NEXT_SECONDS: Final = 20.0
"""With a clock, the next hand is dealt after so long even if not everybody is ready."""
RESULT_PACES: Final = 6
"""A game that is watched shows the result of a hand for so many moves."""
MOST_CONNECTIONS: Final = 100
"""Connections of one game."""
PLAY, WATCH, REPLAY = "play", "watch", "replay"


class LiveError(ValueError):
    """A message that cannot be carried out, in words for the player."""


@dataclass
class Ask:
    """A question put to a person."""

    id: int
    choices: list[Choice]
    answered: asyncio.Future[Answer]
    since: float = field(default_factory=time.monotonic)
    timer: asyncio.TimerHandle | None = None
    deadline: float | None = None


class LiveGame:
    """One game with everybody around it. All of it lives in the event loop."""

    def __init__(self, row: GameRow, store: Store, minds: Minds) -> None:
        self.row, self.store, self.minds = row, store, minds
        setup = row.setup
        self.labels: list[str] = setup["seats"]
        self.people = [seat for seat, label in enumerate(self.labels) if label == YOU]
        self.names: list[str] = setup["names"]
        self.agents = [None if label == YOU else label for label in self.labels]
        self.keys: dict[str, str] = setup["keys"]
        """Secret of each person's seat, and of the `host` of a game that is watched."""
        self.auto: dict[int, dict[str, bool]] = {
            seat: setup.get("auto", {}).get(str(seat), no_options()) for seat in self.people
        }
        self.pace: float = setup["pace"]
        self.paused: bool = False
        self.steps_wanted = 0
        self.outlooks: dict[tuple[int | None, bool], Outlook] = {}
        self.asks: dict[int, Ask] = {}
        self.given: dict[int, Answer] = {}
        """Answers to the open questions that are kept already."""
        self.ready: set[int] = set()
        """People who want the next hand."""
        self.answers: list[Answer] = []
        self.reserve = dict.fromkeys(self.people, 0.0)
        self.lock = asyncio.Lock()
        self.stir = asyncio.Event()
        """Set whenever something changes that a waiting game should look at."""
        self.task: asyncio.Task[None] | None = None
        self.touched = time.monotonic()
        self.play: Play
        self.hinting: set[int] = set()
        """Seats whose hint is being thought about."""
        self.number = int.from_bytes(row.id.encode()[:6], "big")

    # --- beginning and end

    @property
    def game(self) -> Any:
        """The rules it is played by."""
        return self.play.game

    def load(self, answers: list[Answer]) -> None:
        """Set the table up from the answers that are kept. Heavy enough for a thread of its own."""
        self.play = Play(game_of(self.row.rules, self.row.rounds), self.row.seed)
        self.given = self.play.replay(answers)
        self.answers = answers

    def start(self, events: list[Event] | None = None) -> None:
        """Go on playing from where the table stands."""
        self._refill()
        self._note(self.play.opening if events is None else events)
        self.task = asyncio.create_task(self._run(), name=f"game {self.row.id}")
        self.task.add_done_callback(self._stopped)

    def _stopped(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("game %s stopped", self.row.id, exc_info=error)
            self.dismiss()  # whoever comes back finds it loaded again from what was kept

    async def stop(self) -> None:
        """Stop playing; all that was answered is kept."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
            self.task = None
        self._close_asks()

    @property
    def idle(self) -> bool:
        """Whether nobody is there and nothing can happen until somebody comes."""
        if any(outlook.connections for outlook in self.outlooks.values()):
            return False
        waits = self.play.over or not self.people or self.row.setup["time"] is None
        return waits and not self._agents_think

    @property
    def _agents_think(self) -> bool:
        asked = self.play.table.asked
        return bool(self.people) and any(seat not in self.people for seat in asked if seat not in self.given)

    @property
    def failed(self) -> bool:
        """Whether it stopped by an error."""
        return self.task is not None and self.task.done() and not self.play.over

    # --- the loop

    async def _run(self) -> None:
        play = self.play
        while not play.over:
            if play.between_hands:
                events = await self._deal()
            else:
                self._open_asks()
                self._tell()
                await self._pause(play.phase == TURN)
                events = play.take(await self._collect())
            self._close_asks()
            self._note(events)
            await asyncio.sleep(0)  # other games have their turn
        self._tell()
        await self._keep()

    async def _deal(self) -> list[Event]:
        """Wait until the next hand is wanted, and deal it; the end of a game needs no wait."""
        if not self.play.is_last_hand:
            self.ready = set()
            self._tell()
            await self._keep()
            await self._wait_for_next()
        answer = Answer(self.play.step, DEALS, 0)
        await self._commit([answer])
        events = self.play.take({})
        self._refill()
        return events

    async def _wait_for_next(self) -> None:
        if not self.people:
            for _ in range(RESULT_PACES):
                await self._pause(True)
            return
        limit = NEXT_SECONDS if self.row.setup["time"] else None
        try:
            async with asyncio.timeout(limit):
                while not self.ready >= set(self.people):
                    await self._stirred()
        except TimeoutError:
            pass

    async def _stirred(self) -> None:
        self.stir.clear()
        await self.stir.wait()

    async def _pause(self, counts: bool) -> None:
        """Keep the pace of a game that is watched; wait while it is paused or nobody watches."""
        if not counts:
            return
        if self.people:
            if self.pace and self.play.table.actor not in self.people:
                await asyncio.sleep(self.pace)
            return
        until = time.monotonic() + self.pace
        while True:
            if self.steps_wanted:
                self.steps_wanted -= 1
                return
            watched = any(outlook.connections for outlook in self.outlooks.values())
            left = until - time.monotonic()
            if watched and not self.paused and left <= 0:
                return
            self.stir.clear()
            try:
                async with asyncio.timeout(left if watched and not self.paused else None):
                    await self.stir.wait()
            except TimeoutError:
                pass
            until = min(until, time.monotonic() + self.pace)

    # --- answers

    async def _collect(self) -> dict[int, int]:
        """The answers of all asked players, kept on disk."""
        asked = self.play.table.asked
        script = self.row.setup.get("script")
        if script is not None:
            at = self.play.decisions
            fresh = [Answer(self.play.step, seat, int(a)) for seat, a in zip(asked, script[at : at + len(asked)])]
        else:
            fresh = await self._fresh([seat for seat in asked if seat not in self.given])
        await self._commit(fresh)
        answers = {seat: self.given[seat].action for seat in asked}
        self.given = {}
        return answers

    async def _fresh(self, seats: list[int]) -> list[Answer]:
        """The agents' answers, which are still to be kept; people's are kept already when this returns."""
        fresh: list[Answer] = []
        waiting: list[Coroutine[Any, Any, Answer | None]] = []
        for seat in seats:
            if seat in self.people:
                waiting.append(self._person(seat))
                continue
            asked = (self.game, self.labels[seat], self.play.table.view(seat), self.play.word(seat), self.number)
            action = self.minds.quick(*asked)
            if action is None:
                waiting.append(self._agent(seat, *asked))
            else:
                fresh.append(Answer(self.play.step, seat, action))
        given = await asyncio.gather(*waiting) if waiting else []
        return [*fresh, *(answer for answer in given if answer is not None)]

    async def _person(self, seat: int) -> None:
        await self.asks[seat].answered

    async def _agent(self, seat: int, *asked: Any) -> Answer:
        return Answer(self.play.step, seat, await self.minds.answer(*asked))

    async def _commit(self, answers: list[Answer]) -> None:
        """Keep answers: when this returns they are on disk."""
        if answers:
            await self.store.add_answers(self.row.id, answers)
            self.answers += answers
            self.given |= {answer.seat: answer for answer in answers if answer.seat != DEALS}

    def _open_asks(self) -> None:
        """Put the questions of the table to the people who are asked; some are answered by their options."""
        for seat in self.play.table.asked:
            if seat in self.people and seat not in self.given and seat not in self.asks:
                future = asyncio.get_running_loop().create_future()
                self.asks[seat] = Ask(self.play.asked_before[seat], self._choices(seat), future)
                self._set_clock(seat)
                self._answer_automatically(seat)

    def _choices(self, seat: int) -> list[Choice]:
        found = choices(self.play.table, seat)
        drawn = self.play.table.drawn
        if self.play.phase == TURN and drawn is not None and self.play.family.name != "riichi":
            text = self.play.family.text(drawn)
            for choice in found:
                if choice["kind"] == "discard" and choice["tile"] == text:
                    choice["drawn"] = True
        return found

    def _answer_automatically(self, seat: int) -> None:
        ask = self.asks[seat]
        action = auto_answer(ask.choices, self.auto[seat])
        if action is not None:
            self._give_soon(seat, action)

    def _give_soon(self, seat: int, action: int) -> None:
        """Answer for a person, without a word of theirs."""
        ask = self.asks[seat]
        if not ask.answered.done() and ask.timer is not None:
            ask.timer.cancel()
        spawn(self._give(seat, action, own=False))

    async def _give(self, seat: int, action: int, own: bool) -> None:
        """Take a person's answer: kept first, then acknowledged."""
        async with self.lock:
            await self._take(seat, action, own)

    async def _take(self, seat: int, action: int, own: bool) -> None:
        ask = self.asks.get(seat)
        if ask is None or seat in self.given:
            return
        answer = Answer(self.play.step, seat, action, own, self._spent(ask))
        self.given[seat] = answer
        if ask.timer is not None:
            ask.timer.cancel()
        try:
            await self._commit([answer])
        except Exception:
            self.given.pop(seat, None)
            raise
        self.reserve[seat] = max(0.0, self.reserve[seat] - answer.spent)
        if own:
            self._acknowledge(seat, ask.id)
        if not ask.answered.done():
            ask.answered.set_result(answer)
        if set(self.play.table.asked) - set(self.given):
            self._tell_one(seat)

    def _close_asks(self) -> None:
        for ask in self.asks.values():
            if ask.timer is not None:
                ask.timer.cancel()
        self.asks = {}

    # --- the clock

    def _refill(self) -> None:
        """At the start of a hand everybody has the whole reserve again, less what this hand has taken."""
        control = self.row.setup["time"]
        self.reserve = dict.fromkeys(self.people, control["extra"] if control else 0.0)
        if control:
            begun = max((a.step for a in self.answers if a.seat == DEALS), default=-1)
            for answer in self.answers:
                if answer.step > begun and answer.seat in self.reserve:
                    self.reserve[answer.seat] = max(0.0, self.reserve[answer.seat] - answer.spent)

    def _set_clock(self, seat: int) -> None:
        control, ask = self.row.setup["time"], self.asks[seat]
        if control is None:
            return
        seconds = control["base"] + self.reserve[seat]
        ask.deadline = ask.since + seconds
        ask.timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up, seat, ask)

    def _time_is_up(self, seat: int, ask: Ask) -> None:
        if self.asks.get(seat) is ask and seat not in self.given:
            self._give_soon(seat, substitute_answer(self.game, self.play.table.view(seat)))

    def _spent(self, ask: Ask) -> float:
        control = self.row.setup["time"]
        return max(0.0, time.monotonic() - ask.since - control["base"]) if control else 0.0

    # --- telling

    def outlook(self, viewer: int | None, open_hands: bool = False) -> Outlook:
        """A way to see the game, made when it is first asked for."""
        key = (viewer, open_hands)
        if key not in self.outlooks:
            self.outlooks[key] = Outlook(*key)
        return self.outlooks[key]

    async def state(self, outlook: Outlook) -> Message:
        """Where the game stands, as it was last told; not before it may be told."""
        self._refresh(outlook)
        while outlook.last is None:
            await asyncio.sleep(HOLD / 10)
            self._refresh(outlook)
        return {**outlook.last, "events": []}

    def _refresh(self, outlook: Outlook) -> None:
        """Tell an outlook that has nobody, or nothing yet, where the game stands, as soon as it may know."""
        if outlook.last is None and outlook.timer is None:
            if self._not_asked(outlook):
                outlook.timer = asyncio.get_running_loop().call_later(HOLD, self._tell_late, outlook)
            else:
                outlook.tell(self._message(outlook))
        elif outlook.last is not None and outlook.viewer in self.asks:
            outlook.last = {**outlook.last, "ask": self._ask_told(outlook.viewer)}  # the clock has gone on

    def _note(self, events: list[Event]) -> None:
        """Remember what happened until it is told."""
        for outlook in self.outlooks.values():
            outlook.events += [for_viewer(event, outlook.viewer, outlook.open_hands) for event in events]

    def _tell(self) -> None:
        """Tell everybody where the game stands."""
        self.touched = time.monotonic()
        for outlook in self.outlooks.values():
            if not outlook.connections:
                outlook.forget()
            elif self._not_asked(outlook):
                if outlook.timer is None:
                    outlook.timer = asyncio.get_running_loop().call_later(HOLD, self._tell_late, outlook)
            else:
                outlook.tell(self._message(outlook))

    def _tell_late(self, outlook: Outlook) -> None:
        outlook.timer = None
        outlook.tell(self._message(outlook))

    def _tell_one(self, seat: int) -> None:
        outlook = self.outlooks.get((seat, False))
        if outlook is not None:
            outlook.tell(self._message(outlook))

    def _acknowledge(self, seat: int, ask: int) -> None:
        """Tell a player at once that an answer is kept; what follows may wait for others."""
        outlook = self.outlooks.get((seat, False))
        for connection in outlook.connections if outlook is not None else ():
            connection.say({"type": "accepted", "ask": ask})

    def _not_asked(self, outlook: Outlook) -> bool:
        """Whether it would tell a viewer something that others are asked now."""
        hidden = self.play.phase == REACTION and not outlook.open_hands
        return hidden and outlook.viewer not in self.asks

    def _message(self, outlook: Outlook) -> Message:
        """The state of the game as an outlook may know it."""
        play, setup, viewer = self.play, self.row.setup, outlook.viewer
        shown = position(play.table, viewer, open_hands=outlook.open_hands, names=self.names, agents=self.agents)
        on_turn = play.phase == TURN and play.table.actor not in self.people
        return {
            "type": "state",
            "id": self.row.id,
            "kind": self.row.kind,
            "position": shown,
            "ask": self._ask_told(viewer),
            "auto": self.auto.get(viewer) if viewer is not None else None,
            "clock": self._clock(viewer),
            "practice": setup["practice"],
            "can_undo": self._undo_step(viewer) is not None,
            "thinking": [play.table.actor] if on_turn else [],
            "next": {"wanted": play.between_hands, "ready": sorted(self.ready)} if self.people else None,
            "watch": None if self.people else {"pace": self.pace, "paused": self.paused, "open": outlook.open_hands},
            "over": play.over,
        }

    def _ask_told(self, viewer: int | None) -> dict[str, Any] | None:
        ask = self.asks.get(viewer) if viewer is not None else None
        if ask is None or viewer in self.given or auto_answer(ask.choices, self.auto[viewer]) is not None:  # type: ignore[index]
            return None
        left = None if ask.deadline is None else max(0.0, ask.deadline - time.monotonic())
        return {"id": ask.id, "choices": ask.choices, "deadline": None if left is None else round(left, 2)}

    def _clock(self, viewer: int | None) -> dict[str, float] | None:
        control = self.row.setup["time"]
        if control is None or viewer not in self.reserve:
            return None
        return {"base": control["base"], "extra": round(self.reserve[viewer], 2)}

    # --- messages of players

    async def answer(self, seat: int, ask_id: int, action: int) -> None:
        """A person's answer to the question of this number."""
        ask = self.asks.get(seat)
        if ask is None or ask.id != ask_id or seat in self.given:
            raise LiveError("this question is not open any more")
        if action not in [choice["action"] for choice in ask.choices]:
            legal = ", ".join(f"{choice['action']} ({choice['name']})" for choice in ask.choices)
            raise LiveError(f"action {action} is not possible now; possible are {legal}")
        await self._give(seat, action, own=True)

    def next_hand(self, seat: int) -> None:
        """A person is ready for the next hand."""
        if not self.play.between_hands:
            raise LiveError("the hand is not over")
        self.ready.add(seat)
        self.stir.set()

    def set_auto(self, seat: int, given: dict[str, Any]) -> None:
        """Change a person's auto-options."""
        try:
            self.auto[seat] = read_options(given, self.auto[seat])
        except ValueError as error:
            raise LiveError(str(error)) from None
        self.row.setup["auto"] = {str(seat): options for seat, options in self.auto.items()}
        spawn(self._keep())
        if seat in self.asks and seat not in self.given:
            self._answer_automatically(seat)
        self._tell_one(seat)

    def view_for_hint(self, seat: int) -> tuple[int, Any]:
        """The open question of a person and the view it is put on."""
        ask = self.asks.get(seat)
        if ask is None or seat in self.given:
            raise LiveError("there is nothing to decide now")
        if len(self.people) > 1:
            raise LiveError("hints are for games against agents only")
        return ask.id, self.play.table.view(seat)

    def _undo_step(self, viewer: int | None) -> int | None:
        """The step of the viewer's last own decision, if it may be taken back."""
        if not self.row.setup["practice"] or viewer not in self.people:
            return None
        for answer in reversed(self.answers):
            if answer.own and answer.seat == viewer:
                return answer.step
        return None

    async def undo(self, seat: int) -> None:
        """Go back to the player's last decision."""
        async with self.lock:
            step = self._undo_step(seat)
            if step is None:
                practice = self.row.setup["practice"]
                raise LiveError(
                    "there is nothing to take back" if practice else "only practice games can be taken back"
                )
            await self.stop()
            await self.store.cut_answers(self.row.id, step)
            kept = [answer for answer in self.answers if answer.step < step]
            await asyncio.to_thread(self.load, kept)
            self.ready = set()
            for outlook in self.outlooks.values():
                outlook.events = []
            self.start([{"type": "undo"}])

    # --- watching

    def set_pace(self, seconds: float) -> None:
        """Change how fast a watched game goes."""
        self.pace = self.row.setup["pace"] = seconds
        self._stir_watchers()

    def set_paused(self, paused: bool) -> None:
        """Stop a watched game, or let it go on."""
        self.paused = paused
        self._stir_watchers()

    def one_step(self) -> None:
        """Make one move of a paused game."""
        self.paused = True
        self.steps_wanted = min(self.steps_wanted + 1, 100)
        self.stir.set()

    def _stir_watchers(self) -> None:
        self.steps_wanted = 0
        for outlook in self.outlooks.values():
            outlook.tell(self._message(outlook))
        self.stir.set()

    def join(self, connection: Connection, outlook: Outlook) -> None:
        """Somebody looks at the game."""
        if sum(len(other.connections) for other in self.outlooks.values()) >= MOST_CONNECTIONS:
            raise LiveError("too many look at this game already")
        self.touched = time.monotonic()
        self._refresh(outlook)
        outlook.welcome(connection)
        self.stir.set()

    def leave(self, connection: Connection) -> None:
        """Somebody looks away."""
        self.touched = time.monotonic()
        for outlook in self.outlooks.values():
            outlook.connections.discard(connection)

    def dismiss(self) -> None:
        """Send everybody away."""
        for outlook in self.outlooks.values():
            for connection in list(outlook.connections):
                connection.close()

    # --- keeping

    async def _keep(self) -> None:
        """Keep what lists of games show."""
        table = self.play.table
        self.row.summary = {"scores": list(table.scores), "round": getattr(table, "round_name", "")}
        self.row.over = self.play.over
        self.row.changed = time.time()
        await self.store.note(self.row.id, self.row.setup, self.row.over, self.row.summary)


_TASKS: set[asyncio.Task[None]] = set()
"""Tasks that nobody waits for, held so that they are not collected."""


def spawn(job: Any) -> None:
    """Run something in the background."""
    task = asyncio.create_task(job)
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)
