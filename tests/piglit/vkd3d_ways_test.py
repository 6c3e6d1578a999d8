#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/suites/vkd3d with a stand-in for vkd3d's tests: what is lost with `offer` is seen, and the reason for the status.

    vkd3d_ways_test.py SOURCE_FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "tests/harness"))
from checks import expect, finish  # noqa: E402


def run(folder, *tests, **environment):
    """The status, and what was said."""
    shutil.rmtree(folder, ignore_errors=True)
    build, source = folder / "build", folder / "source"
    (build / "tests/.libs").mkdir(parents=True)
    (source / "tests/hlsl").mkdir(parents=True)
    shutil.copy(SOURCE / "tests/piglit/fake_d3d12.sh", build / "tests/.libs/d3d12")
    (build / "Makefile").write_text(f"abs_top_srcdir = {source}\n")
    names = ["test_sample_one", "test_sample_two", "test_unwanted_fails_in_offered", *map("test_{}".format, tests)]
    (source / "tests/d3d12.c").write_text("".join(f"    run_test({name});\n" for name in names))
    command = [SOURCE / "scripts/suites/vkd3d", "--build", build, "--out", folder / "out", "--jobs", "1"]
    done = subprocess.run(list(map(str, command)), env={**os.environ, **environment}, capture_output=True, text=True, timeout=200,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def check(folder):
    status, said = run(folder, "sample_fails_everywhere", "sample_fails_in_full", "sample_fails_in_bare")
    expect(status == 0 and "5 tests; 1 come to less without the layer" in said and "draws by tier: 15, 10, 5" in said,
           "nothing lost: " + said)
    for what, line in {"fails": "fails d3d12:100:Test 1", "skips": "skips d3d12:101: There is no such format.",
                       "todo": "todo d3d12:102", "ends_early": "4 checks instead of 5", "crashes": "signal 11"}.items():
        name = f"sample_{what}_in_offered"
        status, said = run(folder, name)
        expect(status == 1 and f"FAILED: test_{name}: {line}" in said, f"{what}: {said}")
    status, said = run(folder, "sample_fails_and_full_crashes_again")
    expect(status == 1 and "FAILED: test_sample_fails_and_full_crashes_again: fails d3d12:100:Test 1" in said,
           "what the full driver's second run says nothing of: " + said)
    status, said = run(folder, "sample_crashes_in_full")
    expect(status == 0 and "signal 11 on the full driver: not judged" in said, "what the driver loses alone: " + said)
    status, said = run(folder, "root_signature_limits")
    expect(status == 0 and "test_root_signature_limits: as docs/limits.md says: signal 11" in said, "a known limit: " + said)
    status, said = run(folder, "root_signature_limits", FAKE_REASON="something else")
    expect(status == 1 and "FAILED: test_root_signature_limits: signal 11" in said, "not that limit: " + said)
    status, said = run(folder, FAKE_DRAWS="[9, 0, 0]")
    expect(status == 1 and "FAILED: no draw was emulated" in said, "nothing emulated: " + said)
    status, said = run(folder, FAKE_USES="offered")
    expect(status == 1 and "FAILED: used: limited driver: vkFake: used" in said, "something hidden was used: " + said)
    status, said = run(folder, FAKE_USES="none")
    expect(status == 1 and "FAILED: nothing was lacking" in said, "what shows nothing: " + said)


with tempfile.TemporaryDirectory() as work:
    check(pathlib.Path(work) / "vkd3d")
finish("vkd3d_ways")
