/* SPDX-License-Identifier: MIT */
/*
 * demo --forms PNG: the gallery in tier 2, filtered by the driver and texel by texel, and their difference.
 * demo PNG PNG JSON: two textured scenes three ways in one process: real OpenGL, Vulkan under the layer through
 * VkSamplerGLStateCreateInfoCLAMPLER, and Vulkan alone with the nearest state that it has. Writes a gallery with its
 * differences, a game, and the table of differences.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/picture.h"
#include "demo/scene.h"
#include "demo/table.h"
#include "harness/images/png.h"

#define PANE_WIDTH 480u
#define PANE_HEIGHT 360u
#define MARGIN 16u
#define LABEL 48u
#define GAIN 3u

#define BACKGROUND 0x15181fu
#define TEXT 0xe8e8e8u
#define FAINT 0x9aa0aau

static void paste_pane(struct picture *page, const struct picture *pane, uint32_t column, uint32_t row,
                       const char *title, const char *subtitle)
{
    uint32_t x = MARGIN + column * (PANE_WIDTH + MARGIN);
    uint32_t y = MARGIN + row * (LABEL + PANE_HEIGHT + MARGIN);
    picture_text(page, x, y, 20, TEXT, title);
    picture_text(page, x, y + 25, 14, FAINT, subtitle);
    picture_paste(page, pane, x, y + LABEL);
}

/* What the wrap modes are, in the pane that has no difference to show. */
static struct picture legend(void)
{
    static const char *const lines[] = {
        "Floor: CLAMP, LINEAR_MIPMAP_LINEAR",
        "half of the orange border shows around the rug,",
        "at every mip level.",
        "",
        "Middle: CLAMP, LINEAR",
        "Left: MIRROR_CLAMP, LINEAR",
        "Right: MIRROR_CLAMP_TO_BORDER, LINEAR",
        "",
        "Vulkan alone has none of the three: a port writes",
        "CLAMP_TO_EDGE and MIRROR_CLAMP_TO_EDGE,",
        "and loses the borders.",
    };
    struct picture picture = picture_create(PANE_WIDTH, PANE_HEIGHT, BACKGROUND);
    for (uint32_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        picture_text(&picture, 0, i * 26, 17, i == 0 || i == 4 || i == 5 || i == 6 ? TEXT : FAINT, lines[i]);
    return picture;
}

struct sides {
    struct harness_gl gl;
    struct harness_vulkan layered, plain;
};

static void draw(struct sides *sides, const struct scene *scene, struct picture panes[3])
{
    const uint32_t width = 2 * PANE_WIDTH, height = 2 * PANE_HEIGHT;
    uint8_t *pixels = harness_alloc((size_t)width * height, 4);
    scene_draw_gl(&sides->gl, scene, width, height, pixels);
    panes[0] = picture_from_render(pixels, width, height);
    scene_draw_vulkan(&sides->layered, scene, LOOKUP_SAMPLER_GL, width, height, pixels);
    panes[1] = picture_from_render(pixels, width, height);
    scene_draw_vulkan(&sides->plain, scene, LOOKUP_SAMPLER_NAIVE, width, height, pixels);
    panes[2] = picture_from_render(pixels, width, height);
    free(pixels);
}

static void paste_panes(struct picture *page, struct picture panes[3])
{
    paste_pane(page, &panes[0], 0, 0, "OpenGL", "a real compatibility context (EGL)");
    paste_pane(page, &panes[1], 1, 0, "Vulkan with Clampler", "VkSamplerGLStateCreateInfoCLAMPLER");
    paste_pane(page, &panes[2], 2, 0, "Vulkan without", "the nearest modes that core Vulkan has");
}

static void compose(const char *path, struct picture panes[3])
{
    char subtitle[80];
    uint32_t greatest[2];
    struct picture page =
        picture_create(3 * (PANE_WIDTH + MARGIN) + MARGIN, 2 * (LABEL + PANE_HEIGHT + MARGIN) + MARGIN, BACKGROUND);
    struct picture differences[2] = {picture_difference(&panes[1], &panes[0], GAIN, &greatest[0]),
                                     picture_difference(&panes[2], &panes[0], GAIN, &greatest[1])};
    struct picture words = legend();
    paste_panes(&page, panes);
    paste_pane(&page, &words, 0, 1, "What is drawn", "");
    snprintf(subtitle, sizeof(subtitle), "times %u, greatest %u/255", GAIN, greatest[0]);
    paste_pane(&page, &differences[0], 1, 1, "Difference to OpenGL", subtitle);
    snprintf(subtitle, sizeof(subtitle), "times %u, greatest %u/255", GAIN, greatest[1]);
    paste_pane(&page, &differences[1], 2, 1, "Difference to OpenGL", subtitle);
    harness_png_write(path, page.rgba, page.width, page.height);
    printf("Gallery: greatest difference to OpenGL %u/255 with the layer, %u/255 without\n", greatest[0], greatest[1]);
    picture_destroy(&words);
    picture_destroy(&differences[0]);
    picture_destroy(&differences[1]);
    picture_destroy(&page);
}

static void compose_game(const char *path, struct picture panes[3])
{
    uint32_t greatest[2];
    struct picture page =
        picture_create(3 * (PANE_WIDTH + MARGIN) + MARGIN, LABEL + PANE_HEIGHT + 2 * MARGIN, BACKGROUND);
    paste_panes(&page, panes);
    harness_png_write(path, page.rgba, page.width, page.height);
    for (int i = 0; i < 2; i++) {
        struct picture difference = picture_difference(&panes[i + 1], &panes[0], GAIN, &greatest[i]);
        picture_destroy(&difference);
    }
    printf("Game: greatest difference to OpenGL %u/255 with the layer, %u/255 without\n\n", greatest[0], greatest[1]);
    picture_destroy(&page);
}

static void draw_and_compose(struct sides *sides, struct scene *scene, const char *path,
                             void (*composed)(const char *path, struct picture panes[3]))
{
    struct picture panes[3];
    draw(sides, scene, panes);
    composed(path, panes);
    for (int i = 0; i < 3; i++)
        picture_destroy(&panes[i]);
    scene_destroy(scene);
}

/* ---- The two forms of tier 2 ---- */

/* The gallery with filters that differ for magnification and minification, which tier 2 computes. */
static struct picture draw_form(const struct scene *scene, bool texels)
{
    const uint32_t width = 2 * PANE_WIDTH, height = 2 * PANE_HEIGHT;
    struct harness_vulkan vk;
    uint8_t *pixels = harness_alloc((size_t)width * height, 4);
    if (texels) {
        setenv("VK_CLAMPLER_ASSUME_MISSING", "linear_all", 1);
        setenv("VK_CLAMPLER_LINEAR_FALLBACK", "shader", 1);
    }
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    scene_draw_vulkan(&vk, scene, LOOKUP_SAMPLER_GL, width, height, pixels);
    const struct clampler_counters counters = harness_counters(&vk);
    if (!counters.draws[2] || (counters.draws_texels != 0) != texels)
        harness_fail("tier 2 drew %llu times, %llu of them by texels", (unsigned long long)counters.draws[2],
                     (unsigned long long)counters.draws_texels);
    harness_vulkan_close(&vk);
    const struct picture picture = picture_from_render(pixels, width, height);
    free(pixels);
    return picture;
}

static int draw_forms(const char *path)
{
    struct scene scene;
    char subtitle[80];
    uint32_t greatest;
    scene_create(&scene, 2 * PANE_WIDTH, 2 * PANE_HEIGHT, true);
    for (uint32_t i = 0; i < scene.object_count; i++) {
        scene.objects[i].sampler.minFilter = GL_LINEAR_MIPMAP_LINEAR;
        scene.objects[i].sampler.magFilter = GL_NEAREST;
    }
    struct picture page =
        picture_create(3 * (PANE_WIDTH + MARGIN) + MARGIN, LABEL + PANE_HEIGHT + 2 * MARGIN, BACKGROUND);
    struct picture driver = draw_form(&scene, false), texels = draw_form(&scene, true);
    struct picture difference = picture_difference(&texels, &driver, 100, &greatest);
    paste_pane(&page, &driver, 0, 0, "Tier 2 by the driver's filter",
               "minified LINEAR_MIPMAP_LINEAR, magnified NEAREST");
    paste_pane(&page, &texels, 1, 0, "Tier 2 texel by texel", "the same state");
    snprintf(subtitle, sizeof(subtitle), "times 100, greatest %u/255", greatest);
    paste_pane(&page, &difference, 2, 0, "Difference", subtitle);
    harness_png_write(path, page.rgba, page.width, page.height);
    printf("Two forms of tier 2: greatest difference %u/255\nWritten: %s\n", greatest, path);
    picture_destroy(&difference);
    picture_destroy(&texels);
    picture_destroy(&driver);
    picture_destroy(&page);
    scene_destroy(&scene);
    return 0;
}

int main(int count, char **arguments)
{
    static struct sides sides;
    static struct table table;
    struct scene scene;
    char why[256];
    const uint32_t width = 2 * PANE_WIDTH, height = 2 * PANE_HEIGHT;
    if (count == 3 && !strcmp(arguments[1], "--forms"))
        return draw_forms(arguments[2]);
    if (count != 4) {
        fputs("usage: demo GALLERY.png GAME.png TABLE.json\n       demo --forms FORMS.png\n", stderr);
        return 2;
    }
    if (!harness_gl_open(&sides.gl, why, sizeof(why)))
        harness_fail("%s; on Debian: apt-get install libegl-mesa0 libgl1-mesa-dri", why);
    harness_vulkan_open(&sides.layered, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    harness_vulkan_open(&sides.plain, &(struct harness_vulkan_params){.sampling_features = true});
    printf("OpenGL: %s, %s\nVulkan: %s\n\n", sides.gl.renderer, sides.gl.version, sides.layered.properties.deviceName);

    scene_create(&scene, width, height, sides.gl.mirror_clamp);
    draw_and_compose(&sides, &scene, arguments[1], compose);
    scene_create_game(&scene, width, height);
    draw_and_compose(&sides, &scene, arguments[2], compose_game);

    table_measure(&table, &sides.gl, &sides.layered, &sides.plain);
    table_print(&table);
    table_write(&table, arguments[3]);
    printf("\nWritten: %s, %s, %s\n", arguments[1], arguments[2], arguments[3]);

    harness_vulkan_close(&sides.plain);
    harness_vulkan_close(&sides.layered);
    harness_gl_close(&sides.gl);
    return 0;
}
