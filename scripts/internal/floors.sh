# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# What scripts/suites/test-32, test-arm64 and test-windows have for integration tests with a loader and a driver of another
# architecture or system (tests/integration/CMakeLists.txt): they get libraries, and build what runs here.

# get_libraries ARCHITECTURE FOLDER PACKAGE...: of the machine's own release, with all that they need, unpacked into FOLDER by
# lists of packages of its own, so that the machine gets no foreign architecture. `alone` may name packages that come without
# what they need.
get_libraries() {
    architecture=$1 folder=$2
    shift 2
    state=$folder.apt
    rm -rf "$state" "$folder.new"
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$folder.new"
    : >"$state/status"
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${CLAMPLER_MIRROR:-http://deb.debian.org/debian} $release main" \
        >"$state/sources.list"
    own_apt() {
        apt-get -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State=$state" \
            -o "Dir::State::status=$state/status" -o "Dir::Cache=$state/cache" -o "Dir::Etc::sourcelist=$state/sources.list" \
            -o Dir::Etc::sourceparts=- -o APT::Sandbox::User= "$@"
    }
    own_apt update
    own_apt install -y --no-install-recommends --download-only "$@"
    # shellcheck disable=SC2086
    [ -z "${alone:-}" ] || (cd "$state/cache/archives" && own_apt download $alone)
    for package in "$state"/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$folder.new"
    done
    rm -rf "$state" "$folder"
    mv "$folder.new" "$folder"
}

# use_driver FOLDER: of these libraries, lavapipe and the validation layer for the loader, by manifests that lead there.
use_driver() {
    manifests=$1.manifests
    mkdir -p "$manifests"
    for manifest in "$1"/usr/share/vulkan/icd.d/lvp_icd*.json "$1"/usr/share/vulkan/explicit_layer.d/*validation*.json; do
        sed "s|\"library_path\": *\"/|\"library_path\": \"$1/|" "$manifest" >"$manifests/$(basename "$manifest")"
    done
    for manifest in "$manifests"/lvp_icd*.json; do
        export VK_DRIVER_FILES="$manifest" VK_ICD_FILENAMES="$manifest"
    done
    # Without the layers of this machine's processor, which loaders of another would only warn of.
    export VK_LAYER_PATH="$manifests" NODEVICE_SELECT=1
}

# build_compiler FOLDER COMMAND...: the program that compiles the tests' shaders, for this machine, by `COMMAND cmake ...`.
# Sets `compiler`.
build_compiler() {
    compiler=$1/compile_modules
    folder=$1
    shift
    "$@" cmake -S "$root/tests/harness/compile" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release
    "$@" cmake --build "$folder"
}
