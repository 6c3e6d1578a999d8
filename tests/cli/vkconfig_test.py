#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the doctor reads in Vulkan Configurator's two files, whatever stands there. What programs then get by the real
loader is for tests/packaging/vkconfig/doctor_test.py.

    vkconfig_test.py CLAMPLER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

LAYER = "VK_LAYER_CLAMPLER_gl_sampler"
OVERRIDE = "implicit_layer.d/VkLayer_override.json"
SETTINGS = "loader_settings.d/vk_loader_settings.json"
READS_SETTINGS = (1, 3, 256)
LEFT_OUT = "has loaders look at the layers alone that it lists, and this one is not among them"


def settings(layers, keys=None):
    return {"layers": layers, **({"app_keys": keys} if keys else {})}


def layer(path, **rest):
    return {"name": LAYER, "path": path, **rest}


def override(**rest):
    return {"layer": {"name": "VK_LAYER_LUNARG_override", "type": "GLOBAL", "disable_environment": {"X": "1"}, **rest}}


class Doctor:
    def __init__(self, clampler, folder):
        self.clampler, self.home = clampler, folder / "home"
        said = self.run({}, [])
        self.loader = tuple(int(part) for part in re.search(r"oader[^\n]*?(\d+)\.(\d+)\.(\d+)", said).groups())

    def run(self, variables, arguments):
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_DATA_DIRS": "/nonexistent",
               "XDG_CONFIG_DIRS": "/nonexistent", "VK_DRIVER_FILES": os.environ.get("VK_DRIVER_FILES", ""), **variables}
        return subprocess.run([self.clampler, "doctor", *arguments], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False).stdout

    def put(self, where, content):
        path = self.home / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def says(self, what, file, content, said, program=None, variables={}, folder=".local/share/vulkan"):
        """`said` is all that the doctor's line of the file has behind its path."""
        path = self.put(folder + "/" + file, content)
        if file == SETTINGS and self.loader < READS_SETTINGS:
            said = "has no say: loaders before 1.3.256 do not read it"
        output = self.run(variables, ["--program", program] if program else [])
        lines = [line.strip() for line in output.splitlines()]
        expect(f"{path} {said}" in lines, f"{what}: {said}", output)
        path.unlink()


