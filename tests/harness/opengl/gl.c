/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "harness/device/environment.h"
#include "gl/gl_tokens.h"
#include "harness/opengl/gl.h"
#include "harness/device/vulkan.h"

#define EGL_DEVICES_MAX 16

static EGLDisplay platform_display(EGLenum platform, void *native)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    return get ? get(platform, native, NULL) : EGL_NO_DISPLAY;
}

/* A compatibility context of the newest version that the display has, current without a surface. */
static bool make_context(struct harness_gl *gl, EGLDisplay display)
{
    static const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    static const EGLint versions[][2] = {{4, 6}, {4, 5}, {3, 3}};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL))
        return false;
    if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || !count)
        config = EGL_NO_CONFIG_KHR;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && eglBindAPI(EGL_OPENGL_API); i++) {
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     versions[i][0],
                                     EGL_CONTEXT_MINOR_VERSION,
                                     versions[i][1],
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                     EGL_NONE};
        EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
        if (context == EGL_NO_CONTEXT)
            continue;
        if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
            gl->display = display;
            gl->context = context;
            return true;
        }
        eglDestroyContext(display, context);
    }
    eglTerminate(display);
    return false;
}

static bool open_surfaceless(struct harness_gl *gl)
{
    EGLDisplay display = platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
    return display != EGL_NO_DISPLAY && make_context(gl, display);
}

static bool open_device(struct harness_gl *gl)
{
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT devices[EGL_DEVICES_MAX];
    EGLint count = 0;
    if (!query || !query(EGL_DEVICES_MAX, devices, &count))
        return false;
    for (EGLint i = (EGLint)harness_environment_gpu(); i < count; i++) {
        EGLDisplay display = platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i]);
        if (display != EGL_NO_DISPLAY && make_context(gl, display))
            return true;
    }
    return false;
}

static void load_functions(struct harness_gl *gl)
{
#define LOAD(type, name)                                                                                               \
    gl->name = (type)eglGetProcAddress("gl" #name);                                                                    \
    if (!gl->name)                                                                                                     \
        harness_fail("this OpenGL has no gl" #name);
    HARNESS_GL_FUNCTIONS(LOAD)
#undef LOAD
}

bool harness_gl_has(const struct harness_gl *gl, const char *extension)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++)
        if (strcmp((const char *)gl->GetStringi(GL_EXTENSIONS, (GLuint)i), extension) == 0)
            return true;
    return false;
}

bool harness_gl_open(struct harness_gl *gl, char *why, size_t why_size)
{
    *gl = (struct harness_gl){0};
    harness_environment_gl();
    harness_vulkan_hold_driver();
    /* Where software is wanted, or nothing else is there, the surfaceless platform is Mesa's; else a device's EGL. */
    bool software = getenv("LIBGL_ALWAYS_SOFTWARE") != NULL;
    if (!(software ? open_surfaceless(gl) || open_device(gl) : open_device(gl) || open_surfaceless(gl))) {
        snprintf(why, why_size, "EGL gives no OpenGL compatibility context (last EGL error 0x%x)",
                 (unsigned)eglGetError());
        return false;
    }
    load_functions(gl);
    harness_environment_pin_libraries();
    snprintf(gl->renderer, sizeof(gl->renderer), "%s", (const char *)glGetString(GL_RENDERER));
    snprintf(gl->version, sizeof(gl->version), "%s", (const char *)glGetString(GL_VERSION));
    gl->mesa_software = strstr(gl->renderer, "llvmpipe") || strstr(gl->renderer, "softpipe");
    gl->mirror_clamp = harness_gl_has(gl, "GL_EXT_texture_mirror_clamp");
    gl->anisotropy = harness_gl_has(gl, "GL_EXT_texture_filter_anisotropic") ||
                     harness_gl_has(gl, "GL_ARB_texture_filter_anisotropic");
    gl->min_lod = harness_gl_has(gl, "GL_ARB_sparse_texture_clamp");
    gl->reduction =
        harness_gl_has(gl, "GL_ARB_texture_filter_minmax") || harness_gl_has(gl, "GL_EXT_texture_filter_minmax");
    gl->srgb_decode = harness_gl_has(gl, "GL_EXT_texture_sRGB_decode");
    gl->s3tc = harness_gl_has(gl, "GL_EXT_texture_compression_s3tc") && harness_gl_has(gl, "GL_EXT_texture_sRGB");
    glGetFloatv(GL_MAX_TEXTURE_LOD_BIAS, &gl->lod_bias);
    gl->GenVertexArrays(1, &gl->vertex_array);
    gl->BindVertexArray(gl->vertex_array);
    gl->ClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    gl->ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    gl->ClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glDisable(GL_DITHER);
    harness_gl_check("opening the context");
    return true;
}

