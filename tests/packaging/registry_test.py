#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the extension's three forms against each other: the header, clampler.xml, and the specification; and its proposal.

    registry_test.py ROOT VK_XML STYPE_LIST INTEGRATION_DESCRIPTORS

clampler.xml must be read by ElementTree, and by scripts/generate/generate_vulkan.py beside vk.xml. Structures have the same
members in the same order in all three forms, enumerants the same values. The list of structures that the documents give
to the validation layer above is the one that the program STYPE_LIST prints; for 32 bits it is worked out from the XML.
INTEGRATION_DESCRIPTORS compares pictures under the validation layer with that list, and with one that lacks samplers.
"""
import importlib.util
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from fractions import Fraction

ROOT, VK_XML, STYPE_LIST, DESCRIPTORS = sys.argv[1:5]
EXTENSION = "VK_CLAMPLER_gl_sampler"
XML = os.path.join(ROOT, "layer", "base", "clampler.xml")
PROPOSAL = ("docs", "proposals", "VK_EXT_legacy_sampler_address_modes.adoc")
GONE = {43, 44, 45, 61}  # numbers of valid usage that is allowed since versions 5 and 6: a number is never given twice
SIZE_OF_POINTER = struct.calcsize("P")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def members_of(text):
    """The members of a C structure, one string each: type, name and what stands around them."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    found = []
    for member in text.split(";"):
        member = re.sub(r"\s*\*\s*", "* ", re.sub(r"\s+", " ", member)).strip()
        if member:
            found.append(member)
    return found


def structures_in(text):
    """Name -> members, of every `typedef struct NAME { ... } NAME;` in C text."""
    return {name: members_of(body)
            for name, body in re.findall(r"typedef struct (Vk\w+CLAMPLER) \{(.*?)\} \1;", text, flags=re.DOTALL)}


def defines_in(text):
    """Name -> number or string, of the header's macros."""
    values = {}
    for name, value in re.findall(r"^#define (VK_\w+) (.+?)(?: +/\*.*)?$", text, flags=re.MULTILINE):
        value = re.sub(r"^\(\((?:\w+)\)(\d+)\)$", r"\1", value)
        shift = re.fullmatch(r"\(1ULL << (\d+)\)", value)
        values[name] = 1 << int(shift.group(1)) if shift else value.strip('"') if '"' in value else int(value)
    return values


