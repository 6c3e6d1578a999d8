#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What examples/address_modes.c makes of each guest's values, and each pixel of its pictures, with the layer and without.

    address_modes_test.py BUILD_FOLDER ADDRESS_MODES

The arithmetic is OpenGL's (section 8.14.2 of the compatibility specification, EXT_texture_mirror_clamp), and Vulkan's for
its own modes (16.6.2, "Texel Coordinate Wrapping"). The table is written out here a second time, guest by guest.
"""

import json
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

from example import BACKGROUND, BORDER, SIZE, TEXTURE, TOLERANCE, run


CLAMP, MIRROR_CLAMP, MIRROR_BORDER = "GL_CLAMP", "GL_MIRROR_CLAMP", "GL_MIRROR_CLAMP_TO_BORDER"
REPEAT, MIRRORED, EDGE, TO_BORDER, MIRROR_EDGE = (
    "REPEAT", "MIRRORED_REPEAT", "CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE")
WITHOUT = {CLAMP: EDGE, MIRROR_CLAMP: MIRROR_EDGE, MIRROR_BORDER: MIRROR_EDGE}
NVIDIA = (REPEAT, MIRRORED, EDGE, TO_BORDER, CLAMP, MIRROR_EDGE, MIRROR_BORDER, MIRROR_CLAMP)
AMD = (REPEAT, MIRRORED, EDGE, MIRROR_EDGE, CLAMP, MIRROR_CLAMP, TO_BORDER, MIRROR_BORDER)
GUESTS = {
    "gcm": dict(enumerate(NVIDIA, 1)),
    "nv2a": dict(enumerate(NVIDIA[:5], 1)),
    "maxwell": dict(enumerate(NVIDIA)),
    "latte": dict(enumerate(AMD)),
    "xenos": dict(enumerate(AMD)),
    "gcn": dict(enumerate(AMD)),
    "gxm": dict(enumerate((REPEAT, MIRRORED, EDGE, MIRROR_EDGE, REPEAT, TO_BORDER, EDGE, CLAMP))),
}


def mirror(i):
    return i if i >= 0 else -(1 + i)


def texel_of(i, mode):
    """The texel that index i means; None: the border."""
    if mode == REPEAT:
        return i % TEXTURE
    if mode == MIRRORED:
        return TEXTURE - 1 - mirror(i % (2 * TEXTURE) - TEXTURE)
    if mode in (EDGE, MIRROR_EDGE):
        return min(max(mirror(i) if mode == MIRROR_EDGE else i, 0), TEXTURE - 1)
    return i if 0 <= i < TEXTURE else None


def weights(s, mode):
    """Pairs of texel and weight along one axis, for the coordinate s."""
    least = 1 / (2 * TEXTURE)
    if mode == CLAMP:
        s = min(max(s, 0), 1)
    elif mode == MIRROR_CLAMP:
        s = min(max(abs(s), least), 1)
    elif mode == MIRROR_BORDER:
        s = min(max(abs(s), least), 1 + least)
    s = s * TEXTURE - 0.5
    i = math.floor(s)
    return [(texel_of(i, mode), 1 - (s - i)), (texel_of(i + 1, mode), s - i)]


def expected(px, py, modes):
    edge, width = SIZE / 8, SIZE * 3 / 4
    if not (edge <= px < edge + width and edge <= py < edge + width):
        return BACKGROUND
    u, v = ((p + 0.5 - edge) / width * 2 - 0.5 for p in (px, py))
    value = sum(a * b * (BORDER if x is None or y is None else 12 * (x + TEXTURE * y))
                for x, a in weights(u, modes[0]) for y, b in weights(v, modes[1]))
    return (value,) * 3


def worst_of(path, modes):
    """The greatest difference between the picture and what the modes must give."""
    data = path.read_bytes()
    header = b"P6\n%d %d\n255\n" % (SIZE, SIZE)
    expect(data.startswith(header) and len(data) == len(header) + 3 * SIZE * SIZE, "the file is a picture")
    pixels = data[len(header):]
    return max(max(abs(pixels[3 * (y * SIZE + x) + i] - value) for i, value in enumerate(expected(x, y, modes)))
               for y in range(SIZE) for x in range(SIZE))


def main():
    build, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "empty").mkdir()
        table = run(program, work / "empty").stdout.splitlines()
        wanted = ["%s %d: %s, without the layer %s" % (guest, value, mode, WITHOUT.get(mode, mode))
                  for guest, modes in GUESTS.items() for value, mode in modes.items()]
        expect(table == wanted, "the table", sorted(set(table) ^ set(wanted)))

        # Each mode on each axis; the three private modes by every guest that has them.
        cases = [("gcm", u, 9 - u) for u in range(1, 9)]
        cases += [("latte", 4, 5), ("gcn", 7, 4), ("xenos", 5, 7), ("maxwell", 4, 7), ("nv2a", 5, 3), ("gxm", 7, 5)]
        for guest, u, v in cases:
            modes = (GUESTS[guest][u], GUESTS[guest][v])
            for layers in (build / "json", work / "empty"):
                there = layers.name != "empty"
                drawn = modes if there else tuple(WITHOUT.get(mode, mode) for mode in modes)
                what = "%s %d %d, %s" % (guest, u, v, "the layer" if there else "no layer")
                picture, stats = work / "picture.ppm", work / "stats"
                stats.unlink(missing_ok=True)
                done = run(program, layers, guest, str(u), str(v), str(picture), VK_CLAMPLER_STATS_FILE=str(stats))
                expect(done.returncode == 0, f"{what}: ends well", done.stdout + done.stderr)
                expect(done.stdout.endswith(": %s, %s\n" % drawn), f"{what}: the modes", done.stdout)
                worst = worst_of(picture, drawn)
                expect(worst <= TOLERANCE, f"{what}: the picture", f"differs by {worst:.1f}")
                if there:
                    private = any(mode in WITHOUT for mode in modes)
                    counted = json.loads(stats.read_text().splitlines()[-1])
                    expect(counted["draws"] == ([0, 1, 0] if private else [1, 0, 0]), f"{what}: the tier", counted)
                if there and any(mode in WITHOUT for mode in modes):  # the test can tell the two apart
                    other = worst_of(picture, tuple(WITHOUT.get(mode, mode) for mode in modes))
                    expect(other > 30, f"{what}: differs from the edge", other)

        for arguments in (("gcm", "0", "1", "x"), ("gcm", "1", "9", "x"), ("nv2a", "6", "1", "x"), ("ps5", "1", "1", "x"),
                          ("gcm", "", "1", "x"), ("gcm", "1x", "1", "x"), ("gcm", "1", "-1", "x"), ("gcm",)):
            done = run(program, work / "empty", *arguments)
            expect(done.returncode == 2 and "usage" in done.stderr, f"refused: {arguments}", done.stderr)
    finish("address_modes_test")


main()
