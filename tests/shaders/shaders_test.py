#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/suites/shaders itself: what it finds in files, and that each of its judges can fail.

    shaders_test.py SOURCE_FOLDER JUDGE_MODULES CORPUS_PACK
"""
import array
import base64
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

SOURCE, JUDGE, PACK = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "tests", "shaders"), os.path.join(SOURCE, "tests", "harness")]
import archives
import assembly
import beside
from checks import expect, finish

# The last five are looked for in programs that have such instructions.
PLANTED = {"invalid": "not valid", "unstable": "another result the second time",
           "slow": "basic blocks, at most", "large": "bytes", "lookup": "without a word", "crash": "crashed",
           "zeros": "records of zeros change", "location": "the interface lacks: (in|out)put of",
           "binding": "the interface lacks: resource", "specialized": "the interface lacks: specialized",
           "offset": "the interface lacks: (pushed|resource)", "mode": "the interface lacks: mode"}

def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


# ---- Archives, written from the format's description ----

def varint(module):
    data = bytearray()
    for (word,) in struct.iter_unpack("=I", module):
        while word >= 0x80:
            data.append(0x80 | word & 0x7f)
            word >>= 7
        data.append(word)
    return bytes(data)


def shader_entry(module, in_front=b""):
    data = varint(module)
    text = json.dumps({"version": 6, "shaderModules": {"0123": {
        "varintOffset": len(in_front), "varintSize": len(data), "codeSize": len(module), "flags": 0}}})
    return text.encode() + b"\0" + in_front + data


def entry(number, payload, tag=4, deflated=True, crc=None, size=None):
    stored = zlib.compress(payload) if deflated else payload
    crc = zlib.crc32(stored) if crc is None else crc
    size = len(payload) if size is None else size
    return (f"{tag:024x}{number:016x}".encode() +
            struct.pack("<4I", len(stored), 2 if deflated else 1, crc, size) + stored)


def archive(*entries):
    return b"\x81FOSSILIZEDB\0\0\0\6" + b"".join(entries)


def old_entry(module):
    code = base64.b64encode(module).decode()
    return json.dumps({"version": 5, "shaderModules": {"1": {"codeSize": len(module), "code": code}}}).encode()


MAKER = assembly.Maker(os.path.join(os.path.dirname(JUDGE), "make_modules"))


def read(folder, name, data):
    write(folder, name, data)
    found = list(archives.modules_of_file(os.path.join(folder, name), MAKER))
    return [m for m in found if isinstance(m, bytes)], [str(m) for m in found if not isinstance(m, bytes)]


def archives_are_read(folder, modules):
    a, b, c = modules[:3]
    whole = archive(entry(1, shader_entry(a)), entry(2, b'{"version":6}', tag=6), entry(3, shader_entry(b, b"\x85\x01")),
                    entry(4, shader_entry(c), deflated=False), entry(5, old_entry(a)), entry(6, shader_entry(b), crc=0))
    expect(read(folder, "whole.foz", whole) == ([a, b, c, a, b], []), "an archive's modules are read, in each form")
    for cut in (1, 30, 55, 57, 90, len(entry(6, shader_entry(b)))):
        got = read(folder, "cut.foz", whole[:-cut])
        expect(got == ([a, b, c, a], []), f"what is cut off, {cut} bytes, is left out without a word: {got[1]}")
    ends = varint(a)
    for what, data, said in (
            ("sum", entry(7, shader_entry(a), crc=1), "sum"),
            ("form", entry(7, shader_entry(a))[:44] + b"\3" + entry(7, shader_entry(a))[45:], "form"),
            ("deflated bytes", entry(7, b"", deflated=False)[:44] + b"\2" + bytes(7) + bytes(4), "unpacked"),
            ("size", entry(7, shader_entry(a), size=5), "size"),
            ("JSON", entry(7, b"{\0"), "JSON"),
            ("JSON of something else", entry(7, b"[]\0"), "JSON"),
            ("words beyond the entry", entry(7, shader_entry(a)[:-1]), "beyond"),
            ("words that end early", entry(7, shader_entry(a).replace(b'"codeSize": ', b'"codeSize": 9')), "early"),
            ("bytes behind the words", entry(7, shader_entry(a[:-4]).replace(
                str(len(varint(a[:-4]))).encode(), str(len(ends)).encode()) + ends[len(varint(a[:-4])):]), "behind"),
            ("words of six bytes", entry(7, shader_entry(b"\0" * 4).split(b"\0")[0].replace(
                b'"varintSize": 1', b'"varintSize": 6') + b"\0" + b"\xff" * 5 + b"\1"), "too many"),
            ("no SPIR-V", entry(7, shader_entry(b"\0" * 24)), "no whole module")):
        got = read(folder, "broken.foz", archive(data, entry(8, shader_entry(b))))
        expect(got[0] == [b] and len(got[1]) == 1 and said in got[1][0],
               f"{what}: said, and what follows is read: {[len(m) for m in got[0]]} {got[1]}")
    got = read(folder, "tag.foz", archive(entry(1, shader_entry(a)), b"x" * 60, entry(2, shader_entry(b))))
    expect(got[0] == [a] and "without a tag" in got[1][0], "an entry without a tag ends an archive")


def disassembled(folder, module):
    write(folder, "module.spv", module)
    text = subprocess.run(["spirv-dis", os.path.join(folder, "module.spv")], check=True, capture_output=True).stdout
    os.remove(os.path.join(folder, "module.spv"))
    return text


GLSL = """#version 450
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D image;
void main() { color = texture(image, gl_FragCoord.xy); }
"""


def files_are_told_apart(folder, modules):
    a = modules[0]
    swapped = b"".join(a[i:i + 4][::-1] for i in range(0, len(a), 4))
    expect(read(folder, "any name", a) == ([a], []), "SPIR-V is known by its first word")
    expect(read(folder, "swapped", swapped) == ([a], []), "SPIR-V of the other byte order is turned")
    expect(read(folder, "odd", a + b"x") == ([], ["no whole module"]), "SPIR-V of no whole words is broken")
    expect(read(folder, "short", a[:12]) == ([], ["no whole module"]), "SPIR-V without its header is broken")
    expect(read(folder, "text", b"#version 450\n") == ([], []), "other files are passed over")
    expect(read(folder, "empty", b"") == ([], []), "empty files are passed over")


def texts_are_assembled(folder, modules):
    """As spirv-dis has them, with text in front, several in one file, and in strings of C++."""
    first = [disassembled(folder, module) for module in modules[:2]]
    again = [read(folder, "again.spvasm", text)[0] for text in first]
    expect(all(len(got) == 1 and len(got[0]) >= 1000 for got in again), f"assembly is a module: {again}")
    a, b = again[0][0], again[1][0]
    expect(read(folder, "two.expected.spvasm", b"//\n// one\n//\n" + first[0] + b"\n// two\n" + first[1]) == ([a, b], []),
           "a text may have several")
    expect(read(folder, "reference.comp", b"#version 450\nvoid main() {}\n#if 0\n" + first[0] + b"#endif\n") == ([a], []),
           "a text may have something in front and behind")
    strings = b'const char* text = R"(\n' + first[0] + b')";\nvoid f(); const char* other = R"raw(' + first[1] + b')raw";\n'
    expect(read(folder, "test.cpp", strings) == ([a, b], []), "strings of C++ are texts")
    got = read(folder, "fragment.spvasm", b"; SPIR-V\n%1 = OpNothing\nOpFunctionEnd\n")
    expect(got[0] == [] and len(got[1]) == 1 and "spirv-as" in got[1][0], f"what spirv-as refuses is counted: {got[1]}")
    glsl = read(folder, "picture.frag", GLSL.encode())
    expect(len(set(glsl[0])) >= 2 and not glsl[1], f"GLSL is compiled with debug information and without: {len(glsl[0])}")
    raw = read(folder, "rays.cpp", b'const char *text = R"(#version 460\n#extension GL_EXT_ray_tracing : require\n'
               b'hitAttributeEXT vec2 at;\nvoid main() {}\n)";\n')
    expect(len(raw[0]) == 3 and not raw[1], f"GLSL in strings may be of any stage: {len(raw[0])} {raw[1]}")
    raw = read(folder, "raw.cpp", b'const char *text = R"glsl(\n        ' + GLSL.encode() + b')glsl";\n')
    expect((raw[0][0], len(raw[0]), raw[1]) == (glsl[0][0], len(glsl[0]), []), f"GLSL in strings of C++ is compiled, too: {len(raw[0])} {raw[1]}")
    write(folder, "part.glsl", GLSL[GLSL.index("layout"):].encode())
    got = read(folder, "parts.frag", b'#version 450\n#extension GL_GOOGLE_include_directive : require\n#include "part.glsl"\n')
    expect(len(got[0]) == 3 and not got[1], f"GLSL includes what is beside it: {len(got[0])} {got[1]}")
    got = read(folder, "hlsl.one.frag", b"float4 main() : SV_Target { return 1; }\n")
    expect(len(got[0]) == 3 and not got[1], f"HLSL is compiled where the name says so: {len(got[0])} {got[1]}")
    rays = b"#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n"
    amber = (b"#!amber\nSHADER vertex v PASSTHROUGH\nSHADER fragment f GLSL\n" + GLSL.encode() + b"END\n"
             b"SHADER ray_generation r GLSL TARGET_ENV spv1.4\n" + rays + b"END\n"
             b"SHADER compute e SPIRV-ASM TARGET_ENV spv1.5\nOpCapability Shader\nOpMemoryModel Logical GLSL450\nEND\n"
             b"SHADER compute c SPIRV-ASM\n" + first[0] + b"END\nPIPELINE graphics p\n")
    got = read(folder, "script.amber", amber)
    expect((got[0][0], got[0][-1], len(got[0]), got[1]) == (glsl[0][0], a, len(glsl[0]) + 3 + 2, []),
           f"Amber's scripts have both, of all stages: {len(got[0])} {got[1]}")
    expect(got[0][-2][4:8] == struct.pack("=I", 0x10500), f"of the version that they say: {got[0][-2][:20]}")
    for storage, version in (("Output", 0x10300), ("StorageBuffer", 0x10600)):
        text = f'OpEntryPoint GLCompute %f "f" %v\n%p = OpTypePointer {storage} %s\n%v = OpVariable %p {storage}\n'
        expect(MAKER.assemble(text)[4:8] == struct.pack("=I", version), f"entry points tell the version: {storage}")
    got = read(folder, "wrong.frag", b"#version 450\nvoid main() { nothing }\n")
    expect(got[0] == [] and "glslang" in got[1][0], f"what glslang refuses is counted: {got[1]}")


def lookups_stand_in_blocks():
    module = MAKER.assemble("""OpCapability Shader
