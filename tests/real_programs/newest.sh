# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2086,SC2154
# The programs that scripts/suites/real-programs --newest runs. Most draw scenes that stand beside this file: cells of 64 pixels,
# each with one texture of 8 x 8 texels at coordinates from -0.5 to 1.5, magnified four times. Where its edges show is
# known from that: outside of the texture, and within half a texel of its edge, which is all but 28 x 28 pixels of a cell.
cc -O1 -Wall -Wextra -o "$out/close_windows" "$inputs/close_windows.c" -lxcb
cc -O1 -Wall -Wextra -shared -fPIC -o "$out/count_frames.so" "$inputs/count_frames.c"

# edges NAME WIDTH HEIGHT ROWS COLUMN...: the picture that is white where texture edges show, with rows of cells at its
# upper left. A column is `c` where gl_clamp changes the address modes of both directions, `v` and `h` where
# it changes the vertical and the horizontal one, and `n` where it changes none.
edges() {
    file=$out/$1.edges.png size=$2x$3 row=
    convert -size 64x64 xc:white -fill black -draw "rectangle 18,18 45,45" "$out/edges.c.png"
    convert -size 64x64 xc:white -fill black -draw "rectangle 0,18 63,45" "$out/edges.v.png"
    convert -size 64x64 xc:white -fill black -draw "rectangle 18,0 45,63" "$out/edges.h.png"
    convert -size 64x64 xc:black "$out/edges.n.png"
    rows_of_cells=$4
    shift 4
    for modes in "$@"; do
        row="$row $out/edges.$modes.png"
    done
    convert $row +append "$out/edges.row.png"
    convert -size "$size" xc:black \( "$out/edges.row.png" -duplicate $((rows_of_cells - 1)) -append \) -composite "PNG24:$file"
}

# by_itself SECONDS: the program writes its picture to $out/result.png or .ppm and ends.
by_itself() {
    ended "$1" || return 1
    [ ! -s "$out/result.ppm" ] || convert "$out/result.ppm" "PNG24:$out/result.png"
    rm -f "$out/result.ppm"
    [ -s "$out/result.png" ] && mv "$out/result.png" "$taken"
}

# at_rest SECONDS: the program's window when nothing moves any more; then it is closed as a user would.
at_rest() {
    like=
    [ "$kind" = without ] || [ "$kind" = gl_clamp ] || [ "$kind" = bare ] || like=$out/$name.without.png
    picture "$taken" "$1" 0 "$like"
    "$out/close_windows"
    ended 10 || true
    [ -s "$taken" ]
}

if asked vkd3d vkd3d-triangle vkd3d-demos; then
    for demo in triangle gears teapot; do
        # Nothing in them has an edge: gears and triangle have no textures, and the letters of teapot lie on texels.
        convert -size 1280x1024 xc:black "PNG24:$out/vkd3d-$demo.edges.png"
        every_way vkd3d-$demo 40 0 at_rest env CLAMPLER_CLOSES=1 \
            LD_PRELOAD="$out/hold_window.so:$out/count_frames.so" vkd3d-$demo
    done
fi
if asked dxvk c++ libdxvk-d3d9-0; then
    c++ -std=c++17 -O1 -Wall -Wextra -o "$out/d3d9" "$inputs/d3d9.cpp" $(pkg-config --cflags --libs dxvk-d3d9 sdl3)
    edges dxvk 1280 512 8 n n c c n n n c c n n n c c n n n c c n
    without_heaps "DXVK_CONFIG=dxvk.enableDescriptorHeap = False; dxvk.enableDescriptorBuffer = False"
    every_way dxvk 600 40000 by_itself env DXVK_WSI_DRIVER=SDL3 DXVK_LOG_PATH=none "$out/d3d9" \
        "$out/result.ppm"
fi
# DXVK takes no device without mirror clamp to edge and anisotropy.
if asked dxvk-lacking c++ libdxvk-d3d9-0; then
    c++ -std=c++17 -O1 -Wall -Wextra -o "$out/d3d9" "$inputs/d3d9.cpp" $(pkg-config --cflags --libs dxvk-d3d9 sdl3)
    lacking dxvk-lacking 600 40000 by_itself env DXVK_WSI_DRIVER=SDL3 DXVK_LOG_PATH=none "$out/d3d9" "$out/result.ppm"
