/* SPDX-License-Identifier: MIT */
#include "differential/order_voices.h"

#include <stdio.h>

static const char vertex_source[] =
    "#version 330\n"
    "void main()\n"
    "{\n"
    "    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);\n"
    "}\n";

/* The same as shaders/tests/order_source.frag: output `shift`. */
static const char fragment_source[] =
    "#version 330\n"
    "#ifdef INTEGER\n"
    "#define VECTOR uvec4\n"
    "#else\n"
    "#define VECTOR vec4\n"
    "#endif\n"
    "uniform int shift;\n"
    "layout(location = 0, index = 0) out VECTOR color0;\n"
    "#ifdef DUAL\n"
    "layout(location = 0, index = 1) out VECTOR second;\n"
    "#endif\n"
    "void main()\n"
    "{\n"
    "    vec2 at = floor(gl_FragCoord.xy);\n"
    "    vec4 source = vec4(at.x, at.y, 15.0 - at.x, mod(at.x * 7.0 + at.y * 3.0, 16.0)) / 15.0;\n"
    "    if (shift == 1)\n"
    "        source = source.yzwx;\n"
    "    if (shift == 2)\n"
    "        source = source.zwxy;\n"
    "#ifdef NEGATIVE\n"
    "    source = source * 3.0 - 1.25;\n"
    "#endif\n"
    "    vec4 before = source;\n"
    "#ifdef ONE\n"
    "    source.w = 1.0;\n"
    "#endif\n"
    "#ifdef INTEGER\n"
    "    source = source * 15.0 + 0.5;\n"
    "#endif\n"
    "    color0 = VECTOR(source);\n"
    "#ifdef DUAL\n"
    "    second = VECTOR(1.0 - before.wxyz);\n"
    "#ifdef ONE\n"
    "    second.w = 1.0;\n"
    "#endif\n"
    "#endif\n"
    "}\n";

static const char lookup_source[] = "#version 330\n"
                                    "#ifdef INTEGER\n"
                                    "uniform usampler2D unit;\n"
                                    "#else\n"
                                    "uniform sampler2D unit;\n"
                                    "#endif\n"
                                    "out vec4 color;\n"
                                    "void main()\n"
                                    "{\n"
                                    "#ifdef SAMPLED\n"
                                    "    color = vec4(texture(unit, gl_FragCoord.xy / 16.0 * 1.5 - 0.25));\n"
                                    "#else\n"
                                    "    color = vec4(texelFetch(unit, ivec2(gl_FragCoord.xy), 0));\n"
                                    "#endif\n"
                                    "}\n";

static void make_target(struct order_gl *gl, enum order_kind kind)
{
    const bool integer = order_is_integer(kind);
    glGenTextures(1, &gl->targets[kind].texture);
    glBindTexture(GL_TEXTURE_2D, gl->targets[kind].texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)order_info(kind)->gl_internal, ORDER_SIZE, ORDER_SIZE, 0,
                 integer ? GL_RGBA_INTEGER : GL_RGBA, integer ? GL_UNSIGNED_INT : GL_FLOAT, NULL);
    gl->gl.GenFramebuffers(1, &gl->targets[kind].framebuffer);
    gl->gl.BindFramebuffer(GL_FRAMEBUFFER, gl->targets[kind].framebuffer);
    gl->gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, gl->targets[kind].texture, 0);
    /* An OpenGL without the format has said so by an error as well, which is no more than that. */
    gl->targets[kind].complete =
        glGetError() == GL_NO_ERROR && gl->gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool order_gl_open(struct order_gl *gl, char *why, size_t why_size)
{
    *gl = (struct order_gl){.integer = 0};
    if (!harness_gl_open(&gl->gl, why, why_size))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        static const char *const defines[] = {"", "#define NEGATIVE\n", "#define ONE\n",
                                              "#define NEGATIVE\n#define ONE\n"};
        char dual[64];
        snprintf(dual, sizeof(dual), "#define DUAL\n%s", defines[i]);
        gl->sources[i & 1][i >> 1] = harness_gl_program(&gl->gl, vertex_source, fragment_source, defines[i]);
        gl->duals[i & 1][i >> 1] = harness_gl_program(&gl->gl, vertex_source, fragment_source, dual);
    }
    gl->integer = harness_gl_program(&gl->gl, vertex_source, fragment_source, "#define INTEGER\n");
    gl->lookups[0] = harness_gl_program(&gl->gl, vertex_source, lookup_source, NULL);
    gl->lookups[1] = harness_gl_program(&gl->gl, vertex_source, lookup_source, "#define INTEGER\n");
    gl->sampled[0] = harness_gl_program(&gl->gl, vertex_source, lookup_source, "#define SAMPLED\n");
    gl->sampled[1] = harness_gl_program(&gl->gl, vertex_source, lookup_source, "#define INTEGER\n#define SAMPLED\n");
    for (enum order_border border = ORDER_BORDER_PLAIN; border < ORDER_BORDERS; border++) {
        for (uint32_t way = 0; way < ORDER_LOOKUPS; way++) {
            const VkSamplerGLStateCreateInfoCLAMPLER state = order_lookup_state(way, border);
            gl->samplers[border][way] = harness_gl_sampler(
                &gl->gl, &state, border == ORDER_BORDER_INTEGER ? HARNESS_GL_BORDER_UINT : HARNESS_GL_BORDER_FLOAT);
        }
    }
    harness_gl_target_create(&gl->gl, &gl->looked, GL_RGBA32F, ORDER_SIZE, ORDER_SIZE);
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++)
        make_target(gl, kind);
    harness_gl_check("making the targets of channel orders");
    return true;
}

