#!/bin/sh
# SPDX-License-Identifier: MIT
# A stand-in for vkd3d's tests/d3d12: a test's name says what it comes to and in which way.
set -eu
case $VK_INSTANCE_LAYERS in
*gl_sampler*) way=offered ;;
*limited_driver*) way=bare ;;
*) way=full ;;
esac
test=$VKD3D_TEST_FILTER checks=5
[ $way != offered ] || echo "{\"draws\": ${FAKE_DRAWS:-[3, 2, 1]}}" >>"$VK_CLAMPLER_STATS_FILE"
[ "${FAKE_USES:-bare}" != $way ] || echo "limited driver: vkFake: used" >>"$LIMITED_DRIVER_LOG"
case $test in
*_fails_in_"$way" | *_fails_everywhere) echo "d3d12:100:Test 1: Test failed: Got another value." ;;
*_skips_in_"$way") echo "d3d12:101: Test skipped: There is no such format." ;;
*_todo_in_"$way") echo "d3d12:102: Todo: Got another value." ;;
*_ends_early_in_"$way") checks=4 ;;
*_crashes_in_"$way") kill -SEGV $$ ;;
*_fails_and_full_crashes_again) # where it runs: in vkd3d's build
    case $way in
    full) mkdir ran_once 2>/dev/null || kill -SEGV $$ ;;
    offered) echo "d3d12:100:Test 1: Test failed: Got another value." ;;
    esac
    ;;
*_root_signature_limits)
    [ $way != offered ] || {
        echo "clampler: error: ${FAKE_REASON:-none is left for the records of its sets}"
        kill -SEGV $$
    }
    ;;
esac
echo "d3d12: $checks tests executed (0 failures)."
