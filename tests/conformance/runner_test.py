#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/conformance with a stand-in for the suite: crashes, hangs, interruptions, comparisons, judgements, the table.

    runner_test.py SOURCE_FOLDER BUILD_FOLDER
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "tests/harness"))
from checks import expect, finish

CASES = ["api.first.passes", "api.first.fails", "api.first.crashes", "api.first.behind_crash", "api.second.hangs",
         "api.second.behind_hang", "api.single", "texture.clamp.crashes_in_active", "texture.clamp.hangs_in_emulate",
         "texture.clamp.fails_in_all", "texture.limits.lowered", "texture.whims.flaky", "order.of.makes_dirty",
         "order.of.fails_behind", "order.of.once", "order.of.dies_behind", "order.of.last"]
CASES = ["dEQP-VK." + case for case in CASES]
TABLE = """# A comment.
inert,active,emulate,all  Pass>NotSupported  dEQP-VK.texture.limits.*
    reason: the layer keeps a descriptor
        of each set for itself
    specification: "may be lowered"
"""


class Place:
    """A folder with the stand-in, its list of cases and a state."""

    def __init__(self, folder, cases=tuple(CASES)):
        self.folder = pathlib.Path(folder)
        (self.folder / "deqp").mkdir()
        (self.folder / "data").mkdir()
        shutil.copy(SOURCE / "tests/conformance/fake_deqp.sh", self.folder / "deqp/deqp-vk")
        (self.folder / "all_cases").write_text("GROUP: dEQP-VK\n" + "".join(f"TEST: {case}\n" for case in cases))
        (self.folder / "expected.txt").write_text(TABLE)

    def run(self, *options, timeout="0.8", **environment):
        command = [SOURCE / "scripts/conformance", "--deqp", self.folder / "deqp", "--layer", BUILD, "--state",
                   self.folder / "state", "--expected", self.folder / "expected.txt", "--timeout", timeout, *options]
        environment = {**os.environ, "FAKE_FOLDER": str(self.folder), **environment}
        run = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=300, check=False)
        self.out, self.status = run.stdout + run.stderr, run.returncode
        return run.returncode

    def ran(self):
        """What ran since this was asked last: (configuration, case), in order."""
        path = self.folder / "ran"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [tuple(line.split()) for line in lines]

    def found(self):
        read = json.loads((self.folder / "state/results/differences.json").read_text())
        return {(item["name"], item["case"].removeprefix("dEQP-VK.")): item for item in read}


def check_everything(folder):
    place = Place(folder)
    expect(place.run("--fraction", "1", "--jobs", "1", "--chunk", "100") == 1, "differences give status 1: " + place.out)
    found, ran = place.found(), place.ran()

    def kind(name, case, kind, before, after):
        item = found.pop((name, case), None)
        expect(item and (item["kind"], item["before"], item["after"]) == (kind, before, after),
               f"{name} {case} is {kind}, {before}>{after}, not {item}")
    kind("active", "texture.clamp.crashes_in_active", "differs", "Pass", "Crash")
    kind("emulate", "texture.clamp.hangs_in_emulate", "differs", "Pass", "Timeout")
    kind("all", "texture.clamp.fails_in_all", "differs", "Pass", "Fail")
    kind("all", "order.of.dies_behind", "differs", "Pass", "Crash")
    kind("inert", "order.of.fails_behind", "differs", "Pass", "Fail")
    kind("inert", "order.of.once", "not seen again", "Pass", "Fail")
    for name in ("inert", "active", "emulate", "all"):
        kind(name, "texture.limits.lowered", "expected", "Pass", "NotSupported")
        if (name, "texture.whims.flaky") in found:
            expect(found.pop((name, "texture.whims.flaky"))["kind"] == "flaky", f"{name}: flaky is called so")
    expect(not found, f"nothing else differs: {list(found)}")
    expect("behind the" in place.out and "order.of.fails_behind" in place.out, "a difference behind other cases is said to be one")
    expect(len(re.findall(r"^flaky: ", place.out, re.M)) == 2, "a result that changes each time is flaky in two of four: " + place.out)
    for name in ("none", "inert", "active", "emulate", "all"):
        expect({case for configuration, case in ran if configuration == name} == set(CASES), f"{name}: each case has run")
    lines = (place.folder / "state/results/none.results").read_text()
    for case, result in (("api.first.crashes", "Crash"), ("api.second.hangs", "Timeout"), ("api.first.behind_crash", "Pass"),
                         ("api.second.behind_hang", "Pass"), ("api.first.fails", "Fail")):
        expect(f"dEQP-VK.{case}\t{result}\t" in lines, f"{case}: {result}")
    expect("SIGSEGV" in lines, "a crash has its signal")
    page = (place.folder / "state/results/report.html").read_text()
    expect("crashes_in_active" in page and "src=" not in page and "href=" not in page, "the page has all in itself")
    expect("keeps a descriptor of each set for itself" in page, "the page has the reasons of what is expected")
    expect(re.search(r"^expected: 1 cases, all Pass>NotSupported: the layer keeps", place.out, re.M) is not None,
           "what is expected is counted with its reason")
    expect(re.search(r"^texture +5 ", place.out, re.M) is not None, "the table has a row for each group: " + place.out)
    expect("draws by tier 3, 2, 1" in place.out or re.search(r"draws by tier \d+", place.out), "the layer's counters are said")

    # Once more: nothing runs, and the same is said.
    expect(place.run("--fraction", "1", "--jobs", "1", "--chunk", "100") == 1, "the second time, too")
    expect(place.ran() == [] and "Fake device" in place.out, "what was run is kept: " + place.out)
    # What cannot be reproduced, or is the driver's, is no reason to fail; nor is what the table has.
    part = place.folder / "part.txt"
    part.write_text("".join(f"dEQP-VK.{case}\n" for case in ("api.first.fails", "api.first.crashes", "api.second.hangs",
                                                             "texture.limits.lowered", "order.of.once", "texture.whims.flaky",
                                                             "not.in.suite")))
    expect(place.run("--list", part, "--jobs", "2") == 0, "with expected and flaky cases alone the status is 0: " + place.out)
    (place.folder / "expected.txt").write_text("# nothing\n")
    expect(place.run("--list", part, "--report-only") == 1, "without the table's entry they differ")
    (place.folder / "expected.txt").write_text(TABLE.split("    specification")[0])
    expect(place.run("--list", part, "--report-only") == 2 and "specification's words" in place.out,
           "an entry without the specification's words is refused")


