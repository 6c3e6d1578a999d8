/* SPDX-License-Identifier: MIT */
/*
 * A game of the nineties as its player sees it. Its port to Vulkan clamps to the edge: the skybox loses its seams,
 * which nobody misses, and the poster and the map lose their frames, which are their borders.
 */
#include <math.h>

#include "demo/parts.h"

enum { SKY_SIZE = 64, WALL_SIZE = 128, POSTER_SIZE = 32, MAP_SIZE = 32 };
#define SKY_REACH 10.0f /* from the eye to each face of the skybox */

/* ---- What is painted ---- */

static struct color brighter(struct color c, float by)
{
    return (struct color){c.r * by, c.g * by, c.b * by};
}

/* A number from 0 to 1 for each pair of integers, without a pattern. */
static float noise(int x, int y)
{
    const float wave = sinf((float)x * 12.9898f + (float)y * 78.233f) * 437.5453f;
    return wave - floorf(wave);
}

/* What is seen in a direction: an evening sky with a sun and clouds above two ranges of hills. */
static struct color sky(float x, float y, float z)
{
    const struct color zenith = {0.10f, 0.16f, 0.42f}, horizon = {0.98f, 0.62f, 0.35f}, sun = {1.0f, 0.95f, 0.75f},
                       cloud = {1.0f, 0.80f, 0.72f}, far_hill = {0.42f, 0.26f, 0.42f}, hill = {0.20f, 0.14f, 0.26f};
    const float length = sqrtf(x * x + y * y + z * z), around = atan2f(x, -z), up = y / length;
    struct color color = color_mix(horizon, zenith, fminf(powf(fmaxf(up, 0), 0.7f) * 1.25f, 1));
    const float from_sun = acosf(fminf((x * 0.30f + y * 0.22f - z * 0.93f) / length, 1));
    color = color_mix(sun, color, fminf(fmaxf((from_sun - 0.09f) / 0.06f, 0), 1));
    if (up > 0.02f) {
        const float u = x / (y + 0.35f * length), v = z / (y + 0.35f * length);
        const float wisps = sinf(u * 3 + sinf(v * 2.3f)) + sinf(v * 4.1f + 1.3f * sinf(u * 1.7f));
        color = color_mix(color, cloud, fminf(fmaxf(wisps - 0.45f, 0) * 0.55f, 0.7f));
    }
    if (up < 0.13f + 0.05f * sinf(around * 3 + 1) + 0.02f * sinf(around * 11))
        color = far_hill;
    if (up < 0.04f + 0.04f * sinf(around * 5) + 0.015f * sinf(around * 17))
        color = hill;
    return color;
}

static struct color sky_front(float s, float t)
{
    return sky(2 * s - 1, 2 * t - 1, -1);
}

static struct color sky_right(float s, float t)
{
    return sky(1, 2 * t - 1, 2 * s - 1);
}

static struct color sky_left(float s, float t)
{
    return sky(-1, 2 * t - 1, 1 - 2 * s);
}

static struct color sky_up(float s, float t)
{
    return sky(2 * s - 1, 1, 2 * t - 1);
}

static struct color bricks(float s, float t)
{
    const struct color mortar = {0.30f, 0.28f, 0.27f}, brick = {0.52f, 0.27f, 0.20f};
    const int row = (int)floorf(t * 8);
    const float along = s * 4 + (row % 2 == 0 ? 0.5f : 0.0f), across = t * 8 - (float)row;
    const int column = (int)floorf(along) % 4;
    if (along - floorf(along) < 0.07f || across < 0.14f)
        return mortar;
    return brighter(brick, 0.75f + 0.35f * noise(column, row));
}

static struct color tiles(float s, float t)
{
    const struct color gap = {0.13f, 0.14f, 0.15f}, stone = {0.40f, 0.41f, 0.42f};
    const float x = s * 2 - floorf(s * 2), y = t * 2 - floorf(t * 2);
    if (x < 0.04f || y < 0.04f)
        return gap;
    return brighter(stone, 0.8f + 0.25f * noise((int)(s * 2), (int)(t * 2)));
}

