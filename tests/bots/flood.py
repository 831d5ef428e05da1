"""Writes lines without end, a thousand at a time."""

import sys

import plain


def spoil(questions, event, reply):
    while questions == 2:
        sys.stdout.write('{"type": "none"}\n' * 1000)
        sys.stdout.flush()


plain.run(spoil)
