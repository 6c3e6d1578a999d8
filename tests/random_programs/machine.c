/* SPDX-License-Identifier: MIT */
/* What is bound, and the state of everything, operation by operation; see program.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "drawable.h"
#include "program.h"

struct drawable random_drawable;

static const struct sampler_state initial = {
    .wrap = {GL_REPEAT, GL_REPEAT, GL_REPEAT},
    .min_filter = GL_NEAREST_MIPMAP_LINEAR,
    .mag_filter = GL_LINEAR,
    .compare_mode = GL_NONE,
    .compare_func = GL_LEQUAL,
    .decode = GL_DECODE_EXT,
    .min_lod = -1000,
    .max_lod = 1000,
};

void machine_init(struct machine *machine)
{
    *machine = (struct machine){.depth_alpha = random_drawable.depth_alpha};
    for (int i = 0; i < UNITS; i++)
        machine->units[i] = (struct unit_state){-1, -1, 0};
    for (int i = 0; i < ATTACHMENTS; i++)
        machine->blend[i] = (struct blend_state){.source = GL_ONE,
                                                 .destination = GL_ZERO,
                                                 .equation = GL_FUNC_ADD,
                                                 .source_alpha = GL_ONE,
                                                 .destination_alpha = GL_ZERO,
                                                 .equation_alpha = GL_FUNC_ADD,
                                                 .mask = 15};
}

int level_size(int size, int level)
{
    return size >> level > 0 ? size >> level : 1;
}

void image_size(const struct texture_state *t, int level, int size[3])
{
    const int around = t->border ? 2 : 0;
    const bool high = t->target == RANDOM_2D || t->target == RANDOM_2D_ARRAY || t->target == RANDOM_3D;
    size[0] = level_size(t->width, level) + around;
    size[1] = level_size(t->height, level) + (high ? around : 0);
    size[2] = level_size(t->depth, level) + (t->target == RANDOM_3D ? around : 0);
}

int texture_levels(const struct texture_state *texture)
{
    return texture->greatest - texture->base + 1;
}

int texture_faces(const struct texture_state *texture)
{
    switch (texture->target) {
    case RANDOM_CUBE:
        return 6;
    case RANDOM_CUBE_ARRAY:
        return 6 * texture->layers;
    case RANDOM_1D_ARRAY:
    case RANDOM_2D_ARRAY:
        return texture->layers;
    default:
        return 1;
    }
}

static struct texture_state *alive(struct machine *machine, int slot)
{
    return slot >= 0 && slot < TEXTURES && machine->textures[slot].alive ? &machine->textures[slot] : NULL;
}

static bool make_texture(struct machine *machine, const int32_t *i)
{
    if (i[0] < 0 || i[0] >= TEXTURES || i[1] < 0 || i[1] >= RANDOM_TARGETS || i[2] < 0 || i[2] >= random_format_count)
        return false;
    const struct format *format = &random_formats[i[2]];
    if (!random_drawable.format[i[2]][i[1]])
        return false;
    int longest = i[3] > i[4] ? i[3] : i[4], levels = 1;
    longest = longest > i[5] ? longest : i[5];
    while (longest >> levels)
        levels++;
    /* What stands for a border in OpenGL has no levels: see draw_once() of gl_voice.c. */
    const bool border = i[10] && format->texels != TEXEL_BLOCK &&
                        (i[1] == RANDOM_1D || i[1] == RANDOM_2D || i[1] == RANDOM_3D || i[1] == RANDOM_2D_ARRAY);
    if (i[1] == RANDOM_RECTANGLE || i[1] == RANDOM_BUFFER || border ||
        (i[1] == RANDOM_1D_ARRAY && !random_drawable.array_levels && i[6] > 1 && (i[3] & (i[3] - 1))))
        levels = 1;
    for (int k = 0; k < machine->attachment_count; k++)
        if (machine->attachments[k].texture == i[0])
            machine->attachment_count = 0;
    const uint32_t version = machine->textures[i[0]].version;
    machine->textures[i[0]] = (struct texture_state){
        .alive = true,
        .target = (enum random_target)i[1],
        .format = format,
        .width = i[3],
        .height = i[4],
        .depth = i[5],
        .layers = i[6],
        .levels = i[7] < levels ? i[7] : levels,
        .sampler = initial,
        .swizzle = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA},
        .depth_mode = random_drawable.says ? GL_RED : GL_LUMINANCE,
        .border = border,
        .version = version + 1,
    };
    struct texture_state *made = &machine->textures[i[0]];
    made->levels = made->levels < LEVELS_MAX ? made->levels : LEVELS_MAX;
    made->greatest = made->levels - 1;
    if (i[9] > 0)
        made->like = &random_formats[i[9] - 1];
    for (int k = 0; k < LEVELS_MAX; k++)
        made->seeds[k] = i[8];
    /* Rectangles begin with other state, since GL_REPEAT and levels are not theirs. */
    if (i[1] == RANDOM_RECTANGLE) {
        made->sampler.wrap[0] = made->sampler.wrap[1] = made->sampler.wrap[2] = GL_CLAMP_TO_EDGE;
        made->sampler.min_filter = GL_LINEAR;
    }
    return true;
}

static struct sampler_state *sampler_of(struct machine *machine, bool object, int slot)
{
    if (object)
        return slot >= 0 && slot < SAMPLERS && machine->sampler_alive[slot] ? &machine->samplers[slot] : NULL;
    struct texture_state *texture = alive(machine, slot);
    return texture ? &texture->sampler : NULL;
}

