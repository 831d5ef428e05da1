"""Writes lines without end."""

import plain


def spoil(questions, event, reply):
    while questions == 2:
        plain.say({"type": "none"})


plain.run(spoil)
