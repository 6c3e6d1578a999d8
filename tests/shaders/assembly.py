# SPDX-License-Identifier: MIT
"""
SPIR-V in text files: assembly as spirv-dis writes it, alone (.spvasm, .asm.frag), behind other text (dxil-spirv's
references), or in raw strings of C++ (SPIRV-Tools' tests); and GLSL for Vulkan, by the suffix of its stage, or in raw strings
(of the first stage that it is for); both in scripts of Amber. Assembled as by spirv-as, compiled as by glslang: plain, with
names and lines (-g), and with NonSemantic.Shader.DebugInfo (-gVS). HLSL, too, where its name begins with "hlsl.", as those of
glslang's tests do.
"""
import os
import re
import select
import struct
import subprocess

STAGES = ["frag", "comp", "vert", "geom", "tesc", "tese", "mesh", "task", "rgen", "rchit", "rahit", "rmiss", "rint", "rcall"]
DEBUG = ["plain", "lines", "scopes"]
MOST_BYTES = 1 << 24  # of a text; longer ones are data
RAW_STRING = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
AMBER = re.compile(r"^\s*SHADER\s+(\w+)\s+\S+\s+(SPIRV-ASM|GLSL)\b(?: TARGET_ENV spv1\.(\d))?[^\n]*\n(.*?)^\s*END\b",
                   re.DOTALL | re.MULTILINE)
AMBER_STAGES = {"vertex": "vert", "fragment": "frag", "compute": "comp", "geometry": "geom", "tessellation_control": "tesc",
                "tessellation_evaluation": "tese", "ray_generation": "rgen", "any_hit": "rahit", "closest_hit": "rchit",
                "miss": "rmiss", "intersection": "rint", "callable": "rcall"}
HEADER = re.compile(r"^(?=; SPIR-V$)", re.MULTILINE)  # in front of each module of a text
BEGINS = re.compile(r"^(?:; SPIR-V\b|\s*OpCapability\b)", re.MULTILINE)
ENDS = re.compile(r"^\s*OpFunctionEnd\b.*$", re.MULTILINE)
VERSION = re.compile(r"^; Version: 1\.(\d)", re.MULTILINE)
NEWEST_MINOR, USUAL_MINOR = 6, 3  # of SPIR-V 1; the second where nothing says which
VARIABLE = re.compile(r"(%\w+)\s*=\s*OpVariable\s+%\w+\s+(\w+)")
ENTRY_POINT = re.compile(r"^\s*OpEntryPoint\b.*$", re.MULTILINE)


def texts_in(path, text):
    """The assembly in a file's text."""
    for part in [match[1] for match in RAW_STRING.findall(text)] if path.endswith((".cpp", ".h")) else HEADER.split(text):
        begin, ends = BEGINS.search(part), list(ENDS.finditer(part))
        if begin and ends and ends[-1].end() > begin.start():
            yield part[begin.start():ends[-1].end()] + "\n"


def minor_version(text):
    """Of a text that may say it. Entry points that list more than inputs and outputs are of 1.4 at least."""
    said = VERSION.search(text)
    if said:
        return int(said.group(1))
    classes = dict(VARIABLE.findall(text))
    listed = re.findall(r"%\w+", " ".join(ENTRY_POINT.findall(text)))
    return NEWEST_MINOR if {classes.get(one, "Input") for one in listed} - {"Input", "Output"} else USUAL_MINOR


class Maker:
    """The program make_modules, which makes modules. A request that it does not survive has none."""
    SECONDS = 120  # without an answer

    def __init__(self, program):
        self.program, self.process = program, None

    def close(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def read(self, count):
        data = bytearray()
        while len(data) < count:
            if not select.select([self.process.stdout], [], [], self.SECONDS)[0]:
                raise TimeoutError
            part = os.read(self.process.stdout.fileno(), count - len(data))
            if not part:
                raise BrokenPipeError
            data += part
        return bytes(data)

    def make(self, *fields, data):
        """The module of a request; None where there is none."""
        if not self.process:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, bufsize=0)
        try:
            self.process.stdin.write("\t".join([*fields, str(len(data))]).encode() + b"\n")
            self.process.stdin.write(data)
            (words,) = struct.unpack("=I", self.read(4))
            return self.read(4 * words) or None
        except (BrokenPipeError, TimeoutError):
            self.close()
            return None

    def assemble(self, text, minor=None):
        """SPIR-V of a text; None: a fragment, or of a grammar that spirv-as does not know."""
        minor = min(minor_version(text) if minor is None else minor, NEWEST_MINOR)
        return self.make("assemble", str(minor), data=text.encode())

    def compile(self, path, stage, text):
        """Yields what glslang makes of a source in each form of debug information; None where it refuses it."""
        folder, name = os.path.split(path)
        language = "hlsl" if name.startswith("hlsl.") else "glsl"
        for debug in DEBUG:
            module = self.make("compile", language, stage, debug, name, folder, data=text.encode())
            yield module
            if module is None:
                return

    def compile_text(self, text, stages):
        """Yields the same of a text, of the first stage that it can be of."""
        made = [None]
        for stage in stages:
            made = list(self.compile("text." + stage, stage, text))
            if made != [None]:
                break
        yield from made

    def optimise(self, recipe, module):
        return self.make("optimise", recipe, data=module)


def modules_of_amber(text, maker):
    for stage, form, minor, body in AMBER.findall(text):
        if form == "SPIRV-ASM":
            yield maker.assemble(body, int(minor) if minor else None)
        elif stage in AMBER_STAGES:
            yield from maker.compile_text(body, [AMBER_STAGES[stage]])


def may_have_modules(path, data):
    """Whether modules_of_text may find something."""
    return path.endswith((".amber", *("." + stage for stage in STAGES))) or b"OpFunctionEnd" in data or (
        path.endswith((".cpp", ".h")) and b"#version" in data)


def modules_of_text(path, data, maker):
    """Yields modules as bytes, and None for each text that is none; nothing of files without SPIR-V or GLSL."""
    if len(data) > MOST_BYTES or b"\0" in data:
        return
    text = data.decode("utf-8", "replace")
    found = False
    if path.endswith(".amber"):
        yield from modules_of_amber(text, maker)
        return
    if path.endswith((".cpp", ".h")):
        for part in (match[1].lstrip() for match in RAW_STRING.findall(text)):
            if part.startswith("#version"):
                yield from maker.compile_text(part, STAGES)
    for part in texts_in(path, text):
        found = True
        yield maker.assemble(part)
    stage = os.path.splitext(path)[1][1:]
    if not found and stage in STAGES:
        yield from maker.compile(path, stage, text)
