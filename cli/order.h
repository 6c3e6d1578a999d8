/* SPDX-License-Identifier: MIT */
/*
 * Which layers stand above which. Implicit layers stand nearest to the program, then those of VK_INSTANCE_LAYERS, then
 * those that the program names. Loaders before 1.3.247 put the second kind in the order in which they find manifests,
 * and where they find two of one name, take the last; newer ones go by the variable.
 */
#ifndef CLAMPLER_CLI_ORDER_H
#define CLAMPLER_CLI_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "vulkan.h"

#define ORDER_VALIDATION "VK_LAYER_KHRONOS_validation"

/*
 * Has the program that is started here have Khronos' validation layer right above this one or right below it, by this
 * process' environment, under whichever loader `vk` is; it must be open, without an instance. For loaders that go by
 * manifests it writes two of them below XDG_RUNTIME_DIR, XDG_CACHE_HOME or ~/.cache. False with the reason in `why`.
 */
bool order_validation(const struct vulkan *vk, bool above, char *why, size_t size);

/* Has the loader tell the order when it makes an instance. To be called before it does anything. */
void order_ask(void);

/* What it said: the layers' names, the program's nearest first, with ", " between; "" if it did not say it. */
void order_read(const char *said, char *names, size_t size);

#endif
