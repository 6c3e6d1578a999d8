# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# What scripts/suites/real-programs and scripts/suites/soak need around programs: packages, an environment of their own, a screen.

# get_packages SCRIPT PACKAGE...: through apt, unless they are there.
get_packages() {
    script=$1
    shift
    dpkg-query -W -f='${Status}\n' "$@" 2>/dev/null |
        awk '!/ok installed/ { no = 1 } END { exit no || NR < '$#' }' && return 0
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get -o Acquire::Check-Valid-Until=false update
    # What this day's Debian lacks or cannot install must not keep the other programs from running.
    for package in "$@"; do
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package" ||
            echo "$script: $package cannot be installed" >&2
    done
    $as_root apt-get clean
}

# Home, driver and paths of programs, in $out.
set_environment() {
    mkdir -p "$out/home"
    chmod 700 "$out/home"
    PATH=$PATH:/usr/games:/usr/lib/qt6/bin:$(echo /usr/lib/*/piglit/bin)
    HOME=$out/home XDG_RUNTIME_DIR=$out/home
    for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
        VK_DRIVER_FILES=${VK_DRIVER_FILES:-$icd}
    done
    export PATH HOME XDG_RUNTIME_DIR VK_DRIVER_FILES VK_ICD_FILENAMES="$VK_DRIVER_FILES"
    unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH XDG_DATA_HOME || true
}

# A screen of our own, at the first free number, as long as this shell lives.
open_screen() {
    number=90
    while [ -e /tmp/.X11-unix/X$number ]; do number=$((number + 1)); done
    Xvfb :$number -screen 0 1280x1024x24 >"$out/xvfb.log" 2>&1 &
    screen=$!
    trap 'kill $screen 2>/dev/null || true' EXIT
    export DISPLAY=:$number
    sleep 2
}
