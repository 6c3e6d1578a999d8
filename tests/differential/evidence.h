/* SPDX-License-Identifier: MIT */
/*
 * Evidence about what no table entry explains: a file with one line of JSON for each failed case, written so that one
 * run on a machine that is at hand for minutes says all that is needed to judge its drivers afterwards.
 */
#ifndef CLAMPLER_DIFFERENTIAL_EVIDENCE_H
#define CLAMPLER_DIFFERENTIAL_EVIDENCE_H

#include <stdio.h>

#include "differential/judge.h"

/*
 * The case in words and as it was judged; for each kind of value that is off the worst one with all three voices; and
 * the native control: the same lookup, texture and filters under modes that every driver has, drawn by the Vulkan
 * driver without any layer and by OpenGL. A deviation that the control shows too is none of the layer's.
 */
void evidence_write(FILE *file, struct voices *voices, const struct diff_case *one, const struct judgement *judgement,
                    const struct judge_pictures *pictures);

/* Makes a case that needs no emulation of one that may: other wrap modes than the driver's become REPEAT. */
void evidence_native_control(struct diff_case *one);

#endif
