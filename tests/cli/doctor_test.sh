#!/bin/sh
# SPDX-License-Identifier: MIT
# clampler doctor in set-ups that are broken, one by one: the verdict names what is wrong, and the status says so.
#
#     doctor_test.sh CLAMPLER BUILD_FOLDER
set -eu

clampler=$1 build=$2
name=VK_LAYER_CLAMPLER_gl_sampler
manifest=VkLayer_CLAMPLER_gl_sampler.json
library=libVkLayer_clampler_gl_sampler.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    driver=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-$icd}}
done

# What the loader is asked to say is for the doctor: nothing of it comes through.
quiet() {
    if grep -q '^\(\[Vulkan Loader\] \)\?LAYER' "$work/out"; then
        echo "FAILED: the loader's words come through:"
        cat "$work/out"
        failed=1
    fi
}

# The program alone, without a layer beside it; the one in the build folder knows its own.
mkdir "$work/alone"
cp "$clampler" "$work/alone/clampler"
doctor=$work/alone/clampler

home=HOME=$work/home

# expect WHAT STATUS VERDICT VARIABLE=VALUE... [-- ARGUMENT...]: VERDICT is a part of the last line.
expect() {
    what=$1 status=$2 verdict=$3
    shift 3
    variables= arguments=
    for one in "$@"; do
        if [ "$one" = -- ]; then arguments=" "; elif [ -n "$arguments" ]; then arguments="$arguments$one "; else variables="$variables$one
"; fi
    done
    set --
    while read -r one; do
        [ -z "$one" ] || set -- "$@" "$one"
    done <<LIST
$variables
LIST
    got=0
    # shellcheck disable=SC2086
    env -i PATH="$PATH" ${home:+"$home"} VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" \
        ASAN_OPTIONS=detect_leaks=0 "$@" "$doctor" doctor $arguments >"$work/out" 2>&1 || got=$?
    quiet
    if [ "$got" = "$status" ] && tail -n 1 "$work/out" | grep -qF -- "$verdict"; then
        echo "ok: $what: $(tail -n 1 "$work/out")"
    else
        echo "FAILED: $what: status $got, wanted $status and \"$verdict\" in the last line of:"
        cat "$work/out"
        failed=1
    fi
}

# A manifest for a library of one's own choice, in a folder of its own.
put_manifest() {
    mkdir -p "$work/$1"
    sed "s|\"library_path\": \".*\"|\"library_path\": \"$2\"|" "$build/json/$manifest" >"$work/$1/$manifest"
}

here="VK_LAYER_PATH=$build/json"
on="VK_INSTANCE_LAYERS=$name"

expect "all is well" 0 "OK: loaded from $build/lib/$library; inactive for programs" "$here" "$on"
cp "$work/out" "$work/well"
expect "all is well without a standard input" 0 "OK: loaded from" "$here" "$on" <&-
diff "$work/well" "$work/out" || {
    echo "FAILED: without a standard input it says something else"
    failed=1
}
expect "all is well, active for every program" 0 "OK: loaded from $build/lib/$library; active for every program: gl_clamp=edge" \
    "$here" "$on" VK_CLAMPLER_GL_CLAMP=edge

expect "the folder of manifests is not there" 1 "NOT FOUND: a folder that is not there: VK_LAYER_PATH: $work/nowhere" \
    "VK_LAYER_PATH=$work/nowhere" "$on"
expect "no manifest anywhere" 1 "NOT FOUND: no manifest $manifest" "XDG_DATA_DIRS=$work" "$on"
doctor=$clampler
expect "in the build folder, as README says" 1 \
    "NOT ENABLED: the layer is beside this program, and nothing asks for it (VK_ADD_LAYER_PATH=$build/json VK_INSTANCE_LAYERS=$name, or clampler run PROGRAM)"
for line in "$build/json/$manifest (beside this program; the loader does not look there)" \
    "Devices (with the layer asked for by name):" "emulated: clamp,"; do
    grep -qF "$line" "$work/out" || { echo "FAILED: it does not say \"$line\""; cat "$work/out"; failed=1; }
done
expect "in the build folder, asked for" 1 "NOT FOUND: asked for, and the loader does not look where it is (VK_ADD_LAYER_PATH=$build/json" "$on"
expect "in the build folder, looking elsewhere" 1 "NOT FOUND: a folder that is not there: VK_LAYER_PATH: $work/nowhere" \
    "VK_LAYER_PATH=$work/nowhere"
