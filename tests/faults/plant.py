#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a copy of the layer's sources and shaders in which one rule is broken, for tests that prove that tests see it.

    plant.py FAULT SOURCE_FOLDER OUTPUT_FOLDER

The copy has all of shaders/, what they include, and the C files that the fault changes.
"""

import pathlib
import shutil
import sys

# Fault: file, what stands there once, and what stands there instead.
FAULTS = {
    # The clamp's bounds are off by half a texel.
    "bound_half_texel": [
        ("layer/semantics/resolve/record.c", "    record->far[0] = record->far[1] = record_bits(1.0f);", """\
    record->far[0] = record_bits(1.0f - 0.5f / size_of(view->width));
    record->far[1] = record_bits(1.0f - 0.5f / size_of(view->height));""")],
    # Derivatives are taken from the clamped coordinate.
    "derivative_after": [
        ("layer/rewriter/spirv/lookup/move.c", "    uint32_t of = w->unscaled != 0 ? w->unscaled : w->s;", """\
    uint32_t of = w->unscaled != 0 ? w->unscaled : w->s;
    if (!w->l.cube) {
        if (w->bounds.box == 0)
            bounds_open(w, false);
        of = bounds_move(w, w->s);
    }""")],
    # Batches in arrays take derivatives in the loop over lookups.
    "derivative_in_loop": [
        ("layer/rewriter/spirv/batch/batch_write.c",
         "    return lookup_branches(w) ? lookup_filter_or_move(w, plain) : filter_write(w, plain);", """\
    if (w->l.implicit && w->dx == 0)
        lookup_take_derivatives(w);
    return lookup_branches(w) ? lookup_filter_or_move(w, plain) : filter_write(w, plain);"""),
        ("layer/rewriter/spirv/batch/batch_write.c", "    fields_find(g, &fields);", """\
    bool one_record = g->in_arrays;
    for (uint32_t i = 0; i < g->count; i++)
        one_record &= g->members[i]->w.plan->one_record; /* others look up by the gradients behind the loop, too */
    for (uint32_t i = 0; one_record && i < g->count; i++)
        g->members[i]->w.dx = g->members[i]->w.dy = 0;
    fields_find(g, &fields);""")],
    # Mirror modes do not take the absolute value.
    "no_abs": [
        ("shaders/coords.glsl", "return near | 0x7fffffffu;", "return near | 0xffffffffu;"),
        ("shaders/filter.glsl", "mix(seen, abs(seen), mirrors)", "mix(seen, mix(seen, abs(seen), repeats), mirrors)"),
        ("shaders/filter.glsl", "mix(scaled, abs(scaled), mirrors)", "scaled"),
        ("shaders/filter.glsl", "mix(own, abs(own), mirrors)", "mix(own, own, mirrors)")],
    # Tier 2 takes the one filter for the other.
    "min_mag_swapped": [
        ("shaders/filter.glsl", "const bool magnified = lambda <= 0.0;", "const bool magnified = lambda > 0.0;"),
        ("shaders/filter.glsl", "const bool magnified = either && reached;", "const bool magnified = !(either && reached);")],
    # Tier 2's level of detail is a twentieth too high.
    "level_beside": [
        ("shaders/filter.glsl", "return 0.5 * log2(max(filter_rate(dx, dy, record, axes), 1.0e-30));",
         "return 0.5 * log2(max(filter_rate(dx, dy, record, axes), 1.0e-30)) + 0.05;")],
    # Tier 2's greatest level is a 64th too low.
    "most_level": [
        ("shaders/filter.glsl", "    const float lambda = clamp(lod + biases, low, max(low, range.y));\n    return filter_plan_of(lambda,",
         "    const float lambda = clamp(lod + biases, low, max(low, range.y - 0.015625));\n    return filter_plan_of(lambda,")],
    # Tier 2 ignores the border colour.
    "border_zero": [
        ("shaders/filter.glsl", "uintBitsToFloat(border), bvec4(outside)", "uintBitsToFloat(border & uvec4(0u)), bvec4(outside)"),
        ("shaders/filter.glsl", "const vec4 colour = uintBitsToFloat(border);", "const vec4 colour = uintBitsToFloat(border & uvec4(0u));"),
        ("shaders/filter.glsl", "ivec4(border), bvec4(outside)", "ivec4(border & uvec4(0u)), bvec4(outside)"),
        ("shaders/cube.glsl", "filter_compare(uintBitsToFloat(border.x)", "filter_compare(uintBitsToFloat(border.x & 0u)")],
    # Tier 2's border is no number.
    "border_nan": [
        ("shaders/filter.glsl", "return mix(texel, uintBitsToFloat(border), bvec4(outside));",
         "return mix(texel, uintBitsToFloat(border | uvec4(0x7fc00000u)), bvec4(outside));"),
        ("shaders/filter.glsl", "const vec4 colour = uintBitsToFloat(border);",
         "const vec4 colour = uintBitsToFloat(border | uvec4(0x7fc00000u));")],
    # Border colours are not swizzled as the view is: neither by the shader nor by resolve.
    "border_swizzle": [
        ("shaders/filter.glsl", "return mix(selected, c, bvec4(compared));", "return c;"),
        ("layer/semantics/resolve/border.c", "compared[4] = {R, ZERO, ZERO, ONE};",
         "compared[4] = {R, ZERO, ZERO, ONE}, untranslated[4] = {R, R + 1, R + 2, A};"),
        ("layer/semantics/resolve/border.c", "pair->compares ? compared : view->swizzle;",
         "pair->compares ? compared : untranslated;")],
    # Comparisons that fail give 0.
    "fail_value": [
        ("shaders/coords.glsl", "uintBitsToFloat(border.y), compares);", "uintBitsToFloat(border.y & 0u), compares);"),
        ("shaders/coords.glsl", "vec4(uintBitsToFloat(image.y))", "vec4(uintBitsToFloat(image.y & 0u))")],
    # The inner texels of a cubic filter weigh too much.
    "cubic_shares": [
        ("shaders/cubic.glsl", "vec4(1.0, 0.0, -2.5, 1.5)", "vec4(1.0, 0.0, -2.25, 1.5)")],
    # Separate samplers compare whatever they meet.
    "compared_colours": [
        ("shaders/record.glsl", "return (image.w & sampler_.w & RECORD_MORE_NOT_COMPARED) != 0u;",
         "return (image.w & sampler_.w & 0u) != 0u;")],
    # The border texel behind a texture is the one in front of it.
    "border_texel": [
        ("shaders/filter.glsl", "mix(inside, mix(texels, ivec3(-1), before), outside)",
         "mix(inside, mix(ivec3(-1), ivec3(-1), before), outside)")],
    # Incomplete textures show the border of their format.
    "incomplete_border": [
        ("layer/semantics/view_facts/view_facts.c", "incomplete[] = {ZERO, ZERO, ZERO, ONE};",
         "incomplete[] = {R, ZERO, ZERO, ONE};")],
    # Incomplete textures show their texels, but for depth.
    "incomplete_texels": [
        ("layer/semantics/view_facts/view_facts.c", "    if (texture->incomplete)\n",
         "    if (texture->incomplete && facts->depth_aspect)\n")],
    # A set's record stays as it is where another has nothing but another border.
    "border_again": [
        ("layer/resources/descriptors/update.c", "    if (*known != needs)\n        needs_change_in",
         "    const struct record *before = &records->store.shadow[index], *after = record;\n"
         "    if (*known == needs && memcmp(before, after, offsetof(struct record, border)) == 0 &&\n"
         "        memcmp(before->near, after->near, sizeof(*after) - offsetof(struct record, near)) == 0)\n"
         "        return false;\n"
         "    if (*known != needs)\n        needs_change_in")],
    # The half texel at the mirror line is that of the first level, whatever the level is.
    "mirror_levels": [
        ("layer/semantics/resolve/wrap.c", "WRAP_FILTER_IF_MIPS, \"absolute coordinate bounded by half a texel",
         "WRAP_FILTER_NEVER, \"absolute coordinate bounded by half a texel")],
    # References are compared as they are with depth that OpenGL has in fixed point.
    "reference_clamp": [
        ("shaders/coords.glsl",
         "return mix(reference, clamp(reference, 0.0, 1.0), record_has(record, RECORD_DEPTH_FIXED));",
         "return reference;")],
    # Elements of arrays take the bit of the first one from mask words.
    "mask_bit": [
        ("layer/rewriter/spirv/sites/records.c",
         "return element < RECORD_MASK_BITS - first ? first + element : RECORD_MASK_BITS;",
         "return element < RECORD_MASK_BITS - first ? first : RECORD_MASK_BITS;")],
    # Several lookups of a shader: combined image samplers of later bindings take the record of the first binding; their
    # records stay as they are when they are written again; elements of arrays take the record of the first one.
    "record_of_first": [
        ("layer/rewriter/spirv/module/trace.c", "    source->first += binding->first_record;\n    return ORIGIN_SET;", """\
    while (source->half == HALF_BOTH && binding != layout->sets[source->set].bindings &&
           binding[-1].first_record != SPIRV_NO_RECORD)
        binding--;
    source->binding = binding;
    source->first += binding->first_record;
    return ORIGIN_SET;""")],
    "record_stays": [
        ("layer/resources/descriptors/update.c", "    if (!(needs | *known))\n        return false;", """\
    if (!(needs | *known) ||
        (*known && binding->binding && binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER))
        return false;""")],
    "record_index": [
        ("layer/rewriter/spirv/sites/records.c", "    uint32_t index = dynamic_index(r, source, 1);\n    if (index == 0)",
         "    uint32_t index = 0;\n    if (index == 0)")],
    # Channel orders, each rewrite: outputs are not moved, not multiplied; the second source is 0; input attachments are
    # not moved; write masks, clear values and blend constants stay; destination alpha of 0 is taken for 1.
    "order_outputs": [
        ("layer/rewriter/spirv/outputs.c", "select == SPIRV_SELECT_LEFT ? channel : (uint32_t)select - SPIRV_SELECT_R);",
         "channel);")],
    "order_products": [
        ("layer/rewriter/spirv/outputs.c",
         "return value(w, SpvOpFMul, type, a, term_of(w, location, loaded, clamp, factor));", "return a;")],
    # What is moved is three codes of 255 too low.
    "order_dimmed": [
        ("layer/rewriter/spirv/outputs.c", "    if (factor == SPIRV_TERM_NONE)\n        return a;\n", """\
    if (factor == SPIRV_TERM_NONE) /* 0x3c40c0c1 is 3 / 255 */
        return location->integer || location->width != 32
                   ? a
                   : value(w, SpvOpFSub, type, a, constant_of(w, type, 0x3c40c0c1u));
