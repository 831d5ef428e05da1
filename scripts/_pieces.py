"""Shared by scripts that play Guobiao hands in pieces: a file for each 50 hands, so that they resume and share work."""

from __future__ import annotations

import io
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from janshi.core import rng
from janshi.core.files import write_whole
from janshi.rules.game import Array

TOGETHER: Final = 50
"""Hands of a piece."""
Play = Callable[[Array, np.random.Generator], dict[str, Array]]
"""Plays hands from their seeds; returns the arrays of a file."""


def parser_of(text: str | None) -> ArgumentParser:
    """A parser of the common options."""
    parser = ArgumentParser(description=text, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of the measurements")
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1, help="different seeds have different walls")
    parser.add_argument("--part", default="1/1", help="such as 1/2: only every second piece")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no piece after this time")
    return parser


def play_pieces(given: Namespace, stream: int, play: Play) -> None:
    """Play the missing pieces; `stream` separates the walls of a script from those of all others."""
    given.out.mkdir(parents=True, exist_ok=True)
    first, step = map(int, given.part.split("/"))
    begun = time.monotonic()
    for piece in range(first - 1, -(-given.hands // TOGETHER), step):
        file = given.out / f"{given.seed}-{piece:05}.npz"
        if time.monotonic() - begun > given.seconds:
            break
        if not file.exists():
            numbers = range(piece * TOGETHER, (piece + 1) * TOGETHER)
            seeds = np.array([rng.key(np.uint64(given.seed), number, stream) for number in numbers], np.uint64)
            content = io.BytesIO()
            np.savez_compressed(content, **play(seeds, np.random.default_rng([given.seed, piece])))
            write_whole(file, content.getvalue())
            print(f"{file.name}: {time.monotonic() - begun:.0f} s", flush=True)
