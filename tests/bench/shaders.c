/* SPDX-License-Identifier: MIT */
/*
 * Shaders as programs have them, of 15 to 40 lookups: what their tier 2 takes at its first draw, against what they take
 * without the layer at theirs. Some stand in shaders/bench; `--shaders FOLDER` measures fragment shaders of other
 * people's
 * (*.spv) in their place.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench_composite.h"
#include "bench_terrain.h"
#include "bench_upscale.h"
#include "spirv/module/inst.h"

enum {
    BINDINGS_MOST = 64,
    SHADERS_MOST = 512,
    PUSH_BYTES = 128,
    BUFFER_BYTES = 65536,
    FEWEST_LOOKUPS = 15,
    MOST_LOOKUPS = 40,
};

/* Of SPIR-V: what is read here of the words of modules. */
enum {
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_IMAGE_SAMPLE_FIRST = 87,
    OP_IMAGE_GATHER_LAST = 97,
    OP_IMAGE_FETCH = 95,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    DIM_2D = 1,
};

/* The bindings of set 0. */
struct bindings {
    uint32_t count;
    VkDescriptorSetLayoutBinding list[BINDINGS_MOST];
};

/* The instruction that gives the id; NULL: there is none. */
static const uint32_t *definition(struct harness_spirv code, uint32_t id)
{
    const uint32_t *end = code.words + code.bytes / sizeof(uint32_t);
    for (const uint32_t *inst = code.words + HEADER_WORDS; inst < end && inst_length(inst); inst += inst_length(inst)) {
        const uint32_t opcode = inst_opcode(inst);
        if (((opcode >= OP_TYPE_IMAGE && opcode <= OP_TYPE_POINTER) && inst[1] == id) ||
            (opcode == OP_VARIABLE && inst[2] == id))
            return inst;
    }
    return NULL;
}

/* The type of the variable's descriptor; false: none of those that are measured. */
static bool descriptor_type(struct harness_spirv code, uint32_t variable, VkDescriptorType *type)
{
    const uint32_t *inst = definition(code, variable);
    const uint32_t *pointer = inst ? definition(code, inst[1]) : NULL;
    const uint32_t *pointee = pointer ? definition(code, pointer[3]) : NULL;
    if (!pointer || (inst[3] != 0 && inst[3] != 2))
        return false;
    *type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    if (inst[3] == 2)
        return true;
    const uint32_t *image =
        pointee && inst_opcode(pointee) == OP_TYPE_SAMPLED_IMAGE ? definition(code, pointee[2]) : NULL;
    *type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    return image && image[IMAGE_DIM] == DIM_2D && !image[IMAGE_ARRAYED] && !image[IMAGE_MULTISAMPLED];
}

