"""Situations at a riichi table, as the tests of its rules write them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "rules" / "riichi"))
