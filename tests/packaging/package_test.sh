#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian packages: made twice, in different folders, as the same bytes, clean in lintian's eyes, unpacked into an
# empty system by dpkg, used from there, and removed without a trace. And the header, found the ways developers find it, as C99 and C++17.
#
#     package_test.sh CMAKE LAYER_PROBE HEADER_TEST SOURCE_FOLDER
set -eu

cmake=$1 probe=$2 header=$3 source=$4
name=VK_LAYER_CLAMPLER_gl_sampler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
system=$work/system
# shellcheck source-path=SCRIPTDIR/../..
. "$source/tests/packaging/check.sh"
for tool in dpkg-buildpackage dh lintian file pkg-config; do
    command -v $tool >/dev/null || {
        echo "skipped: no $tool"
        exit 77
    }
done
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    driver=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-$icd}}
done

# What is needed here and on no machine by itself is what the set-up installs.
packages=$("$source/scripts/setup" --list)
for package in build-essential cmake debhelper file lintian pkg-config; do
    case " $(echo $packages) " in
    *" $package "*) ;;
    *)
        echo "FAILED: scripts/setup does not install $package"
        failed=1
        ;;
    esac
done

# lintian, or a failure, ends it; the second time another folder, at another time.
for time in 1 2; do
    mkdir -p "$work/$time/here"
    TMPDIR=$work/$time/here "$source/scripts/package" "$work/$time/packages" >"$work/log" 2>&1 || {
        cat "$work/log"
        echo "FAILED: scripts/package"
        exit 1
    }
