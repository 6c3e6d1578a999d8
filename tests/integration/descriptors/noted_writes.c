/* SPDX-License-Identifier: MIT */
/*
 * Calls of every make-up, before the device has GL state and after: one to six writes of samplers that ask for nothing,
 * of those that the layer replaces, and of buffers, and copies behind them. A model says what each descriptor is then.
 */
#include <string.h>

#include "integration/descriptors/noted_scene.h"
#include "integration_noted_combined.h"
#include "integration_noted_single.h"

enum { SETS = 3, CALLS = 24, WRITES = 6, COPIES = 3, CELLS = SCENE_ROWS };

static uint32_t seed;
static uint32_t below(uint32_t end)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % end;
}

/* One call as it is put together. */
struct call {
    VkWriteDescriptorSet writes[WRITES];
    VkCopyDescriptorSet copies[COPIES];
    VkDescriptorImageInfo infos[WRITES * CELLS];
    VkDescriptorBufferInfo buffer;
    uint32_t write_count, copy_count, info_count;
};

static void send(struct scene *scene, const struct call *call)
{
    vkUpdateDescriptorSets(scene->vk.device, call->write_count, call->writes, call->copy_count, call->copies);
}

/* ---- Combined image samplers ---- */

struct cell {
    enum scene_sampler sampler;
    enum scene_texture texture;
};

static const struct {
    uint32_t binding, element;
} places[CELLS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};

struct combined {
    struct scene scene;
    struct scene_program program;
    struct harness_buffer buffer;
    VkDescriptorSet sets[SETS];
    struct cell cells[SETS][CELLS];
    VkDescriptorUpdateTemplate update;
};

static void open_combined(struct combined *c)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2), SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
        SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3), SCENE_BINDING(7, UNIFORM_BUFFER, 1)};
    static const VkDescriptorUpdateTemplateEntry entries[] = {
        {0, 0, 2, SCENE_COMBINED, 0, sizeof(VkDescriptorImageInfo)},
        {2, 0, 1, SCENE_COMBINED, 2 * sizeof(VkDescriptorImageInfo), 0},
        {5, 0, 3, SCENE_COMBINED, 3 * sizeof(VkDescriptorImageInfo), sizeof(VkDescriptorImageInfo)}};
    memset(c, 0, sizeof(*c));
    scene_open_device(&c->scene, NULL);
    scene_make(&c->scene, false);
    scene_program_create(&c->scene, &c->program, HARNESS_SPIRV(integration_noted_combined), bindings, 4, 0, NULL);
    harness_buffer_create(&c->scene.vk, &c->buffer, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 64, NULL);
    for (unsigned s = 0; s < SETS; s++)
        c->sets[s] = harness_set(&c->scene.vk, c->program.set_layout);
    c->update = harness_template(&c->scene.vk, c->program.set_layout, entries, 3);
}

static void close_combined(struct combined *c)
{
    vkDestroyDescriptorUpdateTemplate(c->scene.vk.device, c->update, NULL);
    harness_buffer_destroy(&c->scene.vk, &c->buffer);
    scene_program_destroy(&c->scene, &c->program);
    scene_close(&c->scene);
}

/* Of the samplers that there are by now, `plain`: of those that ask for nothing. */
static struct cell random_cell(const struct scene *scene, bool plain)
{
    enum scene_sampler sampler;
    do
        sampler = (enum scene_sampler)below(plain ? SCENE_GL_EDGE + 1 : SCENE_SAMPLERS);
    while (!scene->samplers[sampler]);
    return (struct cell){sampler, (enum scene_texture)below(SCENE_TEXTURES)};
}

static void add_write(struct combined *c, struct call *call, unsigned set, uint32_t first, uint32_t count, bool plain)
{
    VkDescriptorImageInfo *infos = &call->infos[call->info_count];
    for (uint32_t i = 0; i < count; i++) {
        const struct cell cell = random_cell(&c->scene, plain);
        c->cells[set][first + i] = cell;
        infos[i] = scene_info(&c->scene, cell.sampler, cell.texture);
    }
    call->info_count += count;
    call->writes[call->write_count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                               .dstSet = c->sets[set],
                                                               .dstBinding = places[first].binding,
                                                               .dstArrayElement = places[first].element,
                                                               .descriptorCount = count,
                                                               .descriptorType = SCENE_COMBINED,
                                                               .pImageInfo = infos};
}

