/* SPDX-License-Identifier: MIT */
/*
 * Offers: extensions in the driver's place, by the setting `offer`. One table of them with their features, and what
 * each device lacks. Programs see it in every query; the plan of a device takes it out again.
 */
#ifndef CLAMPLER_QUERIES_OFFERS_H
#define CLAMPLER_QUERIES_OFFERS_H

#include "device/device.h"
#include "device/structure_chain.h"

/* A set of bits of enum setting_offer, and one of extensions. */
struct offers {
    uint32_t offered;
    uint32_t absent; /* their extensions that the driver does not list, nor know the structures of: bits of the table */
    VkResult result; /* not VK_SUCCESS: the driver could not be asked, and nothing is offered meanwhile */
};

/* Extensions that may be offered: so many more names may be in a list. */
enum { OFFERED_EXTENSIONS = 8 };

/* Nothing where the setting offers nothing. Asked of the driver once for each device (lacking.c). */
struct offers offers_of(const struct instance *instance, VkPhysicalDevice physical);

/* The extensions of the table that are in no list, and those of some offers. */
uint32_t offers_unlisted(const VkExtensionProperties *list, uint32_t count);
uint32_t offers_extensions(uint32_t offers);

/* The offers whose extension is among those; ones that only come beside another do not count. */
uint32_t offers_of_extensions(uint32_t extensions);

/* Appends the names that the driver does not list; the list has room. Returns how many there are. */
uint32_t offers_list(const struct offers *offers, VkExtensionProperties *list, uint32_t count);

/* True: cubic filters are offered, and the driver does not know VK_EXT_filter_cubic's structures. */
bool offers_unknown_cubic(const struct offers *offers);

/* Takes structures that the driver does not know out of a chain of output, and puts them back. */
struct offers_cut {
    struct chain_cut cuts[2 * OFFERED_EXTENSIONS];
    uint32_t count;
};
void offers_cut(const struct offers *offers, void *head, struct offers_cut *cut);
void offers_restore(const struct offers_cut *cut);

/* Adds what is offered to features, properties and limits that the next layer has filled. `chain` may be NULL. */
void offers_show_features(const struct offers *offers, VkPhysicalDeviceFeatures *features, void *chain);
void offers_show_properties(const struct offers *offers, VkPhysicalDeviceLimits *limits, void *chain);

/* Programs that enable the extension see the same of samplers' number. */
void offers_show_samplers(VkPhysicalDeviceLimits *limits);

/* ---- For the plan of a device ---- */

/* The offers that the program enables, by names and features. */
uint32_t offers_asked(const struct offers *offers, const VkDeviceCreateInfo *program);

/* True: custom border colours are offered, and the program enables their extension by name, which brings commands. */
bool offers_border_commands(const struct offers *offers, const VkDeviceCreateInfo *program);

/* True: the driver does not list this extension, which the layer offers. */
bool offers_names(const struct offers *offers, const char *extension);

/* True: a structure of features that the driver does not know, because the layer offers its extension. */
bool offers_structure(const struct offers *offers, VkStructureType type);

/* Clears all offered features of a structure of a chain; another structure is left as it is. */
void offers_clear(const struct offers *offers, void *structure);

/* As bits of enum resolve_offer. */
uint32_t offers_resolve(uint32_t offers);

/* A limit that the layer offers: what programs may count on. */
#define OFFERED_BORDER_COLORS 4000u
#define OFFERED_BORDER_COLORS_MOST (1u << 20) /* the layer may keep a bit for each */
#define OFFERED_ANISOTROPY 16.0f
#define OFFERED_SAMPLERS 1000000u

#endif
