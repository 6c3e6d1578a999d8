# SPDX-License-Identifier: MIT
"""same_code_test.py PROGRAM...: the driver's cache on disk has what the layer compiled in an earlier run of a program.

Each program runs several times with one cache of Mesa's drivers. All runs dump the same rewritten modules, byte by byte, and
one of the later ones adds nothing to the cache. (The first leaves some out: Mesa writes entries beside the program, and stops
when it ends.) Runs with the other form of lookups then must differ in both, or the test sees nothing. Drivers without such a
cache are asked for the modules alone.
"""
import hashlib
import os
import subprocess
import sys
import tempfile

RUNS = 6


def contents(folder):
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def run(program, dumps, cache, **settings):
    """The dumped modules with their hashes, and the names of the cache's entries."""
    # One file for each entry, by Mesa's names of several versions.
    environment = dict(os.environ, VK_CLAMPLER_DUMP_DIR=dumps, MESA_SHADER_CACHE_DIR=cache,
                       MESA_DISK_CACHE_MULTI_FILE="1", **settings)
    environment.pop("MESA_SHADER_CACHE_DISABLE", None)
    os.makedirs(dumps)
    done = subprocess.run([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout)
        sys.exit(77 if done.returncode == 77 else f"{program} ends with {done.returncode}")
    return contents(dumps), set(contents(cache))


def check(program, folder):
    cache, name = os.path.join(folder, "cache"), os.path.basename(program)
    wrong = []
    modules, entries = run(program, os.path.join(folder, "1"), cache)
    tiers = [sum(f".tier{tier}." in file and file.endswith(".spv") for file in modules) for tier in (1, 2)]
    if not sum(tiers):
        wrong.append(f"{name}: no module was rewritten")
    for i in range(2, RUNS + 1):
        dumped, more = run(program, os.path.join(folder, str(i)), cache)
        wrong += [f"{name}: {file} is another one in run {i}"
                  for file in sorted(modules.keys() | dumped.keys()) if modules.get(file) != dumped.get(file)]
        added, entries = more - entries, more
        if not added:
            break
    wrong += [f"{name}: run {RUNS} adds {entry} to the driver's cache" for entry in sorted(added)]
    forms = [run(program, os.path.join(folder, form), cache, VK_CLAMPLER_FORM=form) for form in ("cpu", "gpu")]
    if forms[0][0] == forms[1][0]:
        wrong.append(f"{name}: both forms of lookups are the same: nothing is compared")
    if entries and not forms[1][1] - entries:
        wrong.append(f"{name}: neither form of lookups adds anything to the driver's cache: nothing is counted")
    print(f"{name}: {tiers[0]} and {tiers[1]} modules of tiers 1 and 2; "
          + (f"{len(entries)} entries in the driver's cache after {i} runs" if entries else "no cache of Mesa's"))
    return wrong


def main():
    wrong = []
    for program in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            wrong += check(program, folder)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
