/* SPDX-License-Identifier: MIT */
/*
 * Several lookups of one shader: their descriptors lie in one set or in two. What is bound anew alone is written, by a
 * copy of the set before, in the set of another command buffer, or by pushing it; and of two sets that one is bound.
 */
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "vulkan_voice.h"

#define COMBINED VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define SAMPLER VK_DESCRIPTOR_TYPE_SAMPLER

/* As lookup.glsl has them; binding 2 of set 0 is for results of compute shaders. Of no count: there is no other. */
static const struct place {
    uint32_t set, binding;
    VkDescriptorType type;
    uint32_t unit, count; /* the first one's */
} places[RANDOM_TOGETHERS][SHARED_PLACES] = {
    [TOGETHER_BINDINGS] = {{0, 0, COMBINED, 0, 1}, {0, 1, COMBINED, 1, 1}},
    [TOGETHER_SETS] = {{0, 0, COMBINED, 0, 1}, {1, 0, COMBINED, 1, 1}},
    [TOGETHER_BESIDE] = {{0, 0, COMBINED, 0, 1}, {0, 1, IMAGE, 1, 1}, {0, 3, SAMPLER, 1, 1}},
    [TOGETHER_SAMPLERS] = {{0, 0, IMAGE, 0, 1}, {0, 1, SAMPLER, 0, 1}, {0, 3, SAMPLER, 1, 1}},
    [TOGETHER_IMAGES] = {{0, 0, IMAGE, 0, 1}, {0, 1, SAMPLER, 0, 1}, {0, 3, IMAGE, 1, 1}},
    [TOGETHER_ARRAY] = {{0, 0, COMBINED, 0, ARRAY_ELEMENTS}},
    [TOGETHER_ARRAYS] = {{0, 0, IMAGE, 0, ARRAY_ELEMENTS}, {0, 1, SAMPLER, 0, ARRAY_ELEMENTS}},
};

enum { RESULTS = 2, WRITES = SHARED_PLACES + 1 };

static uint32_t sets_of(enum random_together form)
{
    return form == TOGETHER_SETS ? 2 : 1;
}

static bool is_in(enum random_together form, uint32_t k, uint32_t set)
{
    return places[form][k].count && places[form][k].set == set;
}

/* ---- layouts ---- */

static VkDescriptorSetLayout make_set_layout(struct voice_device *d, enum random_together form, uint32_t set)
{
    const enum random_binding binding = d->opened.binding;
    VkDescriptorSetLayoutBinding bindings[WRITES];
    VkDescriptorBindingFlags flags[WRITES];
    uint32_t count = 0;
    for (uint32_t k = 0; k < SHARED_PLACES; k++) {
        if (!is_in(form, k, set))
            continue;
        flags[count] = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
        bindings[count++] = (VkDescriptorSetLayoutBinding){places[form][k].binding, places[form][k].type,
                                                           places[form][k].count, VK_SHADER_STAGE_ALL, NULL};
    }
    if (set == 0) {
        flags[count] = 0;
        bindings[count++] = (VkDescriptorSetLayoutBinding){RESULTS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                           VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    }
    const VkDescriptorSetLayoutBindingFlagsCreateInfo late = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = binding == BINDING_AFTER_BIND ? &late : NULL,
        .flags = binding == BINDING_AFTER_BIND ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                 : binding == BINDING_PUSH && set == 0
                     ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR
                     : 0,
        .bindingCount = count,
        .pBindings = bindings};
    VkDescriptorSetLayout made;
    HARNESS_VK(vkCreateDescriptorSetLayout(d->vk.device, &info, NULL, &made));
    return made;
}

/* What templates read. */
struct written {
    VkDescriptorImageInfo infos[SHARED_PLACES][TOGETHER_MOST];
    VkDescriptorBufferInfo results;
};

static void make_template(struct voice_device *d, struct voice_layout *made)
{
    VkDescriptorUpdateTemplateEntry entries[WRITES];
    uint32_t count = 0;
    for (uint32_t k = 0; k < SHARED_PLACES; k++) {
        const struct place *p = &places[made->form][k];
        if (is_in(made->form, k, 0))
            entries[count++] = (VkDescriptorUpdateTemplateEntry){
                p->binding, 0, p->count, p->type, offsetof(struct written, infos[k]), sizeof(VkDescriptorImageInfo)};
    }
    entries[count++] = (VkDescriptorUpdateTemplateEntry){
        RESULTS, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(struct written, results), 0};
    made->template = harness_template(&d->vk, made->set_layout, entries, count);
}

