#!/bin/sh
# SPDX-License-Identifier: MIT
# A setuid program that somebody else runs writes no file for that user, and takes no setting from files and variables
# that are the user's. The same program without the bit shows that all of them would have been believed.
#
#     secure_test.sh LAYER SECURE_PROBE
#
# Skipped unless root runs it, on a file system and in a container where setuid works.
set -eu

layer=$1 probe=$2
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "only root can make a setuid program of root's"
command -v setpriv >/dev/null || skip "no setpriv"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    driver=$icd # setuid programs take the system's, whatever the variables say
done

chmod 755 "$work"
mkdir -m 1777 "$work/out"
mkdir -p "$work/here" "$work/home/.local/share/vulkan/settings.d" "$work/named"
cp "$probe" "$work/probe"
cp "$layer" "$work/layer.so"
chmod 755 "$work/probe" "$work/layer.so"
# put FOLDER NAME: a file of settings whose outputs have that name.
put() {
    cat >"$1/vk_layer_settings.txt" <<FILE
clampler_gl_sampler.log_level = info
clampler_gl_sampler.log_file = $work/out/$2.log
clampler_gl_sampler.stats_file = $work/out/$2.stats
FILE
}
put "$work/here" here
put "$work/home/.local/share/vulkan/settings.d" home
put "$work/named" named

# as_nobody ENVIRONMENT... -- ARGUMENT...: the probe's word is left in $secure.
as_nobody() {
    variables=
    while [ "$1" != -- ]; do
        variables="$variables $1"
        shift
    done
    shift
    rm -rf "$work/out/"*
    # shellcheck disable=SC2086
    secure=$(cd "$work/here" && setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH="$PATH" \
        VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" $variables "$work/probe" "$work/layer.so" "$@" 2>"$work/errors") ||
        skip "the probe gets no device: $(cat "$work/errors")"
}
expect_files() {
    got=$(ls "$work/out" | tr '\n' ' ')
    if [ "$got" = "$2" ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1: files \"$got\", not \"$2\""
        failed=1
    fi
}
# every BIT WANTED...: each source in turn, with the files that its outputs are.
every() {
    what=$1
    as_nobody A=1 --
    expect_files "$what: the working folder" "$2"
    as_nobody HOME="$work/home" --
    expect_files "$what: the home folder" "$3"
    as_nobody VK_LAYER_SETTINGS_PATH="$work/named" --
    expect_files "$what: the folder that a variable names" "$4"
    as_nobody VK_CLAMPLER_LOG_LEVEL=info VK_CLAMPLER_LOG_FILE="$work/out/variable.log" \
        VK_CLAMPLER_STATS_FILE="$work/out/variable.stats" --
    expect_files "$what: variables" "$5"
    rm -f "$work/here/vk_layer_settings.txt"
    as_nobody A=1 -- "$work/out/program.stats"
    expect_files "$what: the program itself" "$6"
    put "$work/here" here
}

every "an ordinary program" "here.log here.stats " "home.log home.stats " "named.log named.stats " \
    "variable.log variable.stats " "program.stats "
[ "$secure" = 0 ] || { echo "FAILED: an ordinary program runs with its user's rights"; failed=1; }

chmod u+s "$work/probe"
as_nobody A=1 --
[ "$secure" = 1 ] || skip "the bit is without effect here (nosuid, or no new privileges)"
every "a setuid program" "" "" "" "" ""
grep -q "setting stats_file: nothing is written" "$work/errors" || {
    echo "FAILED: it is not told why: $(cat "$work/errors")"
    failed=1
}
exit $failed
