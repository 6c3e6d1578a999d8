/* SPDX-License-Identifier: MIT */
/*
 * Input: reads of input attachments, whose alpha is 1 where their record says so. Views of input attachments cannot be
 * swizzled (VkWriteDescriptorSet), so the shader replaces it.
 */
#ifndef CLAMPLER_SPIRV_INPUT_H
#define CLAMPLER_SPIRV_INPUT_H

#include "spirv/sites/plan.h"
#include "spirv/write/writer.h"

/* Fills the plan of a SITE_INPUT_READ; false if it stays as it is. */
bool input_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes what takes the instruction's place. */
void input_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
