/*
 * The truth table of resolve, as documentation: what a sampler state on a view of a device becomes.
 *
 *   state   GL sampler state. Default: REPEAT, linear filters without mipmaps, seamless cubes. vk: a plain Vulkan
 * sampler view    format, type (2D), GL view state. Default: one level, filterable. alone: a sampler without a view
 *   caps    what the device lacks (-) or has (+) besides, and settings. Default: a device that has everything
 *   driver  the driver's sampler: filters of magnification, minification and mipmaps (N nearest, L linear), address
 * modes, border colour if not transparent black (custom ones in brackets, integers after #), what else is not default;
 *           base: only the base level; own: the program's own handle serves, no variant is made
 *   asks    tier, and what the record asks of the shader; which of the driver's views the descriptor gets
 *   reason  what the log says
 *
 * All words are in resolve_words.c. Every wrap mode with every pair of filters: resolve_test.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "resolve_words.h"

struct row {
    const char *state, *view, *caps;
    const char *driver, *asks;
    const char *reason;
};

/* clang-format off */
static const struct row truth[] = {
    /* Nothing to do: what Vulkan has is native, and the program's own sampler serves */
    {"linear", "RGBA8", "", "LLN REPEAT base own", "0", "native"},
    {"linear CLAMP_TO_EDGE", "RGBA8 3D", "", "LLN TO_EDGE base own", "0", "native"},
    {"linear MIRRORED_REPEAT", "RGBA8 1D", "", "LLN MIRRORED_REPEAT base own", "0", "native"},
    {"linear CLAMP_TO_BORDER", "RGBA8", "", "LLN TO_BORDER base own", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=1,1,1,1", "RGBA8", "", "NNN TO_BORDER white base own", "0", "native"},
    {"trilinear", "RGBA8 mips", "", "LLL REPEAT own", "0", "native"},
    {"trilinear lod=2..5 bias=-1.5 aniso=8", "RGBA8 mips", "", "LLL REPEAT bias=-1.5 lod=2..5 aniso=8 own", "0", "native"},
    {"linear compare", "D16", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear", "D24S8", "", "LLN REPEAT base own", "0", "native"},
    {"nearest", "RGBA8UI", "", "NNN REPEAT base own", "0", "native"},
    {"linear MIRROR_TO_EDGE", "RGBA8", "", "LLN MIRROR_TO_EDGE base own", "0", "native"},
    {"linear", "BC3", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "ETC2", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "ASTC", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "PVRTC", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "VENDOR", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "RGBA8 cube", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "RGBA8 alone", "", "LLN REPEAT base own", "0", "native"},

    /* Wrap modes (all of them with every filter: resolve_test.c) */
    {"linear CLAMP", "RGBA8", "", "LLN TO_BORDER base own", "1 COORDS", "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"linear CLAMP", "RGBA8 mips", "", "LLN TO_BORDER base own", "1 COORDS",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"trilinear CLAMP", "RGBA8 mips", "", "LLL TO_BORDER own", "1 COORDS IF_OFFSET",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"nearest CLAMP", "RGBA8", "", "NNN TO_EDGE base own", "0 IF_GATHER",
     "native, but for gathers: filtered in the shader"},
    {"nearest CLAMP", "RGBA8 3D", "", "NNN TO_EDGE base own", "0", "native"},
    {"mag_linear CLAMP", "RGBA8", "", "LNN TO_EDGE base own", "2 COORDS FILTER",
     "CLAMP: one filter wants the border, the other the edge: filtered in the shader (tier 1: edge)"},
    {"mag_linear CLAMP lod=0..0", "RGBA8", "", "LLN TO_BORDER base own", "1 COORDS",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"mag_linear CLAMP lod=1..9", "RGBA8 mips", "", "NNN TO_EDGE base own", "0 IF_GATHER",
     "native, but for gathers: filtered in the shader"},
    {"trilinear MIRROR_CLAMP", "RGBA8", "", "LLL TO_BORDER own", "1 COORDS",
     "MIRROR_CLAMP: absolute coordinate bounded by half a texel and 1, CLAMP_TO_BORDER"},
    {"trilinear MIRROR_CLAMP", "RGBA8 mips", "", "LLL TO_BORDER own", "2 COORDS FILTER",
     "MIRROR_CLAMP: absolute coordinate bounded by half a texel and 1, CLAMP_TO_BORDER; filtered in the shader: the "
     "bounds differ from level to level"},
    {"trilinear MIRROR_CLAMP", "RGBA8 alone", "", "LLL TO_BORDER own", "1 COORDS IF_MIPS BORDER",
     "MIRROR_CLAMP: absolute coordinate bounded by half a texel and 1, CLAMP_TO_BORDER"},
    {"nearest MIRROR_CLAMP", "RGBA8", "-mirror", "NNN TO_EDGE base own", "1 COORDS IF_GATHER",
     "MIRROR_CLAMP: absolute coordinate and CLAMP_TO_EDGE; gathers filtered in the shader"},
    {"linear MIRROR_TO_EDGE", "RGBA8", "-mirror", "LLN TO_EDGE base own", "1 COORDS",
     "MIRROR_CLAMP_TO_EDGE: absolute coordinate and CLAMP_TO_EDGE"},
    {"linear MIRROR_TO_BORDER", "RGBA8", "", "LLN TO_BORDER base own", "1 COORDS",
     "MIRROR_CLAMP_TO_BORDER: absolute coordinate at least half a texel, CLAMP_TO_BORDER"},
    {"linear S:CLAMP", "RGBA8 1D", "", "LLN TO_BORDER/REPEAT/REPEAT base own", "1 COORDS",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"linear T:CLAMP", "RGBA8 1D", "", "LLN REPEAT/TO_BORDER/REPEAT base own", "0", "native"},
    {"linear R:CLAMP", "RGBA8 2D_array", "", "LLN REPEAT/REPEAT/TO_BORDER base own", "0", "native"},
    {"linear R:CLAMP", "RGBA8 3D", "", "LLN REPEAT/REPEAT/TO_BORDER base own", "1 COORDS",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"vk linear CLAMP", "RGBA8", "", "LLN TO_BORDER white own", "1 COORDS", "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"vk linear CLAMP_TO_BORDER", "RGBA8", "", "LLN TO_BORDER white own", "0", "native"},

    /* Linear filters that the view's format lacks: nearest, between levels too */
    {"linear", "RGBA32F unfilterable", "", "NNN REPEAT base", "0", "nearest filters: the view's format cannot be filtered"},
    {"trilinear", "RGBA32F unfilterable mips", "", "NNN REPEAT", "0",
     "nearest filters: the view's format cannot be filtered"},
    {"nearest_between", "RGBA32F unfilterable mips", "", "NNN REPEAT", "0",
     "nearest filters: the view's format cannot be filtered"},
    {"nearest", "RGBA32F unfilterable", "", "NNN REPEAT base own", "0", "native"},
    {"nearest_mips", "RGBA32F unfilterable mips", "", "NNN REPEAT own", "0", "native"},
    {"linear CLAMP", "RGBA32F unfilterable", "", "NNN TO_EDGE base", "0 IF_GATHER",
     "nearest filters: the view's format cannot be filtered; gathers filtered in the shader"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA32F unfilterable", "", "NNN TO_BORDER (1 0 0 1) base", "0",
     "nearest filters: the view's format cannot be filtered"},
    {"trilinear aniso=8", "RGBA32F unfilterable mips", "", "NNN REPEAT", "0",
     "nearest filters: the view's format cannot be filtered; isotropic: the view's format cannot be filtered"},
    {"nearest aniso=8", "RGBA32F unfilterable", "", "NNN REPEAT base", "0",
     "isotropic: the view's format cannot be filtered"},
    {"linear", "RGBA8 cube unfilterable", "", "NNN REPEAT base", "0",
     "nearest filters: the view's format cannot be filtered"},
    {"linear", "RGBA32F alone unfilterable", "", "LLN REPEAT base own", "0", "native"},

    /* ... or in the shader; the driver's sampler is the nearest form */
    {"linear", "RGBA32F unfilterable", "shader", "NNN REPEAT base", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"trilinear", "RGBA32F unfilterable mips", "shader", "NNN REPEAT", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"linear CLAMP", "RGBA32F unfilterable", "shader", "NNN TO_EDGE base", "2 COORDS FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA32F unfilterable", "shader", "NNN TO_BORDER black base", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"trilinear aniso=8", "RGBA32F unfilterable mips", "shader", "NNN REPEAT", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver; not anisotropic: the shader "
     "filters at most trilinearly"},
    {"nearest", "RGBA32F unfilterable", "shader", "NNN REPEAT base own", "0", "native"},
    {"linear minimum", "RGBA32F unfilterable", "shader", "NNN REPEAT base", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver; minimum or maximum in the shader: the "
     "view's format has none"},
    {"trilinear bias=2 lod=1..3", "RGBA8 cube unfilterable mips", "shader", "NNN TO_EDGE", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"linear", "RGBA8UI", "shader", "NNN REPEAT base", "0", "nearest filters: integers cannot be filtered"},
    {"linear", "RGBA8", "shader", "LLN REPEAT base own", "0", "native"},

    /* ... or left to the driver */
    {"trilinear", "RGBA32F unfilterable mips", "off", "LLL REPEAT own", "0",
     "the view's format cannot be filtered, which linear_fallback = off leaves to the driver"},
    {"linear", "RGBA8UI", "off", "NNN REPEAT base", "0", "nearest filters: integers cannot be filtered"},

    /* Plain Vulkan samplers get a fallback only where the setting gives one */
    {"vk linear", "RGBA32F unfilterable", "", "LLN REPEAT own", "0", "native"},
    {"vk linear", "RGBA32F unfilterable", "vk_nearest", "NNN REPEAT", "0",
     "nearest filters: the view's format cannot be filtered"},
    {"vk linear", "RGBA32F unfilterable", "vk_shader", "NNN REPEAT", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"vk linear CLAMP_TO_BORDER", "RGBA32F unfilterable", "vk_shader", "NNN TO_BORDER white", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"vk linear", "RGBA8UI", "vk_shader", "NNN REPEAT", "0", "nearest filters: integers cannot be filtered"},
    {"vk linear", "RGBA8", "vk_shader", "LLN REPEAT own", "0", "native"},
    {"vk linear", "RGBA8 alone", "", "LLN REPEAT own", "0", "native"},
    {"vk linear", "RGBA8 alone", "vk_shader", "LLN REPEAT own", "0", "native"},
    {"vk linear CLAMP", "RGBA32F unfilterable", "", "NNN TO_EDGE", "0 IF_GATHER",
     "nearest filters: the view's format cannot be filtered; gathers filtered in the shader"},

    /* Depth: comparisons are filtered without the feature bit, and only depth is compared */
    {"linear compare", "D32F unfilterable", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear compare", "D32F unfilterable", "shader", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"trilinear compare", "D16 unfilterable mips", "", "LLL REPEAT compare own", "0 plain view", "native"},
    {"linear", "D32F unfilterable", "", "NNN REPEAT base", "0", "nearest filters: the view's format cannot be filtered"},
    {"linear", "D32F unfilterable", "shader", "NNN REPEAT base", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"linear compare CLAMP", "D32F unfilterable", "", "LLN TO_BORDER compare base own", "1 COORDS plain view",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"linear compare", "RGBA8", "", "LLN REPEAT base", "0", "not compared: the view shows no depth"},
    {"linear compare", "D24S8 stencil", "", "NNN REPEAT base", "0",
     "nearest filters: integers cannot be filtered; not compared: the view shows no depth"},
    {"linear compare", "S8", "", "NNN REPEAT base", "0",
     "nearest filters: integers cannot be filtered; not compared: the view shows no depth"},
    {"nearest compare", "D32F base=DEPTH depth=LUMINANCE", "", "NNN REPEAT compare base own", "0 plain view", "native"},
    {"linear", "D32F base=DEPTH depth=LUMINANCE", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "D32F base=DEPTH depth=INTENSITY", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "D32F base=DEPTH depth=ALPHA", "", "LLN REPEAT base own", "0", "native"},
    {"linear compare", "D16 swizzle=RRR1", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear compare", "D16 swizzle=0RRR", "", "LLN REPEAT compare=never base", "0 plain view",
     "compared never or always: the view's swizzle shows a constant of the result"},
    {"linear compare", "D16 swizzle=BRRR", "", "LLN REPEAT compare=never base", "0 plain view",
     "compared never or always: the view's swizzle shows a constant of the result"},
    {"linear compare", "D16 swizzle=ARRR", "", "LLN REPEAT compare=always base", "0 plain view",
     "compared never or always: the view's swizzle shows a constant of the result"},
    {"linear compare", "D16 depth=LUMINANCE swizzle=BRRR", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear compare", "D16 depth=ALPHA", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear compare", "D16 depth=ALPHA swizzle=1RRR", "", "LLN REPEAT compare=always base", "0 plain view",
     "compared never or always: the view's swizzle shows a constant of the result"},
    {"linear compare", "D24S8 stencil swizzle=0RRR", "", "NNN REPEAT base", "0",
     "nearest filters: integers cannot be filtered; not compared: the view shows no depth"},
    {"linear compare", "D32F internal=DEPTH24", "", "LLN REPEAT compare base own", "0 DREF plain view",
     "the value to compare with clamped: fixed-point depth in floats"},
    {"linear", "D32F internal=DEPTH24", "", "LLN REPEAT base own", "0", "native"},
    {"linear compare", "D32F internal=DEPTH32F", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear compare", "D16 internal=DEPTH24", "", "LLN REPEAT compare base own", "0 plain view", "native"},
    {"linear compare minimum", "D16", "", "LLN REPEAT compare base own", "0 plain view",
     "weighted average: no minimum or maximum of comparisons"},

    /* Integers: nearest, or incomplete where the setting says so */
    {"linear", "RGBA8UI", "", "NNN REPEAT base", "0", "nearest filters: integers cannot be filtered"},
    {"trilinear", "RGBA8UI mips", "", "NNN REPEAT", "0", "nearest filters: integers cannot be filtered"},
    {"nearest_between", "RGBA8UI mips", "", "NNN REPEAT", "0", "nearest filters: integers cannot be filtered"},
    {"nearest_mips", "RGBA8UI mips", "", "NNN REPEAT own", "0", "native"},
    {"linear CLAMP", "RGBA8UI", "", "NNN TO_EDGE base", "0 IF_GATHER",
     "nearest filters: integers cannot be filtered; gathers filtered in the shader"},
    {"trilinear aniso=4", "RGBA8UI mips", "", "NNN REPEAT", "0",
     "nearest filters: integers cannot be filtered; isotropic: the view's format cannot be filtered"},
    {"linear", "S8", "", "NNN REPEAT base", "0", "nearest filters: integers cannot be filtered"},
    {"linear", "RGBA8UI", "incomplete", "NNN REPEAT base", "0 incomplete view",
     "integers under a linear filter are incomplete: (0, 0, 0, 1)"},
    {"nearest_between", "RGBA8UI mips", "incomplete", "NNN REPEAT base", "0 incomplete view",
     "integers under a linear filter are incomplete: (0, 0, 0, 1)"},
    {"nearest", "RGBA8UI", "incomplete", "NNN REPEAT base own", "0", "native"},
    {"nearest_mips", "RGBA8UI mips", "incomplete", "NNN REPEAT own", "0", "native"},
    {"mag_linear lod=1..9", "RGBA8UI mips", "incomplete", "NNN REPEAT base own", "0 incomplete view",
     "integers under a linear filter are incomplete: (0, 0, 0, 1)"},
    {"linear CLAMP border=#1,2,3,4", "RGBA8UI rectangle", "incomplete", "NNN REPEAT base", "0 incomplete view",
     "integers under a linear filter are incomplete: (0, 0, 0, 1)"},
    {"linear faces MIRROR_CLAMP", "RGBA8UI cube", "incomplete -cubes", "NNN REPEAT base", "0 incomplete view",
     "integers under a linear filter are incomplete: (0, 0, 0, 1)"},
    {"linear", "RGBA8", "incomplete", "LLN REPEAT base own", "0", "native"},

    /* Texel coordinates: the shader divides, so that nothing is forbidden */
    {"nearest CLAMP_TO_EDGE", "RGBA8 rectangle", "", "NNN TO_EDGE base own", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"linear CLAMP_TO_EDGE", "RGBA8 rectangle", "", "LLN TO_EDGE base own", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"linear CLAMP", "RGBA8 rectangle", "", "LLN TO_BORDER base own", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size; CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 rectangle", "", "LLN TO_BORDER (1 0 0 1) base", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"trilinear CLAMP_TO_EDGE", "RGBA8 rectangle", "", "LLN TO_EDGE base", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"trilinear CLAMP_TO_EDGE lod=2..5", "RGBA8 rectangle", "", "LLN TO_EDGE lod=0.25..0.25", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"linear compare CLAMP_TO_EDGE", "D16 rectangle", "", "LLN TO_EDGE compare base own", "1 RECTANGLE COORDS plain view",
     "texel coordinates divided by the size"},
    {"linear aniso=8 CLAMP_TO_EDGE", "RGBA8 rectangle", "", "LLN TO_EDGE base aniso=8 own", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"linear aniso=8 CLAMP_TO_EDGE", "RGBA8 rectangle", "-gradients", "LLN TO_EDGE base", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size; isotropic: the driver ignores gradients under anisotropy"},
    {"mag_linear CLAMP", "RGBA8 rectangle", "", "LNN TO_EDGE base own", "2 RECTANGLE COORDS FILTER",
     "texel coordinates divided by the size; CLAMP: one filter wants the border, the other the edge: filtered in "
     "the shader (tier 1: edge)"},
    {"linear REPEAT", "RGBA8 rectangle", "", "LLN REPEAT base own", "1 RECTANGLE COORDS",
     "texel coordinates divided by the size"},
    {"vk linear", "RGBA8 rectangle", "", "LLN REPEAT own", "1 RECTANGLE COORDS", "texel coordinates divided by the size"},

    /* Level-of-detail bias */
    {"trilinear bias=16", "RGBA8 mips", "", "LLL REPEAT bias=16 own", "0", "native"},
    {"trilinear bias=3", "RGBA8 mips", "bias=2", "LLL REPEAT bias=2 own", "1 COORDS IF_OFFSET BIAS",
     "the shader makes up a LOD bias beyond the device's 2"},
    {"trilinear bias=-3", "RGBA8 mips", "bias=2", "LLL REPEAT bias=-2 own", "1 COORDS IF_OFFSET BIAS",
     "the shader makes up a LOD bias beyond the device's 2"},
    {"trilinear bias=2", "RGBA8 mips", "bias=2", "LLL REPEAT bias=2 own", "0 IF_OFFSET BIAS",
     "the shader makes up what a bias of its own adds beyond the device's"},
    {"trilinear", "RGBA8 mips", "bias=15", "LLL REPEAT own", "0", "native"},
    {"trilinear bias=16", "RGBA8 mips", "bias=15", "LLL REPEAT bias=15 own", "0", "native"},
    {"trilinear bias=15.5", "RGBA8 mips", "bias=14", "LLL REPEAT bias=14 own", "1 COORDS IF_OFFSET BIAS",
     "the shader makes up a LOD bias beyond the device's 14"},
    {"trilinear bias=3", "RGBA8", "bias=2", "LLL REPEAT bias=2 own", "0", "native"},
    {"linear bias=3", "RGBA8 mips", "bias=2", "LLN REPEAT bias=2 base own", "0", "native"},
    {"mag_linear bias=3", "RGBA8", "bias=2", "LNN REPEAT bias=2 base own", "1 COORDS BIAS",
     "the shader makes up a LOD bias beyond the device's 2"},
    {"trilinear CLAMP bias=3", "RGBA8 mips", "bias=2", "LLL TO_BORDER bias=2 own", "1 COORDS IF_OFFSET BIAS",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER; the shader makes up a LOD bias beyond the device's 2"},
    {"trilinear bias=3 aniso=8", "RGBA8 mips", "bias=2 -gradients", "LLL REPEAT bias=2 own", "1 COORDS IF_OFFSET BIAS",
     "the shader makes up a LOD bias beyond the device's 2; isotropic: the driver ignores gradients under anisotropy"},
    {"trilinear bias=100", "RGBA8 mips", "", "LLL REPEAT bias=16 own", "0", "native"},
    {"trilinear bias=0.001", "RGBA8 mips", "", "LLL REPEAT own", "0", "native"},
    {"vk trilinear bias=3", "RGBA8 mips", "bias=2", "LLL REPEAT bias=3 own", "0", "native"},
    {"trilinear bias=3", "RGBA8 alone", "bias=2", "LLL REPEAT bias=2 own", "1 COORDS IF_OFFSET BIAS",
     "the shader makes up a LOD bias beyond the device's 2"},

    /* Ranges of the level of detail */
    {"trilinear lod=5..2", "RGBA8 mips", "", "LLL REPEAT lod=2..5 own", "0", "native"},
    {"trilinear lod=-3..4", "RGBA8 mips", "", "LLL REPEAT lod=0..4 own", "0", "native"},
    {"trilinear lod=0..0", "RGBA8 mips", "", "LLN REPEAT base own", "0", "native"},
    {"linear lod=0..5", "RGBA8 mips", "", "LLN REPEAT base own", "0", "native"},
    {"mag_linear lod=0..5", "RGBA8 mips", "", "LNN REPEAT base own", "0", "native"},
    {"mag_linear lod=2..5", "RGBA8 mips", "", "NNN REPEAT base own", "0", "native"},
    {"trilinear MIRROR_CLAMP lod=0..0", "RGBA8 mips", "", "LLN TO_BORDER base own", "1 COORDS",
     "MIRROR_CLAMP: absolute coordinate bounded by half a texel and 1, CLAMP_TO_BORDER"},

    /* Anisotropy */
    {"trilinear aniso=1", "RGBA8 mips", "", "LLL REPEAT own", "0", "native"},
    {"trilinear aniso=64", "RGBA8 mips", "", "LLL REPEAT aniso=16 own", "0", "native"},
    {"trilinear aniso=4", "RGBA8 mips", "-aniso", "LLL REPEAT own", "0", "native"},
    {"trilinear CLAMP aniso=4", "RGBA8 mips", "-gradients", "LLL TO_BORDER own", "1 COORDS IF_OFFSET",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER; isotropic: the driver ignores gradients under anisotropy"},
    {"mag_linear CLAMP aniso=4", "RGBA8", "", "LNN TO_EDGE base aniso=4 own", "2 COORDS FILTER",
     "CLAMP: one filter wants the border, the other the edge: filtered in the shader (tier 1: edge); not "
     "anisotropic: the shader filters at most trilinearly"},

    /* Reduction modes */
    {"linear minimum", "RGBA8", "", "LLN REPEAT base minimum own", "0", "native"},
    {"linear maximum", "RGBA8", "", "LLN REPEAT base maximum own", "0", "native"},
    {"nearest minimum", "RGBA8", "", "NNN REPEAT base own", "0", "native"},
    {"linear minimum", "RGBA8", "-minmax", "LLN REPEAT base own", "2 FILTER",
     "minimum or maximum in the shader: the device has none"},
    {"linear minimum", "RGBA8UI", "", "NNN REPEAT base", "0", "nearest filters: integers cannot be filtered"},
    {"linear minimum", "RGBA8 swizzle=BGRA", "-minmax_swizzle", "LLN REPEAT base", "2 FILTER",
     "minimum or maximum in the shader: the device has none of swizzled views"},
    {"linear minimum", "RGBA8 swizzle=BGRA", "", "LLN REPEAT base minimum own", "0", "native"},
    {"mag_linear minimum CLAMP", "RGBA8", "", "LNN TO_EDGE base own", "2 COORDS FILTER",
     "CLAMP: one filter wants the border, the other the edge: filtered in the shader (tier 1: edge)"},

    {"linear minimum", "RGBA32F unfilterable minima", "", "LLN REPEAT base minimum own", "0", "native"},
    {"linear minimum CLAMP", "RGBA32F unfilterable minima", "", "LLN TO_BORDER base minimum own", "1 COORDS",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"linear minimum", "RGBA8UI minima", "", "NNN REPEAT base", "0", "nearest filters: integers cannot be filtered"},
    {"linear", "RGBA32F unfilterable minima", "", "NNN REPEAT base", "0",
     "nearest filters: the view's format cannot be filtered"},
    {"vk linear minimum", "RGBA32F unfilterable minima", "vk_nearest", "LLN REPEAT minimum own", "0", "native"},
    {"vk linear minimum", "RGBA32F unfilterable minima", "vk_shader", "LLN REPEAT minimum own", "0", "native"},
    {"vk linear minimum", "RGBA32F unfilterable", "vk_shader", "NNN REPEAT", "2 FILTER",
     "filtered in the shader: the view's format cannot be filtered by the driver"},
    {"vk linear minimum", "RGBA8UI minima", "vk_nearest", "LLN REPEAT minimum own", "0", "native"},
    {"vk linear minimum", "RGBA8UI", "vk_nearest", "NNN REPEAT minimum", "0",
     "nearest filters: integers cannot be filtered"},

    /* Cubes whose faces are filtered one by one */
    {"linear faces", "RGBA8", "", "LLN REPEAT base faces own", "0", "native"},
    {"linear faces", "RGBA8 cube", "", "LLN REPEAT base faces own", "0", "native"},
    {"linear faces", "RGBA8 cube", "-cubes", "NNN TO_EDGE", "2 FILTER NON_SEAMLESS",
     "filtered in the shader: the driver has seamless cubes only"},
    {"nearest faces", "RGBA8 cube", "-cubes", "NNN REPEAT base own", "0 IF_GATHER NON_SEAMLESS",
     "native, but for gathers: filtered in the shader"},
    {"linear faces CLAMP", "RGBA8 cube", "", "LLN TO_BORDER base faces own", "0", "native"},
    {"linear faces MIRROR_CLAMP", "RGBA8 cube", "", "NNN TO_EDGE faces", "2 FILTER NON_SEAMLESS",
     "filtered in the shader: no mode of the driver wraps the faces like this"},
    {"nearest faces MIRROR_CLAMP", "RGBA8 cube", "", "NNN MIRROR_TO_EDGE base faces own", "0 IF_GATHER NON_SEAMLESS",
     "native, but for gathers: filtered in the shader"},
    {"nearest faces MIRROR_TO_BORDER", "RGBA8 cube", "", "NNN TO_BORDER base faces own", "0 IF_GATHER NON_SEAMLESS",
     "native, but for gathers: filtered in the shader"},
    {"nearest faces MIRROR_TO_BORDER", "RGBA8 alone", "", "NNN TO_BORDER base faces own", "1 COORDS BORDER NON_SEAMLESS",
     "MIRROR_CLAMP_TO_BORDER: absolute coordinate, CLAMP_TO_BORDER"},
    {"linear faces MIRROR_TO_BORDER", "RGBA8 cube", "", "NNN TO_EDGE faces", "2 FILTER NON_SEAMLESS",
     "filtered in the shader: no mode of the driver wraps the faces like this"},
    {"mag_linear faces CLAMP", "RGBA8 cube", "", "NNN TO_EDGE faces", "2 FILTER NON_SEAMLESS",
     "filtered in the shader: no mode of the driver wraps the faces like this"},
    {"linear faces CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 cube", "", "LLN TO_BORDER (1 0 0 1) base faces", "0", "native"},
    {"linear faces CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 cube", "-custom", "NNN TO_EDGE faces", "2 FILTER NON_SEAMLESS",
     "the driver cannot show the border colour: the shader places it"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 cube", "", "LLN TO_BORDER black base own", "0", "native"},
    {"linear CLAMP", "RGBA8 cube", "", "LLN TO_BORDER base own", "0", "native"},
    {"linear faces compare", "D16 cube_array", "-cubes", "NNN TO_EDGE compare", "2 FILTER NON_SEAMLESS plain view",
     "filtered in the shader: the driver has seamless cubes only"},
    {"trilinear faces aniso=8 bias=1", "RGBA8 cube mips", "-cubes", "NNN TO_EDGE", "2 FILTER NON_SEAMLESS",
     "filtered in the shader: the driver has seamless cubes only; not anisotropic: the shader filters at most "
     "trilinearly"},
    {"linear faces", "RGBA8 alone", "-cubes", "LLN REPEAT base own", "0 NON_SEAMLESS", "native"},
    {"nearest faces", "RGBA8 alone", "-cubes", "NNN REPEAT base own", "0 NON_SEAMLESS", "native"},
    {"linear faces CLAMP", "RGBA8 alone", "", "LLN TO_BORDER base faces own", "1 COORDS BORDER",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER"},
    {"linear faces MIRROR_CLAMP", "RGBA8 alone", "", "LLN TO_BORDER base faces own", "1 COORDS BORDER NON_SEAMLESS",
     "MIRROR_CLAMP: absolute coordinate bounded by half a texel and 1, CLAMP_TO_BORDER"},

    /* sRGB: skipping the decoding */
    {"linear skip_decode", "SRGB8 twin", "", "LLN REPEAT base own", "0 UNORM view", "sRGB not decoded: a UNORM view"},
    {"linear skip_decode", "SRGB8", "", "LLN REPEAT base own", "2 FILTER SRGB_SKIP",
     "filtered in the shader: sRGB not decoded, and no UNORM view can be had"},
    {"linear skip_decode", "BC3_SRGB twin", "", "LLN REPEAT base own", "0 UNORM view", "sRGB not decoded: a UNORM view"},
    {"linear skip_decode", "RGBA8", "", "LLN REPEAT base own", "0", "native"},
    {"linear", "SRGB8 twin", "", "LLN REPEAT base own", "0", "native"},
    {"linear skip_decode", "RGBA8 alone", "", "LLN REPEAT base own", "0 SRGB_SKIP", "native"},
    {"linear skip_decode CLAMP_TO_BORDER border=1,0,0,1", "SRGB8 twin", "", "LLN TO_BORDER (1 0 0 1) base", "0 UNORM view",
     "sRGB not decoded: a UNORM view"},
    {"linear skip_decode CLAMP_TO_BORDER border=1,0,0,1", "SRGB8 twin", "-format", "LLN TO_BORDER (1 0 0 1) named=RGBA8 base", "0 UNORM view",
     "sRGB not decoded: a UNORM view"},

    /* Border colours: the view's kind and range */
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8", "", "LLN TO_BORDER (1 0 0 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=2,-1,0.5,1", "RGBA8", "", "LLN TO_BORDER (1 0 0.5 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=2,-3,0.5,1", "RGBA8_SNORM", "", "LLN TO_BORDER (1 -1 0.5 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=2,-3,100,1", "RGBA32F", "", "LLN TO_BORDER (2 -3 100 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1e6,-1e6,inf,nan", "RGBA16F", "", "LLN TO_BORDER (65504 -65504 65504 0) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=nan,inf,-inf,-0", "RGBA8", "", "LLN TO_BORDER (0 1 0 0) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=nan,inf,-inf,1", "RGBA32F", "", "LLN TO_BORDER (0 inf -inf 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1e6,-1,1e6,0", "R11G11B10F", "", "LLN TO_BORDER (65024 0 64512 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1e6,-1,1,0.5", "RGB9E5", "", "LLN TO_BORDER (65408 0 1 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.5,2,-1,1", "SRGB8", "", "LLN TO_BORDER (0.5 1 0 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.5,2,-1,0.5", "BC1_RGB", "", "LLN TO_BORDER (0.5 1 0 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=-0.5,2,-1,0.5", "BC4_SNORM", "", "LLN TO_BORDER (-0.5 0 0 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=-5,1e9,2,0.5", "BC6H", "", "LLN TO_BORDER (0 65504 2 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=-5,0.5,2,0.5", "EAC_RG", "", "LLN TO_BORDER (-1 0.5 0 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=2,0.5,0,0.5", "ASTC", "", "LLN TO_BORDER (1 0.5 0 0.5) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#7,300,0,1", "RGBA8UI", "", "NNN TO_BORDER (#7 255 0 1) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#7,300,-300,-1", "RGBA8I", "", "NNN TO_BORDER (#7 127 -128 -1) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#7,300,-1,1", "RGBA32UI", "", "NNN TO_BORDER (#7 300 -1 1) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#7,2000,1,9", "RGB10A2UI", "", "NNN TO_BORDER (#7 1023 1 3) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#1,1,1,1", "RGBA8UI", "", "NNN TO_BORDER #white base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#1,0,0,0", "R8UI", "", "NNN TO_BORDER #white base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=0.5,0,0,0", "D16", "", "NNN TO_BORDER (0.5 0 0 1) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=2,0,0,0", "D16", "", "NNN TO_BORDER white base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=2,0,0,0", "D32F", "", "NNN TO_BORDER (2 0 0 1) base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=2,0,0,0", "D32F internal=DEPTH24", "", "NNN TO_BORDER white base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#300,5,5,5", "S8", "", "NNN TO_BORDER (#255 0 0 1) base", "0", "native"},
    {"linear compare CLAMP_TO_BORDER border=1,0.5,0,0", "D16", "", "LLN TO_BORDER white compare base own", "0 plain view",
     "native"},
    {"linear compare CLAMP_TO_BORDER border=0.25,0.5,0,0", "D32F base=DEPTH depth=ALPHA", "", "LLN TO_BORDER (0.25 0 0 1) compare base", "0 plain view",
     "native"},
    {"linear CLAMP_TO_BORDER border=2,-1,0.5,1", "RGBA16F internal=RGBA8", "", "LLN TO_BORDER (1 0 0.5 1) base", "0",
     "native"},
    {"linear border=1,0,0,1", "RGBA8", "", "LLN REPEAT base own", "0", "native"},

    /* ... on views without alpha or with fewer channels a standard colour often does */
    {"linear CLAMP_TO_BORDER border=1,0.5,0.25,0.25", "R8", "", "LLN TO_BORDER white base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0,0.5,0.25,0.25", "R8", "", "LLN TO_BORDER base own", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1,1,0.25,0.25", "RG8", "", "LLN TO_BORDER white base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1,1,1,0", "BC1_RGB", "", "LLN TO_BORDER white base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.3,0.4,0.5,1", "A8", "", "LLN TO_BORDER black base own", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.5,1,1,1", "R8", "", "LLN TO_BORDER (0.5 0 0 1) base", "0", "native"},

    /* ... through base formats and swizzles: the driver is told, follows by itself, or has to be spared */
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,1", "R8 base=LUMINANCE", "", "LLN TO_BORDER (0.5 0.5 0.5 1) mapping=RRR1 base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,1", "R8 base=LUMINANCE", "-swizzle", "LLN TO_BORDER (0.5 0.5 0.5 1) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "R8 base=INTENSITY", "-swizzle", "LLN TO_BORDER (0.5 0.5 0.5 0.5) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "R8 base=ALPHA", "", "LLN TO_BORDER (0.75 0 0 0.75) mapping=000R base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "R8 base=ALPHA", "-swizzle", "LLN TO_BORDER base", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,1", "R8 base=ALPHA", "-swizzle", "LLN TO_BORDER base", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0", "R8 base=ALPHA", "-swizzle", "LLN TO_BORDER base own", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RG8 base=LUMINANCE_ALPHA", "", "LLN TO_BORDER (0.5 0.75 0.5 0.75) mapping=RRRG base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RG8 base=LUMINANCE_ALPHA", "-swizzle", "LLN TO_BORDER base", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=LUMINANCE_ALPHA", "", "LLN TO_BORDER (0.5 0.5 0.5 0.75) mapping=RRRA base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=LUMINANCE_ALPHA", "+from_image", "LLN TO_BORDER (0.5 0.5 0.5 0.75) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=RGB", "", "LLN TO_BORDER (0.5 0.25 0 1) mapping=RGB1 base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=1,1,1,0", "RGBA8 base=RGB", "", "LLN TO_BORDER white base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1,1,1,0", "RGBA8 base=RGB", "-swizzle", "LLN TO_BORDER white base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=RED", "-swizzle", "LLN TO_BORDER (0.5 0 0 1) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=RG", "-swizzle", "LLN TO_BORDER (0.5 0.25 0 1) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=RGBA", "", "LLN TO_BORDER (0.5 0.25 0 0.75) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 base=LUMINANCE swizzle=A01R", "", "LLN TO_BORDER (0.5 0 1 0.5) mapping=101R base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 swizzle=BGRA", "", "LLN TO_BORDER (0.5 0.25 0 0.75) mapping=BGRA base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 swizzle=BGRA", "-swizzle", "LLN TO_BORDER base", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0.5,0.75", "RGBA8 swizzle=BGRA", "-swizzle", "LLN TO_BORDER (0.5 0.25 0.5 0.75) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=1,1,1,1", "RGBA8 swizzle=BGRA", "-swizzle", "LLN TO_BORDER white base own", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0,0,0,1", "RGBA8 swizzle=BGRA", "-swizzle", "LLN TO_BORDER black base own", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0,0,0,1", "RGBA8 swizzle=BGRA", "", "LLN TO_BORDER black mapping=BGRA base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=1,1,1,1", "RGBA8 swizzle=BGR0", "-swizzle", "LLN TO_BORDER (1 1 1 0) base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "RGBA8 mapping=BGRA", "", "LLN TO_BORDER (0.5 0.25 0 0.75) mapping=BGRA base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "R8 mapping=GRRA", "", "LLN TO_BORDER base", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "SRGB8 swizzle=BGRA", "", "LLN TO_BORDER (0.5 0.25 0 0.75) mapping=BGRA srgb base", "0",
     "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "SRGB8 twin swizzle=BGRA", "", "LLN TO_BORDER (0.5 0.25 0 0.75) mapping=BGRA srgb base", "0",
     "native"},
    {"linear skip_decode CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "SRGB8 twin swizzle=BGRA", "", "LLN TO_BORDER (0.5 0.25 0 0.75) mapping=BGRA base", "0 UNORM view",
     "sRGB not decoded: a UNORM view"},
    {"nearest CLAMP_TO_BORDER border=#5,6,7,8", "RGBA8UI swizzle=ABGR", "", "NNN TO_BORDER (#5 6 7 8) mapping=ABGR base", "0",
     "native"},
    {"nearest CLAMP_TO_BORDER border=0.5,0,0,0", "D32F depth=LUMINANCE", "-swizzle", "NNN TO_BORDER (0.5 0.5 0.5 1) base", "0",
     "native"},
    {"nearest CLAMP_TO_BORDER border=0.5,0,0,0", "D32F depth=ALPHA", "-swizzle", "NNN TO_BORDER base own", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},
    {"linear CLAMP_TO_BORDER border=0.5,0.25,0,0.75", "R8 base=ALPHA", "fault", "LLN TO_BORDER black base own", "2 FILTER",
     "the driver does not swizzle the border colour with the view: the shader places it"},

    /* ... where the driver has no custom colours, or needs their format */
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8", "-custom", "LLN TO_BORDER black base own", "2 FILTER",
     "the driver cannot show the border colour: the shader places it"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 3D", "-custom", "LLN TO_BORDER black base own", "2 FILTER",
     "the driver cannot show the border colour: the shader places it"},
    {"linear CLAMP border=1,0,0,1", "RGBA8", "-custom", "LLN TO_BORDER black base own", "2 COORDS FILTER",
     "CLAMP: coordinate saturated, CLAMP_TO_BORDER; the driver cannot show the border colour: the shader places it"},
    {"nearest CLAMP border=1,0,0,1", "RGBA8", "-custom", "NNN TO_EDGE base own", "0 IF_GATHER",
     "native, but for gathers: filtered in the shader"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "R8", "-custom", "LLN TO_BORDER white base", "0", "native"},
    {"linear R:CLAMP_TO_BORDER border=1,0,0,1", "RGBA8", "-custom", "LLN REPEAT/REPEAT/TO_BORDER black base own", "0",
     "native"},
    {"linear R:CLAMP_TO_BORDER border=1,0,0,1", "RGBA8", "", "LLN REPEAT/REPEAT/TO_BORDER black base own", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=#7,0,0,1", "RGBA8UI", "-custom", "NNN TO_BORDER #black base", "2 FILTER",
     "the driver cannot show the border colour: the shader places it"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8", "border_shader", "LLN TO_BORDER black base own", "2 FILTER",
     "border_color = shader: the shader places the border colour"},
    {"linear CLAMP_TO_BORDER border=1,1,1,1", "RGBA8", "border_shader", "LLN TO_BORDER white base own", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8", "-format", "LLN TO_BORDER (1 0 0 1) named=RGBA8 base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "VENDOR", "-format", "LLN TO_BORDER black base own", "2 FILTER",
     "the driver wants a format with the border colour, and none is known: the shader places it"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "VENDOR", "", "LLN TO_BORDER (1 0 0 1) base", "0", "native"},
    {"linear CLAMP_TO_BORDER border=0.5,0,0,1", "B5G6R5", "", "LLN TO_BORDER (0.5 0 0 1) named=B5G6R5 base", "0", "native"},
    {"nearest CLAMP_TO_BORDER border=0.5,0,0,0", "D24S8", "-format", "NNN TO_BORDER (0.5 0 0 1) named=D24S8 base", "0", "native"},

    /* ... of samplers alone, which meet their views in the shader */
    {"linear CLAMP_TO_BORDER border=1,1,1,1", "RGBA8 alone", "", "LLN TO_BORDER white base own", "0 BORDER", "native"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 alone", "", "LLN TO_BORDER (1 0 0 1) base", "0 BORDER", "native"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 alone", "-custom", "LLN TO_BORDER black base own", "2 FILTER BORDER",
     "the driver cannot show the border colour: the shader places it"},
    {"linear CLAMP_TO_BORDER border=1,0,0,1", "RGBA8 alone", "-format", "LLN TO_BORDER black base own", "2 FILTER BORDER",
     "the driver wants a format with the border colour, and none is known: the shader places it"},
    {"linear CLAMP_TO_BORDER border=2,0,0,1", "RGBA8 alone", "", "LLN TO_BORDER (2 0 0 1) base", "2 FILTER BORDER",
     "the border colour is beyond [0, 1], which some views clamp: the shader places it"},
    {"mag_linear CLAMP border=1,0,0,1", "RGBA8 alone", "", "LNN TO_EDGE base own", "2 COORDS FILTER",
     "CLAMP: one filter wants the border, the other the edge: filtered in the shader (tier 1: edge)"},
};
/* clang-format on */

enum { ROWS = sizeof truth / sizeof *truth };

static void row_holds(void **initial)
{
    const struct row *row = *initial;
    struct words_pair pair;
    struct resolve_result result;
    char driver[200], asks[200];
    words_read(row->state, row->view, row->caps, &pair);
    resolve_pair(&pair.state, pair.alone ? NULL : &pair.view, &pair.caps, &result);
    words_of_driver(&result, driver, sizeof driver);
    words_of_asks(&result, asks, sizeof asks);
    assert_string_equal(driver, row->driver);
    assert_string_equal(asks, row->asks);
    assert_string_equal(result.reason, row->reason);
}

int main(void)
{
    static char names[ROWS][160];
    static struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof names[i], "%s | %s | %s", truth[i].state, truth[i].view, truth[i].caps);
        tests[i] = (struct CMUnitTest){names[i], row_holds, NULL, NULL, (void *)(uintptr_t)&truth[i]};
    }
    return _cmocka_run_group_tests("resolve_table", tests, ROWS, NULL, NULL);
}
