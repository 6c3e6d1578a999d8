#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/mutants on a tree of a few lines, built and tested as the real one: what a test sees is killed, what none sees
survives, what changes nothing is passed over, a mutant is asked of the tests that execute its line, or its file where no
line counts, and of them alone, the tree's copy is as it was, and a second call goes on where the first ended.

    mutants_test.py SOURCE_FOLDER
"""
import os
import re
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(sys.argv[1], "scripts", "mutants")
# Lines of layer/toy.c
SUM, NOTHING, WEAK, UNSEEN, TABLE, HANGS = (4, 5, 6, 7, 10), (8, 9), (15,), (20,), (24, 25), (29, 30)
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

int toy_unseen(int a)
{
    return a - 1;
}

const int toy_table[] = {
    3,
    5,
};
int toy_count(int a)
{
    while (a < 4)
        a++;
    return a;
}
""",
    "tests/unit/CMakeLists.txt": """add_executable(toy_test toy_test.c)
target_link_libraries(toy_test PRIVATE toy)
add_test(NAME unit_toy COMMAND toy_test)
add_executable(count_test count_test.c)
target_link_libraries(count_test PRIVATE toy)
add_test(NAME unit_count COMMAND count_test)
add_executable(beside_test beside_test.c)
target_compile_definitions(beside_test PRIVATE SOURCE="${PROJECT_SOURCE_DIR}/layer/toy.c")
target_link_libraries(beside_test PRIVATE toy)
add_test(NAME unit_beside COMMAND beside_test)
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
    "tests/unit/count_test.c": """int toy_count(int a);
extern const int toy_table[2];
int main(void)
{
    return !(toy_count(3) == 4 && toy_count(5) == 5 && toy_table[0] == 3 && toy_table[1] == 5);
}
""",
    # Executes nothing of the layer, and would see everything: none may be asked of it.
    "tests/unit/beside_test.c": """#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[100];
    FILE *file = fopen(SOURCE, "r");
    int seen = 0;
    while (file && fgets(line, sizeof(line), file))
        seen |= !strcmp(line, "    return a - 1;\\n");
    return !seen;
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
        check(len(at) == len(set(at)) == 12, "one a line")
        check(set(at) <= {*SUM, *NOTHING, *WEAK, *UNSEEN, *TABLE, *HANGS}, f"of code alone: {at}")

        output = run("7", "50", folder, "--tree", tree, "--tests", "^unit_")
        check("mutants: 3 tests" in output, "a test that fails by itself is left out")
        check(lines_of(output, "survived, 1 tests:") == set(WEAK), "what no test sees survives those that execute it")
        check(lines_of(output, "survived, no test") == set(UNSEEN), "what no test executes survives without a run")
        check(lines_of(output, "killed by unit_toy") <= set(SUM), "what one sees is killed")
        check(lines_of(output, "killed by unit_count") >= set(TABLE), "a table is for what executes its file")
        check(sum(bool(re.match(r"(killed by|survived,|same:|not built:)", line)) for line in output) == len(drawn),
              "each has an outcome")
        with open(os.path.join(folder, "tree", "layer", "toy.c"), encoding="utf-8") as file:
            check(file.read() == FILES["layer/toy.c"], "the copy is as it was")
        with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
            check("## Survived\n\n- `layer/toy.c:" in file.read(), "the report names them")
        more = run("7", "50", folder, "--tree", tree, "--tests", "^unit_")
        check(more[-1] == output[-1] and len(more) == 2, "a second call has nothing left to do")

        write(tree, "&& toy_weak(5, 3) == 2")
        output = run("--again", folder, "--tree", tree, "--tests", "^unit_")
        check(lines_of(output, "killed by unit_toy") == set(WEAK) and ", 1 survived;" in output[-1] and len(output) == 4,
              "what a new test sees is killed when it is asked again, of the survivors alone")
    return failed


sys.exit(main())
