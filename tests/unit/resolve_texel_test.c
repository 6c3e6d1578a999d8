/* SPDX-License-Identifier: MIT */
/* Uniform texel buffer views: which driver view and which record come out, and which GL state is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "texel_view/texel_view.h"

enum {
    GL_RED = TOKEN_RED,
    GL_ALPHA = TOKEN_ALPHA,
    GL_RGB = TOKEN_RGB,
    GL_RGBA = TOKEN_RGBA,
    GL_LUMINANCE = TOKEN_LUMINANCE
};
#define A8 ((VkFormat)1000470001) /* VK_FORMAT_A8_UNORM */

enum { GL_LUMINANCE_ALPHA = TOKEN_LUMINANCE_ALPHA, GL_INTENSITY = TOKEN_INTENSITY, GL_RG = TOKEN_RG };

static const struct texel_caps views = {.views = true, .narrow = true, .max_elements = 65536, .alignment = 16};
static const struct texel_caps addresses = {
    .addresses = true, .addresses_first = true, .narrow = true, .max_elements = 65536, .alignment = 16};
static const struct texel_caps both = {
    .views = true, .addresses = true, .narrow = true, .max_elements = 65536, .alignment = 16};

static struct texel_view_result resolve(const struct texel_caps *caps, struct texel_view_request request)
{
    struct texel_view_result result;
    request.range = request.range ? request.range : VK_WHOLE_SIZE;
    request.driver_size = request.driver_size ? request.driver_size : (request.size + 15) & ~(VkDeviceSize)15;
    texel_view_resolve(&request, caps, &result);
    return result;
}

static uint32_t path_of(const struct texel_view_result *result)
{
    assert_int_equal(result->kind, TEXEL_VIEW_REPLACED);
    assert_true(result->record.flags & RECORD_OTHER);
    assert_false(result->record.flags & RECORD_OTHER_INPUT);
    return result->record.flags & TEXEL_PATH_MASK;
}

static uint32_t swizzle_of(const struct texel_view_result *result)
{
    return result->record.flags >> TEXEL_SWIZZLE_SHIFT & 0xfff;
}

static void native_views_stay_as_they_are(void **state)
{
    (void)state;
    const struct texel_view_request request = {.format = VK_FORMAT_R8G8B8A8_UNORM, .size = 256, .native = true};
    struct texel_view_result result = resolve(&both, request);
    assert_int_equal(result.kind, TEXEL_VIEW_AS_IS);
    assert_int_equal(result.record.flags, 0);
    assert_string_equal(result.reason, "");
    struct texel_view_request named = request;
    named.gl = true;
    named.base = GL_RGBA;
    named.internal_format = 0x8058; /* RGBA8 */
    assert_int_equal(resolve(&both, named).kind, TEXEL_VIEW_AS_IS);
}

static void the_driver_never_sees_what_padded_its_buffer(void **state)
{
    (void)state;
    struct texel_view_result result =
        resolve(&both, (struct texel_view_request){.format = VK_FORMAT_R8_UINT, .size = 5, .native = true});
    assert_int_equal(result.kind, TEXEL_VIEW_REPLACED);
    assert_int_equal(result.range, 5);
    assert_int_equal(result.record.flags, 0);
}

static void rgb32_takes_the_faster_path(void **state)
{
    (void)state;
    const struct texel_view_request request = {
        .format = VK_FORMAT_R32G32B32_SINT, .offset = 20, .size = 20 + 12 * 7 + 5, .address = 0x100001000};
    struct texel_view_result result = resolve(&views, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_WORDS);
    assert_int_equal(result.format, VK_FORMAT_R32_SINT);
    assert_int_equal(result.offset, 16);
    assert_int_equal(result.range, 4 + 12 * 7);
    assert_int_equal(result.record.elements, 7);
    assert_int_equal(result.record.place[0], 4);
    result = resolve(&addresses, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_ADDRESS);
    assert_int_equal(result.format, VK_FORMAT_R8_SINT);
    assert_int_equal(result.record.elements, 7);
    assert_int_equal(result.record.place[0], 0x1014);
    assert_int_equal(result.record.place[1], 1);
    assert_true(result.record.flags & TEXEL_RGB);
    result = resolve(&both, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_WORDS);
    assert_false(result.record.flags & TEXEL_RGB);
    struct texel_view_request without = request;
    without.address = 0;
    result = resolve(&addresses, without);
    assert_int_equal(result.kind, TEXEL_VIEW_AS_IS); /* no way there is: the driver's to refuse */
}

