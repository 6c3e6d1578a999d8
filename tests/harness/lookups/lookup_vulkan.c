/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "harness/lookups/lookup.h"
#include "harness/lookups/lookup_sets.h"
#include "harness/lookups/lookup_table.h"
#include "harness_looked_up.h"
#include "harness_two_triangles.h"

#define COMPUTE_GROUP 64u

static VkSamplerAddressMode address_mode(uint32_t wrap, enum lookup_sampler_form form)
{
    switch (wrap) {
    case GL_CLAMP:
        return form == LOOKUP_SAMPLER_NAIVE ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
                                            : VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    case GL_CLAMP_TO_EDGE:
        return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case GL_CLAMP_TO_BORDER:
        return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    case GL_MIRRORED_REPEAT:
        return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case GL_MIRROR_CLAMP_TO_EDGE:
        return VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    case GL_MIRROR_CLAMP_EXT:
        return form == LOOKUP_SAMPLER_NAIVE ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                                            : VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER;
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return form == LOOKUP_SAMPLER_NAIVE ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                                            : VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER;
    default:
        return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    }
}

static VkBorderColor border_color(const VkClearColorValue *color, bool integer)
{
    static const VkClearColorValue colors[2][3] = {
        {{.float32 = {0, 0, 0, 0}}, {.float32 = {0, 0, 0, 1}}, {.float32 = {1, 1, 1, 1}}},
        {{.uint32 = {0, 0, 0, 0}}, {.uint32 = {0, 0, 0, 1}}, {.uint32 = {1, 1, 1, 1}}}};
    static const VkBorderColor names[2][4] = {{VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                                               VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
                                               VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
                                              {VK_BORDER_COLOR_INT_TRANSPARENT_BLACK, VK_BORDER_COLOR_INT_OPAQUE_BLACK,
                                               VK_BORDER_COLOR_INT_OPAQUE_WHITE, VK_BORDER_COLOR_INT_CUSTOM_EXT}};
    int i = 0;
    while (i < 3 && memcmp(&colors[integer][i], color, sizeof(*color)) != 0)
        i++;
    return names[integer][i];
}

static void fill_filters(VkSamplerCreateInfo *info, const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    uint32_t min = state->minFilter ? state->minFilter : GL_NEAREST_MIPMAP_LINEAR;
    const bool cubic = min >= REFERENCE_CUBIC;
    if (cubic)
        min = min == REFERENCE_CUBIC                  ? GL_LINEAR
              : min == REFERENCE_CUBIC_MIPMAP_NEAREST ? GL_LINEAR_MIPMAP_NEAREST
                                                      : GL_LINEAR_MIPMAP_LINEAR;
    bool linear = min == GL_LINEAR || min == GL_LINEAR_MIPMAP_NEAREST || min == GL_LINEAR_MIPMAP_LINEAR;
    bool mipmapped = min != GL_LINEAR && min != GL_NEAREST;
    info->magFilter = state->magFilter == GL_NEAREST        ? VK_FILTER_NEAREST
                      : state->magFilter == REFERENCE_CUBIC ? VK_FILTER_CUBIC_EXT
                                                            : VK_FILTER_LINEAR;
    info->minFilter = cubic ? VK_FILTER_CUBIC_EXT : linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    info->mipmapMode = min == GL_NEAREST_MIPMAP_LINEAR || min == GL_LINEAR_MIPMAP_LINEAR
                           ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                           : VK_SAMPLER_MIPMAP_MODE_NEAREST;
    /* Vulkan's "Mapping of OpenGL to Vulkan filter modes": without mipmaps, LOD in [0, 0.25]. */
    info->minLod = state->minLod < 0 ? 0 : state->minLod;
    info->maxLod = state->maxLod;
    if (!mipmapped) {
        info->minLod = info->minLod > 0.25f ? 0.25f : info->minLod;
        info->maxLod = info->maxLod > 0.25f ? 0.25f : info->maxLod;
    }
}

/* GL compare functions and VkCompareOp are in the same order. */
static VkCompareOp compare_op(uint32_t function)
{
    return function ? (VkCompareOp)(function - GL_NEVER) : VK_COMPARE_OP_LESS_OR_EQUAL;
}

static VkSampler create_sampler(struct harness_vulkan *vk, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                                enum lookup_sampler_form form, const struct lookup_border *border, bool unnormalized)
{
    const VkBorderColor color = border_color(&border->color, border->integer);
    VkSamplerBorderColorComponentMappingCreateInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
        .components = border->mapping,
        .srgb = border->srgb};
    VkSamplerCustomBorderColorCreateInfoEXT custom = {.sType =
                                                          VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
                                                      .pNext = border->named ? &mapping : NULL,
                                                      .customBorderColor = border->color,
                                                      .format = border->format};
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .pNext = custom.pNext,
                                .addressModeU = address_mode(state->wrapS, form),
                                .addressModeV = address_mode(state->wrapT, form),
                                .addressModeW = address_mode(state->wrapR, form),
                                .borderColor = color};
    if (color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT)
        info.pNext = &custom;
    info.mipLodBias = state->lodBias + state->unitLodBias;
    info.anisotropyEnable = state->maxAnisotropy > 1;
    info.maxAnisotropy = state->maxAnisotropy;
    info.compareEnable = state->compareMode == GL_COMPARE_REF_TO_TEXTURE;
    info.compareOp = compare_op(state->compareFunc);
    info.unnormalizedCoordinates = unnormalized;
    if (vk->non_seamless_cube && !state->cubeMapSeamless)
        info.flags |= VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                  .pNext = info.pNext,
                                                  .reductionMode = state->reductionMode == GL_MIN
                                                                       ? VK_SAMPLER_REDUCTION_MODE_MIN
                                                                       : VK_SAMPLER_REDUCTION_MODE_MAX};
    if (vk->minmax && state->reductionMode)
        info.pNext = &reduction;
    fill_filters(&info, state);
    if (unnormalized) {
        info.minFilter = info.magFilter;
        info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
        info.minLod = 0;
        info.maxLod = 0;
    }
    return harness_sampler(vk, &info);
}

