/* SPDX-License-Identifier: MIT */
/*
 * What a CPU driver asks of LLVM: instructions of fragment shaders, as the driver writes them, before LLVM changes
 * them. The program exports the functions that Mesa calls to have code optimised, and passes the calls on. One thread.
 */
#ifndef CLAMPLER_BENCH_JIT_H
#define CLAMPLER_BENCH_JIT_H

#include <stdint.h>

/* Instructions since the process began; 0: the driver has no such code, or is none that can be counted. */
uint64_t jit_instructions(void);

#endif
