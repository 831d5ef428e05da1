"""A bot in the forms that authors submit, which plays the tile it drew.

Its arguments:

json | simple       the form of its input and output
end | line          read the input to its end, or only as many lines as it needs
keep | late         ask to be kept running: at once, or only when it first draws
log=FILE            note every start and every request in a file
hu=N+M              answer HU to requests N and M
"""

import json
import sys

MARK = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
OPTIONS = dict([*word.split("="), ""][:2] for word in sys.argv[1:])


def note(text):
    if "log" in OPTIONS:
        with open(OPTIONS["log"], "a") as file:
            file.write(text + "\n")


def read_requests():
    source = sys.stdin.read().splitlines() if "end" in OPTIONS else iter(sys.stdin.readline, "")
    lines = iter(source)
    if "json" in OPTIONS:
        return json.loads(next(lines))["requests"]
    turns = int(next(lines))
    return [next(lines).strip() for _ in range(2 * turns - 1)][::2]


def answer(request, number):
    note(request)
    if str(number) in OPTIONS.get("hu", "").split("+"):
        said = "HU"
    else:
        said = "PLAY " + request.split()[1] if request.startswith("2") else "PASS"
    print(json.dumps({"response": said}) if "json" in OPTIONS else said)
    keep = "keep" in OPTIONS or ("late" in OPTIONS and request.startswith("2"))
    if keep:
        print(MARK)
    sys.stdout.flush()
    return keep


def main():
    note("start")
    requests = read_requests()
    number = len(requests)
    keep = answer(requests[-1], number)
    while keep:
        line = sys.stdin.readline()
        if not line:
            return
        number += 1
        keep = answer(json.loads(line) if "json" in OPTIONS else line.strip(), number)


main()
