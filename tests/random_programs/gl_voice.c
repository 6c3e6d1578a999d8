/* SPDX-License-Identifier: MIT */
/* Programs drawn as OpenGL calls. */
#define GL_GLEXT_PROTOTYPES
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "voices.h"

struct gl_voice {
    struct harness_gl gl;
    GLuint framebuffer, color, paint, results;
    GLuint levels, levels_texture; /* what struct shift gives */
    const float *levels_held;
    GLuint *programs; /* by shader */
    GLuint helpers[RANDOM_HELPERS];
    GLuint textures[TEXTURES], buffers[TEXTURES], samplers[SAMPLERS];
    GLuint uneven; /* a cube whose faces differ, for one lookup */
    struct machine machine;
};
static struct gl_voice voice;

/* Behind those of programs and the one that uploads. */
enum { LEVELS_UNIT = UNITS + 1 };

/* ---- errors ---- */

/* The first error of a program; what OpenGL itself says of it, where it has KHR_debug. */
static struct {
    uint32_t number; /* of the operation */
    bool unsupported;
    char error[512], said[256];
} trouble;

static void GLAPIENTRY on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                  const GLchar *message, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length, (void)user;
    if (type == GL_DEBUG_TYPE_ERROR)
        snprintf(trouble.said, sizeof(trouble.said), "%.200s", message);
}

/* After each call that may be refused: which one it was, and of what. */
static void called(const char *call, const struct texture_state *t)
{
    static const char *const targets[RANDOM_TARGETS] = {"1D",       "2D",         "3D",        "CUBE",  "1D_ARRAY",
                                                        "2D_ARRAY", "CUBE_ARRAY", "RECTANGLE", "BUFFER"};
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR || trouble.error[0])
        return;
    snprintf(trouble.error, sizeof(trouble.error), "0x%04x to %s, operation %u, of %s %s %dx%dx%d, %d levels; %s",
             error, call, (unsigned)trouble.number, t ? targets[t->target] : "no texture", t ? t->format->name : "",
             t ? t->width : 0, t ? t->height : 0, t ? t->depth : 0, t ? t->levels : 0,
             trouble.said[0] ? trouble.said : "it says no more");
    while (glGetError() != GL_NO_ERROR)
        ;
}

static GLenum target_of(enum random_target target)
{
    static const GLenum targets[RANDOM_TARGETS] = {GL_TEXTURE_1D,
                                                   GL_TEXTURE_2D,
                                                   GL_TEXTURE_3D,
                                                   GL_TEXTURE_CUBE_MAP,
                                                   GL_TEXTURE_1D_ARRAY,
                                                   GL_TEXTURE_2D_ARRAY,
                                                   GL_TEXTURE_CUBE_MAP_ARRAY,
                                                   GL_TEXTURE_RECTANGLE,
                                                   GL_TEXTURE_BUFFER};
    return targets[target];
}

/* ---- programs ---- */

static GLuint compile(GLenum stage, const char *source, const char *defines)
{
    const char *body = strchr(source, '\n') + 1; /* behind #version 450 */
    const char *parts[] = {"#version 450 compatibility\n", defines, body};
    GLuint shader = glCreateShader(stage);
    GLint good = 0;
    char log[2048] = "";
    glShaderSource(shader, 3, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof(log), NULL, log);
    if (!good)
        harness_fail("glCompileShader: %s\nwith\n%s", log, defines);
    return shader;
}

static const GLenum stage_names[RANDOM_STAGES] = {GL_FRAGMENT_SHADER,        GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER,
                                                  GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER, GL_COMPUTE_SHADER};

static void attach(GLuint program, const struct random_shader *shader, bool paint)
{
    GLuint part =
        compile(stage_names[shader->stage], paint ? random_paint_source : random_lookup_source, shader->defines);
    glAttachShader(program, part);
    glDeleteShader(part);
}

static void attach_helper(GLuint program, enum random_helper helper)
{
    attach(program, &random_helpers[helper], helper >= HELPER_PAINT_FLOAT);
}

static void link_program(GLuint program)
{
    GLint good = 0;
    char log[2048] = "";
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    glGetProgramInfoLog(program, sizeof(log), NULL, log);
    if (!good)
        harness_fail("glLinkProgram: %s", log);
}

static GLuint program_of(const struct random_shader *shader)
{
    GLuint *place = &voice.programs[shader - random_shaders];
    if (*place)
        return *place;
    *place = glCreateProgram();
    attach(*place, shader, false);
    if (shader->stage != STAGE_COMP) {
        if (shader->stage == STAGE_FRAG)
            attach_helper(*place, HELPER_FULL_VERT);
        else
            attach_helper(*place, HELPER_FLAT_FRAG);
        if (shader->stage == STAGE_TESC || shader->stage == STAGE_TESE || shader->stage == STAGE_GEOM)
            attach_helper(*place, HELPER_PASS_VERT);
        if (shader->stage == STAGE_TESC)
            attach_helper(*place, HELPER_TESE_OF_TESC);
        if (shader->stage == STAGE_TESE)
            attach_helper(*place, HELPER_PASS_TESC);
    }
    link_program(*place);
    return *place;
}

static GLuint painter_of(enum random_helper helper)
{
    GLuint *place = &voice.helpers[helper];
    if (!*place) {
        *place = glCreateProgram();
        attach_helper(*place, helper);
        attach_helper(*place, HELPER_FULL_VERT);
        link_program(*place);
    }
    return *place;
}

/* ---- textures ---- */

static void upload_blocks(const struct texture_state *t, int level, const unsigned char *texels, GLsizei face)
{
    const GLenum target = target_of(t->target), internal = t->format->internal;
    const int w = level_size(t->width, level), h = level_size(t->height, level);
    if (t->target == RANDOM_2D)
        glCompressedTexImage2D(target, level, internal, w, h, 0, face, texels);
    else if (t->target == RANDOM_CUBE)
        for (unsigned i = 0; i < 6; i++)
            glCompressedTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, level, internal, w, h, 0, face,
                                   texels + i * (size_t)face);
    else
        glCompressedTexImage3D(target, level, internal, w, h, texture_faces(t), 0, face * texture_faces(t), texels);
    called("glCompressedTexImage", t);
}

static void upload_level(const struct texture_state *t, int level, uint64_t seed)
{
    const struct format *f = t->format;
    const GLenum target = target_of(t->target);
    int size[3];
    image_size(t, level, size);
    const int w = size[0], h = size[1], d = size[2];
    const size_t count = texels_count(t, level);
    uint32_t *codes = texels_make(t, level, seed);
    unsigned char *texels = texels_for_gl(f, codes, count);
    const size_t face = count / (size_t)texture_faces(t) * (size_t)f->channels * (size_t)f->bits / 8;
    const GLint internal = (GLint)f->internal;
    if (f->texels == TEXEL_BLOCK) {
        upload_blocks(t, level, texels, (GLsizei)face);
        free(texels);
        free(codes);
        return;
    }
    switch (t->target) {
    case RANDOM_1D:
        glTexImage1D(target, level, internal, w, 0, f->format, f->type, texels);
        break;
    case RANDOM_2D:
    case RANDOM_RECTANGLE:
        glTexImage2D(target, level, internal, w, h, 0, f->format, f->type, texels);
        break;
    case RANDOM_1D_ARRAY:
        glTexImage2D(target, level, internal, w, t->layers, 0, f->format, f->type, texels);
        break;
    case RANDOM_CUBE:
        for (unsigned i = 0; i < 6; i++)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, level, internal, w, h, 0, f->format, f->type,
                         texels + i * face);
        break;
    case RANDOM_3D:
        glTexImage3D(target, level, internal, w, h, d, 0, f->format, f->type, texels);
        break;
    default:
        glTexImage3D(target, level, internal, w, h, texture_faces(t), 0, f->format, f->type, texels);
        break;
    }
    called("glTexImage", t);
    free(texels);
    free(codes);
}

