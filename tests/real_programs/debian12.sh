# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2086,SC2154
# The programs of Debian 12 that scripts/suites/real-programs runs without --newest.

hold="env LD_PRELOAD=$out/hold_window.so"
zink="env LIBGL_ALWAYS_SOFTWARE=1 MESA_LOADER_DRIVER_OVERRIDE=zink"
convert -size 16x16 gradient:red-yellow -fill blue -draw "rectangle 0,0 3,15" "PNG24:$out/picture.png"

if asked vkcube vkcube; then
    window vkcube 40 0 $hold vkcube --c 40
fi
if asked mpv mpv; then
    play() {
        "$@" mpv --no-config --no-audio --vo=gpu-next --gpu-api=vulkan --gpu-context=x11vk "--vulkan-device=$device" \
            --geometry=600x600+0+0 --no-border --osc=no --osd-level=0 --image-display-duration=inf --scale=bilinear \
            --cscale=bilinear "$out/picture.png"
    }
    # When it ends, it destroys semaphores of its swapchain that a last frame may still wait for.
    may_say mpv VUID-vkDestroySemaphore-semaphore-01137
    play window mpv 40 0
    play clamped mpv 40
fi
if asked mpv-ewa mpv; then
    # mpv filters its own images of 32-bit floats, or has no scalers.
    convert -size 64x64 -seed 7 plasma:fractal -fill blue -draw "rectangle 0,0 3,63" "PNG24:$out/plasma.png"
    may_say mpv-ewa VUID-vkDestroySemaphore-semaphore-01137
    lacking mpv-ewa 120 10000 stopped mpv --no-config --no-audio --vo=gpu --gpu-api=vulkan --gpu-context=x11vk \
        "--vulkan-device=$device" --geometry=600x600+0+0 --no-border --osc=no --osd-level=0 \
        --image-display-duration=inf --fbo-format=rgba32f --scale=ewa_lanczossharp "$out/plasma.png"
fi
if asked ffmpeg ffmpeg; then
    for kind in without with active emulated; do
        start ffmpeg $kind ffmpeg -hide_banner -init_hw_device "vulkan=gpu:0" -filter_hw_device gpu -f lavfi \
            -i testsrc2=size=320x240:rate=5:duration=2 -vf "format=yuv420p,hwupload,scale_vulkan=w=500:h=300,\
avgblur_vulkan,hflip_vulkan,hwdownload,format=yuv420p,tile=2x5" -frames:v 1 -y "$out/ffmpeg.$kind.png"
        wait $program || true
        compared ffmpeg $kind 0
    done
fi
if asked glxgears glxgears; then
    window glxgears 60 0 $hold $zink glxgears -geometry 300x300+0+0
fi
if asked texwrap texwrap; then
    window texwrap 90 0 $zink texwrap
    batch texwrap-auto '"result": "[a-z]*"' $zink texwrap -auto -fbo
fi
if asked fbo-blending-formats fbo-blending-formats; then
    batch fbo-blending-formats '"result": "[a-z]*"' $zink fbo-blending-formats -auto -fbo
fi
if asked supertuxkart supertuxkart; then
    # The highlight of a button pulses.
    window supertuxkart 120 6000 supertuxkart --render-driver=vulkan --windowed --screensize=640x480
    scene supertuxkart-race 100 supertuxkart --render-driver=vulkan --windowed --screensize=640x480 --no-start-screen \
        --track=hacienda -k 3
fi
# shellcheck disable=SC2034
absent=skipped
if asked quake3e quake3e.x64 openarena; then
    # This renderer samples at the edge what the game's first one had under GL_CLAMP. Under gl_clamp the seams of the sky's box
    # show, which is why.
    for kind in without with active emulated gl_clamp; do
        start quake3e $kind "$inputs/openarena.sh" "$out/quake3e.$kind" vulkan
        ended 240 || echo "clampler: error: the program did not come to its end" >>"$out/quake3e.$kind.log"
        mv "$out/quake3e.$kind/view.png" "$out/quake3e.$kind.png" || true
        if [ $kind = gl_clamp ]; then
            check_run quake3e gl_clamp
            pixels=$(differing "$out/quake3e.without.png" "$out/quake3e.gl_clamp.png")
            emulates quake3e gl_clamp || verdict=FAILED
            [ "$pixels" -gt 60 ] || verdict=FAILED
            row $verdict quake3e gl_clamp "$pixels pixels differ; $note" quake3e.gl_clamp.png
        else
            compared quake3e $kind 60 # stars of one pixel: a light pulses, and the shader's filters have other weights
        fi
    done
fi
unset absent
