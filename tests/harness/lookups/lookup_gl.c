/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lookups/lookup.h"
#include "harness/lookups/lookup_table.h"
#include "lookup_source.h"

/* As shaders/tests/fullscreen.vert: within the clip volume, under a viewport of twice the target's size. */
static const char fullscreen_source[] =
    "#version 430 compatibility\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0); }\n";

void lookup_gl_open(struct lookup_gl *lookups, struct harness_gl *gl, struct lookup_grid grid)
{
    *lookups = (struct lookup_gl){.gl = gl, .grid = grid};
    harness_gl_target_create(gl, &lookups->target, GL_RGBA32F, grid.width, grid.height);
    gl->GenBuffers(1, &lookups->buffer);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, lookups->buffer);
    gl->BufferData(GL_SHADER_STORAGE_BUFFER,
                   (GLsizeiptr)((size_t)grid.width * grid.height * sizeof(struct lookup_input)), NULL, GL_STREAM_DRAW);
    lookups->programs = harness_alloc(lookup_module_count, sizeof(*lookups->programs));
    harness_gl_check("lookup_gl_open");
}

void lookup_gl_close(struct lookup_gl *lookups)
{
    for (size_t i = 0; i < lookup_module_count; i++)
        lookups->gl->DeleteProgram(lookups->programs[i]);
    free(lookups->programs);
    lookups->gl->DeleteBuffers(1, &lookups->buffer);
    harness_gl_target_destroy(lookups->gl, &lookups->target);
    *lookups = (struct lookup_gl){0};
}

GLenum lookup_gl_target(enum lookup_dimension dimension)
{
    static const GLenum targets[LOOKUP_DIMENSIONS] = {
        [LOOKUP_1D] = GL_TEXTURE_1D,         [LOOKUP_1D_ARRAY] = GL_TEXTURE_1D_ARRAY,
        [LOOKUP_2D] = GL_TEXTURE_2D,         [LOOKUP_2D_ARRAY] = GL_TEXTURE_2D_ARRAY,
        [LOOKUP_3D] = GL_TEXTURE_3D,         [LOOKUP_RECTANGLE] = GL_TEXTURE_RECTANGLE,
        [LOOKUP_CUBE] = GL_TEXTURE_CUBE_MAP, [LOOKUP_CUBE_ARRAY] = GL_TEXTURE_CUBE_MAP_ARRAY,
    };
    return targets[dimension];
}

GLenum lookup_gl_internal_format(enum lookup_format format, GLenum base_format)
{
    static const GLenum bases[] = {GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY, GL_RED, GL_RG,
                                   GL_RGB,   GL_RGBA};
    enum { BASES = sizeof(bases) / sizeof(bases[0]) };
    static const struct {
        enum format_class class;
        uint32_t bits;
        bool srgb;
        GLenum sized[BASES];
    } table[] = {
        {FORMAT_UNORM,
         8,
         false,
         {GL_ALPHA8, GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8, GL_INTENSITY8, GL_R8, GL_RG8, GL_RGB8, GL_RGBA8}},
        {FORMAT_UNORM, 8, true, {0, GL_SLUMINANCE8, GL_SLUMINANCE8_ALPHA8, 0, 0, 0, GL_SRGB8, GL_SRGB8_ALPHA8}},
        {FORMAT_UNORM,
         16,
         false,
         {GL_ALPHA16, GL_LUMINANCE16, GL_LUMINANCE16_ALPHA16, GL_INTENSITY16, GL_R16, GL_RG16, GL_RGB16, GL_RGBA16}},
        {FORMAT_SNORM,
         8,
         false,
         {GL_ALPHA8_SNORM, GL_LUMINANCE8_SNORM, GL_LUMINANCE8_ALPHA8_SNORM, GL_INTENSITY8_SNORM, GL_R8_SNORM,
          GL_RG8_SNORM, GL_RGB8_SNORM, GL_RGBA8_SNORM}},
        {FORMAT_FLOAT,
         16,
         false,
         {GL_ALPHA16F_ARB, GL_LUMINANCE16F_ARB, GL_LUMINANCE_ALPHA16F_ARB, GL_INTENSITY16F_ARB, GL_R16F, GL_RG16F,
          GL_RGB16F, GL_RGBA16F}},
        {FORMAT_FLOAT,
         32,
         false,
         {GL_ALPHA32F_ARB, GL_LUMINANCE32F_ARB, GL_LUMINANCE_ALPHA32F_ARB, GL_INTENSITY32F_ARB, GL_R32F, GL_RG32F,
          GL_RGB32F, GL_RGBA32F}},
        {FORMAT_UINT,
         8,
         false,
         {GL_ALPHA8UI_EXT, GL_LUMINANCE8UI_EXT, GL_LUMINANCE_ALPHA8UI_EXT, GL_INTENSITY8UI_EXT, GL_R8UI, GL_RG8UI,
          GL_RGB8UI, GL_RGBA8UI}},
        {FORMAT_INT,
         8,
         false,
         {GL_ALPHA8I_EXT, GL_LUMINANCE8I_EXT, GL_LUMINANCE_ALPHA8I_EXT, GL_INTENSITY8I_EXT, GL_R8I, GL_RG8I, GL_RGB8I,
          GL_RGBA8I}},
    };
    const struct format *about = format_of(format);
    if (!base_format || format_is_depth(format))
        return about->gl_internal;
    for (size_t row = 0; row < sizeof(table) / sizeof(table[0]); row++)
        for (size_t i = 0; i < BASES; i++)
            if (table[row].class == about->class && table[row].bits == about->bits && table[row].srgb == about->srgb &&
                bases[i] == base_format)
                return table[row].sized[i];
    return 0;
}

