"""A running game: it asks people and agents, stores answers and keeps everybody informed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any, Final

from janshi.agents.substitute import substitute_answer
from janshi.rules.events import Event
from janshi.rules.game import Game
from janshi.web.live.auto import auto_answer, no_options, read_options
from janshi.web.live.broadcast import Broadcast
from janshi.web.live.minds import Minds
from janshi.web.live.pace import Pacing
from janshi.web.live.play import DEALS, Play, game_of
from janshi.web.live.question import Ask, Clock, put
from janshi.web.problems import Impossible
from janshi.web.reader import TURN
from janshi.web.store import Answer, GameRow, Store

log = logging.getLogger("janshi.web")
YOU: Final = "you"
"""A seat for a person."""
NEXT_SECONDS: Final = 20.0
"""With a clock, the next hand is dealt after this many seconds even if not everybody is ready."""
RESULT_PACES: Final = 6
"""A watched game shows the result of a hand for the time of this many moves."""
PLAY, WATCH, REPLAY = "play", "watch", "replay"


class LiveError(Impossible):
    """A message that cannot be carried out, with a text for the player."""


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
        kept = setup.get("auto", {})
        self.auto: dict[int, dict[str, bool]] = {seat: kept.get(str(seat), no_options()) for seat in self.people}
        self.stir = asyncio.Event()
        """Set whenever something changes that a waiting game should notice."""
        self.broadcast = Broadcast(self)
        self.pacing = Pacing(setup["pace"], self.stir, lambda: self.broadcast.connections > 0)
        self.clock = Clock(setup["time"], self.people)
        self.asks: dict[int, Ask] = {}
        self.given: dict[int, Answer] = {}
        """Answers to the open questions that are already stored."""
        self.ready: set[int] = set()
        """People who want the next hand."""
        self.waits_for_next = False
        """Whether dealing the next hand waits for people."""
        self.hinting: set[int] = set()
        """Seats whose hint is being computed."""
        self.answers: list[Answer] = []
        self.lock = asyncio.Lock()
        """Held while a person's answer is taken, or moves are taken back."""
        self.task: asyncio.Task[None] | None = None
        self.play: Play
        self.number = int.from_bytes(row.id.encode()[:6], "big")

    # --- beginning and end

    @property
    def game(self) -> Game:
        """The rules it is played by."""
        return self.play.game

    def load(self, answers: list[Answer]) -> None:
        """Set up the table from the stored answers. Slow: run it in a separate thread."""
        self.play = Play(game_of(self.row.rules, self.row.rounds), self.row.seed, self.row.setup.get("start"))
        self.given = self.play.replay(answers)
        self.answers = answers

    def start(self) -> None:
        """Continue playing from the present state of the table."""
        self.clock.refill(self.answers)
        self.task = asyncio.create_task(self._run(), name=f"game {self.row.id}")
        self.task.add_done_callback(self._stopped)

    def _stopped(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("game %s stopped", self.row.id, exc_info=error)
            self.broadcast.dismiss()  # clients that reconnect load it again from the store

    async def stop(self) -> None:
        """Stop playing; all answers stay stored."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
            self.task = None
        self._close_asks()

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing can happen until somebody connects."""
        if self.broadcast.connections:
            return False
        if self.play.over or not self.people:
            return True
        agents_think = any(s not in self.people and s not in self.given for s in self.play.table.asked)
        return self.clock.control is None and not agents_think

    @property
    def failed(self) -> bool:
        """Whether it stopped because of an error."""
        return self.task is not None and self.task.done() and not self.play.over

    # --- the loop

    async def _run(self) -> None:
        play = self.play
        while not play.over:
            if play.between_hands:
                events = await self._deal()
            else:
                self._open_asks()
                self.broadcast.update()
                await self._pause()
                events = play.take(await self._collect())
            self._close_asks()
            self.broadcast.note(events)
            await asyncio.sleep(0)  # other games have their turn
        self.broadcast.update()
        await self._keep()

    async def _deal(self) -> list[Event]:
        """Wait until the next hand is wanted, and deal it; the end of a game needs no wait."""
        if not self.play.is_last_hand:
            self.ready, self.waits_for_next = set(), bool(self.people)
            self.broadcast.update()
            await self._keep()
            await self._wait_for_next()
            self.waits_for_next = False
        await self._commit([Answer(self.play.step, DEALS, 0)])
        events = self.play.take({})
        self.clock.refill(self.answers)
        return events

    async def _wait_for_next(self) -> None:
        if not self.people:
            for _ in range(RESULT_PACES):
                await self.pacing.wait()
            return
        try:
            async with asyncio.timeout(NEXT_SECONDS if self.clock.control else None):
                while not self.ready >= set(self.people):
                    self.stir.clear()
                    await self.stir.wait()
        except TimeoutError:
            pass

    async def _pause(self) -> None:
        """Keep the pace before an agent's turn."""
        if self.play.phase != TURN:
            return
        if not self.people:
            await self.pacing.wait()
        elif self.pacing.seconds and self.play.table.actor not in self.people:
            await asyncio.sleep(self.pacing.seconds)

    # --- answers

    async def _collect(self) -> dict[int, int]:
        """Collect the answers of all asked players, stored on disk."""
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
        """The agents' answers, not yet stored; people's answers are stored when this returns."""
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
        """Store answers: when this returns, they are on disk."""
        if answers:
            await self.store.add_answers(self.row.id, answers)
            self.answers += answers
            self.given |= {answer.seat: answer for answer in answers if answer.seat != DEALS}

    # --- people's answers

    def _open_asks(self) -> None:
        """Put the questions of the table to the people who are asked; some are answered by their options."""
        for seat in self.play.table.asked:
            if seat in self.people and seat not in self.given and seat not in self.asks:
                ask = self.asks[seat] = put(self.play, seat)
                if (seconds := self.clock.seconds(seat)) is not None:
                    ask.deadline = ask.since + seconds
                    ask.timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up, seat, ask)
                self._answer_automatically(seat)

    def _close_asks(self) -> None:
        for ask in self.asks.values():
            ask.stop_clock()
        self.asks = {}

    def _answer_automatically(self, seat: int) -> None:
        action = auto_answer(self.asks[seat].choices, self.auto[seat])
        if action is not None:
            spawn(self._give(seat, action, own=False))

    def _time_is_up(self, seat: int, ask: Ask) -> None:
        if self.asks.get(seat) is ask and seat not in self.given:
            action = substitute_answer(self.game, self.play.table.view(seat))
            spawn(self._give(seat, action, own=False))

    async def _give(self, seat: int, action: int, own: bool) -> None:
        """Take an answer for a person's seat: store it, then acknowledge it."""
        async with self.lock:
            ask = self.asks.get(seat)
            if ask is None or seat in self.given:
                return
            answer = Answer(self.play.step, seat, action, own, self.clock.spent(ask))
            await self._commit([answer])
            ask.stop_clock()
            self.clock.spend(answer)
            if own:
                self.broadcast.acknowledge(seat, ask.id)
            if not ask.answered.done():
                ask.answered.set_result(answer)
            if set(self.play.table.asked) - set(self.given):
                self.broadcast.update_one(seat)

    async def answer(self, seat: int, ask_id: int, action: int) -> None:
        """A person's answer to the question of this number."""
        ask = self.asks.get(seat)
        if ask is None or ask.id != ask_id or seat in self.given:
            raise LiveError("question_closed")
        if action not in [choice["action"] for choice in ask.choices]:
            legal = ", ".join(f"{choice['action']} ({choice['name']})" for choice in ask.choices)
            raise LiveError("action_illegal", action=action, legal=legal)
        await self._give(seat, action, own=True)

    # --- other things people may do

    def next_hand(self, seat: int) -> None:
        """A person is ready for the next hand."""
        if not self.waits_for_next:
            raise LiveError("hand_not_over")
        self.ready.add(seat)
        self.stir.set()

    def set_auto(self, seat: int, given: dict[str, Any]) -> None:
        """Change a person's auto-options."""
        self.auto[seat] = read_options(given, self.auto[seat])
        self.row.setup["auto"] = {str(other): options for other, options in self.auto.items()}
        spawn(self._keep())
        if seat in self.asks and seat not in self.given:
            self._answer_automatically(seat)
        self.broadcast.update_one(seat)

    def view_for_hint(self, seat: int) -> tuple[int, Any]:
        """The open question of a person and the view it is put on."""
        ask = self.asks.get(seat)
        if ask is None or seat in self.given:
            raise LiveError("nothing_to_decide")
        if len(self.people) > 1:
            raise LiveError("hints_need_agents")
        return ask.id, self.play.table.view(seat)

    def undo_step(self, viewer: int | None) -> int | None:
        """The step of the viewer's last own decision, if it may be taken back."""
        if not self.row.setup["practice"] or viewer not in self.people:
            return None
        return next((a.step for a in reversed(self.answers) if a.own and a.seat == viewer), None)

    async def undo(self, seat: int) -> None:
        """Go back to the player's last decision."""
        async with self.lock:
            step = self.undo_step(seat)
            if step is None:
                practice = self.row.setup["practice"]
                raise LiveError("nothing_to_undo" if practice else "undo_needs_practice")
            await self.stop()
            await self.store.cut_answers(self.row.id, step)
            await asyncio.to_thread(self.load, [answer for answer in self.answers if answer.step < step])
            self.ready, self.waits_for_next = set(), False
            self.broadcast.note_undo()
            self.start()

    def set_pace(self, seconds: float | None = None, paused: bool | None = None) -> None:
        """Change the settings of a watched game."""
        self.pacing.set(seconds, paused)
        self.row.setup["pace"] = self.pacing.seconds
        self.broadcast.update_all()

    # --- keeping

    async def _keep(self) -> None:
        """Store what lists of games show."""
        table = self.play.table
        self.row.summary = {"scores": list(table.scores), "round": getattr(table, "round_name", "")}
        self.row.over = self.play.over
        self.row.changed = time.time()
        await self.store.note(self.row.id, self.row.setup, self.row.over, self.row.summary)


_TASKS: set[asyncio.Task[None]] = set()
"""Background tasks, referenced here so that they are not garbage-collected."""


def spawn(job: Coroutine[Any, Any, None]) -> None:
    """Run something in the background."""
    task = asyncio.create_task(job)
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)
