#include "sampling/notes.h"
#include "sampling/sampling.h"

void notes_follow_begin(struct track *track)
{
    pthread_mutex_lock(&track->sampling->note_lock);
}

void notes_follow_end(struct track *track)
{
    pthread_mutex_unlock(&track->sampling->note_lock);
}

/* Whoever found the object has the lock; whoever takes it later does not find the object. */
void notes_forgotten(struct track *track)
{
    pthread_mutex_lock(&track->sampling->note_lock);
    pthread_mutex_unlock(&track->sampling->note_lock);
}