static bool set_parameter(struct machine *machine, const struct operation *o)
{
    struct sampler_state *s = sampler_of(machine, o->integers[0] != 0, o->integers[1]);
    struct texture_state *texture = o->integers[0] ? NULL : alive(machine, o->integers[1]);
    const uint32_t token = (uint32_t)o->integers[3];
    if (!s)
        return false;
    switch ((enum random_parameter)o->integers[2]) {
    case PARAMETER_WRAP_S:
    case PARAMETER_WRAP_T:
    case PARAMETER_WRAP_R:
        s->wrap[o->integers[2] - PARAMETER_WRAP_S] = token;
        return true;
    case PARAMETER_MIN_FILTER:
        s->min_filter = token;
        return true;
    case PARAMETER_MAG_FILTER:
        s->mag_filter = token;
        return true;
    case PARAMETER_COMPARE_MODE:
        s->compare_mode = token;
        return true;
    case PARAMETER_COMPARE_FUNC:
        s->compare_func = token;
        return true;
    case PARAMETER_DECODE:
        s->decode = token;
        return true;
    case PARAMETER_MIN_LOD:
        s->min_lod = o->numbers[0];
        return true;
    case PARAMETER_MAX_LOD:
        s->max_lod = o->numbers[0];
        return true;
    case PARAMETER_LOD_BIAS:
        s->bias = o->numbers[0];
        return true;
    case PARAMETER_SEAMLESS:
        s->seamless = token != 0;
        return true;
    case PARAMETER_DEPTH_MODE:
        if (!texture)
            return false;
        texture->depth_mode = token;
        texture->version++;
        return true;
    case PARAMETER_STENCIL:
        if (!texture || texture->format->texels != TEXEL_STENCIL)
            return false;
        texture->stencil = token != 0;
        texture->version++;
        return true;
    default:
        return false;
    }
}

static bool set_target(struct machine *machine, const int32_t *i)
{
    struct attachment_state wanted[ATTACHMENTS];
    int width = 0, height = 0;
    if (i[0] < 1 || i[0] > ATTACHMENTS)
        return false;
    for (int k = 0; k < i[0]; k++) {
        const struct texture_state *t = alive(machine, i[1 + 3 * k]);
        wanted[k] = (struct attachment_state){i[1 + 3 * k], i[2 + 3 * k], i[3 + 3 * k]};
        if (!t || t->border || !random_drawable.attachment[t->format - random_formats] ||
            wanted[k].level >= t->levels || wanted[k].level < 0 || wanted[k].layer < 0 ||
            wanted[k].layer >= texture_faces(t) ||
            !(t->target == RANDOM_2D || t->target == RANDOM_2D_ARRAY || t->target == RANDOM_CUBE ||
              t->target == RANDOM_RECTANGLE))
            return false;
        const int w = level_size(t->width, wanted[k].level), h = level_size(t->height, wanted[k].level);
        /* Two attachments of one size, two textures, and one type of the shader's outputs. */
        if (k && (w != width || h != height || wanted[0].texture == wanted[1].texture ||
                  t->format->sample != machine->textures[wanted[0].texture].format->sample))
            return false;
        width = w, height = h;
    }
    memcpy(machine->attachments, wanted, sizeof(wanted[0]) * (size_t)i[0]);
    machine->attachment_count = i[0];
    return true;
}

static bool is_attached(const struct machine *machine, int texture)
{
    for (int k = 0; k < machine->attachment_count; k++)
        if (machine->attachments[k].texture == texture)
            return true;
    return false;
}

/* Copies of whole bytes between textures of one kind. */
static bool may_copy(struct machine *machine, const int32_t *i)
{
    const struct texture_state *from = alive(machine, i[0]), *to = alive(machine, i[1]);
    return from && to && from != to && from->format == to->format && from->target == to->target &&
           from->target != RANDOM_BUFFER && from->format->texels != TEXEL_BLOCK && !from->border && !to->border;
}

/* Can it be incomplete in that way? */
static bool may_lack(const struct texture_state *t, int way)
{
    const bool cube = t->target == RANDOM_CUBE;
    const int longest = t->width > t->height ? t->width : t->height;
    switch (way) {
    case COMPLETE:
        return true;
    case INCOMPLETE_BASE:
        return t->target != RANDOM_RECTANGLE && t->target != RANDOM_BUFFER && !t->border;
    case INCOMPLETE_LEVELS:
        return t->target != RANDOM_RECTANGLE && t->target != RANDOM_BUFFER && !t->border &&
               (longest > t->depth ? longest : t->depth) >> t->levels;
    case INCOMPLETE_FACE:
        return cube && t->format->texels != TEXEL_BLOCK;
    case INCOMPLETE_LINEAR:
        return format_is_integer(t->format) && t->target != RANDOM_RECTANGLE && t->target != RANDOM_BUFFER;
    default:
        return false;
    }
}

static void note_copy(struct texture_state *to, const struct texture_state *from)
{
    to->painted |= from->painted || from->width != to->width || from->height != to->height ||
                   from->depth != to->depth || from->layers != to->layers;
    to->seeds[0] = from->seeds[0];
}