static const struct voice_layout *layout_of(struct voice_device *d, enum random_together form)
{
    for (const struct voice_layout *have = d->layouts; have; have = have->next)
        if (have->kind == LAYOUT_TOGETHER && have->form == form)
            return have;
    struct voice_layout *made = harness_alloc(1, sizeof(*made));
    made->kind = LAYOUT_TOGETHER;
    made->form = form;
    made->set_layout = make_set_layout(d, form, 0);
    if (sets_of(form) > 1)
        made->second = make_set_layout(d, form, 1);
    const VkDescriptorSetLayout both[] = {made->set_layout, made->second};
    made->pipeline_layout = harness_pipeline_layout(&d->vk, both, sets_of(form), sizeof(struct voice_constants));
    made->twin = harness_pipeline_layout(&d->vk, both, sets_of(form), sizeof(struct voice_constants));
    if (d->opened.binding == BINDING_TEMPLATE)
        make_template(d, made);
    made->next = d->layouts;
    d->layouts = made;
    return made;
}

/* ---- what is bound ---- */

static bool same_info(const VkDescriptorImageInfo *a, const VkDescriptorImageInfo *b)
{
    return a->sampler == b->sampler && a->imageView == b->imageView;
}

static bool same_place(const struct place *p, const VkDescriptorImageInfo *a, const VkDescriptorImageInfo *b)
{
    bool same = true;
    for (uint32_t i = 0; i < p->count; i++)
        same &= same_info(&a[i], &b[i]);
    return same;
}

void voice_together_begin(struct voice_device *d, const struct program *program, uint32_t number)
{
    struct lookup *l = d->together.lookups;
    d->together.shader = NULL;
    if (voice_in_heaps(d) || d->opened.binding == BINDING_BUFFER)
        return;
    const struct random_together_shader *shader = machine_together(&d->machine, program, number, l);
    /* Samplers in Vulkan's own words say something of their texture, too. */
    if (!shader || (shader->form == TOGETHER_IMAGES && d->manner.through != THROUGH_GL) ||
        (shader->form >= TOGETHER_ARRAY && !random_drawable.array_index))
        return;
    for (int i = 0; i < shader->count; i++) {
        const bool apart = shader->form >= TOGETHER_BESIDE && shader->form != TOGETHER_ARRAY;
        if (apart && !voice_may_be_apart(d, &l[i]))
            return;
    }
    d->together.shader = shader;
    d->together.number = number;
    VkSampler samplers[TOGETHER_MOST];
    VkImageView views[TOGETHER_MOST];
    for (int i = 0; i < shader->count; i++) {
        samplers[i] = voice_sampler(d, &l[i]);
        views[i] = voice_view(d, &l[i]);
    }
    memset(d->together.infos, 0, sizeof(d->together.infos));
    for (uint32_t k = 0; k < SHARED_PLACES; k++)
        for (uint32_t i = 0; i < places[shader->form][k].count; i++) {
            const struct place *p = &places[shader->form][k];
            d->together.infos[k][i] =
                (VkDescriptorImageInfo){p->type != IMAGE ? samplers[p->unit + i] : VK_NULL_HANDLE,
                                        p->type != SAMPLER ? views[p->unit + i] : VK_NULL_HANDLE,
                                        p->type != SAMPLER ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED};
        }
}

/* The number of the lookup among those that the draw's shader has; -1: it has none but its own. */
int voice_together_chosen(const struct voice_device *d, uint32_t number)
{
    const struct random_together_shader *s = d->together.shader;
    return s && number > d->together.number && number <= d->together.number + (uint32_t)s->count
               ? (int)(number - d->together.number) - 1
               : -1;
}

/* Writes of a set, `held` NULL: of all; else of elements that differ from those. */
static uint32_t writes_of(struct voice_device *d, enum random_together form, uint32_t set, VkDescriptorSet handle,
                          VkDescriptorImageInfo held[][TOGETHER_MOST], const VkDescriptorBufferInfo *results,
                          VkWriteDescriptorSet writes[WRITES])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < SHARED_PLACES; k++) {
        const struct place *p = &places[form][k];
        if (!is_in(form, k, set) || (held && same_place(p, held[k], d->together.infos[k])))
            continue;
        uint32_t first = 0, end = p->count;
        while (held && same_info(&held[k][first], &d->together.infos[k][first]))
            first++;
        while (held && same_info(&held[k][end - 1], &d->together.infos[k][end - 1]))
            end--;
        writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .dstSet = handle,
                                                 .dstBinding = p->binding,
                                                 .dstArrayElement = first,
                                                 .descriptorCount = end - first,
                                                 .descriptorType = p->type,
                                                 .pImageInfo = &d->together.infos[k][first]};
    }
    if (set == 0 && !held)
        writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .dstSet = handle,
                                                 .dstBinding = RESULTS,
                                                 .descriptorCount = 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                 .pBufferInfo = results};
    return count;
}