%set = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%voids = OpTypeFunction %void
%float = OpTypeFloat 32
%zero = OpConstant %float 0
%main = OpFunction %void None %voids
%first = OpLabel
OpReturn
%behind = OpExtInst %float %set Sqrt %zero
OpFunctionEnd
""")
    opcodes = [word & 0xffff for word, *_ in beside.instructions(array.array("I", beside.with_lookups(module).data))]
    expect(opcodes.count(beside.OP_SAMPLE_EXPLICIT_LOD) == 2 and opcodes[-4:] == [beside.OP_SAMPLE_EXPLICIT_LOD, 253, 12, 56],
           f"lookups stand in front of a block's end, whatever is behind it: {opcodes[-8:]}")


def makers_that_end_are_started_again(folder):
    whole = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    expect(MAKER.assemble(whole), "a request has a module")
    first = MAKER.process.pid
    expect(MAKER.assemble("%1 = OpNothing\n") is None and MAKER.process.pid == first, "a refused one has none")
    expect(MAKER.make("nothing", data=b"") is None, "what is no request has none")
    expect(MAKER.assemble(whole) and MAKER.process.pid != first, "and the next one is made by another process")
    hangs = os.path.join(folder, "hangs")
    write(folder, "hangs", b"#!/bin/sh\nexec sleep 600\n")
    os.chmod(hangs, 0o755)
    slow = assembly.Maker(hangs)
    slow.SECONDS = 0.1
    expect(slow.assemble(whole) is None and slow.process is None, "one that says nothing is ended")


# ---- The script ----

def shaders(failed, *arguments):
    run = subprocess.run([os.path.join(SOURCE, "scripts", "suites", "shaders"), "--judge", JUDGE, "--jobs", "2", "--failures",
                          failed,
                          *arguments], capture_output=True, text=True, check=False)
    if run.stderr:
        print(run.stderr)
    return run.returncode, run.stdout


def counts_of(output):
    """The table of the first PATH."""
    lines = output.splitlines()
    at = next(i for i, line in enumerate(lines) if "not valid" in line and "forms" in line)
    names = re.split(r"\s{2,}", lines[at].strip())
    return dict(zip(names, (int(number.replace(",", "")) for number in lines[at + 1].split())))


def made(folder, name, stage, text):
    """A module from GLSL, by the compiler that the build has as well."""
    source, to = os.path.join(folder, f"{name}.{stage}"), os.path.join(folder, f"{name}.spv")
    write(folder, f"{name}.{stage}", text.encode())
    subprocess.run(["glslangValidator", "-V", source, "-o", to], check=True, stdout=subprocess.DEVNULL)
    os.remove(source)


# SPIR-V has images of which nothing says whether they are sampled or stored to, and Vulkan does not.
SAMPLED_OR_STORED = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color
OpExecutionMode %main OriginUpperLeft
OpDecorate %color Location 0
OpDecorate %both DescriptorSet 0
OpDecorate %both Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%two = OpTypeVector %float 2
%four = OpTypeVector %float 4
%image = OpTypeImage %float 2D 0 0 0 0 Unknown
%sampled = OpTypeSampledImage %image
%to_sampled = OpTypePointer UniformConstant %sampled
%to_four = OpTypePointer Output %four
%zero = OpConstant %float 0
%place = OpConstantComposite %two %zero %zero
%both = OpVariable %to_sampled UniformConstant
%color = OpVariable %to_four Output
%main = OpFunction %void None %function
%first = OpLabel
%loaded = OpLoad %sampled %both
%texel = OpImageSampleImplicitLod %four %loaded %place
OpStore %color %texel
OpReturn
OpFunctionEnd
"""