/* False: the module declares what this does not make. */
static bool find_bindings(struct harness_spirv code, struct bindings *bindings)
{
    const uint32_t *end = code.words + code.bytes / sizeof(uint32_t);
    bindings->count = 0;
    for (const uint32_t *inst = code.words + HEADER_WORDS; inst < end && inst_length(inst); inst += inst_length(inst)) {
        if (inst_opcode(inst) != OP_DECORATE)
            continue;
        if (inst[2] == DECORATION_SET && inst[3] != 0)
            return false;
        if (inst[2] != DECORATION_BINDING)
            continue;
        VkDescriptorSetLayoutBinding *binding = &bindings->list[bindings->count];
        *binding = (VkDescriptorSetLayoutBinding){
            .binding = inst[3], .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
        if (++bindings->count == BINDINGS_MOST || !descriptor_type(code, inst[1], &binding->descriptorType))
            return false;
    }
    return bindings->count != 0;
}

static uint32_t count_lookups(struct harness_spirv code)
{
    const uint32_t *end = code.words + code.bytes / sizeof(uint32_t);
    uint32_t count = 0;
    for (const uint32_t *inst = code.words + HEADER_WORDS; inst < end && inst_length(inst); inst += inst_length(inst)) {
        const uint32_t opcode = inst_opcode(inst);
        count += opcode >= OP_IMAGE_SAMPLE_FIRST && opcode <= OP_IMAGE_GATHER_LAST && opcode != OP_IMAGE_FETCH;
    }
    return count;
}

/* ---- One shader ---- */

struct sides {
    struct side side[2]; /* without the layer, and with it */
    struct harness_buffer buffer[2];
    enum bench_clock clock;
};

static double draw(struct sides *sides, uint32_t with, VkPipeline pipeline, VkPipelineLayout layout,
                   VkDescriptorSet set)
{
    static const float push[PUSH_BYTES / sizeof(float)];
    struct side *side = &sides->side[with];
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const double start = bench_now(sides->clock);
    HARNESS_VK(vkBeginCommandBuffer(side->commands, &begin));
    harness_target_begin(&side->target, side->commands);
    side->bind_pipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(side->commands, layout, VK_SHADER_STAGE_ALL, 0, PUSH_BYTES, push);
    side->draw(side->commands, 3, 1, 0, 0);
    side_end(side);
    side_submit(side);
    return (bench_now(sides->clock) - start) / 1e6;
}

static VkDescriptorSet make_set(struct sides *sides, uint32_t with, VkDescriptorSetLayout layout,
                                const struct bindings *bindings, bool filtered)
{
    struct side *side = &sides->side[with];
    VkDescriptorSet set = harness_set(&side->vk, layout);
    for (uint32_t i = 0; i < bindings->count; i++) {
        const VkDescriptorSetLayoutBinding *binding = &bindings->list[i];
        if (binding->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
            harness_write_buffer(&side->vk, set, binding->binding, binding->descriptorType, sides->buffer[with].buffer);
        else
            harness_write_image(&side->vk, set, binding->binding, 0, binding->descriptorType,
                                filtered ? side->mixtures[i % SIDE_UNITS] : side->samplers[i % SIDE_SAMPLERS],
                                side->textures[i % SIDE_TEXTURES].view);
    }
    return set;
}

/* The time, in milliseconds, that the shader takes with the layer in tier 2, or without it. */
static double take(struct sides *sides, uint32_t with, struct harness_spirv code, const struct bindings *bindings)
{
    struct side *side = &sides->side[with];
    VkDescriptorSetLayout set_layout = harness_set_layout(&side->vk, bindings->list, bindings->count);
    VkPipelineLayout layout = harness_pipeline_layout(&side->vk, &set_layout, 1, PUSH_BYTES);
    VkDescriptorSet sets[2];
    for (uint32_t i = 0; i < 2; i++)
        sets[i] = make_set(sides, with, set_layout, bindings, i != 0);
    const double start = bench_now(sides->clock);
    VkPipeline pipeline = harness_graphics_pipeline(
        &side->vk, &side->target, &(struct harness_graphics_params){.fragment = code, .layout = layout});
    draw(sides, with, pipeline, layout, sets[0]);
    double time = (bench_now(sides->clock) - start) / 1e6;
    if (with)
        time = draw(sides, with, pipeline, layout, sets[1]);
    vkDestroyPipeline(side->vk.device, pipeline, NULL);
    HARNESS_VK(vkFreeDescriptorSets(side->vk.device, side->vk.descriptors, 2, sets));
    harness_layouts_destroy(&side->vk, layout, set_layout);
    return time;
}

/* ---- All of them ---- */

struct shader {
    char name[256];
    struct harness_spirv code;
};

static const struct shader own[] = {
    {"composite", {bench_composite, sizeof(bench_composite)}},
    {"terrain", {bench_terrain, sizeof(bench_terrain)}},
    {"upscale", {bench_upscale, sizeof(bench_upscale)}},
};

static bool read_shader(const char *folder, const char *name, struct shader *shader)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        harness_fail("%s cannot be read", path);
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    rewind(file);
    uint32_t *words = harness_alloc((size_t)(bytes > 0 ? bytes : 1), 1);
    const bool whole = bytes > 0 && bytes % (long)sizeof(*words) == 0 && fread(words, (size_t)bytes, 1, file) == 1;
    fclose(file);
    snprintf(shader->name, sizeof(shader->name), "%s", name);
    shader->code = (struct harness_spirv){words, whole ? (size_t)bytes : 0};
    const uint32_t lookups = count_lookups(shader->code);
    struct bindings bindings;
    if (lookups >= FEWEST_LOOKUPS && lookups <= MOST_LOOKUPS && find_bindings(shader->code, &bindings))
        return true;
    free(words);
    return false;
}

static int is_module(const struct dirent *entry)
{
    const char *suffix = strrchr(entry->d_name, '.');
    return suffix && strcmp(suffix, ".spv") == 0;
}

static uint32_t read_folder(const char *folder, struct shader *shaders)
{
    struct dirent **entries;
    uint32_t count = 0;
    const int found = scandir(folder, &entries, is_module, alphasort);
    if (found < 0)
        harness_fail("%s cannot be read", folder);
    for (int i = 0; i < found; i++) {
        if (count < SHADERS_MOST)
            count += read_shader(folder, entries[i]->d_name, &shaders[count]);
        free(entries[i]);
    }
    free(entries);
    return count;
}

void bench_shaders(const struct bench_options *options)
{
    static struct sides sides;
    static struct shader read[SHADERS_MOST];
    static double ratios[SHADERS_MOST];
    const struct shader *shaders = options->shaders ? read : own;
    const uint32_t count =
        options->shaders ? read_folder(options->shaders, read) : (uint32_t)(sizeof(own) / sizeof(own[0]));
    side_open(&sides.side[0], SIDE_PLAIN, 16, 16);
    side_open(&sides.side[1], SIDE_ACTIVE, 16, 16);
    for (uint32_t i = 0; i < 2; i++)
        harness_buffer_create(&sides.side[i].vk, &sides.buffer[i], VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, BUFFER_BYTES,
                              NULL);
    const bool cpu = sides.side[0].vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    sides.clock = cpu ? BENCH_PROCESS : BENCH_WALL;
    const struct clampler_counters before = harness_counters(&sides.side[1].vk);
    double sums[2] = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct bindings bindings;
        if (!find_bindings(shaders[i].code, &bindings))
            harness_fail("shader %s has bindings that are not made here", shaders[i].name);
        const double without = take(&sides, 0, shaders[i].code, &bindings);
        const double with = take(&sides, 1, shaders[i].code, &bindings);
        sums[0] += without;
        sums[1] += with;
        ratios[i] = with / without;
        fprintf(stderr, "%8.1f / %8.1f ms: %6.2f x  %s, %u lookups\n", with, without, with / without, shaders[i].name,
                count_lookups(shaders[i].code));
    }
    const struct clampler_counters after = harness_counters(&sides.side[1].vk);
    if (after.pipelines[2] - before.pipelines[2] < count)
        harness_fail("%u shaders should have been compiled for tier 2, it were %llu", count,
                     (unsigned long long)(after.pipelines[2] - before.pipelines[2]));
    if (count != 0) {
        const struct spread spread = spread_of(ratios, count);
        figure_set("tier2.shaders_ratio", spread.median,
                   "median of %u shaders of %u to %u lookups: %.0f / %.0f ms of %s", count, (unsigned)FEWEST_LOOKUPS,
                   (unsigned)MOST_LOOKUPS, sums[1], sums[0], cpu ? "CPU time" : "time");
        figure_beside("tier2.shaders_sum_ratio", "x", sums[1] / sums[0], "of all times together; worst ratio %.1f",
                      ratios[count - 1]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        harness_buffer_destroy(&sides.side[i].vk, &sides.buffer[i]);
        side_close(&sides.side[i]);
    }
}