/* Do these write some descriptors of a set, and leave others as they are? */
static bool is_part(enum random_together form, uint32_t set, const VkWriteDescriptorSet *writes, uint32_t count)
{
    uint32_t written = 0, all = 0;
    for (uint32_t i = 0; i < count; i++)
        written += writes[i].descriptorCount;
    for (uint32_t k = 0; k < SHARED_PLACES; k++)
        all += is_in(form, k, set) ? places[form][k].count : 0;
    return written && written < all;
}

static uint32_t copies_of(enum random_together form, uint32_t set, VkDescriptorSet from, VkDescriptorSet to,
                          VkCopyDescriptorSet copies[WRITES])
{
    uint32_t count = 0;
    VkCopyDescriptorSet copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = from, .dstSet = to, .descriptorCount = 1};
    for (uint32_t k = 0; k < SHARED_PLACES; k++) {
        if (!is_in(form, k, set))
            continue;
        copy.srcBinding = copy.dstBinding = places[form][k].binding;
        copy.descriptorCount = places[form][k].count;
        copies[count++] = copy;
    }
    copy.srcBinding = copy.dstBinding = RESULTS;
    copy.descriptorCount = 1;
    if (set == 0)
        copies[count++] = copy;
    return count;
}

static bool holds(const struct voice_device *d, const struct voice_shared *s, enum random_together form)
{
    bool same = s->known;
    for (uint32_t k = 0; k < SHARED_PLACES && same; k++)
        same = !is_in(form, k, s->set) || same_place(&places[form][k], s->infos[k], d->together.infos[k]);
    return same;
}

static void make_pool(struct voice_device *d)
{
    const VkDescriptorPoolSize sizes[] = {{COMBINED, TOGETHER_MOST * SHARED_SETS},
                                          {IMAGE, TOGETHER_MOST * SHARED_SETS},
                                          {SAMPLER, TOGETHER_MOST * SHARED_SETS},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SHARED_SETS}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = d->opened.binding == BINDING_AFTER_BIND ? (VkFlags)VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
        .maxSets = SHARED_SETS,
        .poolSizeCount = sizeof(sizes) / sizeof(sizes[0]),
        .pPoolSizes = sizes};
    HARNESS_VK(vkCreateDescriptorPool(d->vk.device, &info, NULL, &d->shared_pool));
}

static struct voice_shared *make_set(struct voice_device *d, const struct voice_layout *layout, uint32_t set)
{
    if (d->shared_count == SHARED_SETS)
        harness_fail("more sets than a voice keeps");
    if (!d->shared_pool)
        make_pool(d);
    struct voice_shared *made = &d->shared[d->shared_count++];
    *made = (struct voice_shared){.layout = layout, .set = set};
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = d->shared_pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = set ? &layout->second : &layout->set_layout};
    HARNESS_VK(vkAllocateDescriptorSets(d->vk.device, &info, &made->handle));
    return made;
}

/* The set that holds just this, one that nothing uses, or a new one, whose other descriptors are copies. */
static struct voice_shared *take_set(struct voice_device *d, const struct voice_layout *layout, uint32_t set)
{
    const enum random_binding binding = d->opened.binding;
    const VkDescriptorBufferInfo results = {d->computed_results.buffer, 0, VK_WHOLE_SIZE};
    struct voice_shared *taken = NULL;
    struct voice_shared *before = NULL;
    for (uint32_t i = 0; i < d->shared_count; i++) {
        struct voice_shared *s = &d->shared[i];
        if (s->layout != layout || s->set != set)
            continue;
        if (s->used && holds(d, s, layout->form))
            return s;
        if (!s->used)
            taken = taken ? taken : s;
        else if (s->known)
            before = s;
    }
    if (!taken)
        taken = make_set(d, layout, set);
    VkWriteDescriptorSet writes[WRITES];
    VkCopyDescriptorSet copies[WRITES];
    uint32_t count = 0, copied = 0;
    if (binding == BINDING_TEMPLATE && set == 0) {
        struct written w = {.results = results};
        memcpy(w.infos, d->together.infos, sizeof(w.infos));
        vkUpdateDescriptorSetWithTemplate(d->vk.device, taken->handle, layout->template, &w);
    } else if (binding == BINDING_AFTER_BIND) { /* the others late; storage buffers are not */
        count = writes_of(d, layout->form, set, taken->handle, NULL, &results, writes);
        if (set == 0)
            vkUpdateDescriptorSets(d->vk.device, 1, &writes[count - 1], 0, NULL);
    } else {
        VkDescriptorImageInfo(*held)[TOGETHER_MOST] = taken->known ? taken->infos : NULL;
        if (before && !taken->known) {
            held = before->infos;
            copied = copies_of(layout->form, set, before->handle, taken->handle, copies);
            vkUpdateDescriptorSets(d->vk.device, 0, NULL, copied, copies);
        }
        count = writes_of(d, layout->form, set, taken->handle, held, &results, writes);
        vkUpdateDescriptorSets(d->vk.device, count, writes, 0, NULL);
        voice_counts.together_parts += held && is_part(layout->form, set, writes, count) && !d->native;
    }
    memcpy(taken->infos, d->together.infos, sizeof(taken->infos));
    taken->used = taken->known = true;
    return taken;
}

