#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/scene.h"

#define FLOOR_SIZE 256u
#define PAINTING_SIZE 32u

struct color {
    float r, g, b;
};

static struct color mix(struct color a, struct color b, float t)
{
    return (struct color){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
}

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
    return square ? mix(teal, hem, 0.35f) : mix(cream, teal, 0.25f);
}

/* A landscape: a sun at the upper left, hills, a lake. It has no symmetry, so that mirroring shows. */
static struct color landscape(float x, float y)
{
    const struct color zenith = {0.16f, 0.35f, 0.70f}, horizon = {0.98f, 0.80f, 0.55f}, sun = {1.0f, 0.95f, 0.70f},
                       far_hill = {0.35f, 0.40f, 0.55f}, near_hill = {0.16f, 0.42f, 0.22f},
                       lake = {0.25f, 0.55f, 0.70f};
    struct color color = mix(horizon, zenith, fminf(fmaxf((y - 0.4f) / 0.6f, 0), 1));
    float sun_distance = hypotf(x - 0.27f, y - 0.74f);
    color = mix(sun, color, fminf(fmaxf((sun_distance - 0.09f) / 0.05f, 0), 1));
    if (y < 0.50f + 0.13f * sinf(x * 7 + 0.6f))
        color = far_hill;
    if (y < 0.20f + 0.22f * x * x + 0.05f * sinf(x * 14))
        color = near_hill;
    if (y < 0.16f && x < 0.62f)
        color = mix(lake, horizon, fmaxf(0.0f, 0.6f - 4 * fabsf(x - 0.27f)));
    return color;
}

static void average_level(const uint8_t *above, uint32_t size, uint8_t *level)
{
    for (uint32_t y = 0; y < size / 2; y++) {
        for (uint32_t x = 0; x < size / 2; x++) {
            for (uint32_t c = 0; c < 4; c++) {
                const uint8_t *from = above + ((size_t)y * 2 * size + (size_t)x * 2) * 4 + c;
                level[((size_t)y * size / 2 + x) * 4 + c] =
                    (uint8_t)((from[0] + from[4] + from[(size_t)size * 4] + from[(size_t)size * 4 + 4] + 2) / 4);
            }
        }
    }
}

static struct lookup_texture create_texture(uint32_t size, struct color (*paint)(float x, float y))
{
    struct lookup_texture texture = {.dimension = LOOKUP_2D, .format = LOOKUP_RGBA8, .width = size, .height = size};
    for (uint32_t extent = size; extent; extent /= 2)
        texture.levels++;
    uint8_t *texels = harness_alloc(lookup_texel_count(&texture), 4);
    texture.texels = texels;
    for (uint32_t y = 0; y < size; y++) {
        for (uint32_t x = 0; x < size; x++) {
            struct color color = paint(((float)x + 0.5f) / (float)size, ((float)y + 0.5f) / (float)size);
            uint8_t *texel = texels + ((size_t)y * size + x) * 4;
            texel[0] = to_byte(color.r);
            texel[1] = to_byte(color.g);
            texel[2] = to_byte(color.b);
            texel[3] = 255;
        }
    }
    for (uint32_t extent = size; extent > 1; extent /= 2) {
        uint8_t *next = texels + (size_t)extent * extent * 4;
        average_level(texels, extent, next);
        texels = next;
    }
    return texture;
}

/* A camera that looks along -z, tilted down a little; world units are metres. */
static void project(float aspect, const float world[3], float clip[4])
{
    const float eye[3] = {0, 1.55f, 3.6f}, tilt = 0.26f, focal = 1.75f, near_plane = 0.1f;
    float x = world[0] - eye[0], y = world[1] - eye[1], z = world[2] - eye[2];
    float view_y = y * cosf(tilt) - z * sinf(tilt), view_z = y * sinf(tilt) + z * cosf(tilt);
    clip[0] = focal * x / aspect;
    clip[1] = focal * view_y;
    clip[2] = -view_z - near_plane; /* between 0 and w for everything in front of the near plane */
    clip[3] = -view_z;
}

struct corner {
    float world[3];
    float coordinate[2];
};

static struct scene_object *add_quad(struct scene *scene, float aspect, const struct corner corners[4], float light)
{
    struct scene_object *object = &scene->objects[scene->object_count++];
    for (int i = 0; i < 4; i++) {
        struct scene_vertex *vertex = &object->corners[i];
        project(aspect, corners[i].world, vertex->position);
        memcpy(vertex->coordinate, corners[i].coordinate, sizeof vertex->coordinate);
        vertex->shade[0] = vertex->shade[1] = vertex->shade[2] = light;
        vertex->shade[3] = 1;
    }
    return object;
}

