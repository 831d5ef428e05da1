"""Claims a win it does not have."""

import plain


def spoil(questions, event, reply):
    if questions == 2:
        reply.update(type="hora", target=reply["actor"])


plain.run(spoil)
