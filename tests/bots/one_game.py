"""Ends after every game without a word, as the original client does."""

import sys

import plain

say = plain.say
loads = plain.json.loads


def read(line):
    event = loads(line)
    if event["type"] == "end_game":
        sys.exit(0)
    return event


plain.json.loads = read
plain.run(lambda questions, event, reply: None)
