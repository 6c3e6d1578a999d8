#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An installation of the layer for Windows: its manifests lead to the DLL, and its script tells Wine's registry of them.

    windows_install_test.py CMAKE BUILD_FOLDER WINE
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

MANIFEST = "VkLayer_CLAMPLER_gl_sampler.json"
LIBRARY = "VkLayer_clampler_gl_sampler.dll"
KINDS = {"implicit_layer.d": "ImplicitLayers", "explicit_layer.d": "ExplicitLayers"}

def run(*command, **more):
    command = [str(word) for word in command]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **more)


def register(wine, folder, *arguments):
    return run(wine, "cmd", "/c", "register.cmd", *arguments, cwd=folder)


def known(wine, hive, kind):
    """What the registry lists: path -> (type, value)."""
    found = {}
    for line in run(wine, "reg", "query", rf"{hive}\SOFTWARE\Khronos\Vulkan\{kind}", "/reg:64").stdout.splitlines():
        words = [word for word in line.strip().split("    ") if word]
        if len(words) == 3:
            found[words[0]] = (words[1], words[2])
    return found


def main():
    cmake, build, wine = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "GL sampler (x64) & more"
        done = run(cmake, "--install", build, "--prefix", folder, "--strip")
        expect(done.returncode == 0, "it installs", done.stderr)
        for kind in KINDS:
            text = (folder / kind / MANIFEST).read_text(encoding="utf-8")
            library = json.loads(text)["layer"]["library_path"]
            expect(library == f"..\\{LIBRARY}", f"{kind} leads to the library, as Windows writes it", library)
        expect((folder / LIBRARY).exists(), "which is there")
        expect(b"\r\n" in (folder / "register.cmd").read_bytes(), "the script's lines end as Windows' do")

        ours = {kind: "Z:" + str(folder / kind / MANIFEST).replace("/", "\\") for kind in KINDS}
        for hive, arguments, other in (("HKLM", [], "HKCU"), ("HKCU", ["user"], "HKLM")):
            done = register(wine, folder, *arguments)
            expect(done.returncode == 0, f"it is told in {hive}", done.stdout + done.stderr)
            for kind, key in KINDS.items():
                listed = known(wine, hive, key)
                expect(listed.get(ours[kind]) == ("REG_DWORD", "0x0"), f"{key} has the manifest, and 0 for it", listed)
                expect(ours[kind] not in known(wine, other, key), f"{other} has not")
            done = register(wine, folder, *arguments, "uninstall")
            expect(done.returncode == 0, "and taken back", done.stdout + done.stderr)
            for kind, key in KINDS.items():
                expect(ours[kind] not in known(wine, hive, key), f"{key} has it no longer", known(wine, hive, key))
        expect(register(wine, folder, "uninstall").returncode == 1, "what is not there cannot be taken back")
        expect(register(wine, folder, "everything").returncode == 2, "other words are refused")
        (folder / "implicit_layer.d" / MANIFEST).unlink()
        expect(register(wine, folder).returncode == 1 and
               ours["implicit_layer.d"] not in known(wine, "HKLM", "ImplicitLayers"),
               "a manifest that is missing is not told")
        register(wine, folder, "uninstall")
    finish("windows_install_test")


if __name__ == "__main__":
    main()
