/* SPDX-License-Identifier: MIT */
/*
 * GL's sampler semantics without a layer, by the embeddable library: what the driver gets for GL_CLAMP with a view of
 * GL_LUMINANCE, and the shader that reads the record beside it.
 *
 *     embedded SHADER.spv
 */
#include <stdio.h>
#include <stdlib.h>

#include <clampler/clampler.h>

#include "quad_frag.h"

enum { GL_LUMINANCE = 0x1909, GL_LINEAR = 0x2601, GL_CLAMP = 0x2900 };

int main(int count, char **arguments)
{
    if (count != 2) {
        fputs("usage: embedded SHADER.spv\n", stderr);
        return 2;
    }
    const VkSamplerGLStateCreateInfoCLAMPLER sampler = {
        .wrapS = GL_CLAMP, .wrapT = GL_CLAMP, .minFilter = GL_LINEAR, .magFilter = GL_LINEAR, .maxLod = 1000};
    const VkImageViewGLStateCreateInfoCLAMPLER luminance = {.baseFormat = GL_LUMINANCE};
    const VkImageViewCreateInfo view_info = {.viewType = VK_IMAGE_VIEW_TYPE_2D,
                                             .format = VK_FORMAT_R8_UNORM,
                                             .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const struct clampler_view view = {
        .info = &view_info, .gl = &luminance, .width = 4, .height = 4, .depth = 1, .levels = 1, .linear = true};
    const struct clampler_device device = {.max_lod_bias = 16, .max_anisotropy = 1};
    struct clampler_resolved resolved;
    if (clampler_resolve(&sampler, 0, &view, &device, &resolved) != CLAMPLER_SUCCESS) {
        fprintf(stderr, "embedded: %s\n", resolved.message);
        return 1;
    }
    printf("sampler: address modes %d %d, tier %u: %s\n", (int)resolved.sampler.addressModeU,
           (int)resolved.sampler.addressModeV, resolved.tier, resolved.message);

    const struct clampler_binding binding = {.binding = 0, .first_record = 0, .count = 1};
    const struct clampler_set set = {.bindings = &binding, .binding_count = 1, .record_binding = 1, .record_count = 1};
    const struct clampler_rewrite_info info = {.words = quad_frag,
                                               .word_count = sizeof(quad_frag) / sizeof(*quad_frag),
                                               .sets = &set,
                                               .set_count = 1,
                                               .tier = 2,
                                               .max_lod_bias = device.max_lod_bias};
    struct clampler_rewritten shader;
    if (clampler_rewrite(&info, &shader) != CLAMPLER_SUCCESS) {
        fprintf(stderr, "embedded: %s\n", shader.message);
        return 1;
    }
    printf("shader: %u lookups rewritten\n", shader.lookups);
    FILE *file = fopen(arguments[1], "wb");
    bool written = file && fwrite(shader.words, sizeof(*shader.words), shader.word_count, file) == shader.word_count;
    written = file && fclose(file) == 0 && written;
    free(shader.words);

    const VkPipelineColorBlendAttachmentState wanted = {
        .blendEnable = VK_TRUE, .srcColorBlendFactor = VK_BLEND_FACTOR_DST_ALPHA, .colorWriteMask = 0xf};
    const VkPipelineColorBlendAttachmentState blend = clampler_blend(&wanted, false);
    printf("blending of GL_RGB: factor %d, mask %x\n", (int)blend.srcColorBlendFactor, blend.colorWriteMask);
    return written ? 0 : 1;
}