def shelf_of_interfaces(folder):
    """What the faults in the interface need: one of each kind in front of others of its kind."""
    made(folder, "fragment", "frag", """#version 450
layout(constant_id = 3) const float more = 1;
layout(location = 0) out vec4 color;
layout(binding = 2) uniform sampler2D image;
layout(push_constant) uniform Pushed { vec2 at; } pushed;
void main() { color = texture(image, pushed.at) * more; }
""")
    made(folder, "fetch", "frag", """#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(location = 0) out vec4 color;
layout(binding = 2) uniform texture2D image;
layout(binding = 3) uniform sampler2D both;
void main() { color = texelFetchOffset(image, ivec2(3, 4), 0, ivec2(1, -2)) + texture(both, vec2(0.5)); }
""")
    # Any texel may come of no number; infinity is beyond every bound.
    for name, place in ("nan", "sqrt(-1.0 - one * one)"), ("infinity", "1.0 / (one - one)"):
        made(folder, name, "frag", f"""#version 450
layout(location = 0) in float one;
layout(location = 0) out vec4 color;
layout(binding = 2) uniform sampler2D image;
void main() {{ color = texture(image, vec2({place}, 0.5)); }}
""")
    made(folder, "compute", "comp", """#version 450
layout(local_size_x = 4) in;
layout(binding = 1) uniform sampler2D image;
layout(binding = 5, rgba8) uniform writeonly image2D to;
void main() { imageStore(to, ivec2(gl_GlobalInvocationID), textureLod(image, vec2(0.5), 0)); }
""")