def words_of(name):
    """VkGLStateInfo -> GL, State, Info: capitals in a row are one word, but for the one that begins the next."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]+", name[len("Vk"):])


class Forms(unittest.TestCase):
    def setUp(self):
        self.root = ET.parse(XML).getroot()
        self.header = read("layer", "base", "vulkan_clampler.h")
        self.extension = self.root.find("extensions/extension[@name='%s']" % EXTENSION)
        self.types = {t.get("name"): t for t in self.root.iterfind("types/type[@category='struct']") if not t.get("alias")}
        self.aliases = {t.get("name"): t.get("alias") for t in self.root.iterfind("types/type[@alias]")}

    def values(self):
        """Name -> value, of every enumerant and constant of the XML."""
        number, values = int(self.extension.get("number")), {}
        for enum in self.extension.iterfind("require/enum"):
            if enum.get("offset"):
                values[enum.get("name")] = 1000000000 + (number - 1) * 1000 + int(enum.get("offset"))
            else:
                value = enum.get("value")
                values[enum.get("name")] = value.strip('"') if '"' in value else int(value)
        for enum in self.root.iterfind("enums/enum"):
            values[enum.get("name")] = 1 << int(enum.get("bitpos"))
        return values

    def test_structures_are_the_headers(self):
        in_xml = {name: members_of(";".join(re.sub(r"\s+", " ", "".join(m.itertext())) for m in t.iterfind("member")))
                  for name, t in self.types.items()}
        self.assertEqual(in_xml, structures_in(self.header))

    def test_values_are_the_headers(self):
        header = defines_in(self.header)
        self.assertEqual(header.pop(EXTENSION), 1)  # that it is there: every generator adds it by itself
        self.assertEqual(self.values(), header)

    def test_other_types_are_the_headers(self):
        typedefs = {new: old for old, new in re.findall(r"^typedef (\w+) (\w+);$", self.header, flags=re.MULTILINE)}
        for flags in self.root.iterfind("types/type[@category='bitmask']"):
            self.assertEqual(typedefs.pop(flags.find("name").text), flags.find("type").text)
            self.assertEqual(typedefs.pop(flags.get("bitvalues")), "VkFlags64")
        self.assertEqual(typedefs, self.aliases)

    def test_everything_is_required(self):
        required = {e.get("name") for e in self.extension.iterfind("require/type")}
        declared = {t.get("name") or t.find("name").text for t in self.root.iterfind("types/type")}
        self.assertEqual(required, declared - {"vulkan/vulkan_clampler.h"})

    def test_no_name_and_no_number_is_the_registrys(self):
        theirs = ET.parse(VK_XML).getroot()
        names = {t.get("name") for t in theirs.iterfind("types/type")}
        self.assertFalse(names & (set(self.types) | set(self.aliases)))
        self.assertNotIn(self.extension.get("number"), {e.get("number") for e in theirs.iterfind("extensions/extension")})

    def chained(self):
        """The structures but for those that others point to."""
        return {name: element for name, element in self.types.items() if element.get("structextends")}

    def test_names_follow_the_rule(self):
        """The number's name is made of the structure's; the structure's words are found by their capitals."""
        self.assertEqual(set(self.types) - set(self.chained()), {"VkGLAttachmentChannelsCLAMPLER"})
        for name, element in self.chained().items():
            self.assertEqual(element.find("member").get("values"), "VK_STRUCTURE_TYPE_" + "_".join(words_of(name)).upper())
        for name in self.values():
            self.assertTrue(name.startswith("VK_CLAMPLER_GL_SAMPLER_") or name.endswith("_CLAMPLER"), name)

    def test_generators_that_go_by_the_extensions_name_find_their_structures(self):
        camel = "".join(word.title() for word in EXTENSION.split("_")[2:])
        for what in ("Features", "Properties"):
            name = "VkPhysicalDevice%s%sCLAMPLER" % (camel, what)
            self.assertEqual(self.aliases[name], "VkPhysicalDeviceGLSampler%sCLAMPLER" % what)

    def test_the_generator_reads_it_beside_vk_xml(self):
        spec = importlib.util.spec_from_file_location("generate", os.path.join(ROOT, "scripts", "generate", "generate_vulkan.py"))
        generate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(generate)
        registry = generate.Registry([VK_XML, XML])
        self.assertEqual(registry.newer, {})
        for name, element in self.chained().items():
            structure = registry.structures[name]
            self.assertEqual(structure.stype, element.find("member").get("values"))
            self.assertEqual([m.name for m in structure.members][:2], ["sType", "pNext"])
            self.assertTrue(structure.extends)
            self.assertIn(structure.extends[0], registry.structures)
            for member in structure.members:
                self.assertTrue(member.type in registry.structures or re.fullmatch(
                    r"void|float|uint32_t|VkBool32|VkDeviceSize|VkStructureType|VkGL(Semantic|FormatFeature)FlagsCLAMPLER", member.type))
        for alias, name in self.aliases.items():
            self.assertEqual(registry.resolve(alias), name)

    # ---- The specification ----

    def test_the_specification_has_the_headers_structures_and_values(self):
        text = read("docs", EXTENSION + ".adoc")
        self.assertEqual(structures_in(text), structures_in(self.header))
        rows = dict(re.findall(r"^\| `(VK_\w+)` \| (\S+)", text, flags=re.MULTILINE))
        bits = {name: 1 << int(rows.pop(name)) for name in list(rows) if re.search("_SEMANTIC_|_FORMAT_FEATURE_", name)}
        found = {name: value.strip('"') if '"' in value else int(value) for name, value in rows.items()}
        self.assertEqual(dict(found, **bits), self.values())
        self.assertIn("*Revision*:: %d\n" % self.values()["VK_CLAMPLER_GL_SAMPLER_SPEC_VERSION"], text)

    def rendered(self, *path):
        """The words of a document, which renders without a warning and leaves no markup in them."""
        if not shutil.which("asciidoctor"):
            self.skipTest("no asciidoctor")
        page = subprocess.run(["asciidoctor", "-v", "--failure-level", "INFO", "-o", "-", os.path.join(ROOT, *path)],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        words = re.sub(r"<[^>]+>", "", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))
        self.assertEqual(re.findall(r"&lt;&lt;\w+|\|===|\[\[|`\w+|\blink:|\bxref:|\w+\+\n", words), [])
        return words

    def test_the_specification_renders(self):
        self.assertIn("VkSamplerGLStateCreateInfoCLAMPLER", self.rendered("docs", EXTENSION + ".adoc"))

    # ---- The proposal for the address modes alone ----

    def test_the_proposal_renders(self):
        self.assertIn("VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_HALF_BORDER_EXT", self.rendered(*PROPOSAL))

    def test_the_proposal_has_khronos_form(self):
        """The sections of proposals/template.adoc, in its order; issues are questions, and none is open."""
        text = read(*PROPOSAL)
        self.assertEqual(re.findall(r"^== (.+)$", text, flags=re.MULTILINE), [
            "Problem Statement", "Solution Space", "Proposal", "Examples", "Issues", "Validation and Tools", "Further Functionality"])
        self.assertEqual(re.findall(r"^= (.+)$", text, flags=re.MULTILINE), [os.path.splitext(PROPOSAL[-1])[0]])
        issues = re.findall(r"^=== (.+)$", text[text.index("\n== Issues"):text.index("\n== Validation")], flags=re.MULTILINE)
        self.assertGreater(len(issues), 3)
        self.assertEqual([issue for issue in issues if not issue.endswith("?")], [])
        self.assertNotRegex(text, r"\*(UNRESOLVED|PROPOSED|RESOLVED)\*")
        names = set(re.findall(r"VK_SAMPLER_ADDRESS_MODE_\w+_EXT", text))
        self.assertEqual(len(names), 3)
        private = {n for n in self.values() if n.startswith("VK_SAMPLER_ADDRESS_MODE_")}
        self.assertEqual(len(private), 3)
        for name in private:  # by its own name or, for brevity, by the end of it
            self.assertIn(name[len("VK_SAMPLER_ADDRESS_MODE"):], text)

    def test_the_proposals_table_is_what_the_modes_give(self):
        """Its example: texels 0 and 1, the border 1/2, linear filters."""
        def lookup(s, mode):
            u = (min(max(s, Fraction(0)), Fraction(1)) if mode == "half" else s) * 2 - Fraction(1, 2)
            i = math.floor(u)

            def texel(k):
                return Fraction(min(max(k, 0), 1)) if mode == "edge" else Fraction(k) if k in (0, 1) else Fraction(1, 2)
            return texel(i) * (1 - (u - i)) + texel(i + 1) * (u - i)
        text = read(*PROPOSAL)
        rows = re.findall(r"^\| (-?[\d/]+) \| ([\d/]+) \| ([\d/]+) \| ([\d/]+)$", text, flags=re.MULTILINE)
        self.assertEqual(len(rows), 6)
        for s, *values in rows:
            self.assertEqual([Fraction(v) for v in values], [lookup(Fraction(s), mode) for mode in ("edge", "border", "half")], s)

    def test_every_valid_usage_statement_is_violated_by_a_test(self):
        statements = re.findall(r"^\* \[\[(VUID-Vk\w+-\w+-\d{5})\]\] \1 \+$", read("docs", EXTENSION + ".adoc"), flags=re.MULTILINE)
        self.assertEqual(len(statements), len(re.findall("VUID-", read("docs", EXTENSION + ".adoc"))) // 2)
        numbers = [statement[-5:] for statement in statements]
        every = range(1, len(numbers) + len(GONE) + 1)
        self.assertEqual(sorted(numbers), ["%05d" % n for n in every if n not in GONE])
        source, prefixes, named = read("tests", "integration", "entry", "valid_usage.c"), {}, set()
        for line in source.splitlines():
            prefixes.update(re.findall(r'#define (\w+) "(VUID-\w+-)"', line))
            named.update(re.findall(r'"(VUID-Vk\w+-\w+-\d{5})"', line))
            named.update(prefixes[macro] + name for macro, name in re.findall(r'(\w+) "(\w+-\d{5})"', line))
            named.update(prefixes["GL_STATE"] + "-".join(pair) for pair in re.findall(r'TOKEN\((\w+), "(\d{5})"\)', line))
        self.assertEqual(named, set(statements))

    # ---- The validation layer above ----

    def stype_list(self, pointer, eight):
        """Pairs of number and size, where pointers have `pointer` bytes and what has 8 is aligned to `eight`."""
        sizes = {"VkClearColorValue": (16, 4), "VkDeviceSize": (8, eight), "VkGLSemanticFlagsCLAMPLER": (8, eight),
                 "VkGLFormatFeatureFlagsCLAMPLER": (8, eight),
                 "VkComponentMapping": (16, 4), "VkExtent3D": (12, 4)}
        pairs = {}
        for element in self.chained().values():
            end, most = 0, 1
            for member in element.iterfind("member"):
                text = "".join(member.itertext())
                size, align = (pointer, pointer) if "*" in text else sizes.get(member.find("type").text, (4, 4))
                array = re.search(r"\[(\d+)\]", text)
                end = -(-end // align) * align + size * (int(array.group(1)) if array else 1)
                most = max(most, align)
            pairs[self.values()[element.find("member").get("values")]] = -(-end // most) * most
        return ":".join("%d:%d" % pair for pair in sorted(pairs.items()))

    def test_the_documents_have_the_list_of_structures(self):
        wide, narrow = self.stype_list(8, 8), self.stype_list(4, 4)
        self.assertIn(subprocess.check_output([STYPE_LIST], text=True).strip(), (wide, narrow))
        text = read("docs", "translators.md")
        self.assertIn("VK_LAYER_CUSTOM_STYPE_LIST=" + wide + "\n", text)
        self.assertIn("khronos_validation.custom_stype_list = " + wide.replace(":", ",") + "\n", text)
        self.assertIn("VK_LAYER_CUSTOM_STYPE_LIST=" + narrow + "\n", text)

    def under_validation(self, stypes, settings=None):
        """The status of a program with the validation layer above; 77: it is not there, or drops everything."""
        environment = dict(os.environ, CLAMPLER_TEST_LAYERS="validation:clampler", VK_LAYER_CUSTOM_STYPE_LIST=stypes)
        with tempfile.TemporaryDirectory() as folder:
            if settings:
                with open(os.path.join(folder, "vk_layer_settings.txt"), "w", encoding="utf-8") as file:
                    file.write(settings)
                environment["VK_LAYER_SETTINGS_PATH"] = folder
            return subprocess.run([DESCRIPTORS], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def test_the_list_is_what_validation_needs(self):
        lines = read("docs", "translators.md").splitlines()
        for line in lines:
            if line.startswith("VK_LAYER_CUSTOM_STYPE_LIST=") and self.stype_list(SIZE_OF_POINTER, SIZE_OF_POINTER) in line:
                given = line.partition("=")[2]
        status = self.under_validation(given)
        if status == 77:
            self.skipTest("no validation layer that hands on what it does not know")
        self.assertEqual(status, 0)
        without_samplers = re.sub(r":1000999002:\d+", "", given)
        self.assertNotIn(self.under_validation(without_samplers), (0, 77))
        if SIZE_OF_POINTER == 8:  # an empty variable counts for nothing beside the file
            setting = next(line for line in lines if line.startswith("khronos_validation.custom_stype_list"))
            self.assertEqual(self.under_validation("", setting + "\n"), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
