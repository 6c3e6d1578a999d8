// SPDX-License-Identifier: MIT
//
// An ordinary Direct3D 9 program for DXVK's native libraries: every address mode with point and linear filters, in
// formats whose channels are swizzled, with a border colour for each. Twenty columns (colour and alpha; point and
// linear filters; five modes) of eight formats, in cells of 64 pixels that show two textures' widths, the second half
// of one, a whole one and the first half of the next. A row begins to be drawn every five frames, as programs load what
// they show.
//
//   d3d9 PICTURE.ppm [FRAMES]      draws, then writes the back buffer
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <SDL3/SDL.h>
#include <d3d9.h>

namespace
{

const int CELL = 64, MODES = 5, COLUMNS = 4 * MODES, TEXELS = 8, FRAMES_A_ROW = 5;

struct Format {
    D3DFORMAT format;
    const char *name;
    int bytes; // of a texel
    D3DCOLOR border;
};

const Format FORMATS[] = {
    {D3DFMT_A8R8G8B8, "A8R8G8B8", 4, 0xff3060c0},
    {D3DFMT_X8R8G8B8, "X8R8G8B8", 4, 0x40ff8040},
    {D3DFMT_R5G6B5, "R5G6B5", 2, 0xffffffff},
    {D3DFMT_L8, "L8", 1, 0x80c08040},
    {D3DFMT_A8, "A8", 1, 0xa04080c0},
    {D3DFMT_A8L8, "A8L8", 2, 0x6080c0ff},
    {D3DFMT_G16R16, "G16R16", 4, 0x20a06030},
    {D3DFMT_A4R4G4B4, "A4R4G4B4", 2, 0x00000000},
};
const int ROWS = sizeof(FORMATS) / sizeof(*FORMATS);
const D3DTEXTUREADDRESS ADDRESSES[MODES] = {D3DTADDRESS_WRAP, D3DTADDRESS_MIRROR, D3DTADDRESS_CLAMP, D3DTADDRESS_BORDER,
                                            D3DTADDRESS_MIRRORONCE};

[[noreturn]] void fail(const char *what, long why)
{
    std::fprintf(stderr, "d3d9: %s: %#lx\n", what, why);
    std::exit(1);
}

void check(HRESULT result, const char *what)
{
    if (FAILED(result))
        fail(what, static_cast<unsigned>(result));
}

// Colours that differ from texel to texel, and more along the edges' sides than elsewhere.
void fill(unsigned char *texel, const Format &format, int x, int y)
{
    const unsigned red = 30 + 28 * x, green = 30 + 28 * y, blue = (x ^ y) & 1 ? 220 : 60, alpha = 255 - 30 * x;
    uint32_t bits = 0;
    switch (format.format) {
    case D3DFMT_R5G6B5:
        bits = red >> 3 << 11 | green >> 2 << 5 | blue >> 3;
        break;
    case D3DFMT_A4R4G4B4:
        bits = alpha >> 4 << 12 | red >> 4 << 8 | green >> 4 << 4 | blue >> 4;
        break;
    case D3DFMT_A8L8:
        bits = alpha << 8 | (red + blue) / 2;
        break;
    case D3DFMT_L8:
    case D3DFMT_A8:
        bits = (red + blue) / 2;
        break;
    case D3DFMT_G16R16:
        bits = green * 257 << 16 | red * 257;
        break;
    default:
        bits = alpha << 24 | red << 16 | green << 8 | blue;
    }
    std::memcpy(texel, &bits, format.bytes);
}

IDirect3DTexture9 *make_texture(IDirect3DDevice9 *device, const Format &format)
{
    IDirect3DTexture9 *texture = nullptr;
    check(device->CreateTexture(TEXELS, TEXELS, 1, 0, format.format, D3DPOOL_MANAGED, &texture, nullptr), format.name);
    D3DLOCKED_RECT locked;
    check(texture->LockRect(0, &locked, nullptr, 0), "LockRect");
    for (int y = 0; y < TEXELS; y++) {
        for (int x = 0; x < TEXELS; x++)
            fill(static_cast<unsigned char *>(locked.pBits) + y * locked.Pitch + x * format.bytes, format, x, y);
    }
    check(texture->UnlockRect(0), "UnlockRect");
    return texture;
}

void draw_cell(IDirect3DDevice9 *device, const Format &format, int column, int row)
{
    struct Vertex {
        float x, y, z, w, u, v;
    };
    const float left = column * CELL - 0.5f, top = row * CELL - 0.5f;
    const Vertex corners[4] = {{left, top, 0, 1, -0.5f, -0.5f},
                               {left + CELL, top, 0, 1, 1.5f, -0.5f},
                               {left, top + CELL, 0, 1, -0.5f, 1.5f},
                               {left + CELL, top + CELL, 0, 1, 1.5f, 1.5f}};
    const DWORD filter = column / MODES % 2 ? D3DTEXF_LINEAR : D3DTEXF_POINT;
    const DWORD address = ADDRESSES[column % MODES];
    device->SetSamplerState(0, D3DSAMP_ADDRESSU, address);
    device->SetSamplerState(0, D3DSAMP_ADDRESSV, address);
    device->SetSamplerState(0, D3DSAMP_BORDERCOLOR, format.border);
    device->SetSamplerState(0, D3DSAMP_MAGFILTER, filter);
    device->SetSamplerState(0, D3DSAMP_MINFILTER, filter);
    device->SetTextureStageState(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    device->SetTextureStageState(0, D3DTSS_COLORARG1,
                                 column < COLUMNS / 2 ? D3DTA_TEXTURE : D3DTA_TEXTURE | D3DTA_ALPHAREPLICATE);
    device->SetTextureStageState(0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    device->SetTextureStageState(0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
    check(device->DrawPrimitiveUP(D3DPT_TRIANGLESTRIP, 2, corners, sizeof(*corners)), "DrawPrimitiveUP");
}

void write_picture(IDirect3DDevice9 *device, const char *path)
{
    IDirect3DSurface9 *back = nullptr, *copy = nullptr;
    check(device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, &back), "GetBackBuffer");
    check(device->CreateOffscreenPlainSurface(COLUMNS * CELL, ROWS * CELL, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &copy,
                                              nullptr),
          "CreateOffscreenPlainSurface");
    check(device->GetRenderTargetData(back, copy), "GetRenderTargetData");
    D3DLOCKED_RECT locked;
    check(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY), "LockRect");
    std::FILE *file = std::fopen(path, "wb");
    if (!file)
        fail(path, 0);
    std::fprintf(file, "P6\n%d %d\n255\n", COLUMNS * CELL, ROWS * CELL);
    for (int y = 0; y < ROWS * CELL; y++) {
        const unsigned char *line = static_cast<unsigned char *>(locked.pBits) + y * locked.Pitch;
        for (int x = 0; x < COLUMNS * CELL; x++) {
            const unsigned char pixel[3] = {line[4 * x + 2], line[4 * x + 1], line[4 * x]};
            std::fwrite(pixel, 1, 3, file);
        }
    }
    if (std::fclose(file))
        fail(path, 1);
    copy->UnlockRect();
    copy->Release();
    back->Release();
}

} // namespace

int main(int argc, char **argv)
{
    const int frames = argc > 2 ? std::atoi(argv[2]) : 60;
    if (argc < 2 || !SDL_Init(SDL_INIT_VIDEO))
        fail(argc < 2 ? "d3d9 PICTURE.ppm [FRAMES]" : SDL_GetError(), 0);
    SDL_Window *window = SDL_CreateWindow("d3d9", COLUMNS * CELL, ROWS * CELL, SDL_WINDOW_VULKAN);
    if (!window)
        fail(SDL_GetError(), 0);
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!d3d)
        fail("Direct3DCreate9", 0);
    D3DPRESENT_PARAMETERS present = {};
    present.BackBufferWidth = COLUMNS * CELL;
    present.BackBufferHeight = ROWS * CELL;
    present.BackBufferFormat = D3DFMT_X8R8G8B8;
    present.BackBufferCount = 1;
    present.SwapEffect = D3DSWAPEFFECT_COPY;
    present.hDeviceWindow = reinterpret_cast<HWND>(window);
    present.Windowed = TRUE;
    present.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    IDirect3DDevice9 *device = nullptr;
    check(d3d->CreateDevice(0, D3DDEVTYPE_HAL, reinterpret_cast<HWND>(window), D3DCREATE_HARDWARE_VERTEXPROCESSING,
                            &present, &device),
          "CreateDevice");

