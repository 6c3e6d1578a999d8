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

FUNCTIONS = {"clampler_version", "clampler_resolve", "clampler_rewrite", "clampler_blend"}
failures = 0


def check(what, good, more=""):
    global failures
    print(("ok: " if good else "FAILED: ") + what, more if not good else "")
    failures += not good


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)


def main():
    cmake, build, embedded = sys.argv[1], sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        done = run(embedded, work / "after.spv")
        check("the example ends well", done.returncode == 0, done.stdout + done.stderr)
        check("clampler_resolve asks something of the shader", "tier 2" in done.stdout or "tier 1" in done.stdout, done.stdout)
        check("clampler_rewrite rewrites the lookup", "shader: 1 lookups rewritten" in done.stdout, done.stdout)
        check("clampler_blend takes the destination's alpha as 1", "factor 1, mask 7" in done.stdout, done.stdout)
        if shutil.which("spirv-val"):
            done = run("spirv-val", "--target-env", "vulkan1.0", work / "after.spv")
            check("the shader is valid", done.returncode == 0, done.stderr)

        done = run(cmake, "--install", build, "--component", "embedded", "--prefix", work / "usr")
        check("the component installs", done.returncode == 0, done.stderr)
        archive = next((work / "usr").glob("**/libclampler.a"))
        symbols = run("nm", "--defined-only", "--extern-only", archive).stdout.splitlines()
        shown = {line.split()[-1] for line in symbols if len(line.split()) == 3}
        check("nothing else is visible", shown == FUNCTIONS, shown ^ FUNCTIONS)
        calls = run("nm", "--undefined-only", archive).stdout
        check("and nothing of Vulkan is called", " vk" not in calls, calls)

        env = {**os.environ, "PKG_CONFIG_PATH": str(next((work / "usr").glob("**/pkgconfig")))}
        flags = run("pkg-config", "--cflags", "--libs", "--static", "clampler-embedded", env=env)
        check("pkg-config finds it", flags.returncode == 0, flags.stderr)
        for language, compiler in (("c", ["cc", "-std=c99"]), ("c++", ["c++", "-std=c++17"])):
            program = work / f"program.{'c' if language == 'c' else 'cpp'}"
            program.write_text("#include <clampler/clampler.h>\n"
                               "int main(void) { return clampler_version() != CLAMPLER_INTERFACE_VERSION; }\n")
            done = run(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", program, *flags.stdout.split(), "-o", work / "program")
            check(f"a program in {language} is built with it", done.returncode == 0, done.stderr)
            check("and runs", done.returncode == 0 and run(work / "program").returncode == 0)
    return failures != 0


sys.exit(main())
