# SPDX-License-Identifier: MIT
"""times_test.py ROOT: scripts/internal/test-times adds up what ninja and ctest wrote, each step and test once."""
import os
import subprocess
import sys
import tempfile

NINJA = """# ninja log v5
0	1500	1	tests/unit/CMakeFiles/a_test.dir/a_test.c.o	aa
0	2000	2	tests/unit/CMakeFiles/a_test.dir/a_test.c.o	ab
0	500	1	tests/unit/CMakeFiles/b_test.dir/b_test.c.o	bb
100	1100	1	tests/integration/one.h	cc
100	1100	1	tests/integration/two.h	cc
0	250	1	tests/unit/a_test	dd
0	4000	1	{build}/layer/base/CMakeFiles/base.dir/base.c.o	ee
"""
CTEST = """      Start 1: short
1/3 Test  #1: short ...............   Passed    0.50 sec
2/3 Test  #2: long ................***Failed   12.00 sec
3/3 Test #30: lacks ...............***Skipped   0.25 sec
Total Test time (real) =  13.00 sec
1/1 Test  #1: elsewhere ...........   Passed  100.00 sec
"""
WANTED = """build: 5 steps, 8 s one after the other
       4.0 s     1 layer c
       2.5 s     2 tests/unit c
       1.0 s     1 tests/integration generated
       0.2 s     1 tests/unit link
tests: 3, 13 s one after the other
      12.0 s       long
       0.5 s       short
       0.2 s       lacks
"""


def main():
    script = os.path.join(sys.argv[1], "scripts", "internal", "test-times")
    with tempfile.TemporaryDirectory() as build:
        without = subprocess.run([script, build], capture_output=True, text=True, check=False)
        for name, text in ((".ninja_log", NINJA.format(build=build)), ("test.log", CTEST)):
            with open(os.path.join(build, name), "w", encoding="utf-8") as file:
                file.write(text)
        printed = subprocess.run([script, build], capture_output=True, text=True, check=False)
        shorter = subprocess.run([script, build, "--rows", "1"], capture_output=True, text=True, check=False)
    wrong = []
    if not without.returncode or "builds and runs first" not in without.stderr:
        wrong.append(f"a folder without logs: {without.returncode}, {without.stderr}")
    if printed.stdout != WANTED or printed.returncode:
        wrong.append(f"{printed.stdout}{printed.stderr}for\n{WANTED}")
    if len(shorter.stdout.splitlines()) != 4:
        wrong.append(f"--rows 1: {shorter.stdout}")
    print("\n".join(wrong), end="")
    return 1 if wrong else 0


sys.exit(main())
