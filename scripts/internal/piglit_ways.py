# SPDX-License-Identifier: MIT
"""What scripts/suites/piglit and scripts/suites/translator have in common: piglit's programs, in the ways of opengl_ways.py."""
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess

import opengl_ways as opengl

PACKAGES = ["piglit", "libgl1-mesa-dri", "mesa-vulkan-drivers", "libegl1", "libglx-mesa0", "libegl-mesa0"]


def add_options(words, name):
    opengl.add_options(words, name, seconds=120)
    words.add_argument("--install", action="store_true")
    words.add_argument("--most", type=int, default=2)
    words.add_argument("--resume", action="store_true")


def install():
    """The packages, by what real-programs gets its own by."""
    script = f'. "{opengl.ROOT}/tests/real_programs/screen.sh"; get_packages piglit {" ".join(PACKAGES)}'
    subprocess.run(["sh", "-euc", script], check=True)


def programs_folder():
    found = next(iter(glob.glob("/usr/lib/*/piglit/bin") + glob.glob("/usr/lib/piglit/bin")), None)
    if not found or not shutil.which("piglit"):
        opengl.skip("piglit is not there; --install gets it from Debian (150 MB)")
    return found


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
        for line in short:
            if line not in known:
                print(f"this piglit has no such command line: {line}", flush=True)
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


class Way(opengl.Way):
    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.folder = programs_folder()
        # Some programs read shaders, from where Debian built piglit unless told.
        self.environment.update(PIGLIT_PLATFORM="surfaceless_egl", PIGLIT_SOURCE_DIR=os.path.dirname(self.folder))
        identity = self.identity()
        if self.lines("identity") != [identity]:
            super().begin(None)
            with open(self.file("identity"), "w", encoding="utf-8") as file:
                file.write(identity + "\n")
        self.ended = {" ".join(words): results for words, results in map(json.loads, self.lines("results"))}

    def begin(self, options):
        """What has ended stays if the run goes on where it was cut off: a line of results for each program."""
        if not options.resume:
            super().begin(options)
        os.makedirs(self.out, exist_ok=True)

    def identity(self):
        """By what results come about: of another layer, zink, driver or setting none stays."""
        parts = [opengl.LAYER] * ("VK_CLAMPLER_STATS_FILE" in self.environment)
        parts += [opengl.LIMITED_DRIVER] * ("LIMITED_DRIVER_PROFILE" in self.environment)
        parts += sorted(glob.glob(os.path.join(self.environment.get("LIBGL_DRIVERS_PATH", "/none"), "*")))
        parts += [path for path in self.environment["VK_DRIVER_FILES"].split(":") if os.path.isfile(path)]
        found = hashlib.sha256()
        for path in parts:
            with open(path, "rb") as file:
                found.update(file.read())
        packages = subprocess.run(["dpkg-query", "-W", *PACKAGES], capture_output=True, text=True, check=False).stdout
        settings = {key: self.environment.get(key) for key in (
            "VK_INSTANCE_LAYERS", "LIMITED_DRIVER_PROFILE", "VK_CLAMPLER_OFFER", "ZINK_DESCRIPTORS", "VK_DRIVER_FILES")}
        return f"{found.hexdigest()[:16]} {settings} {' '.join(packages.split())}"

    def run(self, words, suffix=""):
        """What a program came to: its result and those of its subtests. With a suffix it runs again, whatever it came to before."""
        line = " ".join(words)
        if line in self.ended and not suffix:
            return self.ended[line]
        results = self.run_once(words, suffix)
        if not suffix:
            with open(self.file("results"), "a", encoding="utf-8") as file:
                file.write(json.dumps([words, results]) + "\n")
        return results

    def run_once(self, words, suffix):
        """All that it said is kept."""
        command = [os.path.join(self.folder, words[0])] + words[1:] + ["-auto", "-fbo"]
        said, status = self.say(command, os.path.dirname(self.folder), re.sub(r"[^\w.-]", "_", " ".join(words)) + suffix)
        results = {}
        for line in said.splitlines():
            if line.startswith("PIGLIT: "):
                try:
                    told = json.loads(line[8:])
                except ValueError:  # a name with quotes in it
                    continue
                told = told.get("subtest", {"": told["result"]} if "result" in told else {})
                for name, result in told.items():
                    name = name.removesuffix(" (fbo incomplete)")  # a reason, of fbo-*-formats
                    if results.get(name, "pass") == "pass":  # some names come more than once: what is lost once is lost
                        results[name] = result
        if "" not in results:
            return {**results, "": status}
        # The result is what a program says last, and then it calls exit(): how it ends is a result of its own.
        killed = status == "timeout" or status.startswith("status -") or (results[""] == "pass" and status != "status 0")
        return {**results, opengl.ENDS: status if killed else "pass"}

    def version(self):
        self.run(["glinfo"])
        with open(os.path.join(self.out, "glinfo.log"), encoding="utf-8") as file:
            found = dict(re.findall(r"^GL_(RENDERER|VERSION) = (.*)$", file.read(), re.M))
        return found.get("RENDERER", "no OpenGL"), found.get("VERSION", "")
