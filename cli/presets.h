/* SPDX-License-Identifier: MIT */
/* The presets that vkconfig shows, from json/presets.json. */
#ifndef CLAMPLER_CLI_PRESETS_H
#define CLAMPLER_CLI_PRESETS_H

struct preset_value {
    const char *preset; /* its label */
    const char *key, *value;
};

extern const struct preset_value preset_values[]; /* all of them, in order; ends with a label of NULL */

#endif
