# SPDX-License-Identifier: MIT
"""
SPIR-V in text files: assembly as spirv-dis writes it, alone (.spvasm, .asm.frag), behind other text (dxil-spirv's
references), or in raw strings of C++ (SPIRV-Tools' tests); and GLSL for Vulkan, by the suffix of its stage, or in raw strings
(of the first stage that it is for); both in scripts of Amber. Assembled by spirv-as, compiled by glslang: plain, with names
and lines (-g), and with NonSemantic.Shader.DebugInfo (-gVS).
"""
import os
import re
import subprocess
import tempfile

STAGES = {".vert", ".frag", ".comp", ".geom", ".tesc", ".tese", ".mesh", ".task", ".rgen", ".rchit", ".rahit", ".rmiss", ".rint",
          ".rcall"}
DEBUG = [[], ["-g"], ["-gVS"]]
MOST_BYTES = 1 << 24  # of a text; longer ones are data
RAW_STRING = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
AMBER = re.compile(r"^\s*SHADER\s+(\w+)\s+\S+\s+(SPIRV-ASM|GLSL)\b[^\n]*\n(.*?)^\s*END\b", re.DOTALL | re.MULTILINE)
AMBER_STAGES = {"vertex": "vert", "fragment": "frag", "compute": "comp", "geometry": "geom", "tessellation_control": "tesc",
                "tessellation_evaluation": "tese"}
HEADER = re.compile(r"^(?=; SPIR-V$)", re.MULTILINE)  # in front of each module of a text
BEGINS = re.compile(r"^(?:; SPIR-V\b|\s*OpCapability\b)", re.MULTILINE)
ENDS = re.compile(r"^\s*OpFunctionEnd\b.*$", re.MULTILINE)
VERSION = re.compile(r"^; Version: 1\.(\d)", re.MULTILINE)
NEWEST_MINOR, USUAL_MINOR = 6, 3  # of SPIR-V 1; the second where nothing says which


def texts_in(path, text):
    """The assembly in a file's text."""
    for part in [match[1] for match in RAW_STRING.findall(text)] if path.endswith((".cpp", ".h")) else HEADER.split(text):
        begin, ends = BEGINS.search(part), list(ENDS.finditer(part))
        if begin and ends and ends[-1].end() > begin.start():
            yield part[begin.start():ends[-1].end()] + "\n"


def run(command, output, text=b"", folder=None):
    """The module that a command leaves in the file `output`; None where it fails."""
    try:
        done = subprocess.run(command, input=text, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              timeout=120)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    with open(output, "rb") as file:
        return file.read()


def assemble(text, folder):
    """SPIR-V of a text; None: a fragment, or of a grammar that spirv-as does not know."""
    said = VERSION.search(text)
    minor = min(int(said.group(1)), NEWEST_MINOR) if said else USUAL_MINOR
    output = os.path.join(folder, "assembled.spv")
    return run(["spirv-as", "--target-env", f"spv1.{minor}", "--preserve-numeric-ids", "-o", output, "-"], output, text.encode())


def compile_glsl(path, folder):
    """Yields what glslang makes of a source in each form of debug information; None where it refuses it."""
    output = os.path.join(folder, "compiled.spv")
    for debug in DEBUG:
        module = run(["glslangValidator", "-V", "--target-env", "vulkan1.3", *debug, "-o", output, os.path.basename(path)], output,
                     folder=os.path.dirname(path) or ".")
        yield module
        if module is None:
            return


def compile_text(text, stages, folder):
    """Yields the same of a text, of the first stage that it can be of."""
    made = [None]
    for stage in stages:
        path = os.path.join(folder, "text." + stage)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        made = list(compile_glsl(path, folder))
        if made != [None]:
            break
    yield from made


def modules_of_amber(text, folder):
    for stage, form, body in AMBER.findall(text):
        if form == "SPIRV-ASM":
            yield assemble(body, folder)
        elif stage in AMBER_STAGES:
            yield from compile_text(body, [AMBER_STAGES[stage]], folder)


def modules_of_text(path, data):
    """Yields modules as bytes, and None for each text that is none; nothing of files without SPIR-V or GLSL."""
    if len(data) > MOST_BYTES or b"\0" in data:
        return
    text = data.decode("utf-8", "replace")
    found = False
    with tempfile.TemporaryDirectory(prefix="clampler-assembly-") as folder:
        if path.endswith(".amber"):
            yield from modules_of_amber(text, folder)
            return
        if path.endswith((".cpp", ".h")):
            for part in (match[1].lstrip() for match in RAW_STRING.findall(text)):
                if part.startswith("#version"):
                    yield from compile_text(part, ("frag", "comp", "vert"), folder)
        for part in texts_in(path, text):
            found = True
            yield assemble(part, folder)
        if not found and os.path.splitext(path)[1] in STAGES:
            yield from compile_glsl(path, folder)