static void upload_buffer(const struct texture_state *t, int slot, uint64_t seed)
{
    uint32_t *codes = texels_make(t, 0, seed);
    void *texels = texels_for_gl(t->format, codes, (size_t)t->width);
    glBindBuffer(GL_TEXTURE_BUFFER, voice.buffers[slot]);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(t->width * t->format->channels * t->format->bits / 8), texels,
                 GL_STATIC_DRAW);
    called("glBufferData", t);
    free(texels);
    free(codes);
}

static void drop_texture(int slot)
{
    glDeleteTextures(1, &voice.textures[slot]);
    glDeleteBuffers(1, &voice.buffers[slot]);
    voice.textures[slot] = voice.buffers[slot] = 0;
}

static void make_texture(const struct texture_state *t, int slot, uint64_t seed)
{
    drop_texture(slot);
    glGenTextures(1, &voice.textures[slot]);
    glActiveTexture(GL_TEXTURE0 + UNITS);
    glBindTexture(target_of(t->target), voice.textures[slot]);
    if (t->target == RANDOM_BUFFER) {
        glGenBuffers(1, &voice.buffers[slot]);
        upload_buffer(t, slot, seed);
        glTexBuffer(GL_TEXTURE_BUFFER, t->format->internal, voice.buffers[slot]);
        called("glTexBuffer", t);
    } else {
        for (int level = 0; level < t->levels; level++)
            upload_level(t, level, seed);
    }
}

/* Binds a texture so that all of its levels count, whatever lookups see. */
static void bind_whole(const struct texture_state *t, int slot)
{
    glActiveTexture(GL_TEXTURE0 + UNITS);
    glBindTexture(target_of(t->target), voice.textures[slot]);
    if (t->target != RANDOM_RECTANGLE && t->target != RANDOM_BUFFER) {
        glTexParameteri(target_of(t->target), GL_TEXTURE_BASE_LEVEL, 0);
        glTexParameteri(target_of(t->target), GL_TEXTURE_MAX_LEVEL, t->levels - 1);
    }
}

/* NVIDIA's OpenGL may lose what is uploaded to a level that lookups do not see. */
static void upload(const struct texture_state *t, int slot, int level, uint64_t seed)
{
    bind_whole(t, slot);
    if (t->target == RANDOM_BUFFER)
        upload_buffer(t, slot, seed);
    else
        upload_level(t, level, seed);
}

/* Copies ask for complete textures, by the state that each has itself. */
static void complete(const struct texture_state *t, int slot)
{
    const GLenum target = target_of(t->target);
    bind_whole(t, slot);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    called("glTexParameter before a copy", t);
}

static void copy(const struct texture_state *from, int from_slot, const struct texture_state *to, int to_slot)
{
    const int w = from->width < to->width ? from->width : to->width;
    const bool rows = from->target == RANDOM_1D_ARRAY; /* whose layers are y */
    const int h = rows ? (from->layers < to->layers ? from->layers : to->layers)
                       : (from->height < to->height ? from->height : to->height);
    const int a = from->target == RANDOM_3D ? from->depth : rows ? 1 : texture_faces(from);
    const int b = to->target == RANDOM_3D ? to->depth : rows ? 1 : texture_faces(to);
    complete(from, from_slot);
    complete(to, to_slot);
    glCopyImageSubData(voice.textures[from_slot], target_of(from->target), 0, 0, 0, 0, voice.textures[to_slot],
                       target_of(to->target), 0, 0, 0, 0, w, h, a < b ? a : b);
    called("glCopyImageSubData", to);
}

/* ---- state of a lookup ---- */

static void set_border(const struct lookup *l, GLuint sampler, GLenum target)
{
    GLint integers[4];
    GLuint naturals[4];
    const bool without_alpha = l->texture->format->alpha_zero;
    const enum texel_kind kind = l->texture->format->texels;
    const float least = (kind == TEXEL_F11 || kind == TEXEL_E5) && !random_drawable.unsigned_border ? 0 : -INFINITY;
    const float colour[4] = {fmaxf(l->sampler.border[0], least), fmaxf(l->sampler.border[1], least),
                             fmaxf(l->sampler.border[2], least), without_alpha ? 0 : l->sampler.border[3]};
    for (int i = 0; i < 4; i++) {
        integers[i] = (GLint)lrintf(l->sampler.border[i]);
        naturals[i] = (GLuint)(integers[i] < 0 ? 0 : integers[i]);
    }
    if (l->type == SAMPLE_FLOAT && sampler)
        glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, colour);
    else if (l->type == SAMPLE_FLOAT)
        glTexParameterfv(target, GL_TEXTURE_BORDER_COLOR, colour);
    else if (l->type == SAMPLE_INT && sampler)
        glSamplerParameterIiv(sampler, GL_TEXTURE_BORDER_COLOR, integers);
    else if (l->type == SAMPLE_INT)
        glTexParameterIiv(target, GL_TEXTURE_BORDER_COLOR, integers);
    else if (sampler)
        glSamplerParameterIuiv(sampler, GL_TEXTURE_BORDER_COLOR, naturals);
    else
        glTexParameterIuiv(target, GL_TEXTURE_BORDER_COLOR, naturals);
}

static void set_state(const struct lookup *l, GLuint sampler, float more_bias)
{
    const GLenum target = target_of(l->texture->target);
    const struct sampler_state *s = &l->sampler;
    const struct {
        GLenum name;
        GLint value;
    } integers[] = {
        {GL_TEXTURE_WRAP_S, (GLint)s->wrap[0]},
        {GL_TEXTURE_WRAP_T, (GLint)s->wrap[1]},
        {GL_TEXTURE_WRAP_R, (GLint)s->wrap[2]},
        {GL_TEXTURE_MIN_FILTER, (GLint)s->min_filter},
        {GL_TEXTURE_MAG_FILTER, (GLint)s->mag_filter},
        {GL_TEXTURE_COMPARE_MODE, (GLint)s->compare_mode},
        {GL_TEXTURE_COMPARE_FUNC, (GLint)s->compare_func},
        {GL_TEXTURE_SRGB_DECODE_EXT, (GLint)s->decode},
    };
    const struct {
        GLenum name;
        float value;
    } numbers[] = {
        {GL_TEXTURE_MIN_LOD, s->min_lod}, {GL_TEXTURE_MAX_LOD, s->max_lod}, {GL_TEXTURE_LOD_BIAS, s->bias + more_bias}};
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
        if (integers[i].name == GL_TEXTURE_SRGB_DECODE_EXT && !random_drawable.decode)
            continue;
        if (sampler)
            glSamplerParameteri(sampler, integers[i].name, integers[i].value);
        else
            glTexParameteri(target, integers[i].name, integers[i].value);
    }
    const bool without = l->texture->target == RANDOM_RECTANGLE && !random_drawable.rectangle_levels;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (without && numbers[i].name != GL_TEXTURE_LOD_BIAS)
            continue;
        if (sampler)
            glSamplerParameterf(sampler, numbers[i].name, numbers[i].value);
        else
            glTexParameterf(target, numbers[i].name, numbers[i].value);
    }
    called(sampler ? "glSamplerParameter" : "glTexParameter", l->texture);
    set_border(l, sampler, target);
    called("its border", l->texture);
}

