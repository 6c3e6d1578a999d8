/* SPDX-License-Identifier: MIT */
/* A layer that is shipped in the program's own folder; see docs/embedding.md. */
#ifndef CLAMPLER_EXAMPLES_BUNDLED_LAYER_H
#define CLAMPLER_EXAMPLES_BUNDLED_LAYER_H

#include <stdbool.h>

/* The name of an installed layer, and that of a bundled one, so that no installed copy is taken for it. */
#define LAYER "VK_LAYER_CLAMPLER_gl_sampler"
#define BUNDLED_LAYER "VK_LAYER_CLAMPLER_gl_sampler_bundled"

/*
 * Shows Vulkan's loader the folder "layers" beside the program, in front of what VK_ADD_LAYER_PATH has. False if there
 * is no such folder, or memory runs out: layers are then found where the system has them. To be called before the first
 * call of Vulkan, while no other thread reads the environment.
 */
bool bundled_layer_show(void);

#endif
