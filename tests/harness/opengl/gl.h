/* SPDX-License-Identifier: MIT */
/*
 * A real OpenGL compatibility context without a window (EGL), and what the tests draw with it.
 *
 * One context belongs to the thread that opened it. Failures of EGL, of the compiler or of a GL call end the process
 * with status 1, naming the call; harness_gl_open alone returns false where there is no such OpenGL, with the reason.
 */
#ifndef CLAMPLER_HARNESS_GL_H
#define CLAMPLER_HARNESS_GL_H

#include <stdbool.h>
#include <stdint.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "vulkan_clampler.h"

/* Entry points beyond GL 1.1, filled by harness_gl_open; gl.c's loader and this list are one. */
#define HARNESS_GL_FUNCTIONS(F)                                                                                        \
    F(PFNGLCREATESHADERPROC, CreateShader)                                                                             \
    F(PFNGLSHADERSOURCEPROC, ShaderSource)                                                                             \
    F(PFNGLCOMPILESHADERPROC, CompileShader)                                                                           \
    F(PFNGLGETSHADERIVPROC, GetShaderiv)                                                                               \
    F(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                                                     \
    F(PFNGLDELETESHADERPROC, DeleteShader)                                                                             \
    F(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                                           \
    F(PFNGLATTACHSHADERPROC, AttachShader)                                                                             \
    F(PFNGLLINKPROGRAMPROC, LinkProgram)                                                                               \
    F(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                                             \
    F(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                                                                   \
    F(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                                           \
    F(PFNGLUSEPROGRAMPROC, UseProgram)                                                                                 \
    F(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)                                                                 \
    F(PFNGLUNIFORM1IPROC, Uniform1i)                                                                                   \
    F(PFNGLUNIFORM4FVPROC, Uniform4fv)                                                                                 \
    F(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)                                                                     \
    F(PFNGLACTIVETEXTUREPROC, ActiveTexture)                                                                           \
    F(PFNGLTEXIMAGE3DPROC, TexImage3D)                                                                                 \
    F(PFNGLCOMPRESSEDTEXIMAGE2DPROC, CompressedTexImage2D)                                                             \
    F(PFNGLCOMPRESSEDTEXIMAGE3DPROC, CompressedTexImage3D)                                                             \
    F(PFNGLSAMPLERPARAMETERIIVPROC, SamplerParameterIiv)                                                               \
    F(PFNGLSAMPLERPARAMETERIUIVPROC, SamplerParameterIuiv)                                                             \
    F(PFNGLGENSAMPLERSPROC, GenSamplers)                                                                               \
    F(PFNGLDELETESAMPLERSPROC, DeleteSamplers)                                                                         \
    F(PFNGLBINDSAMPLERPROC, BindSampler)                                                                               \
    F(PFNGLSAMPLERPARAMETERIPROC, SamplerParameteri)                                                                   \
    F(PFNGLSAMPLERPARAMETERFPROC, SamplerParameterf)                                                                   \
    F(PFNGLSAMPLERPARAMETERFVPROC, SamplerParameterfv)                                                                 \
    F(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                                                                       \
    F(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                                                                 \
    F(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                                       \
    F(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer)                                                       \
    F(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D)                                                             \
    F(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus)                                                         \
    F(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers)                                                                     \
    F(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers)                                                               \
    F(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer)                                                                     \
    F(PFNGLRENDERBUFFERSTORAGEPROC, RenderbufferStorage)                                                               \
    F(PFNGLCLAMPCOLORPROC, ClampColor)                                                                                 \
    F(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)                                                                       \
    F(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                                                       \
    F(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays)                                                                 \
    F(PFNGLGENBUFFERSPROC, GenBuffers)                                                                                 \
    F(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                                                           \
    F(PFNGLBINDBUFFERPROC, BindBuffer)                                                                                 \
    F(PFNGLBUFFERDATAPROC, BufferData)                                                                                 \
    F(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                                                           \
    F(PFNGLTEXBUFFERPROC, TexBuffer)                                                                                   \
    F(PFNGLTEXBUFFERRANGEPROC, TexBufferRange)                                                                         \
    F(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                                                         \
    F(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)                                                       \
    F(PFNGLDISABLEVERTEXATTRIBARRAYPROC, DisableVertexAttribArray)                                                     \
    F(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer)                                                               \
    F(PFNGLBLENDFUNCSEPARATEPROC, BlendFuncSeparate)                                                                   \
    F(PFNGLBLENDEQUATIONSEPARATEPROC, BlendEquationSeparate)                                                           \
    F(PFNGLBLENDCOLORPROC, BlendColor)                                                                                 \
    F(PFNGLCLEARBUFFERFVPROC, ClearBufferfv)                                                                           \
    F(PFNGLCLEARBUFFERUIVPROC, ClearBufferuiv)                                                                         \
    F(PFNGLGETSTRINGIPROC, GetStringi)

struct harness_gl {
    void *display; /* EGLDisplay */
    void *context; /* EGLContext, current on the thread that opened it */
    char renderer[128];
    char version[128];
    bool mesa_software;  /* llvmpipe or softpipe: no witness for mirror modes near 0 (semantics.md, section 1) */
    bool mirror_clamp;   /* GL_EXT_texture_mirror_clamp */
    bool anisotropy;     /* GL_EXT_texture_filter_anisotropic */
    bool min_lod;        /* GL_ARB_sparse_texture_clamp */
    bool reduction;      /* GL_ARB_texture_filter_minmax */
    bool srgb_decode;    /* GL_EXT_texture_sRGB_decode */
    bool s3tc;           /* GL_EXT_texture_compression_s3tc, with sRGB */
    float lod_bias;      /* GL_MAX_TEXTURE_LOD_BIAS */
    GLuint vertex_array; /* bound; no attributes */
#define HARNESS_GL_MEMBER(type, name) type name;
    HARNESS_GL_FUNCTIONS(HARNESS_GL_MEMBER)
#undef HARNESS_GL_MEMBER
};

/*
 * Opens a context of OpenGL 4.x compatibility. The machine's own EGL decides which one; where the user chose none
 * (__EGL_VENDOR_LIBRARY_FILENAMES, LIBGL_ALWAYS_SOFTWARE) and there is no NVIDIA device, Mesa's software renderer.
 * It keeps Vulkan's driver loaded (harness_vulkan_hold_driver). False: no such context; `why` (of `why_size` bytes)
 * says what failed.
 */
bool harness_gl_open(struct harness_gl *gl, char *why, size_t why_size);
void harness_gl_close(struct harness_gl *gl);

bool harness_gl_has(const struct harness_gl *gl, const char *extension);

/* Makes the context current again if it is no more. For the beginning of whatever is drawn after others had a turn. */
void harness_gl_use(const struct harness_gl *gl);

/* Ends the process if glGetError has something to say, or if no context is there to answer; `what` names the place. */
void harness_gl_check(const char *what);

/* Compiles and links; `defines` (may be NULL) goes right after the #version line of both sources. */
GLuint harness_gl_program(const struct harness_gl *gl, const char *vertex, const char *fragment, const char *defines);

/* A texture; zero in depth, layers or levels counts as 1. */
struct harness_gl_image_params {
    GLenum target;                        /* GL_TEXTURE_1D, _1D_ARRAY, _2D, _2D_ARRAY, _3D, _RECTANGLE, _CUBE_MAP and
                                             _CUBE_MAP_ARRAY */
    GLenum internal_format, format, type; /* as in glTexImage2D */
    uint32_t width, height, depth;        /* texels of level 0 */
    uint32_t layers;                      /* array layers; cubes have six */
    uint32_t levels;
    size_t texel_size;   /* bytes of one texel of `format` and `type`, or of a compressed block */
    uint32_t block_side; /* compressed: texels along a block's side; 0 and 1: not compressed */
    bool bordered;       /* `texels` have a border of one texel around each level, face and layer */
};

/* `texels` in the order of harness_image_create: level after level, in each level layer after layer, tightly packed. */
GLuint harness_gl_image(const struct harness_gl *gl, const struct harness_gl_image_params *params, const void *texels);

/* The same; 0 and the error if this OpenGL refuses such a texture. */
GLuint harness_gl_try_image(const struct harness_gl *gl, const struct harness_gl_image_params *params,
                            const void *texels, GLenum *error);

/* What a border colour's bits are: the sampled texture decides. */
enum harness_gl_border { HARNESS_GL_BORDER_FLOAT, HARNESS_GL_BORDER_UINT, HARNESS_GL_BORDER_INT };

/*
 * Sampler state in GL's own numbers; the same fields as VkSamplerGLStateCreateInfoCLAMPLER, 0 being GL's default. Not
 * in the object: the unit's bias, and GL_TEXTURE_CUBE_MAP_SEAMLESS, which is the context's.
 */
GLuint harness_gl_sampler(const struct harness_gl *gl, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                          enum harness_gl_border border);

/* A framebuffer with one RGBA32F (or `internal_format`) colour attachment, bound by harness_gl_target_begin. */
struct harness_gl_target {
    GLuint framebuffer, color;
    uint32_t width, height;
};
void harness_gl_target_create(const struct harness_gl *gl, struct harness_gl_target *target, GLenum internal_format,
                              uint32_t width, uint32_t height);
void harness_gl_target_destroy(const struct harness_gl *gl, struct harness_gl_target *target);
/* Binds it, sets the viewport and clears to zero. */
void harness_gl_target_begin(const struct harness_gl *gl, const struct harness_gl_target *target);
/*
 * Reads the pixels, tightly packed; the first row is GL's y = 0, which is where Vulkan's first row lies when both draw
 * with the same clip coordinates.
 */
void harness_gl_target_read(const struct harness_gl_target *target, GLenum format, GLenum type, void *pixels);

#endif
