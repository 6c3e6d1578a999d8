#!/bin/sh
# SPDX-License-Identifier: MIT
# The layer's DLL exports one function and needs no DLL that does not come with Windows.
#
#     windows_exports_test.sh OBJDUMP DLL
set -eu

told=$("$1" -p "$2")
failed=0

exported=$(printf '%s\n' "$told" | sed -n '/\[Ordinal\/Name Pointer\] Table/,/^$/s/^[[:space:]]*\[ *[0-9]*\] //p')
if [ "$exported" != vkNegotiateLoaderLayerInterfaceVersion ]; then
    echo "FAILED: exported: $exported"
    failed=1
fi
for needed in $(printf '%s\n' "$told" | sed -n 's/.*DLL Name: //p'); do
    case $needed in
    ADVAPI32.dll | KERNEL32.dll | msvcrt.dll) ;;
    *)
        echo "FAILED: needs $needed"
        failed=1
        ;;
    esac
done
exit $failed
