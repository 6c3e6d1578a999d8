# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# check WHAT COMMAND...: says whether the command succeeds, and shows what it wrote where it fails; `failed` is 1 from
# then on. `work` is a folder that goes with the caller.

failed=0
check() {
    what=$1
    shift
    # shellcheck disable=SC2154
    if "$@" >"$work/told" 2>&1; then
        echo "ok: $what"
    else
        echo "FAILED: $what:"
        cat "$work/told"
        # shellcheck disable=SC2034
        failed=1
    fi
}