/* In the place of a cube that is not complete: nothing of it is seen. */
static GLuint make_uneven(const struct texture_state *t)
{
    const struct format *f = t->format;
    glDeleteTextures(1, &voice.uneven);
    glGenTextures(1, &voice.uneven);
    glBindTexture(GL_TEXTURE_CUBE_MAP, voice.uneven);
    for (unsigned i = 0; i < 6; i++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, (GLint)f->internal, i == 5 ? 2 : 1, i == 5 ? 2 : 1, 0,
                     f->format, f->type, NULL);
    called("glTexImage2D of faces that differ", t);
    return voice.uneven;
}

/* Binds what a lookup reads to a unit of the context's, in the state of the machine. */
static void bind_lookup(const struct lookup *l, GLuint unit, float more_bias)
{
    const struct texture_state *t = l->texture;
    const GLenum target = target_of(t->target);
    const GLuint sampler = l->sampler_slot >= 0 ? voice.samplers[l->sampler_slot] : 0;
    glActiveTexture(GL_TEXTURE0 + unit);
    const bool lacks = l->incomplete;
    glBindTexture(target, lacks && t->way == INCOMPLETE_FACE ? make_uneven(t) : voice.textures[l->texture_slot]);
    called("glBindTexture", t);
    if (t->target == RANDOM_BUFFER)
        return;
    glBindSampler(unit, sampler);
    called("glBindSampler", t);
    set_state(l, sampler, more_bias);
    for (int i = 0; i < 4; i++)
        glTexParameteri(target, GL_TEXTURE_SWIZZLE_R + (GLenum)i, (GLint)t->swizzle[i]);
    if (t->target != RANDOM_RECTANGLE) {
        const bool beyond = lacks && t->way != INCOMPLETE_FACE && t->way != INCOMPLETE_LINEAR;
        glTexParameteri(target, GL_TEXTURE_BASE_LEVEL, lacks && t->way == INCOMPLETE_BASE ? t->levels : t->base);
        glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, beyond ? 1000 : t->greatest);
    }
    called("glTexParameter of swizzles and levels", t);
    if (t->format->depth)
        glTexParameteri(target, GL_DEPTH_TEXTURE_MODE, (GLint)t->depth_mode);
    called("glTexParameter of GL_DEPTH_TEXTURE_MODE", t);
    if (t->format->texels == TEXEL_STENCIL)
        glTexParameteri(target, GL_DEPTH_STENCIL_TEXTURE_MODE, t->stencil ? GL_STENCIL_INDEX : GL_DEPTH_COMPONENT);
    called("glTexParameter of GL_DEPTH_STENCIL_TEXTURE_MODE", t);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, l->unit_bias);
    called("glTexEnvf", t);
    if (l->sampler.seamless)
        glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    else
        glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
}

static void hold_levels(const float *levels)
{
    if (voice.levels_held == levels)
        return;
    voice.levels_held = levels;
    glBindBuffer(GL_TEXTURE_BUFFER, voice.levels);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, PIXELS * sizeof(float), levels);
}

/*
 * A texture with a border is one that is larger by it, under GL_CLAMP_TO_EDGE: texels that would be outside are its
 * outermost. Where coordinates are bounded the shader does it, before it rescales them. Gathers take the four texels of
 * a linear filter, whatever the filters are (GL_ARB_texture_gather).
 */
static void place_border(const struct lookup *l, struct sampler_state *s, bool gathers, GLuint program)
{
    const struct texture_state *t = l->texture;
    const int sizes[3] = {t->width, t->height, t->depth};
    int whole[3];
    float inner[3] = {0}, low[3], high[3], mirrors[3] = {0};
    image_size(t, 0, whole);
    for (int i = 0; i < 3; i++) {
        const bool mirrored = s->wrap[i] == GL_MIRROR_CLAMP_EXT || s->wrap[i] == GL_MIRROR_CLAMP_TO_BORDER_EXT;
        const bool to_one = s->wrap[i] == GL_CLAMP || s->wrap[i] == GL_MIRROR_CLAMP_EXT;
        const bool edge = s->wrap[i] == GL_CLAMP_TO_EDGE || (to_one && s->mag_filter == GL_NEAREST && !gathers);
        const float half = 0.5f / (float)sizes[i], far = 1e9f;
        inner[i] = t->border && whole[i] > sizes[i] ? (float)sizes[i] : 0;
        low[i] = edge || mirrored ? half : to_one ? 0 : -far;
        high[i] = edge ? 1 - half : to_one ? 1 : far;
        mirrors[i] = mirrored;
        if (inner[i] > 0)
            s->wrap[i] = GL_CLAMP_TO_EDGE;
    }
    const float none[3] = {0};
    glUniform3fv(glGetUniformLocation(program, "bounded"), 1, none);
    glUniform3fv(glGetUniformLocation(program, "inner"), 1, inner);
    glUniform3fv(glGetUniformLocation(program, "low"), 1, low);
    glUniform3fv(glGetUniformLocation(program, "high"), 1, high);
    glUniform3fv(glGetUniformLocation(program, "mirrors"), 1, mirrors);
}

/*
 * Linear filters of EXT_texture_mirror_clamp's modes, at one level: the coordinate is mirrored and bounded here, under
 * GL_CLAMP_TO_BORDER. What drivers round is added behind the bounds, too.
 */
static void place_mirrored(const struct lookup *l, struct sampler_state *s, GLuint program)
{
    const struct texture_state *t = l->texture;
    const int sizes[3] = {t->width, t->height, t->depth}, level = t->base + l->mirror_level;
    float low[3] = {0}, high[3] = {0}, bounded[3] = {0};
    for (int i = 0; i < (t->target == RANDOM_3D                                   ? 3
                         : t->target == RANDOM_1D || t->target == RANDOM_1D_ARRAY ? 1
                                                                                  : 2);
         i++) {
        const float half = 0.5f / (float)level_size(sizes[i], level);
        bounded[i] = s->wrap[i] == GL_MIRROR_CLAMP_EXT || s->wrap[i] == GL_MIRROR_CLAMP_TO_BORDER_EXT;
        low[i] = half;
        high[i] = s->wrap[i] == GL_MIRROR_CLAMP_EXT ? 1 : 1 + half;
        if (bounded[i] > 0)
            s->wrap[i] = GL_CLAMP_TO_BORDER;
    }
    glUniform3fv(glGetUniformLocation(program, "bounded"), 1, bounded);
    glUniform3fv(glGetUniformLocation(program, "low"), 1, low);
    glUniform3fv(glGetUniformLocation(program, "high"), 1, high);
}

