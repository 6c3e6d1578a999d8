#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/generate/generate_vulkan.py on every registry that is at hand, without building the layer.

    registries_test.py SOURCE_FOLDER C_COMPILER vk.xml

That is the registry which this build is made of, and which the build itself compiles. Others are those of the roots that
scripts/newest made, and all that CLAMPLER_REGISTRIES names: files, or folders with vk.xml or vk-VERSION.xml anywhere below
them, as checkouts of Khronos' Vulkan-Headers, between colons.

Where vulkan_core.h belongs to a registry it is the judge: the generator knows exactly the structures and commands that the
header declares, but for those of platforms, and names none of the numbers that it does not; and what is generated compiles.

What newer_vulkan.xml says is what newer registries say, and newer_vulkan.h declares of it what a registry lacks. Either has
every other name of a command that the layer hooks: these are hooked as well (ALIASES_<name>).
"""

import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

ROOT, CC, FIRST = sys.argv[1:]
OWN = [os.path.join(ROOT, "layer", "base", "vulkan_compat", "newer_vulkan.xml"), os.path.join(ROOT, "layer", "base", "clampler.xml")]


def load(path):
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = load(os.path.join(ROOT, "scripts", "generate", "generate_vulkan.py"))


def registries():
    """Each at hand once, the build's own first."""
    places = glob.glob(os.path.join(ROOT, "build-*", "root", "usr", "share", "vulkan", "registry"))
    places += [p for p in os.environ.get("CLAMPLER_REGISTRIES", "").split(":") if p]
    found = [FIRST]
    for place in places:
        if os.path.isfile(place):
            found.append(place)
        for folder, _, files in sorted(os.walk(place)):
            found += [os.path.join(folder, name) for name in sorted(files) if re.fullmatch(r"vk(-.*)?\.xml", name)]
    seen, texts = [], set()
    for path in found:
        with open(path, "rb") as file:
            text = hash(file.read())
        if text not in texts:
            texts.add(text)
            seen.append(path)
    return seen


def include_of(registry):
    """The folder of the headers of the same checkout or package, or None."""
    folder = os.path.dirname(os.path.abspath(registry))
    for up in ("..", "../../.."):  # Vulkan-Headers; share/vulkan/registry
        include = os.path.normpath(os.path.join(folder, up, "include"))
        if os.path.isfile(os.path.join(include, "vulkan", "vulkan_core.h")):
            return include
    return None


class Header:
    """What vulkan_core.h declares, when nobody asks for beta extensions."""

    def __init__(self, include):
        with open(os.path.join(include, "vulkan", "vulkan_core.h"), encoding="utf-8") as file:
            text = re.sub(r"#ifdef VK_ENABLE_BETA_EXTENSIONS\n.*?#endif", "", file.read(), flags=re.S)
        self.version = re.search(r"VK_HEADER_VERSION (\d+)", text).group(1)
        self.structures = set(re.findall(r"^typedef (?:struct|union) (Vk\w+) \{", text, flags=re.M))
        self.commands = set(re.findall(r"VKAPI_CALL vk(\w+)\(", text))
        self.enumerants = set(re.findall(r"^ +(VK_\w+) = ", text, flags=re.M))
        self.constants = set(re.findall(r"^#define (VK_\w+) ", text, flags=re.M))


def version_of(registry):
    text = "".join(ET.parse(registry).getroot().find("types/type[name='VK_HEADER_VERSION']").itertext())
    return re.search(r"\d+", text.split("VK_HEADER_VERSION", 1)[1]).group()


def names_of_platforms(registry):
    """Types and commands of extensions that belong to a platform, beta extensions among them."""
    return {e.get("name") for e in ET.parse(registry).getroot().iterfind("extensions/extension[@platform]/require/*[@name]")}


def generate(folder, *paths):
    """Runs the script as the build does."""
    subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "generate", "generate_vulkan.py"), folder, *paths], check=True)


