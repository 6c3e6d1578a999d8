/* SPDX-License-Identifier: MIT */
/*
 * Input: reads of input attachments, whose alpha is 1 if their record says so. Views of input attachments cannot be
 * swizzled (VkWriteDescriptorSet), so the shader replaces alpha.
 */
#ifndef CLAMPLER_SPIRV_INPUT_H
#define CLAMPLER_SPIRV_INPUT_H

#include "spirv/sites/plan.h"
#include "spirv/write/writer.h"

/* Fills the plan of a SITE_INPUT_READ; false if it stays as it is. */
bool input_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes the code that replaces the instruction. */
void input_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
