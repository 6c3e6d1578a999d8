#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/internal/piglit_ways.py with stand-ins for piglit's programs: what one way alone does behind a program's result is lost.

    piglit_ways_test.py SOURCE_FOLDER
"""
import os
import pathlib
import sys
import tempfile
import types

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(SOURCE / "tests/harness"), str(SOURCE / "scripts/internal")]
import opengl_ways as opengl  # noqa: E402
import piglit_ways as piglit  # noqa: E402
from checks import expect, finish  # noqa: E402

SAYS = "echo 'PIGLIT: {\"result\": \"pass\"}'"
WITH_LAYER = '[ -z "$VK_CLAMPLER_STATS_FILE" ] ||'
PROGRAMS = {
    "glinfo": "echo 'GL_RENDERER = zink'; echo 'GL_VERSION = 4.6'; " + SAYS,
    "passes": SAYS,
    "fails": "echo 'PIGLIT: {\"result\": \"fail\"}'; exit 1",
    "dies_first": f"{WITH_LAYER} kill -SEGV $$; {SAYS}",
    "dies_at_its_end": f"{SAYS}; {WITH_LAYER} kill -SEGV $$",
    "hangs_at_its_end": f"{SAYS}; {WITH_LAYER} exec sleep 60",
    "dies_everywhere": f"{SAYS}; kill -SEGV $$",
    "dies_once": f"{SAYS}; {WITH_LAYER} [ -e $HOME/died ] || {{ touch $HOME/died; kill -SEGV $$; }}",
}


def run(work, *names):
    """The report, and what it says."""
    options = types.SimpleNamespace(out=str(work / "out"), seconds=2, jobs=1, limit=None, regex="x", resume=False, descriptors=None)
    ways = {"system": piglit.Way("system", options), "layer": piglit.Way("layer", options, names_layer=True)}
    report = opengl.Report(options, ways, compared=tuple(ways), kept={"layer": "system"}, first="system")
    report.run([[name] for name in names])
    for name in ways:
        report.say_way(name)
    status = report.end()
    return report, status, (work / "out/report.txt").read_text(encoding="utf-8")


def check(work):
    (work / "bin").mkdir()
    for name, text in PROGRAMS.items():
        (work / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (work / "bin" / name).chmod(0o755)
    piglit.programs_folder = lambda: str(work / "bin")
    report, status, said = run(work, "passes", "fails", "dies_everywhere", "dies_once")
    expect(status == 0 and len(report.results) == 4, "nothing lost: " + said)
    expect("unsteady: dies_once at its end (layer)" in said, "what is not seen again: " + said)
    expect("did not end as they should: dies_everywhere (status -11)" in said, "what the system does too is named: " + said)
    for name in "dies_at_its_end", "hangs_at_its_end":
        report, status, said = run(work, "passes", name)
        expect(status == 1 and f"lost: {name} at its end (layer" in said and len(report.results) == 2, f"{name}: {said}")
    report, status, said = run(work, "dies_first")
    expect(status == 1 and "lost: dies_first  (layer" in said, "no result: " + said)


os.environ.pop("VK_CLAMPLER_STATS_FILE", None)
with tempfile.TemporaryDirectory() as folder:
    check(pathlib.Path(folder))
finish("piglit_ways")
