/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench/jit.h"

/* LLVM's C interface, as far as it is called here. */
struct llvm;
typedef struct llvm *llvm;
typedef void (*function)(void);

static _Atomic(uint64_t) instructions;

static int find_library(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    if (!strstr(info->dlpi_name, "libLLVM"))
        return 0;
    *(void **)user = dlopen(info->dlpi_name, RTLD_NOLOAD | RTLD_NOW);
    return 1;
}

/* The driver's own LLVM has loaded it, and calls. */
static function function_of(const char *name)
{
    void *library = NULL;
    dl_iterate_phdr(find_library, &library);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found)
        abort(); /* whoever calls it was linked with it */
    function result;
    memcpy(&result, &found, sizeof(result));
    return result;
}

typedef llvm (*walk_function)(llvm of);

/* Fragment shaders alone: vertex shaders and the setup of triangles are the same whatever the lookups. */
static uint64_t count_function(llvm code)
{
    const walk_function first_block = (walk_function)function_of("LLVMGetFirstBasicBlock"),
                        next_block = (walk_function)function_of("LLVMGetNextBasicBlock"),
                        first = (walk_function)function_of("LLVMGetFirstInstruction"),
                        next = (walk_function)function_of("LLVMGetNextInstruction");
    const char *(*name)(llvm of) = (const char *(*)(llvm))function_of("LLVMGetValueName");
    uint64_t found = 0;
    if (strncmp(name(code), "fs", 2) != 0)
        return 0;
    for (llvm block = first_block(code); block; block = next_block(block))
        for (llvm at = first(block); at; at = next(at))
            found++;
    return found;
}

int LLVMRunFunctionPassManager(llvm passes, llvm code);
void *LLVMRunPasses(llvm module, const char *passes, llvm machine, llvm options);

/* Up to LLVM 16: function by function. */
__attribute__((visibility("default"))) int LLVMRunFunctionPassManager(llvm passes, llvm code)
{
    int (*real)(llvm, llvm) = (int (*)(llvm, llvm))function_of("LLVMRunFunctionPassManager");
    atomic_fetch_add(&instructions, count_function(code));
    return real(passes, code);
}

/* Later: a module, whose first passes count. */
__attribute__((visibility("default"))) void *LLVMRunPasses(llvm module, const char *passes, llvm machine, llvm options)
{
    void *(*real)(llvm, const char *, llvm, llvm) =
        (void *(*)(llvm, const char *, llvm, llvm))function_of("LLVMRunPasses");
    const walk_function first = (walk_function)function_of("LLVMGetFirstFunction"),
                        next = (walk_function)function_of("LLVMGetNextFunction");
    for (llvm code = first(module); code; code = next(code))
        atomic_fetch_add(&instructions, count_function(code));
    return real(module, passes, machine, options);
}

uint64_t jit_instructions(void)
{
    return atomic_load(&instructions);
}
