"""Starts a program of its own, then never answers."""

import os
import subprocess
import sys
import time

import plain


def spoil(questions, event, reply):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(os.environ["PIDS"], "a", encoding="utf-8") as file:
        file.write(f"{child.pid}\n")
    time.sleep(600)


plain.run(spoil)
