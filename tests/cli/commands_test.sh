#!/bin/sh
# SPDX-License-Identifier: MIT
# clampler's other commands, from the build folder, as a user types them.
#
#     commands_test.sh CLAMPLER BUILD_FOLDER GLSLANG LAYER_PROBE
set -eu

clampler=$1 build=$2 glslang=$3 probe=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
export ASAN_OPTIONS=detect_leaks=0
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    VK_DRIVER_FILES=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-$icd}}
done
export VK_DRIVER_FILES VK_ICD_FILENAMES="$VK_DRIVER_FILES"
unset VK_LAYER_PATH VK_ADD_LAYER_PATH VK_INSTANCE_LAYERS CLAMPLER_ENABLE CLAMPLER_DISABLE || true

# expect WHAT STATUS TEXT COMMAND...: the command's status, and a text in what it prints.
expect() {
    what=$1 status=$2 text=$3
    shift 3
    got=0
    "$@" >"$work/out" 2>&1 || got=$?
    if [ "$got" = "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" "$work/out"; }; then
        echo "ok: $what"
    else
        echo "FAILED: $what: status $got, wanted $status and \"$text\" in:"
        cat "$work/out"
        failed=1
    fi
}

expect "help" 0 "clampler doctor" "$clampler" --help
expect "version" 0 "clampler 0." "$clampler" --version
expect "no command" 2 "clampler doctor" "$clampler"
expect "unknown command" 2 'there is no command "cure"' "$clampler" cure
for command in doctor caps rewrite run; do
    expect "help of $command" 0 "clampler doctor" "$clampler" $command --help
done
expect "help of the program" 0 "the program's" "$clampler" run sh -c 'echo "the program'"'"'s $1"' sh --help

# caps
expect "caps" 0 "R8G8B8A8_UNORM" "$clampler" caps
expect "caps of the clamp" 0 "clamp                    emulated     GL_CLAMP" "$clampler" caps
expect "caps of no device" 2 "there is no device 99: there are" "$clampler" caps --device 99
expect "caps of one device" 0 "R8G8B8A8_UNORM" "$clampler" caps --device 0
for number in x 0x0 -1 "" 1e0 99999999999999999999; do
    expect "caps of device \"$number\"" 2 "--device wants a number from 0, not \"$number\"" "$clampler" caps --device "$number"
done
expect "no JSON of no device" 2 "" sh -c '"$1" caps --json --device 99 2>/dev/null >"$2"; status=$?; [ ! -s "$2" ] && exit $status' \
    sh "$clampler" "$work/nothing.json"
expect "caps of a device without a number" 2 "is not known, or not enough" "$clampler" caps --device
"$clampler" caps --device 0 >"$work/caps.text"
"$clampler" caps --json --device 0 >"$work/caps.zero"
expect "caps says the same as text and as JSON" 0 "formats alike" python3 -c '
import json, sys
formats = json.load(open(sys.argv[2]))[0]["formats"]
head, *rows = [line.split() for line in open(sys.argv[1]).read().split("\n  format")[1].splitlines() if line]
found = {name: {column: cell for column, cell in zip(head, cells) if cell != "-"} for name, *cells in rows}
assert found == formats, [name for name in {**found, **formats} if found.get(name) != formats.get(name)]
assert {column for cells in formats.values() for column in cells} <= set(head)
print(len(found), "formats alike")' "$work/caps.text" "$work/caps.zero"
expect "caps with a wrong option" 2 "is not known" "$clampler" caps --xml
"$clampler" caps --json >"$work/caps.json"
expect "caps as JSON" 0 "native" python3 -c '
import json, sys
devices = json.load(open(sys.argv[1]))
assert len(devices) > 0
for device in devices:
    assert device["semantics"]["clamp"] == "emulated", device["semantics"]
    assert len(device["semantics"]) == 16
    assert set(device["semantics"].values()) <= {"native", "emulated", "unavailable"}
    assert device["formats"]["R8G8B8A8_UNORM"]["linear"] == "native"
    assert "linear" not in device["formats"].get("R8G8B8A8_UINT", {})
print(devices[0]["formats"]["R8G8B8A8_UNORM"]["linear"])' "$work/caps.json"

# What is hidden under settings: of this driver as two other programs see it, and of one that has more.
"$clampler" caps --json | python3 -c '
import json, sys
for name in sorted(json.load(sys.stdin)[0]["hidden"]):
    print(name)' >"$work/hidden"
