/* SPDX-License-Identifier: MIT */
/*
 * Numbers at the ends of what formats hold, through linear blits that the layer filters: infinities, what is no number,
 * subnormals, ties between two neighbours. A blit of the same size takes each texel as it is (a weight of zero takes
 * nothing of the neighbour), so that the bits of the target say what became of the number.
 */
#include <string.h>

#include "integration/recording/blit_scene.h"
#include "limited_driver/limited_driver.h"

#define NAN32 0x7fc00000u
enum { ANY_NAN = -1 }; /* all bits of the exponent, and one of the fraction */

/* ---- Out of 32 bits ---- */

/* A float, and its bits as one of 16, 11 and 10. */
static const struct to_small {
    uint32_t bits;
    int32_t half, eleven, ten;
} to_small[] = {
    {0x00000000u, 0x0000, 0x000, 0x000}, {0x80000000u, 0x8000, 0x000, 0x000}, /* -0 */
    {0x3f800000u, 0x3c00, 0x3c0, 0x1e0},                                      /* 1 */
    {0xbf800000u, 0xbc00, 0x000, 0x000},                                      /* -1 */
    {0x7f800000u, 0x7c00, 0x7c0, 0x3e0},                                      /* infinity */
    {0xff800000u, 0xfc00, 0x000, 0x000},                                      /* -infinity */
    {NAN32, ANY_NAN, ANY_NAN, ANY_NAN},  {0xffc00000u, ANY_NAN, ANY_NAN, ANY_NAN},
    {0x7f7fffffu, 0x7c00, 0x7bf, 0x3df}, /* the largest: infinity with a sign, else the largest there is */
    {0xff7fffffu, 0xfc00, 0x000, 0x000}, {0x477fe000u, 0x7bff, 0x7bf, 0x3df}, /* 65504 */
    {0x477fefffu, 0x7bff, 0x7bf, 0x3df},                                      /* under the middle of 65504 and 65536 */
    {0x477ff000u, 0x7c00, 0x7bf, 0x3df},                                      /* the middle */
    {0x477e0000u, 0x7bf0, 0x7bf, 0x3df},                                      /* 65024 */
    {0x38800000u, 0x0400, 0x040, 0x020},                                      /* 2^-14: the smallest normal number */
    {0x387fe000u, 0x0400, 0x040, 0x020}, /* the middle of it and the largest subnormal, of 16 bits: to even */
    {0x387fc000u, 0x03ff, 0x040, 0x020}, /* the largest subnormal */
    {0x36000000u, 0x0020, 0x002, 0x001}, /* 2^-19: the smallest of 10 bits */
    {0x35800000u, 0x0010, 0x001, 0x000}, /* 2^-20: the smallest of 11 bits */
    {0x33800000u, 0x0001, 0x000, 0x000}, /* 2^-24 */
    {0x33c00000u, 0x0002, 0x000, 0x000}, /* 1.5 * 2^-24: to even */
    {0x33000000u, 0x0000, 0x000, 0x000}, /* 2^-25: to even */
    {0x33000001u, 0x0001, 0x000, 0x000}, /* above it */
    {0x32ffffffu, 0x0000, 0x000, 0x000}, {0x00000001u, 0x0000, 0x000, 0x000}, /* a subnormal of 32 bits */
    {0x3f801000u, 0x3c00, 0x3c0, 0x1e0},                                      /* 1 + 2^-11: to even */
    {0x3f803000u, 0x3c02, 0x3c0, 0x1e0},                                      /* 1 + 3 * 2^-11: to even */
    {0x3f801001u, 0x3c01, 0x3c0, 0x1e0}, {0x3fffffffu, 0x4000, 0x400, 0x200}, /* the fraction runs over */
};
enum { TO_SMALL = sizeof(to_small) / sizeof(to_small[0]) };