static void draw_once(const struct lookup *l, const struct shift *by, GLuint unit, uint32_t *pixels)
{
    const struct random_shader *shader = l->shader[0];
    struct parameters p = l->parameters;
    GLuint program = program_of(shader);
    if (by)
        p.reference += by->reference;
    /* Where the shader gives the level it is shifted there: OpenGL may round samplers' biases. */
    float bias = by ? by->bias + by->away : 0;
    if (shader->function == FUNCTION_LOD || shader->function == FUNCTION_LOD_OFFSET ||
        shader->function == FUNCTION_PROJ_LOD || shader->function == FUNCTION_BIAS) {
        p.level += bias;
        bias = 0;
    } else if (shader->function == FUNCTION_GRAD || shader->function == FUNCTION_GRAD_OFFSET) {
        for (int i = 0; i < 4; i++) {
            p.gradient_x[i] *= exp2f(bias);
            p.gradient_y[i] *= exp2f(bias);
        }
        bias = 0;
    }
    struct lookup pinned = *l;
    /* What bounds a level is rounded like one; 0 is the level where filters change. */
    if (by && l->sampler.min_lod > 0)
        pinned.sampler.min_lod = fmaxf(l->sampler.min_lod + by->bias, FLT_MIN);
    if (by && l->sampler.max_lod > 0)
        pinned.sampler.max_lod = fmaxf(l->sampler.max_lod + by->bias, FLT_MIN);
    if (by && by->pinned)
        pinned.sampler.min_lod = pinned.sampler.max_lod = by->level;
    if (by && by->magnified)
        pinned.sampler.min_filter = l->sampler.mag_filter;
    if (by && by->minified)
        pinned.sampler.mag_filter = l->sampler.min_filter == GL_LINEAR ||
                                            l->sampler.min_filter == GL_LINEAR_MIPMAP_LINEAR ||
                                            l->sampler.min_filter == GL_LINEAR_MIPMAP_NEAREST
                                        ? GL_LINEAR
                                        : GL_NEAREST;
    glUseProgram(program);
    const bool gathers = shader->function == FUNCTION_GATHER || shader->function == FUNCTION_GATHER_ALPHA ||
                         shader->function == FUNCTION_GATHER_OFFSET;
    place_border(l, &pinned.sampler, gathers, program);
    if (l->mirror_level >= 0)
        place_mirrored(l, &pinned.sampler, program);
    bind_lookup(&pinned, unit, bias);
    glUniform1i(glGetUniformLocation(program, "combined"), (GLint)unit);
    glUniform4fv(glGetUniformLocation(program, "p"), 7, (const float *)&p);
    const struct shift none = {.level = 0};
    glUniform3fv(glGetUniformLocation(program, "moved"), 1, by ? by->coordinate : none.coordinate);
    glUniform3fv(glGetUniformLocation(program, "steps"), 1, by ? by->steps : none.steps);
    glUniform3fv(glGetUniformLocation(program, "up"), 1, by ? by->up : none.up);
    glUniform1i(glGetUniformLocation(program, "levels"), LEVELS_UNIT);
    glUniform1i(glGetUniformLocation(program, "leveled"), by && by->levels);
    if (by && by->levels)
        hold_levels(by->levels);
    called("glUniform", l->texture);
    if (shader->stage == STAGE_COMP) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, voice.results);
        glDispatchCompute(SIDE / 8, SIDE / 8, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, voice.results);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, PIXELS * 16, pixels);
        called("glDispatchCompute", l->texture);
        return;
    }
    static const GLuint zeros[4];
    glBindFramebuffer(GL_FRAMEBUFFER, voice.framebuffer);
    glViewport(0, 0, SIDE, SIDE);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClearBufferuiv(GL_COLOR, 0, zeros);
    called("glClearBuffer before a draw", l->texture);
    if (shader->stage == STAGE_FRAG)
        glDrawArrays(GL_TRIANGLES, 0, 3);
    else if (shader->stage == STAGE_TESC || shader->stage == STAGE_TESE)
        glDrawArrays(GL_PATCHES, 0, PIXELS);
    else
        glDrawArrays(GL_POINTS, 0, PIXELS);
    called(shader->stage == STAGE_FRAG ? "glDrawArrays of a triangle" : "glDrawArrays of points", l->texture);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, pixels);
    called("glReadPixels", l->texture);
}

/* ---- attachments ---- */

static void attach_texture(GLenum point, const struct texture_state *t, int slot, const struct attachment_state *a)
{
    if (t->target == RANDOM_2D_ARRAY)
        glFramebufferTextureLayer(GL_FRAMEBUFFER, point, voice.textures[slot], a->level, a->layer);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, point,
                               t->target == RANDOM_CUBE ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)a->layer
                                                        : target_of(t->target),
                               voice.textures[slot], a->level);
}

static void attach_textures(const struct machine *m, GLint size[2])
{
    static const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glBindFramebuffer(GL_FRAMEBUFFER, voice.paint);
    for (int i = 0; i < ATTACHMENTS; i++) {
        const GLenum point = GL_COLOR_ATTACHMENT0 + (GLenum)i;
        if (i >= m->attachment_count) {
            glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, 0, 0);
            continue;
        }
        const struct attachment_state *a = &m->attachments[i];
        const struct texture_state *t = &m->textures[a->texture];
        /* Levels that lookups do not see can be drawn to if they are there: section 9.4.1 asks for both here. */
        bind_whole(t, a->texture);
        attach_texture(point, t, a->texture, a);
        called("glFramebufferTexture", t);
        size[0] = level_size(t->width, a->level);
        size[1] = level_size(t->height, a->level);
    }
    glDrawBuffers(m->attachment_count, buffers);
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    const struct texture_state *first = &m->textures[m->attachments[0].texture];
    if (status != GL_FRAMEBUFFER_COMPLETE && !trouble.error[0]) {
        trouble.unsupported = status == GL_FRAMEBUFFER_UNSUPPORTED;
        snprintf(trouble.error, sizeof(trouble.error),
                 "0x%04x as status of a framebuffer, operation %u, of %s (target %d, level %d of "
                 "%d, %dx%d) and %s",
                 status, (unsigned)trouble.number, first->format->name, first->target, m->attachments[0].level,
                 first->levels, first->width, first->height,
                 m->attachment_count > 1 ? m->textures[m->attachments[1].texture].format->name : "no other");
    }
    called("glDrawBuffers", first);
    glViewport(0, 0, size[0], size[1]);
}

