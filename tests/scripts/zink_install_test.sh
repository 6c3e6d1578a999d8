#!/bin/sh
# SPDX-License-Identifier: MIT
# zink_install_test.sh INSTALL: a second call of examples/zink/install into the same folder does not take a source that has other
# patches for the one it was asked for. Of Mesa there is a stand-in, which cannot be patched or built.
set -eu

install=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tools" "$work/mesa/include/vulkan"
for tool in apt-get dpkg-source meson ninja bison flex; do
    ln -s /bin/false "$work/tools/$tool"
done
echo 26.0.9 >"$work/mesa/VERSION"
touch "$work/mesa/stand-in"

wrong=0
# expect WHAT COMMAND...
expect() {
    what=$1
    shift
    "$@" || {
        echo "$what: $(cat "$work/said")"
        wrong=$((wrong + 1))
    }
}
# built OPTION...: nothing is built in the end.
built() {
    ! PATH="$work/tools:$PATH" "$install" "$@" --source "$work/mesa" "$work/out" >"$work/said" 2>&1
}

expect "a stand-in is built" built --unpatched
expect "the source is not there" [ -e "$work/out/source/stand-in" ]
touch "$work/out/source/kept"
expect "a stand-in is built" built --unpatched
expect "a second call gets the source anew" [ -e "$work/out/source/kept" ]
expect "a stand-in is built" built
expect "the patches are not tried" grep -q "failed: 26.0/.* does not apply to Mesa 26.0.9" "$work/said"
expect "a source that cannot be patched stays" [ ! -e "$work/out/source" ]
cp -R "$work/mesa" "$work/out/source"
expect "a stand-in is built" built --unpatched
expect "a source of unknown patches stays" grep -q "has other patches" "$work/said"
echo "zink_install: $wrong wrong"
[ $wrong = 0 ]
