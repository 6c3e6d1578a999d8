#include <stdio.h>
#include <stdlib.h>

#include "harness/lookup.h"
#include "harness/lookup_table.h"
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
    lookups->programs = harness_alloc(lookup_module_count, sizeof *lookups->programs);
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
        [LOOKUP_CUBE] = GL_TEXTURE_CUBE_MAP,
    };
    return targets[dimension];
}

GLuint lookup_gl_image(const struct harness_gl *gl, const struct lookup_texture *texture)
{
    static const struct {
        GLenum internal_format, format, type;
    } formats[] = {
        [LOOKUP_RGBA8] = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
        [LOOKUP_RGBA32F] = {GL_RGBA32F, GL_RGBA, GL_FLOAT},
        [LOOKUP_RGBA8UI] = {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE},
        [LOOKUP_DEPTH32F] = {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
        [LOOKUP_DEPTH16] = {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT},
    };
    struct harness_gl_image_params params = {.target = lookup_gl_target(texture->dimension),
                                             .internal_format = formats[texture->format].internal_format,
                                             .format = formats[texture->format].format,
                                             .type = formats[texture->format].type,
                                             .width = texture->width,
                                             .height = texture->height,
                                             .depth = texture->depth,
                                             .layers = texture->layers,
                                             .levels = texture->levels,
                                             .texel_size = lookup_texel_size(texture->format)};
    return harness_gl_image(gl, &params, texture->texels);
}

static GLuint program_of(struct lookup_gl *lookups, const struct lookup_module *module)
{
    GLuint *place = &lookups->programs[module - lookup_modules];
    char defines[1024];
    if (*place)
        return *place;
    /* Rectangle textures have a sampler type of their own and no LOD. */
    bool rectangle = module->dimension == LOOKUP_RECTANGLE;
    snprintf(defines, sizeof defines, "#define STAGE_FRAGMENT\n#define SAMPLER %s\n#define LOOKUP %s\n",
             rectangle ? "sampler2DRect" : module->sampler_type, rectangle ? "texture(S, d.p.xy)" : module->expression);
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
                      (GLsizeiptr)((size_t)lookups->grid.width * lookups->grid.height * sizeof *inputs), inputs);
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