VkSampler lookup_vulkan_sampler(struct harness_vulkan *vk, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                                enum lookup_sampler_form form, bool unnormalized)
{
    const struct lookup_border border = {.color = state->borderColor};
    if (form != LOOKUP_SAMPLER_GL)
        return create_sampler(vk, state, form, &border, unnormalized);
    VkSamplerGLStateCreateInfoCLAMPLER gl = *state;
    gl.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER;
    gl.pNext = NULL;
    return harness_sampler(vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl});
}

VkSampler lookup_vulkan_standard_sampler(struct harness_vulkan *vk, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                                         const struct lookup_border *border, bool unnormalized)
{
    return create_sampler(vk, state, LOOKUP_SAMPLER_STANDARD, border, unnormalized);
}

static void create_neighbour(struct lookup_vulkan *lookups)
{
    static const uint8_t texels[2 * 2 * 4] = {0};
    const struct lookup_texture texture = {
        .dimension = LOOKUP_2D, .format = LOOKUP_RGBA8, .width = 2, .height = 2, .texels = texels};
    const VkSamplerCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    lookup_vulkan_image(lookups->vk, &lookups->neighbour_image, &texture);
    lookups->neighbour_samplers[0] = harness_sampler(lookups->vk, &plain);
}

void lookup_vulkan_raise_mark(struct lookup_vulkan *lookups)
{
    /* Under GL_CLAMP filters that differ need the shader's. */
    const VkSamplerGLStateCreateInfoCLAMPLER state = {
        .wrapS = GL_CLAMP, .wrapT = GL_CLAMP, .minFilter = GL_NEAREST, .magFilter = GL_LINEAR, .maxLod = 1000};
    /* Where custom border colours are the layer's, they need it as well. */
    const VkSamplerGLStateCreateInfoCLAMPLER offered = {.wrapS = GL_CLAMP_TO_BORDER,
                                                        .wrapT = GL_CLAMP_TO_BORDER,
                                                        .minFilter = GL_LINEAR,
                                                        .magFilter = GL_LINEAR,
                                                        .maxLod = 1000};
    const struct lookup_border border = {.color = {.float32 = {0.25f, 0.5f, 0.75f, 1}}};
    if (lookups->neighbour_samplers[1])
        return;
    lookups->neighbour_samplers[1] = lookups->vk->gl_sampler
                                         ? lookup_vulkan_sampler(lookups->vk, &state, LOOKUP_SAMPLER_GL, false)
                                         : lookup_vulkan_standard_sampler(lookups->vk, &offered, &border, false);
}

