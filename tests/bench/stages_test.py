# SPDX-License-Identifier: MIT
"""stages_test.py ROOT BUILD FILE: scripts/bench ends, with every stage at its least size, and measures every figure that
docs/figures.md names, but for those of which the driver lacks something; and the page names every figure.

The page's tables have the keys of FILE, the JSON, in their last column: `native.*.draw_ratio` for several. The columns between
have one number a cell, or a least and a greatest one.
"""
import fnmatch
import json
import os
import re
import subprocess
import sys


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def stages(root):
    table = re.search(r"\} parts\[\] = \{(.*?)\n\};", read(root, "tests", "bench", "bench.c"), flags=re.DOTALL).group(1)
    return re.findall(r'\{"(\w+)", bench_\w+\}', table)


def named(root):
    """Patterns of keys, each with its row."""
    found = {}
    for line in read(root, "docs", "figures.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        keys = re.findall(r"`([a-z0-9_*]+\.[a-z0-9_*.]+)`", cells[-1])
        if line.startswith("|") and keys:
            found.update({pattern: cells[0] for pattern in keys})
    return found


def crowded(root):
    """Cells of figures that hold anything but one number, or two with "to" between them, and a unit."""
    number = r"\d[\d,]*(\.\d+)?"
    wrong = []
    for line in read(root, "docs", "figures.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"`[a-z0-9_*.]+`", cells[-1]):
            wrong += [f"figures.md: {cells[0]}: {cell!r} is not one number" for cell in cells[1:-1]
                      if not re.fullmatch(rf"({number}( to {number})?( ns| ms| s| MB| %)?)?", cell)]
    return wrong


def main():
    root, build, path = sys.argv[1:]
    ran = subprocess.run([os.path.join(root, "scripts", "bench"), "--least", "--folder", build, "--out", path], text=True,
                         stderr=subprocess.PIPE, check=False)
    sys.stderr.write(ran.stderr)
    wrong = [f"scripts/bench ends with {ran.returncode}"] if ran.returncode else []
    wrong += [f"the stage {name} was not begun" for name in stages(root) if f"bench: {name} (" not in ran.stderr]
    wrong += crowded(root)
    if ran.returncode == 0:
        figures = json.loads(read(path))
        rows = {row["key"]: row for row in figures["figures"] + figures["beside"]}
        patterns = named(root)
        for pattern, row in patterns.items():
            matched = fnmatch.filter(rows, pattern)
            # Numbers beside a figure are not there where it was not measured.
            matched = matched or [key for key, row in rows.items() if row["value"] is None and pattern.startswith(key + ".")]
            wrong += [] if matched else [f"figures.md: {row}: no figure is called {pattern}"]
        for key, row in rows.items():
            if row["value"] is None and not re.match("not measured: the driver lacks .", row["how"]):
                wrong.append(f"{key} was not measured: {row['how']}")
        for row in figures["figures"]:
            if not any(fnmatch.fnmatch(row["key"], pattern) for pattern in patterns):
                wrong.append(f"figures.md does not name {row['key']}")
        lacking = [row["key"] for row in figures["figures"] if row["value"] is None]
        print(f"{len(rows)} figures, {len(lacking)} of which the driver lacks: {' '.join(lacking)}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
