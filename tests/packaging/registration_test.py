#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/generate/registration.py writes, on this machine's vk.xml, by patch(1) and by Khronos' own generator.

    registration_test.py ROOT VK_XML VULKAN_HEADERS CC

The generator is what stands beside vk.xml (reg.py, cgenerator.py), with the options that Vulkan-Docs' genvk.py has for
vulkan_core.h: Debian's genvk.py needs modules that the package lacks, or is not there. Exits with 77 where the generator, a
module that it needs (python3-pyparsing), or patch is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

ROOT, VK_XML, HEADERS, CC = sys.argv[1:5]
EXTENSION = "VK_CLAMPLER_gl_sampler"
REGISTRATION = os.path.join(ROOT, "scripts", "generate", "registration.py")
GENERATE = """
import inspect, sys
import xml.etree.ElementTree as ET
registry, vk_xml, folder = sys.argv[1:]
sys.path.insert(0, registry)
from cgenerator import CGeneratorOptions, COutputGenerator
from reg import Registry
from vkconventions import VulkanConventions
tree = ET.parse(vk_xml)
platform = [e.get('name') for e in tree.iterfind('extensions/extension[@platform]')]
options = dict(
    conventions=VulkanConventions(), filename='vulkan_core.h', directory=folder, genpath=None, apiname='vulkan', profile=None,
    versions='.*', emitversions='.*', defaultExtensions='vulkan', addExtensions=None,
    removeExtensions='^(' + '|'.join(platform) + ')$', emitExtensions='.*', prefixText=PREFIX, genFuncPointers=True,
    protectFile=True, protectFeature=False, protectProto='#ifndef', protectProtoStr='VK_NO_PROTOTYPES',
    protectExportName='vulkan', protectExportProtoStr='VK_ONLY_EXPORTED_PROTOTYPES',
    apicall='VKAPI_ATTR ', apientry='VKAPI_CALL ', apientryp='VKAPI_PTR *', alignFuncParam=48)
known = inspect.signature(CGeneratorOptions.__init__).parameters
registry = Registry(COutputGenerator(errFile=sys.stderr, warnFile=sys.stderr, diagFile=None),
                    CGeneratorOptions(**{k: v for k, v in options.items() if k in known or not k.startswith('protectExport')}))
registry.loadElementTree(tree)
registry.apiGen()
"""


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)


