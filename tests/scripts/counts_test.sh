#!/bin/sh
# SPDX-License-Identifier: MIT
# counts_test.sh SCRIPTS: scripts/ctest counts tests that pass, fail and are skipped apart and says why the last were, and
# .ci/run can add up what it prints.
set -eu

scripts=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/CTestTestfile.cmake" <<'CMAKE'
add_test(passes true)
add_test(passes_too sh -c "echo 'x skipped: nothing'")
add_test(lacks sh -c "echo 'skipped: there is no moon'; exit 77")
add_test(lacks_most sh -c "echo 'the driver lacks X'; echo '[  SKIPPED ] one'; exit 77")
add_test(fails false)
set_tests_properties(lacks lacks_most PROPERTIES SKIP_RETURN_CODE 77)
CMAKE

wrong=0
# expect STATUS LAST-LINE OPTION...
expect() {
    status=$1 last=$2 code=0
    shift 2
    "$scripts/ctest" "$work" "$@" >"$work/out" 2>&1 || code=$?
    [ "$code" = "$status" ] && [ "$(tail -n 1 "$work/out")" = "$last" ] || {
        cat "$work/out"
        echo "counts: $*: status $code for $status, or the last line is not \"$last\""
        wrong=1
    }
}
expect 1 "2 passed, 1 failed, 2 skipped"
grep -qx 'skipped: lacks: there is no moon' "$work/out" || wrong=1
grep -qx 'skipped: lacks_most: the driver lacks X' "$work/out" || wrong=1
expect 0 "2 passed, 0 failed, 2 skipped" -E fails
expect 0 "2 passed, 0 failed, 0 skipped" -R passes
expect 1 "0 passed, 0 failed, 2 skipped" -R lacks
expect 1 "0 passed, 1 failed, 0 skipped" -R fails
expect 1 "0 passed, 0 failed, 0 skipped" -R there_is_none
exit $wrong
