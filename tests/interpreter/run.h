/* SPDX-License-Identifier: MIT */
/* What the parts of the interpreter share: places of values, variables, and functions that run. */
#ifndef TESTS_INTERPRETER_RUN_H
#define TESTS_INTERPRETER_RUN_H

#include "interpreter.h"

/* A pointer: the variable's id, and words from its beginning. In front of what a variable holds lies that to it. */
#define POINTER_WORDS 2u

/* Words of a type; INTERPRETER_MOST_WORDS for what is not known. */
uint32_t in_type_size(struct interpreter *in, uint32_t type);

/* Where the result of an instruction goes; NULL, stuck, if there is no room. */
uint32_t *in_place(struct interpreter *in, uint32_t id);

/* What a variable holds; NULL if it is none. */
uint32_t *in_storage(const struct interpreter *in, uint32_t variable, uint32_t *size);

/* Fills a variable with what it holds at first. */
void in_open_variable(struct interpreter *in, const uint32_t *inst);

/* Runs a function; `result` receives its value, or is NULL. */
void in_call(struct interpreter *in, uint32_t function, uint32_t *result, uint32_t depth);

#endif
