/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "demo/parts.h"

#define FLOOR_SIZE 256u
#define PAINTING_SIZE 32u

/* A rug: rings around the middle, a star in it, and a dark blue hem. x and y from 0 to 1. */
static struct color rug(float x, float y)
{
    const struct color hem = {0.07f, 0.10f, 0.30f}, cream = {0.95f, 0.90f, 0.78f}, red = {0.72f, 0.13f, 0.16f},
                       teal = {0.10f, 0.45f, 0.48f}, gold = {0.93f, 0.72f, 0.25f};
    float dx = x - 0.5f, dy = y - 0.5f;
    float edge = fmaxf(fabsf(dx), fabsf(dy)), radius = sqrtf(dx * dx + dy * dy), angle = atan2f(dy, dx);
    if (edge > 0.46f)
        return hem;
    if (edge > 0.43f)
        return gold;
    float star = 0.20f + 0.06f * cosf(8 * angle);
    if (radius < star * 0.55f)
        return gold;
    if (radius < star)
        return red;
    if (radius < star + 0.03f)
        return cream;
    if (radius < 0.34f)
        return fmodf(floorf(radius * 40) + 40, 2) > 0.5f ? teal : cream;
    bool square = ((int)floorf(x * 16) + (int)floorf(y * 16)) % 2 == 0;
    return square ? color_mix(teal, hem, 0.35f) : color_mix(cream, teal, 0.25f);
}

/* A landscape: a sun at the upper left, hills, a lake. It has no symmetry, so that mirroring shows. */
static struct color landscape(float x, float y)
{
    const struct color zenith = {0.16f, 0.35f, 0.70f}, horizon = {0.98f, 0.80f, 0.55f}, sun = {1.0f, 0.95f, 0.70f},
                       far_hill = {0.35f, 0.40f, 0.55f}, near_hill = {0.16f, 0.42f, 0.22f},
                       lake = {0.25f, 0.55f, 0.70f};
    struct color color = color_mix(horizon, zenith, fminf(fmaxf((y - 0.4f) / 0.6f, 0), 1));
    float sun_distance = hypotf(x - 0.27f, y - 0.74f);
    color = color_mix(sun, color, fminf(fmaxf((sun_distance - 0.09f) / 0.05f, 0), 1));
    if (y < 0.50f + 0.13f * sinf(x * 7 + 0.6f))
        color = far_hill;
    if (y < 0.20f + 0.22f * x * x + 0.05f * sinf(x * 14))
        color = near_hill;
    if (y < 0.16f && x < 0.62f)
        color = color_mix(lake, horizon, fmaxf(0.0f, 0.6f - 4 * fabsf(x - 0.27f)));
    return color;
}

static void add_floor(struct scene *scene, const struct camera *camera)
{
    const struct corner corners[4] = {
        {{-6, 0, 3.2f}, {-1.5f, -0.55f}},
        {{6, 0, 3.2f}, {2.5f, -0.55f}},
        {{-6, 0, -12}, {-1.5f, 4.51f}},
        {{6, 0, -12}, {2.5f, 4.51f}},
    };
    struct scene_object *object = scene_add_quad(scene, camera, corners, 1.0f);
    object->texture = 0;
    object->sampler = scene_state(GL_CLAMP, GL_LINEAR_MIPMAP_LINEAR, (struct color){0.95f, 0.62f, 0.12f});
}

/* A painting that stands on the floor around x; its coordinates run over [s0, s1] x [t0, t1]. */
static struct scene_object *add_painting(struct scene *scene, const struct camera *camera, float x, const float s[2],
                                         const float t[2], float light)
{
    const float half = 0.78f, low = 0.18f, high = 1.74f, z = -1.0f, turn = x * -0.18f;
    const struct corner corners[4] = {
        {{x - half, low, z - turn}, {s[0], t[0]}},
        {{x + half, low, z + turn}, {s[1], t[0]}},
        {{x - half, high, z - turn}, {s[0], t[1]}},
        {{x + half, high, z + turn}, {s[1], t[1]}},
    };
    struct scene_object *object = scene_add_quad(scene, camera, corners, light);
    object->texture = 1;
    return object;
}

void scene_create(struct scene *scene, uint32_t width, uint32_t height, bool mirror_clamp)
{
    const struct camera camera = {
        .aspect = (float)width / (float)height, .focal = 1.75f, .tilt = 0.26f, .eye = {0, 1.55f, 3.6f}};
    const float low[2] = {-1, -1}, high[2] = {1, 1};
    const float outside[2] = {-0.30f, 1.30f}, mirrored[2] = {-1.42f, -0.06f}, upright[2] = {0.06f, 1.42f};
    *scene = (struct scene){.object_count = 0};
    scene_add_texture(scene, FLOOR_SIZE, rug);
    scene_add_texture(scene, PAINTING_SIZE, landscape);
    scene_add_plain(scene, low, high, (struct color){0.33f, 0.36f, 0.44f}, (struct color){0.10f, 0.12f, 0.18f});
    add_floor(scene, &camera);
    /* The mirror modes stay away from s = 0, where Mesa's OpenGL does not follow the specification. */
    add_painting(scene, &camera, 0, outside, outside, 1.0f)->sampler =
        scene_state(GL_CLAMP, GL_LINEAR, (struct color){0.85f, 0.10f, 0.45f});
    if (mirror_clamp) {
        add_painting(scene, &camera, -1.9f, mirrored, upright, 0.95f)->sampler =
            scene_state(GL_MIRROR_CLAMP_EXT, GL_LINEAR, (struct color){0.20f, 0.85f, 0.35f});
        add_painting(scene, &camera, 1.9f, mirrored, upright, 0.95f)->sampler =
            scene_state(GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_LINEAR, (struct color){0.15f, 0.75f, 0.95f});
    }
}

void scene_destroy(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->texture_count; i++)
        free((void *)(uintptr_t)scene->textures[i].texels);
    *scene = (struct scene){0};
}
