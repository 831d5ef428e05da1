"""The players of the app: who they are, how strong they are, and the matches that tell."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/players", tags=["players"])
