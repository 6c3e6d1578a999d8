# SPDX-License-Identifier: MIT
"""What scripts/suites/piglit and scripts/suites/translator have in common: piglit's programs, run in several ways, each of which
has a driver of OpenGL, layers and settings of its own, and a report that compares the results of subtests one by one."""
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
PACKAGES = ["piglit", "libgl1-mesa-dri", "mesa-vulkan-drivers", "libegl1", "libglx-mesa0", "libegl-mesa0"]
CLAMPLER, LIMITED, ASKED = "VK_LAYER_CLAMPLER_gl_sampler", "VK_LAYER_CLAMPLER_TEST_limited_driver", "VK_LAYER_CLAMPLER_TEST_asked"


def add_options(words, name):
    words.add_argument("--install", action="store_true")
    words.add_argument("--short", action="store_true")
    words.add_argument("--most", type=int, default=2)
    words.add_argument("--jobs", type=int, default=os.cpu_count())
    words.add_argument("--profile", default="bare-samplers")
    words.add_argument("--descriptors")
    words.add_argument("--seconds", type=int, default=120)
    words.add_argument("--for", type=int, dest="limit")
    words.add_argument("--out", default=os.path.join(ROOT, "build", name))
    words.add_argument("regex", nargs="?")


def skip(why):
    print(f"{os.path.basename(sys.argv[0])}: skipped: {why}")
    sys.exit(77)


def install():
    """The packages, by what real-programs gets its own by."""
    script = f'. "{ROOT}/tests/real_programs/screen.sh"; get_packages piglit {" ".join(PACKAGES)}'
    subprocess.run(["sh", "-euc", script], check=True)


def build():
    for target in ("layer/all", "limited_driver", "asked_layer"):
        subprocess.run([os.path.join(ROOT, "scripts", "build"), "build", target], check=True)


def programs_folder():
    found = next(iter(glob.glob("/usr/lib/*/piglit/bin") + glob.glob("/usr/lib/piglit/bin")), None)
    if not found or not shutil.which("piglit"):
        skip("piglit is not there; --install gets it from Debian (150 MB)")
    return found


def driver():
    given = os.environ.get("VK_DRIVER_FILES")
    return given or next(iter(sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))), "")


