#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian package: made by cpack from the build folder, unpacked into an empty system by dpkg, used from there, and
# removed without a trace. And the header, found the ways developers find it, as C99 and C++17.
#
#     package_test.sh CMAKE CPACK BUILD_FOLDER LAYER_PROBE HEADER_TEST SOURCE_FOLDER
set -eu

cmake=$1 cpack=$2 build=$3 probe=$4 header=$5 source=$6
name=VK_LAYER_CLAMPLER_gl_sampler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
system=$work/system
failed=0
for tool in dpkg dpkg-deb dpkg-shlibdeps file pkg-config; do # cpack wants `file` as well
    command -v $tool >/dev/null || {
        echo "skipped: no $tool"
        exit 77
    }
done
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    driver=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-$icd}}
done

# What is needed here and on no machine by itself is what the set-up installs.
packages=$(sed -n '/^packages="/,/^"/p' "$source/scripts/setup")
for package in build-essential cmake file pkg-config; do
    case " $(echo $packages) " in
    *" $package "*) ;;
    *)
        echo "FAILED: scripts/setup does not install $package"
        failed=1
        ;;
    esac
done

check() {
    what=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        echo "ok: $what"
    else
        echo "FAILED: $what:"
        cat "$work/out"
        failed=1
    fi
}

"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$work/packages" >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: cpack"
    exit 1
}
set -- "$work"/packages/clampler_*.deb
package=$1
[ $# = 1 ] && [ -f "$package" ] || { echo "FAILED: one package"; exit 1; }
check "the package says what it needs" sh -c 'dpkg-deb -f "$1" Depends | grep -q libc6 && dpkg-deb -f "$1" Depends | grep -q libvulkan1' sh "$package"
check "and what it is" sh -c 'dpkg-deb -f "$1" Package Version Description | grep -q "OpenGL"' sh "$package"

# An empty system, with the list of files before and after.
mkdir -p "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/triggers"
: >"$system/var/lib/dpkg/status"
: >"$system/var/lib/dpkg/available"
files() { (cd "$system" && find . -path ./var -prune -o -print | sort); }
files >"$work/before"
in_system() { dpkg --root="$system" --force-depends --force-not-root --force-bad-path --force-script-chrootless "$@"; }
check "it installs" in_system --install "$package"
for file in lib/libVkLayer_clampler_gl_sampler.so share/vulkan/explicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json \
    share/vulkan/implicit_layer.d/VkLayer_CLAMPLER_gl_sampler.json include/vulkan/vulkan_clampler.h bin/clampler \
    share/man/man1/clampler.1 share/bash-completion/completions/clampler share/zsh/vendor-completions/_clampler \
    share/fish/vendor_completions.d/clampler.fish lib/pkgconfig/clampler.pc lib/cmake/Clampler/ClamplerConfig.cmake \
    lib/clampler/libclampler-spirv-tools.so share/doc/clampler/README.md share/doc/clampler/copyright \
    share/doc/clampler/docs/settings.md share/doc/clampler/docs/demo.png; do
    found=$(find "$system/usr" -path "*/${file#lib/}" | head -n 1)
    check "it brings $file" test -f "$found"
done

in_package() {
    env -i PATH="$PATH" HOME="$work/home" VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" \
        ASAN_OPTIONS=detect_leaks=0 XDG_DATA_DIRS="$system/usr/share" "$@"
}
check "a program gets the layer by name" sh -c '[ "$("$@")" = 1 ]' sh env -i PATH="$PATH" HOME="$work/home" \
    VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver" ASAN_OPTIONS=detect_leaks=0 \
    XDG_DATA_DIRS="$system/usr/share" VK_INSTANCE_LAYERS=$name "$probe"
check "the doctor says so" in_package VK_INSTANCE_LAYERS=$name "$system/usr/bin/clampler" doctor
check "the doctor says so of the implicit one" in_package CLAMPLER_ENABLE=1 "$system/usr/bin/clampler" doctor
check "run needs no path" sh -c '[ "$("$@")" = 1 ]' sh env -i PATH="$PATH" HOME="$work/home" VK_DRIVER_FILES="$driver" \
    VK_ICD_FILENAMES="$driver" ASAN_OPTIONS=detect_leaks=0 "$system/usr/bin/clampler" run "$probe"
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

check "it is removed" in_system --purge clampler
files >"$work/after"
check "without a trace" cmp "$work/before" "$work/after"
exit $failed