static void push(struct voice_device *d, const struct voice_layout *layout, VkPipelineBindPoint point, bool all)
{
    const VkDescriptorBufferInfo results = {d->computed_results.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[WRITES];
    const uint32_t count =
        writes_of(d, layout->form, 0, VK_NULL_HANDLE, all ? NULL : d->shared_bound.pushed, &results, writes);
    if (count)
        HARNESS_PROC(&d->vk, vkCmdPushDescriptorSetKHR)
    (d->commands, point, voice_some_layout(d, layout), 0, count, writes);
    voice_counts.together_parts += !all && is_part(layout->form, 0, writes, count) && !d->native;
    d->rebound |= count != 0;
    memcpy(d->shared_bound.pushed, d->together.infos, sizeof(d->shared_bound.pushed));
}

const struct voice_layout *voice_together_bind(struct voice_device *d, VkPipelineBindPoint point)
{
    const struct voice_layout *layout = layout_of(d, d->together.shader->form);
    const bool stays = d->shared_bound.layout == layout && d->shared_bound.point == point;
    VkDescriptorSet sets[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    uint32_t first = d->opened.binding == BINDING_PUSH, end = sets_of(layout->form);
    d->rebound = false;
    if (first)
        push(d, layout, point, !stays);
    for (uint32_t set = first; set < end; set++)
        sets[set] = take_set(d, layout, set)->handle;
    /* Two sets at once, but for those that are bound. */
    while (stays && first < end && d->shared_bound.sets[first] == sets[first])
        first++;
    while (stays && first < end && d->shared_bound.sets[end - 1] == sets[end - 1])
        end--;
    voice_counts.together_parts += stays && first < end && end - first < sets_of(layout->form) && !d->native;
    d->rebound |= first < end;
    if (first < end)
        vkCmdBindDescriptorSets(d->commands, point, voice_some_layout(d, layout), first, end - first, &sets[first], 0,
                                NULL);
    d->shared_bound.layout = layout;
    d->shared_bound.point = point;
    memcpy(d->shared_bound.sets, sets, sizeof(sets));
    return layout;
}

void voice_together_write_late(struct voice_device *d)
{
    if (d->opened.binding != BINDING_AFTER_BIND)
        return;
    for (uint32_t i = 0; i < d->shared_count; i++) {
        const struct voice_shared *s = &d->shared[i];
        if (!s->used)
            continue;
        const enum random_together form = s->layout->form;
        for (uint32_t k = 0; k < SHARED_PLACES; k++) {
            const struct place *p = &places[form][k];
            const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                .dstSet = s->handle,
                                                .dstBinding = p->binding,
                                                .descriptorCount = p->count,
                                                .descriptorType = p->type,
                                                .pImageInfo = s->infos[k]};
            if (is_in(form, k, s->set))
                vkUpdateDescriptorSets(d->vk.device, 1, &write, 0, NULL);
        }
        voice_counts.late += !d->native;
    }
}

void voice_together_again(struct voice_device *d, bool forget)
{
    d->together.shader = NULL;
    d->shared_bound.layout = NULL;
    for (uint32_t i = 0; i < d->shared_count; i++) {
        d->shared[i].used = false;
        d->shared[i].known &= !forget;
    }
}

void voice_together_close(struct voice_device *d)
{
    vkDestroyDescriptorPool(d->vk.device, d->shared_pool, NULL);
}