/* A cup above stripes that run to the edge, where clamping shows. */
static struct color poster(float s, float t)
{
    const struct color paper = {0.93f, 0.87f, 0.70f}, red = {0.75f, 0.12f, 0.14f}, blue = {0.12f, 0.22f, 0.55f};
    const float dx = s - 0.5f, dy = t - 0.62f;
    if (t < 0.34f)
        return (int)floorf(s * 8) % 2 == 0 ? red : paper;
    if (dx * dx + dy * dy < 0.055f)
        return dx * dx + dy * dy < 0.018f ? paper : blue;
    return t > 0.9f ? red : paper;
}

/* Rooms and ways of a level from above, up to the edge. */
static struct color map(float s, float t)
{
    const struct color rock = {0.08f, 0.12f, 0.10f}, room = {0.25f, 0.62f, 0.35f}, water = {0.15f, 0.40f, 0.65f},
                       player = {1.0f, 0.95f, 0.3f};
    if (hypotf(s - 0.47f, t - 0.42f) < 0.055f)
        return player;
    const bool hall = (s > 0.30f && s < 0.66f && t > 0.28f && t < 0.60f) || (s > 0.70f && t > 0.68f);
    const bool way = (t > 0.38f && t < 0.48f) || (s > 0.42f && s < 0.52f) || (s > 0.82f && s < 0.90f);
    if (s < 0.24f && t < 0.30f)
        return water;
    return hall || way ? room : rock;
}

/* ---- What is drawn ---- */

/* Four faces of a cube around the eye, which cannot be told from the distance but for their seams. */
static void add_sky(struct scene *scene, const struct camera *camera)
{
    const float x = camera->eye[0], y = camera->eye[1], z = camera->eye[2], r = SKY_REACH;
    const float near = 0.3f, cut = near / (2 * r) + 0.5f; /* the faces beside the eye begin in front of it */
    const struct corner front[4] = {{{x - r, y - r, z - r}, {0, 0}},
                                    {{x + r, y - r, z - r}, {1, 0}},
                                    {{x - r, y + r, z - r}, {0, 1}},
                                    {{x + r, y + r, z - r}, {1, 1}}};
    const struct corner right[4] = {{{x + r, y - r, z - r}, {0, 0}},
                                    {{x + r, y - r, z - near}, {1 - cut, 0}},
                                    {{x + r, y + r, z - r}, {0, 1}},
                                    {{x + r, y + r, z - near}, {1 - cut, 1}}};
    const struct corner left[4] = {{{x - r, y - r, z - near}, {cut, 0}},
                                   {{x - r, y - r, z - r}, {1, 0}},
                                   {{x - r, y + r, z - near}, {cut, 1}},
                                   {{x - r, y + r, z - r}, {1, 1}}};
    const struct corner above[4] = {{{x - r, y + r, z - r}, {0, 0}},
                                    {{x + r, y + r, z - r}, {1, 0}},
                                    {{x - r, y + r, z - near}, {0, 1 - cut}},
                                    {{x + r, y + r, z - near}, {1, 1 - cut}}};
    const struct {
        const struct corner *corners;
        struct color (*paint)(float s, float t);
    } faces[] = {{front, sky_front}, {right, sky_right}, {left, sky_left}, {above, sky_up}};
    for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); i++) {
        struct scene_object *object = scene_add_quad(scene, camera, faces[i].corners, 1);
        object->texture = scene_add_texture(scene, SKY_SIZE, faces[i].paint);
        object->sampler = scene_state(GL_CLAMP, GL_LINEAR, (struct color){0, 0, 0});
    }
}