static void add_buffer(struct combined *c, struct call *call, unsigned set)
{
    call->buffer = (VkDescriptorBufferInfo){c->buffer.buffer, 0, VK_WHOLE_SIZE};
    call->writes[call->write_count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                               .dstSet = c->sets[set],
                                                               .dstBinding = 7,
                                                               .descriptorCount = 1,
                                                               .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                               .pBufferInfo = &call->buffer};
}

/* Ranges of one set may touch, but not overlap. */
static void add_copy(struct combined *c, struct call *call)
{
    const unsigned from = below(SETS), to = below(SETS);
    const uint32_t count = 1 + below(3), first = below(CELLS - count + 1), into = below(CELLS - count + 1);
    if (from == to && first < into + count && into < first + count)
        return;
    memcpy(&c->cells[to][into], &c->cells[from][first], count * sizeof(struct cell));
    call->copies[call->copy_count++] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                                             .srcSet = c->sets[from],
                                                             .srcBinding = places[first].binding,
                                                             .srcArrayElement = places[first].element,
                                                             .dstSet = c->sets[to],
                                                             .dstBinding = places[into].binding,
                                                             .dstArrayElement = places[into].element,
                                                             .descriptorCount = count};
}

static void random_call(struct combined *c, bool plain)
{
    struct call call = {0};
    const uint32_t kind = below(8);
    if (kind == 0) {
        VkDescriptorImageInfo infos[CELLS];
        const unsigned set = below(SETS);
        for (unsigned i = 0; i < CELLS; i++) {
            c->cells[set][i] = random_cell(&c->scene, plain);
            infos[i] = scene_info(&c->scene, c->cells[set][i].sampler, c->cells[set][i].texture);
        }
        vkUpdateDescriptorSetWithTemplate(c->scene.vk.device, c->sets[set], c->update, infos);
        return;
    }
    const uint32_t writes = kind == 1 ? 0 : kind == 2 ? 1 : 1 + below(WRITES);
    const uint32_t copies = kind == 1 ? 1 : kind == 2 ? 0 : below(COPIES + 1);
    const unsigned favourite = below(SETS), cell = below(CELLS); /* where writes of one call meet */
    for (uint32_t i = 0; i < writes; i++) {
        const uint32_t what = below(6), count = what == 5 ? 1 + below(3) : 1;
        if (what == 0)
            add_buffer(c, &call, below(SETS));
        else if (what < 3)
            add_write(c, &call, favourite, cell, 1, plain);
        else
            add_write(c, &call, below(SETS), below(CELLS - count + 1), count, plain);
    }
    for (uint32_t i = 0; i < copies; i++)
        add_copy(c, &call);
    send(&c->scene, &call);
}

static void expect_cells(struct combined *c, unsigned set, unsigned number)
{
    static const unsigned tiers[SCENE_SAMPLERS] = {0, 0, 0, 1, 1, 2};
    unsigned tier = 0;
    scene_draw(&c->scene, c->program.pipeline, c->program.layout, 1, &c->sets[set]);
    for (unsigned i = 0; i < CELLS; i++)
        tier = tiers[c->cells[set][i].sampler] > tier ? tiers[c->cells[set][i].sampler] : tier;
    if (!c->scene.drew[tier])
        print_error("call %u, set %u\n", number, set);
    scene_expect_tier(&c->scene, tier);
    for (unsigned i = 0; i < CELLS; i++)
        scene_expect_row(&c->scene, i, c->cells[set][i].sampler, c->cells[set][i].texture);
}

/*
 * Without GL state, with more and more of it, and at last with samplers that ask for nothing again. Draws are few,
 * because some drivers compile shaders anew for every mixture of samplers.
 */