extensions() {
    VK_ADD_LAYER_PATH=$build/json "$@" "$probe" extensions | sort
}
extensions env >"$work/all"
extensions env VK_INSTANCE_LAYERS=VK_LAYER_CLAMPLER_gl_sampler VK_CLAMPLER_FORCE_ACTIVE=true >"$work/shown"
comm -23 "$work/all" "$work/shown" >"$work/missing"
expect "caps names what is hidden, and nothing else" 0 "" diff "$work/missing" "$work/hidden"
mapping="VK_VALVE_descriptor_set_host_mapping     programs write sets in memory"
expect "caps says why" 0 "$mapping" env VK_ADD_LAYER_PATH="$build/json:$build/tests/integration/type_layer" \
    VK_INSTANCE_LAYERS=VK_LAYER_CLAMPLER_gl_sampler:VK_LAYER_CLAMPLER_TEST_type "$clampler" caps

# What the layer would offer: of a driver that lacks all of it, and what it cannot give on one without a spare sampler.
bare() {
    VK_ADD_LAYER_PATH="$build/json:$build/tests/limited_driver" LIMITED_DRIVER_PROFILE=$1 \
        VK_INSTANCE_LAYERS=VK_LAYER_CLAMPLER_gl_sampler:VK_LAYER_CLAMPLER_TEST_limited_driver "$clampler" caps --json
}
bare bare-samplers >"$work/bare.json"
expect "caps names what is offered" 0 "11 offered" python3 -c '
import json, sys
offered = json.load(open(sys.argv[1]))[0]["offered"]
assert offered["custom_border_color"] == "offered", offered
print(sum(state.startswith("offered") for state in offered.values()), "offered")' "$work/bare.json"
bare vulkan-1.0-minimum >"$work/least.json"
VK_CLAMPLER_ASSUME_MISSING=large_texel_buffer "$clampler" caps --json >"$work/assumed.json"
expect "what is assumed to be missing is offered" 0 '"texel_buffers": "offered"' cat "$work/assumed.json"
expect "caps says why something is not offered" 0 '"non_seamless_cube": "missing: stages have no sampler to spare' \
    cat "$work/least.json"
LIMITED_DRIVER_RULES="hide feature bufferDeviceAddress" bare bare-samplers >"$work/placeless.json"
for file in least placeless; do
    expect "caps says that linear blits need addresses" 0 '"linear_filter": "missing: linear blits need buffer device addresses' \
        cat "$work/$file.json"
    expect "and cubic ones" 0 '"filter_cubic": "missing: cubic blits need buffer device addresses' cat "$work/$file.json"
    expect "texel buffers need none" 0 '"texel_buffers": "offered"' cat "$work/$file.json"
done
VK_CLAMPLER_LINEAR_FALLBACK=nearest bare bare-samplers >"$work/nearest.json"
expect "caps says that a setting is in the way" 0 '"linear_filter": "missing: linear_fallback is not auto"' cat "$work/nearest.json"

# caps --compare: two devices by other names, one value changed, one gone, one come.
python3 -c '
import json, sys
devices = json.load(open(sys.argv[1]))[:1]
json.dump(devices, open(sys.argv[2], "w"))
device = devices[0]
device["device"] = "another"
device["semantics"]["clamp"] = "native"
device["max_texture_lod_bias"] = 99
del device["formats"]["R8G8B8A8_UNORM"]["blend"]
device["formats"]["R8G8B8A8_UINT"]["linear"] = "emulated"
json.dump(devices, open(sys.argv[3], "w"))
device["device"] = "a third"
json.dump(devices + json.load(open(sys.argv[2])), open(sys.argv[4], "w"))' "$work/caps.json" "$work/a.json" "$work/b.json" "$work/c.json"
expect "caps of one device" 0 "    no difference" "$clampler" caps --compare "$work/a.json" "$work/a.json"
expect "caps of two devices" 1 " | another" "$clampler" caps --compare "$work/a.json" "$work/b.json"
expect "just what differs" 0 "5" sh -c '"$1" caps --compare "$2" "$3" | wc -l' sh "$clampler" "$work/a.json" "$work/b.json"
for difference in "clamp emulated native" "R8G8B8A8_UNORM blend native -" "R8G8B8A8_UINT linear - emulated" "max_texture_lod_bias .* 99"; do
    "$clampler" caps --compare "$work/a.json" "$work/b.json" | sed 's/  */ /g' | grep -qx " $difference" || {
        echo "FAILED: caps --compare does not say: $difference"
        failed=1
    }