void lookup_vulkan_set_beside_filter(struct lookup_vulkan *lookups, bool beside_filter)
{
    if (lookups->beside_filter == beside_filter)
        return;
    lookup_vulkan_raise_mark(lookups);
    lookups->beside_filter = beside_filter;
    lookup_sets_write_neighbour(lookups);
}

void lookup_vulkan_open(struct lookup_vulkan *lookups, struct harness_vulkan *vk, struct lookup_grid grid)
{
    size_t count = (size_t)grid.width * grid.height;
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        (vk->sets >= HARNESS_SETS_DESCRIPTOR_BUFFER ? (VkFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0);
    *lookups = (struct lookup_vulkan){.vk = vk, .grid = grid};
    harness_target_create(vk, &lookups->target, VK_FORMAT_R32G32B32A32_SFLOAT, grid.width, grid.height);
    harness_buffer_create(vk, &lookups->inputs, usage, count * sizeof(struct lookup_input), NULL);
    harness_buffer_create(vk, &lookups->results, usage, count * 4 * sizeof(float), NULL);
    lookups->pipelines = harness_alloc(lookup_module_count, sizeof(*lookups->pipelines));
    lookups->objects = harness_alloc(lookup_module_count, sizeof(*lookups->objects));
    create_neighbour(lookups);
    lookup_sets_open(lookups);
}

void lookup_vulkan_close(struct lookup_vulkan *lookups)
{
    VkDevice device = lookups->vk->device;
    for (size_t i = 0; i < lookup_module_count; i++) {
        harness_graphics_pipeline_destroy(lookups->vk, lookups->pipelines[i]);
        harness_objects_destroy(lookups->vk, &lookups->objects[i]);
    }
    free(lookups->pipelines);
    free(lookups->objects);
    lookup_sets_close(lookups);
    for (int i = 0; i < 2; i++)
        vkDestroySampler(device, lookups->neighbour_samplers[i], NULL);
    harness_image_destroy(lookups->vk, &lookups->neighbour_image);
    harness_buffer_destroy(lookups->vk, &lookups->inputs);
    harness_buffer_destroy(lookups->vk, &lookups->results);
    harness_target_destroy(lookups->vk, &lookups->target);
    *lookups = (struct lookup_vulkan){0};
}

void lookup_vulkan_image(struct harness_vulkan *vk, struct harness_image *image, const struct lookup_texture *texture)
{
    static const VkImageViewType types[LOOKUP_DIMENSIONS] = {
        [LOOKUP_1D] = VK_IMAGE_VIEW_TYPE_1D,     [LOOKUP_1D_ARRAY] = VK_IMAGE_VIEW_TYPE_1D_ARRAY,
        [LOOKUP_2D] = VK_IMAGE_VIEW_TYPE_2D,     [LOOKUP_2D_ARRAY] = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        [LOOKUP_3D] = VK_IMAGE_VIEW_TYPE_3D,     [LOOKUP_RECTANGLE] = VK_IMAGE_VIEW_TYPE_2D,
        [LOOKUP_CUBE] = VK_IMAGE_VIEW_TYPE_CUBE, [LOOKUP_CUBE_ARRAY] = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
    };
    struct harness_image_params params = {.type = types[texture->dimension],
                                          .format = format_of(texture->format)->vulkan,
                                          .width = texture->width,
                                          .height = texture->height,
                                          .depth = texture->depth,
                                          .layers = texture->layers,
                                          .levels = texture->levels};
    if (format_of(texture->format)->srgb && !vk->counters) /* with the layer it sees to that */
        params.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    harness_image_create(vk, image, &params, texture->texels);
}

VkImageView lookup_vulkan_undecoded(struct harness_vulkan *vk, const struct harness_image *image)
{
    const VkImageSubresourceRange range = {image->params.aspect, 0, image->params.levels, 0, image->params.layers};
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image->image,
                                  .viewType = image->params.type,
                                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .subresourceRange = range};
    if (image->params.format == VK_FORMAT_BC1_RGBA_SRGB_BLOCK)
        info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
    else if (image->params.format != VK_FORMAT_R8G8B8A8_SRGB)
        harness_fail("no format without decoding is known of format %d", image->params.format);
    VkImageView view;
    HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
    harness_known_view(vk, view, &info);
    return view;
}

