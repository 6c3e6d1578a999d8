/* SPDX-License-Identifier: MIT */
/*
 * Draws to attachments whose channels are elsewhere (order.c). pass.c says which attachments a pass has. One thread at
 * a time, as command buffers are recorded.
 */
#ifndef CLAMPLER_ALPHA_ORDER_H
#define CLAMPLER_ALPHA_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct command;
struct bind_point;
struct pipeline;
struct shader_object;
struct order_pass;

/* Gives a message, once in a recording; vkEndCommandBuffer returns the error. */
void order_refuse(struct command *command, const char *call, const char *why);

/* The attachments of the pass, from now on. */
void order_set(struct command *command, const struct order_pass *orders);

/*
 * The variant of a pipeline, or of a fragment shader, in a pass for which order_pass_any() is true. 0: its own, or a
 * draw that was refused.
 */
uint32_t order_pipeline_key(struct command *command, const struct pipeline *pipeline, bool draws);
uint32_t order_shader_key(struct command *command, const struct shader_object *object);

/* Sets what is dynamic for the key that was given last. False: blend_flush() does it. */
bool order_flush(struct command *command, const struct bind_point *point);

/* Draws, with what is bound, are to attachments without orders again. */
void order_leave(struct command *command, const struct bind_point *point);

#endif