static void call_after_call(uint32_t first)
{
    struct combined c;
    seed = first;
    open_combined(&c);
    for (unsigned set = 0; set < SETS; set++) {
        struct call call = {0};
        add_write(&c, &call, set, 0, CELLS, true);
        add_buffer(&c, &call, set);
        send(&c.scene, &call);
    }
    for (unsigned i = 0; i < CALLS; i++) {
        const enum scene_sampler next = i == CALLS / 6        ? SCENE_CLAMP
                                        : i == CALLS / 3      ? SCENE_GL_EDGE
                                        : i == CALLS / 2      ? SCENE_MIRROR
                                        : i == CALLS / 12 * 7 ? SCENE_MIXED
                                                              : SCENE_NOTHING;
        if (next != SCENE_NOTHING)
            scene_add_sampler(&c.scene, next);
        random_call(&c, i >= CALLS / 6 * 5);
        for (unsigned set = 0; set < SETS; set++)
            if (below(3) == 0)
                expect_cells(&c, set, i);
    }
    close_combined(&c);
}

static void calls_are_what_the_program_wrote_in_its_order(void **state)
{
    (void)state;
    call_after_call(1);
}

/* Tiers 0, 1, 0 by single writes, with a draw behind each; the second set is a copy each time. */
static void plain_and_gl_samplers_take_turns(void **state)
{
    (void)state;
    static const enum scene_sampler turns[] = {SCENE_EDGE,  SCENE_CLAMP, SCENE_BORDER,
                                               SCENE_MIXED, SCENE_EDGE,  SCENE_MIRROR};
    static const unsigned tiers[] = {0, 1, 0, 2, 0, 1};
    struct combined c;
    open_combined(&c);
    for (unsigned i = 0; i < CELLS; i++)
        scene_write(&c.scene, c.sets[0], places[i].binding, places[i].element, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
    for (unsigned turn = 0; turn < 6; turn++) {
        if (!c.scene.samplers[turns[turn]])
            scene_add_sampler(&c.scene, turns[turn]);
        for (unsigned set = 0; set < 2; set++) {
            if (set == 0) {
                scene_write(&c.scene, c.sets[0], 5, 1, SCENE_COMBINED, turns[turn], SCENE_STEPS);
            } else {
                VkCopyDescriptorSet copies[3] = {0};
                for (unsigned b = 0; b < 3; b++)
                    copies[b] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                                      .srcSet = c.sets[0],
                                                      .srcBinding = b == 0   ? 0
                                                                    : b == 1 ? 2
                                                                             : 5,
                                                      .dstSet = c.sets[1],
                                                      .dstBinding = b == 0   ? 0
                                                                    : b == 1 ? 2
                                                                             : 5,
                                                      .descriptorCount = b == 0   ? 2
                                                                         : b == 1 ? 1
                                                                                  : 3};
                vkUpdateDescriptorSets(c.scene.vk.device, 0, NULL, 3, copies);
            }
            scene_draw(&c.scene, c.program.pipeline, c.program.layout, 1, &c.sets[set]);
            scene_expect_tier(&c.scene, tiers[turn]);
            for (unsigned row = 0; row < CELLS; row++)
                scene_expect_row(&c.scene, row, row == 4 ? turns[turn] : SCENE_EDGE,
                                 row == 4 ? SCENE_STEPS : SCENE_RAMP);
        }
    }
    close_combined(&c);
}

/* ---- Images and samplers of their own ---- */

enum { BORDER = SCENE_SAMPLERS }; /* the odd border beside the scene's samplers */

static VkSampler sampler_of(const struct noted *n, unsigned sampler)
{
    return sampler == BORDER ? n->border : n->scene.samplers[sampler];
}

