#!/bin/sh
# SPDX-License-Identifier: MIT
# The layer's shared object exports one symbol and needs nothing but the C library and threads.
#
#     exports_test.sh SHARED_OBJECT SANITIZED
set -eu

object=$1 sanitized=$2
failed=0

exported=$(nm -D --defined-only "$object" | awk '{ print $3 }')
if [ "$exported" != vkNegotiateLoaderLayerInterfaceVersion ]; then
    echo "FAILED: exported: $exported"
    failed=1
fi
if ! readelf -d "$object" | grep -q SYMBOLIC; then
    echo "FAILED: not linked with -Bsymbolic"
    failed=1
fi
if [ "$sanitized" != yes ]; then
    for needed in $(readelf -d "$object" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case $needed in
        libc.so.* | libpthread.so.* | ld-linux*) ;;
        *)
            echo "FAILED: needs $needed"
            failed=1
            ;;
        esac
    done
fi
exit $failed
