"""The command line of every benchmark, and its output."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from _report import Figure, print_json, print_table, write_page


def command_line(description: str | None, metrics: Iterable[str] = ()) -> argparse.ArgumentParser:
    """The options all benchmarks share; `--metrics` if there are several to choose from."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(metrics=None)
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes; writes no page")
    parser.add_argument("--json", action="store_true", help="print the figures as a JSON list and nothing else")
    if names := list(metrics):
        only = f"only some of {', '.join(names)}; writes no page"
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
    """Print figures as JSON, or as a table and, after a complete run without --quick, write the page.

    `title` is the title of the table, `heading` and `intro` are those of the page, `docs/benchmarks/<name>.md`; `peers`
    gives the version of each. Figures that are `only_on_page` do not come from this run.
    """
    if args.json:
        print_json(figures)
        return
    print_table(title, figures)
    if not args.quick and not args.metrics:
        print(f"written: {write_page(name, heading, intro, [*figures, *only_on_page], peers or {})}")
