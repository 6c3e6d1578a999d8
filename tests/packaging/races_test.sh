#!/bin/sh
# SPDX-License-Identifier: MIT
# The project builds under a thread sanitizer, and tests that have several threads show no race.
#
#     races_test.sh CMAKE CTEST SOURCE_FOLDER FOLDER LAUNCHER
#
# The sanitizer sees what is written in the sources whatever the compiler optimises, and -O1 compiles in 0.6 of the time.
# FOLDER is kept, so that a second run compiles what has changed. LAUNCHER may be empty.
set -eu

cmake=$1 ctest=$2 source=$3 folder=$4 launcher=$5
suppressions=$source/tests/harness/sanitizers/thread.txt
export TSAN_OPTIONS="suppressions=$suppressions:halt_on_error=0:detect_deadlocks=0"

"$cmake" -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG" \
    "-DCMAKE_C_COMPILER_LAUNCHER=$launcher" \
    "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" -DCLAMPLER_SANITIZE=thread -DCLAMPLER_WERROR=ON
"$cmake" --build "$folder" -j 2 --target integration_threads integration_halves_threads integration_ahead integration_crowds integration_noted_handles integration_object_names placed_bytes_test records_test track_gone_test
"$ctest" --test-dir "$folder" --output-on-failure --no-tests=error \
    -R '^(integration_(threads(_ahead)?|halves_threads|ahead|crowds|noted_handles|object_names)|unit_(placed_bytes|records|track_gone))$'