    IDirect3DTexture9 *textures[ROWS] = {};
    for (int frame = 0; frame < frames; frame++) {
        SDL_Event event;
        while (SDL_PollEvent(&event))
            ;
        device->Clear(0, nullptr, D3DCLEAR_TARGET, 0xff202020, 1, 0);
        check(device->BeginScene(), "BeginScene");
        device->SetFVF(D3DFVF_XYZRHW | D3DFVF_TEX1);
        device->SetRenderState(D3DRS_LIGHTING, FALSE);
        device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE);
        for (int row = 0; row < ROWS && row <= frame / FRAMES_A_ROW; row++) {
            if (!textures[row])
                textures[row] = make_texture(device, FORMATS[row]);
            device->SetTexture(0, textures[row]);
            for (int column = 0; column < COLUMNS; column++)
                draw_cell(device, FORMATS[row], column, row);
        }
        check(device->EndScene(), "EndScene");
        if (frame == frames - 1)
            write_picture(device, argv[1]);
        check(device->Present(nullptr, nullptr, nullptr, nullptr), "Present");
    }
    for (IDirect3DTexture9 *texture : textures) {
        if (texture)
            texture->Release();
    }
    device->Release();
    d3d->Release();
    SDL_DestroyWindow(window);
    SDL_Quit();
    std::printf("frames: %d\n", frames);
    return 0;
}