/* What the factor is where destination alpha is 0, and OpenGL's attachment has none. Source alpha is at most 1. */
static VkBlendFactor without_alpha(VkBlendFactor factor)
{
    switch (factor) {
    case VK_BLEND_FACTOR_DST_ALPHA:
        return VK_BLEND_FACTOR_ZERO;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return VK_BLEND_FACTOR_ONE;
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return VK_BLEND_FACTOR_SRC_ALPHA;
    default:
        return factor;
    }
}

static GLenum gl_factor(VkBlendFactor factor, bool alpha_zero)
{
    static const GLenum factors[ORDER_FACTORS] = {GL_ZERO,
                                                  GL_ONE,
                                                  GL_SRC_COLOR,
                                                  GL_ONE_MINUS_SRC_COLOR,
                                                  GL_DST_COLOR,
                                                  GL_ONE_MINUS_DST_COLOR,
                                                  GL_SRC_ALPHA,
                                                  GL_ONE_MINUS_SRC_ALPHA,
                                                  GL_DST_ALPHA,
                                                  GL_ONE_MINUS_DST_ALPHA,
                                                  GL_CONSTANT_COLOR,
                                                  GL_ONE_MINUS_CONSTANT_COLOR,
                                                  GL_CONSTANT_ALPHA,
                                                  GL_ONE_MINUS_CONSTANT_ALPHA,
                                                  GL_SRC_ALPHA_SATURATE,
                                                  GL_SRC1_COLOR,
                                                  GL_ONE_MINUS_SRC1_COLOR,
                                                  GL_SRC1_ALPHA,
                                                  GL_ONE_MINUS_SRC1_ALPHA};
    return factors[alpha_zero ? without_alpha(factor) : factor];
}

static void set_state(struct order_gl *gl, const struct order_draw *draw, uint32_t attachment)
{
    static const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX};
    static const GLenum logic_ops[] = {
        GL_CLEAR, GL_AND,   GL_AND_REVERSE, GL_COPY,       GL_AND_INVERTED,  GL_NOOP,        GL_XOR,  GL_OR,
        GL_NOR,   GL_EQUIV, GL_INVERT,      GL_OR_REVERSE, GL_COPY_INVERTED, GL_OR_INVERTED, GL_NAND, GL_SET};
    const VkPipelineColorBlendAttachmentState *blend = &draw->attachments[attachment].blend;
    const bool zero = order_info(draw->attachments[attachment].kind)->at[3] == ORDER_ZERO;
    /* llvmpipe takes the equation of colours for alpha in formats that have alpha alone; they have no colours. */
    const bool alone = gl->gl.mesa_software && order_info(draw->attachments[attachment].kind)->base == GL_ALPHA;
    if (blend->blendEnable) {
        glEnable(GL_BLEND);
        gl->gl.BlendFuncSeparate(
            gl_factor(blend->srcColorBlendFactor, zero), gl_factor(blend->dstColorBlendFactor, zero),
            gl_factor(blend->srcAlphaBlendFactor, zero), gl_factor(blend->dstAlphaBlendFactor, zero));
        gl->gl.BlendEquationSeparate(equations[alone ? blend->alphaBlendOp : blend->colorBlendOp],
                                     equations[blend->alphaBlendOp]);
        const float *constants = order_constants(draw);
        gl->gl.BlendColor(constants[0], constants[1], constants[2], constants[3]);
    }
    if (draw->logic) {
        glEnable(GL_COLOR_LOGIC_OP);
        glLogicOp(logic_ops[draw->logic_op]);
    }
    glColorMask(blend->colorWriteMask & 1, blend->colorWriteMask >> 1 & 1, blend->colorWriteMask >> 2 & 1,
                blend->colorWriteMask >> 3 & 1);
}