done
packages="clampler libclampler-dev vulkan-layer-clampler"
for package in $packages; do
    set -- "$work/1/packages/$package"_*.deb
    check "$package is there" [ $# = 1 -a -f "$1" ]
    check "$package is the same again" cmp "$1" "$work/2/packages/$(basename "$1")"
done
set -- "$work"/1/packages/vulkan-layer-clampler_*.deb
check "the layer's package says what it needs" sh -c 'dpkg-deb -f "$1" Depends | grep -q libc6 && dpkg-deb -f "$1" Depends | grep -q libvulkan1' sh "$1"
check "and what it is" sh -c 'dpkg-deb -f "$1" Package Version Description | grep -q "OpenGL"' sh "$1"
check "and goes beside that of another architecture" [ "$(dpkg-deb -f "$1" Multi-Arch)" = same ]

# An empty system, with the list of files before and after.
mkdir -p "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/triggers"
: >"$system/var/lib/dpkg/status"
: >"$system/var/lib/dpkg/available"
files() { (cd "$system" && find . -path ./var -prune -o -print | sort); }
files >"$work/before"
in_system() { dpkg --root="$system" --force-depends --force-not-root --force-bad-path --force-script-chrootless "$@"; }
check "they install" in_system --install "$work"/1/packages/*.deb
for file in lib/libVkLayer_clampler_gl_sampler.so share/vulkan/explicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json \
    share/vulkan/implicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json include/vulkan/vulkan_clampler.h bin/clampler \
    share/man/man1/clampler.1.gz share/bash-completion/completions/clampler share/zsh/vendor-completions/_clampler \
    share/fish/vendor_completions.d/clampler.fish lib/pkgconfig/clampler.pc lib/cmake/Clampler/ClamplerConfig.cmake \
    lib/clampler/libclampler-spirv-tools.so share/doc/clampler/README.md share/doc/clampler/copyright \
    share/doc/clampler/docs/settings.md share/doc/clampler/docs/demo.png; do
    found=$(find "$system/usr" -path "*/${file#lib/}" | head -n 1)
    check "it brings $file" test -f "$found"
done

# One manifest serves all architectures: it has the library's name, which the dynamic linker finds in /usr/lib/TRIPLET, as
# it is told to here. These folders are those that pressure-vessel takes layers of the host from (docs/distributions.md).
libraries=$(dirname "$(find "$system/usr/lib" -name libVkLayer_clampler_gl_sampler.so)")
check "the library is where the dynamic linker looks" [ "$libraries" = "$system/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" ]
for kind in explicit implicit; do
    check "the $kind manifest names no folder" grep -q '"library_path": "libVkLayer_clampler_gl_sampler.so"' \
        "$system/usr/share/vulkan/${kind}_layer.d/VkLayer_CLAMPLER_gl_sampler.json"
done

in_package() {
    env -i LD_LIBRARY_PATH="$libraries" PATH="$PATH" HOME="$work/home" VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" \
        ASAN_OPTIONS=detect_leaks=0 XDG_DATA_DIRS="$system/usr/share" "$@"
}
check "a program gets the layer by name" sh -c '[ "$("$@")" = 1 ]' sh env -i LD_LIBRARY_PATH="$libraries" PATH="$PATH" HOME="$work/home" \
    VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" ASAN_OPTIONS=detect_leaks=0 \
    XDG_DATA_DIRS="$system/usr/share" VK_INSTANCE_LAYERS=$name "$probe"
check "the doctor says so" in_package VK_INSTANCE_LAYERS=$name "$system/usr/bin/clampler" doctor
check "the doctor says so of the implicit one" in_package CLAMPLER_ENABLE=1 "$system/usr/bin/clampler" doctor
check "run needs no path" sh -c '[ "$("$@")" = 1 ]' sh env -i LD_LIBRARY_PATH="$libraries" PATH="$PATH" HOME="$work/home" VK_DRIVER_FILES="$driver" \
    VK_ICD_FILENAMES="$driver" ASAN_OPTIONS=detect_leaks=0 "$system/usr/bin/clampler" run "$probe"
in_package "$system/usr/bin/clampler" run true >"$work/said" 2>&1 || true
check "run takes the package's layer for its own" sh -c 'cat "$1"; test ! -s "$1"' sh "$work/said"
cat >"$work/plain.frag" <<'GLSL'
#version 450
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texture(image, vec2(0.5)); }
GLSL
check "SPIRV-Tools is found beside the layer" sh -c 'glslangValidator -V --quiet "$1/plain.frag" -o "$1/plain.spv" && "$2" rewrite "$1/plain.spv" --validate -o "$1/after.spv"' \
    sh "$work" "$system/usr/bin/clampler"

# Developers: pkg-config, CMake, C99, C++17.
PKG_CONFIG_PATH=$(dirname "$(find "$system/usr" -name clampler.pc)")
export PKG_CONFIG_PATH
check "pkg-config finds it" pkg-config --exists clampler
for language in "cc -std=c99 -x c" "c++ -std=c++17 -x c++"; do
    # shellcheck disable=SC2046,SC2086
    check "the header is ${language%% -x*}" ${language% -x*} -x ${language##* } -Wall -Wextra -Wpedantic -Werror \
        $(pkg-config --cflags clampler) "$header" -o "$work/header"
    check "and means what it says" "$work/header"
done
# What README shows translators is a file that compiles as it stands.
sed -n '/^## For a translator/,/^## /p' "$source/README.md" | sed -n '/^```c$/,/^```$/{/^```/!p}' >"$work/translator.c"
check "README shows something" test -s "$work/translator.c"
# shellcheck disable=SC2046
check "and it compiles" cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c $(pkg-config --cflags clampler) "$work/translator.c" \
    -o "$work/translator.o"
mkdir "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.22)
project(consumer C)
find_package(Clampler 0.1 REQUIRED)
add_executable(consumer "$header")
target_link_libraries(consumer PRIVATE Clampler::Headers)
if(NOT EXISTS "\${CLAMPLER_LAYER_PATH}/VkLayer_CLAMPLER_gl_sampler.json")
    message(FATAL_ERROR "no manifest in \${CLAMPLER_LAYER_PATH}")
endif()
CMAKE
check "CMake finds it" "$cmake" -S "$work/consumer" -B "$work/consumer/build" "-DCMAKE_PREFIX_PATH=$system/usr"
check "and builds with it" "$cmake" --build "$work/consumer/build"

# shellcheck disable=SC2086
check "they are removed" in_system --purge $packages
files >"$work/after"
check "without a trace" cmp "$work/before" "$work/after"
exit $failed