static void clear(const struct machine *m, const struct operation *o)
{
    GLint size[2], integers[4];
    GLuint naturals[4];
    attach_textures(m, size);
    for (int i = 0; i < 4; i++) {
        integers[i] = (GLint)lrintf(o->numbers[i]);
        naturals[i] = (GLuint)(integers[i] < 0 ? 0 : integers[i]);
    }
    const int k = o->integers[0];
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, !m->textures[m->attachments[k].texture].format->alpha_zero);
    switch (m->textures[m->attachments[k].texture].format->sample) {
    case SAMPLE_FLOAT:
        glClearBufferfv(GL_COLOR, k, o->numbers);
        break;
    case SAMPLE_INT:
        glClearBufferiv(GL_COLOR, k, integers);
        break;
    default:
        glClearBufferuiv(GL_COLOR, k, naturals);
        break;
    }
    called("glClearBuffer", &m->textures[m->attachments[k].texture]);
}

/* Of the first attachments, or all; codes of OpenGL's own. */
static uint32_t *read_attachment(const struct machine *m, int attachment)
{
    const struct attachment_state *a = &m->attachments[attachment];
    const struct texture_state *t = &m->textures[a->texture];
    const size_t count = attached_texels(m, attachment), size = count * texel_bytes_for_gl(t->format);
    unsigned char *bytes = harness_alloc(size, 1);
    glGetTextureSubImage(voice.textures[a->texture], a->level, 0, 0, a->layer, level_size(t->width, a->level),
                         level_size(t->height, a->level), 1, t->format->format, t->format->type, (GLsizei)size, bytes);
    called("glGetTextureSubImage", t);
    uint32_t *codes = texels_of_gl(t->format, bytes, count);
    free(bytes);
    return codes;
}

static void write_attachment(const struct machine *m, int attachment, const uint32_t *codes)
{
    const struct attachment_state *a = &m->attachments[attachment];
    const struct texture_state *t = &m->textures[a->texture];
    const int w = level_size(t->width, a->level), h = level_size(t->height, a->level);
    void *texels = texels_for_gl(t->format, codes, attached_texels(m, attachment));
    bind_whole(t, a->texture);
    if (t->target == RANDOM_2D_ARRAY)
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, a->level, 0, 0, a->layer, w, h, 1, t->format->format, t->format->type,
                        texels);
    else
        glTexSubImage2D(t->target == RANDOM_CUBE ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)a->layer
                                                 : target_of(t->target),
                        a->level, 0, 0, w, h, t->format->format, t->format->type, texels);
    called("glTexSubImage", t);
    free(texels);
}

/* Into what is attached. */
static void paint_once(const struct machine *m, const struct operation *o, const struct shift *by)
{
    static const enum random_helper painters[] = {HELPER_PAINT_FLOAT, HELPER_PAINT_INT, HELPER_PAINT_UINT};
    const enum sample_type type = m->textures[m->attachments[0].texture].format->sample;
    GLuint program = painter_of(o->integers[0] ? HELPER_PAINT_LOOKUP : painters[type]);
    struct lookup l;
    if (o->integers[0]) {
        machine_paint_lookup(m, &l);
        bind_lookup(&l, 0, 0);
    }
    glUseProgram(program);
    const struct shift none = {.level = 0};
    if (!by)
        by = &none;
    glUniform1i(glGetUniformLocation(program, "combined"), 0);
    glUniform4fv(glGetUniformLocation(program, "p"), 7, o->numbers);
    glUniform3fv(glGetUniformLocation(program, "moved"), 1, by->coordinate);
    glUniform3fv(glGetUniformLocation(program, "steps"), 1, by->steps);
    glUniform3fv(glGetUniformLocation(program, "up"), 1, by->up);
    glUniform2fv(glGetUniformLocation(program, "result"), 1, by->result);
    glBlendColor(m->constant[0], m->constant[1], m->constant[2], m->constant[3]);
    for (GLuint i = 0; i < (GLuint)m->attachment_count; i++) {
        const struct blend_state own = machine_blend(m, (int)i), *b = &own;
        if (b->on && type == SAMPLE_FLOAT)
            glEnablei(GL_BLEND, i);
        else
            glDisablei(GL_BLEND, i);
        glBlendFuncSeparatei(i, b->source, b->destination, b->source_alpha, b->destination_alpha);
        glBlendEquationSeparatei(i, b->equation, b->equation_alpha);
        const bool alpha = !m->textures[m->attachments[i].texture].format->alpha_zero && b->mask >> 3 & 1;
        glColorMaski(i, b->mask & 1, b->mask >> 1 & 1, b->mask >> 2 & 1, alpha);
    }
    called("glBlend and glColorMask", &m->textures[m->attachments[0].texture]);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    called("glDrawArrays into textures", &m->textures[m->attachments[0].texture]);
    glDisable(GL_BLEND);
}

/* ---- a program ---- */

/* What is drawn from: the program's own, and what the judge asks for. */
struct request {
    struct pictures *pictures;
    const struct pictures *given;
    struct shifts *shifts;
};

/* What was painted is told, and then is what is given. */
static void take_given(const struct machine *m, const struct operation *o, uint32_t number, const struct request *r)
{
    for (int k = 0; r->given && k < m->attachment_count; k++) {
        if (!r->given->painted[number][k] || (o->kind == OPERATION_CLEAR && k != o->integers[0]))
            continue;
        r->pictures->painted[number][k] = read_attachment(m, k);
        write_attachment(m, k, r->given->painted[number][k]);
    }
}

/* The same paint over the same texels, each a rounding further. */
static void paint_shifted(const struct machine *m, const struct operation *o, const uint32_t *before,
                          struct shifts *shifts)
{
    const size_t words = attached_texels(m, 0) * (size_t)m->textures[m->attachments[0].texture].format->channels;
    for (int i = 0; i < shifts->count; i++) {
        write_attachment(m, 0, before);
        paint_once(m, o, &shifts->by[i]);
        uint32_t *codes = read_attachment(m, 0);
        memcpy(shifts->pictures + (size_t)i * words, codes, words * sizeof(*codes));
        free(codes);
    }
}

/* The same paint over the same texels as floats, clamped as the format clamps. */
static float *paint_floats(const struct machine *m, const struct operation *o, int attachment, const uint32_t *before)
{
    const struct attachment_state *a = &m->attachments[attachment];
    const struct texture_state *t = &m->textures[a->texture];
    const struct format *f = t->format;
    const bool clamps = f->texels != TEXEL_FLOAT && f->texels != TEXEL_HALF;
    const size_t count = attached_texels(m, attachment);
    const GLenum none = GL_NONE;
    GLenum buffers[ATTACHMENTS] = {none, none};
    GLuint texture;
    float *numbers = harness_alloc(count * 4, sizeof(*numbers));
    for (size_t i = 0; i < count; i++) {
        numbers[4 * i + 3] = 1;
        for (int c = 0; c < code_channels(f); c++)
            numbers[4 * i + (size_t)blended_channel(f, c)] = code_number(f, before + i * (size_t)f->channels, c);
    }
    glActiveTexture(GL_TEXTURE0 + UNITS);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, level_size(t->width, a->level), level_size(t->height, a->level), 0,
                 GL_RGBA, GL_FLOAT, numbers);
    glBindFramebuffer(GL_FRAMEBUFFER, voice.paint);
    for (GLenum i = 1; i < ATTACHMENTS; i++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, 0, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    buffers[attachment] = GL_COLOR_ATTACHMENT0;
    glDrawBuffers(ATTACHMENTS, buffers);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, clamps);
    paint_once(m, o, NULL);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, level_size(t->width, a->level), level_size(t->height, a->level), GL_RGBA, GL_FLOAT, numbers);
    called("glReadPixels of a paint as floats", t);
    glDeleteTextures(1, &texture);
    for (size_t i = 0; clamps && i < count * 4; i++)
        numbers[i] = fminf(fmaxf(numbers[i], 0), 1);
    return numbers;
}

