#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The layer under every configuration of vkconfig, with this machine's loader: both ways of enabling it work, whichever of
the installed manifests vkconfig takes and whenever they were written.

    loader_test.py CMAKE BUILD_FOLDER LAYER_PROBE
"""

import ctypes
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness"))
from checks import expect, finish
import configurations
from configurations import AUTO, DISCARD, OFF, ON

LAYER = "VK_LAYER_CLAMPLER_gl_sampler"
OTHER = "VK_LAYER_KHRONOS_validation"
VALIDATION = pathlib.Path("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json")
FINDS_IMPLICIT_BY_NAME = (1, 3, 250)  # the first loader for whose VK_INSTANCE_LAYERS implicit layers count
READS_SETTINGS = (1, 3, 256)  # the first that reads vk_loader_settings.json
BY_VARIABLE, BY_NAME, BY_PROGRAM, BY_ALL = "CLAMPLER_ENABLE", "VK_INSTANCE_LAYERS", "the program", "all"
WAYS = [BY_VARIABLE, BY_NAME, BY_PROGRAM, BY_ALL]


def loader_version():
    number = ctypes.c_uint32()
    ctypes.CDLL("libvulkan.so.1").vkEnumerateInstanceVersion(ctypes.byref(number))
    return number.value >> 22 & 0x7f, number.value >> 12 & 0x3ff, number.value & 0xfff


class Machine:
    """A home folder, and the layer installed in `prefix` below `work`."""

    def __init__(self, work, prefix, build, cmake, probe):
        self.home, self.probe = work / "home", probe
        self.usr, self.other = work / prefix, work / "other"
        log = subprocess.run([cmake, "--install", build, "--prefix", self.usr], capture_output=True, text=True, check=False)
        if log.returncode:
            sys.exit(log.stdout + log.stderr)
        self.prefixes = [self.usr, self.other]
        self.put_another_layer()

    def put_another_layer(self):
        """An explicit layer elsewhere. What vkconfig 2 turns on is where loaders look for all explicit layers then."""
        target = self.other / "share/vulkan/explicit_layer.d" / VALIDATION.name
        target.parent.mkdir(parents=True)
        if VALIDATION.exists():
            shutil.copy(VALIDATION, target)

    def manifests(self):
        return sorted(self.usr.glob("share/vulkan/*_layer.d/VkLayer_CLAMPLER_gl_sampler.json"))

    def forget(self):
        for file in [configurations.OVERRIDE_FILE, configurations.SETTINGS_FILE]:
            (self.home / file).unlink(missing_ok=True)

    def environment(self, way):
        icd = os.environ.get("VK_DRIVER_FILES") or str(next(pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json")))
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "VK_DRIVER_FILES": icd, "VK_ICD_FILENAMES": icd,
               "XDG_DATA_DIRS": ":".join(str(prefix / "share") for prefix in self.prefixes),
               "ASAN_OPTIONS": "detect_leaks=0"}
        if way in (BY_VARIABLE, BY_ALL):
            env["CLAMPLER_ENABLE"] = "1"
        if way in (BY_NAME, BY_ALL):
            env["VK_INSTANCE_LAYERS"] = LAYER
        return env

    def listed(self, way):
        """How often a program lists the extension; None: it gets no instance."""
        mode = ["named"] if way in (BY_PROGRAM, BY_ALL) else []
        run = subprocess.run([self.probe, *mode], env=self.environment(way), capture_output=True, text=True, check=False)
        return int(run.stdout) if run.returncode == 0 else None


def expect_listed(machine, what, wanted):
    """`wanted`: how often the extension is listed, by way of asking for the layer; None: nobody does."""
    for way, count in wanted.items():
        got = machine.listed(way)
        expect(got == count, "%s, installed in %s, asked for by %s: listed %s times, not %s"
               % (what, machine.usr.name, way or "nobody", got, count))


def wanted(nobody, asked):
    ways = {None: nobody, **{way: asked for way in WAYS}}
    if asked == 0:  # who names a layer that there is not gets no instance
        ways[BY_PROGRAM] = ways[BY_ALL] = None
    return ways


FREE, ALWAYS, NEVER = wanted(0, 1), wanted(1, 1), wanted(0, 0)


def check_2(machine):
    this = pathlib.Path(machine.probe).resolve()
    for controls, result in [({}, FREE), ({LAYER: ON}, ALWAYS), ({LAYER: OFF}, NEVER), ({LAYER: ON, OTHER: OFF}, ALWAYS)]:
        for program, then in [(None, result), (this, result), ("/usr/bin/another", FREE)]:
            machine.forget()
            configurations.write_2(machine.home, machine.prefixes, controls, program)
            expect_listed(machine, "vkconfig 2, %s for %s" % (controls, program or "all"), then)


def check_2_elsewhere(machine, loader):
    """Another layer is on, from another folder, where alone loaders look for explicit layers then."""
    machine.forget()
    configurations.write_2(machine.home, machine.prefixes, {OTHER: ON})
    by_name = {} if loader >= FINDS_IMPLICIT_BY_NAME else {BY_NAME: 0}
    expect_listed(machine, "vkconfig 2, another layer is on, elsewhere", {**FREE, **by_name})


def check_3(machine, reads):
    this = pathlib.Path(machine.probe).resolve()
    for controls, result in [({}, FREE), ({LAYER: ON}, ALWAYS), ({LAYER: OFF}, NEVER), ({LAYER: DISCARD}, FREE)]:
        for program, then in [(None, result), (this, result), ("/usr/bin/another", FREE)]:
            machine.forget()
            configurations.write_3(machine.home, machine.prefixes, controls, program)
            expect_listed(machine, "vkconfig 3, %s for %s" % (controls, program or "all"), then if reads else FREE)
    for control, result in [(AUTO, FREE), (ON, ALWAYS), (OFF, NEVER), (DISCARD, NEVER)]:
        machine.forget()
        configurations.write_3(machine.home, machine.prefixes, {LAYER: control}, unordered=False)
        expect_listed(machine, "vkconfig 3, %s and nothing beside the list" % control, result if reads else FREE)


def check_times(machine):
    """Which manifest vkconfig takes must not depend on when each was installed."""
    manifests = machine.manifests()
    count = len(manifests)
    for times in sorted(set(itertools.permutations(range(count))) | {(0,) * count}):
        for path, time in zip(manifests, times):
            os.utime(path, (1700000000 + time, 1700000000 + time))
        for write in [configurations.write_2, configurations.write_3]:
            machine.forget()
            write(machine.home, machine.prefixes, {})
            expect_listed(machine, "%s, manifests written at %s" % (write.__name__, times), FREE)
    for choose in [configurations.chosen_by_2, configurations.chosen_by_3]:
        chosen = choose(machine.prefixes).get(LAYER)
        if not chosen or not chosen.implicit:
            print("FAILED: %s is not the implicit manifest" % choose.__name__)
            sys.exit(1)


def check(machine, loader):
    expect_listed(machine, "without vkconfig", FREE)
    check_2(machine)
    check_3(machine, loader >= READS_SETTINGS)
    check_times(machine)
    if VALIDATION.exists():
        check_2_elsewhere(machine, loader)


def main():
    cmake, build, probe = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    loader = loader_version()
    for prefix in ["usr", "home/.local"]:
        with tempfile.TemporaryDirectory() as work:
            check(Machine(pathlib.Path(work), prefix, build, cmake, probe), loader)
    finish("loader %d.%d.%d" % loader)


if __name__ == "__main__":
    main()