/* Of floats SRC_ALPHA_SATURATE is min(As, 1) there, which is no factor. */
static bool has_factors(const struct order_draw *draw, uint32_t attachment)
{
    const struct order_attachment *of = &draw->attachments[attachment];
    const bool saturates = of->blend.srcColorBlendFactor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE ||
                           of->blend.dstColorBlendFactor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
    return !(saturates && of->blend.blendEnable && draw->negative && order_info(of->kind)->number == ORDER_FLOAT &&
             order_info(of->kind)->at[3] == ORDER_ZERO);
}

static void reset_state(void)
{
    glDisable(GL_BLEND);
    glDisable(GL_COLOR_LOGIC_OP);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

static void draw_with(struct order_gl *gl, GLuint program, uint32_t shift)
{
    gl->gl.UseProgram(program);
    gl->gl.Uniform1i(gl->gl.GetUniformLocation(program, "shift"), (GLint)shift);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void upload(enum order_kind kind)
{
    struct order_pixels texels;
    float rgba[ORDER_PIXELS][4];
    uint32_t integers[ORDER_PIXELS][4];
    order_texels(kind, &texels);
    for (uint32_t i = 0; i < ORDER_PIXELS; i++) {
        order_decode(kind, &texels, i, rgba[i]);
        for (uint32_t c = 0; c < 4; c++)
            integers[i][c] = (uint32_t)rgba[i][c];
    }
    if (order_is_integer(kind))
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ORDER_SIZE, ORDER_SIZE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, integers);
    else
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ORDER_SIZE, ORDER_SIZE, GL_RGBA, GL_FLOAT, rgba);
}

/* `sampler` 0: the texture's own. */
static void look_up(struct order_gl *gl, enum order_kind kind, GLuint program, GLuint sampler, void *shown)
{
    harness_gl_target_begin(&gl->gl, &gl->looked);
    gl->gl.UseProgram(program);
    gl->gl.ActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, gl->targets[kind].texture);
    gl->gl.BindSampler(0, sampler);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl->gl.BindSampler(0, 0);
    harness_gl_target_read(&gl->looked, GL_RGBA, GL_FLOAT, shown);
}

static void read_all(struct order_gl *gl, enum order_kind kind, uint32_t lookup, struct order_gl_drawn *drawn)
{
    const bool integer = order_is_integer(kind);
    uint32_t integers[ORDER_PIXELS][4];
    if (integer) {
        glReadPixels(0, 0, ORDER_SIZE, ORDER_SIZE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, integers);
        for (uint32_t i = 0; i < 4 * ORDER_PIXELS; i++)
            drawn->read[i / 4][i % 4] = (float)integers[i / 4][i % 4];
    } else {
        glReadPixels(0, 0, ORDER_SIZE, ORDER_SIZE, GL_RGBA, GL_FLOAT, drawn->read);
    }
    look_up(gl, kind, gl->lookups[integer], 0, drawn->looked);
    look_up(gl, kind, gl->sampled[integer], gl->samplers[order_border_of(kind)][lookup], drawn->sampled);
}

bool order_gl_draw(struct order_gl *gl, const struct order_case *one, uint32_t attachment, uint32_t lookup,
                   struct order_gl_drawn *drawn)
{
    const enum order_kind kind = one->draw.attachments[attachment].kind;
    const GLuint program = order_is_integer(kind) ? gl->integer : gl->sources[one->draw.negative][one->draw.one];
    if (!gl->targets[kind].complete || !has_factors(&one->draw, attachment))
        return false;
    gl->gl.BindFramebuffer(GL_FRAMEBUFFER, gl->targets[kind].framebuffer);
    glBindTexture(GL_TEXTURE_2D, gl->targets[kind].texture);
    glViewport(0, 0, ORDER_SIZE, ORDER_SIZE);
    if (order_info(kind)->number == ORDER_SRGB)
        glEnable(GL_FRAMEBUFFER_SRGB);
    else
        glDisable(GL_FRAMEBUFFER_SRGB);
    if (one->contents == ORDER_UPLOADED)
        upload(kind);
    else if (one->contents == ORDER_DRAWN)
        draw_with(gl, program, attachment);
    else if (order_is_integer(kind))
        gl->gl.ClearBufferuiv(GL_COLOR, 0, order_clear_integers);
    else
        gl->gl.ClearBufferfv(GL_COLOR, 0, order_clear_color(kind));
    set_state(gl, &one->draw, attachment);
    draw_with(gl, order_reads_second(&one->draw) ? gl->duals[one->draw.negative][one->draw.one] : program, attachment);
    reset_state();
    read_all(gl, kind, lookup, drawn);
    harness_gl_check("drawing channel orders");
    return true;
}
