/* SPDX-License-Identifier: MIT */
/* clampler: what a user asks of the layer from a shell. See clampler.1.in. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const char help[] =
    "clampler " CLAMPLER_VERSION ": OpenGL's sampler semantics for Vulkan programs, by a layer\n"
    "\n"
    "    clampler doctor [--loader PATH] [--program NAME]\n"
    "        Is the layer found, loaded and set as wished? What is native, emulated, unavailable on each device?\n"
    "    clampler caps [--json] [--device N]\n"
    "        The same as a table of formats.\n"
    "    clampler caps --compare A.json B.json\n"
    "        What differs between two machines, drivers or versions of the layer.\n"
    "    clampler rewrite IN.spv [-o OUT.spv] [--explain] [--tier 1|2] [--form gpu|cpu] [--storage] [--renumber]\n"
    "                     [--texel-paths MASK] [--validate]\n"
    "        Rewrites a shader module as the layer would.\n"
    "    clampler run [--set KEY=VALUE]... [--preset NAME] [--validation above|below] [--] PROGRAM [ARGUMENT]...\n"
    "        Starts a program under the layer, with Khronos' validation above or below it.\n"
    "    clampler --help, clampler --version\n"
    "\n"
    "Status: 0 if all is well, 1 if something is wrong, 2 for arguments that make no sense. More: man clampler.\n";

static const struct {
    const char *name;
    int (*function)(int count, char **arguments);
} commands[] = {{"doctor", doctor}, {"caps", caps}, {"rewrite", rewrite}, {"run", run}};

static bool asks_for_help(const char *argument)
{
    return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

int main(int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : "";
    /* Of a command, too: what stands behind the program of `run` is the program's. */
    if (asks_for_help(name) || !strcmp(name, "help") || (count > 2 && asks_for_help(arguments[2]))) {
        fputs(help, stdout);
        return 0;
    }
    if (!strcmp(name, "--version")) {
        puts("clampler " CLAMPLER_VERSION);
        return 0;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        if (!strcmp(name, commands[i].name))
            return commands[i].function(count - 1, arguments + 1);
    }
    if (*name)
        fprintf(stderr, "clampler: there is no command \"%s\"\n\n", name);
    fputs(help, stderr);
    return STATUS_USAGE;
}
