#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/mutants on a tree of a few lines, built and tested as the real one: what a test sees is killed, what none sees
survives, what changes nothing is passed over, the tree's copy is as it was, and a second call goes on where the first
ended.

    mutants_test.py SOURCE_FOLDER
"""
import os
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(sys.argv[1], "scripts", "mutants")
SUM, NOTHING, WEAK = (4, 5, 6, 7, 10), (8, 9), (15,)  # lines of layer/toy.c
FILES = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.22)
project(toy C)
enable_testing()
add_subdirectory(layer)
add_subdirectory(tests/unit)
""",
    "layer/CMakeLists.txt": "add_library(toy STATIC toy.c)\n",
    "layer/toy.c": """/* 1 + 1 == 2 in a comment is no code, nor is "a < b" in a text. */
int toy_sum(int a, int b)
{
    const int most = 100;
    if (a > most)
        return 1;
    b += a;
    if (sizeof(int) > 100)
        b++;
    return b;
}

int toy_weak(int a, int b)
{
    return a - b;
}
""",
    "tests/unit/CMakeLists.txt": """add_executable(toy_test toy_test.c)
target_link_libraries(toy_test PRIVATE toy)
add_test(NAME unit_toy COMMAND toy_test)
add_executable(broken_test broken_test.c)
add_test(NAME unit_broken COMMAND broken_test)
""",
    "tests/unit/toy_test.c": """int toy_sum(int a, int b);
int toy_weak(int a, int b);
int main(void)
{
    toy_weak(1, 2);
    return !(toy_sum(2, 3) == 5 && toy_sum(100, 1) == 101 && toy_sum(101, 7) == 1 WEAK);
}
""",
    "tests/unit/broken_test.c": "int main(void) { return 1; }\n",  # fails without a mutant: kills none
}
failed = 0


def check(good, what):
    global failed
    print(("ok: " if good else "FAILED: ") + what)
    failed |= not good


def write(folder, weak):
    for path, text in FILES.items():
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text.replace("WEAK", weak))


def run(*arguments):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)
    check(done.returncode == 0, "mutants " + " ".join(arguments))
    if done.returncode:
        print(done.stdout, done.stderr)
    return done.stdout.splitlines()


def lines_of(output, outcome):
    return {int(line.split("layer/toy.c:")[1].split(":")[0]) for line in output if line.startswith(outcome)}


def main():
    with tempfile.TemporaryDirectory() as work:
        tree, folder = os.path.join(work, "tree"), os.path.join(work, "folder")
        write(tree, "")
        drawn = run("--list", "7", "50", "--tree", tree)
        check(drawn == run("--list", "7", "50", "--tree", tree), "a seed draws the same twice")
        check(drawn != run("--list", "8", "50", "--tree", tree), "another seed draws others")
        at = sorted(int(line.split(":")[1]) for line in drawn)
        check(len(at) == len(set(at)) == 7, "one a line")
        check(set(at) <= {*SUM, *NOTHING, *WEAK}, f"of code alone: {at}")

        output = run("7", "50", folder, "--tree", tree, "--tests", "^unit_")
        check("mutants: 1 tests" in output, "a test that fails by itself is left out")
        check(lines_of(output, "survived") == set(WEAK), "what no test sees survives")
        check(lines_of(output, "killed by unit_toy") and not lines_of(output, "killed") & set(WEAK), "what one sees is killed")
        check(sum(1 for line in output if line.split(":")[0].split(" by ")[0] in
                  ("killed", "survived", "same", "not built")) == len(drawn), "each has an outcome")
        with open(os.path.join(folder, "tree", "layer", "toy.c"), encoding="utf-8") as file:
            check(file.read() == FILES["layer/toy.c"], "the copy is as it was")
        with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
            check("## Survived\n\n- `layer/toy.c:" in file.read(), "the report names them")
        more = run("7", "50", folder, "--tree", tree, "--tests", "^unit_")
        check(more[-1] == output[-1] and len(more) == 2, "a second call has nothing left to do")

        write(tree, "&& toy_weak(5, 3) == 2")
        check(run("--again", folder, "--tree", tree, "--tests", "^unit_")[-1].startswith("1 killed, 0 survived;"),
              "what a new test sees is killed when it is asked again")
    return failed


sys.exit(main())