/* Bits of one row of texels through a linear blit into another format; `bytes` of a texel of the target, at `into`. */
static void blit_row(struct blits_fixture *f, VkFormat from, VkFormat to, uint32_t count, const void *texels,
                     void *into)
{
    struct blits_one b = {.name = "numbers",
                          .source = BLITS_IMAGE(2D, 1, 1, count, 1, 1),
                          .target = BLITS_IMAGE(2D, 1, 1, count, 1, 1),
                          .offsets = {{{0, 0, 0}, {(int32_t)count, 1, 1}}, {{0, 0, 0}, {(int32_t)count, 1, 1}}},
                          .given = texels};
    struct harness_buffer after;
    b.source.format = blit_format(from);
    b.target.format = blit_format(to);
    blits_prepare(&f->vk, &b);
    VkCommandBuffer commands = harness_begin(&f->vk);
    blits_record(commands, &b);
    harness_submit(&f->vk, commands);
    blits_get(&f->vk, &b, &after);
    memcpy(into, after.map, blits_texture_bytes(&b.target_texels));
    harness_buffer_destroy(&f->vk, &after);
    blits_discard(&f->vk, &b);
    blits_expect(f, 0, 1);
}

static void open_unfilterable(struct blits_fixture *f)
{
    blits_open(f, "hide format * image SAMPLED_IMAGE_FILTER_LINEAR", "shader", true, NULL);
}

static void expect_bits(uint32_t row, const char *what, uint32_t found, int32_t wanted, uint32_t infinity)
{
    if (wanted == ANY_NAN ? (found & infinity) == infinity && (found & ((infinity & -infinity) - 1)) != 0
                          : found == (uint32_t)wanted)
        return;
    fail_msg("%08x becomes %x as %s, not %x", row, found, what, (uint32_t)wanted);
}

static void floats_become_smaller_ones(void **state)
{
    (void)state;
    struct blits_fixture f;
    uint32_t wide[TO_SMALL][4], packed[TO_SMALL];
    uint16_t halves[TO_SMALL][4];
    for (uint32_t i = 0; i < TO_SMALL; i++)
        for (uint32_t c = 0; c < 4; c++)
            wide[i][c] = to_small[i].bits;
    open_unfilterable(&f);
    blit_row(&f, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, TO_SMALL, wide, halves);
    blit_row(&f, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_B10G11R11_UFLOAT_PACK32, TO_SMALL, wide, packed);
    for (uint32_t i = 0; i < TO_SMALL; i++) {
        for (uint32_t c = 0; c < 4; c++)
            expect_bits(to_small[i].bits, "16 bits", halves[i][c], to_small[i].half, 0x7c00);
        expect_bits(to_small[i].bits, "11 bits, red", packed[i] & 0x7ff, to_small[i].eleven, 0x7c0);
        expect_bits(to_small[i].bits, "11 bits, green", packed[i] >> 11 & 0x7ff, to_small[i].eleven, 0x7c0);
        expect_bits(to_small[i].bits, "10 bits", packed[i] >> 22, to_small[i].ten, 0x3e0);
    }
    blits_close(&f);
}

/* ---- Into 32 bits ---- */

/* What small floats hold is exact there. */
static void small_floats_become_wider_ones(void **state)
{
    static const struct {
        uint16_t bits;
        int32_t wide;
    } halves[] = {{0x0000, 0},
                  {0x0001, 0x33800000},
                  {0x03ff, 0x387fc000},
                  {0x0400, 0x38800000},
                  {0x3c00, 0x3f800000},
                  {0x7bff, 0x477fe000},
                  {0x7c00, 0x7f800000},
                  {0x8000, (int32_t)0x80000000},
                  {0xbc00, (int32_t)0xbf800000},
                  {0xfc00, (int32_t)0xff800000},
                  {0x7e00, ANY_NAN}};
    static const struct {
        uint16_t eleven, ten;
        int32_t wide[2];
    } unsigned_ones[] = {{0x000, 0x000, {0, 0}},
                         {0x001, 0x001, {0x35800000, 0x36000000}},
                         {0x03f, 0x01f, {0x387c0000, 0x38780000}},
                         {0x3c0, 0x1e0, {0x3f800000, 0x3f800000}},
                         {0x7bf, 0x3df, {0x477e0000, 0x477c0000}},
                         {0x7c0, 0x3e0, {0x7f800000, 0x7f800000}},
                         {0x7e0, 0x3f0, {ANY_NAN, ANY_NAN}}};
    enum { HALVES = sizeof(halves) / sizeof(halves[0]), UNSIGNED = sizeof(unsigned_ones) / sizeof(unsigned_ones[0]) };
    struct blits_fixture f;
    uint16_t texels[HALVES][4];
    uint32_t packed[UNSIGNED], wide[HALVES + UNSIGNED][4];
    (void)state;
    for (uint32_t i = 0; i < HALVES; i++)
        for (uint32_t c = 0; c < 4; c++)
            texels[i][c] = halves[i].bits;
    for (uint32_t i = 0; i < UNSIGNED; i++)
        packed[i] = unsigned_ones[i].eleven * 0x801u | (uint32_t)unsigned_ones[i].ten << 22;
    open_unfilterable(&f);
    blit_row(&f, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT, HALVES, texels, wide);
    blit_row(&f, VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_R32G32B32A32_SFLOAT, UNSIGNED, packed, wide + HALVES);
    for (uint32_t i = 0; i < HALVES; i++)
        for (uint32_t c = 0; c < 4; c++)
            expect_bits(halves[i].bits, "32 bits", wide[i][c], halves[i].wide, 0x7f800000);
    for (uint32_t i = 0; i < UNSIGNED; i++)
        for (uint32_t c = 0; c < 3; c++)
            expect_bits(packed[i], "32 bits", wide[HALVES + i][c], unsigned_ones[i].wide[c / 2], 0x7f800000);
    blits_close(&f);
}

