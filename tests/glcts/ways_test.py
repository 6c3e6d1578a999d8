#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/suites/glcts with a stand-in for the suite: what each way loses is seen, excused, and the reason for the status.

    ways_test.py SOURCE_FOLDER
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

GROUP = "dEQP-GLES3.functional.texture.filtering.2d."
OTHER_WAYS = ("plain", "layer", "bare", "offered")


def run(folder, cases, *options, expected="# nothing\n", zink=True, program="deqp-gles3",
        **environment):
    """The status, and what was said."""
    folder = pathlib.Path(folder)
    for old in ("out", "bin"):
        shutil.rmtree(folder / old, ignore_errors=True)
    (folder / "bin/modules").mkdir(parents=True)
    (folder / "zink/dri").mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCE / "tests/glcts/fake_deqp.sh", folder / "bin/modules" / program)
    (folder / "all_cases").write_text("".join(f"TEST: {case}\n" for case in cases))
    (folder / "expected.txt").write_text(expected)
    command = [SOURCE / "scripts/suites/glcts", "--bin", folder / "bin", "--zink", folder / "zink" if zink else "none", "--out",
               folder / "out", "--expected", folder / "expected.txt", "--jobs", "1", *options]
    done = subprocess.run(list(map(str, command)), env={**os.environ, "FAKE_FOLDER": str(folder), **environment},
                          capture_output=True, text=True, timeout=200, check=False)
    return done.returncode, done.stdout + done.stderr


def check(folder):
    good = [GROUP + name for name in ("one", "two", "fails")]
    status, said = run(folder, good)
    expect(status == 0 and "3 cases of deqp-gles3" in said, "nothing lost: " + said)
    expect("layer: zink (Fake), OpenGL ES 3.2" in said and "draws by tier: 3, 2, 1" in said, "what the layer counted: " + said)
    for way in OTHER_WAYS:
        lost = GROUP + "fails_in_" + way
        status, said = run(folder, good + [lost])
        expect(status == 1 and f"differs: {way} Pass>Fail {lost}" in said, f"{way} loses one: {said}")
        table = f"{way}  Pass>Fail  *.filtering.*\n    reason: a rule\n    specification: \"may\"\n"
        status, said = run(folder, good + [lost], expected=table)
        expect(status == 0 and f"expected: 1 cases, {way} Pass>Fail: a rule" in said, f"{way}: the table excuses it: {said}")
    gain = GROUP + "is_skipped_without_layer"
    status, said = run(folder, good + [gain])
    expect(status == 1 and f"differs: layer NotSupported>Pass {gain}" in said, "more than system is a difference, too: " + said)
    status, said = run(folder, good, FAKE_DRAWS="[9, 0, 0]")
    expect(status == 1 and "layer: no draw was emulated" in said, "nothing emulated: " + said)
    status, said = run(folder, good, FAKE_VIOLATION="1")
    expect(status == 1 and "offered used: limited driver: vkFake: used" in said, "something hidden was used: " + said)
    for way in ("bare", "offered"):
        status, said = run(folder, good, FAKE_OLD=way)
        expect(status == 1 and f"{way}: another version of OpenGL" in said, f"{way} has less of OpenGL: {said}")
    status, said = run(folder, good, "one$", zink=False)
    expect(status == 0 and "1 cases" in said and "plain" not in said, "the system's zink alone, and a part of the cases: " + said)
    wide = [f"dEQP-GLES3.functional.texture.{group}.2d.case{i}" for group in ("wrap", "swizzle", "size") for i in range(20)]
    status, said = run(folder, wide + ["dEQP-GLES3.functional.negative_api.texture.one"], "--short")
    expect(status == 0 and "9 cases of" in said, "three of each group that is wanted: " + said)
    check_packages(folder)


def check_packages(folder):
    """glcts has several; of OpenGL's the newest that the driver has a context for."""
    cases = ["KHR-GL46.texture_gather.one", "KHR-GL45.texture_gather.two", "KHR-GL33.texture_swizzle.three",
             "KHR-GLES31.core.texture_border_clamp.four", "KHR-GLES32.core.draw_buffers_indexed.five",
             "KHR-GLES3.packed_pixels.rectangle.six", "KHR-GLES3.shaders.seven"]
    status, said = run(folder, cases, program="glcts", zink=False)
    expect(status == 0 and "4 cases of glcts" in said, "of OpenGL's packages one: " + said)
    lost = "KHR-GL45.texture_gather.fails_in_offered"
    status, said = run(folder, cases + [lost], program="glcts", zink=False, FAKE_LACKS="KHR-GL46")
    expect(status == 1 and "5 cases of glcts" in said and f"offered Pass>Fail {lost}" in said, "no OpenGL 4.6: " + said)


with tempfile.TemporaryDirectory() as place:
    check(place)
finish("glcts")