static void paint(const struct machine *m, const struct operation *o, uint32_t number, const struct request *r)
{
    struct shifts *shifts = r->shifts && r->shifts->operation == number ? r->shifts : NULL;
    GLint size[2];
    attach_textures(m, size);
    if (shifts)
        shifts->before = read_attachment(m, shifts->attachment);
    paint_once(m, o, NULL);
    take_given(m, o, number, r);
    if (!shifts)
        return;
    paint_shifted(m, o, shifts->before, shifts);
    shifts->floats = paint_floats(m, o, shifts->attachment, shifts->before);
}

static void draw_shifted(const struct operation *o, const struct shift *by, uint32_t *pixels)
{
    struct operation own = *o;
    struct lookup l, drawn;
    if (by->levels)
        own.integers[0] = (int32_t)by->function;
    machine_lookup(&voice.machine, o, &drawn);
    machine_lookup(&voice.machine, &own, &l);
    l.mirror_level = drawn.mirror_level;
    if (by->levels) {
        l.sampler.min_lod = -1000;
        l.sampler.max_lod = 1000;
        if (!by->added)
            l.sampler.bias = l.unit_bias = 0;
        if (!by->added || o->integers[0] != FUNCTION_BIAS)
            l.parameters.level = l.parameters.level_dy = 0;
    }
    draw_once(&l, by, (GLuint)o->integers[2], pixels);
}

static void draw(const struct operation *o, uint32_t number, const struct request *r)
{
    struct pictures *pictures = r->pictures;
    struct shifts *shifts = r->shifts;
    struct lookup l;
    machine_lookup(&voice.machine, o, &l);
    pictures->draws[number] = harness_alloc(PIXELS * 4, sizeof(uint32_t));
    draw_once(&l, NULL, (GLuint)o->integers[2], pictures->draws[number]);
    pictures->lookups += PIXELS;
    for (int i = 0; shifts && shifts->operation == number && i < shifts->count; i++)
        draw_shifted(o, &shifts->by[i], shifts->pictures + (size_t)i * PIXELS * 4);
}

static void perform(const struct operation *o, uint32_t number, const struct request *r)
{
    struct machine *m = &voice.machine;
    const int32_t *i = o->integers;
    switch (o->kind) {
    case OPERATION_TEXTURE:
        make_texture(&m->textures[i[0]], i[0], (uint64_t)(int64_t)i[8]);
        break;
    case OPERATION_SAMPLER:
        glDeleteSamplers(1, &voice.samplers[i[0]]);
        glGenSamplers(1, &voice.samplers[i[0]]);
        break;
    case OPERATION_UPLOAD:
        upload(&m->textures[i[0]], i[0], i[1], (uint64_t)(int64_t)i[2]);
        break;
    case OPERATION_COPY:
        copy(&m->textures[i[0]], i[0], &m->textures[i[1]], i[1]);
        break;
    case OPERATION_CLEAR:
        clear(m, o);
        take_given(m, o, number, r);
        break;
    case OPERATION_PAINT:
        paint(m, o, number, r);
        break;
    case OPERATION_DRAW:
        draw(o, number, r);
        break;
    case OPERATION_SUBMIT:
        glFlush();
        break;
    default: /* state of the machine, which draws set */
        break;
    }
}

void gl_voice_run(const struct program *program, struct pictures *pictures, const struct pictures *given,
                  struct shifts *shifts)
{
    const struct request request = {pictures, given, shifts};
    *pictures = (struct pictures){0};
    harness_gl_use(&voice.gl);
    machine_init(&voice.machine);
    trouble.error[0] = trouble.said[0] = 0;
    trouble.unsupported = false;
    voice.levels_held = NULL;
    for (uint32_t i = 0; i < program->count; i++) {
        trouble.number = i;
        if (machine_step(&voice.machine, &program->operations[i]))
            perform(&program->operations[i], i, &request);
        if (shifts && shifts->operation == i)
            break;
    }
    for (int i = 0; i < TEXTURES; i++)
        drop_texture(i);
    glDeleteSamplers(SAMPLERS, voice.samplers);
    memset(voice.samplers, 0, sizeof(voice.samplers));
    glDeleteTextures(1, &voice.uneven);
    voice.uneven = 0;
    for (GLuint i = 0; i < UNITS; i++)
        glBindSampler(i, 0);
    called("the end of a program", NULL);
    pictures->unsupported = trouble.unsupported;
    snprintf(pictures->trouble, sizeof(pictures->trouble), "%s", trouble.error);
}

void pictures_free(struct pictures *pictures)
{
    for (size_t i = 0; i < OPERATIONS_MAX; i++) {
        free(pictures->draws[i]);
        for (int k = 0; k < ATTACHMENTS; k++)
            free(pictures->painted[i][k]);
    }
    memset(pictures->draws, 0, sizeof(pictures->draws));
    memset(pictures->painted, 0, sizeof(pictures->painted));
}

const char *gl_voice_name(void)
{
    return voice.gl.renderer;
}

/* ---- what this OpenGL has ---- */

static bool can_texture(const struct format *format, enum random_target target)
{
    /* Not in OpenGL: depth in three dimensions; buffers of other formats than those of its table. */
    if ((format->depth && target == RANDOM_3D) || (target == RANDOM_BUFFER && !format->buffer))
        return false;
    struct texture_state t = {
        .target = target, .format = format, .width = 2, .height = 2, .depth = 1, .layers = 1, .levels = 1};
    if (target == RANDOM_1D || target == RANDOM_1D_ARRAY || target == RANDOM_BUFFER)
        t.height = 1;
    trouble.error[0] = 0;
    make_texture(&t, 0, 1);
    bool good = !trouble.error[0];
    const bool drawn =
        target == RANDOM_2D || target == RANDOM_2D_ARRAY || target == RANDOM_CUBE || target == RANDOM_RECTANGLE;
    if (good && drawn && format->attachment) {
        glBindFramebuffer(GL_FRAMEBUFFER, voice.paint);
        attach_texture(GL_COLOR_ATTACHMENT0, &t, 0, &(struct attachment_state){0});
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            random_drawable.attachment[format - random_formats] = false;
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    }
    drop_texture(0);
    return good;
}

/* What a program of one draw gives in the first pixel. */
static void first_pixel(const struct program *program, float out[4])
{
    struct pictures pictures;
    gl_voice_run(program, &pictures, NULL, NULL);
    if (pictures.trouble[0])
        harness_fail("OpenGL answers %s, in a control of its own", pictures.trouble);
    memcpy(out, pictures.draws[program->count - 1], 4 * sizeof(float));
    pictures_free(&pictures);
}

