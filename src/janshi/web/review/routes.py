"""The address of reviews: upload, progress, results, export."""

from fastapi import APIRouter

router = APIRouter(prefix="/api/reviews", tags=["review"])
