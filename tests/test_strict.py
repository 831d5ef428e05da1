"""Strict mode: a skip for something that could be there is a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from strict import judge

CONFTEST = Path(__file__).with_name("conftest.py")


def skipped(reason: str) -> pytest.TestReport:
    where = ("test_some.py", 3, f"Skipped: {reason}")
    return pytest.TestReport("test_some.py::test", ("test_some.py", 3, "test"), {}, "skipped", where, "call")


@pytest.mark.parametrize(
    ("mode", "reason", "outcome"),
    [
        ("0", "no browser", "skipped"),
        ("1", "no browser: none of chromium is installed", "failed"),
        ("1", "needs Node, which is not installed", "failed"),
        ("1", "needs the peers' environment: `make peers`", "failed"),
        ("1", "needs the shared test data: no folder shared/ beside the checkout", "failed"),
        ("1", "could not import 'torch'", "failed"),
        ("1", "no CUDA device here", "skipped"),
        ("1", "nothing is shared: untested release of Numba", "skipped"),
        ("tools", "needs the shared test data: no folder shared/ beside the checkout", "skipped"),
        ("tools", "needs Node, which is not installed", "failed"),
    ],
)
def test_a_skip_is_judged(mode: str, reason: str, outcome: str):
    report = judge(skipped(reason), mode)
    assert report.outcome == outcome
    assert outcome == "skipped" or reason in str(report.longrepr)


def test_whole_runs_fail_by_skips_of_tests_and_of_files(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    pytester.makeconftest(
        "from __future__ import annotations\nimport pytest, sys\n"
        f"sys.path.insert(0, {str(CONFTEST.parent)!r})\n"
        "from strict import judge\n"
        + CONFTEST.read_text("utf-8").partition("# --- strict mode")[2].partition("# ---")[0]
    )
    pytester.makepyfile(
        test_skips="import pytest\n\ndef test_one():\n    pytest.skip('no browser')\n\ndef test_two():\n    pass\n"
    )
    for mode, outcome in (("0", {"passed": 1, "skipped": 1}), ("1", {"passed": 1, "failed": 1})):
        monkeypatch.setenv("JANSHI_STRICT", mode)
        pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(**outcome)
    pytester.makepyfile(test_module="import pytest\n\npytest.importorskip('nothing_of_that_name')\n")
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "test_module.py").assert_outcomes(errors=1)