static void random_parts(struct noted *n, const VkDescriptorSet *sets, enum scene_texture textures[][NOTED_IMAGES],
                         unsigned samplers[][NOTED_SAMPLERS], unsigned gl)
{
    static const unsigned kinds[] = {SCENE_EDGE, SCENE_BORDER, SCENE_CLAMP, BORDER};
    struct call call = {0};
    const uint32_t writes = below(3) ? 1 + below(WRITES) : 1, copies = below(3) ? 0 : 1 + below(2);
    for (uint32_t i = 0; i < writes; i++) {
        const unsigned set = below(2), element = below(2), part = below(2);
        VkDescriptorImageInfo *info = &call.infos[i];
        *info = (VkDescriptorImageInfo){.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        if (part) {
            samplers[set][element] = kinds[below(2 + gl)];
            info->sampler = sampler_of(n, samplers[set][element]);
        } else {
            textures[set][element] = (enum scene_texture)below(SCENE_TEXTURES);
            info->imageView = n->scene.textures[textures[set][element]].view;
        }
        call.writes[call.write_count++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = sets[set],
            .dstBinding = part,
            .dstArrayElement = element,
            .descriptorCount = 1,
            .descriptorType = part ? VK_DESCRIPTOR_TYPE_SAMPLER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
            .pImageInfo = info};
    }
    for (uint32_t i = 0; i < copies; i++) {
        const unsigned from = below(2), part = below(2), count = 1 + below(2);
        call.copies[call.copy_count++] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                                               .srcSet = sets[from],
                                                               .srcBinding = part,
                                                               .dstSet = sets[!from],
                                                               .dstBinding = part,
                                                               .descriptorCount = count};
        if (part)
            memcpy(samplers[!from], samplers[from], count * sizeof(samplers[0][0]));
        else
            memcpy(textures[!from], textures[from], count * sizeof(textures[0][0]));
    }
    send(&n->scene, &call);
}

static void expect_parts(struct noted *n, VkDescriptorSet set, const enum scene_texture *textures,
                         const unsigned *samplers)
{
    unsigned tier = 0;
    scene_draw(&n->scene, n->pipeline, n->layout, 1, &set);
    for (unsigned s = 0; s < NOTED_SAMPLERS; s++)
        tier = samplers[s] == BORDER ? 2 : samplers[s] == SCENE_CLAMP && tier == 0 ? 1 : tier;
    scene_expect_tier(&n->scene, tier);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        if (samplers[row / NOTED_IMAGES] == BORDER)
            noted_expect_border_row_at(n, row, textures[row % NOTED_IMAGES], __FILE__, __LINE__);
        else
            scene_expect_row(&n->scene, row, (enum scene_sampler)samplers[row / NOTED_IMAGES],
                             textures[row % NOTED_IMAGES]);
    }
}

static void images_and_samplers_are_what_the_program_wrote(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        struct noted n;
        enum scene_texture textures[2][NOTED_IMAGES] = {0};
        unsigned samplers[2][NOTED_SAMPLERS] = {0}, gl = 0;
        seed = 100 + round;
        noted_open(&n, &(struct noted_params){.together = true});
        VkDescriptorSet sets[2];
        for (unsigned s = 0; s < 2; s++) {
            sets[s] = harness_set(&n.scene.vk, n.images);
            for (unsigned i = 0; i < NOTED_IMAGES; i++)
                harness_write_image(&n.scene.vk, sets[s], 0, i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE,
                                    n.scene.textures[SCENE_RAMP].view);
            for (unsigned i = 0; i < NOTED_SAMPLERS; i++)
                noted_write_sampler(&n, sets[s], true, i, n.scene.samplers[SCENE_EDGE]);
        }
        for (unsigned i = 0; i < CALLS; i++) {
            if (i == CALLS / 6 || i == CALLS / 3) {
                if (gl++)
                    noted_add_border(&n);
                else
                    scene_add_sampler(&n.scene, SCENE_CLAMP);
            }
            random_parts(&n, sets, textures, samplers, i < CALLS / 6 * 5 ? gl : 0);
            for (unsigned s = 0; s < 2; s++)
                if (below(3) == 0)
                    expect_parts(&n, sets[s], textures[s], samplers[s]);
        }
        noted_close(&n);
    }
}

/* ---- Immutable samplers ---- */