""")],
    "order_second": [
        ("layer/rewriter/spirv/outputs.c",
         "return term_of(w, location, loaded, is_arithmetic(term) ? spirv_moves_clamp(moves) : SPIRV_CLAMP_NONE, term);",
         "return number_of(w, location->channel, 0);")],
    "order_inputs": [
        ("layer/rewriter/spirv/outputs.c", ": select - SPIRV_SELECT_R;", ": i;")],
    "order_mask": [
        ("layer/semantics/blend/order.c", "else if (mask >> order->from[i] & 1)", "else if (mask >> i & 1)")],
    "order_clear": [
        ("layer/semantics/blend/order.c", "program.uint32[order->from[i]];", "program.uint32[i];")],
    "order_constants": [
        ("layer/semantics/blend/order_solve.c", "const uint32_t code = solution->constants[i];",
         "const uint32_t code = i < 4 ? i : solution->constants[i];")],
    "order_alpha_zero": [
        ("layer/semantics/blend/order_solve.c", "return at == ORDER_ZERO  ? SPIRV_TERM_ZERO",
         "return at == ORDER_ZERO  ? SPIRV_TERM_ONE")],
    # The second attachment of a pass is blended as if it had alpha.
    "blend_second": [
        ("layer/pipelines/pipelines/pipeline_blend.c", "            if (attachments >> i & 1)\n                *state = blend_state(",
         "            if ((attachments >> i & 1) && i == 0)\n                *state = blend_state("),
        ("layer/recording/alpha/blend.c", "        if (drawing->attachments >> i & 1)\n            states[i] = blend_state(",
         "        if ((drawing->attachments >> i & 1) && i == 0)\n            states[i] = blend_state(")],
    # The bound is that of the module before, so that validators refuse what was rewritten.
    "invalid_module": [
        ("layer/rewriter/spirv/rewrite.c", "output->rewritten_reads = r->plans->reads;",
         "output->rewritten_reads = r->plans->reads;\n        output->words[HEADER_BOUND] = r->m->bound;")],
}


def main():
    fault, source, output = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    changes = FAULTS[fault]
    files = {"layer/base/record/layout.h"} | {path for path, _, _ in changes}
    files |= {str(path.relative_to(source)) for path in (source / "shaders").glob("*.glsl")}
    for file in files:
        (output / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file, output / file)
    for file, right, wrong in changes:
        text = (output / file).read_text(encoding="utf-8")
        if text.count(right) != 1:
            sys.exit("%s: the fault %s is to be planted at %r, which stands %d times in %s" %
                     (sys.argv[0], fault, right, text.count(right), file))
        (output / file).write_text(text.replace(right, wrong), encoding="utf-8")


main()
