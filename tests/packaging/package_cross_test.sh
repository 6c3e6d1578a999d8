#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian packages of other architectures: cross-built twice as the same bytes, clean in lintian's eyes, of the
# architecture that they say, and the layer's of three architectures beside each other in one system.
#
#     package_cross_test.sh SOURCE_FOLDER
set -eu

source=$1
if [ ! -d "$source/build-package/cross/root" ]; then
    echo "skipped: no root to cross-build in (./scripts/package --arch arm64)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR/../..
. "$source/tests/packaging/check.sh"

"$source/scripts/package" "$work/1" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
for architecture in arm64 i386; do
    for time in 1 2; do
        mkdir -p "$work/$architecture.$time"
        "$source/scripts/package" --arch $architecture "$work/$architecture.$time" >"$work/log" 2>&1 || {
            cat "$work/log"
            echo "FAILED: scripts/package --arch $architecture"
            exit 1
        }
    done
    for package in clampler libclampler-dev vulkan-layer-clampler; do
        set -- "$work/$architecture.1/$package"_*_$architecture.deb
        check "$package is there for $architecture" [ $# = 1 -a -f "$1" ]
        check "and the same again" cmp "$1" "$work/$architecture.2/$(basename "$1")"
    done
done

# One system with all three: dpkg refuses files that differ between packages that say Multi-Arch: same.
system=$work/system
mkdir -p "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/triggers"
: >"$system/var/lib/dpkg/status"
: >"$system/var/lib/dpkg/available"
in_system() { dpkg --root="$system" --force-depends --force-not-root --force-bad-path --force-script-chrootless "$@"; }
for architecture in arm64 i386; do
    in_system --add-architecture $architecture
done
for package in vulkan-layer-clampler libclampler-dev; do
    check "$package goes beside that of other architectures" in_system --install "$work"/1/$package*.deb \
        "$work"/arm64.1/$package*.deb "$work"/i386.1/$package*.deb
done
for pair in aarch64-linux-gnu:"ARM aarch64" i386-linux-gnu:"Intel 80386" x86_64-linux-gnu:x86-64; do
    for library in libVkLayer_clampler_gl_sampler.so libclampler.a; do
        file=$system/usr/lib/${pair%%:*}/$library
        case $library in
        *.a) (cd "$work" && ar x "$file" && set -- *.o && mv "$1" object && rm -f ./*.o) && file=$work/object ;;
        esac
        check "$library of ${pair%%:*} is of that architecture" sh -c 'file -b "$1" | grep -q "$2"' sh "$file" "${pair#*:}"
    done
done
check "the manifests are two" [ "$(find "$system" -name VkLayer_CLAMPLER_gl_sampler.json | wc -l)" = 2 ]
exit $failed
