/* SPDX-License-Identifier: MIT */
/*
 * Block: where the members of a block lie, by the decorations that say so.
 */
#ifndef CLAMPLER_SPIRV_BLOCK_H
#define CLAMPLER_SPIRV_BLOCK_H

#include "spirv/module/module.h"

/* Bytes from a block's beginning to the end of its last member; false if that cannot be told. */
bool block_end(const struct module *m, uint32_t type, uint64_t *end);

#endif
