"""The simplified game in the terminal."""

from __future__ import annotations

from typing import Final

from janshi.show.families import ShowFamily

FAMILY: Final = ShowFamily(players="search")