void harness_gl_close(struct harness_gl *gl)
{
    gl->DeleteVertexArrays(1, &gl->vertex_array);
    eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(gl->display, gl->context);
    eglTerminate(gl->display);
    *gl = (struct harness_gl){0};
}

/* Without a context every call does nothing, glGetError says no error, and only values that stay as they were tell. */
static bool answers(void)
{
    GLint major = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    return major >= 3;
}

void harness_gl_use(const struct harness_gl *gl)
{
    if (eglGetCurrentContext() == gl->context && answers())
        return;
    eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (!eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context) || !answers())
        harness_fail("eglMakeCurrent: OpenGL's context is gone (EGL error 0x%x)", (unsigned)eglGetError());
}

void harness_gl_check(const char *what)
{
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        harness_fail("OpenGL error 0x%04x in %s", error, what);
    if (!answers())
        harness_fail("OpenGL does nothing in %s: its context is not current", what);
}

/* The source with `defines` after its first line, which is #version. */
static GLuint compile(const struct harness_gl *gl, GLenum stage, const char *source, const char *defines)
{
    const char *rest = strchr(source, '\n');
    if (!rest || strncmp(source, "#version", 8) != 0)
        harness_fail("a shader of the tests does not begin with #version");
    rest++;
    const GLchar *parts[] = {source, defines ? defines : "", "\n", rest};
    const GLint lengths[] = {(GLint)(rest - source), -1, -1, -1};
    GLuint shader = gl->CreateShader(stage);
    GLint compiled = 0;
    gl->ShaderSource(shader, 4, parts, lengths);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[2048] = "";
        gl->GetShaderInfoLog(shader, sizeof(log), NULL, log);
        harness_fail("glCompileShader: %s\n%s%s%s", log, source, defines ? "with defines\n" : "",
                     defines ? defines : "");
    }
    return shader;
}

GLuint harness_gl_program(const struct harness_gl *gl, const char *vertex, const char *fragment, const char *defines)
{
    GLuint shaders[2] = {compile(gl, GL_VERTEX_SHADER, vertex, defines),
                         compile(gl, GL_FRAGMENT_SHADER, fragment, defines)};
    GLuint program = gl->CreateProgram();
    GLint linked = 0;
    gl->AttachShader(program, shaders[0]);
    gl->AttachShader(program, shaders[1]);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[2048] = "";
        gl->GetProgramInfoLog(program, sizeof(log), NULL, log);
        harness_fail("glLinkProgram: %s", log);
    }
    gl->DeleteShader(shaders[0]);
    gl->DeleteShader(shaders[1]);
    return program;
}

static uint32_t level_extent(uint32_t base, uint32_t level)
{
    uint32_t extent = base >> level;
    return extent ? extent : 1;
}

