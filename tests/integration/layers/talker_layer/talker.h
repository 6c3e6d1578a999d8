/* SPDX-License-Identifier: MIT */
/*
 * The talker: a layer nearest the driver that stands for drivers whose compilers talk to the program's messengers and
 * report callbacks (at the level of information), when they destroy pipelines as well if that is asked for, and make
 * static objects when they compile for the first time, which are destroyed when the process ends. One instance at a
 * time.
 *
 * A process that compiles with destroyed objects ends with TALKER_LATE, one that destroys a messenger while something
 * is compiled with TALKER_BESIDE.
 */
#ifndef CLAMPLER_INTEGRATION_TALKER_H
#define CLAMPLER_INTEGRATION_TALKER_H

#include <stdatomic.h>
#include <stdint.h>

#define TALKER_LAYER "VK_LAYER_CLAMPLER_TEST_talker"
#define TALKER_CONTROL_SYMBOL "talker_control"
#define TALKER_TEXT "talker: compiles"

enum { TALKER_LATE = 91, TALKER_BESIDE = 92 };

struct talker_control {
    _Atomic(uint32_t) milliseconds; /* that compiling takes more */
    _Atomic(uint32_t) compiled, said, compiling;
    atomic_bool others_only; /* what threads other than that of vkCreateInstance compile makes the objects */
    atomic_bool made;        /* they are there */
    atomic_bool destruction; /* it talks there, too */
};

#endif
