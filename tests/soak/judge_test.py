#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/suites/soak calls flat passes, and each kind of growth that it looks for fails: tables made here, through the
command's own `--judge`.

    judge_test.py SOURCE_FOLDER
"""
import os
import random
import subprocess
import sys
import tempfile

SOURCE = sys.argv[1]
sys.path[:0] = [os.path.join(SOURCE, "tests", "soak"), os.path.join(SOURCE, "tests", "harness")]
import judge
from checks import expect, finish

STEADY = {"memory_kb": 50000, "descriptors": 4, "threads": 7, "active": 1, "live_objects": 900, "live_bytes": 900000,
          "own_objects": 500}
PER_MINUTE = {"cpu_s": 3, "presents": 600, "draws_1": 400}


def table(changed=None, without=None):
    """Two hours of a program that is flat but for noise and peaks, and for what is `changed`: column -> minute -> value."""
    chance = random.Random(1)
    rows = []
    for minute in range(1, 121):
        for way in ("with", "without"):
            row = {column: "" for column in judge.COLUMNS}
            row.update(minute=minute, program="textures", way=way, **STEADY)
            row.update((column, rate * minute) for column, rate in PER_MINUTE.items())
            row["memory_kb"] += chance.randrange(-2000, 2000) + (30000 if minute % 17 == 0 else 0)
            row["live_objects"] += chance.randrange(-40, 40)
            for column, value in ((changed or {}) if way == "with" else (without or {})).items():
                row[column] = value(minute) + (row[column] if column in STEADY else 0)
            rows.append(row)
    return rows


def expect_judged(what, said, rows):
    """The table is judged as it must be: `said` stands in the line that says why it failed; "" if it must not."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        for row in [{column: column for column in judge.COLUMNS}] + rows:
            print("\t".join(str(row[column]) for column in judge.COLUMNS), file=file)
        file.flush()
        run = subprocess.run([os.path.join(SOURCE, "scripts", "suites", "soak"), "--judge", file.name], capture_output=True,
                             text=True, check=False)
    faults = [line for line in run.stdout.splitlines() if line.startswith("FAILED")]
    good = run.returncode == 0 and not faults if not said else run.returncode == 1 and any(said in f for f in faults)
    expect(good, what, f"status {run.returncode}\n{run.stdout}{run.stderr}")


def main():
    expect_judged("noise and peaks are flat", "", table())
    expect_judged("a table without rows", "no program was sampled", [])
    expect_judged("what grows before the warm-up ends is not judged", "",
                  table({"memory_kb": lambda m: 5000 * min(m, 14), "pipelines_1": lambda m: min(m, 14)}))
    expect_judged("2 MiB an hour", "memory_kb grows", table({"memory_kb": lambda m: 34 * m}))
    expect_judged("2 MiB an hour that the program takes without the layer, too", "",
                  table({"memory_kb": lambda m: 34 * m}, {"memory_kb": lambda m: 34 * m}))
    expect_judged("a descriptor now and then", "descriptors grows", table({"descriptors": lambda m: m // 20}))
    expect_judged("a thread now and then", "threads grows", table({"threads": lambda m: m // 20}))
    expect_judged("a handle a minute", "live_objects grows", table({"live_objects": lambda m: m}))
    expect_judged("handles that are given back in batches", "", table({"live_objects": lambda m: m % 16 * 8}))
    expect_judged("a handle for each that the program leaves behind", "",
                  table({"live_objects": lambda m: 2 * m, "own_objects": lambda m: m}))
    expect_judged("more handles than the program leaves behind", "live_objects grows",
                  table({"live_objects": lambda m: 4 * m, "own_objects": lambda m: m}))
    expect_judged("bytes of handles", "live_bytes grows", table({"live_bytes": lambda m: 1000 * m}))
    expect_judged("a pipeline late", "pipelines_1 grew", table({"pipelines_1": lambda m: m > 100}))
    expect_judged("a shader late", "modules_rewritten grew", table({"modules_rewritten": lambda m: m > 100}))
    expect_judged("an outgrown submission", "were outgrown", table({"outgrown_submits": lambda m: m > 100}))
    expect_judged("no frames", "no frame came", table({"presents": lambda m: 600 * min(m, 60)}))
    expect_judged("no frames without the layer", "without the layer no frame", table(None, {"presents": lambda m: 600}))
    expect_judged("nothing is emulated", "nothing was emulated", table({"draws_1": lambda m: 400, "draws_0": lambda m: 9 * m}))
    expect_judged("an inert layer", "inert", table({"active": lambda m: -1}))
    expect_judged("a program that ended", "ended before", [row for row in table() if row["minute"] < 90 or row["way"] == "without"])
    expect_judged("a program that ended soon", "too few", [row for row in table() if row["minute"] < 17 or row["way"] == "without"])
    finish("judge_test")


if __name__ == "__main__":
    main()
