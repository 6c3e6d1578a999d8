#!/bin/sh
# SPDX-License-Identifier: MIT
# A stand-in for the conformance suite's program: it takes the same options, and prints, crashes and hangs as that does. What
# a case does is in its name. $FAKE_FOLDER has what it remembers from process to process, and a line for each case that ran.
set -u
list='' export='' log=''
for argument; do
    case $argument in
    --deqp-caselist-file=*) list=${argument#*=} ;;
    --deqp-caselist-export-file=*) export=${argument#*=} ;;
    --deqp-log-filename=*) log=${argument#*=} ;;
    esac
done
if [ -n "$export" ]; then
    cp "$FAKE_FOLDER/all_cases" "$export"
    exit 0
fi
[ "${FAKE_BROKEN:-}" = "" ] || {
    echo "deqp-vk: version 'GLIBC_9.99' not found" >&2
    exit 1
}

configuration=none
case ${VK_INSTANCE_LAYERS:-} in
VK_LAYER_CLAMPLER_TEST_limited_driver) configuration=limited ;;
*CLAMPLER*)
    configuration=inert
    [ "${VK_CLAMPLER_FORCE_ACTIVE:-}" = true ] && configuration=active
    [ "${VK_CLAMPLER_TEXEL_BUFFERS:-}" = emulate ] && configuration=emulate
    [ -n "${VK_CLAMPLER_ASSUME_MISSING:-}" ] && configuration=all
    [ "${VK_CLAMPLER_OFFER:-}" = missing ] && configuration=offer
    ;;
esac
printf '#sessionInfo deviceName Fake device\n' >"$log"

# The driver's own whims: a result that changes with every second time that the case runs.
second_time() {
    if [ -e "$FAKE_FOLDER/once.$1" ]; then rm "$FAKE_FOLDER/once.$1"; else : >"$FAKE_FOLDER/once.$1" && false; fi
}

failed=0 dirty=''
while read -r name; do
    grep -q "^TEST: $name\$" "$FAKE_FOLDER/all_cases" || continue # real programs say nothing of such cases
    echo "$configuration $name" >>"$FAKE_FOLDER/ran"
    echo "Test case '$name'.."
    result='Pass (ok)'
    case $name in
    *.fails) result='Fail (always)' ;;
    *.crashes) kill -SEGV $$ ;;
    *.hangs) sleep 1000 ;;
    *.crashes_in_active) [ $configuration != active ] || kill -ABRT $$ ;;
    *.hangs_in_emulate) [ $configuration != emulate ] || sleep 1000 ;;
    *.fails_in_all) [ $configuration != all ] || result='Fail (with all)' ;;
    *.is_offered) [ $configuration = offer ] || result='NotSupported (no such extension)' ;;
    *.is_hidden) [ $configuration != limited ] || result='NotSupported (no such extension)' ;;
    *.violates) [ $configuration != offer ] || echo "limited driver: vkFake: hidden feature x: $$ used" >>"$LIMITED_DRIVER_LOG" ;;
    *.lowered) [ $configuration = none ] || result='NotSupported (limit too low)' ;;
    *.flaky) second_time "$name" && result='Fail (now and then)' ;;
    *.makes_dirty) dirty=yes ;;
    *.fails_behind) [ $configuration.$dirty != inert.yes ] || result='Fail (something was left)' ;;
    *.dies_behind) [ $configuration != all ] || { echo "  $result"; kill -BUS $$; } ;;
    *.once) [ $configuration != inert ] || [ -e "$FAKE_FOLDER/$name" ] || { : >"$FAKE_FOLDER/$name" && result='Fail (once)'; } ;;
    *.stops_script) [ -z "${FAKE_PARENT:-}" ] || [ $configuration != active ] || {
        sleep 1 # so that the script has read the results before
        kill -TERM "$(cat "$FAKE_PARENT")" && sleep 1000
    } ;;
    esac
    case ${VK_INSTANCE_LAYERS:-}.$name in
    *validation*.fails | *CLAMPLER*validation*.lowered)
        echo 'Validation Error: [ VUID-vkFake-known-00001 ] | MessageID = 0x1' ;;
    esac
    case ${VK_INSTANCE_LAYERS:-}.$name in
    *CLAMPLER*validation*.makes_dirty)
        echo 'Validation Error: [ VUID-vkFake-new-00002 ] Object 0: handle = 0x2 | MessageID = 0x2' ;;
    esac
    case $result in Fail*) failed=1 ;; esac
    echo "  $result"
done <"$list"
[ -z "${VK_CLAMPLER_STATS_FILE:-}" ] || [ -n "${FAKE_ABSENT:-}" ] || {
    active=true
    [ $configuration != inert ] || active=false
    echo "{\"active\": $active, \"draws\": [3, 2, 1], \"modules_rewritten\": 4, \"records_written\": 5}" >>"$VK_CLAMPLER_STATS_FILE"
}
echo
echo 'DONE!'
exit $failed
