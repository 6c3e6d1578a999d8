#!/bin/sh
# SPDX-License-Identifier: MIT
# The layer's shared object exports one symbol, needs nothing but the C library and threads, and calls nothing there that
# follows the program's locale.
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
# Letters, numbers and messages of the program's locale; fnmatch() and strerror_l() get that of C (layer/base/platform/posix).
# Sanitizers need them for themselves.
if [ "$sanitized" != yes ]; then
    followers=$(nm -D --undefined-only "$object" | awk '{ sub(/@.*/, "", $2); print $2 }' |
        grep -E '^(_*(to|is)(upper|lower|alpha|alnum|digit|xdigit|space|blank|print|punct|graph|cntrl)|__ctype_.*|str(n?casecmp|casestr|coll|xfrm|error|error_r|ftime|to[dfl]|told)|__isoc99_str.*|ato[fil]|setlocale|localeconv|nl_langinfo|(mb|wc|wcs|isw|tow|regcomp).*|perror)$' || true)
    [ -z "$followers" ] || {
        echo "FAILED: it calls what follows the locale: $followers"
        failed=1
    }
fi
exit $failed
