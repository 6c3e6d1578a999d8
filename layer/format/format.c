/*
 * The table of formats: channels, their range and how they are encoded. Vulkan 1.0's formats are indexed by number,
 * later ones are runs of numbers.
 */
#include "format/format.h"

#include "format/range.h"

#define R FORMAT_R
#define RG (FORMAT_R | FORMAT_G)
#define RGB (FORMAT_R | FORMAT_G | FORMAT_B)
#define RGBA (FORMAT_R | FORMAT_G | FORMAT_B | FORMAT_A)
#define INT FORMAT_INTEGER
#define SRGB FORMAT_SRGB

/* clang-format off */
#define ROW(NAME, BITS, RANGE) [VK_FORMAT_##NAME] = {(BITS), VIEW_RANGE_##RANGE, 1},

/* The kinds that colour formats of some layout come in. SCALED is float to a sampler. */
#define NORM(LAYOUT, PACK, C) ROW(LAYOUT##_UNORM##PACK, C, UNORM) ROW(LAYOUT##_SNORM##PACK, C, SNORM)
#define SCALED(LAYOUT, PACK, C) ROW(LAYOUT##_USCALED##PACK, C, NONE) ROW(LAYOUT##_SSCALED##PACK, C, NONE)
#define INTS(LAYOUT, PACK, C, N) \
    ROW(LAYOUT##_UINT##PACK, (C) | INT, UINT##N) ROW(LAYOUT##_SINT##PACK, (C) | INT, SINT##N)
#define LAYOUT8(LAYOUT, PACK, C) NORM(LAYOUT, PACK, C) SCALED(LAYOUT, PACK, C) INTS(LAYOUT, PACK, C, 8) \
    ROW(LAYOUT##_SRGB##PACK, (C) | SRGB, UNORM)
#define LAYOUT10(LAYOUT, PACK, C) NORM(LAYOUT, PACK, C) SCALED(LAYOUT, PACK, C) INTS(LAYOUT, PACK, C, 10)
#define LAYOUT16(LAYOUT, C) NORM(LAYOUT, , C) SCALED(LAYOUT, , C) INTS(LAYOUT, , C, 16) ROW(LAYOUT##_SFLOAT, C, HALF)
#define LAYOUT32(LAYOUT, C) INTS(LAYOUT, , C, 32) ROW(LAYOUT##_SFLOAT, C, NONE)
#define BLOCKS(LAYOUT, C) ROW(LAYOUT##_UNORM_BLOCK, C, UNORM) ROW(LAYOUT##_SRGB_BLOCK, (C) | SRGB, UNORM)
#define SIGNED_BLOCKS(LAYOUT, C) ROW(LAYOUT##_UNORM_BLOCK, C, UNORM) ROW(LAYOUT##_SNORM_BLOCK, C, SNORM)

/* Vulkan 1.0's own formats, indexed by their numbers. */
static const struct format_info core[] = {
    ROW(R4G4_UNORM_PACK8, RG, UNORM)
    ROW(R4G4B4A4_UNORM_PACK16, RGBA, UNORM)
    ROW(B4G4R4A4_UNORM_PACK16, RGBA, UNORM)
    ROW(R5G6B5_UNORM_PACK16, RGB, UNORM)
    ROW(B5G6R5_UNORM_PACK16, RGB, UNORM)
    ROW(R5G5B5A1_UNORM_PACK16, RGBA, UNORM)
    ROW(B5G5R5A1_UNORM_PACK16, RGBA, UNORM)
    ROW(A1R5G5B5_UNORM_PACK16, RGBA, UNORM)
    LAYOUT8(R8, , R)
    LAYOUT8(R8G8, , RG)
    LAYOUT8(R8G8B8, , RGB)
    LAYOUT8(B8G8R8, , RGB)
    LAYOUT8(R8G8B8A8, , RGBA)
    LAYOUT8(B8G8R8A8, , RGBA)
    LAYOUT8(A8B8G8R8, _PACK32, RGBA)
    LAYOUT10(A2R10G10B10, _PACK32, RGBA)
    LAYOUT10(A2B10G10R10, _PACK32, RGBA)
    LAYOUT16(R16, R)
    LAYOUT16(R16G16, RG)
    LAYOUT16(R16G16B16, RGB)
    LAYOUT16(R16G16B16A16, RGBA)
    LAYOUT32(R32, R)
    LAYOUT32(R32G32, RG)
    LAYOUT32(R32G32B32, RGB)
    LAYOUT32(R32G32B32A32, RGBA)
    LAYOUT32(R64, R) /* border colours have 32 bits */
    LAYOUT32(R64G64, RG)
    LAYOUT32(R64G64B64, RGB)
    LAYOUT32(R64G64B64A64, RGBA)
    ROW(B10G11R11_UFLOAT_PACK32, RGB, UF11)
    ROW(E5B9G9R9_UFLOAT_PACK32, RGB, E5B9)
    ROW(D16_UNORM, R | FORMAT_DEPTH, UNORM)
    ROW(X8_D24_UNORM_PACK32, R | FORMAT_DEPTH, UNORM)
    ROW(D32_SFLOAT, R | FORMAT_DEPTH, NONE)
    ROW(S8_UINT, R | FORMAT_STENCIL, UINT8)
    ROW(D16_UNORM_S8_UINT, R | FORMAT_DEPTH | FORMAT_STENCIL, UNORM)
    ROW(D24_UNORM_S8_UINT, R | FORMAT_DEPTH | FORMAT_STENCIL, UNORM)
    ROW(D32_SFLOAT_S8_UINT, R | FORMAT_DEPTH | FORMAT_STENCIL, NONE)
    BLOCKS(BC1_RGB, RGB)
    BLOCKS(BC1_RGBA, RGBA)
    BLOCKS(BC2, RGBA)
    BLOCKS(BC3, RGBA)
    SIGNED_BLOCKS(BC4, R)
    SIGNED_BLOCKS(BC5, RG)
    ROW(BC6H_UFLOAT_BLOCK, RGB, UHALF)
    ROW(BC6H_SFLOAT_BLOCK, RGB, HALF)
    BLOCKS(BC7, RGBA)
    BLOCKS(ETC2_R8G8B8, RGB)
    BLOCKS(ETC2_R8G8B8A1, RGBA)
    BLOCKS(ETC2_R8G8B8A8, RGBA)
    SIGNED_BLOCKS(EAC_R11, R)
    SIGNED_BLOCKS(EAC_R11G11, RG)
    BLOCKS(ASTC_4x4, RGBA)
    BLOCKS(ASTC_5x4, RGBA)
    BLOCKS(ASTC_5x5, RGBA)
    BLOCKS(ASTC_6x5, RGBA)
    BLOCKS(ASTC_6x6, RGBA)
    BLOCKS(ASTC_8x5, RGBA)
    BLOCKS(ASTC_8x6, RGBA)
    BLOCKS(ASTC_8x8, RGBA)
    BLOCKS(ASTC_10x5, RGBA)
    BLOCKS(ASTC_10x6, RGBA)
    BLOCKS(ASTC_10x8, RGBA)
    BLOCKS(ASTC_10x10, RGBA)
    BLOCKS(ASTC_12x10, RGBA)
    BLOCKS(ASTC_12x12, RGBA)
};

/* Runs of the formats that extensions and later versions brought, by number: headers differ in the names. */
static const struct {
    uint32_t first, count;
    struct format_info info[2]; /* of the first half of the run, and of the second */
} extensions[] = {
    {1000054000, 8, {{RGBA, VIEW_RANGE_UNORM, 1}, {RGBA | SRGB, VIEW_RANGE_UNORM, 1}}}, /* PVRTC: UNORM, then SRGB */
    {1000066000, 14, {{RGBA, VIEW_RANGE_HALF, 1}, {RGBA, VIEW_RANGE_HALF, 1}}},         /* ASTC_*_SFLOAT_BLOCK */
    {1000340000, 2, {{RGBA, VIEW_RANGE_UNORM, 1}, {RGBA, VIEW_RANGE_UNORM, 1}}},        /* A4R4G4B4, A4B4G4R4 */
    {1000470000, 2, {{RGBA, VIEW_RANGE_UNORM, 1}, {FORMAT_A, VIEW_RANGE_UNORM, 1}}},    /* A1B5G5R5; A8_UNORM */
};
/* clang-format on */

#define CORE_COUNT (sizeof core / sizeof *core)
#define EXTENSIONS (sizeof extensions / sizeof *extensions)

static const struct format_info unknown = {RGBA, VIEW_RANGE_NONE, 0};

const struct format_info *format_info(VkFormat format)
{
    uint32_t number = (uint32_t)format;
    if (number < CORE_COUNT)
        return core[number].is_known ? &core[number] : &unknown;
    for (size_t i = 0; i < EXTENSIONS; i++)
        if (number - extensions[i].first < extensions[i].count)
            return &extensions[i].info[number - extensions[i].first >= extensions[i].count / 2];
    return &unknown;
}

_Static_assert(CORE_COUNT + 8 + 14 + 2 + 2 <= FORMAT_COUNT, "a number for every known format");

uint32_t format_index(VkFormat format)
{
    uint32_t number = (uint32_t)format, index = CORE_COUNT;
    if (number < CORE_COUNT)
        return number; /* VK_FORMAT_UNDEFINED is 0: not known */
    for (size_t i = 0; i < EXTENSIONS; i++) {
        if (number - extensions[i].first < extensions[i].count)
            return index + (number - extensions[i].first);
        index += extensions[i].count;
    }
    return 0;
}

bool format_must_be_named(VkFormat format)
{
    return format == VK_FORMAT_B4G4R4A4_UNORM_PACK16 || format == VK_FORMAT_B5G6R5_UNORM_PACK16 ||
           format == VK_FORMAT_B5G5R5A1_UNORM_PACK16 || format == (VkFormat)1000470000 /* A1B5G5R5_UNORM_PACK16 */;
}

VkFormat format_unorm(VkFormat format)
{
    if (!(format_info(format)->bits & SRGB))
        return VK_FORMAT_UNDEFINED;
    uint32_t number = (uint32_t)format;
    if (number >= 1000054004 && number < 1000054008)
        return (VkFormat)(number - 4); /* PVRTC */
    /* Blocks: UNORM, SRGB. 8 bits: UNORM, SNORM, USCALED, SSCALED, UINT, SINT, SRGB. */
    return (VkFormat)(number >= VK_FORMAT_BC1_RGB_UNORM_BLOCK ? number - 1 : number - 6);
}
