# SPDX-License-Identifier: MIT
"""What tests written in Python check: what is not so is said, everything is counted.

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
    from checks import expect, finish
"""

import sys

checks = failures = 0


def expect(good, what, more=""):
    """`what` is so, or the test fails; then `more` says what was there."""
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED: " + what + (":\n%s" % (more,) if more else ""))


def finish(name):
    """Ends the program. A test that has checked nothing has failed."""
    print("%s: %d checks, %d failures" % (name, checks, failures))
    sys.exit(1 if failures or not checks else 0)
