"""`janshi bot`: our agents as bots on other servers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from janshi.cli.errors import user_errors

bots = typer.Typer(help="Run our agents as bots that speak mjai or Botzone's protocol.", no_args_is_help=True)


@bots.command()
def botzone(
    agent: Annotated[str, typer.Option(help="The agent that plays, with options: greedy, search:most=5000.")],
    io: Annotated[str, typer.Option(help="Botzone's form of input and output: json or simple.")] = "json",
    keep_running: Annotated[
        bool, typer.Option("--keep-running", help="Keep answering turns; by default, answer one turn and exit.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the agent's random choices.")] = 0,
) -> None:
    """Play Chinese standard mahjong as a Botzone bot, on standard input and output."""
    from janshi.protocols.botzone.io import FORMS, InputError, run
    from janshi.protocols.botzone.player import make_player
    from janshi.protocols.botzone.tracker import RequestError

    with user_errors("bot botzone", InputError, RequestError):
        if io not in FORMS:
            raise ValueError(f"--io is {' or '.join(FORMS)}, not {io!r}")
        player = make_player(agent, seed)
        run(lambda: player, io, keep_running)


@bots.command()
def bundle(
    agent: Annotated[str, typer.Option(help="The agent that plays, with options: greedy, search:most=5000.")],
    out: Annotated[Path, typer.Option(help="The Python file to write.", dir_okay=False)],
    io: Annotated[str, typer.Option(help="Botzone's form of input and output: json or simple.")] = "json",
    keep_running: Annotated[
        bool,
        typer.Option(
            "--keep-running/--restart", help="Ask Botzone to keep the bot running, or to restart it every turn."
        ),
    ] = True,
    seed: Annotated[int, typer.Option(help="Seed of the agent's random choices.")] = 0,
) -> None:
    """Write an agent and everything it needs into one Python file, ready to submit to Botzone."""
    from janshi.protocols.botzone.bundle import weights_beside, weights_of, write_bundle

    with user_errors("bot bundle"):
        size = write_bundle(agent, out, io=io, keep_running=keep_running, seed=seed)
    typer.echo(f"{out}: {size:,} bytes, agent {agent}, {io} form")
    if weights := weights_of(agent):
        typer.echo(f"{weights_beside(weights, out)}: its weights; upload them to the storage space of your account")


@bots.command()
def mjai(
    agent: Annotated[str, typer.Option(help="An agent with its options: see `janshi agents`.")] = "greedy",
    rules: Annotated[str, typer.Option(help="The riichi preset the server plays: see `janshi rules`.")] = "tenhou",
    reply: Annotated[
        str, typer.Option(help="When to reply to single events: always, or asked (only when asked, like Mortal).")
    ] = "always",
    connect: Annotated[str, typer.Option(help="host:port of an mjai server to join, instead of standard input.")] = "",
    name: Annotated[str, typer.Option(help="Our name on that server.")] = "janshi",
    room: Annotated[str, typer.Option(help="The room to join on that server.")] = "default",
    games: Annotated[
        int, typer.Option(min=1, help="Games to play on that server, with a new connection for each.")
    ] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the agent's random choices.")] = 0,
) -> None:
    """Play riichi as an mjai bot: JSON lines on standard input and output, or on a TCP server."""
    from janshi.agents.registry import make_agent
    from janshi.protocols.mjai.client import MjaiPlayer, play_connected, play_lines
    from janshi.rules.registry import make_game

    with user_errors("bot mjai"):
        player = MjaiPlayer(make_agent(agent, make_game(f"riichi/{rules}")), seed)
        if not connect:
            play_lines(player, sys.stdin, sys.stdout, reply)
            return
        host, port = _address(connect)
        for _ in range(games):
            play_connected(player, host, port, name, room)


def _address(text: str) -> tuple[str, int]:
    """Read host:port; a port alone means this machine."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"--connect takes host:port such as localhost:11600, not {text!r}")
    return host or "127.0.0.1", int(port)