done
expect "devices that one file has" 1 "only in $work/c.json" "$clampler" caps --compare "$work/a.json" "$work/c.json"
expect "the device that both have" 1 "no difference" "$clampler" caps --compare "$work/c.json" "$work/a.json"
expect "one file to compare" 2 "caps --compare A.json B.json" "$clampler" caps --compare "$work/a.json"
expect "no file to compare" 2 "$work/none.json: it cannot be read" "$clampler" caps --compare "$work/a.json" "$work/none.json"
echo '{"device": 1}' >"$work/other.json"
expect "another kind of file" 2 "caps --json did not write it" "$clampler" caps --compare "$work/other.json" "$work/a.json"
echo '[{"formats": ' >"$work/other.json"
expect "half a file" 2 "other.json: line" "$clampler" caps --compare "$work/other.json" "$work/a.json"

# rewrite
cat >"$work/shader.frag" <<'GLSL'
#version 450
layout(set = 0, binding = 3) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() { color = texture(image, at) + textureGather(image, at); }
GLSL
cat >"$work/plain.frag" <<'GLSL'
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
GLSL
for shader in shader plain; do
    "$glslang" -V --quiet "$work/$shader.frag" -o "$work/$shader.spv" >"$work/out" || cat "$work/out"
done
expect "rewrite" 0 "" "$clampler" rewrite "$work/shader.spv" -o "$work/after.spv"
expect "the result differs" 1 "" cmp -s "$work/shader.spv" "$work/after.spv"
expect "the result is valid" 0 "" spirv-val --target-env vulkan1.0 "$work/after.spv"
expect "it is the same every time" 0 "" sh -c '"$1" rewrite "$2" -o "$3" && cmp "$3" "$4"' sh \
    "$clampler" "$work/shader.spv" "$work/again.spv" "$work/after.spv"
expect "explained" 0 "1 x OpImageGather" "$clampler" rewrite "$work/shader.spv" --explain
expect "explained: the layout" 0 "set 0: 1 records in a uniform buffer at binding 4" \
    "$clampler" rewrite "$work/shader.spv" --explain
expect "explained: the result" 0 "tier 2, GPU form: 2 lookups rewritten" \
    "$clampler" rewrite --explain --tier 2 "$work/shader.spv"
expect "storage and CPU form" 0 "tier 1, CPU form" \
    "$clampler" rewrite --explain --form cpu --storage "$work/shader.spv"
expect "renumbered" 0 "binding 3 moves to 4" "$clampler" rewrite --explain --renumber "$work/shader.spv"
expect "validated" 0 "" "$clampler" rewrite "$work/shader.spv" --tier 2 --validate -o "$work/after2.spv"
expect "nothing to do" 0 "nothing to rewrite" "$clampler" rewrite "$work/plain.spv" --explain -o "$work/plain_after.spv"
expect "and the module unchanged" 0 "" cmp "$work/plain.spv" "$work/plain_after.spv"
sed 's/set = 0/set = 32/' "$work/shader.frag" >"$work/far.frag"
"$glslang" -V --quiet "$work/far.frag" -o "$work/far.spv" >"$work/out" || cat "$work/out"
expect "a set too many" 0 "1 variables get no records" "$clampler" rewrite "$work/far.spv" -o "$work/far_after.spv"
expect "no SPIR-V" 1 "shader.frag:" "$clampler" rewrite "$work/shader.frag" -o "$work/none.spv"
expect "no output then" 1 "" test -e "$work/none.spv"
expect "no file" 1 "cannot be read" "$clampler" rewrite "$work/nothing.spv" -o "$work/none.spv"
expect "no place to write" 1 "cannot be written" "$clampler" rewrite "$work/shader.spv" -o "$work/nowhere/none.spv"
expect "no output named" 2 "neither -o OUT.spv nor --explain" "$clampler" rewrite "$work/shader.spv"
expect "a tier that there is not" 2 "--tier" "$clampler" rewrite "$work/shader.spv" -o "$work/none.spv" --tier 3