/* Whatever is done to the words, or where there is none, the shader looks at the whole record. */
static void only_plain_rgb32_by_address_is_loaded_as_it_is(void **state)
{
    (void)state;
    const struct texel_view_request request = {
        .format = VK_FORMAT_R32G32B32_SFLOAT, .size = 24, .address = 0x1000, .gl = true};
    struct texel_view_request other = request;
    other.base = GL_RGB;
    assert_true(resolve(&addresses, other).record.flags & TEXEL_RGB);
    other.base = GL_LUMINANCE;
    assert_false(resolve(&addresses, other).record.flags & TEXEL_RGB);
    other = request;
    other.size = 11; /* no texel that could stand in for those outside */
    assert_false(resolve(&addresses, other).record.flags & TEXEL_RGB);
    other = request;
    other.format = VK_FORMAT_R32G32B32A32_SFLOAT;
    other.size = (VkDeviceSize)65537 * 16;
    assert_int_equal(resolve(&addresses, other).record.flags & (TEXEL_PATH_MASK | TEXEL_RGB), TEXEL_PATH_ADDRESS);
}

static void large_buffers_take_blocks_and_then_addresses(void **state)
{
    (void)state;
    struct texel_view_request request = {
        .format = VK_FORMAT_R8_UNORM, .size = 65537, .native = true, .address = 0x2000};
    struct texel_view_result result = resolve(&both, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_WORDS);
    assert_int_equal(result.range, 65540);
    request.size = 65536 * 4 + 1;
    result = resolve(&both, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_BLOCKS);
    assert_int_equal(result.format, VK_FORMAT_R32G32B32A32_SFLOAT);
    assert_int_equal(result.record.elements, 65536 * 4 + 1);
    request.size = 65536 * 16 + 1;
    result = resolve(&both, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_ADDRESS);
    assert_int_equal(result.range, 65536);
    assert_int_equal(resolve(&views, request).kind, TEXEL_VIEW_AS_IS);
    request.gl = true;
    assert_int_equal(resolve(&views, request).kind, TEXEL_VIEW_REFUSED);
    request.format = VK_FORMAT_R32G32B32A32_UINT;
    request.size = 65537 * 16;
    result = resolve(&both, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_ADDRESS);
}

static void a_range_without_a_texel_reads_as_zero(void **state)
{
    (void)state;
    const struct texel_view_request request = {.format = VK_FORMAT_R32G32B32_SFLOAT, .size = 11, .address = 0x1000};
    const struct texel_caps *const all[] = {&views, &addresses, &both};
    for (size_t i = 0; i < 3; i++) {
        struct texel_view_result result = resolve(all[i], request);
        assert_int_equal(result.kind, TEXEL_VIEW_REPLACED);
        assert_int_equal(result.record.elements, 0);
        assert_int_equal(result.range, 16);
    }
}

static void narrow_formats_need_the_shaders_decode(void **state)
{
    (void)state;
    struct texel_caps wide = views;
    wide.narrow = false;
    const struct texel_view_request request = {.format = VK_FORMAT_R16_UNORM, .size = 64, .gl = true};
    assert_int_equal(resolve(&wide, request).kind, TEXEL_VIEW_REFUSED);
    struct texel_view_result result = resolve(&views, request);
    assert_int_equal(path_of(&result), TEXEL_PATH_WORDS);
}

/* Four selectors as the record has them, by letters: 0 1 r g b a. */
static uint32_t selectors(const char *text)
{
    static const char letters[] = "01rgba";
    uint32_t swizzle = 0;
    for (uint32_t i = 0; i < 4; i++)
        swizzle |= (uint32_t)(strchr(letters, text[i]) - letters) << (3 * i);
    return swizzle;
}

