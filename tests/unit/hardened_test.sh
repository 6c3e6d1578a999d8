#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed is hardened, however it is built: stacks that were written over end the process, and what the dynamic
# linker fills in is filled in at once and cannot be written afterwards.
#
#     hardened_test.sh BUILD_FOLDER
set -eu

folder=$1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# Libraries for 32 bits have a function of their own for it.
guarded() {
    nm "$1" 2>/dev/null | grep -Eq ' U __stack_chk_fail(_local)?(@|$)' ||
        nm -D "$1" 2>/dev/null | grep -Eq ' U __stack_chk_fail(@|$)' ||
        fail "$1 has no stack protector"
}

layer=$folder/lib/libVkLayer_clampler_gl_sampler.so
program=$folder/bin/clampler
tools=$folder/lib/clampler/libclampler-spirv-tools.so # where the system has the static library
for object in "$layer" "$program" "$tools"; do
    [ "$object" != "$tools" ] || [ -e "$tools" ] || continue
    readelf -lW "$object" | grep -q GNU_RELRO || fail "$object has no GNU_RELRO"
    readelf -dW "$object" | grep -Eq '\((BIND_NOW|FLAGS)\).*BIND_NOW|\(BIND_NOW\)|\(FLAGS_1\).*NOW' ||
        fail "$object has no BIND_NOW"
done
guarded "$layer"
guarded "$program"
guarded "$folder/embed/libclampler.a"
exit $failed