def check_interruption(folder):
    cases = [f"dEQP-VK.many.group.case_{number}" for number in range(20)]
    cases[10] = "dEQP-VK.many.group.stops_script"
    place = Place(folder, cases)
    parent = place.folder / "parent"
    # The script writes its own number by way of the shell that becomes it; the stand-in ends it in the middle of active.
    command = ["sh", "-c", 'echo $$ >"$FAKE_PARENT"; exec "$@"', "sh", SOURCE / "scripts/conformance", "--deqp",
               place.folder / "deqp", "--layer", BUILD, "--state", place.folder / "state", "--expected",
               place.folder / "expected.txt", "--fraction", "1", "--jobs", "1", "--timeout", "100"]
    environment = {**os.environ, "FAKE_FOLDER": str(place.folder), "FAKE_PARENT": str(parent)}
    run = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=100, check=False)
    expect(run.returncode == 130 and "goes on" in run.stderr, f"an interruption has its status: {run.returncode} {run.stderr}")
    first = place.ran()
    expect(len([1 for name, _ in first if name == "active"]) == 11, "it ended in the middle")
    with open(place.folder / "state/results/active.results", "a", encoding="utf-8") as file:
        file.write(cases[15] + "\tFail\t0.0")  # a line that the machine's end cut off
    expect(place.run("--fraction", "1") == 0, "it goes on: " + place.out)
    second = place.ran()
    expect(sorted(case for name, case in second if name == "active") == sorted(cases[10:]),
           "it goes on at the case that it was at, which is no crash")
    expect({name for name, _ in second} == {"active", "emulate", "all"}, "what was complete does not run again")


def check_validation(folder):
    place = Place(folder)
    expect(place.run("--fraction", "1", "--validation", "--configurations", "inert") == 1, "messages give status 1")
    expect(re.search(r"^validation: inert VUID-vkFake-new-00002: nowhere .*makes_dirty", place.out, re.M) is not None,
           "a message that is there only with the layer is said: " + place.out)
    expect(re.search(r"^validation: inert VUID-vkFake-known-00001: in other cases only .* 1 cases .*lowered", place.out, re.M)
           is not None, "so is one that is there in other cases only")
    expect("messages of the validation layer: none 1, inert 2" in place.out, "how many there are is said: " + place.out)
    part = place.folder / "part.txt"
    part.write_text("dEQP-VK.api.first.fails\ndEQP-VK.api.single\n")
    expect(place.run("--list", part, "--validation", "--configurations", "inert") == 0, "the same messages are none")


