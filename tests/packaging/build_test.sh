#!/bin/sh
# SPDX-License-Identifier: MIT
# The layer and the program `clampler`, without tests, build without a warning in one configuration.
#
#     build_test.sh CMAKE SOURCE_FOLDER FOLDER C_COMPILER CXX_COMPILER CONFIGURATION LAUNCHER
#
# CONFIGURATION is a build type of CMake, or "dpkg": what Debian builds packages with (dpkg-buildflags, hardened). FOLDER
# is kept, so that a second run compiles what has changed. LAUNCHER may be empty. Skipped where the compiler is missing.
set -eu

cmake=$1 source=$2 folder=$3 c=$4 cxx=$5 configuration=$6 launcher=$7
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
fi

"$cmake" -S "$source" -B "$folder" -G Ninja "-DCMAKE_C_COMPILER=$c" "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_BUILD_TYPE=$type" \
    "-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" -DCLAMPLER_TESTS=OFF \
    -DCLAMPLER_WERROR=ON
"$cmake" --build "$folder" -j 2
"$folder/bin/clampler" --version