fi
if asked qtquick qml libqt6quick6; then
    cp "$inputs/qtquick.qml" "$out/"
    convert -size 8x8 xc:black -channel R -fx '(30+28*i)/255' -channel G -fx '(30+28*j)/255' -channel B \
        -fx '((i+j)%2?220:60)/255' "PNG24:$out/texture.png"
    qsb --glsl 440 -o "$out/qtquick.frag.qsb" "$inputs/qtquick.frag"
    edges qtquick 512 256 1 c v h n c v h n
    every_way qtquick 60 4000 by_itself env QSG_RHI_BACKEND=vulkan QT_QPA_PLATFORM=xcb qml "$out/qtquick.qml" -- "$out"
fi
if asked gtk4 gtk4-rendernode-tool libgtk-4-1; then
    # Pictures of 64 x 64 pixels, eight a texel: half a texel within and without. What is blurred lies in a texture of its
    # own, whose border is blurred with it.
    set -- -size 1280x1024 xc:black
    for x in 128 224 320; do
        set -- "$@" -fill white -draw "rectangle $((x - 4)),28 $((x + 67)),99" \
            -fill black -draw "rectangle $((x + 4)),36 $((x + 59)),91"
    done
    set -- "$@" -fill white -draw "rectangle 28,124 195,227" -draw "rectangle 316,124 403,211" -fill black
    for x in 32,43 52,107 116,171 180,191; do
        for y in 128,139 148,203 212,223; do
            set -- "$@" -draw "rectangle ${x%,*},${y%,*} ${x#*,},${y#*,}"
        done
    done
    convert "$@" -draw "rectangle 348,156 371,179" "PNG24:$out/gtk4.edges.png"
    every_way gtk4 40 1000 at_rest env GDK_BACKEND=x11 GSK_RENDERER=vulkan LD_PRELOAD="$out/count_frames.so" \
        gtk4-rendernode-tool show "$inputs/gtk4.node"
fi
if asked godot godot godot; then
    edges godot 896 320 5 n n c n n c n n c
    cp -r "$inputs/godot" "$out/"
    every_way godot 400 9000 by_itself env PICTURE="$out/result.png" godot --rendering-driver vulkan \
        --audio-driver Dummy --path "$out/godot"
fi
if asked chromium chromium chromium; then
    edges chromium 1280 1024 6 n n c n n c n n c
    rm -rf "$out/chromium"
    every_way chromium 90 9000 at_rest chromium --no-sandbox --test-type --no-first-run --user-data-dir="$out/chromium" \
        --use-gl=angle --use-angle=vulkan --enable-features=Vulkan --ignore-gpu-blocklist --enable-logging=stderr \
        --window-position=0,0 --window-size=800,600 --app="file://$inputs/webgl.html"
fi
# Float textures: without the extensions of WebGL their filters and a wrap mode are refused, and they are black.
floats() {
    rm -rf "$out/chromium"
    lacking $1 120 40000 at_rest chromium --no-sandbox --test-type --no-first-run --user-data-dir="$out/chromium" \
        --use-gl=angle --use-angle=vulkan --enable-features=Vulkan --ignore-gpu-blocklist --enable-logging=stderr \
        --window-position=0,0 --window-size=800,600 --app="file://$inputs/webgl.html?float"
}
if asked chromium-float chromium chromium; then
    floats chromium-float
fi
# The same on SwiftShader, which Chromium brings along.
if asked chromium-swiftshader chromium chromium; then
    driver=$VK_DRIVER_FILES
    VK_DRIVER_FILES=/usr/lib/chromium/vk_swiftshader_icd.json VK_ICD_FILENAMES=$VK_DRIVER_FILES
    floats chromium-swiftshader
    VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver
fi
if asked blender blender blender; then
    edges blender 256 128 2 n c c n
    every_way blender 900 3000 by_itself env PICTURE="$out/result.png" blender --factory-startup --gpu-backend vulkan \
        --window-geometry 0 0 900 700 --python "$inputs/blender.py"
fi