static void base_formats_say_where_channels_live(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        uint32_t internal, base;
        const char *swizzle; /* NULL: native as it is */
    } rows[] = {
        {VK_FORMAT_R8_UNORM, 0, GL_ALPHA, "000r"},       {VK_FORMAT_R8_UNORM, 0x803c, 0, "000r"},
        {VK_FORMAT_R8G8B8A8_UNORM, 0, GL_ALPHA, "000a"}, {VK_FORMAT_R32_SFLOAT, 0x8818, GL_LUMINANCE, "rrr1"},
        {VK_FORMAT_R16G16_SFLOAT, 0x881f, 0, "rrrg"},    {VK_FORMAT_R8G8B8A8_UINT, 0, GL_LUMINANCE_ALPHA, "rrra"},
        {VK_FORMAT_R8_SINT, 0x8d91, 0, "rrrr"},          {VK_FORMAT_R8_SINT, 0x8d92, 0, "rrr1"},
        {VK_FORMAT_R8_UNORM, 0x8229, GL_RED, NULL},      {VK_FORMAT_R8G8_UNORM, 0, GL_RED, "r001"},
        {VK_FORMAT_R8G8B8A8_UNORM, 0, GL_RGB, "rgb1"},   {VK_FORMAT_R8G8B8A8_UNORM, 0, GL_RG, "rg01"},
        {VK_FORMAT_B8G8R8A8_UNORM, 0, GL_RGBA, NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct texel_view_result result =
            resolve(&both, (struct texel_view_request){.format = rows[i].format,
                                                       .size = 64,
                                                       .native = true,
                                                       .gl = true,
                                                       .internal_format = rows[i].internal,
                                                       .base = rows[i].base});
        if (!rows[i].swizzle) {
            assert_int_equal(result.kind, TEXEL_VIEW_AS_IS);
            continue;
        }
        assert_int_equal(path_of(&result), TEXEL_PATH_NATIVE);
        assert_int_equal(swizzle_of(&result), selectors(rows[i].swizzle));
    }
    /* In memory blue comes first. */
    struct texel_view_result result = resolve(&both, (struct texel_view_request){.format = VK_FORMAT_B8G8R8A8_UNORM,
                                                                                 .size = 65537 * 4,
                                                                                 .native = true,
                                                                                 .address = 0x1000,
                                                                                 .gl = true,
                                                                                 .base = GL_LUMINANCE});
    assert_int_equal(swizzle_of(&result), selectors("bbb1"));
}

/* Alpha is the one byte of A8, in the driver's view and in what the shader assembles. */
static void alpha_has_a_format_of_its_own(void **state)
{
    (void)state;
    static const uint32_t tokens[][2] = {{0, 0}, {0, GL_ALPHA}, {0x803c, 0}, {0x803c, GL_ALPHA}}; /* GL_ALPHA8 */
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        struct texel_view_request request = {.format = A8,
                                             .size = 64,
                                             .native = true,
                                             .gl = true,
                                             .internal_format = tokens[i][0],
                                             .base = tokens[i][1]};
        struct texel_view_result result = resolve(&both, request);
        assert_int_equal(result.kind, TEXEL_VIEW_AS_IS);
        assert_string_equal(result.reason, "");
        request.native = false;
        result = resolve(&both, request);
        assert_int_equal(path_of(&result), TEXEL_PATH_WORDS);
        assert_int_equal(swizzle_of(&result), selectors("000r"));
        assert_int_equal(result.record.flags >> TEXEL_WIDTH_SHIFT & 3, TEXEL_WIDTH_8);
        assert_int_equal(result.record.elements, 64);
        request.native = true;
        request.size = (VkDeviceSize)both.max_elements + 1;
        request.address = 0x1000;
        result = resolve(&both, request);
        assert_int_equal(result.kind, TEXEL_VIEW_REPLACED);
        assert_int_equal(swizzle_of(&result), selectors("000r"));
    }
}