def check_choice(folder):
    cases = [f"dEQP-VK.big.group.case_{number}" for number in range(200)] + ["dEQP-VK.small.group.case", "dEQP-VK.single"]
    place = Place(folder, cases)
    expect(place.run("--fraction", "20", "--configurations", "inert") == 0, "a share runs: " + place.out)
    share = {case for _, case in place.ran()}
    expect(len(share) == 12 and set(cases[-2:]) < share, f"a twentieth, and one of each group: {len(share)}")
    expect(place.run("--cases", "50", "--configurations", "inert", "--jobs", "3", "--chunk", "7") == 0, "a greater one, too")
    more = [case for _, case in place.ran()]
    expect(not share & set(more) and 38 <= len(set(more)) <= 42, f"it has the smaller one's cases: {len(set(more))}")
    expect(place.run("--cases", "50", "--most", "9", "--report-only", "--configurations", "inert") == 0
           and " 11 of 202 cases" in place.out, "a group has at most as many as are asked for: " + place.out)
    expect(place.run("--cases", "50", "--configurations", "active", "--against", "inert") == 0, "inert can be compared with")
    expect({name for name, _ in place.ran()} == {"active"}, "and is not run again")
    layer = next((place.folder / "state").glob("layer-*"))
    copy = place.folder / "build"
    (copy / "json").mkdir(parents=True)
    manifest = json.loads((layer / "VkLayer_CLAMPLER_gl_sampler.json").read_text())
    manifest["layer"].update(library_path="./other.so")
    (copy / "json/VkLayer_CLAMPLER_gl_sampler.json").write_text(json.dumps(manifest))
    (copy / "json/other.so").write_text("another layer")
    place.run("--fraction", "20", "--configurations", "inert", "--layer", copy)
    expect("begins anew" in place.out and {name for name, _ in place.ran()} == {"inert"}, "another layer runs anew: " + place.out)


def check_offers(folder):
    """Above the limited driver, whose profile is the one that is asked for; patterns in lists."""
    cases = [f"dEQP-VK.texture.{name}" for name in ("first.is_offered", "first.is_hidden", "second.passes", "second.violates")]
    place = Place(folder, [*cases, "dEQP-VK.api.other.fails"])
    shutil.copy(SOURCE / "tests/conformance/expected.txt", place.folder / "expected.txt")
    place.folder.joinpath("part.txt").write_text("# a comment\ndEQP-VK.texture.*.*s\ndEQP-VK.texture.*.is_*\n")
    options = ("--list", place.folder / "part.txt", "--configurations", "offer,limited")
    expect(place.run(*options, "--profile", "none") == 1, "a use of what is hidden gives status 1: " + place.out)
    ran = place.ran()
    expect({case for name, case in ran if name == "offer"} == set(cases), f"patterns choose cases: {ran}")
    expect({name for name, _ in ran} == {"none", "offer", "limited"}, f"each configuration ran: {ran}")
    expect(re.search(r"^violation under offer, 1 times: limited driver: vkFake: .* # used", place.out, re.M) is not None,
           "a violation is said: " + place.out)
    found = place.found()
    expect({key: item["kind"] for key, item in found.items()} == {
        ("offer", "texture.first.is_offered"): "expected", ("limited", "texture.first.is_hidden"): "expected"},
        f"what more there is, and what is hidden, is expected: {found}")
    place.folder.joinpath("part.txt").write_text("dEQP-VK.texture.first.*\n")
    expect(place.run(*options, "--profile", "none", "--report-only") == 1, "violations count until it begins anew")
    expect(place.run(*options) == 0 and "begins anew" in place.out, "another profile begins anew: " + place.out)
    empty = place.folder / "empty"
    shutil.copytree(BUILD / "json", empty / "json")
    os.symlink(BUILD / "lib", empty / "lib")
    expect(place.run(*options, "--layer", empty) == 2 and "VkLayer_limited_driver.json" in place.out,
           "a folder without the limited driver is refused: " + place.out)


def check_refusals(folder):
    place = Place(folder)
    expect(place.run("--fraction", "1", FAKE_BROKEN="1") == 2 and "scripts/newest" in place.out,
           "a program that does not run here is said to be one: " + place.out)
    part = place.folder / "part.txt"
    part.write_text("dEQP-VK.api.single\n")
    expect(place.run("--list", part, FAKE_ABSENT="1") == 1 and "the layer was not there" in place.out,
           "a layer that is not there is no pass: " + place.out)
    (place.folder / "deqp/deqp-vk").unlink()
    expect(place.run("--fraction", "1") == 2 and "neither deqp-vk" in place.out, "a folder without the program")


for check in (check_everything, check_interruption, check_validation, check_choice, check_offers, check_refusals):
    with tempfile.TemporaryDirectory() as temporary:
        check(temporary)
finish("runner_test")
