/* SPDX-License-Identifier: MIT */
/* clampler caps: what each format can do on each device, with the layer. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "manifest.h"
#include "vulkan.h"
#include "vulkan_formats.h"

enum { DEVICES = 16 };

/* One line of the table: "native", "emulated", or NULL where there is nothing. */
struct row {
    const char *sample, *linear, *texel_buffer, *render, *blend, *no_alpha;
};

static const char *const columns[] = {"sample", "linear", "texel_buffer", "render", "blend", "no_alpha"};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };
_Static_assert(sizeof(struct row) == COLUMNS * sizeof(const char *), "one name for each column");

static const char *emulated_if(bool condition)
{
    return condition ? "emulated" : NULL;
}

/* Stencil alone is one as well. */
static bool is_integer(const struct vulkan_format *format)
{
    return format->number == VULKAN_NUMBER_UINT || format->number == VULKAN_NUMBER_SINT;
}

static bool is_rgb32(const struct vulkan_format *format)
{
    return format->bits[VULKAN_R] == 32 && format->bits[VULKAN_B] == 32 && !format->bits[VULKAN_A];
}

/* Filters of integer formats are no filters in OpenGL, so nobody emulates them. */
static struct row read_row(const VkFormatProperties *properties, const struct vulkan_format *format,
                           const struct device_facts *facts)
{
    const VkFormatFeatureFlags tiled = properties->optimalTilingFeatures;
    const VkFlags64 emulated = facts->semantics.emulatedSemantics;
    struct row row = {.sample = NULL};
    if (tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) {
        const VkFlags64 bit = format->bits[VULKAN_DEPTH] ? VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER
                                                         : VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER;
        row.sample = "native";
        row.linear = tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
                         ? "native"
                         : emulated_if((emulated & bit) && !is_integer(format));
    }
    row.texel_buffer =
        properties->bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT
            ? "native"
            : emulated_if(is_rgb32(format) && (emulated & VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER));
    if (tiled & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) {
        row.render = "native";
        row.no_alpha = emulated_if(format->bits[VULKAN_A] && (emulated & VK_GL_SEMANTIC_ALPHA_TO_ONE_BIT_CLAMPLER));
    } else if (tiled & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) {
        row.render = "native";
    }
    row.blend = tiled & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT ? "native" : NULL;
    return row;
}

static const char *cell(const struct row *row, unsigned column)
{
    const char *cells[COLUMNS];
    memcpy(cells, row, sizeof(cells));
    return cells[column];
}

static bool anything(const struct row *row)
{
    return row->sample || row->texel_buffer || row->render;
}

static struct row query_row(const struct vulkan *vk, const struct device_facts *facts,
                            const struct vulkan_format *format)
{
    const VkFormatProperties properties = vulkan_format_properties(vk, facts, format->format);
    return read_row(&properties, format, facts);
}

/* ---- As text ---- */

static void print_text(const struct vulkan *vk, const struct device_facts *facts)
{
    printf("%s\n\n", facts->properties.deviceName);
    for (const struct semantic *semantic = semantics; semantic->name; semantic++)
        printf("  %-24s %-12s %s\n", semantic->name, semantic_state(facts, semantic->bit), semantic->what);
    printf("\n  %-40s", "format");
    for (unsigned i = 0; i < COLUMNS; i++)
        printf(" %-12s", columns[i]);
    printf("\n");
    for (const struct vulkan_format *format = vulkan_formats + 1; format < vulkan_formats + VULKAN_FORMATS; format++) {
        const struct row row = query_row(vk, facts, format);
        if (!anything(&row))
            continue;
        printf("  %-40s", format->name);
        for (unsigned i = 0; i < COLUMNS; i++)
            printf(" %-12s", cell(&row, i) ? cell(&row, i) : "-");
        printf("\n");
    }
    printf("\n");
}

/* ---- As JSON: names hold no signs that need an escape but for the device's ---- */

