# SPDX-License-Identifier: MIT
"""first_picture.py CLAMPLER COMMAND...: what whole runs of an unmodified program that ends by itself take.

Without the layer, and with gl_clamp=edge,border, each with an empty cache on disk (cold) and again with what the first run left
there (warm), in turn, ROUNDS times. Processor seconds of the program's processes and all their threads, which other work on the
machine changes little; medians, least and greatest. ROUNDS is in the environment, or 3.
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile


def run(command, cache):
    """Processor seconds of one run."""
    environment = dict(os.environ, XDG_CACHE_HOME=cache, MESA_SHADER_CACHE_DIR=cache, __GL_SHADER_DISK_CACHE_PATH=cache)
    environment.pop("MESA_SHADER_CACHE_DISABLE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout)
        sys.exit(f"first_picture: {' '.join(command)} ends with {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    if len(sys.argv) < 3:
        sys.exit("first_picture: CLAMPLER COMMAND...")
    clampler, command, rounds = sys.argv[1], sys.argv[2:], int(os.environ.get("ROUNDS", "3"))
    stats = tempfile.NamedTemporaryFile(suffix=".stats")
    layer = [clampler, "run", "--set", "gl_clamp=edge,border", "--set", f"stats_file={stats.name}", "--"]
    taken = {(way, state): [] for state in ("cold", "warm") for way in ("without", "gl_clamp")}
    for i in range(rounds):
        for way in ("without", "gl_clamp") if i % 2 == 0 else ("gl_clamp", "without"):
            with tempfile.TemporaryDirectory() as cache:
                for state in ("cold", "warm"):
                    taken[way, state].append(run((layer if way == "gl_clamp" else []) + command, cache))
    if not os.path.getsize(stats.name):
        sys.exit("first_picture: the layer was not active in the program: it wrote no statistics")
    for state in ("cold", "warm"):
        seconds = {way: taken[way, state] for way in ("without", "gl_clamp")}
        ratios = sorted(with_ / without for with_, without in zip(seconds["gl_clamp"], seconds["without"]))
        middle = {way: statistics.median(values) for way, values in seconds.items()}
        print(f"{state}: {statistics.median(ratios):.2f} (in [{ratios[0]:.2f}, {ratios[-1]:.2f}] of {rounds}), "
              f"{middle['gl_clamp']:.1f} s of processor time with gl_clamp, {middle['without']:.1f} s without")
    return 0


if __name__ == "__main__":
    sys.exit(main())
