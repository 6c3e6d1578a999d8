#!/bin/sh
# SPDX-License-Identifier: MIT
# real_programs_test.sh SOURCE_FOLDER: how tests/real_programs/runs.sh judges what has no window, with a stand-in for `clampler run`
# that has the program's word for what the layer says and does.
# shellcheck disable=SC1091,SC2016,SC2034
set -eu

root=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cat >"$out/clampler" <<'RUN'
#!/bin/sh
way=active
for argument; do
    shift
    case $argument in
    stats_file=*) echo "${STATS:-{\"draws\": [0, 1, 1], \"pipelines\": [0, 1, 1], \"pair_hits\": [9, 0, 1]\}}" >"${argument#*=}" ;;
    log_level=info) way=inert ;;
    --) break ;;
    esac
done
[ -n "${NO_LAYER:-}" ] || echo "clampler: info: version 0: $way, of a stand-in"
LAYER=yes exec "$@"
RUN
chmod +x "$out/clampler"
clampler=$out/clampler build=$root/build
. "$root/tests/real_programs/runs.sh"

wrong=0
# As a validation layer does with its settings.
validates=': >"$(sed -n "s/.*log_filename = //p" "$VK_LAYER_SETTINGS_PATH/vk_layer_settings.txt")";'
# expect PASSED FAILED WHAT PROGRAM: the program as a text for sh.
expect() {
    passed=0 failed=0
    batch "$3" 'result: [a-z]*' sh -c "$validates $4" >"$out/said" 2>&1
    [ "$passed $failed" = "$1 $2" ] || {
        echo "$3: $passed passed, $failed failed: $(cat "$out/said")"
        wrong=$((wrong + 1))
    }
}
expect 4 0 "the same in all ways" 'echo "result: good"'
expect 1 3 "another result" 'echo "result: ${LAYER:-no}"'
expect 1 3 "none" '[ -n "${LAYER:-}" ] || echo "result: good"'
expect 1 3 "a crash behind the result" 'echo "result: good"; [ -z "${LAYER:-}" ] || kill -SEGV $$'
expect 4 0 "an end that is the same" 'echo "result: good"; exit 3'
export STATS='{"draws": [2, 0, 0], "pipelines": [1, 0, 0], "pair_hits": [9, 0, 1]}'
expect 3 1 "nothing emulated" 'echo "result: good"'
STATS='{"draws": [2, 0, 0], "pipelines": [1, 0, 0], "pair_hits": [0, 0, 0]}'
expect 4 0 "nothing to emulate" 'echo "result: good"'
unset STATS
with=$validates validates=
expect 0 4 "no validation layer" 'echo "result: good"'
validates=$with
NO_LAYER=yes
export NO_LAYER
expect 1 3 "no layer" 'echo "result: good"'
echo "real_programs: $wrong wrong"
[ $wrong = 0 ]
