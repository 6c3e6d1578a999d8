# SPDX-License-Identifier: MIT
"""first_picture.py CLAMPLER [--extension] COMMAND...: what whole runs of a program that ends by itself take.

Without the layer, and with gl_clamp=edge,border (--extension: with the layer alone, for a program that enables the extension
itself), each with an empty cache on disk (cold) and again with what the first run left
there (warm), in turn, ROUNDS times. Processor seconds of the program's processes and all their threads, which other work on the
machine changes little; medians, least and greatest. Where a program prints "frames: N", the seconds are those of a frame. ROUNDS is in
the environment, or 3.
"""
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile


def run(command, cache):
    """Processor seconds of one run, and its frames, 0 where it does not say them."""
    environment = dict(os.environ, XDG_CACHE_HOME=cache, MESA_SHADER_CACHE_DIR=cache, __GL_SHADER_DISK_CACHE_PATH=cache)
    environment.pop("MESA_SHADER_CACHE_DISABLE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout)
        sys.exit(f"first_picture: {' '.join(command)} ends with {done.returncode}")
    frames = re.search(rb"^frames: (\d+)$", done.stdout, flags=re.MULTILINE)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(frames.group(1)) if frames else 0


def main():
    extension = sys.argv[2:3] == ["--extension"]
    clampler, command, rounds = sys.argv[1], sys.argv[3 if extension else 2:], int(os.environ.get("ROUNDS", "3"))
    if not command:
        sys.exit("first_picture: CLAMPLER [--extension] COMMAND...")
    stats = tempfile.NamedTemporaryFile(suffix=".stats")
    way_with = "the extension" if extension else "gl_clamp"
    layer = [clampler, "run", *([] if extension else ["--set", "gl_clamp=edge,border"]), "--set", f"stats_file={stats.name}", "--"]
    taken = {(way, state): [] for state in ("cold", "warm") for way in ("without", way_with)}
    for i in range(rounds):
        for way in ("without", way_with) if i % 2 == 0 else (way_with, "without"):
            with tempfile.TemporaryDirectory() as cache:
                for state in ("cold", "warm"):
                    taken[way, state].append(run((layer if way == way_with else []) + command, cache))
    with open(stats.name, encoding="utf-8") as file:
        devices = [json.loads(line) for line in file]
    if not any(device["active"] for device in devices):
        sys.exit("first_picture: the layer was not active in the program: it wrote no statistics")
    draws = [sum(device["draws"][tier] for device in devices) for tier in range(3)]
    print(f"draws by tier: {draws}, of {len(devices)} devices; pipelines compiled ahead of draws: "
          f"{sum(device['compiled_ahead'] for device in devices)}, at draws: {sum(device['compiled_at_draws'] for device in devices)}")
    for state in ("cold", "warm"):
        seconds = {way: [taken_ / max(frames, 1) for taken_, frames in taken[way, state]] for way in ("without", way_with)}
        frames = {way: [frames for _, frames in taken[way, state]] for way in ("without", way_with)}
        ratios = sorted(with_ / without for with_, without in zip(seconds[way_with], seconds["without"]))
        middle = {way: statistics.median(taken_ for taken_, _ in taken[way, state]) for way in ("without", way_with)}
        print(f"{state}: {statistics.median(ratios):.2f} (in [{ratios[0]:.2f}, {ratios[-1]:.2f}] of {rounds}), "
              f"{middle[way_with]:.1f} s of processor time with {way_with}, {middle['without']:.1f} s without" +
              (f"; {statistics.median(frames[way_with]):.0f} and {statistics.median(frames['without']):.0f} frames"
               if any(frames["without"]) else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
