/* SPDX-License-Identifier: MIT */
/*
 * Operands: the operands of a lookup, as values of the code that is being written. Vectors of three stand for every
 * image: unused axes are zero.
 */
#ifndef CLAMPLER_SPIRV_OPERANDS_H
#define CLAMPLER_SPIRV_OPERANDS_H

#include "spirv/operands/lookup_read.h"
#include "spirv/write/writer.h"

uint32_t pad_axes(struct rewriter *r, uint32_t vector, uint32_t axes);
uint32_t unpad_axes(struct rewriter *r, uint32_t vector, uint32_t axes);
uint32_t coordinate_component(struct rewriter *r, const struct lookup *l, uint32_t component);
uint32_t padded_offset(struct rewriter *r, uint32_t offset);

/* The same of a value of ints that is no value of the program's. */
uint32_t padded_ints(struct rewriter *r, uint32_t vector, uint32_t components);

/* Coordinate along the image's axes, without layer, divided if the lookup is projective. */
uint32_t axes_coordinate(struct rewriter *r, const struct lookup *l);

/* Assembles the coordinate operand from the coordinate along the axes, or the direction. */
uint32_t whole_coordinate(struct rewriter *r, const struct lookup *l, uint32_t s);

#endif
