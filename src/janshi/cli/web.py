"""`janshi web`: the app in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8642


def web(
    host: Annotated[
        str, typer.Option(help="Address to listen on; any address but this machine's own needs a token.")
    ] = (DEFAULT_HOST),
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; default 8642 or the next free one; 0 picks any free port."),
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="JANSHI_TOKEN", help="Token visitors must give; generated if one is needed.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Directory for saved games; default $JANSHI_DATA_DIR or your data directory.", file_okay=False
        ),
    ] = None,
    matches: Annotated[
        list[Path] | None, typer.Option(help="Directory with stored matches to watch.", exists=True, file_okay=False)
    ] = None,
    name: Annotated[list[str] | None, typer.Option(help="Another host name of this machine.")] = None,
    quota_games: Annotated[
        int, typer.Option(min=0, help="Games that one browser may keep; 0: any number.", rich_help_panel="Quotas")
    ] = 500,
    quota_reviews: Annotated[
        int, typer.Option(min=0, help="Reviews that one browser may keep; 0: any number.", rich_help_panel="Quotas")
    ] = 200,
    quota_mib: Annotated[
        int, typer.Option(min=0, help="MiB that one browser's reviews may take; 0: any.", rich_help_panel="Quotas")
    ] = 256,
    quota_career: Annotated[
        int, typer.Option(min=0, help="Games that one career may have; 0: any number.", rich_help_panel="Quotas")
    ] = 20_000,
    quota_career_mib: Annotated[
        int, typer.Option(min=0, help="MiB that one career's records may take; 0: any.", rich_help_panel="Quotas")
    ] = 1024,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = False,
    warm: Annotated[bool, typer.Option("--warm/--no-warm", hidden=True)] = True,
) -> None:
    """Play, watch and review in the browser."""
    try:
        from janshi.web.quotas import MIB, Quotas
        from janshi.web.server import serve
        from janshi.web.settings import SettingsError, make_settings
        from janshi.web.store import StoreError
    except ImportError as error:
        typer.echo(f"janshi web: {error}; install the app's parts with: pip install 'janshi[web]'", err=True)
        raise typer.Exit(2) from None
    try:
        chosen = DEFAULT_PORT if port is None else port
        settings = make_settings(data, host, chosen, token, tuple(name or ()), tuple(matches or ()))
        settings.warm = warm
        settings.quotas = Quotas(quota_games, quota_reviews, quota_mib * MIB, quota_career, quota_career_mib * MIB)
        serve(settings, typer.echo, exactly=port is not None, browser=browser)
    except (SettingsError, StoreError) as error:
        typer.echo(f"janshi web: {error}", err=True)
        raise typer.Exit(2) from None