/* `next`: what the view has beside it. */
static VkImageView create_view(struct harness_vulkan *vk, const struct harness_image *image, const void *next,
                               VkComponentMapping mapping, bool stencil, uint32_t first, float least_level)
{
    const VkImageAspectFlags aspect = stencil ? (VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT : image->params.aspect;
    const VkImageViewMinLodCreateInfoEXT least = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, .pNext = next, .minLod = least_level};
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = least_level > 0 ? &least : next,
        .image = image->image,
        .viewType = image->params.type,
        .format = image->params.format,
        .components = mapping,
        .subresourceRange = {aspect, first, image->params.levels - first, 0, image->params.layers}};
    VkImageView view;
    HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
    harness_known_view(vk, view, &info);
    return view;
}

VkImageView lookup_vulkan_view(struct harness_vulkan *vk, const struct harness_image *image,
                               const VkImageViewGLStateCreateInfoCLAMPLER *state,
                               const VkImageViewGLTextureStateCreateInfoCLAMPLER *texture, uint32_t first,
                               float least_level)
{
    VkImageViewGLStateCreateInfoCLAMPLER gl = {0};
    if (state)
        gl = *state;
    gl.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    gl.pNext = texture;
    return create_view(vk, image, state ? &gl : NULL, (VkComponentMapping){0}, gl.stencilSampling, first, least_level);
}

VkImageView lookup_vulkan_mapped_view(struct harness_vulkan *vk, const struct harness_image *image,
                                      VkComponentMapping mapping, bool stencil, uint32_t first, float least_level)
{
    return create_view(vk, image, NULL, mapping, stencil, first, least_level);
}

/* The module's code as the device's descriptors want it. */
static struct harness_spirv code_of(const struct lookup_vulkan *lookups, const struct lookup_module *module)
{
    return lookup_heaps_code(lookups, module->separate, (struct harness_spirv){module->words, module->bytes});
}

static void drop_code(const struct lookup_module *module, struct harness_spirv code)
{
    if (code.words != module->words)
        free((void *)(uintptr_t)code.words);
}

static VkPipeline pipeline_of(struct lookup_vulkan *lookups, const struct lookup_module *module)
{
    VkPipeline *place = &lookups->pipelines[module - lookup_modules];
    VkPipelineLayout layout = lookups->layouts[module->separate];
    if (*place)
        return *place;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping = lookup_heaps_mapping(lookups, module->separate);
    struct harness_spirv code = code_of(lookups, module);
    if (module->stage == LOOKUP_COMPUTE && harness_sets_are_heaps(lookups->vk->sets)) {
        *place = harness_compute_pipeline_mapped(lookups->vk, code, mapping, NULL);
    } else if (module->stage == LOOKUP_COMPUTE) {
        *place = harness_compute_pipeline(lookups->vk, code, layout);
    } else {
        bool vertex = module->stage == LOOKUP_VERTEX;
        struct harness_graphics_params params = {.fragment = vertex ? HARNESS_SPIRV(harness_looked_up) : code,
                                                 .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                 .layout = layout,
                                                 .mapping = mapping};
        if (vertex)
            params.vertex = code;
        if (module->company != LOOKUP_ALONE) {
            params.vertex = HARNESS_SPIRV(harness_two_triangles);
            params.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
        }
        *place = harness_graphics_pipeline(lookups->vk, &lookups->target, &params);
    }
    drop_code(module, code);
    return *place;
}

/* Every other one's stages are linked. */
static const struct harness_objects *objects_of(struct lookup_vulkan *lookups, const struct lookup_module *module)
{
    struct harness_objects *place = &lookups->objects[module - lookup_modules];
    const bool heaps = harness_sets_are_heaps(lookups->vk->sets);
    bool vertex = module->stage == LOOKUP_VERTEX;
    struct harness_objects_params params = {.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                            .set_layouts = &lookups->set_layouts[module->separate],
                                            .set_layout_count = heaps ? 0 : 1,
                                            .push_bytes = heaps ? 0 : LOOKUP_PUSH_BYTES,
                                            .mapping = lookup_heaps_mapping(lookups, module->separate),
                                            .linked = (module - lookup_modules) % 2};
    if (place->count)
        return place;
    const struct harness_spirv code = code_of(lookups, module);
    *(module->stage == LOOKUP_COMPUTE ? &params.compute : vertex ? &params.vertex : &params.fragment) = code;
    if (vertex)
        params.fragment = HARNESS_SPIRV(harness_looked_up);
    if (module->company != LOOKUP_ALONE) {
        params.vertex = HARNESS_SPIRV(harness_two_triangles);
        params.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    }
    harness_objects_create(lookups->vk, place, &params);
    drop_code(module, code);
    return place;
}

