/* SPDX-License-Identifier: MIT */
#include "differential/blend_voices.h"

#include <stdio.h>

static const char vertex_source[] =
    "#version 330\n"
    "void main()\n"
    "{\n"
    "    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);\n"
    "}\n";

/* The same as shaders/tests/blend_source.frag. */
static const char fragment_source[] =
    "#version 330\n"
    "#ifdef INTEGER\n"
    "#define VECTOR uvec4\n"
    "#else\n"
    "#define VECTOR vec4\n"
    "#endif\n"
    "layout(location = 0, index = 0) out VECTOR color0;\n"
    "#ifdef DUAL\n"
    "layout(location = 0, index = 1) out VECTOR second;\n"
    "#endif\n"
    "void main()\n"
    "{\n"
    "    vec2 at = floor(gl_FragCoord.xy);\n"
    "    vec4 source = vec4(at.x, at.y, 15.0 - at.x, mod(at.x * 7.0 + at.y * 3.0, 16.0)) / 15.0;\n"
    "#ifdef INTEGER\n"
    "    source *= 15.0;\n"
    "#endif\n"
    "    color0 = VECTOR(source);\n"
    "#ifdef DUAL\n"
    "    second = VECTOR(1.0 - source.wxyz);\n"
    "#endif\n"
    "}\n";

/* The same as shaders/tests/special_source.frag. */
static const char special_source[] =
    "#version 330\n"
    "#extension GL_ARB_shader_bit_encoding : require\n"
    "layout(location = 0) out vec4 color0;\n"
    "const uint bits[16] = uint[](0u, 0x80000000u, 0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u,\n"
    "                             0x33800000u, 0xb7803000u, 0x477fe000u, 0x477ff000u, 0x7149f2cau, 0x0da24260u,\n"
    "                             0x3f000000u, 0x3dcccccdu, 0x40490fdbu);\n"
    "float special(uint index)\n"
    "{\n"
    "    return uintBitsToFloat(bits[index % 16u]);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    uvec2 at = uvec2(gl_FragCoord.xy);\n"
    "    color0 = vec4(special(at.x), special(at.x + at.y), special(at.x * 3u + 5u * at.y), special(at.y));\n"
    "}\n";

bool blend_gl_open(struct blend_gl *gl, char *why, size_t why_size)
{
    *gl = (struct blend_gl){.plain = 0};
    if (!harness_gl_open(&gl->gl, why, why_size))
        return false;
    gl->plain = harness_gl_program(&gl->gl, vertex_source, fragment_source, NULL);
    gl->dual = harness_gl_program(&gl->gl, vertex_source, fragment_source, "#define DUAL\n");
    gl->integer = harness_gl_program(&gl->gl, vertex_source, fragment_source, "#define INTEGER\n");
    gl->special = harness_gl_program(&gl->gl, vertex_source, special_source, NULL);
    for (enum blend_family family = BLEND_UNORM8; family < BLEND_FAMILIES; family++) {
        const struct blend_family_info *info = blend_family(family);
        for (unsigned alpha = 0; alpha < 2; alpha++) {
            glGenTextures(1, &gl->targets[family][alpha].texture);
            glBindTexture(GL_TEXTURE_2D, gl->targets[family][alpha].texture);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
            glTexImage2D(GL_TEXTURE_2D, 0, (GLint)(alpha ? info->gl_rgba : info->gl_rgb), BLEND_SIZE, BLEND_SIZE, 0,
                         info->gl_format, info->gl_type, NULL);
            gl->gl.GenFramebuffers(1, &gl->targets[family][alpha].framebuffer);
            gl->gl.BindFramebuffer(GL_FRAMEBUFFER, gl->targets[family][alpha].framebuffer);
            gl->gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                        gl->targets[family][alpha].texture, 0);
            gl->targets[family][alpha].complete =
                gl->gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
        }
    }
    harness_gl_check("making the targets of blending");
    return true;
}

static GLenum gl_factor(VkBlendFactor factor)
{
    static const GLenum factors[BLEND_FACTORS] = {GL_ZERO,
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
    return factors[factor];
}

static void set_state(struct blend_gl *gl, const struct blend_draw *draw)
{
    static const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX};
    static const GLenum logic_ops[] = {
        GL_CLEAR, GL_AND,   GL_AND_REVERSE, GL_COPY,       GL_AND_INVERTED,  GL_NOOP,        GL_XOR,  GL_OR,
        GL_NOR,   GL_EQUIV, GL_INVERT,      GL_OR_REVERSE, GL_COPY_INVERTED, GL_OR_INVERTED, GL_NAND, GL_SET};
    if (draw->blends) {
        const GLenum s = gl_factor(draw->source), d = gl_factor(draw->destination);
        glEnable(GL_BLEND);
        gl->gl.BlendFuncSeparate(s, d, d, s);
        gl->gl.BlendEquationSeparate(equations[draw->op], equations[draw->op]);
        gl->gl.BlendColor(blend_constants[0], blend_constants[1], blend_constants[2], blend_constants[3]);
    }
    if (draw->logic) {
        glEnable(GL_COLOR_LOGIC_OP);
        glLogicOp(logic_ops[draw->logic_op]);
    }
    glColorMask(draw->mask & 1, draw->mask >> 1 & 1, draw->mask >> 2 & 1, draw->mask >> 3 & 1);
}

static void reset_state(void)
{
    glDisable(GL_BLEND);
    glDisable(GL_COLOR_LOGIC_OP);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

bool blend_gl_draw(struct blend_gl *gl, const struct blend_case *one, struct blend_pixels *pixels)
{
    const enum blend_family family = one->draw.family;
    const struct blend_family_info *info = blend_family(family);
    struct blend_pixels texels;
    if (!gl->targets[family][one->alpha].complete)
        return false;
    gl->gl.BindFramebuffer(GL_FRAMEBUFFER, gl->targets[family][one->alpha].framebuffer);
    glBindTexture(GL_TEXTURE_2D, gl->targets[family][one->alpha].texture);
    glViewport(0, 0, BLEND_SIZE, BLEND_SIZE);
    if (family == BLEND_SRGB8)
        glEnable(GL_FRAMEBUFFER_SRGB);
    else
        glDisable(GL_FRAMEBUFFER_SRGB);
    const GLuint program = family == BLEND_UINT8 ? gl->integer : family == BLEND_SPECIAL16 ? gl->special : gl->plain;
    gl->gl.UseProgram(program);
    switch (one->contents) {
    case BLEND_UPLOADED:
        blend_texels(family, &texels);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, BLEND_SIZE, BLEND_SIZE, info->gl_format, info->gl_type, &texels);
        break;
    case BLEND_CLEARED:
        if (family == BLEND_UINT8)
            gl->gl.ClearBufferuiv(GL_COLOR, 0, blend_clear_integers);
        else
            gl->gl.ClearBufferfv(GL_COLOR, 0, blend_clear_color);
        break;
    default:
        glDrawArrays(GL_TRIANGLES, 0, 3);
        break;
    }
    if (blend_reads_second(&one->draw))
        gl->gl.UseProgram(gl->dual);
    set_state(gl, &one->draw);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    reset_state();
    glReadPixels(0, 0, BLEND_SIZE, BLEND_SIZE, info->gl_format, info->gl_type, pixels);
    harness_gl_check("blending");
    return true;
}