def lookups_of_any_image_are_counted(folder):
    path = os.path.join(folder, "sampled_or_stored.spvasm")
    write(folder, "sampled_or_stored.spvasm", SAMPLED_OR_STORED.encode())
    status, output = shaders(os.path.join(folder, "failed"), path)
    counts = counts_of(output)
    expect(status == 0 and counts["not Vulkan's"] == 1 and counts["left alone"] >= 50, f"lookups of any image: {output}")


def some_forms_are_taken(folder, modules):
    shelf, failed = os.path.join(folder, "some"), os.path.join(folder, "failed")
    os.makedirs(shelf)
    for i, module in enumerate(modules):
        write(shelf, f"{i}.spv", module)
    for each, count, least in ((1, 5, 1), (3, 15, 3), (9, 19, 4)):
        status, output = shaders(failed, "--each", str(each), shelf)
        ones = [line for line in output.splitlines() if "of 6 layouts" in line]
        expect(status == 0 and len(modules) * (6 * count + 3) <= counts_of(output)["forms"] <= len(modules) * (6 * count + 5),
               f"--each {each}: every module is in {count} forms of each layout: {counts_of(output)}")
        expect(len(ones) == 1 and ones[0].strip().startswith("6 of 6 layouts, each in 19 of 19 forms") and
               int(re.search(r"with (\d+) modules", ones[0])[1]) >= least, f"--each {each}: no form is left out: {ones}")
    status, output = shaders(failed, "--few", "--at-most", "2", shelf)
    expect(status == 0 and counts_of(output)["modules"] == 2 and f"some of {len(modules)} files" in output, f"--at-most: {output}")
    status, output = shaders(failed, "--each", "1", "--plant", "invalid", shelf)
    expect(status == 1 and counts_of(output)["failed"] > 0, f"and can fail: {output}")


