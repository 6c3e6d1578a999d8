/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "differential/texel_sides.h"

static const char vertex_source[] =
    "#version 330 compatibility\n"
    "void main()\n"
    "{\n"
    "    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
    "}\n";

/* One pixel for each index, and textureSize behind the last. */
static const char fragment_source[] =
    "#version 330 compatibility\n"
    "uniform SAMPLER textures;\n"
    "uniform isamplerBuffer indices;\n"
    "uniform int count;\n"
    "out TEXEL color;\n"
    "void main()\n"
    "{\n"
    "    int i = int(gl_FragCoord.x);\n"
    "    color = i < count ? texelFetch(textures, texelFetch(indices, i).x) : TEXEL(SIZE(textureSize(textures)));\n"
    "}\n";

bool texel_gl_open(struct texel_gl *side, char *why, size_t why_size)
{
    /* Sizes do not fit a float: their bits do. */
    static const char float_defines[] = "#extension GL_ARB_shader_bit_encoding : require\n"
                                        "#define SAMPLER samplerBuffer\n#define TEXEL vec4\n"
                                        "#define SIZE intBitsToFloat\n";
    static const char *const defines[CLASSES] = {
        float_defines, "#define SAMPLER isamplerBuffer\n#define TEXEL ivec4\n#define SIZE int\n",
        "#define SAMPLER usamplerBuffer\n#define TEXEL uvec4\n#define SIZE uint\n"};
    static const GLenum formats[CLASSES] = {GL_RGBA32F, GL_RGBA32I, GL_RGBA32UI};
    if (!harness_gl_open(&side->gl, why, why_size))
        return false;
    for (unsigned c = 0; c < CLASSES; c++) {
        side->programs[c] = harness_gl_program(&side->gl, vertex_source, fragment_source, defines[c]);
        harness_gl_target_create(&side->gl, &side->targets[c], formats[c], TEXEL_INDICES + 1, 1);
    }
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &side->most_elements);
    glGetIntegerv(GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT, &side->alignment);
    harness_gl_check("the programs of buffer textures");
    return true;
}

void texel_gl_close(struct texel_gl *side)
{
    for (unsigned c = 0; c < CLASSES; c++) {
        side->gl.DeleteProgram(side->programs[c]);
        harness_gl_target_destroy(&side->gl, &side->targets[c]);
    }
    harness_gl_close(&side->gl);
}

static GLuint make_buffer(const struct harness_gl *gl, size_t size, const void *bytes)
{
    GLuint buffer;
    gl->GenBuffers(1, &buffer);
    gl->BindBuffer(GL_TEXTURE_BUFFER, buffer);
    gl->BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)size, bytes, GL_STATIC_DRAW);
    return buffer;
}

static bool attach(const struct harness_gl *gl, const struct texel_case *one, GLuint buffer)
{
    const struct texel_row *row = &texel_rows[one->row];
    const size_t range = (size_t)one->elements * texel_row_bytes(row) + one->tail;
    if (one->offset == 0 && one->behind == 0)
        gl->TexBuffer(GL_TEXTURE_BUFFER, row->internal, buffer);
    else
        gl->TexBufferRange(GL_TEXTURE_BUFFER, row->internal, buffer, (GLintptr)one->offset, (GLsizeiptr)range);
    return glGetError() == GL_NO_ERROR; /* an internal format that this OpenGL has not in its table */
}

bool texel_gl_draw(struct texel_gl *side, const struct texel_case *one, const void *bytes, const int32_t *indices,
                   uint32_t count, uint32_t bits[][4], uint32_t *size)
{
    static const GLenum formats[CLASSES] = {GL_RGBA, GL_RGBA_INTEGER, GL_RGBA_INTEGER};
    static const GLenum types[CLASSES] = {GL_FLOAT, GL_INT, GL_UNSIGNED_INT};
    const struct harness_gl *gl = &side->gl;
    const enum texel_class class = texel_class_of(&texel_rows[one->row]);
    if (one->elements > (uint32_t)side->most_elements || one->offset % (uint32_t)side->alignment != 0)
        return false;
    uint32_t pixels[TEXEL_INDICES + 1][4];
    harness_gl_use(gl);
    GLuint textures[2], buffers[2] = {make_buffer(gl, texel_buffer_bytes(one), bytes), 0};
    harness_gl_check("filling the buffer of a texture");
    glGenTextures(2, textures);
    gl->ActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_BUFFER, textures[0]);
    const bool attached = attach(gl, one, buffers[0]);
    if (attached) {
        buffers[1] = make_buffer(gl, count * sizeof(*indices), indices);
        gl->ActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_BUFFER, textures[1]);
        gl->TexBuffer(GL_TEXTURE_BUFFER, GL_R32I, buffers[1]);
        const GLuint program = side->programs[class];
        gl->UseProgram(program);
        gl->Uniform1i(gl->GetUniformLocation(program, "textures"), 0);
        gl->Uniform1i(gl->GetUniformLocation(program, "indices"), 1);
        gl->Uniform1i(gl->GetUniformLocation(program, "count"), (GLint)count);
        harness_gl_target_begin(gl, &side->targets[class]);
        gl->ClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        harness_gl_target_read(&side->targets[class], formats[class], types[class], pixels);
        harness_gl_check("drawing a buffer texture");
        memcpy(bits, pixels, count * sizeof(*pixels));
        *size = pixels[count][0];
    }
    gl->ActiveTexture(GL_TEXTURE0);
    glDeleteTextures(2, textures);
    gl->DeleteBuffers(2, buffers);
    return attached;
}
