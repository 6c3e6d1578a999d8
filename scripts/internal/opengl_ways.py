# SPDX-License-Identifier: MIT
"""What suites of OpenGL programs have in common (scripts/suites/piglit, translator and glcts): programs run in several ways, each of
which has a driver of OpenGL, layers, settings and a cache of shaders of its own, and a report that compares results one by one."""
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAYER = os.path.join(ROOT, "build", "lib", "libVkLayer_clampler_gl_sampler.so")
LIMITED_DRIVER = os.path.join(ROOT, "build", "tests", "limited_driver", "libVkLayer_limited_driver.so")
CLAMPLER, LIMITED, ASKED = "VK_LAYER_CLAMPLER_gl_sampler", "VK_LAYER_CLAMPLER_TEST_limited_driver", "VK_LAYER_CLAMPLER_TEST_asked"


def add_options(words, name, seconds):
    words.add_argument("--short", action="store_true")
    words.add_argument("--jobs", type=int, default=os.cpu_count())
    words.add_argument("--profile", default="bare-samplers")
    words.add_argument("--descriptors")
    words.add_argument("--seconds", type=int, default=seconds)
    words.add_argument("--for", type=int, dest="limit")
    words.add_argument("--out", default=os.path.join(ROOT, "build", name))
    words.add_argument("regex", nargs="?")


def skip(why):
    print(f"{os.path.basename(sys.argv[0])}: skipped: {why}")
    sys.exit(77)


def build():
    for target in ("layer/all", "limited_driver", "asked_layer"):
        subprocess.run([os.path.join(ROOT, "scripts", "build"), "build", target], check=True)
    # Without them there is no OpenGL in any way, which looks like a machine without zink.
    needed = [os.path.join(ROOT, "build", *place) for place in (
        ("json", "VkLayer_CLAMPLER_gl_sampler.json"), ("tests", "limited_driver", "VkLayer_limited_driver.json"), ("tests", "piglit", "VkLayer_asked.json"))]
    absent = [path for path in needed + driver().split(":") if path and not os.path.exists(path)]
    if absent:
        print(f"{os.path.basename(sys.argv[0])}: not there: {', '.join(absent)}")
        sys.exit(1)


def driver():
    given = os.environ.get("VK_DRIVER_FILES")
    return given or next(iter(sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))), "")


# In the results of a program: how it ended after it had said them. It counts as no result, and what passes must not be lost.
ENDS = "at its end"


