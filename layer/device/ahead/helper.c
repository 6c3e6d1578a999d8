/* SPDX-License-Identifier: MIT */
/* Helpers, each with one errand at a time; a list has those that rest. */
#include "ahead/helper.h"

#include <stdlib.h>

#include "ahead/ahead.h"
#include "device/device.h"
#include "device/held.h"
#include "device/message.h"
#include "platform/threads.h"

/* An errand, on the stack of the thread that waits for it. */
struct errand {
    void (*work)(void *user);
    void *user;
    struct held_messages said; /* meanwhile */
    void (*call)(void *asked); /* the call that the helper waits for; NULL: none. Under ahead.lock, as are the next */
    void *asked;
    bool done, refused;
};

struct helper {
    struct helper *next, *next_resting;
    struct ahead *ahead;
    pthread_t thread;
    pthread_cond_t wake,
        done; /* `wake`: it has an errand or an answer, or shall end. `done`: its errand is done, or has a request */
    struct errand *errand; /* NULL: it rests */
};

/* On helpers' threads the helper; on threads that answer a request `answering`; on others NULL. */
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;
static struct helper answering;

static void make_key(void)
{
    has_key = pthread_key_create(&key, NULL) == 0;
}

static struct helper *here(void)
{
    pthread_once(&key_once, make_key);
    return has_key ? pthread_getspecific(key) : NULL;
}

bool helper_is_here(void)
{
    const struct helper *helper = here();
    return helper && helper != &answering;
}

bool helper_requests_here(void)
{
    return here() == &answering;
}

void helper_request(void (*call)(void *user), void *user)
{
    struct helper *helper = here();
    struct ahead *a = helper->ahead;
    struct errand *errand = helper->errand;
    pthread_mutex_lock(&a->lock);
    errand->asked = user;
    errand->call = call;
    pthread_cond_broadcast(&helper->done);
    while (errand->call)
        pthread_cond_wait(&helper->wake, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

/* On the thread that waits, under ahead.lock, which it releases meanwhile. */
static void answer(struct ahead *a, struct helper *helper, struct errand *errand)
{
    pthread_mutex_unlock(&a->lock);
    (void)pthread_setspecific(key, &answering);
    errand->call(errand->asked);
    (void)pthread_setspecific(key, NULL);
    pthread_mutex_lock(&a->lock);
    errand->call = NULL;
    pthread_cond_broadcast(&helper->wake);
}

static void *help(void *user)
{
    struct helper *helper = user;
    struct ahead *a = helper->ahead;
    const bool forwards = !here() && has_key && !pthread_setspecific(key, helper);
    pthread_mutex_lock(&a->lock);
    for (;;) {
        while (!helper->errand && !a->stop)
            pthread_cond_wait(&helper->wake, &a->lock);
        struct errand *errand = helper->errand;
        if (!errand)
            break;
        pthread_mutex_unlock(&a->lock);
        struct held_messages said;
        messages_hold_here(&said);
        if (forwards || !a->track->device->program_allocates)
            errand->work(errand->user);
        else
            errand->refused = true; /* no memory for the thread's key */
        messages_take(&said, &errand->said);
        ahead_compiled();
        pthread_mutex_lock(&a->lock);
        helper->errand = NULL;
        helper->next_resting = a->resting_helpers;
        a->resting_helpers = helper;
        errand->done = true;
        pthread_cond_broadcast(&helper->done);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Under the lock. NULL: no thread can be started. */
static struct helper *start(struct ahead *a)
{
    static struct message_place said;
    struct helper *helper = calloc(1, sizeof(*helper));
    if (!helper)
        return NULL;
    helper->ahead = a;
    if (pthread_cond_init(&helper->wake, NULL)) {
        free(helper);
        return NULL;
    }
    if (pthread_cond_init(&helper->done, NULL)) {
        pthread_cond_destroy(&helper->wake);
        free(helper);
        return NULL;
    }
    if (!thread_start(&helper->thread, "clampler:draw", help, helper)) {
        message_about_once(&said, a->track->device, LOG_INFO, NULL,
                           "no thread can be started: draws compile on their own threads");
        pthread_cond_destroy(&helper->done);
        pthread_cond_destroy(&helper->wake);
        free(helper);
        return NULL;
    }
    helper->next = a->helpers;
    a->helpers = helper;
    return helper;
}

/* Under ahead.lock. NULL: no helper rests and none can be started. */
static struct helper *send(struct ahead *a, struct errand *errand)
{
    struct helper *helper = a->stop ? NULL : a->resting_helpers;
    if (helper)
        a->resting_helpers = helper->next_resting;
    else if (!a->stop)
        helper = start(a);
    if (!helper)
        return NULL;
    helper->errand = errand;
    pthread_cond_signal(&helper->wake);
    return helper;
}

static bool may_help(const struct track *track)
{
    const struct ahead *a = track->ahead;
    return a->begun && !messages_on_layers_thread() && a->process == thread_process();
}

void helper_run(struct track *track, void (*work)(void *user), void *user)
{
    struct ahead *a = track->ahead;
    struct errand errand = {.work = work, .user = user};
    if (!may_help(track)) {
        work(user);
        return;
    }
    const int cancel = thread_uncancelled(); /* the helper knows this stack */
    pthread_mutex_lock(&a->lock);
    struct helper *helper = send(a, &errand);
    while (helper && !errand.done) {
        if (errand.call)
            answer(a, helper, &errand);
        else
            pthread_cond_wait(&helper->done, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    if (helper)
        messages_deliver(&errand.said);
    if (!helper || errand.refused)
        work(user);
    thread_cancelled_again(cancel);
}

void helpers_end(struct ahead *a)
{
    struct helper *helper;
    pthread_mutex_lock(&a->lock);
    helper = a->helpers;
    for (struct helper *each = helper; each; each = each->next)
        pthread_cond_signal(&each->wake);
    pthread_mutex_unlock(&a->lock); /* none is started any more */
    for (; helper && !a->helpers_ended; helper = helper->next)
        pthread_join(helper->thread, NULL);
    a->helpers_ended = true;
}

void helpers_free(struct ahead *a)
{
    while (a->helpers) {
        struct helper *helper = a->helpers;
        a->helpers = helper->next;
        pthread_cond_destroy(&helper->wake);
        pthread_cond_destroy(&helper->done);
        free(helper);
    }
}