/* One level of `size`: width, height, depth or layers. */
static void upload_compressed(const struct harness_gl *gl, const struct harness_gl_image_params *params, GLint level,
                              const GLsizei size[3], size_t face, const char *texels)
{
    GLenum format = params->internal_format;
    switch (params->target) {
    case GL_TEXTURE_2D:
        gl->CompressedTexImage2D(params->target, level, format, size[0], size[1], 0, (GLsizei)face, texels);
        return;
    case GL_TEXTURE_2D_ARRAY:
        gl->CompressedTexImage3D(params->target, level, format, size[0], size[1], size[2], 0, (GLsizei)face * size[2],
                                 texels);
        return;
    case GL_TEXTURE_CUBE_MAP:
        for (GLenum i = 0; i < 6; i++)
            gl->CompressedTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, level, format, size[0], size[1], 0,
                                     (GLsizei)face, texels + i * face);
        return;
    default:
        harness_fail("compressed textures of target 0x%04x are not among those that the tests use", params->target);
    }
}

static void upload_texels(const struct harness_gl *gl, const struct harness_gl_image_params *params, GLint level,
                          const GLsizei size[3], size_t face, const char *texels)
{
    GLint internal = (GLint)params->internal_format;
    GLenum format = params->format, type = params->type;
    const GLint border = params->bordered;
    switch (params->target) {
    case GL_TEXTURE_1D:
        glTexImage1D(params->target, level, internal, size[0], border, format, type, texels);
        return;
    case GL_TEXTURE_1D_ARRAY:
        glTexImage2D(params->target, level, internal, size[0], size[2], border, format, type, texels);
        return;
    case GL_TEXTURE_2D:
    case GL_TEXTURE_RECTANGLE:
        glTexImage2D(params->target, level, internal, size[0], size[1], border, format, type, texels);
        return;
    case GL_TEXTURE_2D_ARRAY:
    case GL_TEXTURE_3D:
    case GL_TEXTURE_CUBE_MAP_ARRAY:
        gl->TexImage3D(params->target, level, internal, size[0], size[1], size[2], border, format, type, texels);
        return;
    case GL_TEXTURE_CUBE_MAP:
        for (GLenum i = 0; i < 6; i++)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, level, internal, size[0], size[1], border, format, type,
                         texels + i * face);
        return;
    default:
        harness_fail("GL target 0x%04x is not among those that the tests use", params->target);
    }
}

/* Returns the number of bytes that the level took. */
static size_t upload_level(const struct harness_gl *gl, const struct harness_gl_image_params *params, GLint level,
                           const char *texels)
{
    const uint32_t side = params->block_side ? params->block_side : 1, layers = params->layers ? params->layers : 1;
    const bool planar = params->target != GL_TEXTURE_1D && params->target != GL_TEXTURE_1D_ARRAY,
               solid = params->target == GL_TEXTURE_3D;
    const uint32_t border = params->bordered ? 2 : 0;
    const uint32_t width = level_extent(params->width, (uint32_t)level) + border,
                   height = level_extent(params->height ? params->height : 1, (uint32_t)level) + (planar ? border : 0),
                   depth = level_extent(params->depth ? params->depth : 1, (uint32_t)level) + (solid ? border : 0);
    const GLsizei size[3] = {(GLsizei)width, (GLsizei)height, (GLsizei)(depth * layers)};
    size_t face = (size_t)((width + side - 1) / side) * ((height + side - 1) / side) * params->texel_size;
    if (side > 1)
        upload_compressed(gl, params, level, size, face, texels);
    else
        upload_texels(gl, params, level, size, face, texels);
    return face * depth * layers;
}

GLuint harness_gl_try_image(const struct harness_gl *gl, const struct harness_gl_image_params *params,
                            const void *texels, GLenum *error)
{
    GLuint texture;
    GLint levels = params->levels ? (GLint)params->levels : 1;
    const char *source = texels;
    glGenTextures(1, &texture);
    glBindTexture(params->target, texture);
    glTexParameteri(params->target, GL_TEXTURE_BASE_LEVEL, 0);
    glTexParameteri(params->target, GL_TEXTURE_MAX_LEVEL, levels - 1);
    for (GLint level = 0; level < levels; level++)
        source += upload_level(gl, params, level, source);
    *error = glGetError();
    if (*error == GL_NO_ERROR)
        return texture;
    while (glGetError() != GL_NO_ERROR) {
    }
    glDeleteTextures(1, &texture);
    return 0;
}

