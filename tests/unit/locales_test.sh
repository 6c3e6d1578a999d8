#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests in the locales of users in whose languages letters and numbers are not C's: Turkish and Azerbaijani have two kinds of
# I, Lithuanian sorts y beside i, German writes 0,5. The programs take the locale themselves (locale_of_user.h).
#
#     locales_test.sh PROGRAM...
#
# Skipped without localedef and the sources of locales (Debian: package locales). CLAMPLER_TEST_LOCALES names others; every one that
# glibc has, but for those with a modifier:
#
#     CLAMPLER_TEST_LOCALES=$(awk '!/[@#]/ && $2 {sub(/[.].*/, "", $1); print $1 "." $2}' /usr/share/i18n/SUPPORTED) locales_test.sh ...
set -eu

skip() {
    echo "skipped: $1"
    exit 77
}
command -v localedef >/dev/null || skip "no localedef"
LOCPATH=$(mktemp -d)
trap 'rm -rf "$LOCPATH"' EXIT
export LOCPATH
failed=0 ran=0
for locale in ${CLAMPLER_TEST_LOCALES:-tr_TR.UTF-8 tr_TR.ISO-8859-9 az_AZ.UTF-8 lt_LT.UTF-8 de_DE.UTF-8}; do
    localedef -c -i "${locale%%.*}" -f "${locale#*.}" "$LOCPATH/$locale" 2>"$LOCPATH/errors" ||
        { [ -e "/usr/share/i18n/locales/${locale%%.*}" ] || skip "no source of ${locale%%.*}, package locales"; }
    for program in "$@"; do
        ran=$((ran + 1))
        if LC_ALL=$locale CLAMPLER_TEST_LOCALE=$locale "$program" >"$LOCPATH/out" 2>&1; then
            echo "ok: $locale: ${program##*/}"
        else
            echo "FAILED: $locale: $program"
            cat "$LOCPATH/out"
            failed=1
        fi
    done
    rm -rf "${LOCPATH:?}/$locale"
done
[ "$ran" -gt 0 ] || failed=1
exit $failed
