"""Discards a tile that there is not."""

import plain


def spoil(questions, event, reply):
    if questions == 2:
        reply["pai"] = "11m"


plain.run(spoil)