if ! /sbin/ldconfig -p | grep -q libSPIRV-Tools-shared; then
    # Found beside the program, however it was started, and never in the working folder.
    expect "SPIRV-Tools, started through PATH" 0 "" env PATH="$(dirname "$clampler"):$PATH" \
        clampler rewrite "$work/shader.spv" --validate -o "$work/path.spv"
    mkdir -p "$work/alone" "$work/planted/clampler"
    cp "$clampler" "$work/alone/clampler"
    echo '__attribute__((constructor)) static void run(void) { __builtin_puts("planted"); }' >"$work/planted.c"
    cc -shared -fPIC "$work/planted.c" -o "$work/planted/clampler/libclampler-spirv-tools.so"
    expect "no library of the working folder" 0 "" sh -c \
        'cd "$1" && ! PATH=$2:$PATH clampler rewrite "$3" --validate -o "$4" 2>&1 | grep planted' sh \
        "$work/planted" "$work/alone" "$work/shader.spv" "$work/none.spv"
    expect "no SPIRV-Tools to validate with" 1 "SPIRV-Tools is not there (looked for: libSPIRV-Tools-shared.so" \
        "$work/alone/clampler" rewrite "$work/shader.spv" --validate -o "$work/none.spv"
fi

# run: the probe prints how often the extension is listed.
expect "without run" 0 "0" "$probe"
expect "run" 0 "1" "$clampler" run -- "$probe"
expect "run without --" 0 "1" "$clampler" run "$probe"
expect "run where an implicit layer is disabled" 0 "1" env CLAMPLER_DISABLE=1 "$clampler" run "$probe"
expect "run beside another layer" 0 ":VK_LAYER_KHRONOS_validation" env VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation \
    "$clampler" run sh -c 'echo $VK_INSTANCE_LAYERS'
expect "run with folders of one's own" 0 "1" env VK_LAYER_PATH=/nonexistent "$clampler" run "$probe"
# An installation whose manifest has the library's name alone, as packages have it.
mkdir -p "$work/usr/bin" "$work/usr/share/vulkan/explicit_layer.d"
cp "$clampler" "$work/usr/bin/clampler"
sed 's,"library_path": ".*/,"library_path": ",' "$build/json/VkLayer_CLAMPLER_gl_sampler.json" \
    >"$work/usr/share/vulkan/explicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json"
installed() {
    LD_LIBRARY_PATH=$build/lib XDG_DATA_DIRS=$work/usr/share XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work "$@"
}
expect "the manifest has no folder" 0 '"library_path": "libVkLayer_clampler_gl_sampler.so"' \
    cat "$work/usr/share/vulkan/explicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json"
installed "$work/usr/bin/clampler" run "$probe" >"$work/said" 2>&1 || true
expect "run takes the installed layer for its own" 0 "" sh -c 'cat "$1"; [ "$(cat "$1")" = 1 ]' sh "$work/said"
expect "run from the build folder mentions the installed one" 0 "another copy of the layer is installed" \
    installed "$clampler" run "$probe"

expect "settings" 0 "edge info" "$clampler" run --set gl_clamp=edge --set log_level=info -- \
    sh -c 'echo $VK_CLAMPLER_GL_SAMPLER_GL_CLAMP $VK_CLAMPLER_GL_SAMPLER_LOG_LEVEL'
expect "a preset" 0 "edge,border" "$clampler" run --preset "old-game compatibility" -- \
    sh -c 'echo $VK_CLAMPLER_GL_SAMPLER_GL_CLAMP'
values='echo $VK_CLAMPLER_GL_SAMPLER_GL_CLAMP $VK_CLAMPLER_GL_SAMPLER_LINEAR_FALLBACK'
expect "what is set beats the preset before it" 0 "edge nearest" \
    "$clampler" run --preset "Old-game compatibility" --set gl_clamp=edge sh -c "$values"
expect "what is set beats the preset behind it" 0 "edge nearest" \
    "$clampler" run --set gl_clamp=edge --preset "Old-game compatibility" -- sh -c "$values"
expect "a wrong option behind a preset" 2 "is not known" "$clampler" run --preset Off --sat gl_clamp=edge true
expect "an unknown preset" 2 'there is no preset "Best" (there are: "Off", "Everything a sampler needs", "GL defaults"' "$clampler" run --preset Best true
expect "a bad value" 2 '"round" is not allowed (allowed: edge, border)' "$clampler" run --set gl_clamp=round true
expect "an unknown key" 2 '"gl_clmap" is not known' "$clampler" run --set gl_clmap=edge true
expect "no value" 2 "wants KEY=VALUE" "$clampler" run --set gl_clamp true
expect "no program" 2 "no program" "$clampler" run --set gl_clamp=edge
expect "a program that is not there" 127 "$work/nothing: No such file" "$clampler" run "$work/nothing"
expect "the program's status" 7 "" "$clampler" run sh -c 'exit 7'

