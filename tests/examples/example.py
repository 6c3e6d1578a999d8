# SPDX-License-Identifier: MIT
"""What the tests of examples share: how a program runs, and the measures of the pictures that they draw."""
import os
import subprocess
import tempfile

HOME = tempfile.TemporaryDirectory()  # drivers have caches there
SIZE, TEXTURE = 128, 4
BACKGROUND, BORDER, TOLERANCE = (0, 51, 102), 255, 3


def run(program, layers, *arguments, **more):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "CLAMPLER_", "XDG_"))}
    environment.update({"VK_LAYER_PATH": str(layers), "HOME": HOME.name})
    for name in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES"):
        if name in os.environ:
            environment[name] = os.environ[name]
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False, env=environment | more)
