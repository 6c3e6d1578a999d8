#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the layer, the command and the library lose: other tests once more, with GCC's leak sanitizer in front of the C
library. It needs no build of its own, so leaks are seen in every run of the tests; reads and writes behind what was
allocated are for builds with sanitizers. What drivers and the C library lose is theirs: a leak counts where the function
that allocated is of a source of the project (layer/, cli/, embed/).

    leaks_test.py COMPILER COMMAND...

A command is one argument, with quotes as in a shell. 77: the compiler has no such sanitizer, or all of the commands
skipped what they do.
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

SKIPPED = 77
OURS = re.compile(r"/(?:layer|cli|embed)/[\w/]+\.[ch]:\d+")


def preloaded(compiler):
    said = subprocess.run([compiler, "-print-file-name=liblsan.so"], capture_output=True, text=True, check=False)
    return said.stdout.strip() if os.path.isabs(said.stdout.strip()) else None


def leaks(text):
    """The stacks whose memory a source of the project took, itself or by a function of the C library."""
    for stack in re.split(r"\n\s*\n", text):
        frames = [line.strip() for line in stack.splitlines() if re.match(r"\s+#\d+ ", line)]
        own = [frame for frame in frames[1:3] if OURS.search(frame)]
        if own:
            yield "\n".join(frames[:6])


def run(command, library, folder):
    environment = dict(os.environ, LD_PRELOAD=library, LSAN_OPTIONS=f"exitcode=0:log_path={folder}/leaks")
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    found = set()
    for path in glob.glob(folder + "/leaks.*"):
        with open(path, encoding="utf-8", errors="replace") as file:
            found.update(leaks(file.read()))
        os.remove(path)
    for stack in found:
        print(f"{' '.join(command)} loses\n{stack}")
    if done.returncode not in (0, SKIPPED):
        print(f"{' '.join(command)} fails under the sanitizer: {done.returncode}")
        print(done.stdout.decode(errors="replace")[-2000:])
    if found or done.returncode not in (0, SKIPPED):
        return 1
    return done.returncode


def sees(library, compiler, folder):
    """A leak in a file that counts is seen here: containers may forbid what the sanitizer needs."""
    os.makedirs(folder + "/layer")
    with open(folder + "/layer/lost.c", "w", encoding="utf-8") as file:
        file.write("#include <stdlib.h>\nvoid *kept;\nint main(void) { kept = malloc(7); kept = NULL; return 0; }\n")
    subprocess.run([compiler, "-g", "-O0", folder + "/layer/lost.c", "-o", folder + "/lost"], check=True)
    subprocess.run([folder + "/lost"], check=False, stderr=subprocess.DEVNULL,
                   env=dict(os.environ, LD_PRELOAD=library, LSAN_OPTIONS=f"exitcode=0:log_path={folder}/leaks"))
    texts = []
    for path in glob.glob(folder + "/leaks.*"):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
        os.remove(path)
    return any(list(leaks(text)) for text in texts)


def main():
    library = preloaded(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        if not library or not sees(library, sys.argv[1], folder):
            print(f"skipped: {sys.argv[1]} has no leak sanitizer that works here")
            return SKIPPED
        statuses = {run(shlex.split(command), library, folder) for command in sys.argv[2:]}
    if statuses == {SKIPPED}:
        print("skipped: every program skipped what it does")
    return 1 if 1 in statuses else min(statuses)


sys.exit(main())