def sources_are_got_by_git(folder):
    """From a repository on this machine in place of GitHub's, at a commit that is not its newest."""
    if not shutil.which("git"):
        print("sources_are_got_by_git: skipped, no git")
        return
    origin, got, home = (os.path.join(folder, name) for name in ("origin", "got", "home"))
    for name in ("one/deep", "two", "large"):
        os.makedirs(os.path.join(origin, name))
    os.makedirs(home)
    for name in ("one/deep/a.spvasm", "one/a.txt", "two/b", "large/c", "top"):
        write(origin, name, name.encode())
    write(home, ".gitconfig", f"""[uploadpack]
allowFilter = true
allowAnySHA1InWant = true
[user]
name = somebody
email = somebody@localhost
[url "file://{origin}"]
insteadOf = https://github.com/some/body
""".encode())
    environment = {**os.environ, "HOME": home, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=origin, env=environment, check=True, capture_output=True,
                              text=True).stdout.strip()

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    commit = git("rev-parse", "HEAD")
    git("rm", "--quiet", "-r", "one")
    git("commit", "--quiet", "--message", "second")
    write(folder, "list", f"# a comment\nsome/body {commit} one/**/*.spvasm two\n".encode())
    # The script says where it got things from its list, and needs no build for that.
    run = subprocess.run([sys.executable, "-c", f"""
import importlib.machinery
import importlib.util
loader = importlib.machinery.SourceFileLoader("shaders", {os.path.join(SOURCE, "scripts", "suites", "shaders")!r})
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("shaders", loader))
loader.exec_module(script)
print(*script.other_sources({got!r}, {os.path.join(folder, "list")!r}), sep="\\n")
"""], env={**environment, "PYTHONDONTWRITEBYTECODE": "1"}, check=False, capture_output=True, text=True)
    top = os.path.join(got, "some+body")
    expect(run.stdout.split() == [os.path.join(top, "one"), os.path.join(top, "two")], f"{run.stdout}{run.stderr}")
    found = sorted(os.path.relpath(file, top) for file in archives.files_below(top) if ".git/" not in file)
    expect(found == ["one/deep/a.spvasm", "two/b"], f"what the list names, at its commit, and nothing else: {found}")


