/* SPDX-License-Identifier: MIT */
/*
 * A texture unit of RSX, the GPU of the PlayStation 3: the registers that say what is sampled and how, and the texels
 * that they lead to. nvidia.h has the arithmetic that makes a colour of these. Pure: no Vulkan, no OpenGL.
 *
 * Names and numbers are those of RPCS3 (rpcs3/Emu/RSX/gcm_enums.h, NV4097_SET_TEXTURE_...), fields those that its
 * RSXTexture.cpp reads. What is written down of how the unit samples:
 *
 *   - The address modes are OpenGL's, one by one: RetroArch's OpenGL for the console (rglGcmMapWrapMode) has
 *     CELL_GCM_TEXTURE_CLAMP for GL_CLAMP, MIRROR_ONCE_CLAMP for GL_MIRROR_CLAMP_EXT and MIRROR_ONCE_BORDER for
 *     GL_MIRROR_CLAMP_TO_BORDER_EXT; so has Mesa's driver of the same family (nvfx_tex_wrap_mode). What they compute is
 *     in EXT_texture_mirror_clamp.
 *   - Memory is big-endian. Without LN a texture is of powers of two and in Morton order, level after level; with it,
 *     all rows of all levels have the same pitch, and sizes are any (RPCS3, Common/TextureUtils.cpp).
 *   - Where the format's border type says TEXTURE, texels around the texture are its border: one on each side with LN,
 *     else four, in the next power of two, at each level.
 *   - A format has four channels A, R, G and B, also where it keeps fewer (RPCS3, get_component_mapping), and the
 *     crossbar of CONTROL1 takes each result from one of them, or is 0 or 1. The border's colour goes the same way
 *     (RPCS3, its OpenGL sampler_state::apply), in the channels that hosts keep: B8 shows its red, G8B8 its red as B
 *     and its green as G.
 *   - Shadow maps compare: the depth in the texture stands in front of the comparison, r behind it (RPCS3 reverses it
 *     for Vulkan, get_compare_func).
 *
 * Neither read nor drawn: signed and biased channels, gamma, anisotropy, convolutions, the alpha test of texels, cubes,
 * coordinates in texels (UN).
 */
#ifndef CLAMPLER_GUESTS_RSX_H
#define CLAMPLER_GUESTS_RSX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guests/nvidia.h"

/* SET_TEXTURE_ADDRESS: CELL_GCM_TEXTURE_WRAP to MIRROR_ONCE_CLAMP (NVIDIA_WRAP to NVIDIA_MIRROR_ONCE_CLAMP). */
#define RSX_ADDRESS_WRAP_S_SHIFT 0
#define RSX_ADDRESS_ANISO_BIAS_SHIFT 4
#define RSX_ADDRESS_WRAP_T_SHIFT 8
#define RSX_ADDRESS_UNSIGNED_REMAP_SHIFT 12
#define RSX_ADDRESS_WRAP_R_SHIFT 16
#define RSX_ADDRESS_GAMMA_SHIFT 20
#define RSX_ADDRESS_SIGNED_REMAP_SHIFT 24
#define RSX_ADDRESS_ZFUNC_SHIFT 28
#define RSX_ADDRESS_MASK 15u

/* SET_TEXTURE_CONTROL0: levels of detail in 1/256, four bits in front of the point. */
#define RSX_CONTROL0_MAX_ANISO_SHIFT 4
#define RSX_CONTROL0_MAX_LOD_SHIFT 7
#define RSX_CONTROL0_MIN_LOD_SHIFT 19
#define RSX_CONTROL0_LOD_MASK 0xfffu
#define RSX_CONTROL0_ENABLE (1u << 31)
#define RSX_LOD_ONE 256u

/* SET_TEXTURE_CONTROL1: for A, R, G and B the channel that it comes from, then what it is. */
enum rsx_channel { RSX_FROM_A, RSX_FROM_R, RSX_FROM_G, RSX_FROM_B };
enum rsx_remap { RSX_REMAP_ZERO, RSX_REMAP_ONE, RSX_REMAP_REMAP };
#define RSX_CONTROL1_FROM_SHIFT(channel) (2 * (channel))
#define RSX_CONTROL1_REMAP_SHIFT(channel) (8 + 2 * (channel))
#define RSX_CONTROL1_MASK 3u
#define RSX_CONTROL1_IDENTITY 0xaae4u

