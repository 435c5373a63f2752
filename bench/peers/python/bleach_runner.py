# SPDX-License-Identifier: MIT

"""Runs bleach's linkifier, which parses with html5lib. ../README.md has the requests and the answers."""

import sys
import time
import warnings


def say(*words):
    print(*words, sep="\t", flush=True)


try:
    warnings.simplefilter("ignore")
    import bleach
    from bleach.linkifier import Linker
except ImportError as e:
    say("missing", str(e).splitlines()[0])
    sys.exit()

linker = Linker(callbacks=[], skip_tags=["pre", "code"], parse_email=True)
documents = []


def read(path):
    with open(path, "rb") as f:
        text = f.read()
    documents.clear()
    at = 0
    with open(path + ".sizes", encoding="ascii") as f:
        for size in map(int, f):
            documents.append(text[at : at + size].decode())
            at += size
    return "read", len(documents)


def measure(seconds):
    start = time.process_time()
    passes = 0
    while True:
        for text in documents:
            linker.linkify(text)
        passes += 1
        taken = time.process_time() - start
        if taken >= float(seconds):
            return "time", passes, taken


def write(path):
    out = [linker.linkify(text).encode() for text in documents]
    with open(path, "wb") as f:
        f.write(b"".join(out))
    with open(path + ".sizes", "w", encoding="ascii") as f:
        f.writelines(f"{len(o)}\n" for o in out)
    return ("write",)


say("ready", bleach.__version__)
for line in sys.stdin:
    request, word = line.rstrip("\n").split("\t")
    try:
        say(*{"read": read, "time": measure, "write": write}[request](word))
    except Exception as e:  # the answer must say so, whatever it is
        say("error", (str(e) or repr(e)).splitlines()[0].replace("\t", " "))
