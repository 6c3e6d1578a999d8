/* SPDX-License-Identifier: MIT */
/* clampler caps: what each format can do on each device, with the layer. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "hidden.h"
#include "manifest.h"
#include "offered.h"
#include "queries/hidden.h"
#include "text/text.h"
#include "vulkan.h"
#include "vulkan_formats.h"

enum { DEVICES = 16 };

/* One line of the table: "native", "emulated", or NULL where there is nothing. */
struct row {
    const char *sample, *linear, *texel_buffer, *render, *blend, *no_alpha, *order;
};

static const char *const columns[] = {"sample", "linear", "texel_buffer", "render", "blend", "no_alpha", "order"};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };
_Static_assert(sizeof(struct row) == COLUMNS * sizeof(const char *), "one name for each column");

/* How the device does what a bit stands for. */
static const char *way_of(const VkGLSamplerFormatPropertiesCLAMPLER *gl, VkGLFormatFeatureFlagsCLAMPLER bit)
{
    return gl->nativeFeatures & bit ? "native" : gl->emulatedFeatures & bit ? "emulated" : NULL;
}

static struct row read_row(const VkFormatProperties *properties, const VkGLSamplerFormatPropertiesCLAMPLER *gl)
{
    const VkFormatFeatureFlags tiled = properties->optimalTilingFeatures;
    const VkFormatFeatureFlags rendered =
        VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    return (struct row){
        .sample = tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT ? "native" : NULL,
        .linear = way_of(gl, VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER),
        .texel_buffer = way_of(gl, VK_GL_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT_CLAMPLER),
        .render = tiled & rendered ? "native" : NULL,
        .blend = tiled & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT ? "native" : NULL,
        .no_alpha = way_of(gl, VK_GL_FORMAT_FEATURE_ALPHA_TO_ONE_BIT_CLAMPLER),
        .order = way_of(gl, VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BIT_CLAMPLER),
    };
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
    VkGLSamplerFormatPropertiesCLAMPLER gl;
    const VkFormatProperties properties = vulkan_format_properties(vk, facts, format->format, &gl);
    return read_row(&properties, &gl);
}

/* ---- As text ---- */

static void print_text(const struct vulkan *vk, const struct device_facts *facts, const struct hidden *hidden,
                       const struct offered *offered)
{
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    text_show(facts->properties.deviceName, name, sizeof(name));
    printf("%s\n\n", name);
    for (const struct semantic *semantic = semantics; semantic->name; semantic++)
        printf("  %-24s %-12s %s\n", semantic->name, semantic_state(facts, semantic->bit), semantic->what);
    printf("\n  %-24s %-12s\n", "with offer=missing", "offered");
    for (unsigned i = 0; i < OFFERS && offered->state[i]; i++)
        printf("  %-24s %-12s %s\n", offer_names[i], offered->state[i], offered->remark[i]);
    if (hidden->count)
        printf("\n  hidden from programs that know nothing of the layer, where settings make it active\n");
    for (unsigned i = 0; i < hidden->count; i++)
        printf("  %-40s %s\n", hidden->names[i], hidden_reason(hidden->names[i]));
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

static void print_json(const struct vulkan *vk, const struct device_facts *facts, const struct hidden *hidden,
                       const struct offered *offered)
{
    const char *separator = "";
    char name[6 * VK_MAX_PHYSICAL_DEVICE_NAME_SIZE], number[TEXT_NUMBER];
    text_json(facts->properties.deviceName, name, sizeof(name));
    printf("  {\n    \"device\": \"%s\",\n    \"semantics\": {", name);
    for (const struct semantic *semantic = semantics; semantic->name; semantic++) {
        printf("%s\"%s\": \"%s\"", separator, semantic->name, semantic_state(facts, semantic->bit));
        separator = ", ";
    }
    printf("},\n    \"max_texel_buffer_elements\": %llu,\n",
           (unsigned long long)facts->semantics.maxTexelBufferElements);
    printf("    \"max_texture_lod_bias\": %s,\n", text_number((double)facts->semantics.maxTextureLodBias, number));
    printf("    \"max_custom_border_colors\": %u,\n    \"hidden\": {", facts->semantics.maxCustomBorderColors);
    for (unsigned i = 0; i < hidden->count; i++)
        printf("%s\"%s\": \"%s\"", i ? ", " : "", hidden->names[i], hidden_reason(hidden->names[i]));
    printf("},\n    \"offered\": {");
    for (unsigned i = 0; i < OFFERS && offered->state[i]; i++) {
        const char *remark = offered->remark[i];
        printf("%s\"%s\": \"%s%s%s\"", i ? ", " : "", offer_names[i], offered->state[i], *remark ? ": " : "", remark);
    }
    printf("},\n    \"formats\": {");
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
    if (!vulkan_find_layer(vk, MANIFEST_LAYER, NULL))
        manifest_offer_own();
    const VkResult result = vulkan_start(vk, MANIFEST_LAYER);
    if (result == VK_SUCCESS)
        return true;
    fprintf(stderr, "%sclampler caps: vkCreateInstance gives %s; see clampler doctor\n", vk->said,
            vulkan_result(result));
    vulkan_close(vk);
    return false;
}

static bool is_number(const char *text)
{
    return *text && strlen(text) < 10 && text[strspn(text, "0123456789")] == '\0';
}

/* Those under the layer, or the one of them with a number. True if there are any. */
static bool print_devices(const struct vulkan *vk, const struct device_facts *devices, unsigned found, long only,
                          bool json)
{
    struct hidden hidden[DEVICES];
    struct offered offered[DEVICES];
    bool any = false;
    hidden_find(vk, devices, found, hidden);
    offered_find(vk, devices, found, offered);
    if (json)
        printf("[\n");
    for (unsigned i = 0; i < found; i++) {
        if ((only >= 0 && i != (unsigned long)only) || !devices[i].extension)
            continue;
        if (json && any)
            printf(",\n");
        (json ? print_json : print_text)(vk, &devices[i], &hidden[i], &offered[i]);
        any = true;
    }
    if (json)
        printf("\n]\n");
    return any;
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
            if (!is_number(arguments[++i])) {
                fprintf(stderr, "clampler caps: --device wants a number from 0, not \"%s\"\n", arguments[i]);
                return STATUS_USAGE;
            }
            only = strtol(arguments[i], NULL, 10);
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
    int status = 0;
    if (found && only >= (long)found) {
        fprintf(stderr, "clampler caps: there is no device %ld: there are %u, from 0\n", only, found);
        status = STATUS_USAGE;
    } else if (!print_devices(&vk, devices, found, only, json)) {
        fprintf(stderr, "clampler caps: no device under the layer; see clampler doctor\n");
        status = 1;
    }
    vulkan_stop(&vk);
    vulkan_close(&vk);
    return status;
}
