"""Self-play for riichi on any device: the command behind `janshi train riichi`.

    python scripts/train_selfplay.py runs/selfplay --minutes 9.5
    python scripts/train_selfplay.py runs/control --minutes 9.5 --returns plain

The same command continues a stopped run. It does not need the command line's libraries, so it runs on a bare machine
with a GPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from janshi.learn.riichi.config import RETURNS
from janshi.learn.riichi.run import self_play, settings_of


def main() -> None:
    """Begin or resume a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the run; an earlier run there is resumed")
    parser.add_argument("--minutes", type=float, default=0.0, help="time limit for this session; 0: train to the end")
    parser.add_argument("--returns", choices=RETURNS, default="", help="luckfree (default), or plain as a control")
    parser.add_argument("--device", default="", help="cuda or cpu; by default a GPU if there is one")
    parser.add_argument("--threads", type=int, default=0, help="threads that play; 0: all cores")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    settings = [*arguments.set, *([f"returns={arguments.returns}"] if arguments.returns else [])]
    finished = self_play(
        arguments.folder,
        settings_of(arguments.folder, settings),
        minutes=arguments.minutes,
        device=arguments.device,
        threads=arguments.threads,
        report=lambda line: print(line, flush=True),
    )
    print("finished" if finished else "stopped; run the same command again to continue")


if __name__ == "__main__":
    main()