GLuint harness_gl_image(const struct harness_gl *gl, const struct harness_gl_image_params *params, const void *texels)
{
    GLenum error;
    const GLuint texture = harness_gl_try_image(gl, params, texels, &error);
    if (!texture)
        harness_fail("OpenGL error 0x%04x in uploading a texture of format 0x%04x to target 0x%04x", error,
                     params->internal_format, params->target);
    return texture;
}

GLuint harness_gl_sampler(const struct harness_gl *gl, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                          enum harness_gl_border border)
{
    GLuint sampler;
    gl->GenSamplers(1, &sampler);
    const struct {
        GLenum name;
        uint32_t value;
        GLint fallback;
    } integers[] = {
        {GL_TEXTURE_WRAP_S, state->wrapS, GL_REPEAT},
        {GL_TEXTURE_WRAP_T, state->wrapT, GL_REPEAT},
        {GL_TEXTURE_WRAP_R, state->wrapR, GL_REPEAT},
        {GL_TEXTURE_MIN_FILTER, state->minFilter, GL_NEAREST_MIPMAP_LINEAR},
        {GL_TEXTURE_MAG_FILTER, state->magFilter, GL_LINEAR},
        {GL_TEXTURE_COMPARE_MODE, state->compareMode, GL_NONE},
        {GL_TEXTURE_COMPARE_FUNC, state->compareFunc, GL_LEQUAL},
    };
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++)
        gl->SamplerParameteri(sampler, integers[i].name,
                              integers[i].value ? (GLint)integers[i].value : integers[i].fallback);
    gl->SamplerParameterf(sampler, GL_TEXTURE_MIN_LOD, state->minLod);
    gl->SamplerParameterf(sampler, GL_TEXTURE_MAX_LOD, state->maxLod);
    gl->SamplerParameterf(sampler, GL_TEXTURE_LOD_BIAS, state->lodBias);
    if (border == HARNESS_GL_BORDER_UINT)
        gl->SamplerParameterIuiv(sampler, GL_TEXTURE_BORDER_COLOR, state->borderColor.uint32);
    else if (border == HARNESS_GL_BORDER_INT)
        gl->SamplerParameterIiv(sampler, GL_TEXTURE_BORDER_COLOR, state->borderColor.int32);
    else
        gl->SamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, state->borderColor.float32);
    if (gl->anisotropy && state->maxAnisotropy > 1)
        gl->SamplerParameterf(sampler, GL_TEXTURE_MAX_ANISOTROPY_EXT, state->maxAnisotropy);
    if (state->srgbDecode)
        gl->SamplerParameteri(sampler, GL_TEXTURE_SRGB_DECODE_EXT, (GLint)state->srgbDecode);
    if (state->reductionMode)
        gl->SamplerParameteri(sampler, GL_TEXTURE_REDUCTION_MODE_ARB, (GLint)state->reductionMode);
    harness_gl_check("creating a sampler");
    return sampler;
}

void harness_gl_target_create(const struct harness_gl *gl, struct harness_gl_target *target, GLenum internal_format,
                              uint32_t width, uint32_t height)
{
    *target = (struct harness_gl_target){.width = width, .height = height};
    gl->GenRenderbuffers(1, &target->color);
    gl->BindRenderbuffer(GL_RENDERBUFFER, target->color);
    gl->RenderbufferStorage(GL_RENDERBUFFER, internal_format, (GLsizei)width, (GLsizei)height);
    gl->GenFramebuffers(1, &target->framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color);
    GLenum status = gl->CheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        harness_fail("glCheckFramebufferStatus: 0x%04x for format 0x%04x", status, internal_format);
    harness_gl_check("creating a framebuffer");
}