def check_settings(doctor, here, gone):
    other, another = "/usr/bin/another", "/opt/another/game"
    on, off = [layer(here, control="on")], [layer(here, control="off")]
    rows = [
        ("no JSON", "{", "has no say: it is not JSON", None),
        ("an empty file", "", "has no say: it is not JSON", None),
        ("nothing in it", {}, "has no say: it is for other programs", None),
        ("no layers", {"settings": {}}, "says nothing of the layer", None),
        ("on", {"settings": settings(on)}, "turns the layer on, by " + here, None),
        ("off", {"settings": settings(off)}, "turns the layer off", None),
        ("auto, implicit", {"settings": settings([layer(here, control="auto", treat_as_implicit_manifest=True)])},
         "leaves the layer to variables and programs, by " + here, None),
        ("without a control", {"settings": settings([layer(here, treat_as_implicit_manifest=True)])},
         "leaves the layer to variables and programs, by " + here, None),
        ("auto, explicit", {"settings": settings([layer(here, control="auto", treat_as_implicit_manifest=False)])},
         f"has loaders take {here}, an explicit manifest: CLAMPLER_ENABLE does nothing", None),
        ("auto, neither", {"settings": settings([layer(here)])},
         f"has loaders take {here}, an explicit manifest: CLAMPLER_ENABLE does nothing", None),
        ("a manifest that is gone", {"settings": settings([layer(gone, control="on")])},
         f"{LEFT_OUT} (it lists {gone}, which is not there)", None),
        ("gone, and others are looked for", {"settings": settings([layer(gone), {"control": "unordered_layer_location"}])},
         f"says nothing of the layer (it lists {gone}, which is not there)", None),
        ("gone, and others were looked for before", {"settings": settings([{"control": "unordered_layer_location"}, layer(gone)])},
         f"says nothing of the layer (it lists {gone}, which is not there)", None),
        ("others alone", {"settings": settings([{"name": "VK_LAYER_other", "path": here, "control": "on"}])}, LEFT_OUT, None),
        ("off beats a manifest that is gone", {"settings": settings([layer(gone, control="off")])}, "turns the layer off", None),
        ("for another", {"settings": settings(on, [other])}, "has no say: it is for other programs", None),
        ("for this one", {"settings": settings(on, [other, another])}, "turns the layer on, by " + here, another),
        ("for this one by its name", {"settings": settings(on, [other, another])}, "turns the layer on, by " + here, "game"),
        ("a path is no name", {"settings": settings(on, [other, another])}, "has no say: it is for other programs",
         "/usr/game"),
        ("the list's first without keys is for all", {"settings_array": [settings(off), settings(on)]},
         "turns the layer off", None),
        ("the one with the program's key", {"settings_array": [settings(off), settings(on, [another])]},
         "turns the layer on, by " + here, another),
        ("the first of those", {"settings_array": [settings(off, [other]), settings(on, [another]), settings(off, [another])]},
         "turns the layer on, by " + here, another),
        ("a list without one for all", {"settings_array": [settings(on, [other])]}, "has no say: it is for other programs",
         None),
        ("a list goes before settings", {"settings": settings(off), "settings_array": [settings(on)]},
         "turns the layer on, by " + here, None),
    ]
    for what, content, said, program in rows:
        doctor.says(what, SETTINGS, content, said, program)
    for folder, variables in [(".config/vulkan", {}), ("c/vulkan", {"XDG_CONFIG_HOME": str(doctor.home / "c")}),
                              ("d/vulkan", {"XDG_DATA_HOME": str(doctor.home / "d")}),
                              ("e/vulkan", {"XDG_CONFIG_DIRS": f"/nonexistent:{doctor.home / 'e'}"}),
                              ("f/vulkan", {"XDG_DATA_DIRS": f"{doctor.home / 'f'}:/nonexistent"})]:
        doctor.says("in " + folder, SETTINGS, rows[5][1], rows[5][2], None, variables, folder)


def check_override(doctor, folder):
    """All loaders read that one."""
    another, empty = "/opt/another/game", folder / "empty"
    empty.mkdir()
    rows = [
        ("on", {"component_layers": ["VK_LAYER_other", LAYER]}, "turns the layer on", None, {}),
        ("off", {"blacklisted_layers": ["VK_LAYER_other", LAYER]}, "turns the layer off", None, {}),
        ("off beats on", {"blacklisted_layers": [LAYER], "component_layers": [LAYER]}, "turns the layer off", None, {}),
        ("nothing", {}, "says nothing of the layer", None, {}),
        ("folders without the layer", {"override_paths": [str(empty), "/nonexistent"]},
         f"has loaders look for explicit layers in {empty}:/nonexistent alone", None, {}),
        ("folders with it", {"override_paths": [str(empty), str(folder / "full")]}, "says nothing of the layer", None, {}),
        ("no folders", {"override_paths": []}, "says nothing of the layer", None, {}),
        ("another program's", {"component_layers": [LAYER], "app_keys": ["/usr/bin/another"]},
         "has no say: it is for other programs", None, {}),
        ("the program's", {"component_layers": [LAYER], "app_keys": [another]}, "turns the layer on", another, {}),
        ("disabled", {"component_layers": [LAYER]}, "has no say: DISABLE_VK_LAYER_LUNARG_override is set", None,
         {"DISABLE_VK_LAYER_LUNARG_override": "1"}),
    ]
    for what, content, said, program, variables in rows:
        doctor.says("vkconfig 2, " + what, OVERRIDE, override(**content), said, program, variables)


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        doctor = Doctor(sys.argv[1], folder)
        manifest = folder / "full/VkLayer_CLAMPLER_gl_sampler.json"
        manifest.parent.mkdir()
        manifest.write_text("{}", encoding="utf-8")
        check_settings(doctor, str(manifest), str(folder / "gone.json"))
        check_override(doctor, folder)
    finish("loader %d.%d.%d" % doctor.loader)


if __name__ == "__main__":
    main()