class Way:
    """One of the ways to run programs, and what was seen of it beside results."""

    def __init__(self, name, options, layers=(), zink=None, names_layer=False, offer=None):
        """Layers that stand in VK_INSTANCE_LAYERS; zink of the folder that examples/zink/install has made, or the system's;
        whether programs find the layer by themselves; what it offers unasked."""
        self.name, self.out, self.seconds = name, os.path.join(options.out, name), options.seconds
        self.begin(options)
        clean = {key: value for key, value in os.environ.items()
                 if not key.startswith(("VK_", "CLAMPLER_", "LIMITED_", "MESA_", "ZINK_", "GALLIUM_", "LIBGL_"))}
        # Loaders of 1.3.239 order layers as their folders are: the first is nearest the program.
        places = ["tests/piglit"] + ["json"] * (names_layer or CLAMPLER in layers) + ["tests/limited_driver"]
        self.environment = {
            **clean, "EGL_PLATFORM": "surfaceless", "LIBGL_ALWAYS_SOFTWARE": "1",
            # A cache of its own: no way reads what another has compiled. With it programs draw and ask Vulkan for what they do
            # without one.
            "MESA_SHADER_CACHE_DIR": os.path.join(self.out, "shaders"),
            "XDG_RUNTIME_DIR": self.out, "HOME": self.out, "VK_DRIVER_FILES": driver(), "VK_ICD_FILENAMES": driver(),
            "VK_LAYER_PATH": ":".join(os.path.join(ROOT, "build", place) for place in places),
            "VK_INSTANCE_LAYERS": ":".join(layers), "CLAMPLER_ASKED_FILE": self.file("asked")}
        if options.descriptors:
            self.environment["ZINK_DESCRIPTORS"] = options.descriptors
        if layers:
            # As on a GPU: on a processor zink puts uniforms into shaders, and then makes no pipeline libraries.
            self.environment.update(MESA_LOADER_DRIVER_OVERRIDE="zink", GALLIUM_DRIVER="zink", ZINK_INLINE_UNIFORMS="0")
        if zink:
            # Mesa loads drivers from there up to 24; from then on one library, which libEGL needs.
            self.environment["LIBGL_DRIVERS_PATH"] = self.environment["LD_LIBRARY_PATH"] = os.path.join(zink, "dri")
        if LIMITED in layers:
            self.environment.update(LIMITED_DRIVER_PROFILE=options.profile, LIMITED_DRIVER_LOG=self.file("violations"))
        if names_layer or CLAMPLER in layers:
            self.environment["VK_CLAMPLER_STATS_FILE"] = self.file("stats")
        if offer:
            self.environment["VK_CLAMPLER_OFFER"] = offer

    def begin(self, _options):
        """Nothing stays of an earlier run."""
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)

    def file(self, name):
        return os.path.join(self.out, name + ".txt")

    def lines(self, name):
        try:
            with open(self.file(name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def say(self, command, folder, log):
        """What a command says, all of which is kept, and what it ends with."""
        try:
            done = subprocess.run(["nice", "-n", "5"] + command, capture_output=True, text=True, errors="replace", timeout=self.seconds,
                                  env=self.environment, cwd=folder)
            said, status = done.stdout + done.stderr, f"status {done.returncode}"
        except subprocess.TimeoutExpired as ended:
            said, status = "\n".join((part or b"").decode(errors="replace") for part in (ended.stdout, ended.stderr)), "timeout"
        with open(os.path.join(self.out, log + ".log"), "w", encoding="utf-8") as file:
            file.write(said)
        return said, status

    def warnings(self):
        """What zink says that it lacks."""
        found = set()
        for path in glob.glob(os.path.join(self.out, "*.log")):
            with open(path, encoding="utf-8") as file:
                found.update(line for line in file.read().splitlines()
                             if re.search(r"ncorrect rendering|ZINK: .*(?:require|fail|lack)|MESA: error: (?:ZINK|zink)", line))
        return sorted(found)

    def asked(self):
        """What programs asked Vulkan for (tests/piglit/asked.c)."""
        total = {}
        for line in self.lines("asked"):
            words = line.split()
            for key, number in zip(words[::2], words[1::2]):
                total[key] = total.get(key, 0) + int(number)
        return total

    def stats(self):
        """The layer's counters: draws by tier, pipelines whose attachments are emulated."""
        total = {"draws": [0, 0, 0], "blend_variants": 0, "outputs_moved": 0}
        for line in self.lines("stats"):
            counters = json.loads(line)
            for key, number in total.items():
                more = counters[key]
                total[key] = [one + other for one, other in zip(number, more)] if isinstance(number, list) else number + more
        return total

    def emulated(self):
        stats = self.stats()
        return sum(stats["draws"][1:]) + stats["blend_variants"] + stats["outputs_moved"]


def zink_ways(kind, options, zink, bare_offer=None, system=None):
    """Ways of zink, each by `kind`: the system's (or that of the folder `system`), that of examples/zink/install in the folder
    `zink` (unless None) without the layer, with it, and on a driver that lacks something (bare_offer: what the layer offers
    there), and the system's on that driver with `offer`."""
    ways = {"system": kind("system", options, [ASKED], system)}
    if zink:
        ways.update(plain=kind("plain", options, [ASKED], zink),
                    layer=kind("layer", options, [ASKED], zink, names_layer=True),
                    # The layer is named here too, so that it stands above the driver that lacks something.
                    bare=kind("bare", options, [ASKED, CLAMPLER, LIMITED], zink, offer=bare_offer))
    ways["offered"] = kind("offered", options, [ASKED, CLAMPLER, LIMITED], system, offer="missing")
    return ways


class Report:
    """Results of all ways. What one way must keep of another's passes is in `kept`; what is lost runs again, alone, twice, and
    is unsteady if it then comes out otherwise."""

    def __init__(self, options, ways, compared, kept, first):
        self.options, self.ways = options, ways
        self.compared, self.kept, self.first = compared, kept, first
        self.versions = {name: way.version() for name, way in ways.items()}
        self.programs, self.results, self.ends, self.faults = 0, {}, {}, []
        self.chosen = not options.regex  # by the suite, so that it knows what these programs need
        self.lost, self.unsteady = {way: [] for way in kept}, {way: [] for way in kept}
        self.text = open(os.path.join(options.out, "report.txt"), "w", encoding="utf-8")

    def say(self, line):
        print(line, flush=True)
        print(line, file=self.text, flush=True)

    def run(self, wanted):
        started = time.monotonic()

        def all_ways(words):
            if self.options.limit and time.monotonic() - started > self.options.limit:
                return None
            return {name: way.run(words) for name, way in self.ways.items()}

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for words, results in zip(wanted, pool.map(all_ways, wanted)):
                if results:
                    self.add(words, results)
                elif self.chosen:
                    self.chosen = False
                    self.say(f"cut off: {len(self.results)} results, of which only losses are judged")
        for way, of in self.kept.items():
            self.run_again(way, of)

    def add(self, words, results):
        if results[self.first][""] == "timeout":
            self.say(f"{' '.join(words)}: takes too long on the full driver, and is not judged")
            return
        self.programs += 1
        for test in sorted({test for one in results.values() for test in one}):
            row = {name: results[name].get(test, "pass" if test == ENDS else "nothing") for name in self.ways}
            for way, of in self.kept.items():
                if row[of] == "pass" != row[way]:
                    self.lost[way].append((words, test))
            if test == ENDS:
                self.ends[" ".join(words)] = row
                continue
            self.results[" ".join(words), test] = row
            if len({row[name] for name in self.compared}) > 1:
                self.say(f"{' '.join(words)}{' / ' if test else ''}{test}: " + ", ".join(f"{name} {row[name]}" for name in self.ways))

    def run_again(self, way, of):
        again, kept = {}, []
        for words, test in self.lost[way]:
            line = " ".join(words)
            if line not in again:
                again[line] = [[self.ways[name].run(words, f".again{i}") for name in (of, way)] for i in range(2)]
            # Where the other took too long this time, it says nothing of this way.
            still = all(one.get("") == "timeout" or one.get(test) == "pass" != other.get(test) for one, other in again[line])
            (kept if still else self.unsteady[way]).append((words, test))
        self.lost[way] = kept

    def number(self, condition):
        return sum(1 for row in self.results.values() if condition(row))

    def say_way(self, name):
        way, counts = self.ways[name], {}
        for row in self.results.values():
            counts[row[name]] = counts.get(row[name], 0) + 1
        self.say(f"{name}: {self.versions[name][0]}, OpenGL {self.versions[name][1]}")
        self.say("    " + ", ".join(f"{number} {result}" for result, number in sorted(counts.items())))
        if way.environment["VK_INSTANCE_LAYERS"]:
            self.say("    pipelines: {libraries} libraries, {linked} linked, {whole} whole; {shaders} shader objects; {borders} samplers "
                     "with a border colour of their own; {sets} sets bound, {bytes} descriptors got as bytes".format(
                         **{**dict.fromkeys(("libraries", "linked", "whole", "shaders", "borders", "sets", "bytes"), 0), **way.asked()}))
        ends = [f"{line} ({row[name]})" for line, row in self.ends.items() if row[name] != "pass"]
        if ends:
            self.say(f"    said their result and did not end as they should: {', '.join(ends)}")
        for warning in way.warnings():
            self.say(f"    {warning}")
        if LIMITED in way.environment["VK_INSTANCE_LAYERS"]:
            self.say(f"    uses of what the driver lacks: {len(way.lines('violations'))}")
        if "VK_CLAMPLER_STATS_FILE" in way.environment:
            stats = way.stats()
            self.say("    draws by tier: {}, {}, {}; ".format(*stats["draws"]) + f"pipelines with blending of attachments without "
                     f"alpha {stats['blend_variants']}, with outputs in other channels {stats['outputs_moved']}")

    def like_full(self, name, full):
        """Faults of a way on the driver that lacks something, beside the same on the driver as it is."""
        way, full_way = self.ways[name], self.ways[full]
        if "VK_CLAMPLER_OFFER" in way.environment and self.versions[name][1] != self.versions[full][1]:
            self.faults.append(f"{name}: another version of OpenGL than on the full driver")
        if way.warnings() != full_way.warnings():
            self.faults.append(f"{name}: zink says something that it does not say on the full driver")
        # Where there are shader objects zink draws by them until a pipeline is compiled behind the program's back, so in a few
        # programs it is chance whether one needs libraries.
        if self.chosen and bool(full_way.asked().get("libraries")) != bool(way.asked().get("libraries")):
            self.faults.append(f"{name}: pipeline libraries are not used as on the full driver")
        if self.options.descriptors and not way.asked().get("bytes" if self.options.descriptors == "db" else "sets"):
            self.faults.append(f"{name}: no descriptors by {self.options.descriptors}")
        self.faults += [f"{name} used: {line}" for line in way.lines("violations")[:10]]
        if self.chosen and not way.emulated():
            self.faults.append(f"{name}: no draw was emulated")

    def judge_zink_ways(self, gains):
        """Says what is in zink_ways(), and what is at fault but losses; `gains`: something has to pass by the layer alone, by
        descriptors and libraries that are counted."""
        self.say("")
        for name in self.ways:
            self.say_way(name)
        gained = {way: self.number(lambda row, way=way: row["system"] != "pass" == row[way]) for way in self.ways}
        if "layer" in self.ways:
            if self.chosen and not self.ways["layer"].emulated():
                self.faults.append("layer: no draw was emulated")
            if gained["plain"]:
                self.faults.append("the patched zink without the layer is not as before")
            if gains and self.chosen and not gained["layer"]:
                self.faults.append("nothing passes with the layer alone: this shows nothing")
            self.like_full("bare", "layer")
        self.like_full("offered", "system")
        for name, way in self.ways.items() if gains and self.chosen else ():
            asked = way.asked()
            if not asked.get("sets") and not asked.get("bytes"):
                self.faults.append(f"{name}: no set was bound, and no descriptor got as bytes")
            if self.ways["system"].asked().get("libraries") and not (asked.get("libraries") and asked.get("linked")):
                self.faults.append(f"{name}: no pipeline was linked of libraries")
        passes = {way: self.number(lambda row, way=way: row[way] == "pass") for way in self.ways}
        self.say(f"{self.programs} programs, {len(self.results)} results. Passes: "
                 + ", ".join(f"{way} {number}" for way, number in passes.items()))
        self.say("Passes that system has not: " + ", ".join(f"{way} {n}" for way, n in gained.items() if way != "system"))
        self.say("Lost: " + ", ".join(f"{way} {len(lost)}" for way, lost in self.lost.items()) + "; unsteady: "
                 + ", ".join(f"{way} {len(tests)}" for way, tests in self.unsteady.items()))

    def judge_that_it_ran(self):
        """Faults of a run that shows nothing, whatever was chosen for it."""
        if not self.number(lambda row: row[self.first] == "pass"):
            self.faults.append(f"nothing passes in the way {self.first}: this shows nothing")
        for name, way in self.ways.items():
            if "VK_CLAMPLER_STATS_FILE" in way.environment and not way.lines("stats"):
                self.faults.append(f"{name}: the layer counted nothing: was it loaded?")

    def end(self):
        """The status."""
        self.judge_that_it_ran()
        for way, of in self.kept.items():
            for words, test in self.unsteady[way]:
                self.say(f"unsteady: {' '.join(words)} {test} ({way})")
            self.faults += [f"lost: {' '.join(words)} {test} ({way}, which {of} passes)" for words, test in self.lost[way]]
        for fault in self.faults:
            self.say(f"FAILED: {fault}")
        self.text.close()
        return 1 if self.faults else 0
