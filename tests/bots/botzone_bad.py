"""Bots that misbehave on Botzone, in the way the first argument says, when they first draw a tile.

They keep running and speak the simple form, or JSON if the second argument says so.
"""

import json
import os
import subprocess
import sys
import time

MARK = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
HAND = []


def say(text, form):
    print(json.dumps({"response": text}) if form == "json" else text)
    print(MARK, flush=True)


def misbehave(how, form, tile):
    if how == "crash":
        sys.exit("out of luck")
    elif how == "die":
        os.kill(os.getpid(), 9)
    elif how == "hang":
        time.sleep(600)
    elif how == "deaf":
        sys.stdout.close()
        os.close(1)
        time.sleep(600)
    elif how == "orphan":
        subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
        with open(sys.argv[3], "w") as file:
            file.write(str(os.getpgid(0)))
        os.close(1)
        time.sleep(600)
    elif how == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    elif how == "lines":
        while True:
            print("PLAY W1")
    elif how == "nonsense":
        print("I should like to play " + tile)
        print(MARK, flush=True)
    elif how == "number":
        print('{"response": 5}')
        print(MARK, flush=True)
    elif how == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n" + MARK.encode() + b"\n")
        sys.stdout.flush()
    elif how == "silent":
        print(MARK, flush=True)
    elif how == "false hu":
        say("HU", form)
    elif how == "foreign tile":
        say("PLAY " + next(f"W{rank}" for rank in range(1, 10) if f"W{rank}" not in HAND), form)
    elif how == "claim":
        say("PENG " + tile, form)


def main():
    how, form = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "simple"
    misbehaved = False
    first = sys.stdin.readline()
    if how == "at once":
        sys.exit(3)
    waiting = [json.loads(first)["requests"][-1]] if form == "json" else []
    while True:
        line = waiting.pop() if waiting else sys.stdin.readline()
        if not line:
            return
        words = (json.loads(line) if form == "json" and line.startswith('"') else line).split()
        if not words:
            continue
        HAND.extend(words[5:] if words[0] == "1" else words[1:] if words[0] == "2" else [])
        if words[0] == "2":
            if misbehaved or how in ("false hu unasked", "foreign discard"):
                say("PLAY " + words[1], form)
            else:
                misbehaved = True
                misbehave(how, form, words[1])
        elif how == "false hu unasked" and words[0] == "1":
            say("HU", form)
        elif how == "foreign discard" and words[2:3] == ["PLAY"]:
            say("PENG J3", form)
        else:
            say("PASS", form)


main()