static void add_walls(struct scene *scene, const struct camera *camera)
{
    const struct color black = {0, 0, 0};
    const struct corner ground[4] = {{{-9, 0, 2.2f}, {-4.5f, 0}},
                                     {{9, 0, 2.2f}, {4.5f, 0}},
                                     {{-9, 0, -6.4f}, {-4.5f, 4.3f}},
                                     {{9, 0, -6.4f}, {4.5f, 4.3f}}};
    const struct corner wall[4] = {{{-2.6f, 0, 2.0f}, {0, 0}},
                                   {{-2.6f, 0, -4.6f}, {3.3f, 0}},
                                   {{-2.6f, 3.0f, 2.0f}, {0, 1.5f}},
                                   {{-2.6f, 3.0f, -4.6f}, {3.3f, 1.5f}}};
    const struct corner sheet[4] = {{{-2.58f, 0.7f, -0.3f}, {-0.22f, -0.15f}},
                                    {{-2.58f, 0.7f, -2.5f}, {1.22f, -0.15f}},
                                    {{-2.58f, 2.4f, -0.3f}, {-0.22f, 1.15f}},
                                    {{-2.58f, 2.4f, -2.5f}, {1.22f, 1.15f}}};
    struct scene_object *object = scene_add_quad(scene, camera, ground, 0.9f);
    object->texture = scene_add_texture(scene, WALL_SIZE, tiles);
    object->sampler = scene_state(GL_REPEAT, GL_LINEAR_MIPMAP_LINEAR, black);
    object = scene_add_quad(scene, camera, wall, 1);
    object->texture = scene_add_texture(scene, WALL_SIZE, bricks);
    object->sampler = scene_state(GL_REPEAT, GL_LINEAR_MIPMAP_LINEAR, black);
    object = scene_add_quad(scene, camera, sheet, 1);
    object->texture = scene_add_texture(scene, POSTER_SIZE, poster);
    object->sampler = scene_state(GL_CLAMP, GL_LINEAR, (struct color){0.20f, 0.10f, 0.03f});
}

/* A rectangle of the screen that is one colour. */
static void add_bar(struct scene *scene, float x, float y, float width, float height, struct color color)
{
    scene_add_plain(scene, (const float[2]){x, y}, (const float[2]){x + width, y + height}, color, color);
}

static void add_hud(struct scene *scene, float aspect)
{
    const struct color dark = {0.08f, 0.08f, 0.09f}, red = {0.85f, 0.16f, 0.12f}, white = {0.95f, 0.95f, 0.95f};
    const float x = 0.52f, y = 0.40f, size = 0.54f;
    struct scene_object *object = &scene->objects[scene->object_count++];
    for (int i = 0; i < 4; i++) {
        const float s = (float)(i & 1), t = (float)(i / 2);
        object->corners[i] = (struct scene_vertex){.position = {x + s * size / aspect, y + t * size, 0, 1},
                                                   .coordinate = {s * 1.24f - 0.12f, t * 1.24f - 0.12f},
                                                   .shade = {1, 1, 1, 1}};
    }
    object->texture = scene_add_texture(scene, MAP_SIZE, map);
    object->sampler = scene_state(GL_CLAMP, GL_LINEAR, (struct color){1.0f, 0.78f, 0.20f});
    add_bar(scene, -0.94f, -0.92f, 0.62f, 0.09f, dark);
    add_bar(scene, -0.925f, -0.90f, 0.44f, 0.05f, red);
    add_bar(scene, -0.025f, -0.004f, 0.05f, 0.008f, white);
    add_bar(scene, -0.003f, -0.033f, 0.006f, 0.066f, white);
}

void scene_create_game(struct scene *scene, uint32_t width, uint32_t height)
{
    const struct camera camera = {
        .aspect = (float)width / (float)height, .focal = 1.05f, .tilt = -0.16f, .turn = 0.22f, .eye = {0, 1.5f, 3.6f}};
    *scene = (struct scene){.object_count = 0};
    add_sky(scene, &camera);
    add_walls(scene, &camera);
    add_hud(scene, camera.aspect);
}
