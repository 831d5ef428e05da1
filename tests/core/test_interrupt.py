"""Ctrl-C is noted within its guard, obeyed when asked for, and everything is as before afterwards."""

from __future__ import annotations

import signal
import sys
import threading

import pytest

from janshi.core.interrupt import CtrlC

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")


def test_ctrl_c_is_noted_and_obeyed_when_asked():
    before = signal.getsignal(signal.SIGINT)
    with CtrlC() as interrupt:
        interrupt.obey()
        signal.raise_signal(signal.SIGINT)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            interrupt.obey()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_stops_at_once():
    with CtrlC():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_outside_the_main_thread_nothing_is_changed():
    seen = []

    def work() -> None:
        with CtrlC() as interrupt:
            seen.append((signal.getsignal(signal.SIGINT), interrupt.asked))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [(before, False)]
    assert signal.getsignal(signal.SIGINT) is before
