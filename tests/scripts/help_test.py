# SPDX-License-Identifier: MIT
"""help_test.py ROOT CTEST BUILD: the scripts that README and the pages name say what they are, and tests run them.

Asked of each, in a copy of the tree in which nothing was built: --help ends within seconds with status 0 and says what the
script is, with every option that a page gives it; it starts no compiler, no package manager and no build, and leaves every
file as it was. And a test of ctest's, or .ci/run, runs it: by itself, or by a script of tests/ that does.
"""
import glob
import json
import os
import re
import stat
import subprocess
import sys
import tempfile

SECONDS = 20  # what a busy machine may take; each prints a comment of its own
TRAPS = ["apt", "apt-get", "c++", "cc", "clang", "cmake", "ctest", "debootstrap", "dpkg-buildpackage", "g++", "gcc", "make",
         "makepkg", "ninja", "rpmbuild", "sudo", "unshare", "wine", "xvfb-run", "Xvfb"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def named(root):
    """Script -> options that a page gives it."""
    pages = [os.path.join(root, name) for name in ("README.md", "CONTRIBUTING.md", "tests/README.md")]
    pages += glob.glob(os.path.join(root, "docs", "*.md")) + glob.glob(os.path.join(root, "tests", "*", "README.md"))
    found = {}
    for page in pages:
        for line in read(page).splitlines():
            command = re.split(r"[#`|;]| && ", line)
            for part in command:
                # `newest scripts/test --x`: an option belongs to the script in front of it.
                for script, rest in re.findall(r"(?<![\w/])(?:\./|\w+/)*?((?:scripts/|\.ci/)[\w-]+)((?: (?!\S*scripts/)\S+)*)", part):
                    options = found.setdefault(script, set())
                    options.update(re.findall(r"(?<=[ \[])--[a-z][a-z-]*", rest))
    return {script: options for script, options in found.items() if os.path.isfile(os.path.join(root, script))}


def files(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            status = os.stat(os.path.join(place, name))
            found[os.path.join(place, name)] = (status.st_size, status.st_mtime_ns)
    return found


def help_of(script, folder, traps):
    """What --help prints; what is wrong with it."""
    environment = dict(os.environ, PATH=traps + ":" + os.environ["PATH"], PYTHONDONTWRITEBYTECODE="1")
    environment.pop("CLAMPLER_SKIP_SETUP", None)
    before = files(folder)
    try:
        ran = subprocess.run([os.path.join(folder, script), "--help"], cwd=folder, env=environment, text=True, timeout=SECONDS,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except subprocess.TimeoutExpired:
        return "", [f"--help takes more than {SECONDS} seconds"]
    wrong = []
    if ran.returncode:
        wrong.append(f"--help ends with {ran.returncode}: {ran.stderr.strip()[-300:]}")
    if ran.stderr:
        wrong.append(f"--help writes to standard error: {ran.stderr.strip()[-300:]}")
    if len(ran.stdout) < 80:
        wrong.append(f"--help says too little: {ran.stdout!r}")
    started = os.path.join(traps, "started")
    if os.path.exists(started):
        wrong.append("--help starts " + ", ".join(sorted(set(read(started).split()))))
        os.remove(started)
    changed = sorted(name for name in set(before) ^ set(files(folder)) or
                     {name for name, status in files(folder).items() if before[name] != status})
    if changed:
        wrong.append("--help writes " + ", ".join(changed[:3]))
    return ran.stdout, wrong


def set_traps(traps):
    for name in TRAPS:
        path = os.path.join(traps, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho {name} >>"{traps}/started"\nexit 1\n')
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def run_by_tests(root, ctest, build):
    """The words of every test's command, and of the scripts of this tree that it runs, but for their comments."""
    tests = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE, text=True)
    commands = [test.get("command", []) for test in json.loads(tests.stdout)["tests"]]
    words = [word for command in commands for word in command]
    paths = {os.path.join(root, ".ci/run")}
    for word in words:
        if word.startswith(os.path.join(root, "tests") + "/") and word.endswith((".sh", ".py")):
            paths.add(word)
    lines = [line for path in paths for line in read(path).splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(words + lines)


def main():
    root, ctest, build = sys.argv[1:]
    scripts, failures = named(root), 0
    ran = run_by_tests(root, ctest, build)
    with tempfile.TemporaryDirectory() as work:
        folder, traps = os.path.join(work, "tree"), os.path.join(work, "traps")
        os.mkdir(folder)
        os.mkdir(traps)
        subprocess.run([os.path.join(root, "scripts", "copy-tree"), folder], check=True)
        set_traps(traps)
        for script, options in sorted(scripts.items()):
            text, wrong = help_of(script, folder, traps)
            wrong += [f"--help does not name {option}, which a page gives it" for option in sorted(options)
                      if not re.search(option + r"(?![a-z-])", text)]
            name = os.path.basename(script)
            if script != ".ci/run" and not re.search(rf'(?:scripts"?/|"scripts", ")(?:{name})(?![\w-])', ran):
                wrong.append("no test runs it, nor does .ci/run")
            for line in wrong:
                print(f"{script}: {line}")
            failures += len(wrong)
    print(f"{len(scripts)} scripts, {failures} failures")
    return 1 if failures or len(scripts) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
