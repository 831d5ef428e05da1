"""What every benchmark is asked on its command line, and how it tells what it found."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from _report import Figure, print_json, print_table, write_page


def command_line(description: str | None, metrics: Iterable[str] = ()) -> argparse.ArgumentParser:
    """The options all benchmarks share; `--metrics` where there are some to choose from."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(metrics=None)
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes; writes no page")
    parser.add_argument("--json", action="store_true", help="print the figures as a JSON list and nothing else")
    if names := list(metrics):
        only = f"only these of {', '.join(names)}; writes no page"
        parser.add_argument("--metrics", nargs="+", choices=names, metavar="NAME", help=only)
    return parser


def report(
    args: argparse.Namespace,
    name: str,
    title: str,
    heading: str,
    intro: str,
    figures: Sequence[Figure],
    peers: dict[str, str] | None = None,
    only_on_page: Sequence[Figure] = (),
) -> None:
    """Print figures as JSON, or as a table and, if all were measured and none in haste, on a page.

    `title` stands over the table, `heading` and `intro` over that of the page, `docs/benchmarks/<name>.md`; `peers`
    gives the version of each. Figures that are `only_on_page` were not found by this run.
    """
    if args.json:
        print_json(figures)
        return
    print_table(title, figures)
    if not args.quick and not args.metrics:
        print(f"written: {write_page(name, heading, intro, [*figures, *only_on_page], peers or {})}")