static void add_sky(struct scene *scene)
{
    struct scene_object *object = &scene->objects[scene->object_count++];
    const struct color top = {0.10f, 0.12f, 0.18f}, bottom = {0.33f, 0.36f, 0.44f};
    for (int i = 0; i < 4; i++) {
        struct color color = i < 2 ? bottom : top;
        object->corners[i] = (struct scene_vertex){.position = {i & 1 ? 1 : -1, i < 2 ? -1 : 1, 0, 1},
                                                   .shade = {color.r, color.g, color.b, 0}};
    }
}

static VkSamplerGLStateCreateInfoCLAMPLER state_of(uint32_t wrap_s, uint32_t wrap_t, uint32_t min_filter,
                                                   uint32_t mag_filter, struct color border)
{
    return (VkSamplerGLStateCreateInfoCLAMPLER){.wrapS = wrap_s,
                                                .wrapT = wrap_t,
                                                .wrapR = GL_REPEAT,
                                                .minFilter = min_filter,
                                                .magFilter = mag_filter,
                                                .minLod = -1000,
                                                .maxLod = 1000,
                                                .borderColor = {.float32 = {border.r, border.g, border.b, 1}}};
}

static void add_floor(struct scene *scene, float aspect)
{
    const struct corner corners[4] = {
        {{-6, 0, 3.2f}, {-1.5f, -0.55f}},
        {{6, 0, 3.2f}, {2.5f, -0.55f}},
        {{-6, 0, -12}, {-1.5f, 4.51f}},
        {{6, 0, -12}, {2.5f, 4.51f}},
    };
    struct scene_object *object = add_quad(scene, aspect, corners, 1.0f);
    object->texture = 0;
    object->sampler =
        state_of(GL_CLAMP, GL_CLAMP, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, (struct color){0.95f, 0.62f, 0.12f});
}

/* A painting that stands on the floor around x; its coordinates run over [s0, s1] x [t0, t1]. */
static struct scene_object *add_painting(struct scene *scene, float aspect, float x, const float s[2], const float t[2],
                                         float light)
{
    const float half = 0.78f, low = 0.18f, high = 1.74f, z = -1.0f, turn = x * -0.18f;
    const struct corner corners[4] = {
        {{x - half, low, z - turn}, {s[0], t[0]}},
        {{x + half, low, z + turn}, {s[1], t[0]}},
        {{x - half, high, z - turn}, {s[0], t[1]}},
        {{x + half, high, z + turn}, {s[1], t[1]}},
    };
    struct scene_object *object = add_quad(scene, aspect, corners, light);
    object->texture = 1;
    return object;
}

void scene_create(struct scene *scene, uint32_t width, uint32_t height, bool mirror_clamp)
{
    const float aspect = (float)width / (float)height;
    const float outside[2] = {-0.30f, 1.30f}, mirrored[2] = {-1.42f, -0.06f}, upright[2] = {0.06f, 1.42f};
    *scene = (struct scene){.object_count = 0};
    scene->textures[0] = create_texture(FLOOR_SIZE, rug);
    scene->textures[1] = create_texture(PAINTING_SIZE, landscape);
    add_sky(scene);
    add_floor(scene, aspect);
    /* The mirror modes stay away from s = 0, where Mesa's OpenGL does not follow the specification. */
    add_painting(scene, aspect, 0, outside, outside, 1.0f)->sampler =
        state_of(GL_CLAMP, GL_CLAMP, GL_LINEAR, GL_LINEAR, (struct color){0.85f, 0.10f, 0.45f});
    if (mirror_clamp) {
        add_painting(scene, aspect, -1.9f, mirrored, upright, 0.95f)->sampler = state_of(
            GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_EXT, GL_LINEAR, GL_LINEAR, (struct color){0.20f, 0.85f, 0.35f});
        add_painting(scene, aspect, 1.9f, mirrored, upright, 0.95f)->sampler =
            state_of(GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_LINEAR, GL_LINEAR,
                     (struct color){0.15f, 0.75f, 0.95f});
    }
}

void scene_destroy(struct scene *scene)
{
    for (int i = 0; i < SCENE_TEXTURES; i++)
        free((void *)(uintptr_t)scene->textures[i].texels);
    *scene = (struct scene){0};
}