bool machine_step(struct machine *machine, const struct operation *o)
{
    const int32_t *i = o->integers;
    struct texture_state *texture;
    struct lookup lookup;
    switch (o->kind) {
    case OPERATION_TEXTURE:
        return make_texture(machine, i);
    case OPERATION_SAMPLER:
        if (i[0] < 0 || i[0] >= SAMPLERS)
            return false;
        machine->samplers[i[0]] = initial;
        machine->sampler_alive[i[0]] = true;
        return true;
    case OPERATION_PARAMETER:
        return set_parameter(machine, o);
    case OPERATION_BORDER: {
        struct sampler_state *s = sampler_of(machine, i[0] != 0, i[1]);
        if (s)
            memcpy(s->border, o->numbers, sizeof(s->border));
        return s != NULL;
    }
    case OPERATION_SWIZZLE:
        texture = alive(machine, i[0]);
        if (!texture || texture->target == RANDOM_BUFFER)
            return false;
        for (int k = 0; k < 4; k++)
            texture->swizzle[k] = (uint32_t)i[1 + k];
        texture->version++;
        return true;
    case OPERATION_LEVELS:
        /* A base level that is not there, or above the greatest, makes textures incomplete: not generated. */
        texture = alive(machine, i[0]);
        if (!texture || i[1] < 0 || i[1] > i[2] || i[2] >= texture->levels || texture->levels == 1)
            return false;
        texture->base = i[1];
        texture->greatest = i[2];
        texture->version++;
        return true;
    case OPERATION_INCOMPLETE:
        texture = alive(machine, i[0]);
        if (!texture || !may_lack(texture, i[1]))
            return false;
        texture->way = (enum incomplete_way)i[1];
        return true;
    case OPERATION_UNIT:
        if (i[0] < 0 || i[0] >= UNITS || !alive(machine, i[1]))
            return false;
        machine->units[i[0]] = (struct unit_state){
            i[1], i[2] >= 0 && i[2] < SAMPLERS && machine->sampler_alive[i[2]] ? i[2] : -1, o->numbers[0]};
        return true;
    case OPERATION_UPLOAD:
        texture = alive(machine, i[0]);
        if (!texture || i[1] < 0 || i[1] >= texture->levels)
            return false;
        texture->seeds[i[1]] = i[2];
        return true;
    case OPERATION_COPY:
        if (!may_copy(machine, i))
            return false;
        note_copy(&machine->textures[i[1]], &machine->textures[i[0]]);
        return true;
    case OPERATION_TARGET:
        return set_target(machine, i);
    case OPERATION_BLEND:
        if (i[0] < 0 || i[0] >= ATTACHMENTS)
            return false;
        machine->blend[i[0]] = (struct blend_state){i[1] != 0,      (uint32_t)i[2], (uint32_t)i[3], (uint32_t)i[4],
                                                    (uint32_t)i[5], (uint32_t)i[6], (uint32_t)i[7], (uint32_t)i[8]};
        return true;
    case OPERATION_CONSTANT:
        memcpy(machine->constant, o->numbers, sizeof(machine->constant));
        return true;
    case OPERATION_CLEAR:
        if (i[0] < 0 || i[0] >= machine->attachment_count)
            return false;
        machine->textures[machine->attachments[i[0]].texture].painted = true;
        return true;
    case OPERATION_PAINT:
        if (!machine->attachment_count || (i[0] && !machine_paint_lookup(machine, &lookup)))
            return false;
        for (int k = 0; k < machine->attachment_count; k++)
            machine->textures[machine->attachments[k].texture].painted = true;
        return true;
    case OPERATION_DRAW:
        if (!machine_lookup(machine, o, &lookup))
            return false;
        if (i[0] == FUNCTION_FETCH && !random_drawable.fetch_base && lookup.texture->base) {
            machine->textures[lookup.texture_slot].base = 0;
            machine->textures[lookup.texture_slot].version++;
        }
        return true;
    case OPERATION_TOGETHER:
    case OPERATION_SUBMIT:
        return true;
    default:
        return false;
    }
}

static uint32_t factor_of_alpha(uint32_t factor)
{
    switch (factor) {
    case GL_SRC_COLOR:
        return GL_SRC_ALPHA;
    case GL_ONE_MINUS_SRC_COLOR:
        return GL_ONE_MINUS_SRC_ALPHA;
    case GL_DST_COLOR:
        return GL_DST_ALPHA;
    case GL_ONE_MINUS_DST_COLOR:
        return GL_ONE_MINUS_DST_ALPHA;
    case GL_CONSTANT_COLOR:
        return GL_CONSTANT_ALPHA;
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return GL_ONE_MINUS_CONSTANT_ALPHA;
    case GL_SRC_ALPHA_SATURATE:
        return GL_ONE;
    default:
        return factor;
    }
}

struct blend_state machine_blend(const struct machine *machine, int attachment)
{
    struct blend_state b = machine->blend[attachment];
    const struct format *f = machine->textures[machine->attachments[attachment].texture].format;
    if (!b.on && !random_drawable.blend_off) {
        b.source = b.source_alpha = GL_ONE;
        b.destination = b.destination_alpha = GL_ZERO;
        b.equation = b.equation_alpha = GL_FUNC_ADD;
    }
    if (f->base != GL_ALPHA || random_drawable.alpha_apart)
        return b;
    b.source = b.source_alpha = factor_of_alpha(b.source_alpha);
    b.destination = b.destination_alpha = factor_of_alpha(b.destination_alpha);
    b.equation = b.equation_alpha;
    b.mask = b.mask & 8 ? 15 : 0;
    return b;
}

