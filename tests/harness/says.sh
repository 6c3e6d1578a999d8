#!/bin/sh
# SPDX-License-Identifier: MIT
# says.sh REGEX COMMAND...: runs COMMAND. It must end with status 0 and print what the extended regular expression matches, in
# which a line's end is a blank. By ctest's PASS_REGULAR_EXPRESSION a program that says so and then fails would pass.
set -eu

wanted=$1
shift
status=0
said=$("$@" 2>&1) || status=$?
printf '%s\n' "$said"
[ "$status" = 0 ] || exit "$status"
printf '%s\n' "$said" | tr '\n' ' ' | grep -Eq -- "$wanted" || {
    echo "says: nothing of \"$wanted\""
    exit 1
}
