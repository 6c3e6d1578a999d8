/* SPDX-License-Identifier: MIT */
/*
 * Decides how fetches from one buffer view read texels: from the driver's view as it is, from a view of words or blocks
 * that the shader assembles texels from, or by address. The table of formats is here.
 */
#include "texel_view/texel_view.h"

#include <stdio.h>

#include "gl/gl_format.h"
#include "gl/gl_tokens.h"
#include "record/layout.h"
#include "record/record.h"

/* ---- Formats ---- */

/* Selectors as in the record: component c of the texel in memory is 2 + c. */
#define BITS TEXEL_SELECTOR_BITS
#define SELECT(r, g, b, a) ((r) | (g) << BITS | (b) << 2 * BITS | (a) << 3 * BITS)
#define SELECTOR(swizzle, channel) ((swizzle) >> (BITS * (channel)) & TEXEL_SELECTOR_MASK)
#define ZERO 0u
#define ONE 1u
#define R 2u
#define G 3u
#define B 4u
#define A 5u

struct texel_format {
    VkFormat format;
    uint8_t components;
    uint8_t width;    /* TEXEL_WIDTH_* */
    uint8_t type;     /* TEXEL_TYPE_* */
    bool listed;      /* in GL's table */
    uint16_t swizzle; /* what the VkFormat's R, G, B, A are in memory */
};

#define IDENTITY1 SELECT(R, ZERO, ZERO, ONE)
#define IDENTITY2 SELECT(R, G, ZERO, ONE)
#define IDENTITY3 SELECT(R, G, B, ONE)
#define IDENTITY4 SELECT(R, G, B, A)
#define BGRA SELECT(B, G, R, A)
#define ALPHA_ALONE SELECT(ZERO, ZERO, ZERO, R)

