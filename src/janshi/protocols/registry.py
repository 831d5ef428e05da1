"""Kinds of bots by name: how each is made from its target and options."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final

from janshi.protocols.bot import Bot
from janshi.protocols.confinement import CAN_LIMIT, Confinement


def make_bot(kind: str, target: str, options: Mapping[str, str], label: str) -> Bot:
    """Makes a bot of a kind, not yet started; raises `ValueError` for unknown options."""
    make, known = MAKERS[kind]
    read = _read_options(options, known, label)
    if any(name in known for name in CONFINEMENT):
        chosen = {CONFINEMENT[name][0]: read.pop(name) for name in CONFINEMENT if name in read}
        read["confinement"] = Confinement(**chosen)
    return make(target, label, read)


def _read_options(options: Mapping[str, str], known: Mapping[str, Callable[[str], Any]], label: str) -> dict[str, Any]:
    read = {}
    for key, text in options.items():
        if key not in known:
            raise ValueError(f"player {label!r}: unknown option {key!r}; options are {', '.join(['name', *known])}")
        try:
            read[key] = known[key](text)
        except ValueError:
            raise ValueError(f"player {label!r}: option {key} cannot be {text!r}") from None
        if key in LIMITS and not CAN_LIMIT:
            raise ValueError(f"player {label!r}: option {key} needs Linux: this system cannot limit a running program")
    return read


def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(text)
    return text == "yes"


def _limit(text: str) -> int | None:
    """A positive whole number, or `no` for no limit."""
    if text == "no":
        return None
    if int(text) <= 0:
        raise ValueError(text)
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    """Names joined by plus signs."""
    return tuple(filter(None, text.split("+")))


LIMITS: Final = ("memory", "cpu", "files")
CONFINEMENT: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    **{name: (name, _limit) for name in LIMITS},
    "env": ("variables", _names),
}
"""Options of every bot that we start: the field of `Confinement` that each sets, and how it is read."""
_CONFINED: Final = {name: read for name, (_, read) in CONFINEMENT.items()}


def _mjai(target: str, label: str, options: dict[str, Any]) -> Bot:
    from janshi.protocols.mjai.process import MjaiProcessBot

    return MjaiProcessBot(_command(target, label), label=label, **options)


def _mjai_tcp(target: str, label: str, options: dict[str, Any]) -> Bot:
    from janshi.protocols.mjai.server import PORT, MjaiTcpBot

    if target and not target.isdigit():
        raise ValueError(f"player {label!r}: expected a port number after the colon, not {target!r}")
    return MjaiTcpBot(int(target or PORT), label=label, **options)


def _majiang(target: str, label: str, options: dict[str, Any]) -> Bot:
    from janshi.protocols import majiang
    from janshi.protocols.mjai.process import MjaiProcessBot

    if target:
        raise ValueError(f"player {label!r}: majiang takes no command")
    missing = majiang.available()
    if missing:
        raise ValueError(f"player {label!r}: {missing}")
    return MjaiProcessBot(majiang.command(), label=label, **{"reply": "always", **options})


def _botzone(target: str, label: str, options: dict[str, Any]) -> Bot:
    from janshi.protocols.botzone.process import BotzoneProcessBot

    return BotzoneProcessBot(_command(target, label), label=label, **options)


def _command(target: str, label: str) -> list[str]:
    words = shlex.split(target)
    if not words:
        raise ValueError(f"player {label!r}: a command is missing after the colon, such as 'python bot.py'")
    return words


Maker = Callable[[str, str, dict[str, Any]], Bot]
MAKERS: Final[dict[str, tuple[Maker, dict[str, Callable[[str], Any]]]]] = {
    "mjai": (_mjai, {"seconds": float, "reply": str, "start_seconds": float, **_CONFINED}),
    "mjai-tcp": (_mjai_tcp, {"seconds": float, "join_seconds": float, "room": str, "host": str}),
    "majiang": (_majiang, {"seconds": float, **_CONFINED}),
    "botzone": (_botzone, {"seconds": float, "io": str, "keep_running": _yes_or_no, **_CONFINED}),
}
"""Kinds of bots: how they are made, and their options."""
