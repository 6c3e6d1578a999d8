/* SPDX-License-Identifier: MIT */
/*
 * A texture stage of NV2A, the GPU of the first Xbox: the registers that say what is sampled and how, and the texels
 * that they lead to. nvidia.h has the arithmetic that makes a colour of these. Pure: no Vulkan, no OpenGL.
 *
 * Names, fields and numbers are those of envytools' and xemu's lists of registers (hw/xbox/nv2a/nv2a_regs.h). What is
 * written down there of how the stage samples:
 *
 *   - Textures of the formats below are powers of two along each axis, and lie in memory in Morton order ("swizzled"),
 *     level after level.
 *   - Where TEXFMT_BORDER_SOURCE says TEXTURE, texels around the texture are its border. Then it lies in one of twice
 * its size, and of 16 texels at least, four texels from the left and from the top, at each level. Coordinates and
 * levels of detail are those of the texture without border.
 *   - ADDR_CLAMP_OGL bounds the coordinate to [0, 1]: at the edge a filter (TENT) takes half of the edge's texel and
 * half of the border. ADDR_BORDER does not bound it.
 *   - Shadow maps compare: the depth in the texture stands in front of the comparison, r behind it (xemu, psh.c,
 * psh_append_shadowmap). The guest's r is in units of the format, 0 to 65535 here: who draws divides.
 *   - SZ_G8B8 shows its blue and green twice. That the border's colour goes there by the same names is taken for
 * granted: xemu's OpenGL shows its red and green.
 *
 * Neither read nor drawn: signed channels, cylindrical wrapping (WRAPU to WRAPQ), anisotropy, convolutions, colour
 * keys, the alpha test of texels, cubes, palettes, compressed and linear (LU_IMAGE) formats, depth of 24 bits or float.
 */
#ifndef CLAMPLER_GUESTS_NV2A_H
#define CLAMPLER_GUESTS_NV2A_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guests/nvidia.h"

/* TEXADDRESS: three bits for each axis, ADDR_WRAP to ADDR_CLAMP_OGL (NVIDIA_WRAP to NVIDIA_CLAMP). */
#define NV2A_TEXADDRESS_ADDRU_SHIFT 0
#define NV2A_TEXADDRESS_ADDRV_SHIFT 8
#define NV2A_TEXADDRESS_ADDRP_SHIFT 16
#define NV2A_TEXADDRESS_ADDR_MASK 7u

/* TEXCTL0: levels of detail in 1/256, four bits in front of the point. */
#define NV2A_TEXCTL0_MAX_LOD_SHIFT 6
#define NV2A_TEXCTL0_MIN_LOD_SHIFT 18
#define NV2A_TEXCTL0_LOD_MASK 0xfffu
#define NV2A_LOD_ONE 256u

/*
 * TEXFILTER: the bias is signed, in 1/256; BOX_LOD0, TENT_LOD0, BOX_NEARESTLOD, TENT_NEARESTLOD, BOX_TENT_LOD and
 * TENT_TENT_LOD (NVIDIA_NEAREST to NVIDIA_LINEAR_LINEAR).
 */
#define NV2A_TEXFILTER_LOD_BIAS_MASK 0x1fffu
#define NV2A_TEXFILTER_MIN_SHIFT 16
#define NV2A_TEXFILTER_MIN_MASK 0x3fu
#define NV2A_TEXFILTER_MAG_SHIFT 24
#define NV2A_TEXFILTER_MAG_MASK 15u

/* TEXFMT */
#define NV2A_TEXFMT_BORDER_SOURCE_COLOR (1u << 3) /* else TEXTURE */
#define NV2A_TEXFMT_DIMENSIONALITY_SHIFT 6
#define NV2A_TEXFMT_DIMENSIONALITY_MASK 3u
#define NV2A_TEXFMT_COLOR_SHIFT 8
#define NV2A_TEXFMT_COLOR_MASK 0x7fu
#define NV2A_TEXFMT_MIPMAP_LEVELS_SHIFT 16
#define NV2A_TEXFMT_BASE_SIZE_U_SHIFT 20
#define NV2A_TEXFMT_BASE_SIZE_V_SHIFT 24
#define NV2A_TEXFMT_BASE_SIZE_P_SHIFT 28
#define NV2A_TEXFMT_NUMBER_MASK 15u /* of levels, and of each size's logarithm */
enum nv2a_color {
    NV2A_SZ_Y8 = 0x00,
    NV2A_SZ_AY8 = 0x01,
    NV2A_SZ_A1R5G5B5 = 0x02,
    NV2A_SZ_X1R5G5B5 = 0x03,
    NV2A_SZ_A4R4G4B4 = 0x04,
    NV2A_SZ_R5G6B5 = 0x05,
    NV2A_SZ_A8R8G8B8 = 0x06,
    NV2A_SZ_X8R8G8B8 = 0x07,
    NV2A_SZ_A8 = 0x19,
    NV2A_SZ_A8Y8 = 0x1a,
    NV2A_SZ_G8B8 = 0x28,
    NV2A_SZ_DEPTH_Y16_FIXED = 0x2c,
    NV2A_SZ_A8B8G8R8 = 0x3a,
};

/* SHADOWCTL: what passes, in OpenGL's order. */
#define NV2A_SHADOWCTL_SHADOW_ZFUNC_MASK 7u

/* The registers of one stage. */
struct nv2a_stage {
    uint32_t texaddress, texctl0, texfilter, texfmt;
    uint32_t bordercolor; /* A8R8G8B8 */
    uint32_t shadowctl;
    const uint8_t *memory; /* what TEXOFFSET leads to: nv2a_memory_size() bytes */
};

/* The texture as it lies in memory. */
struct nv2a_shape {
    enum nv2a_color color;
    uint32_t axes;      /* 1 to 3 */
    uint32_t levels;    /* 1 at least */
    uint32_t size[3];   /* texels of the base level without border; powers of two; 1 beyond `axes` */
    uint32_t stored[3]; /* the same as it lies in memory */
    uint32_t margin;    /* texels in front of the texture at each level: 4, or 0 without border texels */
    uint32_t texel;     /* bytes */
};

struct nv2a_shape nv2a_shape_of(const struct nv2a_stage *stage);
size_t nv2a_memory_size(const struct nv2a_shape *shape);
/* Bytes from the beginning of the memory to a texel, by its place in what is stored. */
size_t nv2a_texel_place(const struct nv2a_shape *shape, uint32_t level, const uint32_t at[3]);

/* What the registers say, for nvidia_lookup(). `stage` stays where it is. */
struct nvidia_stage nv2a_decode(const struct nv2a_stage *stage);

#endif
