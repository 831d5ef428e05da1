"""Answers with JSON that is no message."""

import plain


def spoil(questions, event, reply):
    if questions == 2:
        reply.clear()


say = plain.say
plain.say = lambda reply: say(reply or [1, 2, {"type": "dahai"}])
plain.run(spoil)
