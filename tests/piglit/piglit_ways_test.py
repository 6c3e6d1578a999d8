#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/internal/piglit_ways.py with stand-ins for piglit's programs: what one way alone does behind a program's result is lost,
and a run that shows nothing is at fault.

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
COUNTS = '[ -z "$VK_CLAMPLER_STATS_FILE" ] || echo \'{"draws": [1, 0, 1], "blend_variants": 0, "outputs_moved": 0}\' ' \
    '>>"$VK_CLAMPLER_STATS_FILE"; '
WITH_LAYER = '[ -z "$VK_CLAMPLER_STATS_FILE" ] ||'
PROGRAMS = {
    "glinfo": '[ -n "$NO_LAYER" ] || ' + COUNTS + "echo 'GL_RENDERER = zink'; echo 'GL_VERSION = 4.6'; " + SAYS,
    "passes": SAYS,
    "counts": f'{WITH_LAYER} echo run >>"$RUNS"; {SAYS}',
    "fails": "echo 'PIGLIT: {\"result\": \"fail\"}'; exit 1",
    "dies_first": f"{WITH_LAYER} kill -SEGV $$; {SAYS}",
    "dies_at_its_end": f"{SAYS}; {WITH_LAYER} kill -SEGV $$",
    "hangs_at_its_end": f"{SAYS}; {WITH_LAYER} exec sleep 60",
    "exits_with_1": f"{SAYS}; {WITH_LAYER} exit 1",
    "says_twice": f"""{WITH_LAYER} echo 'PIGLIT: {{"subtest": {{"x": "fail"}}}}'; echo 'PIGLIT: {{"subtest": {{"x": "pass"}}}}'; {SAYS}""",
    "system_hangs_again": f'[ -z "$VK_CLAMPLER_STATS_FILE" ] || exit 1; mkdir $HOME/ran || exec sleep 60; {SAYS}',
    "says_nothing": "exit 0",
    "dies_everywhere": f"{SAYS}; kill -SEGV $$",
    "dies_once": f"{SAYS}; {WITH_LAYER} [ -e $HOME/died ] || {{ touch $HOME/died; kill -SEGV $$; }}",
}


def run(work, *names, resume=False):
    """The report, and what it says."""
    options = types.SimpleNamespace(out=str(work / "out"), seconds=2, jobs=1, limit=None, regex="x", resume=resume, descriptors=None)
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
    os.environ["RUNS"] = str(work / "runs")
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
    report, status, said = run(work, "passes", "exits_with_1")
    expect(status == 1 and "lost: exits_with_1 at its end (layer" in said, "another status: " + said)
    report, status, said = run(work, "passes", "says_twice")
    expect(status == 1 and "lost: says_twice x (layer" in said, "a result that comes twice: " + said)
    report, status, said = run(work, "passes", "system_hangs_again")
    expect(status == 1 and "lost: system_hangs_again  (layer" in said, "what the other way's time hides: " + said)
    report, status, said = run(work, "says_nothing")
    expect(status == 1 and "nothing passes in the way system" in said, "nothing was said: " + said)
    os.environ["NO_LAYER"] = "1"
    report, status, said = run(work, "passes")
    expect(status == 1 and "layer: the layer counted nothing" in said, "no layer: " + said)
    del os.environ["NO_LAYER"]
    check_resume(work)


def check_resume(work):
    """What has ended runs again where the layer is another."""
    opengl.LAYER = str(work / "layer.so")
    for layer, resume, times in ("one", False, 1), ("one", True, 1), ("two", True, 2), ("two", True, 2):
        pathlib.Path(opengl.LAYER).write_text(layer, encoding="utf-8")
        report, status, said = run(work, "counts", resume=resume)
        ran = len((work / "runs").read_text().split())
        expect(status == 0 and ran == times, f"{layer}, resumed: {resume}: ran {ran} times: {said}")


os.environ.pop("VK_CLAMPLER_STATS_FILE", None)
with tempfile.TemporaryDirectory() as folder:
    check(pathlib.Path(folder))
finish("piglit_ways")
