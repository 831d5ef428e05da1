"""The tools of the app: what a hand is worth, and what it needs."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/tools", tags=["tools"])
