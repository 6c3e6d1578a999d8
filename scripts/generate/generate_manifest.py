#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_manifest.py JSON KIND LIBRARY DOCUMENTS MANIFEST: writes a manifest of the layer, as vkconfig shows it.

  JSON               the folder json/: manifest.json gets the settings and presets
  KIND               explicit, implicit or both
  LIBRARY            the layer's path as the loader shall find it from the manifest
  DOCUMENTS          the folder where README.md and docs/ will be; settings that name a page of theirs lead there. Empty:
                     they lead nowhere
  MANIFEST           the file to write

"both" is an explicit manifest that is installed beside an implicit one. Loaders before 1.3.250 find what VK_INSTANCE_LAYERS
names among explicit manifests alone, so there must be one. But vkconfig lists one manifest of a name, and where it is active
loaders see that one: were it the explicit one, CLAMPLER_ENABLE would do nothing. So its version is empty, which makes every
vkconfig pass it over, and loaders read as 0.

The implicit manifest lists no extensions:

- Loaders list the instance extensions of implicit layers to every program, and those before 1.3.272 then refuse
  VK_EXT_layer_settings from programs that enable all that is listed. The layer reads VkLayerSettingsCreateInfoEXT whether or
  not the extension is enabled.
- Where vkconfig 2 has chosen some programs, Debian 12's loader (1.3.239) removes its override layer in all others, and then
  frees the lists of the implicit layer that it read last twice. The layer tells its device extension itself.
"""

import json
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402
from generate_presets import complete  # noqa: E402
from generate_settings import leaves, variable  # noqa: E402

HEADER = pathlib.Path(__file__).resolve().parents[2] / "layer" / "base" / "vulkan_clampler.h"
SPEC_VERSION = re.search(r"GL_SAMPLER_SPEC_VERSION (\d+)", HEADER.read_text(encoding="utf-8")).group(1)

EXPLICIT = {
    "instance_extensions": [{"name": "VK_EXT_layer_settings", "spec_version": "2"}],
    "device_extensions": [{"name": "VK_CLAMPLER_gl_sampler", "spec_version": SPEC_VERSION, "entrypoints": []}],
}
BESIDE_IMPLICIT = {**EXPLICIT, "implementation_version": ""}
IMPLICIT = {"enable_environment": {"CLAMPLER_ENABLE": "1"}, "disable_environment": {"CLAMPLER_DISABLE": "1"}}


def place(item, documents):
    """Addresses of the project's own pages."""
    address = item.get("url")
    if address and "://" not in address:
        if documents:
            item["url"] = "file://%s/%s" % (documents, address)
        else:
            del item["url"]
    for child in item.get("settings", []):
        place(child, documents)


def manifest(folder, kind, library, documents):
    base, settings, presets = (json.loads((folder / name).read_text(encoding="utf-8"))
                               for name in ["manifest.json", "settings.json", "presets.json"])
    layer = base["layer"]
    layer["library_path"] = library
    for setting in leaves(settings):
        setting["env"] = variable(setting["key"])
    for item in [layer] + settings:
        place(item, documents)
    layer.update({"explicit": EXPLICIT, "implicit": IMPLICIT, "both": BESIDE_IMPLICIT}[kind])
    layer["features"] = {"presets": complete(presets, settings), "settings": settings}
    return base


def main():
    help_text.answer(__doc__)
    folder, kind, library, documents, target = sys.argv[1:]
    content = manifest(pathlib.Path(folder), kind, library, documents)
    target = pathlib.Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(content, indent=4, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
