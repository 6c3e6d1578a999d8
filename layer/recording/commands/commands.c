/* SPDX-License-Identifier: MIT */
/*
 * Makes and frees the tables of command pools and command buffers. layer/recording/recording frees the memory of freed
 * command buffers before.
 */
#include "commands/commands.h"
#include "commands/command_buffer.h"
#include "objects/table.h"

bool commands_init(struct track *track)
{
    struct commands *c = track->commands;
    return pthread_mutex_init(&c->lock, NULL) == 0 && table_init(&c->pools) && table_init(&c->buffers);
}

void commands_finish(struct track *track)
{
    struct commands *c = track->commands;
    table_finish(&c->pools);
    table_finish(&c->buffers);
    pthread_mutex_destroy(&c->lock);
}
