/* SPDX-License-Identifier: MIT */
/*
 * Entries of update templates for immutable samplers without images. Nothing may be read for them, and lavapipe 25 and
 * 26 read it all the same: they die of such an update, of a set and of a push, without any layer.
 */
#ifndef CLAMPLER_HARNESS_IMMUTABLE_ENTRIES_H
#define CLAMPLER_HARNESS_IMMUTABLE_ENTRIES_H

#include <stdbool.h>

/*
 * Does the driver alone survive them? A child process tries it, of this one as it is: to be called before the first
 * Vulkan call of the process. Of a driver without pushes, and where nothing can be tried: yes.
 */
bool harness_survives_immutable_entries(bool push);
#define HARNESS_READS_IMMUTABLE_ENTRIES "the driver alone dies of templates with entries for immutable samplers"

#endif
