# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154
# What scripts/suites/test-32 and test-arm64 are but for the processor: the layer and its tests, built by Debian's cross compilers for
# a processor of Linux that is not this machine's, and run with the libraries of that architecture, which are unpacked into a
# folder. They say which first:
#
#   script        their own name
#   build         the build folder; the libraries are in its folder sysroot
#   architecture  Debian's name of it
#   processor     CMake's
#   compilers     what the compilers' names begin with
#   folder        the libraries' folder
#   kind          a part of what file(1) says of its programs
#   dynamic       the program in the sysroot that loads others
#   emulator      the command that runs programs; empty where this machine does, by `dynamic`
#   packages      those with the compilers and the emulator
#
# The options are --install and --floors, as the scripts say.
. "$root/scripts/internal/floors.sh"
sysroot=$build/sysroot
libraries=$sysroot/usr/lib/$folder
install=false only=
for option; do
    case $option in
    --install) install=true ;;
    --floors) only=true ;;
    esac
done

mkdir -p "$build"
if $install; then
    . "$root/tests/real_programs/screen.sh"
    # shellcheck disable=SC2086
    get_packages "$script" $packages
    alone="spirv-tools"
    [ -e "$libraries/libvulkan_lvp.so" ] ||
        get_libraries "$architecture" "$sysroot" libcmocka0 libvulkan1 mesa-vulkan-drivers vulkan-validationlayers ||
        get_libraries "$architecture" "$sysroot" libcmocka0 || echo "$script: no libraries of $architecture can be had"
fi

skip() {
    echo "$script: skipped: $1 (./scripts/suites/$script --install)"
    exit 77
}
command -v "$compilers-gcc" >/dev/null || skip "no $compilers-gcc"
command -v "$compilers-g++" >/dev/null || skip "no $compilers-g++"
[ -z "$emulator" ] || command -v "${emulator%% *}" >/dev/null || skip "no ${emulator%% *}"
cmocka=$libraries/libcmocka.so.0
spirv=$libraries/libSPIRV-Tools.a
[ -e "$dynamic" ] || skip "no C library in $sysroot"
[ -e "$cmocka" ] || skip "no $cmocka"
[ -e "$spirv" ] || skip "no $spirv"

log=$build/log
quiet() {
    "$@" >"$log" 2>&1 || {
        tail -n 40 "$log"
        echo "$script: failed: $*"
        exit 1
    }
}

tests=UNIT
if [ -e "$libraries/libvulkan_lvp.so" ] && [ -e "$libraries/libvulkan.so.1" ]; then
    tests=FLOORS
    use_driver "$sysroot"
    build_compiler "$build/compile" quiet
    set -- "-DCOMPILE_MODULES=$compiler" "-DVULKAN_LIBRARY=$libraries/libvulkan.so.1"
else
    echo "$script: no driver in $libraries: the unit tests alone"
    [ -z "$only" ] || skip "no driver in $libraries"
    set --
fi

cat >"$build/toolchain.cmake" <<CMAKE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $processor)
set(CMAKE_C_COMPILER $compilers-gcc)
set(CMAKE_CXX_COMPILER $compilers-g++)
set(CMAKE_LIBRARY_ARCHITECTURE $folder)
${emulator:+set(CMAKE_CROSSCOMPILING_EMULATOR $emulator)}
CMAKE
# Programs that this machine runs name what loads them.
link=
[ -n "$emulator" ] || link="-Wl,--dynamic-linker=$dynamic"
quiet cmake -S "$root" -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake" \
    "-DCMAKE_INSTALL_LIBDIR=lib/$folder" -DCLAMPLER_TESTS=$tests -DCLAMPLER_WERROR=ON "-DCMOCKA=$cmocka" \
    "-DSPIRV_TOOLS_STATIC=$spirv" "-DCMAKE_EXE_LINKER_FLAGS=$link" "$@"
quiet cmake --build "$build" ${only:+--target floors}
# The tests are what the emulator runs: nothing of this machine's architecture.
judged=
for program in "$build"/tests/unit/format_test "$build"/tests/integration/integration_templates; do
    [ -e "$program" ] || continue
    judged=$program
    file -b "$program" | grep -q "$kind" || {
        echo "FAILED: $program is not of $architecture"
        exit 1
    }
done
[ -n "$judged" ] || {
    echo "FAILED: neither program that shows the architecture was built"
    exit 1
}
if [ -n "$only" ]; then
    "$root/scripts/ctest" "$build" -R '^floor_'
else
    "$root/scripts/ctest" "$build" -E '^integration_'
fi