/* ---- Out of floats into what has ends ---- */

#define SHARED(FRACTION, EXPONENT) ((FRACTION)*0x40201u | (EXPONENT) << 27)

static void floats_end_where_the_format_does(void **state)
{
    static const struct {
        uint32_t bits;
        uint8_t unorm, snorm, srgb;
        uint32_t shared;
    } rows[] = {
        {0x00000000u, 0, 0, 0, 0},
        {0x3f800000u, 255, 127, 255, SHARED(256u, 16u)},
        {0xbf800000u, 0, 0x81, 0, 0},
        {0x7f800000u, 255, 127, 255, SHARED(511u, 31u)},
        {0xff800000u, 0, 0x81, 0, 0},
        {NAN32, 0, 0, 0, 0},
        {0x477f8000u, 255, 127, 255, SHARED(511u, 31u)}, /* 65408, the largest with an exponent that is shared */
        {0x3fffe000u, 255, 127, 255, SHARED(256u, 17u)}, /* rounds up to another exponent */
        {0x35800000u, 0, 0, 0, SHARED(16u, 0u)},         /* 2^-20: the least exponent */
        {0x33800000u, 0, 0, 0, SHARED(1u, 0u)},
        {0x3b4d2e1cu, 1, 0, 10, SHARED(410u, 7u)}}; /* 0.0031308: where the curve of sRGB begins */
    enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
    struct blits_fixture f;
    uint32_t wide[ROWS][4], shared[ROWS];
    uint8_t unorm[ROWS][4], snorm[ROWS][4], srgb[ROWS][4];
    (void)state;
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t c = 0; c < 4; c++)
            wide[i][c] = rows[i].bits;
    open_unfilterable(&f);
    blit_row(&f, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, ROWS, wide, unorm);
    blit_row(&f, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM, ROWS, wide, snorm);
    blit_row(&f, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SRGB, ROWS, wide, srgb);
    const bool shares = blits_has_features(&f.vk, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, VK_FORMAT_FEATURE_BLIT_DST_BIT);
    if (shares)
        blit_row(&f, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, ROWS, wide, shared);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            expect_bits(rows[i].bits, "UNORM", unorm[i][c], rows[i].unorm, 0);
            expect_bits(rows[i].bits, "SNORM", snorm[i][c], rows[i].snorm, 0);
            expect_bits(rows[i].bits, "SRGB", srgb[i][c], c < 3 ? rows[i].srgb : rows[i].unorm, 0);
        }
        if (shares)
            assert_int_equal(shared[i], rows[i].shared);
    }
    blits_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_become_smaller_ones),
        cmocka_unit_test(small_floats_become_wider_ones),
        cmocka_unit_test(floats_end_where_the_format_does),
    };
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests_name("blit_numbers", tests, NULL, NULL);
}