class RegistriesTest(unittest.TestCase):
    def test_what_is_generated_of_every_registry_is_what_its_header_declares(self):
        for path in registries():
            with self.subTest(path), tempfile.TemporaryDirectory() as folder:
                generate(folder, path, *OWN)
                include = include_of(path)
                print("registry %s, %s" % (version_of(path), "with its header" if include else "without a header"))
                self.names_are_declared(path, Header(include) if include else None)
                if include and path != FIRST:
                    self.it_compiles(folder, include)

    def names_are_declared(self, path, header):
        registry = GENERATE.Registry([path])
        with tempfile.TemporaryDirectory() as folder:
            generate(folder, path)
            with open(os.path.join(folder, "vulkan_copy.c"), encoding="utf-8") as file:
                used = set(re.findall(r"\bVK_[A-Z0-9_]+\b", file.read()))
        used -= {number for _, number in GENERATE.LOADER_STRUCTURES}
        if header:
            # Some headers have what their registry puts behind a platform: VK_NV_present_metering in 1.4.310 to 1.4.344.
            platforms = names_of_platforms(path)
            self.assertEqual(set(registry.structures) - header.structures, set())
            self.assertEqual(header.structures - set(registry.structures) - platforms, set())
            self.assertEqual(set(registry.commands) - header.commands, set())
            self.assertEqual(header.commands - set(registry.commands) - {name[2:] for name in platforms}, set())
            self.assertEqual(used - header.enumerants - header.constants, set())
        else:
            enumerants = [e for e in ET.parse(path).getroot().iter("enum")]
            free = {e.get("name") for e in enumerants if not e.get("protect")}
            self.assertEqual(used & ({e.get("name") for e in enumerants} - free), set())

    def it_compiles(self, folder, include):
        for headers in ("vulkan", "vk_video"):  # beside which a root has another libc
            if os.path.isdir(os.path.join(include, headers)):
                os.symlink(os.path.abspath(os.path.join(include, headers)), os.path.join(folder, headers))
        for name in ("vulkan_copy.c", "vulkan_dispatch.c", "vulkan_formats.c"):
            run = subprocess.run(
                [CC, "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-isystem", folder,
                 "-I", os.path.join(ROOT, "layer", "base", "vulkan_compat"), "-I", os.path.join(ROOT, "layer", "base"),
                 os.path.join(folder, name)], stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr[:2000])


class Said:
    """What a registry says: in C, with one name for all aliases."""

    def __init__(self, root):
        self.elements = {}
        for e in [*root.iterfind("types/type"), *root.iterfind("commands/command")]:
            if GENERATE.for_vulkan(e, "api"):
                self.elements.setdefault(GENERATE.name_of(e), e)
        blocks = [(None, e) for e in root.iterfind("enums/enum")]
        for block in [*root.iterfind("feature"), *root.iterfind("extensions/extension")]:
            blocks += [(block, e) for e in block.iterfind("require/enum") if len(e.attrib) > 1]
        self.enumerants = {}
        for block, e in blocks:
            self.enumerants.setdefault(e.get("name"), (block, e))

    def first(self, name, names):
        """The name that is no alias."""
        e = names.get(name)
        while e is not None and (e[1] if isinstance(e, tuple) else e).get("alias"):
            name = (e[1] if isinstance(e, tuple) else e).get("alias")
            e = names.get(name)
        return name

    def value(self, name):
        name = self.first(name, self.enumerants)
        block, e = self.enumerants[name]
        return GENERATE.Newer.value(None if block is None else {"number": e.get("extnumber") or block.get("number")}, e)

    def has(self, name):
        return name in self.elements

    def type(self, name, names):
        """Its members, parameters or definition, with the first names that `names` has."""
        e = self.elements[self.first(name, self.elements)]
        parts = [GENERATE.declaration(m) for m in [*e.findall("member"), *e.findall("param")] if GENERATE.for_vulkan(m, "api")]
        if not parts and e.get("category") in ("bitmask", "handle"):
            parts = ["".join(e.itertext())]
        return [re.sub(r"\w+", lambda m: names.first(m.group(), names.elements), part) for part in parts]


# Commands that do something, and use no pipeline that the layer makes; or take it from elsewhere (recording/generated.c).
OTHER_ACTIONS = re.compile(
    r"Cmd(Begin|Blit|Build|Clear|Control|Convert|Copy|CuLaunch|CudaLaunch|DebugMarker|Decode|Decompress|Encode|End|Fill|Insert|"
    r"Next|OpticalFlow|Reset|Resolve|SetCheckpoint|SetPerformance|Update|Write|ExecuteGenerated|PreprocessGenerated)\w+|"
    r"CmdDispatchDataGraphARM")  # no shader of a graph samples