/* How the bytes are named so that their channels land where the layer looks for them. */
static GLenum upload_format(const struct format *format, GLenum base_format)
{
    bool integer = format->class == FORMAT_UINT || format->class == FORMAT_INT;
    if (format->channels == 1 && base_format == GL_ALPHA)
        return integer ? GL_ALPHA_INTEGER : GL_ALPHA;
    if (format->channels == 2 && base_format == GL_LUMINANCE_ALPHA)
        return integer ? GL_LUMINANCE_ALPHA_INTEGER_EXT : GL_LUMINANCE_ALPHA;
    return format->gl_format;
}

static struct harness_gl_image_params image_params(const struct lookup_texture *texture, GLenum base_format)
{
    const struct format *format = format_of(texture->format);
    return (struct harness_gl_image_params){.target = lookup_gl_target(texture->dimension),
                                            .internal_format = lookup_gl_internal_format(texture->format, base_format),
                                            .format = upload_format(format, base_format),
                                            .type = format->gl_type,
                                            .width = texture->width,
                                            .height = texture->height,
                                            .depth = texture->depth,
                                            .layers = texture->layers,
                                            .levels = texture->levels,
                                            .texel_size = format->size,
                                            .block_side = format->side,
                                            .bordered = texture->bordered};
}

GLuint lookup_gl_image(const struct harness_gl *gl, const struct lookup_texture *texture, GLenum base_format)
{
    const struct harness_gl_image_params params = image_params(texture, base_format);
    return harness_gl_image(gl, &params, texture->texels);
}

GLuint lookup_gl_try_image(const struct harness_gl *gl, const struct lookup_texture *texture, GLenum base_format,
                           GLenum *error)
{
    const struct harness_gl_image_params params = image_params(texture, base_format);
    return harness_gl_try_image(gl, &params, texture->texels, error);
}

static GLuint program_of(struct lookup_gl *lookups, const struct lookup_module *module)
{
    GLuint *place = &lookups->programs[module - lookup_modules];
    char defines[1024];
    if (*place)
        return *place;
    /* Rectangle textures have sampler types of their own: sampler2DRect, usampler2DRectShadow and so on. */
    const char *type = module->sampler_type, *two = strstr(type, "2D");
    int before = module->dimension == LOOKUP_RECTANGLE && two ? (int)(two + 2 - type) : (int)strlen(type);
    snprintf(defines, sizeof(defines), "#define STAGE_FRAGMENT\n%s#define SAMPLER %.*s%s%s\n#define LOOKUP %s\n",
             strstr(module->expression, "ClampARB") ? "#define MIN_LOD\n" : "", before, type,
             module->dimension == LOOKUP_RECTANGLE ? "Rect" : "", type + before, module->expression);
    *place = harness_gl_program(lookups->gl, fullscreen_source, lookup_source, defines);
    return *place;
}

void lookup_gl_run(struct lookup_gl *lookups, const struct lookup *lookup, GLuint texture, GLuint sampler,
                   const struct lookup_input *inputs, float *rgba)
{
    struct harness_gl *gl = lookups->gl;
    struct lookup in_fragment = *lookup;
    in_fragment.stage = LOOKUP_FRAGMENT;
    in_fragment.separate = false;
    const struct lookup_module *module = lookup_find(&in_fragment);
    if (!module)
        harness_fail("no such lookup: dimension %d, operation %d, kind %d", lookup->dimension, lookup->operation,
                     lookup->kind);
    GLuint program = program_of(lookups, module);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, lookups->buffer);
    gl->BufferSubData(GL_SHADER_STORAGE_BUFFER, 0,
                      (GLsizeiptr)((size_t)lookups->grid.width * lookups->grid.height * sizeof(*inputs)), inputs);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, lookups->buffer);
    gl->ActiveTexture(GL_TEXTURE0);
    glBindTexture(lookup_gl_target(lookup->dimension), texture);
    gl->BindSampler(0, sampler);
    harness_gl_target_begin(gl, &lookups->target);
    glViewport(0, 0, (GLsizei)lookups->grid.width * 2, (GLsizei)lookups->grid.height * 2);
    gl->UseProgram(program);
    gl->Uniform1i(gl->GetUniformLocation(program, "grid_width"), (GLint)lookups->grid.width);
    gl->Uniform1i(gl->GetUniformLocation(program, "grid_height"), (GLint)lookups->grid.height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    harness_gl_target_read(&lookups->target, GL_RGBA, GL_FLOAT, rgba);
}
