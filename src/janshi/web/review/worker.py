"""A process that works on one upload and can be killed: `python -m janshi.web.review.worker`.

It is given a line of JSON (the job) and then the record's text, and answers with lines of JSON. A malicious text cannot
harm the server: the process limits its own memory and processor time, and the server kills it when it is silent for too
long. It ends by itself when the server does, because its standard input closes.

| job | answers |
| --- | --- |
| `read` | `ready`, `head` |
| `think` | `ready`, one `decision` each, `done` |
| `luck` | `ready`, `luck` |
| `watch` | `ready`, one `watched` for each hand, beginning with the one asked for |
| `start` | `ready`, `start` |
| `chances` | `ready`, `chances` |

The text is parsed first, with little loaded. `ready` comes when the rest is loaded (or compiled). Any answer may be
replaced by `refused` with a message for people.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from janshi.web.problems import Problem, Worded, problem, problem_of

if TYPE_CHECKING:
    from janshi.web.review.shapes import LuckText

MEMORY: Final = 3 * 1024**3
"""Bytes of data a worker may hold."""
READ_CPU: Final = 60
"""Seconds of processor time to read a record."""
THINK_CPU: Final = 2 * 3600
OPEN_FILES: Final = 256
NICENESS: Final = 10

Say = Callable[..., None]


def main() -> None:
    """Do one job."""
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # accidental prints go to the error stream
    given = sys.stdin.buffer
    job = json.loads(given.readline())
    text = given.read(int(job["bytes"])).decode("utf-8")
    threading.Thread(target=_end_with_server, daemon=True).start()

    def say(what: str, **more: Any) -> None:
        said.write(json.dumps({"say": what, **more}, ensure_ascii=False, separators=(",", ":")) + "\n")
        said.flush()

    _limit()
    with contextlib.suppress(BrokenPipeError):
        _work(job, text, say)
    os._exit(0)


def _end_with_server() -> None:
    """Watch standard input: when it closes, the server has ended or no longer wants the answer."""
    while os.read(0, 4096):
        pass
    os._exit(3)


def _limit() -> None:
    """Limit this process's memory and processor time."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # no such limits on this system; the server's clock remains
        return
    for what, most in (
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, THINK_CPU),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


def _limit_processor(seconds: int) -> None:
    """Limit processor time from now on, up to the overall bound; 0 removes this limit."""
    try:
        import resource
    except ImportError:
        return
    used = int(time.process_time())
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (min(used + seconds, THINK_CPU) if seconds else THINK_CPU, THINK_CPU))


def _work(job: dict[str, Any], text: str, say: Say) -> None:
    try:
        _do(job, text, say)
    except Refusal as refused:
        say("refused", problem=refused.problem.as_json())


def _do(job: dict[str, Any], text: str, say: Say) -> None:
    from janshi.web.review.parse import parse

    with _suspicious():
        parsed = parse(text, job["format"], job["name"])
    from janshi.web.families import family_of_format, reviews
    from janshi.web.review import moments, work
    from janshi.web.review.games import follow

    reviews()[family_of_format(job["format"])].get_ready()
    say("ready")
    with _suspicious():
        recorded = follow(parsed, job["format"])
        head = work.head_of(recorded) if job["job"] == "read" else None
    if head is not None:
        say("head", head=head)
    elif job["job"] == "think":
        for decision in work.think(recorded, job["agent"], job["seats"], job["skip"]):
            say("decision", decision=decision)
        say("done")
    elif job["job"] == "watch":
        for hand in range(recorded.hands):
            at = (job["hand"] + hand) % recorded.hands
            say("watched", hand=at, moments=moments.watch(recorded, at))
    elif job["job"] == "chances":
        say("chances", chances=work.chances(recorded, job["seats"], job["number"]))
    elif job["job"] == "start":
        say("start", start=_start(recorded, job))
    else:
        say("luck", luck=_luck(recorded))


def _start(recorded: Any, job: dict[str, Any]) -> dict[str, Any]:
    from janshi.web.review.moments import CannotContinue, place_of, start_of

    try:
        number = job.get("number")
        hand, moment = (job["hand"], job["moment"]) if number is None else place_of(recorded, job["seats"], int(number))
        return start_of(recorded, hand, moment)
    except CannotContinue as wrong:
        raise Refusal(wrong.problem) from None


class Refusal(Worded):
    """The problem of a record."""


@contextlib.contextmanager
def _suspicious() -> Iterator[None]:
    """Process an untrusted upload within a time limit; any error becomes a refusal."""
    _limit_processor(READ_CPU)
    try:
        yield
    except MemoryError:
        raise Refusal("record_needs_memory") from None
    except RecursionError:
        raise Refusal("record_too_deep") from None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as wrong:
        raise Refusal(_what_is_wrong(wrong)) from wrong
    finally:
        _limit_processor(0)


def _luck(recorded: Any) -> LuckText:
    from janshi.web.families import reviews
    from janshi.web.review.games import GuobiaoRecorded
    from janshi.web.review.luck import luck_in_points, luck_of, not_available

    if not reviews()[recorded.family].luck:
        return not_available(problem("luck_riichi_only"))
    if isinstance(recorded, GuobiaoRecorded):
        return luck_in_points(recorded.records, recorded.family)
    return luck_of(recorded.record)


def _what_is_wrong(wrong: Exception) -> Problem:
    """The problem of an error: readers explain theirs in English; any other error was unexpected."""
    explained = isinstance(wrong, ValueError) and str(wrong)
    return problem_of(wrong, "untranslated") if explained else problem("record_damaged", problem=repr(wrong))


if __name__ == "__main__":
    main()
