/* For builds without layer/track: every device is inert in effect. */
#include "chain.h"

#include <string.h>

VkResult track_create(struct device *device)
{
    (void)device;
    return VK_SUCCESS;
}

void track_destroy(struct device *device)
{
    (void)device;
}

void track_counters(struct track *track, struct clampler_counters *counters)
{
    (void)track;
    memset(counters, 0, sizeof(*counters));
}