/* SET_TEXTURE_FILTER: the bias is signed, in 1/256; CELL_GCM_TEXTURE_NEAREST to LINEAR_LINEAR. */
#define RSX_FILTER_LOD_BIAS_MASK 0x1fffu
#define RSX_FILTER_CONVOLUTION_SHIFT 13
#define RSX_FILTER_MIN_SHIFT 16
#define RSX_FILTER_MAG_SHIFT 24
#define RSX_FILTER_MASK 7u
#define RSX_FILTER_SIGNED_SHIFT 28

/* SET_TEXTURE_FORMAT */
#define RSX_FORMAT_BORDER_COLOR (1u << 3) /* else TEXTURE */
#define RSX_FORMAT_DIMENSION_SHIFT 4
#define RSX_FORMAT_DIMENSION_MASK 15u
#define RSX_FORMAT_COLOR_SHIFT 8
#define RSX_FORMAT_COLOR_MASK 0x9fu /* without LN and UN */
#define RSX_FORMAT_LN (0x20u << RSX_FORMAT_COLOR_SHIFT)
#define RSX_FORMAT_MIPMAP_SHIFT 16
#define RSX_FORMAT_MIPMAP_MASK 0xffffu
enum rsx_color {
    RSX_B8 = 0x81,
    RSX_A1R5G5B5 = 0x82,
    RSX_A4R4G4B4 = 0x83,
    RSX_R5G6B5 = 0x84,
    RSX_A8R8G8B8 = 0x85,
    RSX_G8B8 = 0x8b,
    RSX_DEPTH16 = 0x92,
    RSX_D1R5G5B5 = 0x9d,
    RSX_D8R8G8B8 = 0x9e,
};

/* SET_TEXTURE_IMAGE_RECT and CONTROL3 */
#define RSX_IMAGE_RECT_WIDTH_SHIFT 16
#define RSX_IMAGE_RECT_MASK 0xffffu
#define RSX_CONTROL3_PITCH_MASK 0xfffffu
#define RSX_CONTROL3_DEPTH_SHIFT 20

/* The registers of one unit. */
struct rsx_unit {
    uint32_t format, address, control0, control1, filter, image_rect, control3;
    uint32_t border_color; /* A8R8G8B8 */
    const uint8_t *memory; /* what SET_TEXTURE_OFFSET leads to: rsx_memory_size() bytes */
};

/* The texture as it lies in memory. */
struct rsx_shape {
    enum rsx_color color;
    uint32_t axes;    /* 1 to 3 */
    uint32_t levels;  /* 1 at least */
    uint32_t size[3]; /* texels of the base level without border; 1 beyond `axes` */
    uint32_t margin;  /* texels in front of the texture at each level along s and t: 0, 1 or 4 */
    uint32_t texel;   /* bytes */
    uint32_t pitch;   /* bytes from row to row; 0: Morton order */
};

struct rsx_shape rsx_shape_of(const struct rsx_unit *unit);
size_t rsx_memory_size(const struct rsx_shape *shape);
/* A texel's word, by its place from the first texel of the texture on: border texels have -1 and the size. */
uint32_t rsx_texel_word(const struct rsx_unit *unit, const struct rsx_shape *shape, uint32_t level,
                        const int32_t at[3]);

/* Where a result comes from: a channel of the format, or RSX_IS_ZERO or RSX_IS_ONE. */
enum rsx_source { RSX_IS_A, RSX_IS_R, RSX_IS_G, RSX_IS_B, RSX_IS_ZERO, RSX_IS_ONE };
enum rsx_source rsx_crossbar(const struct rsx_unit *unit, enum rsx_channel channel);

/* What the registers say, for nvidia_lookup(). `unit` stays where it is. */
struct nvidia_stage rsx_decode(const struct rsx_unit *unit);

#endif
