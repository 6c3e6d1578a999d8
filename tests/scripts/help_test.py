# SPDX-License-Identifier: MIT
"""help_test.py ROOT CTEST BUILD: every script says what it is, in one form, and tests run it.

Scripts are .ci/run and all programs below scripts/. Asked of each, in a copy of the tree in which nothing was built: --help
ends within seconds with status 0; it starts no compiler, no package manager and no build, and leaves every file as it was. It
prints one line "NAME [OPTIONS]: what it does", an empty one, and further down a line for each option that the script reads
or a page gives it. And a test of ctest's, the build, or .ci/run runs it: by itself, or by a script that one of them runs.
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
COMMAND = r"(?<![\w/])(?:\./|\w+/)*?((?:scripts/(?:[a-z]+/)?|\.ci/)[\w.-]+)((?: (?!\S*scripts/)\S+)*)"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def scripts_of(root):
    """.ci/run and all programs below scripts/, by their paths in the tree."""
    found = [".ci/run"]
    for place, folders, names in os.walk(os.path.join(root, "scripts")):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [os.path.relpath(os.path.join(place, name), root) for name in names
                  if os.access(os.path.join(place, name), os.X_OK)]
    return sorted(found)


def of_pages(root):
    """Script -> options that a page gives it."""
    pages = [os.path.join(root, name) for name in ("README.md", "CONTRIBUTING.md", "tests/README.md")]
    pages += glob.glob(os.path.join(root, "docs", "*.md")) + glob.glob(os.path.join(root, "tests", "*", "README.md"))
    found = {}
    for page in pages:
        for line in read(page).splitlines():
            for part in re.split(r"[#`|;]| && ", line):
                # `newest scripts/test --x`: an option belongs to the script in front of it.
                for script, rest in re.findall(COMMAND, part):
                    found.setdefault(script, set()).update(re.findall(r"(?<=[ \[])--[a-z][a-z-]*", rest))
    return found


def read_by(text):
    """The options that a script reads: the patterns and comparisons of a shell, or what argparse is told."""
    if text.startswith("#!/bin/sh"):
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        patterns = [word for line in lines for word in re.findall(r"^\s*(--[\w |-]+)\)", line)]
        compared = [word for line in lines for word in re.findall(r'"\$\{1:-\}" = (--[\w-]+)', line)]
        return set(re.findall(r"--[a-z][\w-]*", " ".join(patterns + compared)))
    return set(re.findall(r'add_argument\("(--[\w-]+)"', text))


def wrong_form(name, text, options):
    """What a text of --help has otherwise than all others; `options` are those that it must list."""
    head, _, rest = text.partition("\n")
    wrong = []
    if not re.match(rf"{re.escape(name)}(?: [^:]+)?: [a-z].*[.]$", head):
        wrong.append(f'--help begins with {head!r}, not with "{name} [OPTIONS]: what it does."')
    if not rest.startswith("\n"):
        wrong.append("--help has no empty line behind the first")
    listed = set()
    for line in rest.splitlines():
        match = re.match(r"  (--[a-z][\w-]*)(?:, (--[a-z][\w-]*))?", line)
        listed.update(filter(None, match.groups()) if match else [])
    return wrong + [f"--help has no line for {option}" for option in sorted(options - listed)]


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


def run_by_tests(root, ctest, build, scripts):
    """The scripts that a test's command, a CMakeLists.txt or .ci/run names, or a script that one of them names."""
    with tempfile.TemporaryDirectory() as folder:
        # In the build folder itself this would take the log away that a running ctest writes there.
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write(f'subdirs("{build}")\n')
        tests = subprocess.run([ctest, "--test-dir", folder, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE, text=True)
    words = [word for test in json.loads(tests.stdout)["tests"] for word in test.get("command", [])]
    paths = [word for word in words if word.startswith(os.path.join(root, "tests") + "/") and word.endswith((".sh", ".py"))]
    lists = [path for folder in ("cli", "layer", "tests")
             for path in glob.glob(os.path.join(root, folder, "**", "CMakeLists.txt"), recursive=True)]
    texts, found = ["\n".join(words), *map(code, sorted({*paths, *lists}))], {".ci/run"}
    new = set(found)
    while new:
        texts += [code(os.path.join(root, script)) for script in new]
        new = {script for script in scripts if script not in found and any(names(text, script) for text in texts)}
        found |= new
    return found


def code(path):
    """A file without its comments, and without what a Python program begins with."""
    text = re.sub(r'\A((?:#[^\n]*\n)*)""".*?"""', r"\1", read(path), flags=re.S)
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def names(text, script):
    parts = list(map(re.escape, script.split("/")))
    return re.search("(?:" + '"?/'.join(parts) + "|" + '", "'.join(parts) + r")(?![\w-])", text)


def main():
    root, ctest, build = sys.argv[1:]
    scripts, pages, failures = scripts_of(root), of_pages(root), 0
    ran = run_by_tests(root, ctest, build, scripts)
    for script in sorted(set(pages) - set(scripts)):
        if not os.path.exists(os.path.join(root, script)):
            print(f"{script}: a page names it, and it is not there")
            failures += 1
    with tempfile.TemporaryDirectory() as work:
        folder, traps = os.path.join(work, "tree"), os.path.join(work, "traps")
        os.mkdir(folder)
        os.mkdir(traps)
        subprocess.run([os.path.join(root, "scripts", "internal", "copy-tree"), folder], check=True)
        set_traps(traps)
        for script in scripts:
            text, wrong = help_of(script, folder, traps)
            options = read_by(read(os.path.join(root, script))) | pages.get(script, set())
            wrong += wrong_form(os.path.basename(script), text, options)
            if script not in ran:
                wrong.append("no test runs it, nor does the build or .ci/run")
            for line in wrong:
                print(f"{script}: {line}")
            failures += len(wrong)
    print(f"{len(scripts)} scripts, {failures} failures")
    return 1 if failures or len(scripts) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