static void tokens_that_gl_does_not_allow_are_refused(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        uint32_t internal, base;
        const char *field, *value;
    } rows[] = {
        {VK_FORMAT_R8_UNORM, 0, TOKEN_DEPTH_COMPONENT, "baseFormat", "0x1902"}, /* GL_DEPTH_COMPONENT */
        {VK_FORMAT_R8_UNORM, 0, 1, "baseFormat", "0x0001"},
        {VK_FORMAT_R8_UNORM, 0x8d7d, 0, "internalFormat", "0x8D7D"},       /* GL_RGB8UI: no buffer texture */
        {VK_FORMAT_R8_UNORM, 0x8051, 0, "internalFormat", "0x8051"},       /* GL_RGB8 */
        {VK_FORMAT_R16G16B16_SFLOAT, 0x881b, 0, "row", "table"},           /* GL_RGB16F */
        {VK_FORMAT_R8_UNORM, GL_LUMINANCE, 0, "internalFormat", "0x1909"}, /* a base format */
        {VK_FORMAT_R8_UNORM, 0x8040, GL_ALPHA, "baseFormat", "0x1906"},    /* LUMINANCE8 is not of ALPHA */
        {VK_FORMAT_R8_UNORM, 0, GL_LUMINANCE_ALPHA, "baseFormat", "0x190A"},
        {VK_FORMAT_R8G8_UNORM, 0, GL_RGB, "baseFormat", "0x1907"},
        {VK_FORMAT_R32G32B32_SFLOAT, 0, GL_RGBA, "baseFormat", "0x1908"},
        {VK_FORMAT_R64_SFLOAT, 0, GL_RED, "VkFormat", "table"},
        {A8, 0, GL_RED, "baseFormat", "0x1903"}, /* A8 has no red */
        {A8, 0x8040, 0, "baseFormat", "0x1909"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct texel_view_result result =
            resolve(&both, (struct texel_view_request){.format = rows[i].format,
                                                       .size = 64,
                                                       .native = true,
                                                       .gl = true,
                                                       .internal_format = rows[i].internal,
                                                       .base = rows[i].base});
        assert_int_equal(result.kind, TEXEL_VIEW_REFUSED);
        assert_int_equal(result.record.flags, 0);
        if (!strstr(result.reason, rows[i].field) || !strstr(result.reason, rows[i].value))
            fail_msg("row %zu: %s", i, result.reason);
    }
}

/* The driver's view begins at what it allows, and the record says how far the program's first texel is from there. */
static void views_begin_where_the_driver_lets_them(void **state)
{
    static const struct {
        VkFormat format;
        VkDeviceSize texel, step; /* offsets are its multiples */
    } formats[] = {{VK_FORMAT_R8_UINT, 1, 1},  {VK_FORMAT_R8G8B8A8_UINT, 4, 4},
                   {VK_FORMAT_R16_UINT, 2, 2}, {VK_FORMAT_R16G16B16A16_UINT, 8, 4},
                   {VK_FORMAT_R32_UINT, 4, 4}, {VK_FORMAT_R32G32B32_UINT, 12, 4}};
    unsigned blocks = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        for (VkDeviceSize alignment = 1; alignment <= 256; alignment *= 2) {
            for (VkDeviceSize offset = 0; offset < 530; offset += formats[i].step) {
                for (uint32_t most = 65536; most; most = most > 40 ? 40 : 0) { /* 32-bit words, or blocks of them */
                    const VkDeviceSize elements = most > 40 ? 9 : 170, size = offset + elements * formats[i].texel;
                    struct texel_caps caps = views;
                    caps.alignment = alignment;
                    caps.max_elements = most;
                    if (elements * formats[i].texel > 40 * 16 - 256)
                        continue; /* they need not fit */
                    struct texel_view_result result = resolve(
                        &caps,
                        (struct texel_view_request){.format = formats[i].format, .offset = offset, .size = size});
                    const uint32_t path = path_of(&result);
                    const VkDeviceSize unit = path == TEXEL_PATH_WORDS ? 4 : 16;
                    assert_true(path == TEXEL_PATH_WORDS || (path == TEXEL_PATH_BLOCKS && most == 40));
                    blocks += path == TEXEL_PATH_BLOCKS;
                    assert_int_equal(result.offset % alignment, 0);
                    assert_true(result.offset <= offset);
                    assert_int_equal(result.offset + result.record.place[0], offset);
                    assert_int_equal(result.record.elements, elements);
                    assert_int_equal(result.range % unit, 0);
                    assert_true(result.offset + result.range >= size);
                    assert_true(result.offset + result.range <= ((size + 15) & ~(VkDeviceSize)15));
                }
            }
        }
    }
    assert_true(blocks > 0);
}

