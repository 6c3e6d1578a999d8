/* SPDX-License-Identifier: MIT */
/* Known deviations of drivers: what a GL or Vulkan driver draws other than its specification says. */
#ifndef CLAMPLER_DIFFERENTIAL_DEVIATIONS_H
#define CLAMPLER_DIFFERENTIAL_DEVIATIONS_H

#include "differential/facts.h"

enum deviation_side { DEVIATION_OPENGL, DEVIATION_VULKAN };

struct deviation {
    enum deviation_side side;
    const char *driver;    /* part of GL_RENDERER or of the device's name */
    const char *version;   /* of GL_VERSION, or of VkPhysicalDeviceDriverProperties::driverInfo (versions.h) */
    const char *condition; /* for people */
    const char *evidence;
    double most; /* how far off values may be beyond what is allowed, in tolerances; 0: any distance */
    bool (*applies)(const struct facts *facts, const struct diff_case *one);
    /*
     * Fills in a case that needs no emulation and must show the deviation: VULKAN on the driver alone, without any
     * layer; OPENGL likewise, or NULL where the reference sampler agreeing with Vulkan is the evidence.
     */
    void (*native_control)(struct diff_case *control);
    /* The control is made of each deviating case and drawn for each; else one speaks for all. */
    bool each;
};

extern const struct deviation deviations[];
extern const size_t deviation_count;

/*
 * Fills in the case that gives, in the reference sampler, what a driver with this deviation draws: values that are not
 * those are not excused by it. False: nothing is known of them.
 */
bool deviation_model(const struct deviation *entry, struct diff_case *one);

/* A driver, and by how much it is off in a case (beyond what is allowed, in tolerances). */
struct deviation_seen {
    enum deviation_side side;
    const char *driver, *version;
    double excess;
};

/* The first entry behind `after` (NULL: of all) for a case on a driver, or NULL: then whatever deviates fails. */
const struct deviation *deviation_find(const struct deviation_seen *seen, const struct facts *facts,
                                       const struct diff_case *one, const struct deviation *after);

#endif
