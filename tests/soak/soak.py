# SPDX-License-Identifier: MIT
"""The part of scripts/suites/soak that runs the programs, samples them and writes the table; judge.py says what is flat."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge

ZINK = {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_LOADER_DRIVER_OVERRIDE": "zink", "MESA_SHADER_CACHE_DISABLE": "true"}
LINEAR = {"VK_CLAMPLER_ASSUME_MISSING": "linear_all"}

# name: command, environment, settings, frames a second, whether its draws must be emulated. "translator" needs --zink.
PROGRAMS = {
    "vkcube": (["vkcube", "--width", "160", "--height", "160"], {}, {}, 10, False),
    # Its textures repeat, so that GL_CLAMP has nothing to do there: linear filters are the shader's instead.
    "supertuxkart": (
        ["supertuxkart", "--render-driver=vulkan", "--windowed", "--screensize=320x240", "--no-start-screen",
         "--track=hacienda", "--laps=1000"],
        {"SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null"}, LINEAR, 2, True),
    "textures": (["{out}/textures"], ZINK, {}, 5, True),
    "translator": (["{out}/textures"], ZINK, {}, 5, True),
}
SETTINGS = {"VK_CLAMPLER_GL_CLAMP": "edge,border", "VK_CLAMPLER_LINEAR_FALLBACK": "shader",
            "VK_CLAMPLER_ALPHA_TO_ONE": "swapchain"}
PEAKS = ["live_objects", "live_bytes", "own_objects"]
LAYER, WATCH = "VK_LAYER_CLAMPLER_gl_sampler", "VK_LAYER_CLAMPLER_TEST_watch"
LIMITED = "VK_LAYER_CLAMPLER_TEST_limited_driver"


class Run:
    """One program, with the layer or without."""

    def __init__(self, name, way, options):
        command, environment, settings, fps, self.emulated = PROGRAMS[name]
        out = options.out
        self.name, self.way = name, way
        self.peaks = {}
        self.watch = os.path.join(out, f"{name}.{way}.watch")
        self.violations = os.path.join(out, f"{name}.{way}.violations")
        home = os.path.join(out, f"home-{name}-{way}")
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home, mode=0o700)
        for file in (self.watch, self.violations):
            if os.path.exists(file):
                os.remove(file)
        variables = dict(os.environ, **environment)
        variables.update(
            HOME=home, XDG_RUNTIME_DIR=home, VK_LAYER_PATH=out, VK_INSTANCE_LAYERS=WATCH,
            CLAMPLER_WATCH_FILE=self.watch, CLAMPLER_WATCH_FPS=str(fps), CLAMPLER_WATCH_SECONDS="1")
        if way == "with":
            variables["VK_LAYER_PATH"] += f":{options.layer}"
            variables["VK_INSTANCE_LAYERS"] += f":{LAYER}"
            variables.update(SETTINGS, **settings, VK_CLAMPLER_STATS_FILE=os.path.join(out, f"{name}.stats"))
        if name == "translator":
            variables.update(LIBGL_DRIVERS_PATH=os.path.join(options.zink, "dri"), LD_LIBRARY_PATH=os.path.join(options.zink, "dri"))
        if way == "with" and options.offered:
            # The loader takes layers in the order of their folders: the driver that lacks things is the last.
            variables["VK_LAYER_PATH"] += f":{options.limited}"
            variables["VK_INSTANCE_LAYERS"] += f":{LIMITED}"
            variables.update(VK_CLAMPLER_OFFER="missing", LIMITED_DRIVER_PROFILE=options.offered, LIMITED_DRIVER_LOG=self.violations)
        command = [part.format(out=out) for part in command]
        if name == "textures" and way == "with" and options.plant:
            command.append(options.plant)
        with open(os.path.join(out, f"{name}.{way}.log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(["nice", "-n", "19"] + command, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, env=variables, cwd=home)

    def counters(self):
        """What the layer that watches wrote last."""
        try:
            with open(self.watch, encoding="ascii") as file:
                return {key: int(value) for key, value in (line.split() for line in file)}
        except OSError:
            return {}

    def look(self):
        """Between samples: objects come and go in batches of frames, so that only their peaks can be compared."""
        for key in PEAKS:
            self.peaks[key] = max(self.peaks.get(key, 0), self.counters().get(key, 0))

    def sample(self, minute):
        """What the program has now, or None if it has ended."""
        folder = f"/proc/{self.process.pid}"
        if self.process.poll() is not None:
            return None
        row = {"minute": minute, "program": self.name, "way": self.way}
        try:
            with open(f"{folder}/smaps_rollup", encoding="ascii") as file:
                sizes = {line.split()[0]: int(line.split()[1]) for line in file if line.split()[-1] == "kB"}
            with open(f"{folder}/status", encoding="utf-8") as file:
                status = dict(line.split(":", 1) for line in file if ":" in line)
            with open(f"{folder}/stat", encoding="utf-8") as file:
                times = file.read().rsplit(")", 1)[1].split()
            row["descriptors"] = len(os.listdir(f"{folder}/fd"))
        except OSError:
            return None
        # Pages of files count for as much as others happen to share them, so that they are not of this program alone.
        row["memory_kb"] = sizes.get("Pss_Anon:", 0) + sizes.get("Pss_Shmem:", 0)
        row["pss_kb"], row["rss_kb"] = sizes.get("Pss:", 0), sizes.get("Rss:", 0)
        row["threads"] = int(status["Threads"])
        row["cpu_s"] = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
        row.update(dict.fromkeys(judge.COUNTERS + ["presents", "own_objects"], 0), **self.counters())
        row.update(self.peaks)
        self.peaks = {}
        return row

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()


def soak(options, programs):
    """Runs everything, and returns the rows and what went wrong."""
    began = time.monotonic()
    runs = [Run(name, way, options) for name in programs for way in ("with", "without")]
    everything = list(runs)
    rows, faults = [], []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and the programs are stopped
    table = open(options.table, "w", encoding="ascii")
    print("\t".join(judge.COLUMNS), file=table, flush=True)
    try:
        due = began
        while time.monotonic() - began < options.minutes * 60 and runs:
            due += options.every
            while time.monotonic() < due:
                time.sleep(min(1, max(0, due - time.monotonic())))
                for run in runs:
                    run.look()
            minute = round((time.monotonic() - began) / 60, 2)
            for run in list(runs):
                row = run.sample(minute)
                if row is None:
                    faults.append(f"{run.name} {run.way} the layer ended at minute {minute}, "
                                  f"status {run.process.returncode}")
                    runs.remove(run)
                    continue
                rows.append(row)
                print("\t".join(str(row.get(column, "")) for column in judge.COLUMNS), file=table, flush=True)
    finally:
        for run in runs:
            run.stop()
        table.close()
    for run in everything:
        if os.path.exists(run.violations):
            with open(run.violations, encoding="utf-8") as file:
                faults += [f"{run.name} {run.way} the layer: {line.strip()}" for line in sorted(set(file))[:8]]
    return rows, faults


def main():
    parser = argparse.ArgumentParser(prog="soak")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--every", type=float, default=60, help="seconds between samples")
    parser.add_argument("--programs")
    parser.add_argument("--offered", metavar="PROFILE", help="the driver lacks what a profile of tests/limited_driver says, and the layer offers it")
    parser.add_argument("--zink", metavar="FOLDER", help="the folder of a zink that speaks the extension (examples/zink); takes the program translator in")
    parser.add_argument("--warm-up", type=float, help="minutes that are not judged; a quarter of all, 15 at most")
    parser.add_argument("--plant", choices=["handles", "memory", "descriptors"])
    parser.add_argument("--judge", metavar="TABLE", help="runs nothing: judges a table that is there")
    parser.add_argument("--out")
    parser.add_argument("--layer")
    parser.add_argument("--limited")
    parser.add_argument("--table")
    options = parser.parse_args()
    if options.judge:
        rows, faults = judge.read(options.judge), []
    else:
        usual = [name for name in PROGRAMS if name != "translator" or options.zink]
        programs = options.programs.split(",") if options.programs else usual
        unknown = [name for name in programs if name not in PROGRAMS]
        if unknown:
            parser.error(f"no program {unknown[0]}; there are {', '.join(PROGRAMS)}")
        if "translator" in programs and not options.zink:
            parser.error("translator needs --zink FOLDER")
        rows, faults = soak(options, programs)
    warm_up = options.warm_up
    if warm_up is None:
        warm_up = min(15, max((row["minute"] for row in rows), default=0) / 4)
    emulated = {name for name, program in PROGRAMS.items() if program[4]}
    lines, more = judge.judge(rows, warm_up, emulated)
    print("\n".join(lines))
    for fault in faults + more:
        print(f"FAILED: {fault}")
    print(f"soak: {len(faults + more)} faults")
    return 1 if faults + more else 0


if __name__ == "__main__":
    sys.exit(main())