expect "in the build folder, found there" 0 "OK: loaded from $build/lib/$library" "VK_ADD_LAYER_PATH=$build/json" "$on"
doctor=$work/alone/clampler
put_manifest no_library ./nothing.so
expect "the library is missing" 1 "the library is missing: $work/no_library/./nothing.so" "VK_LAYER_PATH=$work/no_library" "$on"
expect "not asked for" 1 "NOT ENABLED: installed, and nothing asks for it" "$here"
expect "the name is misspelt" 1 "NOT ENABLED: VK_INSTANCE_LAYERS names \"VK_LAYER_CLAMPLER_glsampler\"" \
    "$here" VK_INSTANCE_LAYERS=VK_LAYER_CLAMPLER_glsampler

mkdir -p "$work/data/vulkan/implicit_layer.d"
sed "s|\"library_path\": \".*\"|\"library_path\": \"$build/lib/$library\"|" "$build/json/implicit/$manifest" \
    >"$work/data/vulkan/implicit_layer.d/$manifest"
expect "implicit and enabled" 0 "OK: loaded from" "XDG_DATA_DIRS=$work/data" CLAMPLER_ENABLE=1
home=
expect "implicit and enabled, without a home" 0 "OK: loaded from" "XDG_DATA_DIRS=$work/data" CLAMPLER_ENABLE=1
grep -qF "$work/data/vulkan/implicit_layer.d/$manifest" "$work/out" || {
    echo "FAILED: without a home it does not look everywhere"
    cat "$work/out"
    failed=1
}
home=HOME=$work/home
expect "implicit and not enabled" 1 "NOT ENABLED" "XDG_DATA_DIRS=$work/data"
mkdir "$work/data/vulkan/explicit_layer.d"
sed "s|\"library_path\": \".*\"|\"library_path\": \"$build/lib/$library\"|" "$build/json/$manifest" \
    >"$work/data/vulkan/explicit_layer.d/$manifest"
expect "implicit and explicit, not enabled" 1 "NOT ENABLED: installed, and nothing asks for it (VK_INSTANCE_LAYERS=$name, CLAMPLER_ENABLE=1" \
    "XDG_DATA_DIRS=$work/data"
expect "disabled by the environment" 1 "DISABLED: CLAMPLER_DISABLE is set" "XDG_DATA_DIRS=$work/data" CLAMPLER_ENABLE=1 \
    CLAMPLER_DISABLE=1
expect "the loader filters it" 1 "FILTERED: VK_LOADER_LAYERS_DISABLE=*CLAMPLER* keeps the layer out" "$here" "$on" \
    'VK_LOADER_LAYERS_DISABLE=*CLAMPLER*'
expect "the loader filters all" 1 "FILTERED: VK_LOADER_LAYERS_DISABLE=~implicit~" "XDG_DATA_DIRS=$work/data" CLAMPLER_ENABLE=1 \
    'VK_LOADER_LAYERS_DISABLE=~implicit~'

# No loader knows this extension, and every one lists what an implicit manifest has.
mkdir -p "$work/promising/vulkan/implicit_layer.d"
sed 's|"type": "GLOBAL",|&"instance_extensions": [{"name": "VK_EXT_nobody_knows", "spec_version": "1"}],|' \
    "$work/data/vulkan/implicit_layer.d/$manifest" >"$work/promising/vulkan/implicit_layer.d/$manifest"
expect "the manifest lists what the loader refuses" 1 \
    "LOADED, BUT IN THE WAY: $work/promising/vulkan/implicit_layer.d/$manifest lists VK_EXT_nobody_knows" \
    "XDG_DATA_DIRS=$work/promising" CLAMPLER_ENABLE=1

# A library for another machine: the same one with another number in its header (EM_S390, which no test machine is).
put_manifest wrong_machine ./$library
cp "$build/lib/$library" "$work/wrong_machine/$library"
printf '\026\000' | dd of="$work/wrong_machine/$library" bs=1 seek=18 conv=notrunc status=none
expect "the library is for another machine" 1 "wrong architecture: the library is for another machine" \
    "VK_LAYER_PATH=$work/wrong_machine" "$on"