class NewerTest(unittest.TestCase):
    def test_what_newer_vulkan_xml_says_is_what_newer_registries_say(self):
        newer = Said(ET.parse(OWN[0]).getroot())
        self.assertGreater(len(newer.elements), 150)
        for path in registries():
            said = Said(ET.parse(path).getroot())
            with self.subTest(path):
                both = [n for n in newer.elements if said.has(n)]
                print("registry %s has %d of %d" % (version_of(path), len(both), len(newer.elements)))
                for name in both:
                    if newer.elements[name].get("alias"):
                        self.assertEqual(*(said.first(n, said.elements) for n in (name, newer.elements[name].get("alias"))))
                        continue
                    own = newer.type(name, said)
                    if own or newer.elements[name].get("category") not in ("struct", "union"):  # nothing: only handed on
                        self.assertEqual(own, said.type(name, said), name)
                for name in newer.enumerants:
                    if name in said.enumerants:
                        self.assertEqual(newer.value(name), said.value(name), name)

    def test_every_other_name_of_a_hooked_command_is_known_under_every_header(self):
        hooks = {name for names in GENERATE.recorded_commands(GENERATE.Registry([FIRST, *OWN])).values() for name, _ in names}
        for path in ("entry/chain/entry_points.h", "entry/chain/alpha_entry_points.h"):
            with open(os.path.join(ROOT, "layer", *path.split("/")), encoding="utf-8") as file:
                hooks |= set(re.findall(r"\b\w+_HOOK\((\w+)\)", file.read()))
        self.assertGreater(len(hooks), 200)
        known = set(GENERATE.Registry([FIRST, *OWN]).commands)
        for path in registries():
            lists = GENERATE.recorded_commands(GENERATE.Registry([path, *OWN]))
            with self.subTest(path):
                self.assertEqual({name for names in lists.values() for name, _ in names} - known, set())
                commands = GENERATE.Registry([path]).commands
                hooked = {commands[name].canonical for name in hooks if name in commands}
                self.assertEqual({c.name for c in commands.values() if c.canonical in hooked} - known, set())

    def test_what_runs_shaders_of_a_pipeline_is_in_the_list_of_its_bind_point(self):
        for path in registries():
            lists = GENERATE.recorded_commands(GENERATE.Registry([path, *OWN]))
            commands = GENERATE.Registry([path]).commands
            listed = {name for names in GENERATE.DRAWS for name, _ in lists[names]}
            with self.subTest(path):
                actions = {GENERATE.name_of(e)[2:] for e in ET.parse(path).getroot().iterfind("commands/command")
                           if "action" in (e.get("tasks") or "").split(",")}
                actions = {n for n in actions if n in commands and commands[n].canonical == n and not OTHER_ACTIONS.fullmatch(n)}
                self.assertGreater(len(actions), 20)
                self.assertEqual(actions, listed & set(commands))
                for name, command in (("GRAPHICS_DRAWS", "CmdDrawMeshTasksEXT"), ("COMPUTE_DRAWS", "CmdDispatchBase"),
                                      ("RAY_TRACING_DRAWS", "CmdTraceRaysNV"), ("SUBPASS_SHADING_DRAWS", "CmdSubpassShadingHUAWEI")):
                    self.assertIn((command, None), lists[name])

    def test_newer_vulkan_h_declares_what_the_registry_lacks(self):
        newer = Said(ET.parse(OWN[0]).getroot())
        for path in registries():
            with self.subTest(path), tempfile.TemporaryDirectory() as folder:
                generate(folder, path, *OWN)
                names, enumerants, _ = GENERATE.Registry.enabled_names(ET.parse(path).getroot())
                with open(os.path.join(folder, "newer_vulkan.h"), encoding="utf-8") as file:
                    declared = set(re.findall(r"\bPFN_(vk\w+)|\b(Vk\w+);|HANDLE\((\w+)|#define (VK_\w+)|^    (VK_\w+) =", file.read(), re.M))
                declared = {name for found in declared for name in found if name}
                wanted = (set(newer.elements) - names) | (set(newer.enumerants) - enumerants)
                self.assertEqual({n for n in wanted - declared if not n.startswith("VK_FORMAT_")}, set())
                self.assertEqual(declared & (names | enumerants) & (set(newer.elements) | set(newer.enumerants)) -
                                 {e.get("alias") for e in newer.elements.values()}, set())