static int format_named(const char *name)
{
    for (int i = 0; i < random_format_count; i++)
        if (strcmp(random_formats[i].name, name) == 0)
            return i;
    harness_fail("no format %s", name);
}

/*
 * EXT_texture_mirror_clamp takes the coordinate's absolute value, behind offsets and before there are texels: a gather
 * at -s is that at s, and a lookup at -s moved by an offset of o texels is one at |o / N - s|.
 */
static void ask_mirrored(void)
{
    float mirrored[4], plain[4];
    struct program gather = {
        .count = 6,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format_named("R32F"), 4, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_WRAP_S, GL_MIRROR_CLAMP_EXT}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_LINEAR}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MAG_FILTER, GL_LINEAR}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_GATHER, STAGE_FRAG, 0}, {-0.5f, 0.5f}}}};
    random_drawable.mirror_gather = random_drawable.mirror_offset = true;
    if (!random_drawable.mirror_clamp)
        return;
    first_pixel(&gather, mirrored);
    gather.operations[5].numbers[0] = 0.5f;
    first_pixel(&gather, plain);
    random_drawable.mirror_gather = memcmp(mirrored, plain, sizeof(plain)) == 0;
    /* Offsets along s are 3 texels: from -4.4 to -1.4 of 8. */
    struct program moved = gather;
    moved.operations[0] =
        (struct operation){OPERATION_TEXTURE, {0, RANDOM_1D, format_named("R32F"), 8, 1, 1, 1, 1, 7}, {0}};
    moved.operations[5] = (struct operation){OPERATION_DRAW, {FUNCTION_LOD_OFFSET, STAGE_FRAG, 0}, {-4.4f / 8}};
    first_pixel(&moved, mirrored);
    moved.operations[5] = (struct operation){OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {1.4f / 8}};
    first_pixel(&moved, plain);
    random_drawable.mirror_offset = fabsf(mirrored[0] - plain[0]) < 0.05f;
}

/* Whether gathers show a border as it is, though the format does not hold it. */
static bool keeps_border(const char *format)
{
    const float border = 0.346591830f;
    float seen[4];
    const struct program gather = {
        .count = 5,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format_named(format), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_WRAP_S, GL_CLAMP_TO_BORDER}, {0}},
                       {OPERATION_BORDER, {0, 0}, {border, border, border, border}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_GATHER, STAGE_FRAG, 0}, {-3}}}};
    random_drawable.exact_border = true;
    if (!random_drawable.format[format_named(format)][RANDOM_2D])
        return true;
    first_pixel(&gather, seen);
    return fabsf(seen[0] - border) < 2e-6f;
}