def command_lines(options, folder, wanted, unwanted, more, short):
    """Programs with their arguments, each once: those of `short`, those that have the regular expression, or those that are
    wanted by name, `most` command lines of each, and `more` times as many of some."""
    listed = subprocess.run(["piglit", "print-cmd", "quick_gl"], capture_output=True, text=True, check=False).stdout
    by_program = {}
    for line in listed.splitlines():
        words = line.partition(" ::: ")[2].split()
        name = os.path.basename(words[0]) if words else ""
        words = [name] + [word for word in words[1:] if word not in ("-auto", "-fbo")]
        if not name.startswith("shader_runner") and os.access(os.path.join(folder, name), os.X_OK):
            by_program.setdefault(name, {})[" ".join(words)] = words
    if options.short:
        known = {line: words for lines in by_program.values() for line, words in lines.items()}
        return [known[line] for line in short if line in known]
    taken = []
    for name, lines in by_program.items():
        if options.regex:
            lines = {line: words for line, words in lines.items() if re.search(options.regex, line)}
        elif not re.search(wanted, name) or re.search(unwanted, name):
            continue
        every = list(lines.values())
        number = min(len(every), options.most * more.get(name, 1))
        taken += [every[i * len(every) // number] for i in range(number)]
    return taken


class Way:
    """One of the ways to run programs, and what was seen of it beside results."""

    def __init__(self, name, options, layers=(), folder=None, names_layer=False, offer=None):
        """Layers that stand in VK_INSTANCE_LAYERS; zink of the folder that examples/zink/install has made, or the system's;
        whether programs find the layer by themselves; what it offers unasked."""
        self.name, self.out, self.seconds = name, os.path.join(options.out, name), options.seconds
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)
        clean = {key: value for key, value in os.environ.items()
                 if not key.startswith(("VK_", "CLAMPLER_", "LIMITED_", "MESA_", "ZINK_", "GALLIUM_", "LIBGL_"))}
        # Loaders of 1.3.239 order layers as their folders are: the first is nearest the program.
        places = ["tests/piglit"] + ["json"] * (names_layer or CLAMPLER in layers) + ["tests/limited_driver"]
        self.environment = {
            **clean, "PIGLIT_PLATFORM": "surfaceless_egl", "LIBGL_ALWAYS_SOFTWARE": "1", "MESA_SHADER_CACHE_DISABLE": "true",
            "XDG_RUNTIME_DIR": self.out, "HOME": self.out, "VK_DRIVER_FILES": driver(), "VK_ICD_FILENAMES": driver(),
            "VK_LAYER_PATH": ":".join(os.path.join(ROOT, "build", place) for place in places),
            "VK_INSTANCE_LAYERS": ":".join(layers), "CLAMPLER_ASKED_FILE": self.file("asked"),
            # Some programs read shaders, from where Debian built piglit unless told.
            "PIGLIT_SOURCE_DIR": os.path.dirname(programs_folder())}
        if options.descriptors:
            self.environment["ZINK_DESCRIPTORS"] = options.descriptors
        if layers:
            # As on a GPU: on a processor zink puts uniforms into shaders, and then makes no pipeline libraries.
            self.environment.update(MESA_LOADER_DRIVER_OVERRIDE="zink", GALLIUM_DRIVER="zink", ZINK_INLINE_UNIFORMS="0")
        if folder:
            # Mesa loads drivers from there up to 24; from then on one library, which libEGL needs.
            self.environment["LIBGL_DRIVERS_PATH"] = self.environment["LD_LIBRARY_PATH"] = os.path.join(folder, "dri")
        if LIMITED in layers:
            self.environment.update(LIMITED_DRIVER_PROFILE=options.profile, LIMITED_DRIVER_LOG=self.file("violations"))
        if names_layer or CLAMPLER in layers:
            self.environment["VK_CLAMPLER_STATS_FILE"] = self.file("stats")
        if offer:
            self.environment["VK_CLAMPLER_OFFER"] = offer

    def file(self, name):
        return os.path.join(self.out, name + ".txt")

    def lines(self, name):
        try:
            with open(self.file(name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def run(self, words, folder, suffix=""):
        """What a program came to: its result and those of its subtests. All that it said is kept."""
        command = ["nice", "-n", "5", os.path.join(folder, words[0])] + words[1:] + ["-auto", "-fbo"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=self.seconds,
                                  env=self.environment, cwd=os.path.dirname(folder))
            said, status = done.stdout + done.stderr, f"status {done.returncode}"
        except subprocess.TimeoutExpired as ended:
            said, status = "\n".join((part or b"").decode(errors="replace") for part in (ended.stdout, ended.stderr)), "timeout"
        with open(os.path.join(self.out, re.sub(r"[^\w.-]", "_", " ".join(words)) + suffix + ".log"), "w", encoding="utf-8") as file:
            file.write(said)
        results = {}
        for line in said.splitlines():
            if line.startswith("PIGLIT: "):
                try:
                    told = json.loads(line[8:])
                except ValueError:  # a name with quotes in it
                    continue
                told = told.get("subtest", {"": told["result"]} if "result" in told else {})
                # fbo-*-formats put a reason behind some names.
                results.update({name.removesuffix(" (fbo incomplete)"): result for name, result in told.items()})
        return results if "" in results and status != "timeout" else {**results, "": status}

    def version(self, folder):
        self.run(["glinfo"], folder)
        with open(os.path.join(self.out, "glinfo.log"), encoding="utf-8") as file:
            found = dict(re.findall(r"^GL_(RENDERER|VERSION) = (.*)$", file.read(), re.M))
        return found.get("RENDERER", "no OpenGL"), found.get("VERSION", "")

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


class Report:
    """Results of all ways. What one way must keep of another's passes is in `kept`; what is lost runs again, alone, twice, and
    is unsteady if it then comes out otherwise."""

    def __init__(self, options, ways, folder, compared, kept, first):
        self.options, self.ways, self.folder = options, ways, folder
        self.compared, self.kept, self.first = compared, kept, first
        self.versions = {name: way.version(folder) for name, way in ways.items()}
        self.programs, self.results, self.faults = 0, {}, []
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
            return {name: way.run(words, self.folder) for name, way in self.ways.items()}

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for words, results in zip(wanted, pool.map(all_ways, wanted)):
                if results:
                    self.add(words, results)
        for way, of in self.kept.items():
            self.run_again(way, of)

    def add(self, words, results):
        if results[self.first][""] == "timeout":
            self.say(f"{' '.join(words)}: takes too long on the full driver, and is not judged")
            return
        self.programs += 1
        for test in sorted({test for one in results.values() for test in one}):
            row = {name: results[name].get(test, "nothing") for name in self.ways}
            self.results[" ".join(words), test] = row
            for way, of in self.kept.items():
                if row[of] == "pass" != row[way]:
                    self.lost[way].append((words, test))
            if len({row[name] for name in self.compared}) > 1:
                self.say(f"{' '.join(words)}{' / ' if test else ''}{test}: " + ", ".join(f"{name} {row[name]}" for name in self.ways))

    def run_again(self, way, of):
        again, kept = {}, []
        for words, test in self.lost[way]:
            line = " ".join(words)
            if line not in again:
                again[line] = [[self.ways[name].run(words, self.folder, f".again{i}") for name in (of, way)] for i in range(2)]
            still = all(one.get(test) == "pass" != other.get(test) for one, other in again[line])
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
            self.say("    pipelines: {libraries} libraries, {linked} linked, {whole} whole; {borders} samplers with a border "
                     "colour of their own; {sets} sets bound, {bytes} descriptors got as bytes".format(
                         **{"libraries": 0, "linked": 0, "whole": 0, "borders": 0, "sets": 0, "bytes": 0, **way.asked()}))
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
        if bool(full_way.asked().get("libraries")) != bool(way.asked().get("libraries")):
            self.faults.append(f"{name}: pipeline libraries are not used as on the full driver")
        if self.options.descriptors and not way.asked().get("bytes" if self.options.descriptors == "db" else "sets"):
            self.faults.append(f"{name}: no descriptors by {self.options.descriptors}")
        self.faults += [f"{name} used: {line}" for line in way.lines("violations")[:10]]
        if not way.emulated():
            self.faults.append(f"{name}: no draw was emulated")

    def end(self):
        """The status."""
        for way, of in self.kept.items():
            for words, test in self.unsteady[way]:
                self.say(f"unsteady: {' '.join(words)} {test} ({way})")
            self.faults += [f"lost: {' '.join(words)} {test} ({way}, which {of} passes)" for words, test in self.lost[way]]
        for fault in self.faults:
            self.say(f"FAILED: {fault}")
        self.text.close()
        return 1 if self.faults else 0