static void noted_images_are_copied_beside_immutable_samplers(void **state)
{
    (void)state;
    struct noted n;
    noted_open(&n, &(struct noted_params){0});
    VkDescriptorSet from = harness_set(&n.scene.vk, n.images);
    noted_write_images(&n, from);
    noted_add_border(&n);
    const VkSampler immutable[] = {n.scene.samplers[SCENE_EDGE], n.border};
    const VkDescriptorSetLayoutBinding bindings[] = {
        SCENE_BINDING(0, SAMPLED_IMAGE, NOTED_IMAGES),
        {1, VK_DESCRIPTOR_TYPE_SAMPLER, NOTED_SAMPLERS, VK_SHADER_STAGE_FRAGMENT_BIT, immutable}};
    VkDescriptorSetLayout set_layout = harness_set_layout(&n.scene.vk, bindings, 2);
    VkPipelineLayout layout = harness_pipeline_layout(&n.scene.vk, &set_layout, 1, 0);
    VkPipeline pipeline = noted_pipeline(&n, layout, true);
    VkDescriptorSet set = harness_set(&n.scene.vk, set_layout);
    for (uint32_t i = 0; i < NOTED_IMAGES; i += 2) {
        const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = from,
                                          .srcArrayElement = i,
                                          .dstSet = set,
                                          .dstArrayElement = i,
                                          .descriptorCount = i ? 1 : 2};
        vkUpdateDescriptorSets(n.scene.vk.device, 0, NULL, 1, &copy);
    }
    HARNESS_VK(vkFreeDescriptorSets(n.scene.vk.device, n.scene.vk.descriptors, 1, &from));
    scene_draw(&n.scene, pipeline, layout, 1, &set);
    scene_expect_tier(&n.scene, 2);
    noted_expect(&n, 0, SCENE_EDGE);
    noted_expect_border(&n, 1);
    vkDestroyPipeline(n.scene.vk.device, pipeline, NULL);
    harness_layouts_destroy(&n.scene.vk, layout, set_layout);
    noted_close(&n);
}

/* Of combined image samplers the images are copied, and the samplers stay. */
static void noted_descriptors_are_copied_to_immutable_samplers(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding plain = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    static const enum scene_sampler kinds[] = {SCENE_CLAMP, SCENE_EDGE, SCENE_MIXED};
    static const unsigned tiers[] = {1, 0, 2};
    struct scene scene;
    scene_open_device(&scene, NULL);
    scene_make(&scene, false);
    VkDescriptorSetLayout from_layout = harness_set_layout(&scene.vk, &plain, 1);
    VkDescriptorSet from = harness_set(&scene.vk, from_layout);
    scene_write(&scene, from, 0, 0, SCENE_COMBINED, SCENE_BORDER, SCENE_STEPS);
    for (unsigned i = 0; i < 3; i++) {
        struct scene_program program;
        if (!scene.samplers[kinds[i]])
            scene_add_sampler(&scene, kinds[i]);
        VkDescriptorSetLayoutBinding binding = plain;
        binding.pImmutableSamplers = &scene.samplers[kinds[i]];
        scene_program_create(&scene, &program, HARNESS_SPIRV(integration_noted_single), &binding, 1, 0, NULL);
        VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
        const VkCopyDescriptorSet copy = {
            .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = from, .dstSet = set, .descriptorCount = 1};
        vkUpdateDescriptorSets(scene.vk.device, 0, NULL, 1, &copy);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_tier(&scene, tiers[i]);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&scene, row, kinds[i], SCENE_STEPS);
        scene_program_destroy(&scene, &program);
    }
    vkDestroyDescriptorSetLayout(scene.vk.device, from_layout, NULL);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_what_the_program_wrote_in_its_order),
        cmocka_unit_test(plain_and_gl_samplers_take_turns),
        cmocka_unit_test(images_and_samplers_are_what_the_program_wrote),
        cmocka_unit_test(noted_images_are_copied_beside_immutable_samplers),
        cmocka_unit_test(noted_descriptors_are_copied_to_immutable_samplers),
    };
    return cmocka_run_group_tests_name("noted_writes", tests, NULL, NULL);
}