static uint32_t without_levels(uint32_t filter)
{
    switch (filter) {
    case GL_NEAREST_MIPMAP_NEAREST:
    case GL_NEAREST_MIPMAP_LINEAR:
        return GL_NEAREST;
    case GL_LINEAR_MIPMAP_NEAREST:
    case GL_LINEAR_MIPMAP_LINEAR:
        return GL_LINEAR;
    default:
        return filter;
    }
}

/* To what formats with such texels hold. */
static void round_border(const struct format *f, float border[4])
{
    const bool floats = f->texels == TEXEL_HALF || f->texels == TEXEL_F11 || f->texels == TEXEL_E5;
    /* Channels of different widths; and sRGB, whose codes are not even. */
    const bool few = (!f->vulkan_channels || f->srgb) && f->step > 0;
    const float scale = floats ? 16 : few || f->step <= 0 ? 1 : 1 / f->step;
    for (int i = 0; i < 4 && (floats || f->step > 0); i++) {
        const float held = f->srgb ? fminf(fmaxf(border[i], 0), 1) : border[i];
        border[i] = rintf(held * scale) / scale;
    }
}

static bool has_levels(uint32_t filter)
{
    return without_levels(filter) != filter;
}

/*
 * Section 8.17: is what is bound complete? Kinds that this OpenGL shows otherwise than specified are made complete, and
 * modes that show the border are others.
 */
static void find_incomplete(struct lookup *l)
{
    const struct texture_state *t = l->texture;
    struct sampler_state *s = &l->sampler;
    const enum incomplete_kind kind = l->type != SAMPLE_FLOAT ? INCOMPLETE_INTEGER
                                      : l->shadow             ? INCOMPLETE_SHADOW
                                      : t->format->depth      ? INCOMPLETE_DEPTH
                                                              : INCOMPLETE_FLOAT;
    const bool linear = without_levels(s->min_filter) == GL_LINEAR || s->mag_filter == GL_LINEAR ||
                        s->min_filter == GL_NEAREST_MIPMAP_LINEAR;
    switch (t->way) {
    case COMPLETE:
    case INCOMPLETE_WAYS:
        return;
    case INCOMPLETE_BASE:
    case INCOMPLETE_FACE:
        l->incomplete = true;
        break;
    case INCOMPLETE_LEVELS:
        l->incomplete = has_levels(s->min_filter);
        break;
    case INCOMPLETE_LINEAR:
        l->incomplete = linear && l->type != SAMPLE_FLOAT;
        break;
    }
    l->incomplete &= random_drawable.incomplete[t->target][kind] && !t->stencil;
    if (!l->incomplete || random_drawable.incomplete_border)
        return;
    for (int k = 0; k < 3; k++)
        if (s->wrap[k] != GL_REPEAT && s->wrap[k] != GL_MIRRORED_REPEAT)
            s->wrap[k] = GL_CLAMP_TO_EDGE;
}

/*
 * A border is read by modes that would show the border colour; for others the larger texture that stands for it in
 * OpenGL has none. It has one level, whose filter does not follow from sizes.
 */
static void keep_border(struct sampler_state *s)
{
    s->min_filter = s->mag_filter;
    for (int k = 0; k < 3; k++) {
        if (s->wrap[k] == GL_REPEAT || s->wrap[k] == GL_MIRRORED_REPEAT)
            s->wrap[k] = GL_CLAMP_TO_BORDER;
        if (s->wrap[k] == GL_MIRROR_CLAMP_TO_EDGE)
            s->wrap[k] = GL_CLAMP_TO_EDGE;
    }
}

