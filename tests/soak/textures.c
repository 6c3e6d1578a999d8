/* SPDX-License-Identifier: MIT */
/*
 * textures [LEAK]: an OpenGL program for scripts/suites/soak that never comes to rest. Each frame makes textures with
 * all of OpenGL's wrap modes, draws with them beyond their edges and deletes them; every now and then it takes another
 * of a few shaders, and gives its window another size. (It makes no new shaders: zink 22.3 keeps the pipelines of
 * deleted ones.) With LEAK it plants a fault, so that the soak can be seen to fail: "handles" deletes no textures,
 * "memory" keeps 16 KiB a frame, "descriptors" a file.
 */
#define GL_GLEXT_PROTOTYPES
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>

enum { TEXTURES = 8, SIZE = 16, SHADERS = 4, FRAMES_PER_SHADER = 100, FRAMES_PER_SIZE = 150, LEAKED_BYTES = 16384 };

static GLuint compile(GLenum stage, const char *text)
{
    const GLuint shader = glCreateShader(stage);
    GLint good;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good)
        exit(2);
    return shader;
}

/* Another program for each number. */
static GLuint link_program(unsigned number)
{
    char text[512];
    const GLuint program = glCreateProgram();
    snprintf(text, sizeof(text),
             "#version 120\nuniform sampler2D image;\nvarying vec2 at;\n"
             "void main() { gl_FragColor = texture2D(image, at) * %u.0 / %u.0; }\n",
             number + 1, number + 2);
    const GLuint stages[] = {compile(GL_VERTEX_SHADER, "#version 120\nvarying vec2 at;\n"
                                                       "void main() { gl_Position = gl_Vertex;\n"
                                                       "at = gl_MultiTexCoord0.xy; }\n"),
                             compile(GL_FRAGMENT_SHADER, text)};
    for (int i = 0; i < 2; i++) {
        glAttachShader(program, stages[i]);
        glDeleteShader(stages[i]);
    }
    glLinkProgram(program);
    return program;
}

static void make_texture(GLuint texture, unsigned number)
{
    static const GLint wraps[] = {GL_CLAMP, GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT};
    static GLubyte texels[SIZE * SIZE * 4];
    for (int i = 0; i < SIZE * SIZE * 4; i++)
        texels[i] = (GLubyte)(i * 7 + (int)number);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[number % 5]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[number / 5 % 5]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, number % 3 ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, number % 2 ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, number % 2 == 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

static void draw_texture(unsigned cell)
{
    const float left = -1 + 2.0f * (float)cell / TEXTURES, right = left + 2.0f / TEXTURES;
    glBegin(GL_QUADS);
    glTexCoord2f(-1, -1);
    glVertex2f(left, -1);
    glTexCoord2f(2, -1);
    glVertex2f(right, -1);
    glTexCoord2f(2, 2);
    glVertex2f(right, 1);
    glTexCoord2f(-1, 2);
    glVertex2f(left, 1);
    glEnd();
}

static void draw_frame(unsigned frame, const char *leak)
{
    GLuint textures[TEXTURES];
    glClear(GL_COLOR_BUFFER_BIT);
    glGenTextures(TEXTURES, textures);
    for (unsigned i = 0; i < TEXTURES; i++) {
        make_texture(textures[i], frame * TEXTURES + i);
        draw_texture(i);
    }
    if (!strcmp(leak, "memory"))
        memset(malloc(LEAKED_BYTES), 1, LEAKED_BYTES);
    if (!strcmp(leak, "descriptors"))
        open("/dev/null", O_RDONLY);
    if (strcmp(leak, "handles") != 0)
        glDeleteTextures(TEXTURES, textures);
}

int main(int argc, char **argv)
{
    const char *leak = argc > 1 ? argv[1] : "";
    int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, None};
    Display *display = XOpenDisplay(NULL);
    XVisualInfo *visual = display ? glXChooseVisual(display, DefaultScreen(display), wanted) : NULL;
    if (!visual)
        return fprintf(stderr, "textures: no display, or no visual\n"), 77;
    const Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes attributes = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    const Window window = XCreateWindow(display, root, 0, 0, 160, 80, 0, visual->depth, InputOutput, visual->visual,
                                        CWColormap | CWBorderPixel, &attributes);
    XMapWindow(display, window);
    GLXContext context = glXCreateContext(display, visual, NULL, True);
    if (!context || !glXMakeCurrent(display, window, context))
        return fprintf(stderr, "textures: no context\n"), 77;
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    fflush(stdout);

    GLuint programs[SHADERS];
    for (unsigned i = 0; i < SHADERS; i++)
        programs[i] = link_program(i);
    for (unsigned frame = 0;; frame++) {
        if (frame % FRAMES_PER_SHADER == 0)
            glUseProgram(programs[frame / FRAMES_PER_SHADER % SHADERS]);
        if (frame % FRAMES_PER_SIZE == 0) {
            const unsigned width = 160 + 16 * (frame / FRAMES_PER_SIZE % 3);
            XResizeWindow(display, window, width, 80);
            XSync(display, False);
            glViewport(0, 0, (GLsizei)width, 80);
        }
        draw_frame(frame, leak);
        glXSwapBuffers(display, window);
    }
}
