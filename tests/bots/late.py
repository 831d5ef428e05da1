"""Answers its second question after the time is up."""

import time

import plain


def spoil(questions, event, reply):
    if questions == 2:
        time.sleep(30)


plain.run(spoil)
