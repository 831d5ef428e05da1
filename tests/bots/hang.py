"""Never answers its second question, and will not end on its own."""

import signal
import time

import plain

signal.signal(signal.SIGTERM, signal.SIG_IGN)


def spoil(questions, event, reply):
    while questions == 2:
        time.sleep(1)


plain.run(spoil)
