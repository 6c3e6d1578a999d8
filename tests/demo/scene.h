/* SPDX-License-Identifier: MIT */
/*
 * The demo's scenes as plain data: a gallery, a floor in perspective and three paintings, each with GL sampler state
 * that Vulkan has no word for; and a game, what a player sees of the same. Drawn in the order of the objects, without a
 * depth buffer.
 */
#ifndef CLAMPLER_DEMO_SCENE_H
#define CLAMPLER_DEMO_SCENE_H

#include <stdint.h>

#include "harness/lookups/lookup.h"

#define SCENE_OBJECTS 24
#define SCENE_TEXTURES 8

struct scene_vertex {
    float position[4];   /* clip space, y up */
    float coordinate[2]; /* s, t */
    float shade[4];      /* rgb: light; a: 1 textured, 0 plain */
};

struct scene_object {
    struct scene_vertex corners[4]; /* a triangle strip */
    uint32_t texture;               /* index */
    VkSamplerGLStateCreateInfoCLAMPLER sampler;
};

struct scene {
    struct lookup_texture textures[SCENE_TEXTURES]; /* RGBA8, all mip levels */
    struct scene_object objects[SCENE_OBJECTS];
    uint32_t texture_count, object_count;
};

/* Builds the gallery for pictures of the given shape. `mirror_clamp`: whether OpenGL has EXT_texture_mirror_clamp. */
void scene_create(struct scene *scene, uint32_t width, uint32_t height, bool mirror_clamp);
/* The game (game.c): a skybox, a wall with a poster and a map in a corner of the screen, clamped with GL_CLAMP. */
void scene_create_game(struct scene *scene, uint32_t width, uint32_t height);

void scene_destroy(struct scene *scene);

/* Each draws the scene into RGBA8 pixels, rows from the bottom. */
void scene_draw_gl(struct harness_gl *gl, const struct scene *scene, uint32_t width, uint32_t height, uint8_t *pixels);
void scene_draw_vulkan(struct harness_vulkan *vk, const struct scene *scene, enum lookup_sampler_form form,
                       uint32_t width, uint32_t height, uint8_t *pixels);

#endif