/* In the place of EXT_texture_mirror_clamp's modes, where this OpenGL lacks them or has them otherwise. */
static void mirror_to_edge(struct sampler_state *s)
{
    for (int k = 0; k < 3; k++)
        if (s->wrap[k] == GL_MIRROR_CLAMP_EXT || s->wrap[k] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            s->wrap[k] = GL_MIRROR_CLAMP_TO_EDGE;
}

static void resolve(const struct machine *machine, int unit, struct lookup *l)
{
    const struct unit_state *u = &machine->units[unit];
    l->texture_slot = u->texture;
    l->texture = &machine->textures[u->texture];
    l->sampler_slot = u->sampler;
    l->sampler = u->sampler >= 0 ? machine->samplers[u->sampler] : l->texture->sampler;
    l->unit_bias = u->bias;
    struct sampler_state *s = &l->sampler;
    const struct texture_state *t = l->texture;
    l->type = t->stencil ? SAMPLE_UINT : t->format->sample;
    /* What is no depth is not compared, whatever the sampler says (section 8.23.1). */
    l->shadow = s->compare_mode != GL_NONE && t->format->depth && !t->stencil;
    find_incomplete(l);
    if (t->border)
        keep_border(s);
    /* Integer textures with linear filters are incomplete in OpenGL; the extension leaves it open. Both get nearest. */
    if (l->type != SAMPLE_FLOAT && !l->incomplete) {
        s->min_filter = without_levels(s->min_filter) == s->min_filter ? GL_NEAREST : GL_NEAREST_MIPMAP_NEAREST;
        s->mag_filter = GL_NEAREST;
        if (!random_drawable.integer_base && texture_levels(t) > 1)
            s->min_filter = GL_NEAREST_MIPMAP_NEAREST;
    }
    if (!s->seamless && (t->target == RANDOM_CUBE || t->target == RANDOM_CUBE_ARRAY)) {
        for (int k = 0; k < 3; k++) {
            if (!random_drawable.cube_wraps)
                s->wrap[k] = GL_CLAMP_TO_EDGE;
            else if (!random_drawable.cube_clamp && s->wrap[k] == GL_CLAMP)
                s->wrap[k] = GL_CLAMP_TO_BORDER;
        }
    }
    if (!random_drawable.exact_border && l->type == SAMPLE_FLOAT)
        round_border(t->format, s->border);
    /* OpenGL has no other modes and filters for rectangles. */
    if (t->target == RANDOM_RECTANGLE) {
        for (int k = 0; k < 3; k++)
            if (s->wrap[k] != GL_CLAMP && s->wrap[k] != GL_CLAMP_TO_BORDER)
                s->wrap[k] = GL_CLAMP_TO_EDGE;
        s->min_filter = without_levels(s->min_filter);
        if (!random_drawable.rectangle_gradient)
            s->min_filter = s->mag_filter;
        if (!random_drawable.rectangle_levels) {
            s->min_lod = -1000;
            s->max_lod = 1000;
        }
    }
    /* EXT_texture_mirror_clamp is the only one that OpenGL need not have. */
    if (!random_drawable.mirror_clamp)
        mirror_to_edge(s);
    if (s->max_lod < s->min_lod) { /* undefined in OpenGL */
        const float less = s->max_lod;
        s->max_lod = s->min_lod;
        s->min_lod = less;
    }
}

/*
 * The level, from the base, that all of a draw takes from under linear filters: the half texel that
 * EXT_texture_mirror_clamp bounds coordinates by is that level's. -1: the draw does not say it, or there are no such
 * modes.
 */
static int find_mirror_level(const struct lookup *l, int function)
{
    const struct texture_state *t = l->texture;
    const struct sampler_state *s = &l->sampler;
    const int axes = t->target == RANDOM_3D ? 3 : t->target == RANDOM_2D || t->target == RANDOM_2D_ARRAY ? 2 : 1;
    bool mirrors = false;
    for (int k = 0; k < axes; k++)
        mirrors |= s->wrap[k] == GL_MIRROR_CLAMP_EXT || s->wrap[k] == GL_MIRROR_CLAMP_TO_BORDER_EXT;
    if (!mirrors || t->border || t->target == RANDOM_CUBE || t->target == RANDOM_CUBE_ARRAY ||
        t->target == RANDOM_RECTANGLE || t->target == RANDOM_BUFFER || s->mag_filter != GL_LINEAR ||
        (without_levels(s->min_filter) != GL_LINEAR) || function > FUNCTION_GRAD)
        return -1;
    const int last = has_levels(s->min_filter) ? texture_levels(t) - 1 : 0;
    if (last == 0)
        return 0;
    if (function != FUNCTION_LOD || l->parameters.level_dy < 0 || l->parameters.level_dy > 0)
        return -1;
    const float level = fminf(fmaxf(l->parameters.level + s->bias + l->unit_bias, s->min_lod), s->max_lod);
    const float whole = fminf(fmaxf(level, 0), (float)last), away = whole - rintf(whole);
    return away < 0 || away > 0 ? -1 : (int)whole;
}

static const struct random_shader *find_shader(const struct lookup *l, int function, int stage, enum random_form form)
{
    for (size_t k = 0; k < random_shader_count; k++) {
        const struct random_shader *s = &random_shaders[k];
        if (s->target == l->texture->target && s->type == l->type && s->shadow == l->shadow &&
            (int)s->function == function && (int)s->stage == stage && s->form == form)
            return s;
    }
    return NULL;
}

bool machine_lookup(const struct machine *machine, const struct operation *o, struct lookup *l)
{
    const int32_t *i = o->integers;
    *l = (struct lookup){0};
    if (i[2] < 0 || i[2] >= UNITS || machine->units[i[2]].texture < 0 ||
        !machine->textures[machine->units[i[2]].texture].alive)
        return false;
    resolve(machine, i[2], l);
    const bool gathers = i[0] == FUNCTION_GATHER || i[0] == FUNCTION_GATHER_ALPHA || i[0] == FUNCTION_GATHER_OFFSET;
    const bool moves = i[0] == FUNCTION_OFFSET || i[0] == FUNCTION_LOD_OFFSET || i[0] == FUNCTION_GRAD_OFFSET;
    if ((gathers && !random_drawable.mirror_gather) || (moves && !random_drawable.mirror_offset))
        mirror_to_edge(&l->sampler);
    for (int k = 0; k < 3 && gathers && !random_drawable.gather_mirrors; k++) {
        uint32_t *wrap = &l->sampler.wrap[k];
        if (*wrap == GL_MIRROR_CLAMP_EXT || *wrap == GL_MIRROR_CLAMP_TO_EDGE || *wrap == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            *wrap = GL_CLAMP_TO_EDGE;
    }
    if (gathers && !random_drawable.gather_bounds)
        l->sampler.max_lod = fmaxf(l->sampler.max_lod, l->sampler.min_lod + 1);
    if (moves && !random_drawable.level_offset) {
        uint32_t *filter = &l->sampler.min_filter;
        *filter = *filter == GL_NEAREST_MIPMAP_LINEAR  ? GL_NEAREST_MIPMAP_NEAREST
                  : *filter == GL_LINEAR_MIPMAP_LINEAR ? GL_LINEAR_MIPMAP_NEAREST
                                                       : *filter;
    }
    const bool plain = i[0] == FUNCTION_FETCH || i[0] == FUNCTION_SIZE;
    if (l->shadow && !l->incomplete && !plain && l->texture->depth_mode == GL_ALPHA && !random_drawable.compared_alpha)
        return false;
    /* Undefined: fetches from and levels of what is not complete. And not rescaled: fetches and projection. */
    if ((plain && l->texture->way != COMPLETE) ||
        (l->texture->border && (plain || i[0] == FUNCTION_PROJ || i[0] == FUNCTION_PROJ_LOD)))
        return false;
    for (int k = 0; k < 3 && l->texture->border && (gathers || moves); k++)
        if ((i[0] != FUNCTION_GATHER && i[0] != FUNCTION_GATHER_ALPHA) || l->sampler.wrap[k] != GL_CLAMP)
            l->sampler.wrap[k] = GL_CLAMP_TO_BORDER;
    for (int form = 0; form < RANDOM_FORMS; form++)
        l->shader[form] = find_shader(l, i[0], i[1], (enum random_form)form);
    memcpy(&l->parameters, o->numbers, sizeof(l->parameters));
    l->mirror_level = random_drawable.mirror_line ? -1 : find_mirror_level(l, i[0]);
    /* Levels that are not there are undefined in texelFetch. */
    const int levels = texture_levels(l->texture);
    if (l->parameters.fetch_level > (float)(levels - 1))
        l->parameters.fetch_level = (float)(levels - 1);
    if (random_drawable.says && l->texture->target != RANDOM_BUFFER && !random_drawable.says(l))
        return false;
    if (!random_drawable.block_compute && l->texture->format->texels == TEXEL_BLOCK && i[1] == STAGE_COMP)
        return false;
    return l->shader[0] != NULL && random_drawable.stage[i[1]] &&
           (i[0] != FUNCTION_GATHER_OFFSET || random_drawable.gather_offset);
}

/* Do two lookups read one image, or by one sampler? */
static bool shares_what(const struct lookup *l, enum random_together form)
{
    if (form == TOGETHER_SAMPLERS)
        return l[0].texture_slot == l[1].texture_slot && l[0].incomplete == l[1].incomplete;
    if (form == TOGETHER_IMAGES)
        return l[0].sampler_slot >= 0 && l[0].sampler_slot == l[1].sampler_slot && l[0].type == l[1].type &&
               !(l[0].unit_bias < l[1].unit_bias || l[0].unit_bias > l[1].unit_bias) &&
               memcmp(&l[0].sampler, &l[1].sampler, sizeof(l[0].sampler)) == 0;
    return true;
}

static bool is_lookup_of(const struct random_shader *s, const struct lookup *l, const struct operation *o)
{
    return s->target == l->texture->target && s->type == l->type && s->shadow == l->shadow &&
           (int)s->function == o->integers[0] && (int)s->stage == o->integers[1];
}

const struct random_together_shader *machine_together(const struct machine *machine, const struct program *program,
                                                      uint32_t number, struct lookup l[TOGETHER_MOST])
{
    const enum random_together form = (enum random_together)program->operations[number].integers[0];
    const int count = form == TOGETHER_ARRAY || form == TOGETHER_ARRAYS ? ARRAY_ELEMENTS : 2;
    const struct operation *draws = &program->operations[number + 1];
    for (int i = 0; i < count; i++)
        if (number + 1 + (uint32_t)i >= program->count || draws[i].kind != OPERATION_DRAW ||
            !machine_lookup(machine, &draws[i], &l[i]))
            return NULL;
    if (!shares_what(l, form))
        return NULL;
    for (size_t k = 0; k < random_together_count; k++) {
        const struct random_together_shader *s = &random_togethers[k];
        bool same = s->form == form;
        for (int i = 0; same && i < count; i++)
            same = is_lookup_of(&s->lookups[i], &l[i], &draws[i]);
        if (same)
            return s;
    }
    return NULL;
}

bool machine_paint_lookup(const struct machine *machine, struct lookup *l)
{
    *l = (struct lookup){0};
    if (machine->units[0].texture < 0 || !machine->textures[machine->units[0].texture].alive)
        return false;
    resolve(machine, 0, l);
    l->mirror_level = -1;
    /* What is painted counts for what is looked up later: no filter that jumps from one texel to the next. */
    l->sampler.min_filter = l->sampler.mag_filter = GL_LINEAR;
    for (int k = 0; k < 3 && !random_drawable.mirror_line; k++)
        if (l->sampler.wrap[k] == GL_MIRROR_CLAMP_EXT || l->sampler.wrap[k] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            return false;
    /* Reading what is written is undefined; and one shader paints with lookups, of float textures in two dimensions. */
    if (random_drawable.says && !random_drawable.says(l))
        return false;
    return !is_attached(machine, machine->units[0].texture) && !l->incomplete && !l->texture->border &&
           l->type == SAMPLE_FLOAT && !l->shadow && l->texture->target == RANDOM_2D &&
           machine->textures[machine->attachments[0].texture].format->sample == SAMPLE_FLOAT;
}

/* ---- texels ---- */

size_t texels_count(const struct texture_state *t, int level)
{
    const int side = t->format && t->format->texels == TEXEL_BLOCK ? BLOCK_SIDE : 1; /* of blocks */
    int size[3];
    image_size(t, level, size);
    return (size_t)((size[0] + side - 1) / side) * (size_t)((size[1] + side - 1) / side) * (size_t)size[2] *
           (size_t)texture_faces(t);
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

/* Exponents from -6 to 0, so that sums of few are exact in floats. */
static uint32_t half_code(uint64_t r)
{
    return (uint32_t)((r & 0x83ff) | (9 + (r >> 16) % 7) << 10);
}

/* Of a code that is no denormal and no infinity. */
static float half_number(uint32_t code)
{
    const float size = ldexpf(1 + (float)(code & 0x3ff) / 1024, (int)(code >> 10 & 31) - 15);
    return code & 0x8000 ? -size : size;
}

static uint32_t f11_code(uint64_t r)
{
    const uint32_t e = (uint32_t)(9 + (r >> 40) % 7);
    return (uint32_t)(r & 0x3f) | e << 6 | (uint32_t)(r >> 8 & 0x3f) << 11 | (e - 1) << 17 |
           (uint32_t)(r >> 16 & 0x1f) << 22 | e << 27;
}

static uint32_t e5_code(uint64_t r)
{
    return (uint32_t)(r & 0x7ffffff) | (uint32_t)(13 + (r >> 40) % 4) << 27;
}

/* The three numbers of a texel of R11F_G11F_B10F or, with a shared exponent, RGB9_E5. */
static void small_numbers(bool shared, uint32_t code, float numbers[3])
{
    static const int from[3] = {0, 11, 22}, bits[3] = {6, 6, 5};
    for (int c = 0; c < 3; c++) {
        const uint32_t part = code >> from[c], mantissa = part & ((1u << bits[c]) - 1);
        numbers[c] = shared ? ldexpf((float)(code >> 9 * c & 0x1ff), (int)(code >> 27) - 15 - 9)
                            : ldexpf(1 + ldexpf((float)mantissa, -bits[c]), (int)(part >> bits[c] & 31) - 15);
    }
}

double srgb_decode(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

static uint32_t random_code(const struct format *f, int channel, int level, uint64_t seed, uint64_t *state)
{
    const uint64_t r = random_next(state);
    switch ((int64_t)seed) {
    case SEED_LEVELS:
        return bits_of((float)level);
    case SEED_RAMP:
        return bits_of(0); /* texels_make has the last one */
    case SEED_BYTES:
        return f->bits == 8 ? (uint32_t)(r >> 56) : bits_of((float)(r >> 56) / 255.0f);
    case SEED_WORDS:
        return f->bits == 16 ? (uint32_t)(r >> 48) : bits_of((float)((double)(r >> 48) / 65535));
    case SEED_SRGB:
        return f->bits == 8  ? (uint32_t)(r >> 56)
               : channel < 3 ? bits_of((float)srgb_decode((double)(r >> 56) / 255))
                             : bits_of((float)(r >> 56) / 255.0f);
    case SEED_HALVES:
        return f->bits == 16 ? half_code(r) : bits_of(half_number(half_code(r)));
    }
    switch (f->texels) {
    case TEXEL_HALF:
        return half_code(r);
    case TEXEL_FLOAT:
        return bits_of((float)((int)(r & 0xffff) - 0x8000) / 16384.0f);
    case TEXEL_F11:
        return f11_code(r);
    case TEXEL_E5:
        return e5_code(r);
    case TEXEL_DEPTH:
        return bits_of((float)(r & 0xffff) / 65536.0f);
    case TEXEL_DEPTH24:
        return bits_of((float)((double)(r & 0xffffff) / 16777215.0));
    case TEXEL_STENCIL:
        return channel ? (uint32_t)(r & 0xff) : bits_of((float)(r & 0xffff) / 65536.0f);
    default:
        return (uint32_t)(f->bits == 32 ? r : r & ((1u << f->bits) - 1));
    }
}

/* Floats of the numbers that texels of either format have by the same seed. */
static void make_small(uint32_t *codes, size_t count, int channels, bool shared, uint64_t *state)
{
    for (size_t k = 0; k < count; k++) {
        const uint64_t r = random_next(state);
        float numbers[4] = {[3] = 1};
        small_numbers(shared, shared ? e5_code(r) : f11_code(r), numbers);
        for (int c = 0; c < channels; c++)
            codes[k * (size_t)channels + (size_t)c] = bits_of(numbers[c]);
    }
}

uint32_t *texels_make(const struct texture_state *t, int level, uint64_t seed)
{
    const size_t count = texels_count(t, level);
    const struct format *like = t->like ? t->like : t->format;
    uint32_t *codes = calloc(count * (size_t)t->format->channels, sizeof(*codes));
    uint64_t state = seed * 1000003u + (uint64_t)level;
    if (codes && like->texels == TEXEL_FLOAT && ((int64_t)seed == SEED_E5 || (int64_t)seed == SEED_F11)) {
        make_small(codes, count, t->format->channels, (int64_t)seed == SEED_E5, &state);
        return codes;
    }
    for (size_t k = 0; codes && k < count; k++)
        for (int c = 0; c < like->channels; c++) {
            const uint32_t drawn = random_code(like, c, level, seed, &state);
            const uint32_t code = like->alpha_zero && c == 3 ? 0 : drawn;
            if (c < t->format->channels)
                codes[k * (size_t)t->format->channels + (size_t)c] = code;
        }
    if (codes && (int64_t)seed == SEED_RAMP)
        codes[(count - 1) * (size_t)t->format->channels] = bits_of(1);
    return codes;
}

static void put(unsigned char *bytes, size_t index, int bits, uint32_t code)
{
    if (bits == 8)
        bytes[index] = (unsigned char)code;
    else if (bits == 16)
        memcpy(bytes + 2 * index, &(uint16_t){(uint16_t)code}, 2);
    else
        memcpy(bytes + 4 * index, &code, 4);
}

void *texels_for_gl(const struct format *f, const uint32_t *codes, size_t count)
{
    const size_t channels = (size_t)f->channels;
    unsigned char *bytes = malloc(count * channels * 4 + 16);
    for (size_t k = 0; bytes && k < count * channels; k++)
        put(bytes, k, f->bits, codes[k]);
    return bytes;
}

void *texels_for_vulkan(const struct format *f, const uint32_t *codes, size_t count)
{
    if (!f->vulkan_channels) /* packed: the same */
        return texels_for_gl(f, codes, count);
    const size_t channels = (size_t)f->vulkan_channels;
    unsigned char *bytes = malloc(count * channels * 4 + 16);
    if (!bytes)
        return NULL;
    /* What OpenGL's format lacks is not 0: nobody may see it. */
    for (size_t k = 0; k < count * channels; k++)
        put(bytes, k, f->bits,
            f->texels == TEXEL_FLOAT  ? 0x40e00000u
            : f->texels == TEXEL_HALF ? 0x4700u
                                      : 0xa55a5aa5u);
    for (size_t k = 0; k < count; k++)
        for (int c = 0; c < f->channels && c < f->vulkan_channels && f->place[c] >= 0; c++)
            put(bytes, k * channels + (size_t)f->place[c], f->bits, codes[k * (size_t)f->channels + (size_t)c]);
    return bytes;
}

static uint32_t taken(const unsigned char *bytes, size_t index, int bits)
{
    uint32_t code = 0;
    memcpy(&code, bytes + index * (size_t)bits / 8, (size_t)bits / 8);
    return code;
}

uint32_t *texels_of_gl(const struct format *f, const void *bytes, size_t count)
{
    const size_t channels = (size_t)f->channels;
    uint32_t *codes = malloc(count * channels * sizeof(*codes) + 1);
    for (size_t k = 0; codes && k < count * channels; k++)
        codes[k] = taken(bytes, k, f->bits);
    return codes;
}

uint32_t *texels_of_vulkan(const struct format *f, const void *bytes, size_t count)
{
    if (!f->vulkan_channels)
        return texels_of_gl(f, bytes, count);
    const size_t channels = (size_t)f->channels;
    uint32_t *codes = calloc(count * channels + 1, sizeof(*codes));
    for (size_t k = 0; codes && k < count; k++)
        for (size_t c = 0; c < channels; c++)
            if (f->place[c] >= 0)
                codes[k * channels + c] = taken(bytes, k * (size_t)f->vulkan_channels + (size_t)f->place[c], f->bits);
    return codes;
}

size_t texel_bytes_for_gl(const struct format *f)
{
    return (size_t)f->channels * (size_t)f->bits / 8;
}

size_t texel_bytes_for_vulkan(const struct format *f)
{
    return (size_t)(f->vulkan_channels ? f->vulkan_channels : f->channels) * (size_t)f->bits / 8;
}

int code_channels(const struct format *f)
{
    return f->vulkan_channels ? f->channels : 3; /* RGB565 */
}

/* Of RGB565, where channels are and their greatest codes. */
static const int packed_from[3] = {11, 5, 0};
static const uint32_t packed_most[3] = {31, 63, 31};

static uint32_t greatest_code(const struct format *f, int channel)
{
    return f->vulkan_channels ? (1u << (f->bits & 31)) - 1 : packed_most[channel];
}

float code_number(const struct format *f, const uint32_t *texel, int channel)
{
    const uint32_t code = f->vulkan_channels ? texel[channel] : texel[0] >> packed_from[channel] & packed_most[channel];
    float number = (float)code;
    if (f->texels == TEXEL_FLOAT)
        memcpy(&number, &code, sizeof(number));
    else if (f->texels == TEXEL_HALF && code & 0x7c00)
        number = half_number(code);
    else if (f->texels == TEXEL_HALF)
        number = ldexpf((float)(code & 0x3ff) * (code & 0x8000 ? -1 : 1), -24);
    else if (!format_is_integer(f))
        number /= (float)greatest_code(f, channel);
    return number;
}

float code_step(const struct format *f, int channel, float number)
{
    const float floats = 3e-6f * fmaxf(1, fabsf(number)); /* colours and equations */
    if (format_is_integer(f))
        return 0;
    if (f->texels == TEXEL_HALF)
        return floats + ldexpf(fmaxf(fabsf(number), ldexpf(1, -14)), -10);
    return f->texels == TEXEL_FLOAT ? floats : 1.01f / (float)greatest_code(f, channel);
}

int blended_channel(const struct format *f, int channel)
{
    return f->base == GL_ALPHA || (f->base == GL_LUMINANCE_ALPHA && channel == 1) ? 3 : channel;
}

size_t attached_texels(const struct machine *machine, int attachment)
{
    const struct attachment_state *a = &machine->attachments[attachment];
    const struct texture_state *t = &machine->textures[a->texture];
    return (size_t)level_size(t->width, a->level) * (size_t)level_size(t->height, a->level);
}