put_manifest cut ./$library
head -c 20000 "$build/lib/$library" >"$work/cut/$library"
expect "the library is cut off" 1 "BROKEN: the library is cut off" "VK_LAYER_PATH=$work/cut" "$on"
grep -qF "  $work/cut/$manifest" "$work/out" || { echo "FAILED: its manifest is not listed"; cat "$work/out"; failed=1; }
put_manifest no_elf ./$library
echo "not a library" >"$work/no_elf/$library"
expect "the library is a text" 1 "not a library" "VK_LAYER_PATH=$work/no_elf" "$on"
put_manifest another libc.so.6
expect "the library is no layer" 1 "the library is no Vulkan layer" "VK_LAYER_PATH=$work/another" "$on"

mkdir "$work/no_json"
sed '/"library_path"/s/,$//' "$build/json/$manifest" >"$work/no_json/$manifest"
expect "the manifest is not JSON" 1 "the manifest is not JSON: line" "VK_LAYER_PATH=$work/no_json" "$on"
mkdir "$work/renamed"
sed "s/$name/VK_LAYER_CLAMPLER_other/" "$build/json/$manifest" >"$work/renamed/$manifest"
expect "the manifest is another layer's" 1 "the manifest names layer \"VK_LAYER_CLAMPLER_other\"" \
    "VK_LAYER_PATH=$work/renamed" "$on"

expect "an unknown setting" 1 "WITH WRONG SETTINGS: setting \"gl_clmap\" in VK_CLAMPLER_GL_CLMAP is not known" \
    "$here" "$on" VK_CLAMPLER_GL_CLMAP=edge
expect "a bad value" 1 "WITH WRONG SETTINGS: setting gl_clamp: \"edges\" in VK_CLAMPLER_GL_CLAMP is not allowed" \
    "$here" "$on" VK_CLAMPLER_GL_CLAMP=edges
expect "the file of settings is not there" 1 "VK_LAYER_SETTINGS_PATH names $work/none.txt, which is not there" \
    "$here" "$on" "VK_LAYER_SETTINGS_PATH=$work/none.txt"
expect "the folder has no file of settings" 1 "VK_LAYER_SETTINGS_PATH: no vk_layer_settings.txt in $work/data" \
    "$here" "$on" "VK_LAYER_SETTINGS_PATH=$work/data"
mkdir -p "$work/config/vulkan/settings.d" "$work/own"
echo "clampler_gl_sampler.tiers = eager" >"$work/config/vulkan/settings.d/vk_layer_settings.txt"
echo "clampler_gl_sampler.tiers = lazy" >"$work/own/vk_layer_settings.txt"
expect "vkconfig's file comes first" 1 "VK_LAYER_SETTINGS_PATH is not used: vkconfig's file comes first" \
    "$here" "$on" "XDG_DATA_HOME=$work/config" "VK_LAYER_SETTINGS_PATH=$work/own"
mkdir -p "$work/rules"
echo "clampler_gl_sampler.gl_clamp@clampler = border" >"$work/rules/vk_layer_settings.txt"
expect "a rule for this program" 0 "active for every program: gl_clamp=border" "$here" "$on" "VK_LAYER_SETTINGS_PATH=$work/rules"
echo "clampler_gl_sampler.gl_clamp@oldgame = border" >"$work/rules/vk_layer_settings.txt"
expect "a rule for another program" 0 "inactive for programs" "$here" "$on" "VK_LAYER_SETTINGS_PATH=$work/rules"

# A program that is asked about: every setting, with its source. Wine's go by their own names.
cat >"$work/rules/vk_layer_settings.txt" <<'RULES'
clampler_gl_sampler.gl_clamp@oldgame* = border
clampler_gl_sampler.tiers@Game.exe = lazy
clampler_gl_sampler.form = cpu
RULES
says() {
    grep -qxF "  $1" "$work/out" || { echo "FAILED: it does not say \"$1\""; cat "$work/out"; failed=1; }
}
rules=$work/rules/vk_layer_settings.txt
expect "what one program gets" 0 "log_level=info gl_clamp=border form=cpu" "$here" "$on" \
    "VK_LAYER_SETTINGS_PATH=$work/rules" VK_GL_SAMPLER_LOG_LEVEL=info -- --program /opt/game/oldgame.x86_64
