/* SPDX-License-Identifier: MIT */
/*
 * Move: tier 1. In the GPU form a second lookup is made if the coordinate moved; in the CPU form the one lookup is
 * always made at the moved coordinate.
 */
#ifndef CLAMPLER_SPIRV_MOVE_H
#define CLAMPLER_SPIRV_MOVE_H

#include "spirv/operands/rewriting.h"

/* Coordinate and gradients as the driver takes them, where the image may be a rectangle. */
void move_normalize(struct rewriting *w);

/*
 * Bounds and coordinate for a move in tier 2, whose own coordinates are the program's. `everywhere`: see
 * bounds_open().
 */
void move_open(struct rewriting *w, bool everywhere);

/* Takes the derivatives of the coordinate, of lookups with implicit LOD. */
void lookup_take_derivatives(struct rewriting *w);

/*
 * Tier 1's part of a branch that tier 2 takes as well: the lookup at the moved coordinate. With implicit LOD it is
 * written only for a coordinate that moved, if `plain` is given.
 */
uint32_t move_again(const struct rewriting *program, uint32_t plain);

/*
 * Does tier 1 choose between two lookups by the coordinate? Lookups with offsets are tested in a branch, because the
 * test has divisions.
 */
bool move_chooses(const struct rewriting *w);

/* Does tier 1 change this lookup? With as few tests as possible, because every lookup executes them. */
uint32_t move_condition(struct rewriting *w);

/* Tier 1 for implicit LOD where move_chooses(): the program's lookup or another one where the coordinate moves. */
void move_choice(struct rewriting *w, uint32_t result);

/* One lookup, at a coordinate that is the given one for a record that moves nothing. */
uint32_t move_straight(struct rewriting *w, uint32_t result, bool everywhere);

#endif