/* Of a texture of one texel without its base level: is it (0, 0, 0, 1), or 0 where it compares? */
static bool is_incomplete(int target, enum incomplete_kind kind, int object, uint32_t compare, uint32_t wrap, float at)
{
    static const char *const formats[INCOMPLETE_KINDS] = {"R32F", "R32I", "DEPTH32F", "DEPTH32F"};
    static const float opaque[4] = {0, 0, 0, 1};
    static const uint32_t one[4] = {0, 0, 0, 1};
    const uint32_t mode = kind == INCOMPLETE_SHADOW ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE;
    const struct program lacking = {
        .count = 9,
        .operations = {{OPERATION_TEXTURE, {0, target, format_named(formats[kind]), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_SAMPLER, {0}, {0}},
                       {OPERATION_PARAMETER, {object, 0, PARAMETER_COMPARE_FUNC, (int32_t)compare}, {0}},
                       {OPERATION_PARAMETER, {object, 0, PARAMETER_COMPARE_MODE, (int32_t)mode}, {0}},
                       {OPERATION_PARAMETER, {object, 0, PARAMETER_WRAP_S, (int32_t)wrap}, {0}},
                       {OPERATION_BORDER, {object, 0}, {100, 100, 100, 100}},
                       {OPERATION_INCOMPLETE, {0, INCOMPLETE_BASE}, {0}},
                       {OPERATION_UNIT, {0, 0, object - 1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_TEXTURE, STAGE_FRAG, 0}, {at, [20] = -1}}}};
    float seen[4];
    first_pixel(&lacking, seen);
    if (kind == INCOMPLETE_SHADOW)
        return seen[0] == 0;
    return memcmp(seen, kind == INCOMPLETE_INTEGER ? (const void *)one : opaque, sizeof(seen)) == 0;
}

/* Of each target and type, by the texture's own sampler and by an object; and is there no border around them? */
static void ask_incomplete(void)
{
    static const char *const formats[] = {"R32F", "R32I", "DEPTH32F", "DEPTH32F"};
    random_drawable.incomplete_border = true;
    for (int i = 0; i < RANDOM_RECTANGLE * INCOMPLETE_KINDS; i++) {
        const int target = i / INCOMPLETE_KINDS;
        const enum incomplete_kind kind = (enum incomplete_kind)(i % INCOMPLETE_KINDS);
        bool good = random_drawable.format[format_named(formats[kind])][target];
        random_drawable.incomplete[target][kind] = true;
        for (int object = 0; object < 2 && good; object++)
            good &= is_incomplete(target, kind, object, GL_LEQUAL, GL_REPEAT, 1) &&
                    is_incomplete(target, kind, object, GL_ALWAYS, GL_REPEAT, 1);
        random_drawable.incomplete[target][kind] = good;
    }
    random_drawable.incomplete_border =
        is_incomplete(RANDOM_2D, INCOMPLETE_FLOAT, 0, GL_LEQUAL, GL_CLAMP_TO_BORDER, -3) &&
        is_incomplete(RANDOM_2D, INCOMPLETE_FLOAT, 1, GL_LEQUAL, GL_CLAMP_TO_BORDER, -3);
}

/*
 * Controls of what OpenGL defines and Mesa does otherwise: at the mirror line EXT_texture_mirror_clamp's lower bound of
 * 1/(2N) leaves the first texel alone; DEPTH_TEXTURE_MODE GL_ALPHA is (0, 0, 0, D); GL_NEAREST shows the base level, of
 * integers too; GL_CLAMP holds for faces of cubes that are not seamless; and what is blended into GL_ALPHA is alpha.
 */
static void ask_deviations(void)
{
    float seen[4];
    struct program line = {
        .count = 6,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_1D, format_named("R32F"), 2, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_WRAP_S, GL_MIRROR_CLAMP_EXT}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_LINEAR}, {0}},
                       {OPERATION_BORDER, {0, 0}, {100, 100, 100, 100}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {0}}}};
    random_drawable.mirror_line = true;
    first_pixel(&line, seen);
    random_drawable.mirror_line = fabsf(seen[0]) < 4;
    struct program depth = {
        .count = 5,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format_named("DEPTH32F"), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_NEAREST}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_DEPTH_MODE, GL_ALPHA}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {0}}}};
    first_pixel(&depth, seen);
    random_drawable.depth_alpha = seen[0] == 0 && seen[3] != 0;
    /* Every depth passes. */
    random_drawable.compared_alpha = true;
    struct program compared = depth;
    compared.count--;
    compared.operations[compared.count++] =
        (struct operation){OPERATION_PARAMETER, {0, 0, PARAMETER_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE}, {0}};
    compared.operations[compared.count++] =
        (struct operation){OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {[20] = -1}};
    first_pixel(&compared, seen);
    random_drawable.compared_alpha = seen[0] > 0.5f;
    struct program integers = {
        .count = 5,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_1D, format_named("R32I"), 4, 1, 1, 1, 3, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_NEAREST}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {0}},
                       {OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {[22] = 2}}}};
    float base[4];
    random_drawable.integer_base = true;
    first_pixel(&integers, seen);
    integers.count--;
    first_pixel(&integers, base);
    random_drawable.integer_base = memcmp(seen, base, sizeof(seen)) == 0;
    /* The middle of the face's left edge: half of it is the border. */
    struct program cube = {
        .count = 6,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_CUBE, format_named("R32F"), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_WRAP_S, GL_CLAMP}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_LINEAR}, {0}},
                       {OPERATION_BORDER, {0, 0}, {100, 100, 100, 100}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {1, 0, 0.999f, 0}}}};
    random_drawable.cube_clamp = random_drawable.cube_wraps = true;
    first_pixel(&cube, seen);
    random_drawable.cube_clamp = fabsf(seen[0]) > 40;
    cube.operations[1].integers[3] = GL_CLAMP_TO_BORDER;
    first_pixel(&cube, seen);
    random_drawable.cube_wraps = fabsf(seen[0]) > 40;
    /* Level 1 of an array whose levels are halves rounded down. */
    struct program array = {
        .count = 3,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_1D_ARRAY, format_named("R32F"), 3, 1, 1, 2, 2, SEED_LEVELS}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_FETCH, STAGE_FRAG, 0}, {[26] = 1}}}};
    random_drawable.array_levels = true;
    first_pixel(&array, seen);
    random_drawable.array_levels = seen[0] == 1;
    glTexParameterf(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_LOD, -1000);
    random_drawable.rectangle_levels = glGetError() == GL_NO_ERROR;
    /* 0.8 of a texel magnifies: between two texels, which GL_NEAREST would not show. */
    struct program rectangle = {
        .count = 5,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_RECTANGLE, format_named("R32F"), 8, 8, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_NEAREST}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_GRAD, STAGE_FRAG, 0}, {2.9f, 2.5f, [12] = 0.8f}},
                       {OPERATION_DRAW, {FUNCTION_GRAD, STAGE_FRAG, 0}, {2.9f, 2.5f, [12] = 0.01f}}}};
    random_drawable.rectangle_gradient = true;
    first_pixel(&rectangle, base);
    rectangle.count--;
    first_pixel(&rectangle, seen);
    random_drawable.rectangle_gradient = memcmp(seen, base, sizeof(seen)) == 0;
    rectangle.operations[3].numbers[12] = 4; /* minifies: the texel alone */
    first_pixel(&rectangle, seen);
    random_drawable.rectangle_gradient &= memcmp(seen, base, sizeof(seen)) != 0;
    ask_mirrored();
    struct program stencil = {
        .count = 5,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format_named("DEPTH32F_STENCIL8"), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_STENCIL, 1}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_DEPTH_MODE, GL_LUMINANCE}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_FETCH, STAGE_FRAG, 0}, {0}}}};
    const float none = 0;
    random_drawable.stencil_red = true;
    if (random_drawable.format[format_named("DEPTH32F_STENCIL8")][RANDOM_2D]) {
        first_pixel(&stencil, seen);
        random_drawable.stencil_red =
            memcmp(&seen[1], &none, sizeof(none)) == 0; /* integers: no comparison of floats */
    }
    struct program border = {
        .count = 6,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format_named("R11F_G11F_B10F"), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_WRAP_S, GL_CLAMP_TO_BORDER}, {0}},
                       {OPERATION_PARAMETER, {0, 0, PARAMETER_MIN_FILTER, GL_NEAREST}, {0}},
                       {OPERATION_BORDER, {0, 0}, {-0.5f, -0.5f, -0.5f, -0.5f}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_LOD, STAGE_FRAG, 0}, {-3}}}};
    random_drawable.unsigned_border = true;
    if (random_drawable.format[format_named("R11F_G11F_B10F")][RANDOM_2D]) {
        first_pixel(&border, seen);
        random_drawable.unsigned_border = seen[2] >= 0;
    }
    random_drawable.exact_border = keeps_border("R16F") && keeps_border("RGBA8");
    struct program alpha = {
        .count = 7,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format_named("ALPHA8_in_R"), 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_TARGET, {1, 0, 0, 0}, {0}},
                       {OPERATION_CLEAR, {0}, {0, 0, 0, 0.25f}},
                       {OPERATION_BLEND, {0, 1, GL_ONE, GL_ONE, GL_MIN, GL_ONE, GL_ZERO, GL_FUNC_ADD, 15}, {0}},
                       {OPERATION_PAINT, {0}, {0, 0, 0, 0.75f}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}},
                       {OPERATION_DRAW, {FUNCTION_FETCH, STAGE_FRAG, 0}, {0}}}};
    random_drawable.alpha_apart = true;
    if (random_drawable.attachment[format_named("ALPHA8_in_R")]) {
        first_pixel(&alpha, seen);
        random_drawable.alpha_apart = seen[3] > 0.5f;
    }
}

bool gl_voice_open(bool ask, char *why, size_t size)
{
    if (!harness_gl_open(&voice.gl, why, size))
        return false;
    voice.programs = harness_alloc(random_shader_count, sizeof(*voice.programs));
    glGenFramebuffers(1, &voice.framebuffer);
    glGenFramebuffers(1, &voice.paint);
    glGenTextures(1, &voice.color);
    glBindTexture(GL_TEXTURE_2D, voice.color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, SIDE, SIDE, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, voice.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, voice.color, 0);
    glGenBuffers(1, &voice.results);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, voice.results);
    glBufferData(GL_SHADER_STORAGE_BUFFER, PIXELS * 16, NULL, GL_DYNAMIC_READ);
    glGenBuffers(1, &voice.levels);
    glBindBuffer(GL_TEXTURE_BUFFER, voice.levels);
    glBufferData(GL_TEXTURE_BUFFER, PIXELS * sizeof(float), NULL, GL_DYNAMIC_DRAW);
    glGenTextures(1, &voice.levels_texture);
    glActiveTexture(GL_TEXTURE0 + LEVELS_UNIT);
    glBindTexture(GL_TEXTURE_BUFFER, voice.levels_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, voice.levels);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    harness_gl_check("opening");
    if (harness_gl_has(&voice.gl, "GL_KHR_debug")) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(on_message, NULL);
    }
    random_drawable.mirror_clamp = voice.gl.mirror_clamp;
    random_drawable.decode = voice.gl.srgb_decode;
    for (int i = 0; ask && i < random_format_count; i++)
        for (int k = 0; k < RANDOM_TARGETS; k++)
            if (random_drawable.format[i][k] && !can_texture(&random_formats[i], (enum random_target)k))
                random_drawable.format[i][k] = false;
    if (ask) {
        ask_deviations();
        ask_incomplete();
    }
    return true;
}