says "gl_clamp = border ($rules (for oldgame*))"
says "form = cpu ($rules)"
says "log_level = info (VK_GL_SAMPLER_LOG_LEVEL)"
says "tiers = ahead (the defaults)"
expect "what another one gets" 0 "inactive for programs" "$here" "$on" "VK_LAYER_SETTINGS_PATH=$work/rules" -- --program Game.exe
says "gl_clamp = nothing (the defaults)"
says "tiers = lazy ($rules (for Game.exe))"

# Who gives what the setting offer is about: the driver, the layer, or nobody.
gives() {
    grep -q "^    $1" "$work/out" || { echo "FAILED: no device has \"$1\""; cat "$work/out"; failed=1; }
}
limits="VK_LAYER_PATH=$build/json:$build/tests/limited_driver"
both="VK_INSTANCE_LAYERS=$name:VK_LAYER_CLAMPLER_TEST_limited_driver"
expect "the driver's own" 0 "inactive for programs" "$limits" "$both" VK_CLAMPLER_OFFER=lod_bias
gives "by the driver: .*lod_bias"
expect "what the layer would offer" 0 "inactive for programs" "$limits" "$both" LIMITED_DRIVER_PROFILE=bare-samplers
gives "by the layer, if asked (offer=missing, or these names): custom_border_color, border_color_swizzle, mirror_clamp_to_edge,"
expect "what the layer offers" 0 "active for every program: offer=missing" "$limits" "$both" \
    LIMITED_DRIVER_PROFILE=bare-samplers VK_CLAMPLER_OFFER=missing
gives "by the layer: custom_border_color, border_color_swizzle, mirror_clamp_to_edge, non_seamless_cube, filter_minmax,"
expect "what is offered by name" 0 "active for every program: offer=filter_minmax,anisotropy" "$limits" "$both" \
    LIMITED_DRIVER_PROFILE=bare-samplers VK_CLAMPLER_OFFER=anisotropy,filter_minmax
gives "by the layer: filter_minmax, anisotropy (by the shader, or trilinear with anisotropy=trilinear)"
gives "by the layer, if asked (offer=missing, or these names): custom_border_color,"
expect "another name" 0 "active for every program: offer=samplers" "$limits" "$both" \
    LIMITED_DRIVER_PROFILE=bare-samplers VK_CLAMPLER_OFFER=samplers
gives "by the layer: samplers"
expect "what nobody offers" 0 "active for every program: offer=missing" "$limits" "$both" \
    LIMITED_DRIVER_PROFILE=vulkan-1.0-minimum VK_CLAMPLER_OFFER=missing
gives "by nobody: non_seamless_cube (stages have no sampler to spare for texels of cubes), filter_cubic (cubic blits need"

expect "the log cannot be written" 1 "log_file: $work/nowhere/log cannot be made there" \
    "$here" "$on" "VK_CLAMPLER_LOG_FILE=$work/nowhere/log"
ln -s "$work/own/vk_layer_settings.txt" "$work/link"
expect "the log is a link" 1 "log_file: $work/link is a symbolic link, or behind one of somebody else's, and these are not followed" \
    "$here" "$on" "VK_CLAMPLER_LOG_FILE=$work/link"
ln -s "$work/own" "$work/link-to-folder"
expect "the dump folder is a link" 1 \
    "dump_dir: $work/link-to-folder is a symbolic link, or behind one of somebody else's, and these are not followed" \
    "$here" "$on" "VK_CLAMPLER_DUMP_DIR=$work/link-to-folder"
expect "the dump folder is a file" 1 "dump_dir: $work/own/vk_layer_settings.txt cannot be written to" \
    "$here" "$on" "VK_CLAMPLER_DUMP_DIR=$work/own/vk_layer_settings.txt"

expect "no driver" 1 "NO VULKAN DRIVER: vkCreateInstance gives VK_ERROR_INCOMPATIBLE_DRIVER" \
    "$here" "$on" "VK_DRIVER_FILES=$work/none.json" "VK_ICD_FILENAMES=$work/none.json"
expect "a program without its name" 2 "\"--program\" lacks a value" "$here" "$on" -- --program
expect "no loader" 1 "NO VULKAN LOADER" "$here" "$on" -- --loader "$work/libvulkan.so.1"

exit $failed
