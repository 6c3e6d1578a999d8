#!/bin/sh
# SPDX-License-Identifier: MIT
# How the loader finds the layer: from the build folder, installed explicitly and implicitly, and moved elsewhere.
#
#     install_test.sh CMAKE BUILD_FOLDER LAYER_PROBE
set -eu

cmake=$1 build=$2 probe=$3
name=VK_LAYER_CLAMPLER_gl_sampler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    driver=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-$icd}}
done

# expect WHAT LISTED VARIABLE=VALUE...: the probe in a clean environment lists the extension so many times; $mode is its
# argument. Leaks are for other tests to find: here the loader unloads the driver, whose globals then look like lost memory.
mode=
expect() {
    what=$1 wanted=$2
    shift 2
    got=$(env -i PATH="$PATH" HOME="$work/home" VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" \
        ASAN_OPTIONS=detect_leaks=0 \
        "$@" "$probe" $mode 2>"$work/errors") || got="failure: $(cat "$work/errors")"
    if [ "$got" = "$wanted" ]; then
        echo "ok: $what"
    else
        echo "FAILED: $what: listed $got, not $wanted"
        failed=1
    fi
}

# The layer has read a setting that the program chained to its VkInstanceCreateInfo.
expect_settings() {
    expect "$@"
    grep -q '"from_the_program" in VkLayerSettingsCreateInfoEXT is not known' "$work/errors" || {
        echo "FAILED: $1: the program's settings were not read"
        failed=1
    }
}

expect "not there unless asked for" 0 A=1
expect "found in the build folder" 1 VK_LAYER_PATH="$build/json" VK_INSTANCE_LAYERS=$name
expect "not active in the build folder unless named" 0 VK_LAYER_PATH="$build/json"

# Older loaders do not know VK_EXT_layer_settings, which newer ones want to be listed by a manifest.
mode=enable-settings
expect_settings "the program enables its settings" 1 VK_LAYER_PATH="$build/json" VK_INSTANCE_LAYERS=$name \
    VK_LOADER_DISABLE_INST_EXT_FILTER=1
mode=

# The program's setting is a wrong one, so there is something to say.
mode=connected
expect "what took the place of standard error gets no log" "1
0 bytes" VK_LAYER_PATH="$build/json" VK_INSTANCE_LAYERS=$name
mode=

mkdir "$work/moved"
cp -r "$build/json" "$build/lib" "$work/moved"
expect "found in a build folder that was moved" 1 VK_LAYER_PATH="$work/moved/json" VK_INSTANCE_LAYERS=$name

"$cmake" --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
for prefix in first second; do
    [ $prefix = first ] || mv "$work/first" "$work/second"
    data="$work/$prefix/share"
    expect "$prefix prefix: implicit, not enabled" 0 XDG_DATA_DIRS="$data"
    expect "$prefix prefix: implicit, enabled" 1 XDG_DATA_DIRS="$data" CLAMPLER_ENABLE=1
    expect "$prefix prefix: implicit, enabled and disabled" 0 XDG_DATA_DIRS="$data" CLAMPLER_ENABLE=1 CLAMPLER_DISABLE=1
    mode=enable-all
    expect "$prefix prefix: implicit, every listed extension enabled" 1 XDG_DATA_DIRS="$data" CLAMPLER_ENABLE=1
    mode=settings
    expect_settings "$prefix prefix: implicit, settings of the program" 1 XDG_DATA_DIRS="$data" CLAMPLER_ENABLE=1
    mode=
    expect "$prefix prefix: explicit" 1 XDG_DATA_DIRS="$data" VK_INSTANCE_LAYERS=$name
    expect "$prefix prefix: implicit and explicit together" 1 XDG_DATA_DIRS="$data" VK_INSTANCE_LAYERS=$name CLAMPLER_ENABLE=1
    [ -f "$work/$prefix/include/vulkan/vulkan_clampler.h" ] || { echo "FAILED: no header installed"; failed=1; }
    [ -f "$data/vulkan/registry/clampler.xml" ] || { echo "FAILED: no fragment of the registry installed"; failed=1; }
done
exit $failed
