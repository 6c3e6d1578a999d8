#!/bin/sh
# SPDX-License-Identifier: MIT
# The layer in programs with more rights than their user, by the machine's own loader: installed where loaders look for
# layers of such programs too, and named in VK_INSTANCE_LAYERS, which loader 1.3.239 believes there. A setuid copy and one
# with a file capability, run by another user: the layer is inert whatever the settings, and asks for no file and no
# variable. The same program without either shows that all of it would have been believed.
#
#     privileged_test.sh LAYER MANIFEST PROBE
#
# Skipped unless root runs it, with mounts of its own, on a file system where setuid works.
set -eu

layer=$1 manifest=$2 probe=$3
skip() {
    echo "skipped: $1"
    exit 77
}
if [ -z "${CLAMPLER_IN_NAMESPACE:-}" ]; then
    [ "$(id -u)" = 0 ] || skip "only root can make a setuid program of root's"
    command -v setpriv >/dev/null || skip "no setpriv"
    # In a root that is no mount itself (chroot) nothing can be made private, and need not be where nothing is shared.
    as_they_are=
    grep -q ' shared:' /proc/self/mountinfo || as_they_are="--propagation unchanged"
    # shellcheck disable=SC2086
    unshare --mount $as_they_are true 2>/dev/null || skip "no mounts of one's own"
    # shellcheck disable=SC2086
    CLAMPLER_IN_NAMESPACE=1 exec unshare --mount $as_they_are "$0" "$@"
fi

# Seen by this test alone, and gone with it. Programs of root's read what is there.
mount -t tmpfs -o mode=755 none /usr/local/share || skip "no tmpfs"
folder=/usr/local/share
mkdir -p "$folder/vulkan/explicit_layer.d" "$folder/settings" "$folder/home/.local/share/vulkan/settings.d"
mkdir -m 1777 "$folder/out"
cp "$layer" "$folder/libVkLayer_clampler_gl_sampler.so"
sed "s,\"library_path\": \".*\",\"library_path\": \"$folder/libVkLayer_clampler_gl_sampler.so\"," "$manifest" \
    >"$folder/vulkan/explicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json"
cat >"$folder/settings/vk_layer_settings.txt" <<FILE
clampler_gl_sampler.gl_clamp = edge
clampler_gl_sampler.force_active = true
clampler_gl_sampler.log_level = debug
clampler_gl_sampler.log_file = $folder/out/file.log
clampler_gl_sampler.stats_file = $folder/out/file.stats
clampler_gl_sampler.dump_dir = $folder/out/dump
FILE
cp "$folder/settings/vk_layer_settings.txt" "$folder/home/.local/share/vulkan/settings.d/"
for name in plain setuid capable; do
    cp "$probe" "$folder/$name"
    chmod 755 "$folder/$name"
done
chmod u+s "$folder/setuid"

failed=0
# as_nobody PROGRAM VARIABLE...: its line is left in $said.
as_nobody() {
    program=$1
    shift
    rm -rf "$folder/out/"*
    said=$(cd "$folder/settings" && setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH="$PATH" \
        VK_INSTANCE_LAYERS=VK_LAYER_CLAMPLER_gl_sampler "$@" "$folder/$program" 2>"$folder/errors") ||
        skip "the probe gets no device: $(cat "$folder/errors")"
}
expect() {
    if [ "$2" = "$3" ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1: \"$2\", not \"$3\""
        failed=1
    fi
}
# each PROGRAM FUNCTION: every source of settings, and all at once.
each() {
    "$2" "$1, the working folder" "$1" A=1
    "$2" "$1, the home folder" "$1" HOME="$folder/home"
    "$2" "$1, the folder that a variable names" "$1" VK_LAYER_SETTINGS_PATH="$folder/settings"
    "$2" "$1, variables" "$1" VK_CLAMPLER_GL_CLAMP=edge VK_CLAMPLER_FORCE_ACTIVE=true VK_CLAMPLER_LOG_LEVEL=debug \
        VK_CLAMPLER_LOG_FILE="$folder/out/variable.log" VK_CLAMPLER_STATS_FILE="$folder/out/variable.stats" \
        VK_CLAMPLER_DUMP_DIR="$folder/out/dump" VK_CLAMPLER_VALIDATE_REWRITES=true VK_CLAMPLER_ALPHA_TO_ONE=swapchain \
        VK_CLAMPLER_TEXEL_BUFFERS=emulate
}
believed() {
    what=$1
    shift
    as_nobody "$@"
    expect "$what: all is believed" "${said%, files*}" "secure 0, loaded 1, active 1"
    case $said in
    *"files 0"* | *"variables 0"*) expect "$what: the probe counts" "$said" "more of both" ;;
    esac
    expect "$what: it writes" "$(ls "$folder/out" | wc -l)" 2
}
loaded=0
inert() {
    what=$1
    shift
    as_nobody "$@"
    case $said in
    "secure 0"*) skip "neither the bit nor a capability has an effect here (nosuid, or no new privileges)" ;;
    *"loaded 0"*) expect "$what: this loader keeps it out" "$said" "secure 1, loaded 0, active 0, files 0, variables 0" ;;
    *)
        loaded=1
        expect "$what: inert" "$said" "secure 1, loaded 1, active 0, files 0, variables 0"
        ;;
    esac
    expect "$what: nothing is written" "$(ls "$folder/out")" ""
    expect "$what: nothing is said" "$(grep clampler "$folder/errors" || true)" ""
}
each plain believed
each setuid inert
if command -v setcap >/dev/null && setcap cap_net_raw+ep "$folder/capable" 2>/dev/null; then
    each capable inert
else
    echo "passed over: no file capabilities here (package libcap2-bin)"
fi
echo "the loader $([ $loaded = 1 ] && echo loads || echo "does not load") the layer into such programs"
exit $failed
