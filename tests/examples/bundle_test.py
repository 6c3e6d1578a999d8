#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A layer in a program's own folder, alone and beside installed copies of another version: which one is loaded.

    bundle_test.py CMAKE BUILD_FOLDER TEXTURED_QUAD
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

LIBRARY = "libVkLayer_clampler_gl_sampler.so"
MANIFEST = "VkLayer_CLAMPLER_gl_sampler.json"


def install(cmake, build, prefix, *more):
    subprocess.run([cmake, "--install", build, "--prefix", prefix, *more], capture_output=True, check=True)


class Machine:
    def __init__(self, work, cmake, build, quad):
        self.work = work
        self.program, self.system, self.users = work / "program", work / "system", work / "users"
        install(cmake, build, self.program, "--component", "bundle")
        self.bundled = self.program / "layers"
        self.quad = shutil.copy(quad, self.program)
        # Copies of other versions: a newer one as packages install it, an older one in a folder of the user's.
        (self.system / "lib").mkdir(parents=True)
        shutil.copy(self.bundled / LIBRARY, self.system / "lib")
        for kind in ("explicit", "implicit"):
            folder = self.system / f"share/vulkan/{kind}_layer.d"
            folder.mkdir(parents=True)
            self.rewrite(shutil.copy(pathlib.Path(build, "json/install", kind, MANIFEST), folder),
                         implementation_version="7", library_path=f"../../../lib/{LIBRARY}")
        self.users.mkdir()
        shutil.copy(self.bundled / LIBRARY, self.users)
        self.rewrite(shutil.copy(pathlib.Path(build, "json/install/explicit", MANIFEST), self.users),
                     implementation_version="0", library_path=f"./{LIBRARY}")

    @staticmethod
    def rewrite(path, **values):
        path = pathlib.Path(path)
        manifest = json.loads(path.read_text())
        manifest["layer"].update(values)
        path.write_text(json.dumps(manifest))

    def run(self, **more):
        """What the program says it draws with, and the folders that its copies of the layer came from."""
        icd = os.environ.get("VK_DRIVER_FILES") or str(next(pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json")))
        env = {"PATH": os.environ["PATH"], "HOME": str(self.work / "home"), "VK_DRIVER_FILES": icd, "VK_ICD_FILENAMES": icd,
               "XDG_DATA_DIRS": str(self.work / "nothing"), "ASAN_OPTIONS": "detect_leaks=0", "LD_DEBUG": "files",
               **{name: str(value) for name, value in more.items()}}
        done = subprocess.run([self.quad, self.work / "picture.ppm"], env=env, capture_output=True, text=True, check=False)
        loaded = sorted({os.path.realpath(line.split("calling init:")[1].strip()) for line in done.stderr.splitlines()
                         if "calling init:" in line and LIBRARY in line})
        says = done.stdout.split(":")[0].strip() if done.returncode == 0 else f"status {done.returncode}"
        self.picture = (self.work / "picture.ppm").read_bytes()
        return says, [pathlib.Path(path).parent for path in loaded]


def expect_loaded(machine, what, folders, **environment):
    says, loaded = machine.run(**environment)
    wanted = "GL state" if folders else "no VK_LAYER_CLAMPLER_gl_sampler"
    good = says == wanted and loaded == [folder.resolve() for folder in folders]
    expect(good, what, f"{says}; loaded from {[str(f) for f in loaded]}")


def main():
    cmake, build, quad = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        machine = Machine(pathlib.Path(work), cmake, build, quad)
        installed = {"XDG_DATA_DIRS": machine.system / "share"}
        bundled, system, users = machine.bundled, machine.system / "lib", machine.users

        expect_loaded(machine, "the bundled layer alone", [bundled])
        alone = machine.picture
        expect_loaded(machine, "beside an installed one", [bundled], **installed)
        expect_loaded(machine, "beside one in VK_ADD_LAYER_PATH", [bundled], VK_ADD_LAYER_PATH=users)
        # Both are loaded, and the one that the program asked for is above: it takes the extension.
        expect_loaded(machine, "beside an installed one that CLAMPLER_ENABLE turns on", [bundled, system],
                      CLAMPLER_ENABLE=1, **installed)
        expect(machine.picture == alone, "and draws the same")
        expect_loaded(machine, "beside an installed one that VK_INSTANCE_LAYERS names", [bundled, system],
                      VK_INSTANCE_LAYERS="VK_LAYER_CLAMPLER_gl_sampler", **installed)
        expect(machine.picture == alone, "and draws the same")
        expect_loaded(machine, "VK_LAYER_PATH is the user's word", [users], VK_LAYER_PATH=users)
        (bundled / LIBRARY).rename(bundled / "away")
        expect_loaded(machine, "a bundle without its library", [], **installed)
        (bundled / "away").rename(bundled / LIBRARY)
        bundled.rename(machine.program / "away")
        expect_loaded(machine, "the installed one where there is no bundle", [system], **installed)
        expect_loaded(machine, "none at all", [])
    finish("bundle_test")


main()
