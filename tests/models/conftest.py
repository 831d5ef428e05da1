"""Tests of models share the positions of the tests of features."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "features"))