def modules_are_judged(folder, modules):
    shelf, failed = os.path.join(folder, "shelf"), os.path.join(folder, "failed")
    os.makedirs(os.path.join(shelf, "below"))
    invalid = modules[0][:20] + struct.pack("=I", 0x00010000 | 0xff) + modules[0][20:]
    write(shelf, "a.spv", modules[0])
    write(os.path.join(shelf, "below"), "b", modules[1])
    write(shelf, "c.foz", archive(entry(1, shader_entry(modules[0])), entry(2, shader_entry(modules[2]))))
    write(shelf, "invalid.spv", invalid)
    write(shelf, "0123456789abcdef.before.spv", modules[1])
    write(shelf, "0123456789abcdef.tier1.01234567.spv", modules[3])
    status, output = shaders(failed, shelf)
    counts = counts_of(output)
    expect(status == 0, f"good modules pass: status {status}\n{output}")
    expect(counts["modules"] == 4 and "2 modules that were there before" in output,
           f"equal modules count once, whatever they lie in: {counts}")
    expect(counts["not valid"] == 1 and "not valid as they are: 1 x" in output, f"what is not valid is told: {counts}")
    expect(counts["forms"] >= 3 * 53 and counts["rewritten"] > 100 and counts["failed"] == 0, f"forms: {counts}")
    expect(counts["run with zeros"] > 0, f"some modules are run with records of zeros: {counts}")
    expect(not os.listdir(failed), "nothing is left where nothing failed")
    beside = os.path.join(folder, "beside")
    os.makedirs(beside)
    made(beside, "barrier", "comp", "#version 450\nlayout(local_size_x = 4) in;\nvoid main() { barrier(); }\n")
    status, output = shaders(failed, "--beside", beside)
    tables = output.split(", with lookups beside:")
    operands = tables[-1].split(", as operands:")[-1]
    expect(status == 0 and len(tables) == 2 and counts_of(tables[0])["rewritten"] == 0 and counts_of(operands)["rewritten"] > 30 and
           counts_of("beside" + tables[1])["rewritten"] > 30, f"lookups are put beside what a module has: {output}")
    left = {line.split(":")[0].strip(): line.split("; not: ")[1].split() for line in output.splitlines() if "; not: " in line}
    names = left["beside lookups"]
    expect("OpControlBarrier" not in names and "OpImageSampleExplicitLod" not in names and "OpEmitVertex" in names,
           f"instructions beside lookups are known: {names}")
    names = left["between an OpSampledImage and its use"]
    expect("OpControlBarrier" not in names and "OpTypeVoid" in names, f"and those between a pair and its use: {names}")
    names = left["as an operand of lookups"]
    expect("OpConstant" not in names and "OpControlBarrier" in names, f"and those that are operands: {names}")
    status, output = shaders(failed, "--beside", "--plant", "invalid", beside)
    expect(status == 1, f"what lookups beside make invalid fails: {output}")
    status, output = shaders(failed, "--few", "--optimised", shelf)
    tables = output.split(shelf + ", ")[1:]
    expect(status == 0 and [table.split(":")[0] for table in tables] ==
           ["by spirv-opt -O", "by spirv-opt -Os", "made legal by spirv-opt"] and
           all(counts_of(table)["rewritten"] > 0 for table in tables), f"what spirv-opt makes is judged, too: {output}")
    status, output = shaders(failed, "--few", "--optimised", "--plant", "invalid", shelf)
    expect(status == 1 and all(counts_of(table)["failed"] > 0 for table in output.split(shelf + ", ")[1:]),
           f"and can fail: {output}")
    empty = os.path.join(folder, "empty folder")
    os.makedirs(empty)
    expect(shaders(failed, empty)[0] == 2, "a folder without modules is no success")
    status, output = shaders(failed, "--plant", "hang", "--seconds", "1", os.path.join(shelf, "a.spv"))
    expect(status == 1 and "crashed or hung" in output, f"hang: status {status}\n{output}")
    status, output = shaders(failed, "--plant", "validator", os.path.join(shelf, "a.spv"))
    expect(status == 2 and counts_of(output)["not valid"] == 1 and "validator crashed" in output,
           f"a validator that crashes is no failure of the rewriter: status {status}\n{output}")
    shelf_of_interfaces(shelf)
    expect(shaders(failed, shelf)[0] == 0, "modules with every kind of interface pass")
    for kind, said in PLANTED.items():
        status, output = shaders(failed, "--few", "--plant", kind, shelf)
        left = os.listdir(failed)
        expect(status == 1 and re.search(said, output) and counts_of(output)["failed"] > 0, f"{kind}: status {status}\n{output}")
        expect(any(name.endswith(".txt") for name in left) and any(re.fullmatch(r"[0-9a-f]{16}\.spv", n) for n in left),
               f"{kind}: what failed is kept, with its reason: {left}")


def examples_are_found():
    run = subprocess.run([os.path.join(SOURCE, "scripts", "generate", "find_examples.py"), JUDGE, "OpFAdd", "OpImageGather",
                          "OpKill",
                          "--tries", "1500"], capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    expect(lines[:1] == ["OpFAdd f32 f32 f32"] and lines[1].startswith("OpImageGather "),
           f"examples are found: {run.stdout} {run.stderr}")
    expect(lines[2].startswith("# OpKill: "), f"and a reason where there is none: {lines[2:]}")


def main():
    with open(PACK, "rb") as file:
        words = file.read()
    # Small ones that sample and that the interpreter runs; the first of each size.
    modules = list({len(m): m for m in archives.modules_of_pack(words)
                    if 1200 < len(m) < 2400 and b"OpenGL" not in m}.values())[:4]
    with tempfile.TemporaryDirectory() as folder:
        archives_are_read(folder, modules)
        files_are_told_apart(folder, modules)
        texts_are_assembled(folder, modules)
        makers_that_end_are_started_again(folder)
        lookups_stand_in_blocks()
        modules_are_judged(folder, modules)
        lookups_of_any_image_are_counted(folder)
        some_forms_are_taken(folder, modules)
        sources_are_got_by_git(folder)
    MAKER.close()
    examples_are_found()
    finish("shaders_test")


if __name__ == "__main__":
    main()