void harness_gl_target_destroy(const struct harness_gl *gl, struct harness_gl_target *target)
{
    gl->DeleteFramebuffers(1, &target->framebuffer);
    gl->DeleteRenderbuffers(1, &target->color);
    *target = (struct harness_gl_target){0};
}

void harness_gl_target_begin(const struct harness_gl *gl, const struct harness_gl_target *target)
{
    harness_gl_use(gl);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    GLenum status = gl->CheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        harness_fail("glCheckFramebufferStatus: 0x%04x before drawing", status);
    glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

void harness_gl_target_read(const struct harness_gl_target *target, GLenum format, GLenum type, void *pixels)
{
    glReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, format, type, pixels);
    harness_gl_check("glReadPixels");
}

/* The layer's list of OpenGL's numbers, beside OpenGL's own. */
#define SAME(TOKEN, GL) _Static_assert(TOKEN_##TOKEN == (GL), #GL)
SAME(NEVER, GL_NEVER);
SAME(LEQUAL, GL_LEQUAL);
SAME(ALWAYS, GL_ALWAYS);
SAME(NEAREST, GL_NEAREST);
SAME(LINEAR, GL_LINEAR);
SAME(NEAREST_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_NEAREST);
SAME(LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST);
SAME(NEAREST_MIPMAP_LINEAR, GL_NEAREST_MIPMAP_LINEAR);
SAME(LINEAR_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_LINEAR);
SAME(CLAMP, GL_CLAMP);
SAME(REPEAT, GL_REPEAT);
SAME(MIN, GL_MIN);
SAME(MAX, GL_MAX);
SAME(CLAMP_TO_BORDER, GL_CLAMP_TO_BORDER);
SAME(CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE);
SAME(MIRRORED_REPEAT, GL_MIRRORED_REPEAT);
SAME(MIRROR_CLAMP, GL_MIRROR_CLAMP_EXT);
SAME(MIRROR_CLAMP_TO_EDGE, GL_MIRROR_CLAMP_TO_EDGE);
SAME(COMPARE_REF_TO_TEXTURE, GL_COMPARE_REF_TO_TEXTURE);
SAME(MIRROR_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_TO_BORDER_EXT);
SAME(DECODE, GL_DECODE_EXT);
SAME(SKIP_DECODE, GL_SKIP_DECODE_EXT);
SAME(WEIGHTED_AVERAGE, GL_WEIGHTED_AVERAGE_ARB);
SAME(TEXTURE_1D, GL_TEXTURE_1D);
SAME(TEXTURE_2D, GL_TEXTURE_2D);
SAME(TEXTURE_3D, GL_TEXTURE_3D);
SAME(TEXTURE_RECTANGLE, GL_TEXTURE_RECTANGLE);
SAME(TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP);
SAME(TEXTURE_1D_ARRAY, GL_TEXTURE_1D_ARRAY);
SAME(TEXTURE_2D_ARRAY, GL_TEXTURE_2D_ARRAY);
SAME(TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_CUBE_MAP_ARRAY);
SAME(TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_2D_MULTISAMPLE);
SAME(TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY);
SAME(ZERO, GL_ZERO);
SAME(ONE, GL_ONE);
SAME(STENCIL_INDEX, GL_STENCIL_INDEX);
SAME(DEPTH_COMPONENT, GL_DEPTH_COMPONENT);
SAME(RED, GL_RED);
SAME(GREEN, GL_GREEN);
SAME(BLUE, GL_BLUE);
SAME(ALPHA, GL_ALPHA);
SAME(RGB, GL_RGB);
SAME(RGBA, GL_RGBA);
SAME(LUMINANCE, GL_LUMINANCE);
SAME(LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA);
SAME(INTENSITY, GL_INTENSITY);
SAME(RG, GL_RG);
SAME(DEPTH_STENCIL, GL_DEPTH_STENCIL);
#undef SAME
