#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the examples print, and each pixel of the picture, with the layer and without it.

    examples_test.py BUILD_FOLDER TEXTURED_QUAD GL_STATES
"""

import json
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

from example import BACKGROUND, BORDER, SIZE, TEXTURE, TOLERANCE, run


def texel(x, y, clamp):
    """GL_CLAMP meets the border, CLAMP_TO_EDGE the edge."""
    inside = 0 <= x < TEXTURE and 0 <= y < TEXTURE
    if clamp and not inside:
        return BORDER
    x, y = (min(max(i, 0), TEXTURE - 1) for i in (x, y))
    return 51 if (x + y) % 2 else 255


def expected(px, py, clamp):
    edge, width = SIZE / 8, SIZE * 3 / 4
    if not (edge <= px < edge + width and edge <= py < edge + width):
        return BACKGROUND
    u, v = ((p + 0.5 - edge) / width * 2 - 0.5 for p in (px, py))
    if clamp:
        u, v = (min(max(i, 0), 1) for i in (u, v))
    u, v = (i * TEXTURE - 0.5 for i in (u, v))
    x, y = math.floor(u), math.floor(v)
    a, b = u - x, v - y
    value = (texel(x, y, clamp) * (1 - a) * (1 - b) + texel(x + 1, y, clamp) * a * (1 - b)
             + texel(x, y + 1, clamp) * (1 - a) * b + texel(x + 1, y + 1, clamp) * a * b)
    return (value,) * 3


def compare(what, path, clamp):
    data = path.read_bytes()
    header = b"P6\n%d %d\n255\n" % (SIZE, SIZE)
    expect(data.startswith(header) and len(data) == len(header) + 3 * SIZE * SIZE, f"{what}: the file is a picture")
    pixels = data[len(header):]
    worst = max(max(abs(pixels[3 * (y * SIZE + x) + i] - value) for i, value in enumerate(expected(x, y, clamp)))
                for y in range(SIZE) for x in range(SIZE))
    expect(worst <= TOLERANCE, f"{what}: the picture", f"differs by {worst:.1f}")


def main():
    build, quad, states = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "empty").mkdir()
        for what, layers, clamp in (("the layer", build / "json", True), ("no layer", work / "empty", False)):
            picture = work / "picture.ppm"
            done = run(quad, layers, picture, VK_CLAMPLER_STATS_FILE=str(work / "stats"))
            expect(done.returncode == 0, f"{what}: textured_quad ends well", done.stdout + done.stderr)
            expect(("GL state" if clamp else "CLAMP_TO_EDGE") in done.stdout, f"{what}: and says what it draws with")
            compare(what, picture, clamp)
            if clamp:
                counted = json.loads((work / "stats").read_text().splitlines()[-1])
                expect(counted["draws"] == [0, 1, 0], "the layer: the draw was in tier 1", counted)
        done = run(states, build / "json")
        lines = done.stdout.splitlines()
        expect(done.returncode == 0, "gl_states ends well", done.stderr)
        expect("  emulated  GL_CLAMP" in lines, "gl_states: no driver has GL_CLAMP", done.stdout)
        expect(sum(line.startswith(("  native ", "  emulated ", "  missing ")) for line in lines) >= 15, "gl_states: all fifteen")
        done = run(states, work / "empty")
        expect(done.returncode == 1 and "no VK_LAYER" in done.stderr, "gl_states says that there is no layer", done.stderr)
    finish("examples_test")


main()
