"""Writes one line that does not end."""

import sys

import plain


def spoil(questions, event, reply):
    while questions == 2:
        sys.stdout.write("x" * 65536)


plain.run(spoil)
