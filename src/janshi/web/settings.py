"""Settings of the app: where it stores its data, where it listens, who may use it."""

from __future__ import annotations

import ipaddress
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from janshi.core.files import data_folder
from janshi.web.quotas import Quotas

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8642
LEAST_TOKEN: Final = 8
"""Minimum length of a token chosen by the user."""
DATABASE: Final = "games.sqlite"
MATCHES: Final = "matches"


class SettingsError(ValueError):
    """Invalid settings; the message says why."""


@dataclass(slots=True)
class Settings:
    """All settings. `make_settings` fills in the defaults."""

    data: Path
    """Directory of the database and all other stored data."""
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    """0 lets the system choose a free one."""
    token: str | None = None
    """The token that a browser must present; None only on loopback."""
    names: tuple[str, ...] = ()
    """Further host names under which the app may be reached."""
    matches: tuple[Path, ...] = ()
    """Directories with stored matches, besides `matches` in the data directory."""
    threads: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))
    """Threads in which agents think."""
    most_games: int = 2000
    """Games that may be open at the same time."""
    body_bytes: int = 64 * 1024
    """Maximum size of a request, except for uploads."""
    upload_bytes: int = 16 * 1024 * 1024
    """Maximum size of an uploaded record."""
    archive_bytes: int = 256 * 1024 * 1024
    """Maximum size of an upload of many games at once."""
    quotas: Quotas = field(default_factory=Quotas)
    """What one browser may keep."""
    warm: bool = True
    """Load or compile the usual kernels at start, in the background."""

    def limit_of(self, upload: bool, archive: bool) -> int:
        """Maximum size of a request: a plain one, an upload, or one of archives."""
        return self.archive_bytes if archive else self.upload_bytes if upload else self.body_bytes

    @property
    def database(self) -> Path:
        """The file of games."""
        return self.data / DATABASE

    @property
    def match_roots(self) -> tuple[Path, ...]:
        """The directories with stored matches."""
        return (self.data / MATCHES, *self.matches)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def make_settings(
    data: Path | None = None,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    token: str | None = None,
    names: tuple[str, ...] = (),
    matches: tuple[Path, ...] = (),
) -> Settings:
    """Settings with all defaults filled in: hosts other than loopback get a token; the data directory is created."""
    if not 0 <= port <= 65535:
        raise SettingsError(f"a port is a number from 0 to 65535, not {port}")
    if token is not None and len(token) < LEAST_TOKEN:
        raise SettingsError(f"a token needs {LEAST_TOKEN} characters or more")
    if token is None and not is_loopback(host):
        token = os.environ.get("JANSHI_TOKEN") or secrets.token_urlsafe(18)
    folder = (data or data_folder()).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise SettingsError(f"the data directory {folder} cannot be used: {error.strerror}") from error
    return Settings(folder, host, port, token, tuple(names), tuple(matches))