class Registration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.registered = {}
        written = run([sys.executable, REGISTRATION, VK_XML, "--output", cls.folder.name, "--contact", "Jane Doe @janedoe"])
        assert written.returncode == 0, written.stdout
        for name, diffs in (("given", []), ("reserved", ["reservation.diff"]), ("defined", ["reservation.diff", "definition.diff"])):
            folder = cls.path(name)
            os.makedirs(os.path.join(folder, "vulkan"))
            xml = os.path.join(folder, "vk.xml")
            shutil.copy(VK_XML, xml)
            for diff in diffs:
                applied = run(["patch", "--fuzz=0", xml, cls.path(diff)])
                assert applied.returncode == 0 and "offset" not in applied.stdout, applied.stdout
            cls.registered[name] = ET.parse(xml).getroot()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, *name):
        return os.path.join(cls.folder.name, *name)

    def header(self, name):
        """The vulkan_core.h of a registry; what the installed one begins with, but for its guard, is its prefix."""
        out = self.path(name, "vulkan", "vulkan_core.h")
        if not os.path.exists(out):
            installed = self.read(os.path.join(HEADERS, "vulkan", "vulkan_core.h"))
            prefix = installed[installed.index("/*\n"):installed.index("#ifdef __cplusplus")].splitlines()
            code = "PREFIX = %r\n%s" % ([line for line in prefix if line], GENERATE)
            done = run([sys.executable, "-c", code, os.path.dirname(VK_XML), self.path(name, "vk.xml"), self.path(name, "vulkan")])
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotRegex(done.stdout, "(?i)error")
        return self.read(out)

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def extension(self, name):
        return self.registered[name].find("extensions/extension[@name='%s']" % EXTENSION)

    # ---- The reservation ----

    def test_the_number_is_the_next(self):
        numbers = [int(e.get("number")) for e in self.registered["given"].iterfind("extensions/extension")]
        for name in ("reserved", "defined"):
            self.assertEqual(int(self.extension(name).get("number")), max(numbers) + 1)
            self.assertIs(self.registered[name].find("extensions")[-1], self.extension(name))
            tag = self.registered[name].find("tags")[-1]
            self.assertEqual((tag.get("name"), tag.get("contact")), ("CLAMPLER", "Jane Doe @janedoe"))

    def test_the_reservation_has_the_form_of_others(self):
        """Attributes, and the pattern of what is in it, are those of another reserved extension of the registry."""
        others = [e for e in self.registered["given"].iterfind("extensions/extension[@supported='disabled']")]
        mine = self.extension("reserved")

        def form(e):
            author = e.get("name").upper()
            return [re.sub(author, "NAME", enum.get("name")) for enum in e.iterfind("require/enum")], [
                enum.get("value").replace(e.get("name"), "name") for enum in e.iterfind("require/enum")]
        self.assertIn(form(mine), [form(e) for e in others if all(v.get("value") for v in e.iterfind("require/enum"))])
        self.assertLessEqual(set(mine.attrib), {key for e in others for key in e.attrib})
        self.assertEqual(mine.get("supported"), "disabled")

    def test_the_reservation_changes_no_header(self):
        self.assertEqual(self.header("given"), self.header("reserved"))

    def test_the_generator_is_the_one_that_made_the_installed_header(self):
        """Every declaration of the installed header is generated: a header of nothing would be the same twice, too."""
        def declared(text):
            return set(re.findall(r"\b[vV][kK]\w+\b", text))
        missing = declared(self.read(os.path.join(HEADERS, "vulkan", "vulkan_core.h"))) - declared(self.header("given"))
        self.assertEqual(missing, set())

    # ---- The definition ----

    def test_the_definition_only_adds(self):
        """The header without the extension is the other one with lines left out."""
        rest = iter(self.header("defined").splitlines())
        missing = [line for line in self.header("given").splitlines() if line not in rest]  # consumes `rest` up to the line
        self.assertEqual(missing[:3], [])
        self.assertIn("#define %s 1" % EXTENSION, self.header("defined"))
        self.assertNotIn("CLAMPLER", self.header("given"))

    def test_the_definition_has_the_form_of_others(self):
        """Elements and attributes are those that published extensions of the registry have."""
        published = [e for e in self.registered["given"].iterfind("extensions/extension") if e.get("supported") != "disabled"]
        mine = self.extension("defined")
        self.assertLessEqual(set(mine.attrib), {key for e in published for key in e.attrib})
        forms = {(e.tag, frozenset(e.attrib)) for one in published for e in one.iterfind("require/*")}
        self.assertLessEqual({(e.tag, frozenset(e.attrib)) for e in mine.iterfind("require/*")}, forms)
        types = self.registered["defined"].findall("types/type")
        own = [t for t in types if (t.get("name") or t.findtext("name") or "").endswith("CLAMPLER")]
        self.assertEqual(len(own), 17)
        forms = {(t.get("category"), frozenset(t.attrib)) for t in self.registered["given"].iterfind("types/type")}
        self.assertLessEqual({(t.get("category"), frozenset(t.attrib)) for t in own}, forms)
        parents = {t.get("name"): t.get("requiredlimittype") for t in types}
        for structure in own:  # as Khronos' xml_consistency.py has it
            for parent in (structure.get("structextends") or "").split(","):
                self.assertEqual(structure.get("requiredlimittype"), parents.get(parent), structure.get("name"))
            if structure.get("requiredlimittype"):
                self.assertFalse([m.findtext("name") for m in structure.findall("member")[2:] if not m.get("limittype")])
        if any(e.find("require/feature") is not None for e in published):
            self.assertEqual([f.get("struct") for f in mine.iterfind("require/feature")], ["VkPhysicalDeviceGLSamplerFeaturesCLAMPLER"])
        self.assertEqual(mine.get("supported"), "vulkan")

    def program(self, include, prefix):
        """What a program prints of every structure, member and value, with the headers of `include`."""
        own = ET.parse(os.path.join(ROOT, "layer", "base", "clampler.xml")).getroot()
        lines = []
        for structure in own.iterfind("types/type[@category='struct']"):
            name = structure.get("name")
            lines.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
            for member in structure.iterfind("member"):
                field = name + "." + member.find("name").text
                lines.append('printf("%s %%zu\\n", offsetof(%s, %s));' % (field, name, member.find("name").text))
        enums = [e.get("name") for e in own.iterfind("enums/enum")]
        enums += [e.get("name") for e in own.iterfind("extensions/extension/require/enum") if not e.get("name").endswith("_NAME")]
        for name in enums:
            lines.append('printf("%s %%llu\\n", (unsigned long long)%s);' % (name, name))
        lines.append('puts("name " VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);')
        source, program = self.path(prefix + ".c"), self.path(prefix)
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <stddef.h>\n#include <stdio.h>\n%s\nint main(void)\n{\n%s\nreturn 0;\n}\n" % (
                "\n".join("#include <%s>" % i for i in include[1]), "\n".join(lines)))
        done = run([CC, "-std=c11", "-Wall", "-Wextra", "-Werror"] + ["-I" + i for i in include[0]] + ["-o", program, source])
        self.assertEqual(done.returncode, 0, done.stdout)
        return dict(line.split() for line in run([program]).stdout.splitlines())

    def test_structures_are_the_published_ones_and_values_follow_the_number(self):
        self.header("defined")
        shutil.copy(os.path.join(HEADERS, "vulkan", "vk_platform.h"), self.path("defined", "vulkan"))
        if os.path.isdir(os.path.join(HEADERS, "vk_video")):
            shutil.copytree(os.path.join(HEADERS, "vk_video"), self.path("defined", "vk_video"))
        generated = self.program(([self.path("defined")], ["vulkan/vulkan_core.h"]), "generated")
        os.mkdir(self.path("include"))  # HEADERS may be a whole system's
        for name in ("vulkan", "vk_video"):
            os.symlink(os.path.join(HEADERS, name), self.path("include", name))
        header = self.program(([os.path.join(ROOT, "layer", "base"), self.path("include")], ["vulkan_clampler.h"]), "published")
        self.assertEqual(set(generated), set(header))
        base, compared = 1000000000 + (int(self.extension("defined").get("number")) - 1) * 1000, 0
        for name, value in header.items():
            if value.startswith("1000999"):
                compared += 1
                value = str(base + int(value) - 1000999000)
            self.assertEqual(generated[name], value, name)
        self.assertEqual(compared, 13)

    # ---- The appendix, and bad input ----

    def test_the_appendix_has_khronos_form(self):
        text = self.read(self.path(EXTENSION + ".adoc"))
        self.assertEqual(re.findall(r"^=+ (.*)$", text, flags=re.MULTILINE),
                         ["Other Extension Metadata", "Description", "Issues", "Version History"])
        self.assertEqual(re.findall(r"^include::(.*)\[\]$", text, flags=re.MULTILINE),
                         ["{generated}/meta/{refprefix}%s.adoc" % EXTENSION, "{generated}/interfaces/%s.adoc" % EXTENSION])
        self.assertNotIn("<<", text)
        revisions = re.findall(r"^  \* Revision (\d+), \d{4}-\d\d-\d\d \(.+\)$", text, flags=re.MULTILINE)
        newest = self.extension("defined").find("require/enum").get("value")
        self.assertEqual(revisions, [str(n + 1) for n in range(int(newest))])
        issues = [int(n) for n in re.findall(r"^(\d+)\) .+\?$", text, flags=re.MULTILINE)]
        self.assertEqual(issues, list(range(1, len(issues) + 1)))
        self.assertEqual(len(re.findall(r"^\*RESOLVED\*", text, flags=re.MULTILINE)), len(issues))

    def test_a_registry_that_has_the_extension_is_refused(self):
        for name in ("reserved", "defined"):
            done = run([sys.executable, REGISTRATION, self.path(name, "vk.xml"), "--output", self.path(name)])
            self.assertEqual(done.returncode, 1)
            self.assertIn("already", done.stdout)

    def test_a_contact_may_have_any_characters(self):
        os.makedirs(self.path("odd"))
        done = run([sys.executable, REGISTRATION, VK_XML, "--output", self.path("odd"), "--contact", 'A \\1 "B" & <C> @d'])
        self.assertEqual(done.returncode, 0, done.stdout)
        shutil.copy(VK_XML, self.path("odd", "vk.xml"))
        for diff in ("reservation.diff", "definition.diff"):
            self.assertEqual(run(["patch", self.path("odd", "vk.xml"), self.path("odd", diff)]).returncode, 0)
        extension = ET.parse(self.path("odd", "vk.xml")).getroot().find("extensions/extension[@name='%s']" % EXTENSION)
        self.assertEqual(extension.get("contact"), 'A \\1 "B" & <C> @d')


if __name__ == "__main__":
    for needed in ("reg.py", "cgenerator.py", "vkconventions.py"):
        if not os.path.exists(os.path.join(os.path.dirname(VK_XML), needed)):
            print("skipped: no %s beside %s" % (needed, VK_XML))
            sys.exit(77)
    imported = run([sys.executable, "-c", "import reg, cgenerator, vkconventions"],
                   env=dict(os.environ, PYTHONPATH=os.pathsep.join([os.path.dirname(VK_XML), os.environ.get("PYTHONPATH", "")])))
    if "No module named" in imported.stdout:
        print("skipped: Khronos' generator: " + imported.stdout.strip().splitlines()[-1])
        sys.exit(77)
    if not shutil.which("patch"):
        print("skipped: no patch")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
