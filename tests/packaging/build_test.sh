#!/bin/sh
# SPDX-License-Identifier: MIT
# The layer and the program `clampler`, without tests, build without a warning in one configuration, and are hardened.
#
#     build_test.sh CMAKE SOURCE_FOLDER FOLDER C_COMPILER CXX_COMPILER CONFIGURATION LAUNCHER [PROGRAM...]
#
# The programs, tests of the layer, run under a debug build's, which ends the process where a lock is used wrongly
# (layer/base/platform/posix/checked_locks.h).
#
# CONFIGURATION is a build type of CMake, "dpkg": what Debian builds packages with (dpkg-buildflags, hardened), or "lto":
# with link-time optimisation, as Fedora and Arch Linux build theirs. FOLDER is kept, so that a second run compiles what
# has changed. LAUNCHER may be empty. Skipped where the compiler is missing, or cannot do that.
set -eu

cmake=$1 source=$2 folder=$3 c=$4 cxx=$5 configuration=$6 launcher=$7
shift 7
for tool in "$c" "$cxx"; do
    command -v "$tool" >/dev/null || {
        echo "skipped: no $tool"
        exit 77
    }
done

type=$configuration
if [ "$configuration" = dpkg ]; then
    command -v dpkg-buildflags >/dev/null || {
        echo "skipped: no dpkg-buildflags"
        exit 77
    }
    type=None
    export DEB_BUILD_MAINT_OPTIONS=hardening=+all
    preprocessor=$(dpkg-buildflags --get CPPFLAGS)
    CFLAGS="$(dpkg-buildflags --get CFLAGS) $preprocessor"
    CXXFLAGS="$(dpkg-buildflags --get CXXFLAGS) $preprocessor"
    LDFLAGS=$(dpkg-buildflags --get LDFLAGS)
    export CFLAGS CXXFLAGS LDFLAGS
elif [ "$configuration" = lto ]; then
    # The linker needs the compiler's plugin, which is a package of its own for Clang.
    echo "int main(void) { return 0; }" | "$c" -flto=auto -x c - -o /dev/null || {
        echo "skipped: $c has no link-time optimisation here"
        exit 77
    }
    type=None
    export CFLAGS="-O2 -flto=auto" CXXFLAGS="-O2 -flto=auto"
fi

"$cmake" -S "$source" -B "$folder" -G Ninja "-DCMAKE_C_COMPILER=$c" "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_BUILD_TYPE=$type" \
    "-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" -DCLAMPLER_TESTS=OFF \
    -DCLAMPLER_WERROR=ON
"$cmake" --build "$folder" -j 2
"$folder/bin/clampler" --version

# The embeddable library is machine code, and shows its own four functions.
shown=$(nm --extern-only --defined-only --format=just-symbols "$folder/embed/libclampler.a" | grep -v ':$' | sort | xargs)
[ "$shown" = "clampler_blend clampler_resolve clampler_rewrite clampler_version" ] || {
    echo "FAILED: libclampler.a shows $shown"
    exit 1
}

"$source/tests/unit/hardened_test.sh" "$folder"

[ "$configuration" = Debug ] || exit 0
nm "$folder/lib/libVkLayer_clampler_gl_sampler.so" | grep -q lock_checked || {
    echo "FAILED: the debug build's locks are not checked"
    exit 1
}
for program in "$@"; do
    [ -x "$program" ] || continue
    CLAMPLER_LAYER_PATH=$folder/json "$program" >"$folder/program.log" 2>&1 || {
        code=$?
        [ "$code" = 77 ] && continue
        echo "FAILED: ${program##*/} under the debug build, status $code"
        cat "$folder/program.log"
        exit 1
    }
    echo "ok: ${program##*/}"
done
