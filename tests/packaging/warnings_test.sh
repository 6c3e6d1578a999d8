#!/bin/sh
# SPDX-License-Identifier: MIT
# Warnings are errors where they are asked to be, and nowhere else: another compiler must not keep users from building.
#
#     warnings_test.sh CMAKE SOURCE_FOLDER
set -eu

cmake=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# strict OPTION...: how many files would be compiled with warnings as errors.
strict() {
    "$cmake" -S "$source" -B "$work/build" -G Ninja "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    grep '"command"' "$work/build/compile_commands.json" | grep -c -- ' -Werror ' || true
}

count=$(strict)
[ "$count" = 0 ] || { echo "FAILED: warnings are errors in $count files, and nobody asked for that"; failed=1; }
count=$(strict -DCLAMPLER_WERROR=ON)
[ "$count" != 0 ] || { echo "FAILED: CLAMPLER_WERROR does nothing"; failed=1; }
for script in build internal/foreign.sh suites/test-windows; do
    grep -q -- '-DCLAMPLER_WERROR=ON' "$source/scripts/$script" || {
        echo "FAILED: scripts/$script leaves warnings be"
        failed=1
    }
done
exit $failed
