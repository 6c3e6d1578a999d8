#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The embeddable library: what its example prints, that the shader is valid, what the library shows, and how it is found
once it is installed.

    embedded_test.py CMAKE BUILD_FOLDER EMBEDDED
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

FUNCTIONS = {"clampler_version", "clampler_resolve", "clampler_rewrite", "clampler_blend"}

def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)


def main():
    cmake, build, embedded = sys.argv[1], sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        done = run(embedded, work / "after.spv")
        expect(done.returncode == 0, "the example ends well", done.stdout + done.stderr)
        expect("tier 2" in done.stdout or "tier 1" in done.stdout, "clampler_resolve asks something of the shader", done.stdout)
        expect("shader: 1 lookups rewritten" in done.stdout, "clampler_rewrite rewrites the lookup", done.stdout)
        expect("factor 1, mask 7" in done.stdout, "clampler_blend takes the destination's alpha as 1", done.stdout)
        if shutil.which("spirv-val"):
            done = run("spirv-val", "--target-env", "vulkan1.0", work / "after.spv")
            expect(done.returncode == 0, "the shader is valid", done.stderr)

        done = run(cmake, "--install", build, "--component", "embedded", "--prefix", work / "usr")
        expect(done.returncode == 0, "the component installs", done.stderr)
        archive = next((work / "usr").glob("**/libclampler.a"))
        symbols = run("nm", "--defined-only", "--extern-only", archive).stdout.splitlines()
        shown = {line.split()[-1] for line in symbols if len(line.split()) == 3}
        expect(shown == FUNCTIONS, "nothing else is visible", shown ^ FUNCTIONS)
        calls = run("nm", "--undefined-only", archive).stdout
        expect(" vk" not in calls, "and nothing of Vulkan is called", calls)

        env = {**os.environ, "PKG_CONFIG_PATH": str(next((work / "usr").glob("**/pkgconfig")))}
        flags = run("pkg-config", "--cflags", "--libs", "--static", "clampler-embedded", env=env)
        expect(flags.returncode == 0, "pkg-config finds it", flags.stderr)
        for language, compiler in (("c", ["cc", "-std=c99"]), ("c++", ["c++", "-std=c++17"])):
            program = work / f"program.{'c' if language == 'c' else 'cpp'}"
            program.write_text("#include <clampler/clampler.h>\n"
                               "int main(void) { return clampler_version() != CLAMPLER_INTERFACE_VERSION; }\n")
            done = run(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", program, *flags.stdout.split(), "-o", work / "program")
            expect(done.returncode == 0, f"a program in {language} is built with it", done.stderr)
            expect(done.returncode == 0 and run(work / "program").returncode == 0, "and runs")
    finish("embedded_test")


main()