# An extension with a structure that chains may hold and a command; # is replaced by the case's number.
EXTENSION = """<extension name="VK_ODD_#" number="9#" {extension}><require {require}>
    <enum offset="0" extends="VkStructureType" name="VK_STRUCTURE_TYPE_ODD_#" {enum}/>
    <type name="VkOdd#" {name}/><command name="vkOdd#" {name}/></require></extension>"""
STRUCTURE = """<type category="struct" name="VkOdd#" structextends="VkSamplerCreateInfo">
    <member values="VK_STRUCTURE_TYPE_ODD_#"><type>VkStructureType</type> <name>sType</name></member>
    <member>const <type>void</type>* <name>pNext</name></member></type>"""
COMMAND = """<command><proto><type>void</type> <name>vkOdd#</name></proto>
    <param><type>VkDevice</type> <name>device</name></param></command>"""
ALIAS_OF_NOTHING = '<command name="vkOdd#" alias="vkNowhere"/>'

# Where which attributes stand beside supported="vulkan", and whether the structure, its number and the command are known.
ALL, NONE, NO_NUMBER, NO_COMMAND = (True, True, True), (False, False, False), (True, False, True), (True, True, False)
CASES = [
    (dict(extension='supported="vulkan"'), ALL),
    (dict(extension='supported="vulkan,vulkansc"'), ALL),
    (dict(extension='supported="vulkanbase"'), ALL),
    (dict(extension='supported="disabled"'), NONE),
    (dict(extension='supported="vulkansc"'), NONE),
    (dict(extension='supported=""'), NONE),
    (dict(extension='supported="vulkan" platform="provisional"'), NONE),
    (dict(extension='supported="vulkan" platform="win32"'), NONE),
    (dict(extension='supported="vulkan" protect="VK_USE_PLATFORM_WIN32_KHR"'), NONE),
    (dict(require='protect="VK_ODD"'), NONE),
    (dict(require='api="vulkansc"'), NONE),
    (dict(name='protect="VK_ODD"'), NONE),
    (dict(name='api="vulkansc"'), NONE),
    (dict(enum='protect="VK_ENABLE_BETA_EXTENSIONS"'), NO_NUMBER),
    (dict(enum='api="vulkansc"'), NO_NUMBER),
    (dict(command=ALIAS_OF_NOTHING), NO_COMMAND),
]


class OddRegistriesTest(unittest.TestCase):
    """The build's own registry with one extension more for every case."""

    def test_what_an_extension_shows_is_known_and_nothing_else(self):
        root = ET.parse(FIRST).getroot()
        for number, (words, _) in enumerate(CASES):
            attributes = {"extension": 'supported="vulkan"', "require": "", "enum": "", "name": ""} | words
            for place, text in (("types", STRUCTURE), ("commands", words.get("command", COMMAND)),
                                ("extensions", EXTENSION.format(**attributes))):
                root.find(place).append(ET.fromstring(text.replace("#", str(number))))
        root.find("types").append(ET.fromstring('<type category="struct" name="VkEven" alias="VkNowhere"/>'))
        root.find("types").append(ET.fromstring('<type category="handle" name="VkEven2" alias="VkNowhere"/>'))
        root.find("formats").append(ET.fromstring('<format name="VK_FORMAT_ODD" blockSize="1"/>'))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "vk.xml")
            ET.ElementTree(root).write(path)
            generate(folder, path)
            registry = GENERATE.Registry([path])
            with open(os.path.join(folder, "vulkan_copy.c"), encoding="utf-8") as file:
                numbers = set(re.findall(r"\bVK_STRUCTURE_TYPE_ODD_\d+\b", file.read()))
        for number, (words, expected) in enumerate(CASES):
            known = ("VkOdd%d" % number in registry.structures, "VK_STRUCTURE_TYPE_ODD_%d" % number in numbers,
                     "Odd%d" % number in registry.commands)
            self.assertEqual(known, expected, words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
