/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "demo/parts.h"

struct color color_mix(struct color a, struct color b, float t)
{
    return (struct color){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
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

uint32_t scene_add_texture(struct scene *scene, uint32_t size, struct color (*paint)(float x, float y))
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
    scene->textures[scene->texture_count] = texture;
    return scene->texture_count++;
}

static void project(const struct camera *camera, const float world[3], float clip[4])
{
    const float near_plane = 0.1f;
    const float x = world[0] - camera->eye[0], y = world[1] - camera->eye[1], z = world[2] - camera->eye[2];
    const float view_x = x * cosf(camera->turn) + z * sinf(camera->turn);
    const float ahead_z = z * cosf(camera->turn) - x * sinf(camera->turn);
    const float view_y = y * cosf(camera->tilt) - ahead_z * sinf(camera->tilt);
    const float view_z = y * sinf(camera->tilt) + ahead_z * cosf(camera->tilt);
    clip[0] = camera->focal * view_x / camera->aspect;
    clip[1] = camera->focal * view_y;
    clip[2] = -view_z - near_plane; /* between 0 and w for everything in front of the near plane */
    clip[3] = -view_z;
}

struct scene_object *scene_add_quad(struct scene *scene, const struct camera *camera, const struct corner corners[4],
                                    float light)
{
    struct scene_object *object = &scene->objects[scene->object_count++];
    for (int i = 0; i < 4; i++) {
        struct scene_vertex *vertex = &object->corners[i];
        project(camera, corners[i].world, vertex->position);
        memcpy(vertex->coordinate, corners[i].coordinate, sizeof(vertex->coordinate));
        vertex->shade[0] = vertex->shade[1] = vertex->shade[2] = light;
        vertex->shade[3] = 1;
    }
    return object;
}

void scene_add_plain(struct scene *scene, const float low[2], const float high[2], struct color bottom,
                     struct color top)
{
    struct scene_object *object = &scene->objects[scene->object_count++];
    for (int i = 0; i < 4; i++) {
        const struct color color = i < 2 ? bottom : top;
        object->corners[i] = (struct scene_vertex){
            .position = {i & 1 ? high[0] : low[0], i < 2 ? low[1] : high[1], 0, 1},
            .shade = {color.r, color.g, color.b, 0},
        };
    }
}

VkSamplerGLStateCreateInfoCLAMPLER scene_state(uint32_t wrap, uint32_t min_filter, struct color border)
{
    return (VkSamplerGLStateCreateInfoCLAMPLER){.wrapS = wrap,
                                                .wrapT = wrap,
                                                .wrapR = GL_REPEAT,
                                                .minFilter = min_filter,
                                                .magFilter = GL_LINEAR,
                                                .minLod = -1000,
                                                .maxLod = 1000,
                                                .borderColor = {.float32 = {border.r, border.g, border.b, 1}}};
}