/* Binds what looks up, and opens the target for what draws. */
static void begin(struct lookup_vulkan *lookups, const struct lookup_module *module, VkCommandBuffer commands)
{
    const bool compute = module->stage == LOOKUP_COMPUTE;
    if (lookups->vk->linking == HARNESS_OBJECTS) {
        const struct harness_objects *objects = objects_of(lookups, module);
        if (!compute)
            harness_target_begin_rendering(&lookups->target, commands);
        harness_objects_bind(lookups->vk, objects, &lookups->target, commands);
        return;
    }
    VkPipeline pipeline = pipeline_of(lookups, module);
    if (!compute)
        harness_target_begin(&lookups->target, commands);
    vkCmdBindPipeline(commands, compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

static void compute_results_to_host(VkCommandBuffer commands)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

/* In heaps shaders that declare combined image samplers look up through two descriptors, too: every other one does. */
static const struct lookup_module *module_of(const struct lookup_vulkan *lookups, const struct lookup *lookup)
{
    const struct lookup_module *module = lookup_find(lookup), *combined;
    struct lookup other = *lookup;
    other.separate = false;
    if (!module || !lookup->separate || !harness_sets_are_heaps(lookups->vk->sets) || (module - lookup_modules) % 4 < 2)
        return module;
    combined = lookup_find(&other);
    return combined ? combined : module;
}

void lookup_vulkan_run(struct lookup_vulkan *lookups, const struct lookup *lookup, VkImageView view, VkSampler sampler,
                       const struct lookup_input *inputs, float *rgba)
{
    const struct lookup_module *module = module_of(lookups, lookup);
    uint32_t count = lookups->grid.width * lookups->grid.height;
    struct lookup_push push = {.width = (int32_t)lookups->grid.width, .height = (int32_t)lookups->grid.height};
    if (!module)
        harness_fail("no such lookup: dimension %d, operation %d, kind %d, stage %d, separate %d", lookup->dimension,
                     lookup->operation, lookup->kind, lookup->stage, lookup->separate);
    bool compute = module->stage == LOOKUP_COMPUTE;
    const struct lookup_sampled sampled = {module->separate, view, sampler};

    memcpy(lookups->inputs.map, inputs, count * sizeof(*inputs));
    memcpy(push.p, inputs[0].p, sizeof(push.p));
    memcpy(push.dx, inputs[0].dx, 3 * sizeof(push.dx[0]));
    memcpy(push.dy, inputs[0].dy, 3 * sizeof(push.dy[0]));
    lookup_sets_prepare(lookups, &sampled);
    VkCommandBuffer commands = harness_begin(lookups->vk);
    begin(lookups, module, commands);
    lookup_sets_bind(lookups, &sampled, commands,
                     compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS);
    lookup_sets_push(lookups, module->separate, commands, &push, sizeof(push));
    if (compute) {
        vkCmdDispatch(commands, (count + COMPUTE_GROUP - 1) / COMPUTE_GROUP, 1, 1);
        compute_results_to_host(commands);
    } else {
        const uint32_t corners = module->company != LOOKUP_ALONE ? 4 : 3;
        vkCmdDraw(commands, module->stage == LOOKUP_VERTEX ? count : corners, 1, 0, 0);
        if (lookups->vk->linking == HARNESS_OBJECTS)
            harness_target_end_rendering(&lookups->target, commands);
        else
            harness_target_end(commands);
    }
    lookup_sets_settle(lookups, &sampled);
    harness_submit(lookups->vk, commands);
    if (compute)
        memcpy(rgba, lookups->results.map, count * 4 * sizeof(*rgba));
    else
        harness_target_read(lookups->vk, &lookups->target, rgba);
}
