#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests in the locales of users in whose languages letters and numbers are not C's: Turkish and Azerbaijani have two kinds of
# I, Lithuanian sorts y beside i, German writes 0,5. The programs take the locale themselves (locale_of_user.h).
#
#     locales_test.sh [--all] PROGRAM...
#
# --all: in every locale that glibc has (SUPPORTED), two at a time, instead of these five. Those whose source or charset is not there
# are named. Skipped without localedef and the sources of locales (Debian: package locales), and where all programs skip.
set -eu

locales="tr_TR.UTF-8 tr_TR.ISO-8859-9 az_AZ.UTF-8 lt_LT.UTF-8 de_DE.UTF-8"
sources=/usr/share/i18n

skip() {
    echo "skipped: $1"
    exit 77
}
command -v localedef >/dev/null || skip "no localedef"
if [ "${1:-}" = --all ]; then
    shift
    [ -e $sources/SUPPORTED ] || skip "no $sources/SUPPORTED, package locales"
    # "aa_ER@saaho UTF-8" there is aa_ER.UTF-8@saaho for setlocale().
    locales=$(awk '/^[A-Za-z]/ { split($1, name, "@"); sub(/[.].*/, "", name[1])
                                 print name[1] "." $2 (name[2] ? "@" name[2] : "") }' $sources/SUPPORTED)
fi
LOCPATH=$(mktemp -d)
trap 'rm -rf "$LOCPATH"' EXIT
export LOCPATH

test_in() { # LOCALE OUTPUT PROGRAM...
    locale=$1 out=$2
    shift 2
    case $locale in
    *@*) source=${locale%%.*}@${locale#*@} ;;
    *) source=${locale%%.*} ;;
    esac
    charset=${locale#*.}
    charset=${charset%@*}
    localedef -c -i "$source" -f "$charset" "$LOCPATH/$locale" >"$out" 2>&1 || true # warnings are failures to it
    if [ ! -e "$LOCPATH/$locale/LC_CTYPE" ] && # without sources a folder is all that is made
        ! { [ -e "$sources/locales/$source" ] && [ -e "$sources/charmaps/$charset.gz" ]; }; then
        echo "not made: $locale: $(tail -n 1 "$out")"
        return
    fi
    for program in "$@"; do
        status=0
        LC_ALL=$locale CLAMPLER_TEST_LOCALE=$locale "$program" >"$out" 2>&1 || status=$?
        case $status in
        0) echo "ok: $locale: ${program##*/}" ;;
        77) echo "skipped: $locale: ${program##*/}" ;;
        *)
            echo "FAILED: $locale: $program"
            cat "$out"
            ;;
        esac
    done
    rm -rf "${LOCPATH:?}/$locale"
}

every_second() { # FIRST PROGRAM...
    at=0 first=$1
    shift
    for each in $locales; do
        at=$((at + 1))
        [ $((at % 2)) != "$first" ] || test_in "$each" "$LOCPATH/out.$first" "$@"
    done
}

{
    every_second 0 "$@" &
    every_second 1 "$@"
    wait
} | tee "$LOCPATH/results"
number() {
    grep -c "^$1: " "$LOCPATH/results" || true
}
echo "locales: $(awk '/^ok: / { seen[$2] } END { print length(seen) }' "$LOCPATH/results") taken, $(number "not made") not made;" \
    "$(number ok) tests passed, $(number skipped) skipped, $(number FAILED) failed"
[ "$(number FAILED)" = 0 ] || exit 1
[ "$(number ok)" != 0 ] || exit 77
