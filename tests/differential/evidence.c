/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "differential/evidence.h"

static void write_numbers(FILE *file, const char *key, const float *values, int count)
{
    fprintf(file, ",\"%s\":[", key);
    for (int i = 0; i < count; i++)
        if (isfinite(values[i]))
            fprintf(file, "%s%.9g", i ? "," : "", (double)values[i]);
        else
            fprintf(file, "%snull", i ? "," : "");
    fputc(']', file);
}

static void write_value(FILE *file, const char *kind, const struct judged *judged, const struct voices *voices,
                        const struct judge_pictures *pictures)
{
    if (!judged->count)
        return;
    const uint32_t i = judged->worst;
    const struct lookup_input *input = &voices->inputs[i];
    fprintf(file, ",\"%s\":{\"count\":%u,\"index\":%u,\"excess\":%.6g", kind, judged->count, i,
            isfinite(judged->excess) ? judged->excess : -1.0);
    write_numbers(file, "p", input->p, 4);
    write_numbers(file, "extra", input->extra, 4);
    write_numbers(file, "dx", input->dx, 3);
    write_numbers(file, "dy", input->dy, 3);
    write_numbers(file, "vulkan", pictures->vulkan + (size_t)i * 4, 4);
    if (pictures->has_gl)
        write_numbers(file, "opengl", pictures->gl + (size_t)i * 4, 4);
    if (pictures->has_reference) {
        const struct reference_result *expected = &pictures->expected[i];
        write_numbers(file, "reference", expected->rgba.f, 4);
        write_numbers(file, "low", expected->low.f, 4);
        write_numbers(file, "high", expected->high.f, 4);
        write_numbers(file, "lod", &expected->lod, 1);
    }
    fputc('}', file);
}

static bool is_native(uint32_t wrap)
{
    return wrap == GL_REPEAT || wrap == GL_MIRRORED_REPEAT || wrap == GL_CLAMP_TO_EDGE || wrap == GL_CLAMP_TO_BORDER;
}

void evidence_native_control(struct diff_case *one)
{
    uint32_t *const wraps[3] = {&one->state.wrapS, &one->state.wrapT, &one->state.wrapR};
    for (int axis = 0; axis < 3; axis++)
        if (!is_native(*wraps[axis]))
            *wraps[axis] = one->lookup.dimension == LOOKUP_RECTANGLE ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    if (one->state.minLod > one->state.maxLod) {
        float low = one->state.maxLod;
        one->state.maxLod = one->state.minLod;
        one->state.minLod = low;
    }
    one->form = LOOKUP_SAMPLER_NAIVE;
    one->gpu_form = one->crowded = one->viewed = one->shader_fallback = one->incomplete = false;
    one->state.cubeMapSeamless = VK_TRUE;
    one->state.srgbDecode = one->state.reductionMode = 0;
    if (case_is_integer(one)) {
        one->state.magFilter = GL_NEAREST;
        one->state.minFilter = case_filter_mipmapped(one->state.minFilter) ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST;
    }
}

static void write_off(FILE *file, const char *name, const struct judged *off)
{
    fprintf(file, "%s\"%s\":{\"count\":%u,\"excess\":%.6g}", name[0] == 'v' ? "" : ",", name, off->count,
            isfinite(off->excess) ? off->excess : -1.0);
}

static void write_control(FILE *file, struct voices *voices, const struct diff_case *one)
{
    struct diff_case control = *one;
    evidence_native_control(&control);
    if (!voices_reference_is_witness(voices, &control) || one->viewed)
        return;
    float *drawn = harness_alloc(VOICES_VALUES, 4 * sizeof(*drawn));
    case_inputs(&control, voices->inputs);
    voices_draw_vulkan(voices, VOICE_NATIVE, &control, drawn, NULL);
    struct judged vulkan = judge_against_reference(voices, &control, drawn);
    fputs(",\"control\":{", file);
    write_off(file, "vulkan", &vulkan);
    if (voices_gl_is_witness(voices, &control)) {
        voices_draw_gl(voices, &control, drawn);
        struct judged gl = judge_against_reference(voices, &control, drawn);
        write_off(file, "opengl", &gl);
    }
    fputc('}', file);
    case_inputs(one, voices->inputs);
    free(drawn);
}

void evidence_write(FILE *file, struct voices *voices, const struct diff_case *one, const struct judgement *judgement,
                    const struct judge_pictures *pictures)
{
    char text[1024];
    case_describe(one, text, sizeof(text));
    fprintf(file, "{\"family\":\"%s\",\"case\":\"%s\",\"tier\":%d,\"wrong_tier\":%d", family_name(one->family), text,
            judgement->tier, judgement->wrong_tier);
    write_value(file, "failed", &judgement->failed, voices, pictures);
    write_value(file, "opengl_deviates", &judgement->gl_deviates, voices, pictures);
    write_value(file, "vulkan_deviates", &judgement->vulkan_deviates, voices, pictures);
    write_control(file, voices, one);
    fputs("}\n", file);
}
