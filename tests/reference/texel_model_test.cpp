/* SPDX-License-Identifier: MIT */
/*
 * Buffer textures without a GPU: the view and record that resolve makes, and the arithmetic of
 * shaders/texel_buffer.glsl as it stands there, over plain memory in the place of the driver's view or of addresses,
 * against a decode of the bytes by the specification (tests/differential/texel_case.c).
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "texel_model.hpp"

extern "C" {
#define _Static_assert static_assert
#include "differential/texel_case.h"
#include "texel_view/texel_view.h"

/* texel_case.c runs in the test programs of the harness; here as well without it. */
[[noreturn]] void harness_fail(const char *format, ...)
{
    std::puts(format);
    std::exit(1);
}
}

namespace
{
using shader::uint;
using shader::uvec4;

std::vector<uint8_t> memory;
const VkDeviceAddress base_address = 0x7f0000001000;
unsigned failures, checks, rgb_cases;

uint word_at(size_t byte)
{
    uint word = 0xdeadbeef; /* beyond the driver's buffer */
    if (byte + 4 <= memory.size())
        std::memcpy(&word, &memory[byte], 4);
    return word;
}

/* What the driver's view gives; out of its range, something that must not matter. */
uvec4 fetch(const texel_view_result &view, int place)
{
    const size_t unit =
        view.format == VK_FORMAT_R32_SFLOAT || view.format == VK_FORMAT_R32_SINT || view.format == VK_FORMAT_R32_UINT
            ? 4
            : 16;
    const size_t at = static_cast<size_t>(place) * unit;
    if (place < 0 || at + unit > view.range)
        return uvec4(0x5eedu, 0x5eedu, 0x5eedu, 0x5eedu);
    const size_t byte = view.offset + at;
    return unit == 4 ? uvec4(word_at(byte), 0u, 0u, 1u)
                     : uvec4(word_at(byte), word_at(byte + 4), word_at(byte + 8), word_at(byte + 12));
}

uvec4 load(uint index, const uvec4 &record, const uvec4 &otherwise)
{
    if (!shader::texel_loads(index, record))
        return otherwise;
    const shader::uvec2 address = shader::texel_address(record);
    const uint64_t first = (static_cast<uint64_t>(address.y) << 32 | address.x) - base_address;
    uint words[4] = {};
    for (uint k = 0; k < (shader::texel_loads_four(record) ? 4u : 3u); k++)
        words[k] = word_at(first + 4u * shader::texel_load_word(index, record, k));
    return uvec4(words[0], words[1], words[2], words[3]);
}

/* As the rewriter puts the functions together, with every path and every width. */
uvec4 look(const texel_view_result &view, uint index, bool integer)
{
    const uvec4 record(view.record.flags, view.record.elements, view.record.place[0], view.record.place[1]);
    const uvec4 first = fetch(view, shader::texel_coordinate(index, record, 0));
    const uvec4 second = fetch(view, shader::texel_coordinate(index, record, 1));
    const uvec4 third = fetch(view, shader::texel_coordinate(index, record, 2));
    const uvec4 words = load(index, record, shader::texel_words(first, second, third, index, record));
    return integer ? shader::texel_bits_int(words, index, record) : shader::texel_bits_float(words, index, record);
}

/*
 * Texels that are loaded as they are. No load may touch more than the texel, or the first one in place of one outside:
 * what lies beside it may be nobody's memory.
 */
uvec4 look_at_rgb(const texel_view_result &view, uint index, bool integer, uint32_t offset)
{
    const uvec4 record(view.record.flags, view.record.elements, view.record.place[0], view.record.place[1]);
    const shader::uvec2 address = shader::texel_rgb_address(record);
    const uint64_t base = (static_cast<uint64_t>(address.y) << 32 | address.x) - base_address;
    const uint64_t pair = base + 8u * uint64_t{shader::texel_rgb_pair(index, record)};
    const uint64_t word = base + 4u * uint64_t{shader::texel_rgb_word(index, record)};
    const uint64_t texel = offset + 12u * uint64_t{index < record.y ? index : 0u};
    checks++;
    if ((pair % 8 != 0 || pair < texel || pair + 8 > texel + 12 || word < texel || word + 4 > texel + 12) &&
        failures++ < 10)
        std::printf("index %u at %u: loads at %llu and %llu\n", index, offset, static_cast<unsigned long long>(pair),
                    static_cast<unsigned long long>(word));
    return shader::texel_rgb_bits(shader::uvec2(word_at(pair), word_at(pair + 4)), word_at(word),
                                  integer ? 1u : 0x3f800000u, index, record);
}

texel_view_result resolve(VkFormat format, uint32_t offset, size_t size, uint32_t base, const texel_caps &caps)
{
    texel_view_request request = {};
    request.format = format;
    request.offset = offset;
    request.range = VK_WHOLE_SIZE;
    request.size = size;
    request.driver_size = memory.size();
    request.address = base_address;
    request.gl = true;
    request.base = base;
    texel_view_result result;
    texel_view_resolve(&request, &caps, &result);
    return result;
}

void check_texel(const texel_case &one, int32_t index, const uvec4 &seen, const char *path)
{
    const uint32_t found[4] = {seen.x, seen.y, seen.z, seen.w};
    uint32_t expected[4];
    texel_expected(&one, memory.data(), index, expected);
    checks++;
    if (!texel_same(&one, expected, found) && failures++ < 10)
        std::printf("%s, %s, %u texels at %u, index %d: %08x %08x %08x %08x, expected %08x %08x %08x %08x\n", path,
                    texel_rows[one.row].name, one.elements, one.offset, index, found[0], found[1], found[2], found[3],
                    expected[0], expected[1], expected[2], expected[3]);
}

void check_case(const texel_case &one, const texel_caps &caps, const char *path)
{
    const texel_row &row = texel_rows[one.row];
    const size_t size = texel_buffer_bytes(&one);
    memory.assign((size + 15) / 16 * 16, 0xaa);
    texel_fill(&one, memory.data());
    int32_t indices[TEXEL_INDICES];
    uint32_t inside;
    texel_indices(&one, indices, &inside);
    const texel_view_result view = resolve(row.format, one.offset, size, row.base, caps);
    if (view.kind != TEXEL_VIEW_REPLACED)
        return; /* RGBA32 has no path through views: the driver's own serves */
    const bool integer = texel_class_of(&row) != CLASS_FLOAT;
    for (int32_t index : indices) {
        check_texel(one, index, look(view, static_cast<uint>(index), integer), path);
        if (view.record.flags & TEXEL_RGB)
            check_texel(one, index, look_at_rgb(view, static_cast<uint>(index), integer, one.offset), "RGB32");
    }
    rgb_cases += (view.record.flags & TEXEL_RGB) != 0;
}

void check_rows()
{
    const VkDeviceSize many = 1u << 20;
    const struct {
        const char *name;
        texel_caps caps;
    } ways[] = {{"words", {true, false, false, true, many, 16}},
                {"blocks", {true, false, false, true, 4000, 16}},
                {"words beyond 256", {true, false, false, true, many, 256}},
                {"addresses", {false, true, true, true, many, 16}}};
    for (uint16_t row = 0; row < texel_row_count; row++) {
        for (const auto &way : ways) {
            for (uint32_t i = 0; i < 8; i++) {
                texel_case one = {};
                one.row = row;
                one.elements = i < 4 ? 1 + i : 700 * i + i;
                one.offset = 16 * i;
                one.tail = i % texel_row_bytes(&texel_rows[row]);
                one.seed = 77 * row + i;
                check_case(one, way.caps, way.name);
                /* Emulated views begin at any component. */
                one.offset += i % 2 == 0 ? 4 : 12;
                check_case(one, way.caps, way.name);
            }
        }
    }
}

/* Formats that Vulkan has beyond GL's table: 32 bits in memory, and what they are. */
void check_packed()
{
    const struct {
        VkFormat format;
        uint32_t word;
        float expected[4];
    } rows[] = {
        {VK_FORMAT_B8G8R8A8_UNORM, 0x80ff3300, {1.0f, 0x33 / 255.0f, 0.0f, 128 / 255.0f}},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0x6007ffff, {1.0f, 511 / 1023.0f, 512 / 1023.0f, 1 / 3.0f}},
        {VK_FORMAT_R8G8B8A8_SNORM, 0x7f818000, {0.0f, -1.0f, -1.0f, 1.0f}},
        {VK_FORMAT_A8B8G8R8_SNORM_PACK32, 0x00ff4001, {1 / 127.0f, 64 / 127.0f, -1 / 127.0f, 0.0f}},
        {VK_FORMAT_R16G16_SNORM, 0x80017fff, {1.0f, -1.0f, 0.0f, 1.0f}},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 0x3c0u | 0x400u << 11 | 0x1c0u << 22, {1.0f, 2.0f, 0.5f, 1.0f}},
    };
    const texel_caps caps = {true, false, false, true, 1u << 20, 16};
    for (const auto &row : rows) {
        memory.assign(16, 0);
        std::memcpy(memory.data(), &row.word, 4);
        const uvec4 seen = look(resolve(row.format, 0, 4, 0, caps), 0, false);
        const uint32_t found[4] = {seen.x, seen.y, seen.z, seen.w};
        for (unsigned i = 0; i < 4; i++) {
            float value;
            std::memcpy(&value, &found[i], sizeof(value));
            checks++;
            if (std::fabs(value - row.expected[i]) > 1e-6f && failures++ < 10)
                std::printf("VkFormat %d: component %u is %g, expected %g\n", row.format, i, value, row.expected[i]);
        }
    }
}
} // namespace

int main()
{
    check_rows();
    check_packed();
    std::printf("%u texels, %u failures, %u cases of RGB32 loaded as they are\n", checks, failures, rgb_cases);
    return failures != 0 || checks < 100000 || rgb_cases == 0;
}
