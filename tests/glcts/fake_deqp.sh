#!/bin/sh
# SPDX-License-Identifier: MIT
# A stand-in for a program of OpenGL's conformance suite, for ways_test.py: what a case comes to in which way is in its name.
set -u
for argument; do
    case $argument in
    --deqp-caselist-file=*) list=${argument#*=} ;;
    --deqp-caselist-export-file=*) export=${argument#*=} ;;
    --deqp-log-filename=*) log=${argument#*=} ;;
    --deqp-case=*) package=${argument#*=} && package=${package%%.*} ;;
    esac
done
if [ -n "${export:-}" ]; then # a package that the driver has no context for ends it
    [ "$package" != "${FAKE_LACKS:-}" ] && grep "^TEST: $package\." "$FAKE_FOLDER/all_cases" >"$export"
    exit
fi

way=system
case ${VK_INSTANCE_LAYERS:-}:${LD_LIBRARY_PATH:-} in
*limited_driver*:?*) way=bare ;;
*limited_driver*:) way=offered ;;
*:?*) [ -z "${VK_CLAMPLER_STATS_FILE:-}" ] && way=plain || way=layer ;;
esac
if [ -z "${list:-}" ]; then # it is asked for its version
    [ "$way" = "${FAKE_OLD:-}" ] && version=3.1 || version=3.2
    for told in "renderer zink (Fake)" "version OpenGL ES $version"; do
        printf '#beginTestCaseResult dEQP-GLES3.info.%s\n <Text>%s</Text>\n#endTestCaseResult\n' "${told%% *}" "${told#* }"
    done >"$log"
    exit 0
fi

while read -r name; do
    echo "Test case '$name'.."
    case $name in
    *.fails) echo '  Fail (always)' ;;
    *.fails_in_$way) echo "  Fail (in $way)" ;;
    *.is_skipped_without_layer) case $way in system | plain) echo '  NotSupported (no)' ;; *) echo '  Pass (ok)' ;; esac ;;
    *) echo '  Pass (ok)' ;;
    esac
done <"$list"
draws=${FAKE_DRAWS:-'[3, 2, 1]'}
[ -z "${VK_CLAMPLER_STATS_FILE:-}" ] ||
    echo "{\"active\": true, \"draws\": $draws, \"blend_variants\": 0, \"outputs_moved\": 0}" >>"$VK_CLAMPLER_STATS_FILE"
[ -z "${FAKE_VIOLATION:-}" ] || [ -z "${LIMITED_DRIVER_LOG:-}" ] || echo "limited driver: vkFake: used" >>"$LIMITED_DRIVER_LOG"
echo 'DONE!'