/* Formats with one, two and four components of 8 and 16 bits. */
#define SMALL(components, vk8, vk16)                                                                                   \
    {VK_FORMAT_##vk8##_UNORM, components, TEXEL_WIDTH_8, TEXEL_TYPE_UNORM, true, IDENTITY##components},                \
        {VK_FORMAT_##vk8##_SNORM, components, TEXEL_WIDTH_8, TEXEL_TYPE_SNORM, false, IDENTITY##components},           \
        {VK_FORMAT_##vk8##_UINT, components, TEXEL_WIDTH_8, TEXEL_TYPE_UINT, true, IDENTITY##components},              \
        {VK_FORMAT_##vk8##_SINT, components, TEXEL_WIDTH_8, TEXEL_TYPE_SINT, true, IDENTITY##components},              \
        {VK_FORMAT_##vk16##_UNORM, components, TEXEL_WIDTH_16, TEXEL_TYPE_UNORM, true, IDENTITY##components},          \
        {VK_FORMAT_##vk16##_SNORM, components, TEXEL_WIDTH_16, TEXEL_TYPE_SNORM, false, IDENTITY##components},         \
        {VK_FORMAT_##vk16##_UINT, components, TEXEL_WIDTH_16, TEXEL_TYPE_UINT, true, IDENTITY##components},            \
        {VK_FORMAT_##vk16##_SINT, components, TEXEL_WIDTH_16, TEXEL_TYPE_SINT, true, IDENTITY##components},            \
    {                                                                                                                  \
        VK_FORMAT_##vk16##_SFLOAT, components, TEXEL_WIDTH_16, TEXEL_TYPE_FLOAT, true, IDENTITY##components            \
    }

#define WIDE(components, vk32)                                                                                         \
    {VK_FORMAT_##vk32##_UINT, components, TEXEL_WIDTH_32, TEXEL_TYPE_UINT, true, IDENTITY##components},                \
        {VK_FORMAT_##vk32##_SINT, components, TEXEL_WIDTH_32, TEXEL_TYPE_SINT, true, IDENTITY##components},            \
    {                                                                                                                  \
        VK_FORMAT_##vk32##_SFLOAT, components, TEXEL_WIDTH_32, TEXEL_TYPE_FLOAT, true, IDENTITY##components            \
    }

/*
 * GL's table, and the other formats that Vulkan requires for uniform texel buffers: they may be larger than the driver
 * allows. The last one is newer Vulkan's GL_ALPHA8.
 */
static const struct texel_format formats[] = {
    SMALL(1, R8, R16),
    SMALL(2, R8G8, R16G16),
    SMALL(4, R8G8B8A8, R16G16B16A16),
    WIDE(1, R32),
    WIDE(2, R32G32),
    WIDE(3, R32G32B32),
    WIDE(4, R32G32B32A32),
    {VK_FORMAT_B8G8R8A8_UNORM, 4, TEXEL_WIDTH_8, TEXEL_TYPE_UNORM, false, BGRA},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, 4, TEXEL_WIDTH_8, TEXEL_TYPE_UNORM, false, IDENTITY4},
    {VK_FORMAT_A8B8G8R8_SNORM_PACK32, 4, TEXEL_WIDTH_8, TEXEL_TYPE_SNORM, false, IDENTITY4},
    {VK_FORMAT_A8B8G8R8_UINT_PACK32, 4, TEXEL_WIDTH_8, TEXEL_TYPE_UINT, false, IDENTITY4},
    {VK_FORMAT_A8B8G8R8_SINT_PACK32, 4, TEXEL_WIDTH_8, TEXEL_TYPE_SINT, false, IDENTITY4},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, TEXEL_WIDTH_PACKED, TEXEL_TYPE_UNORM, false, IDENTITY4},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, 4, TEXEL_WIDTH_PACKED, TEXEL_TYPE_UINT, false, IDENTITY4},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 3, TEXEL_WIDTH_PACKED, TEXEL_TYPE_FLOAT, false, IDENTITY3},
    {(VkFormat)1000470001, 1, TEXEL_WIDTH_8, TEXEL_TYPE_UNORM, false, ALPHA_ALONE}, /* VK_FORMAT_A8_UNORM */
};

static const struct texel_format *format_find(VkFormat format)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

static uint32_t texel_bytes(const struct texel_format *format)
{
    return format->width == TEXEL_WIDTH_PACKED ? 4 : (uint32_t)format->components << format->width;
}

bool texel_view_is_listed(VkFormat format)
{
    const struct texel_format *known = format_find(format);
    return known && known->listed;
}

/* ---- GL state ---- */

/* The base format of a sized internal format of GL's table of buffer textures; 0: not in it. */
static uint32_t base_of_internal(uint32_t internal)
{
    struct gl_format format;
    return gl_format_find(internal, &format) && format.in_buffers ? format.base : 0;
}

/*
 * Where the channels of a base format live in a format with so many components (the extension's "where the channels
 * live"); 0: they do not fit.
 */
static uint32_t base_swizzle(uint32_t base, uint32_t components)
{
    const uint32_t alpha = components == 4 ? A : R, second = components == 4 ? A : G;
    switch (base) {
    case TOKEN_RED:
        return SELECT(R, ZERO, ZERO, ONE);
    case TOKEN_RG:
        return components >= 2 ? SELECT(R, G, ZERO, ONE) : 0;
    case TOKEN_RGB:
        return components >= 3 ? SELECT(R, G, B, ONE) : 0;
    case TOKEN_RGBA:
        return components == 4 ? SELECT(R, G, B, A) : 0;
    case TOKEN_ALPHA:
        return SELECT(ZERO, ZERO, ZERO, alpha);
    case TOKEN_LUMINANCE:
        return SELECT(R, R, R, ONE);
    case TOKEN_LUMINANCE_ALPHA:
        return components == 2 || components == 4 ? SELECT(R, R, R, second) : 0;
    case TOKEN_INTENSITY:
        return SELECT(R, R, R, R);
    default:
        return 0;
    }
}

static uint32_t base_swizzle_of(uint32_t base, const struct texel_format *format)
{
    if (format->swizzle == ALPHA_ALONE)
        return base == TOKEN_ALPHA ? IDENTITY4 : 0;
    return base_swizzle(base, format->components);
}

/* Finds the swizzle: each component that the shader reads, as one of the VkFormat's R, G, B, A. False with a reason. */
static bool read_gl(const struct texel_view_request *request, const struct texel_format *format,
                    struct texel_view_result *result, uint32_t *swizzle)
{
    static const uint32_t identities[] = {IDENTITY1, IDENTITY2, IDENTITY3, IDENTITY4};
    *swizzle = format->swizzle == ALPHA_ALONE ? IDENTITY4 : identities[format->components - 1];
    if (!request->gl || (!request->internal_format && !request->base))
        return true;
    uint32_t implied = base_of_internal(request->internal_format);
    uint32_t base = request->base ? request->base : implied;
    if (request->internal_format && !implied) {
        snprintf(
            result->reason, sizeof(result->reason),
            "VkBufferViewGLStateCreateInfoCLAMPLER::internalFormat is 0x%04X, which is no sized format of GL's table "
            "of buffer textures",
            (unsigned)request->internal_format);
        return false;
    }
    if (!base_swizzle(base, 4)) {
        snprintf(result->reason, sizeof(result->reason),
                 "VkBufferViewGLStateCreateInfoCLAMPLER::baseFormat is 0x%04X, which is no base format of a buffer "
                 "texture",
                 (unsigned)base);
        return false;
    }
    if (implied && implied != base) {
        snprintf(result->reason, sizeof(result->reason),
                 "VkBufferViewGLStateCreateInfoCLAMPLER::baseFormat is 0x%04X, but that of internalFormat 0x%04X is "
                 "0x%04X",
                 (unsigned)base, (unsigned)request->internal_format, (unsigned)implied);
        return false;
    }
    *swizzle = base_swizzle_of(base, format);
    if (!*swizzle)
        snprintf(result->reason, sizeof(result->reason),
                 "VkBufferViewGLStateCreateInfoCLAMPLER::baseFormat is 0x%04X, which has other or more channels than "
                 "the view's format",
                 (unsigned)base);
    return *swizzle != 0;
}

/* ---- The driver's view ---- */

/* Formats of the driver's view by what the shader's sampler type reads: floats, unsigned, signed integers. */
enum { CLASS_FLOAT, CLASS_UINT, CLASS_SINT };

static uint32_t class_of(const struct texel_format *format)
{
    return format->type == TEXEL_TYPE_UINT ? CLASS_UINT : format->type == TEXEL_TYPE_SINT ? CLASS_SINT : CLASS_FLOAT;
}

static uint32_t composed(uint32_t outer, uint32_t inner)
{
    uint32_t swizzle = 0;
    for (uint32_t channel = 0; channel < 4; channel++) {
        uint32_t selector = SELECTOR(outer, channel);
        swizzle |= (selector < R ? selector : SELECTOR(inner, selector - R)) << (BITS * channel);
    }
    return swizzle;
}

struct emulation {
    const struct texel_view_request *request;
    const struct texel_caps *caps;
    const struct texel_format *format;
    struct texel_view_result *result;
    VkDeviceSize aligned; /* offset of the driver's view */
    VkDeviceSize skew;    /* bytes from there to texel 0 */
    VkDeviceSize bytes;   /* of the texels */
};

static void set_record(const struct emulation *m, uint32_t path, uint32_t swizzle, VkDeviceSize elements)
{
    m->result->kind = TEXEL_VIEW_REPLACED;
    m->result->record = (struct texel_record){
        .flags = RECORD_OTHER | path | (m->format->components - 1u) << TEXEL_COMPONENTS_SHIFT |
                 (uint32_t)m->format->width << TEXEL_WIDTH_SHIFT | (uint32_t)m->format->type << TEXEL_TYPE_SHIFT |
                 swizzle << TEXEL_SWIZZLE_SHIFT,
        .elements = (uint32_t)elements,
    };
}

/*
 * Words or blocks of words through the driver's view, which begins at a whole one: with a smaller alignment they could
 * end behind the buffer. False if it cannot hold them.
 */
static bool make_view(const struct emulation *m, uint32_t path, uint32_t swizzle, VkDeviceSize elements)
{
    static const VkFormat words[] = {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_UINT, VK_FORMAT_R32_SINT};
    static const VkFormat blocks[] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_UINT,
                                      VK_FORMAT_R32G32B32A32_SINT};
    const VkDeviceSize unit = path == TEXEL_PATH_WORDS ? 4 : 16;
    const VkDeviceSize begin = m->aligned & ~(unit - 1), skew = m->skew + (m->aligned - begin);
    const VkDeviceSize count = (skew + m->bytes + unit - 1) / unit;
    if (!m->caps->views || texel_bytes(m->format) > 12 || !elements || count > m->caps->max_elements ||
        begin + count * unit > m->request->driver_size)
        return false;
    set_record(m, path, swizzle, elements);
    m->result->record.place[0] = (uint32_t)skew;
    m->result->format = (path == TEXEL_PATH_WORDS ? words : blocks)[class_of(m->format)];
    m->result->offset = begin;
    m->result->range = count * unit;
    return true;
}

/* Texels are never read from this view of the driver's, but it must be valid: a view of bytes, as long as allowed. */
static void make_placeholder(const struct emulation *m)
{
    static const VkFormat bytes[] = {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UINT, VK_FORMAT_R8_SINT};
    const VkDeviceSize left = m->request->driver_size - m->aligned;
    m->result->format = bytes[class_of(m->format)];
    m->result->offset = m->aligned;
    m->result->range = left < m->caps->max_elements ? left : m->caps->max_elements;
}

static bool make_address(const struct emulation *m, uint32_t swizzle, VkDeviceSize elements)
{
    if (!m->caps->addresses || !m->request->address)
        return false;
    const VkDeviceAddress address = m->request->address + m->request->offset;
    set_record(m, TEXEL_PATH_ADDRESS, swizzle, elements);
    m->result->record.place[0] = (uint32_t)address;
    m->result->record.place[1] = (uint32_t)(address >> 32);
    if (m->format->width == TEXEL_WIDTH_32 && m->format->components == 3 && swizzle == IDENTITY3 && address % 4 == 0)
        m->result->record.flags |= TEXEL_RGB;
    make_placeholder(m);
    return true;
}

/* No texel fits: every index is outside. */
static void make_empty(const struct emulation *m, uint32_t swizzle)
{
    set_record(m, TEXEL_PATH_ADDRESS, swizzle, 0);
    make_placeholder(m);
}

static const char *const path_names[] = {"the driver's own view, swizzled in the shader", "fetches of 32-bit words",
                                         "fetches of 128-bit blocks", "loads through its address"};

static void emulate(const struct emulation *m, uint32_t swizzle, VkDeviceSize elements, const char *why)
{
    const uint32_t in_memory = composed(swizzle, m->format->swizzle);
    bool made = true;
    if (!elements)
        make_empty(m, in_memory);
    else if (m->format->width != TEXEL_WIDTH_32 && !m->caps->narrow)
        made = false;
    else
        made = (m->caps->addresses_first && make_address(m, in_memory, elements)) ||
               make_view(m, TEXEL_PATH_WORDS, in_memory, elements) ||
               make_view(m, TEXEL_PATH_BLOCKS, in_memory, elements) || make_address(m, in_memory, elements);
    if (made) {
        snprintf(m->result->reason, sizeof(m->result->reason), "%s: %s", why,
                 path_names[m->result->record.flags & TEXEL_PATH_MASK]);
        return;
    }
    m->result->kind = m->request->gl ? TEXEL_VIEW_REFUSED : TEXEL_VIEW_AS_IS;
    snprintf(m->result->reason, sizeof(m->result->reason),
             "%s, and this device reaches no such buffer by views or addresses", why);
}

void texel_view_resolve(const struct texel_view_request *request, const struct texel_caps *caps,
                        struct texel_view_result *result)
{
    *result = (struct texel_view_result){.kind = TEXEL_VIEW_AS_IS};
    const struct texel_format *format = format_find(request->format);
    uint32_t swizzle = 0;
    if (!format) {
        if (request->gl && (request->internal_format || request->base)) {
            result->kind = TEXEL_VIEW_REFUSED;
            snprintf(result->reason, sizeof(result->reason),
                     "VkFormat %d is in no row of GL's table of buffer textures", (int)request->format);
        }
        return;
    }
    if (!read_gl(request, format, result, &swizzle)) {
        result->kind = TEXEL_VIEW_REFUSED;
        return;
    }
    if (request->offset >= request->size)
        return; /* not valid: passed to the driver */
    const uint32_t size = texel_bytes(format);
    const VkDeviceSize left = request->size - request->offset;
    const VkDeviceSize range = request->range < left ? request->range : left;
    const VkDeviceSize elements = range / size;
    const VkDeviceSize aligned = request->offset & ~(caps->alignment - 1);
    const struct emulation m = {request, caps, format, result, aligned, request->offset - aligned, elements * size};
    const bool identity = composed(swizzle, format->swizzle) == format->swizzle;
    const bool fits = elements <= caps->max_elements;

    if (request->native && fits && elements && identity) {
        /* The driver's buffer may be longer than the program's. */
        if (request->range == VK_WHOLE_SIZE && request->driver_size != request->size) {
            result->kind = TEXEL_VIEW_REPLACED;
            result->format = request->format;
            result->offset = request->offset;
            result->range = m.bytes;
        }
        return;
    }
    if (request->native && fits && elements) {
        set_record(&m, TEXEL_PATH_NATIVE, swizzle, elements);
        result->format = request->format;
        result->offset = request->offset;
        result->range = m.bytes;
        snprintf(result->reason, sizeof(result->reason), "legacy base format: %s", path_names[TEXEL_PATH_NATIVE]);
        return;
    }
    const char *why = !elements          ? "no texel fits in the range"
                      : !request->native ? "the driver has no uniform texel buffers of this format"
                                         : "more elements than the driver's maxTexelBufferElements";
    if (m.bytes > TEXEL_VIEW_BYTES || request->offset % (size < 4 ? size : 4) != 0) {
        result->kind = request->gl ? TEXEL_VIEW_REFUSED : TEXEL_VIEW_AS_IS;
        snprintf(result->reason, sizeof(result->reason), "%s, and it is too large or its offset splits a component",
                 why);
        return;
    }
    emulate(&m, swizzle, elements, why);
}

VkDeviceSize texel_view_reach(const struct texel_caps *caps)
{
    const VkDeviceSize widest = 16, by_address = TEXEL_VIEW_BYTES / widest;
    return caps->addresses && by_address > caps->max_elements ? by_address : caps->max_elements;
}