static void print_name(const char *name)
{
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            putchar('\\');
        if ((unsigned char)*name >= 0x20)
            putchar(*name);
    }
}

static void print_json(const struct vulkan *vk, const struct device_facts *facts)
{
    const char *separator = "";
    printf("  {\n    \"device\": \"");
    print_name(facts->properties.deviceName);
    printf("\",\n    \"semantics\": {");
    for (const struct semantic *semantic = semantics; semantic->name; semantic++) {
        printf("%s\"%s\": \"%s\"", separator, semantic->name, semantic_state(facts, semantic->bit));
        separator = ", ";
    }
    printf("},\n    \"max_texel_buffer_elements\": %llu,\n",
           (unsigned long long)facts->semantics.maxTexelBufferElements);
    printf("    \"max_texture_lod_bias\": %g,\n", (double)facts->semantics.maxTextureLodBias);
    printf("    \"max_custom_border_colors\": %u,\n    \"formats\": {", facts->semantics.maxCustomBorderColors);
    separator = "\n";
    for (const struct vulkan_format *format = vulkan_formats + 1; format < vulkan_formats + VULKAN_FORMATS; format++) {
        const struct row row = query_row(vk, facts, format);
        if (!anything(&row))
            continue;
        printf("%s      \"%s\": {", separator, format->name);
        const char *comma = "";
        for (unsigned i = 0; i < COLUMNS; i++) {
            if (cell(&row, i)) {
                printf("%s\"%s\": \"%s\"", comma, columns[i], cell(&row, i));
                comma = ", ";
            }
        }
        printf("}");
        separator = ",\n";
    }
    printf("\n    }\n  }");
}

/* ---- The command ---- */

/* An instance under the layer, which is taken from beside this program if the loader does not find it by itself. */
static bool start(struct vulkan *vk)
{
    char why[512];
    setenv("VK_LOADER_DEBUG", "error,warn", 0); /* so that it says why */
    if (!vulkan_open(vk, NULL, why, sizeof(why))) {
        fprintf(stderr, "clampler caps: no Vulkan loader: %s\n", why);
        return false;
    }
    if (!vulkan_lists(vk, MANIFEST_LAYER))
        manifest_offer_own();
    const VkResult result = vulkan_start(vk, MANIFEST_LAYER);
    if (result == VK_SUCCESS)
        return true;
    fprintf(stderr, "%sclampler caps: vkCreateInstance gives %s; see clampler doctor\n", vk->said,
            vulkan_result(result));
    vulkan_close(vk);
    return false;
}

int caps(int count, char **arguments)
{
    struct device_facts devices[DEVICES];
    struct vulkan vk;
    bool json = false;
    long only = -1;
    if (count == 4 && !strcmp(arguments[1], "--compare"))
        return compare_caps(arguments[2], arguments[3]);
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "--json")) {
            json = true;
        } else if (!strcmp(arguments[i], "--device") && i + 1 < count) {
            only = strtol(arguments[++i], NULL, 10);
        } else {
            fprintf(stderr,
                    "clampler caps: \"%s\" is not known, or not enough (caps [--json] [--device N], or caps --compare "
                    "A.json B.json)\n",
                    arguments[i]);
            return STATUS_USAGE;
        }
    }
    if (!start(&vk))
        return 1;
    const unsigned found = vulkan_devices(&vk, devices, DEVICES);
    bool any = false;
    if (json)
        printf("[\n");
    for (unsigned i = 0; i < found; i++) {
        if ((only >= 0 && i != (unsigned long)only) || !devices[i].extension)
            continue;
        if (json && any)
            printf(",\n");
        (json ? print_json : print_text)(&vk, &devices[i]);
        any = true;
    }
    if (json)
        printf("\n]\n");
    if (!any)
        fprintf(stderr, "clampler caps: no device under the layer; see clampler doctor\n");
    vulkan_stop(&vk);
    vulkan_close(&vk);
    return any ? 0 : 1;
}
