#!/bin/sh
# SPDX-License-Identifier: MIT
# The first command of README, as in a fresh clone: a copy of the tree is configured for the demo alone, built and drawn,
# without a compiler of C++, which scripts/setup does not get for it;
# cmake --install takes the folder that it leaves; and where no driver can be used the demo says which there are.
#
#     demo_test.sh CMAKE SOURCE_FOLDER FOLDER
#
# FOLDER is kept, so that a second run compiles what has changed.
set -eu

cmake=$1 source=$2 folder=$3
# shellcheck disable=SC2034
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source/tests/packaging/check.sh"
mkdir -p "$folder/tree"
find "$folder/tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
"$source/scripts/internal/copy-tree" "$folder/tree"

demo() {
    # Other tests say what is to be built; this one begins as a user does.
    env -u CLAMPLER_SKIP_BUILD CLAMPLER_SKIP_SETUP=1 CXX="$work/none" "$@" "$folder/tree/scripts/demo"
}
without_cxx() {
    grep -q '^CMAKE_CXX_COMPILER:.*NOTFOUND$' "$folder/tree/build/CMakeCache.txt"
}
without_cxx 2>"$work/said" || rm -rf "$folder/tree/build"
rm -f "$folder"/tree/build/*.png "$folder/tree/build/demo.json"
check "a fresh copy draws" demo env
for picture in demo.png game.png demo.json; do
    check "$picture is there" test -s "$folder/tree/build/$picture"
done
check "it is configured for the demo alone" grep -q '^CLAMPLER_TESTS:[A-Z]*=DEMO$' "$folder/tree/build/CMakeCache.txt"
check "and without C++" without_cxx
check "the folder can be installed" "$cmake" --install "$folder/tree/build" --prefix "$work/installed"
for file in bin/clampler include/vulkan/vulkan_clampler.h share/vulkan/explicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json; do
    check "$file is installed" test -s "$work/installed/$file"
done
check "what is installed runs" "$work/installed/bin/clampler" --version

says_which() {
    ! demo env VK_DRIVER_FILES="$work/none.json" VK_ICD_FILENAMES="$work/none.json" >"$work/said" 2>&1 || return 1
    grep -q "demo: no Vulkan driver can be used of VK_DRIVER_FILES=$work/none.json; this machine has:" "$work/said" &&
        grep -q '^demo:   /.*\.json$' "$work/said" && ! grep -q 'harness' "$work/said"
}
check "a driver that is not there is named, and those that are" says_which
[ "$failed" = 0 ] || cat "$work/said"
exit "$failed"
