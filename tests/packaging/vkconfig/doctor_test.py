#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clampler doctor and run under what vkconfig writes: the verdict is what a program then gets, and says which file it is.

    doctor_test.py CMAKE BUILD_FOLDER LAYER_PROBE
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness"))
from checks import expect, finish
import configurations
from configurations import AUTO, DISCARD, OFF, ON
from loader_test import BY_NAME, BY_VARIABLE, LAYER, OTHER, READS_SETTINGS, VALIDATION, Machine, loader_version


def run(command, env):
    result = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return result.returncode, result.stdout


class Clampler:
    def __init__(self, machine, build):
        self.machine, self.installed, self.built = machine, machine.usr / "bin/clampler", build / "bin/clampler"

    def verdict(self, what, way, said, program):
        """The doctor agrees with the program, and its last line, or else another, has `said`."""
        gets = self.machine.listed(way) == 1
        arguments = ["--program", program] if program else []
        status, output = run([self.installed, "doctor", *arguments], self.machine.environment(way))
        last = output.strip().splitlines()[-1]
        good = (status == 0) == gets and last.startswith("Verdict: OK: ") == gets
        expect(good and said in output, "%s, asked for by %s: gets it %s, \"%s\"" % (what, way or "nobody", gets, said),
               output)

    def check(self, what, said, program=None):
        for way in [None, BY_VARIABLE, BY_NAME]:
            self.verdict(what, way, said, program)

    def run(self, what, said, clampler):
        status, output = run([clampler, "run", self.machine.probe], self.machine.environment(None))
        expect(said in output if said else output in ("0\n", "1\n"), "run, %s: \"%s\"" % (what, said), output)


def check_2(clampler):
    machine = clampler.machine
    file = str(machine.home / configurations.OVERRIDE_FILE)
    probe = str(pathlib.Path(machine.probe).resolve())
    for controls, said in [({LAYER: ON}, "turns the layer on"), ({LAYER: OFF}, "turns the layer off"),
                           ({}, "says nothing of the layer")]:
        for program in [None, probe]:
            machine.forget()
            configurations.write_2(machine.home, machine.prefixes, controls, program)
            clampler.check("vkconfig 2, %s for %s" % (controls, program), "%s %s" % (file, said), program)
    machine.forget()
    configurations.write_2(machine.home, machine.prefixes, {LAYER: ON}, "/usr/bin/another")
    clampler.check("vkconfig 2 for another", file + " has no say: it is for other programs", probe)
    if VALIDATION.exists():
        machine.forget()
        configurations.write_2(machine.home, machine.prefixes, {OTHER: ON})
        clampler.check("vkconfig 2, another is on", "%s has loaders look for explicit layers in %s" % (file, machine.other))
        clampler.run("another is on", "vkconfig's %s has loaders look for explicit layers" % file, clampler.built)
    machine.forget()
    configurations.write_2(machine.home, machine.prefixes, {LAYER: OFF})
    clampler.run("off", "vkconfig's %s turns the layer off" % file, clampler.installed)


def check_3(clampler, reads):
    machine = clampler.machine
    file = str(machine.home / configurations.SETTINGS_FILE)
    probe = str(pathlib.Path(machine.probe).resolve())
    manifest = str(machine.usr / "share/vulkan/implicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json")
    unread = "has no say: loaders before 1.3.256 do not read it"
    for controls, said in [({LAYER: ON}, "turns the layer on, by " + manifest), ({LAYER: OFF}, "turns the layer off"),
                           ({}, "leaves the layer to variables and programs, by " + manifest),
                           ({LAYER: DISCARD}, "says nothing of the layer")]:
        for program in [None, probe]:
            machine.forget()
            configurations.write_3(machine.home, machine.prefixes, controls, program)
            clampler.check("vkconfig 3, %s for %s" % (controls, program), "%s %s" % (file, said if reads else unread), program)
            if controls == {}:
                clampler.run("left to programs", "", clampler.installed)
    machine.forget()
    configurations.write_3(machine.home, machine.prefixes, {LAYER: ON}, "/usr/bin/another")
    clampler.check("vkconfig 3 for another", "says nothing of the layer" if reads else unread, probe)
    for control, said in [(AUTO, "leaves the layer"), (DISCARD, "has loaders look at the layers alone that it lists")]:
        machine.forget()
        configurations.write_3(machine.home, machine.prefixes, {LAYER: control}, unordered=False)
        clampler.check("vkconfig 3, %s and nothing else" % control, said if reads else unread)
    if not reads:
        return
    clampler.run("left out", "has loaders look at the layers alone that it lists", clampler.installed)
    machine.forget()
    configurations.write_3(machine.home, machine.prefixes, {LAYER: OFF}, probe)
    clampler.run("off for the program", "vkconfig's %s turns the layer off" % file, clampler.installed)
    # What an older installation may have left behind: the explicit manifest in the list.
    machine.forget()
    configurations.write_3(machine.home, machine.prefixes, {})
    path = machine.home / configurations.SETTINGS_FILE
    content = json.loads(path.read_text(encoding="utf-8"))
    for layer in content["settings_array"][0]["layers"]:
        if layer.get("name") == LAYER:
            layer.update(path=layer["path"].replace("implicit", "explicit"), treat_as_implicit_manifest=False)
    configurations.write(path, content)
    clampler.check("an explicit manifest in the list", "an explicit manifest: CLAMPLER_ENABLE does nothing")
    clampler.run("the build folder's", "vkconfig's %s has loaders take" % file, clampler.built)


def check_silence(clampler):
    """Validation has much to say of what the doctor does, and nobody asked it."""
    machine = clampler.machine
    machine.forget()
    if not VALIDATION.exists():
        return
    env = {**machine.environment(None), "VK_INSTANCE_LAYERS": LAYER + ":" + OTHER, "VK_LAYER_SETTINGS_PATH": str(machine.home)}
    env["VK_KHRONOS_VALIDATION_REPORT_FLAGS"] = "error,warn,perf,info,debug"
    machine.home.mkdir(exist_ok=True)
    (machine.home / "vk_layer_settings.txt").write_text(
        "khronos_validation.report_flags = error,warn,perf,info,debug\n"
        "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n", encoding="utf-8")
    talk = run([machine.probe], env)[1]
    expect("alidation" in talk, "the validation layer speaks", talk)
    status, output = run([clampler.installed, "doctor"], env)
    # The doctor's own line about the order names all layers.
    others = "\n".join(line for line in output.splitlines() if "order of layers" not in line)
    expect(status == 0 and "alidation" not in others and "VUID" not in others, "the doctor is not interrupted", output)
    status, output = run([clampler.installed, "caps", "--json"], env)
    try:
        good = json.loads(output)[0]["semantics"]["clamp"] == "emulated"
    except ValueError:
        good = False
    expect(good, "caps writes JSON alone", output[:2000])


def main():
    cmake, build, probe = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    loader = loader_version()
    with tempfile.TemporaryDirectory() as work:
        clampler = Clampler(Machine(pathlib.Path(work), "usr", build, cmake, probe), build)
        clampler.check("without vkconfig", "Manifests:")
        check_2(clampler)
        check_3(clampler, loader >= READS_SETTINGS)
        check_silence(clampler)
        clampler.machine.forget()
        clampler.run("nothing in the way", "", clampler.installed)
        clampler.run("another copy", "another copy of the layer is installed", clampler.built)
    finish("loader %d.%d.%d" % loader)


if __name__ == "__main__":
    main()