static void offsets_must_not_split_components(void **state)
{
    (void)state;
    struct texel_view_request request = {
        .format = VK_FORMAT_R32G32B32_UINT, .offset = 2, .size = 1000, .gl = true, .address = 0x1000};
    assert_int_equal(resolve(&both, request).kind, TEXEL_VIEW_REFUSED);
    request.offset = 4;
    assert_int_equal(resolve(&both, request).kind, TEXEL_VIEW_REPLACED);
}

static void the_reach_is_what_every_format_reaches(void **state)
{
    (void)state;
    assert_int_equal(texel_view_reach(&views), 65536);
    assert_int_equal(texel_view_reach(&both), TEXEL_VIEW_BYTES / 16);
}

/* OpenGL 4.6, table 8.16. */
static void the_listed_formats_are_those_of_buffer_textures(void **state)
{
    (void)state;
    static const VkFormat listed[] = {VK_FORMAT_R8_UNORM,
                                      VK_FORMAT_R8_SINT,
                                      VK_FORMAT_R8_UINT,
                                      VK_FORMAT_R16_UNORM,
                                      VK_FORMAT_R16_SFLOAT,
                                      VK_FORMAT_R16_SINT,
                                      VK_FORMAT_R16_UINT,
                                      VK_FORMAT_R32_SFLOAT,
                                      VK_FORMAT_R32_SINT,
                                      VK_FORMAT_R32_UINT,
                                      VK_FORMAT_R8G8_UNORM,
                                      VK_FORMAT_R8G8_SINT,
                                      VK_FORMAT_R8G8_UINT,
                                      VK_FORMAT_R16G16_UNORM,
                                      VK_FORMAT_R16G16_SFLOAT,
                                      VK_FORMAT_R16G16_SINT,
                                      VK_FORMAT_R16G16_UINT,
                                      VK_FORMAT_R32G32_SFLOAT,
                                      VK_FORMAT_R32G32_SINT,
                                      VK_FORMAT_R32G32_UINT,
                                      VK_FORMAT_R32G32B32_SFLOAT,
                                      VK_FORMAT_R32G32B32_SINT,
                                      VK_FORMAT_R32G32B32_UINT,
                                      VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_FORMAT_R8G8B8A8_SINT,
                                      VK_FORMAT_R8G8B8A8_UINT,
                                      VK_FORMAT_R16G16B16A16_UNORM,
                                      VK_FORMAT_R16G16B16A16_SFLOAT,
                                      VK_FORMAT_R16G16B16A16_SINT,
                                      VK_FORMAT_R16G16B16A16_UINT,
                                      VK_FORMAT_R32G32B32A32_SFLOAT,
                                      VK_FORMAT_R32G32B32A32_SINT,
                                      VK_FORMAT_R32G32B32A32_UINT};
    for (VkFormat format = VK_FORMAT_UNDEFINED; format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++) {
        bool wanted = false;
        for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++)
            wanted |= listed[i] == format;
        if (texel_view_is_listed(format) != wanted)
            fail_msg("VkFormat %d", (int)format);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_views_stay_as_they_are),
        cmocka_unit_test(the_driver_never_sees_what_padded_its_buffer),
        cmocka_unit_test(rgb32_takes_the_faster_path),
        cmocka_unit_test(only_plain_rgb32_by_address_is_loaded_as_it_is),
        cmocka_unit_test(large_buffers_take_blocks_and_then_addresses),
        cmocka_unit_test(a_range_without_a_texel_reads_as_zero),
        cmocka_unit_test(narrow_formats_need_the_shaders_decode),
        cmocka_unit_test(base_formats_say_where_channels_live),
        cmocka_unit_test(alpha_has_a_format_of_its_own),
        cmocka_unit_test(tokens_that_gl_does_not_allow_are_refused),
        cmocka_unit_test(views_begin_where_the_driver_lets_them),
        cmocka_unit_test(offsets_must_not_split_components),
        cmocka_unit_test(the_reach_is_what_every_format_reaches),
        cmocka_unit_test(the_listed_formats_are_those_of_buffer_textures),
    };
    return cmocka_run_group_tests_name("resolve_texel", tests, NULL, NULL);
}
