# SPDX-License-Identifier: MIT
"""What Vulkan Configurator writes for a set of installed manifests, by its two generations.

Written after reading vkconfig 2.5.2 (SDK 1.3.239), 2.6.3 (1.4.304) and 3.5.0 (1.4.350), which agree within a generation.
All pass over manifests without a version of the implementation.

- 2.x takes the first manifest of each name; every prefix's explicit folder comes before its implicit one. It writes
  implicit_layer.d/VkLayer_override.json: a layer that names the layers to turn on and those to keep out, and the folders
  to look for explicit layers in, which then are the only ones.
- 3.x takes the manifest with the highest api_version of each name; among equal ones the one that was modified last, in
  whole seconds; among those the one that it read last, and it reads implicit folders before explicit ones. It writes
  loader_settings.d/vk_loader_settings.json: every layer with its manifest and what becomes of it, and the place of layers
  that are not in the list. Loaders know that file from 1.3.256 on.
"""

import json

OVERRIDE = "VK_LAYER_LUNARG_override"  # 2.x's own
AUTO, ON, OFF, DISCARD = "auto", "on", "off", "discard"
OVERRIDE_FILE = ".local/share/vulkan/implicit_layer.d/VkLayer_override.json"
SETTINGS_FILE = ".local/share/vulkan/loader_settings.d/vk_loader_settings.json"
UNORDERED = {"control": "unordered_layer_location"}


def version(text):
    return tuple(int(part) for part in text.split("."))


class Manifest:
    def __init__(self, path):
        layer = json.loads(path.read_text(encoding="utf-8"))["layer"]
        self.path, self.name, self.api = path, layer["name"], version(layer["api_version"])
        self.version = layer["implementation_version"]
        self.implicit = path.parent.name == "implicit_layer.d"
        self.modified = int(path.stat().st_mtime)


def installed(prefixes, kinds):
    """The manifests of all prefixes that vkconfig takes for layers, in the order of these kinds of folders."""
    for kind in kinds:
        for prefix in prefixes:
            for path in sorted((prefix / "share/vulkan" / (kind + "_layer.d")).glob("*.json")):
                manifest = Manifest(path)
                if manifest.version and manifest.name != OVERRIDE:
                    yield manifest


def chosen_by_2(prefixes):
    layers = {}
    for prefix in prefixes:
        for manifest in installed([prefix], ["explicit", "implicit"]):
            layers.setdefault(manifest.name, manifest)
    return layers


def chosen_by_3(prefixes):
    layers = {}
    for manifest in installed(prefixes, ["implicit", "explicit"]):
        before = layers.get(manifest.name)
        if not before or (before.api, before.modified) <= (manifest.api, manifest.modified):
            layers[manifest.name] = manifest
    return layers


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=4), encoding="utf-8")


def write_2(home, prefixes, controls, program=None):
    """`controls`: what the user chose, by the layer's name; AUTO (by the program) for all others."""
    layers = chosen_by_2(prefixes)
    on = [name for name, control in controls.items() if control == ON]
    layer = {
        "name": OVERRIDE, "type": "GLOBAL", "api_version": "1.3.239", "implementation_version": "1",
        "description": "Override", "disable_environment": {"DISABLE_VK_LAYER_LUNARG_override": "1"},
        "override_paths": list(dict.fromkeys(str(layers[name].path.parent) for name in on)), "component_layers": on,
        "blacklisted_layers": [name for name, control in controls.items() if control == OFF],
    }
    if program:
        layer["app_keys"] = [str(program)]
    write(home / OVERRIDE_FILE, {"file_format_version": "1.1.2", "layer": layer})


def write_3(home, prefixes, controls, program=None, unordered=True):
    """`unordered`: whether layers that the list does not have are loaded, too."""
    listed = []
    for name, manifest in sorted(chosen_by_3(prefixes).items()):
        control = controls.get(name, AUTO)
        if control != DISCARD:
            listed.append({"name": name, "path": str(manifest.path), "treat_as_implicit_manifest": manifest.implicit,
                           "control": control})
    settings = {"layers": listed + ([UNORDERED] if unordered else []), "stderr_log": ["error"]}
    array = [settings]
    if program:
        array = [{"stderr_log": ["error"]}, {"app_keys": [str(program)], **settings}]
    write(home / SETTINGS_FILE, {"file_format_version": "1.0.0", "settings_array": array})