# The order of layers, by the real loader, and as it says it; for those before 1.3.247 with both manifests in one folder, too.
order() {
    env XDG_RUNTIME_DIR="$work" "$@" doctor 2>&1 | sed -n 's/.*order of layers, the program.s nearest first: //p'
}
own=VK_LAYER_CLAMPLER_gl_sampler khronos=VK_LAYER_KHRONOS_validation
# in_order WHAT UPPER LOWER LAYERS: the two stand in it next to each other.
in_order() {
    case ", $4," in
    *", $2, $3,"*) echo "ok: $1: $4" ;;
    *)
        echo "FAILED: $1: not $2, $3 but: $4"
        failed=1
        ;;
    esac
}
if [ -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ]; then
    mkdir -p "$work/both"
    cp /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json "$work/both/"
    sed "s,\"library_path\": \".*/,\"library_path\": \"$build/lib/," "$build/json/VkLayer_CLAMPLER_gl_sampler.json" \
        >"$work/both/VkLayer_CLAMPLER_gl_sampler.json"
    for list in "$own:$khronos" "$khronos:$own" "" "VK_LAYER_MESA_overlay:$khronos"; do
        export VK_INSTANCE_LAYERS="$list"
        in_order "validation above, from \"$list\"" $khronos $own "$(order "$clampler" run --validation above "$clampler")"
        in_order "validation below, from \"$list\"" $own $khronos "$(order "$clampler" run --validation below "$clampler")"
        in_order "the same, both manifests in a folder" $khronos $own \
            "$(VK_LAYER_PATH="$work/both" order "$clampler" run --validation above "$clampler")"
        in_order "the same, both manifests in a folder" $own $khronos \
            "$(VK_LAYER_PATH="$work/both" order "$clampler" run --validation below "$clampler")"
    done
    unset VK_INSTANCE_LAYERS
    # Programs name layers below those of the variable, on every loader; here validation, which Debian 12's puts above.
    expect "the doctor says that the variable's order is not the real one, or it is" 0 "" sh -c \
        'said=$(VK_ADD_LAYER_PATH=$2/json VK_INSTANCE_LAYERS=$3:$4 "$1" doctor); case $said in
            *"first: "*"$3, $4"*) ! echo "$said" | grep "NOTE: VK_INSTANCE_LAYERS" ;;
            *) echo "$said" | grep -q "NOTE: VK_INSTANCE_LAYERS.*--validation above" ;;
        esac' sh "$clampler" "$build" $khronos $own
    stypes=$(sed -n 's/^VK_LAYER_CUSTOM_STYPE_LIST=//p' "$(dirname "$0")/../../docs/translators.md" | head -n 1)
    [ "$(getconf LONG_BIT)" = 32 ] || expect "validation above is told of the extension's structures" 0 "$stypes" \
        "$clampler" run --validation above sh -c 'echo $VK_LAYER_CUSTOM_STYPE_LIST'
    expect "what the user tells it stays" 0 "mine" env VK_LAYER_CUSTOM_STYPE_LIST=mine \
        "$clampler" run --validation above sh -c 'echo $VK_LAYER_CUSTOM_STYPE_LIST'
fi
expect "validation is not there" 1 "VK_LAYER_KHRONOS_validation is not found" \
    env VK_LAYER_PATH=/nonexistent "$clampler" run --validation below true
expect "validation has two places" 2 "above or below" "$clampler" run --validation beside true

# The page: every command is described, and troff has nothing to say.
page=$build/cli/clampler.1
for word in doctor caps rewrite run --explain --set --preset; do
    expect "the page has $word" 0 "" sh -c 'sed "s/\\\\-/-/g" "$1" | grep -qe "$2"' sh "$page" "$word"
done
if command -v groff >/dev/null; then
    expect "the page is set without a word" 0 "" sh -c 'test -z "$(groff -man -Tutf8 -ww "$1" 2>&1 >/dev/null)"' sh "$page"
fi
exit $failed
