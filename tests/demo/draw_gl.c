/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "demo/scene.h"
#include "scene_frag_source.h"
#include "scene_vert_source.h"

static void enable_attributes(struct harness_gl *gl)
{
    const GLsizei stride = sizeof(struct scene_vertex);
    gl->VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(struct scene_vertex, position));
    gl->VertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(struct scene_vertex, coordinate));
    gl->VertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(struct scene_vertex, shade));
    for (GLuint i = 0; i < 3; i++)
        gl->EnableVertexAttribArray(i);
}

void scene_draw_gl(struct harness_gl *gl, const struct scene *scene, uint32_t width, uint32_t height, uint8_t *pixels)
{
    struct harness_gl_target target;
    GLuint textures[SCENE_TEXTURES], buffer;
    harness_gl_target_create(gl, &target, GL_RGBA8, width, height);
    for (uint32_t i = 0; i < scene->texture_count; i++)
        textures[i] = lookup_gl_image(gl, &scene->textures[i], 0);
    gl->GenBuffers(1, &buffer);
    gl->BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl->BufferData(GL_ARRAY_BUFFER, sizeof(scene->objects), NULL, GL_STATIC_DRAW);
    for (uint32_t i = 0; i < scene->object_count; i++)
        gl->BufferSubData(GL_ARRAY_BUFFER, (GLintptr)(i * sizeof(scene->objects[i].corners)),
                          sizeof(scene->objects[i].corners), scene->objects[i].corners);
    enable_attributes(gl);
    GLuint program = harness_gl_program(gl, scene_vert_source, scene_frag_source, NULL);
    harness_gl_target_begin(gl, &target);
    gl->UseProgram(program);
    gl->ActiveTexture(GL_TEXTURE0);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        GLuint sampler = harness_gl_sampler(gl, &scene->objects[i].sampler, HARNESS_GL_BORDER_FLOAT);
        glBindTexture(GL_TEXTURE_2D, textures[scene->objects[i].texture]);
        gl->BindSampler(0, sampler);
        glDrawArrays(GL_TRIANGLE_STRIP, (GLint)i * 4, 4);
        gl->DeleteSamplers(1, &sampler);
    }
    harness_gl_target_read(&target, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (GLuint i = 0; i < 3; i++)
        gl->DisableVertexAttribArray(i);
    gl->DeleteProgram(program);
    gl->DeleteBuffers(1, &buffer);
    glDeleteTextures((GLsizei)scene->texture_count, textures);
    harness_gl_target_destroy(gl, &target);
    harness_gl_check("drawing the scene");
}
