"""Answers with words."""

import plain


def spoil(questions, event, reply):
    if questions == 2:
        reply.clear()


say = plain.say
plain.say = lambda reply: say(reply) if reply else print("I would rather not", flush=True)
plain.run(spoil)
