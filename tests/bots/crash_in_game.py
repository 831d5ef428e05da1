"""Dies at its third question."""

import plain


def spoil(questions, event, reply):
    if questions == 3:
        raise RuntimeError("tile counter broken")


plain.run(spoil)
