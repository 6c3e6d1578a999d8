/* SPDX-License-Identifier: MIT */
/*
 * Tier 2: the lookup filtered in the shader.
 *
 *     plan = filter_plan(lod, ...);  left = filter_left(plan);  i = 0      (gathers: four taps, no plan)
 *     do {                                     (in code for CPUs: while (left) {)
 *         tap = filter_tap(..., i);
 *         texel = tap.border ? border : imageFetch(tap.texel, tap.level);
 *         sum = sum + weighted texel;
 *         i += filter_step(plan);
 *     } while (left >>= 1);
 *
 * One tap for each lookup of the program; all arithmetic is shaders/filter.glsl and cube.glsl.
 */
#include <spirv/unified1/spirv.h>
#include "spirv/lookup/filter.h"
#include "spirv/operands/operands.h"
#include "spirv/write/library.h"

#define NO_MIN_LOD (-1000.0f)

/* Integers are never blended, and in tier 1 only nearest filters occur. */
static bool never_blends(const struct rewriting *w)
{
    return w->l.texels != SCALAR_FLOAT || w->r->options->tier < 2;
}

/* Then the plan has one tap. */
static bool has_one_tap(const struct rewriting *w)
{
    return !w->l.gather && never_blends(w);
}

/*
 * An anisotropic filter: the lookup once for each probe; a cubic one, with the extras: once for each block. Not cubes,
 * whose probes would have to find their faces, nor, without the extras, lookups that return residency.
 */
static bool has_probes(const struct rewriting *w)
{
    const struct spirv_options *options = w->r->options;
    return options->tier == 2 && (options->extras || options->filter == SPIRV_FILTER_PROBES) &&
           (lookup_operand(&w->l, SpvImageOperandsLodShift) == 0 || options->extras) && !w->l.cube && !w->l.gather &&
           !never_blends(w) && (options->extras || !lookup_gathers_residency(w));
}

static void prepare_probes(struct filter *f, uint32_t dx, uint32_t dy)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    f->of_sampler = lookup_record(w, w->plan->source_count - 1, 3);
    f->probes = library_call(r, LIBRARY_FILTER_PROBES, OPERANDS(dx, dy, w->record, f->of_sampler, f->axes));
    f->share = library_call(r, LIBRARY_FILTER_PROBE_SHARE, OPERANDS(f->probes));
}

static uint32_t lod_of(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t lod = lookup_operand(&w->l, SpvImageOperandsLodShift);
    if (lod != 0) {
        uint32_t none = constant_null(r, type_vector(r, SCALAR_FLOAT, 3));
        if (has_probes(w))
            prepare_probes(f, none, none);
        return lod;
    }
    uint32_t dx = w->l.implicit ? w->dx : lookup_operand(&w->l, SpvImageOperandsGradShift);
    uint32_t dy = w->l.implicit ? w->dy : w->l.operands.grad_y;
    if (f->flat)
        return library_call(r, LIBRARY_FILTER_FLAT_LOD, OPERANDS(dx, dy, w->record));
    dx = pad_axes(r, dx, lookup_axes_components(&w->l));
    dy = pad_axes(r, dy, lookup_axes_components(&w->l));
    if (w->l.cube) {
        dx = library_call(r, LIBRARY_CUBE_GRADIENT, OPERANDS(w->s, dx, f->face));
        dy = library_call(r, LIBRARY_CUBE_GRADIENT, OPERANDS(w->s, dy, f->face));
    }
    lod = library_call(r, LIBRARY_FILTER_LOD, OPERANDS(dx, dy, w->record, f->axes));
    if (!has_probes(w))
        return lod;
    prepare_probes(f, dx, dy);
    return library_call(r, LIBRARY_FILTER_PROBE_LOD, OPERANDS(lod, f->probes));
}

static void write_plan(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    bool base = f->edges && f->flat && w->l.implicit && r->options->filter == SPIRV_FILTER_LEVEL;
    uint32_t lod = base ? 0 : lod_of(f);
    uint32_t own = lookup_operand(&w->l, SpvImageOperandsBiasShift);
    uint32_t min_lod = lookup_operand(&w->l, SpvImageOperandsMinLodShift);
    own = own != 0 ? own : constant_float(r, 0.0f);
    uint32_t limit = lookup_bias_limit(r, w->record);
    uint32_t most = lookup_most_bias(r);
    uint32_t bias = library_call(r, LIBRARY_ALL_BIASES, OPERANDS(own, limit, most, w->record));
    min_lod = min_lod != 0 ? min_lod : constant_float(r, NO_MIN_LOD);
    if (base) {
        f->plan = library_call(r, LIBRARY_FILTER_FLAT_BASE_PLAN, OPERANDS(w->dx, w->dy, bias, min_lod, w->record));
        return;
    }
    if (f->rest != 0) {
        uint32_t of_sampler = w->plan->source_count == 1 ? f->rest : lookup_record(w, 1, 3);
        f->plan = library_call(r, LIBRARY_FILTER_VIEW_PLAN,
                               OPERANDS(lod, bias, min_lod, f->integer, w->record, f->rest, of_sampler));
        return;
    }
    f->plan = f->flat ? library_call(r, LIBRARY_FILTER_FLAT_PLAN, OPERANDS(lod, bias, min_lod, w->record))
                      : library_call(r, LIBRARY_FILTER_PLAN, OPERANDS(lod, bias, min_lod, f->integer, w->record));
}

/* The four offsets of a gather as one vector for each axis. */
static void write_four_offsets(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t offsets = lookup_operand(&w->l, SpvImageOperandsConstOffsetsShift) != 0
                           ? lookup_operand(&w->l, SpvImageOperandsConstOffsetsShift)
                           : lookup_operand(&w->l, SpvImageOperandsOffsetsShift);
    const uint32_t *array = module_definition(r->m, module_type_of(r->m, offsets));
    uint32_t scalar = module_definition(r->m, array[2])[2];
    uint32_t int_type = type_vector(r, SCALAR_INT, 1);
    uint32_t ivec4 = type_vector(r, SCALAR_INT, 4);
    uint32_t axis[2];
    for (uint32_t a = 0; a < 2; a++) {
        uint32_t each[4];
        for (uint32_t i = 0; i < 4; i++) {
            each[i] = VALUE(r, SpvOpCompositeExtract, scalar, offsets, i, a);
            if (scalar != int_type)
                each[i] = VALUE(r, SpvOpBitcast, int_type, each[i]);
        }
        axis[a] = write_value(r, SpvOpCompositeConstruct, ivec4, each, 4);
    }
    f->offsets_x = axis[0];
    f->offsets_y = axis[1];
}

/* Are texels blended, with weights or by a reduction mode? */
static bool blends(const struct lookup *l)
{
    return !l->gather && !l->dref && l->texels == SCALAR_FLOAT;
}

/* The initial sum. */
static uint32_t write_none(struct filter *f)
{
    struct rewriter *r = f->w->r;
    return f->reduction != 0 ? library_call(r, LIBRARY_FILTER_NONE, OPERANDS(f->reduction))
                             : constant_null(r, f->sum_type);
}

/* Rare parts of the filter: least levels of views, reductions. */
static void prepare_extras(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    f->level = constant_int(r, 0);
    if (!r->options->extras)
        return;
    f->rest = lookup_record(w, 0, 3);
    f->stored = plan_knows_borders(r) ? lookup_record(w, 0, 1) : 0;
    if (w->l.gather)
        f->level = library_call(r, LIBRARY_GATHERED_LEVEL, OPERANDS(f->rest));
    if (blends(&w->l)) {
        uint32_t rest = w->plan->source_count == 1 ? f->rest : lookup_record(w, 1, 3);
        f->reduction = library_call(r, LIBRARY_RECORD_REDUCTION, OPERANDS(rest));
    }
}

static void prepare(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    f->edges = r->options->filter != SPIRV_FILTER_TEXELS && r->options->tier == 2 && w->l.texels == SCALAR_FLOAT &&
               !w->l.cube && !w->l.gather && !w->l.dref && !lookup_gathers_residency(w);
    f->integer = constant_bool(r, never_blends(w));
    f->axes = constant_int(r, (int32_t)w->l.axes);
    f->flat = w->l.axes == 2 && !w->l.cube && !w->l.gather && w->offset3 == 0 && w->l.texels == SCALAR_FLOAT &&
              !has_probes(w) && !plan_knows_borders(r);
    f->has_offset = constant_bool(r, w->offset3 != 0 || lookup_has_four_offsets(&w->l));
    f->offset = w->offset3 != 0 ? w->offset3 : constant_null(r, type_vector(r, SCALAR_INT, 3));
    if (lookup_has_four_offsets(&w->l))
        write_four_offsets(f);
    filter_tap_prepare(f);
    f->position = f->flat ? w->s : pad_axes(r, w->s, lookup_axes_components(&w->l));
    if (w->l.cube) {
        f->face = library_call(r, LIBRARY_CUBE_FACE, OPERANDS(w->s));
        f->position = library_call(r, LIBRARY_CUBE_COORDINATE, OPERANDS(w->s, f->face));
    }
    prepare_extras(f);
    if (!w->l.gather)
        write_plan(f);
    bool one = w->l.dref && !w->l.gather;
    f->sum_type = type_vector(r, w->l.dref ? SCALAR_FLOAT : w->l.texels, one ? 1 : 4);
}

static uint32_t write_cube_tap(struct filter *f, uint32_t i)
{
    struct rewriting *w = f->w;
    if (f->stored != 0)
        return w->l.gather ? library_call(w->r, LIBRARY_BORDERED_CUBE_GATHER_TAP,
                                          OPERANDS(f->position, w->record, f->level, i, f->rest))
                           : library_call(w->r, LIBRARY_BORDERED_CUBE_TAP,
                                          OPERANDS(f->position, f->plan, w->record, i, f->rest));
    return w->l.gather ? library_call(w->r, LIBRARY_CUBE_GATHER_TAP, OPERANDS(f->position, w->record, f->level, i))
                       : library_call(w->r, LIBRARY_CUBE_TAP, OPERANDS(f->position, f->plan, w->record, i));
}

static uint32_t write_tap(struct filter *f, uint32_t i)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    if (w->l.cube)
        return write_cube_tap(f, i);
    if (f->flat)
        return library_call(r, LIBRARY_FILTER_FLAT_TAP, OPERANDS(f->position, f->plan, w->record, i));
    if (!w->l.gather && f->probes != 0 && f->stored != 0)
        return library_call(r, LIBRARY_BORDERED_BLOCK_TAP,
                            OPERANDS(f->position, f->offset, f->has_offset, f->plan, w->record, f->axes, i, f->rest));
    if (!w->l.gather) {
        return library_call(r, f->probes != 0 && r->options->extras ? LIBRARY_FILTER_BLOCK_TAP : LIBRARY_FILTER_TAP,
                            OPERANDS(f->position, f->offset, f->has_offset, f->plan, w->record, f->axes, i));
    }
    uint32_t own = constant_bool(r, f->offsets_x != 0);
    uint32_t offset = f->offset;
    if (f->offsets_x != 0)
        offset = library_call(r, LIBRARY_GATHER_OFFSET, OPERANDS(f->offsets_x, f->offsets_y, i));
    if (f->stored != 0)
        return library_call(r, LIBRARY_BORDERED_GATHER_TAP,
                            OPERANDS(f->position, offset, f->has_offset, own, w->record, f->level, i, f->rest));
    return library_call(r, LIBRARY_GATHER_TAP,
                        OPERANDS(f->position, offset, f->has_offset, own, w->record, f->level, i));
}

/* Of a library's Tap or Edge, whose `member` it is. */
static uint32_t weight_of(struct filter *f, uint32_t part, uint32_t member)
{
    struct rewriter *r = f->w->r;
    uint32_t type = type_vector(r, SCALAR_FLOAT, 1);
    uint32_t weight = VALUE(r, SpvOpCompositeExtract, type, part, member);
    return f->probes != 0 ? VALUE(r, SpvOpFMul, type, weight, f->share) : weight;
}

static uint32_t add(struct filter *f, uint32_t sum, uint32_t texel, uint32_t tap, uint32_t i)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    static const enum library_name gathers[SCALAR_COUNT] = {LIBRARY_GATHER_ADD_FLOAT, LIBRARY_GATHER_ADD_INT,
                                                            LIBRARY_GATHER_ADD_UINT};
    if (w->l.gather) {
        if (w->l.dref)
            return library_call(r, LIBRARY_GATHER_ADD_RESULT, OPERANDS(sum, texel, i));
        uint32_t component = w->l.extra;
        uint32_t int_type = type_vector(r, SCALAR_INT, 1);
        if (module_type_of(r->m, component) != int_type)
            component = VALUE(r, SpvOpBitcast, int_type, component);
        return library_call(r, gathers[w->l.texels], OPERANDS(sum, texel, component, i));
    }
    if (!w->l.dref && w->l.texels != SCALAR_FLOAT)
        return texel;
    uint32_t weight = weight_of(f, tap, 2);
    if (f->reduction != 0)
        return library_call(r, LIBRARY_FILTER_REDUCE, OPERANDS(sum, texel, weight, f->reduction));
    return library_call(r, w->l.dref ? LIBRARY_FILTER_ADD_RESULT : LIBRARY_FILTER_ADD, OPERANDS(sum, texel, weight));
}

static uint32_t add_tap(struct filter *f, uint32_t sum, uint32_t tap, uint32_t i)
{
    uint32_t texel = filter_tap_read(f, tap);
    return add(f, sum, texel, tap, i);
}

/* A loop: its labels and its phis. */
struct tap_loop {
    bool tests_first;                        /* `rest` is tested at the head, else at the end */
    uint32_t before, head, body, next, done; /* labels */
    uint32_t i, sum, rest;                   /* at the head */
    uint32_t next_i, next_sum, next_rest;    /* at the end of an iteration */
    uint32_t code, resided;                  /* the filter's residency at the head; 0: there is none */
    uint32_t next_code, next_resided;        /* and at the end */
};

static uint32_t has_more(struct filter *f, uint32_t rest)
{
    struct rewriter *r = f->w->r;
    uint32_t zero = constant_int(r, 0);
    return VALUE(r, SpvOpINotEqual, type_bool(r), rest, zero);
}

/*
 * Some compilers unroll loops with a counter, despite DontUnroll, and take many times as long. So the remaining
 * iterations are bits that are shifted out. There is one iteration at least.
 *
 * llvmpipe of Mesa 22.3 computes what stands in a loop for pixels that have left it as well, as long as another one of
 * their vector has not. Only a phi at the head keeps its value. So in code for CPUs those phis are what leaves the
 * loop, which tests at the head:
 *
 *     head: i, sum, rest
 *           rest != 0 ? body : done
 *     body: next_sum = sum + ...
 *     next: to head
 *     done: sum
 *
 * Other code tests at the end, where next_sum leaves the loop.
 */
static void open_loop(struct filter *f, struct tap_loop *loop, uint32_t i, uint32_t sum, uint32_t left, bool sparse)
{
    struct rewriter *r = f->w->r;
    uint32_t int_type = type_vector(r, SCALAR_INT, 1);
    uint32_t *const ids[] = {&loop->head,   &loop->body,     &loop->next,     &loop->done,
                             &loop->next_i, &loop->next_sum, &loop->next_rest};
    *loop = (struct tap_loop){.tests_first = r->options->form == SPIRV_FORM_CPU};
    for (uint32_t k = 0; k < sizeof(ids) / sizeof(ids[0]); k++)
        *ids[k] = new_id(r);
    loop->before = r->label;
    write_branch(r, loop->head);
    begin_block(r, loop->head);
    loop->i = VALUE(r, SpvOpPhi, int_type, i, loop->before, loop->next_i, loop->next);
    loop->sum = VALUE(r, SpvOpPhi, f->sum_type, sum, loop->before, loop->next_sum, loop->next);
    loop->rest = VALUE(r, SpvOpPhi, int_type, left, loop->before, loop->next_rest, loop->next);
    if (sparse) {
        uint32_t code_type = module_definition(r->m, f->w->l.result_type)[2];
        uint32_t none = constant_null(r, code_type);
        uint32_t nobody = constant_bool(r, false);
        loop->next_code = new_id(r);
        loop->next_resided = new_id(r);
        loop->code = VALUE(r, SpvOpPhi, code_type, none, loop->before, loop->next_code, loop->next);
        loop->resided = VALUE(r, SpvOpPhi, type_bool(r), nobody, loop->before, loop->next_resided, loop->next);
        f->residency = loop->code;
        f->resided = loop->resided;
    }
    uint32_t more = loop->tests_first ? has_more(f, loop->rest) : 0;
    WRITE(r, SpvOpLoopMerge, loop->done, loop->next, SpvLoopControlDontUnrollMask);
    if (loop->tests_first)
        WRITE(r, SpvOpBranchConditional, more, loop->body, loop->done);
    else
        write_branch(r, loop->body);
    begin_block(r, loop->body);
}

/* `total`: the sum at the end of an iteration. Returns the sum of all. */
static uint32_t close_loop(struct filter *f, const struct tap_loop *loop, uint32_t total, uint32_t step)
{
    struct rewriter *r = f->w->r;
    uint32_t int_type = type_vector(r, SCALAR_INT, 1);
    uint32_t one = constant_int(r, 1);
    WRITE(r, SpvOpCopyObject, f->sum_type, loop->next_sum, total);
    if (loop->code != 0) {
        WRITE(r, SpvOpCopyObject, module_definition(r->m, f->w->l.result_type)[2], loop->next_code, f->residency);
        WRITE(r, SpvOpCopyObject, type_bool(r), loop->next_resided, f->resided);
        f->residency = loop->tests_first ? loop->code : loop->next_code;
    }
    write_branch(r, loop->next);
    begin_block(r, loop->next);
    WRITE(r, SpvOpIAdd, int_type, loop->next_i, loop->i, step);
    WRITE(r, SpvOpShiftRightArithmetic, int_type, loop->next_rest, loop->rest, one);
    if (loop->tests_first) {
        write_branch(r, loop->head);
    } else {
        uint32_t more = has_more(f, loop->next_rest);
        WRITE(r, SpvOpBranchConditional, more, loop->head, loop->done);
    }
    begin_block(r, loop->done);
    return loop->tests_first ? loop->sum : loop->next_sum;
}

/* One loop over `left` taps from `first` on. Returns the sum. */
static uint32_t write_taps(struct filter *f, uint32_t first, uint32_t none, uint32_t left, uint32_t step)
{
    struct tap_loop loop;
    open_loop(f, &loop, first, none, left, false);
    uint32_t tap = write_tap(f, loop.i);
    uint32_t total = add_tap(f, loop.sum, tap, loop.i);
    return close_loop(f, &loop, total, step);
}

static uint32_t write_loop(struct filter *f, uint32_t none)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t one = constant_int(r, 1);
    uint32_t left = constant_int(r, 15);
    uint32_t step = one;
    if (f->flat) {
        left = library_call(r, LIBRARY_FILTER_FLAT_LEFT, OPERANDS(f->plan));
        step = library_call(r, LIBRARY_FILTER_FLAT_STEP, OPERANDS(f->plan));
    } else if (!w->l.gather) {
        left = library_call(r, LIBRARY_FILTER_LEFT, OPERANDS(f->plan, f->axes));
        step = library_call(r, LIBRARY_FILTER_STEP, OPERANDS(f->plan, f->axes));
    }
    uint32_t zero = constant_int(r, 0);
    return write_taps(f, zero, none, left, step);
}

/*
 * The same in a loop over levels that holds a loop over corners; of a gather, over rows and columns. llvmpipe counts
 * the turns of all loops in one variable, which goes from each loop to the next. For such a variable LLVM takes twice
 * as long with each further loop at the same depth, but not for a loop inside another one.
 */
static uint32_t write_loop_in_loop(struct filter *f, uint32_t none)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t zero = constant_int(r, 0);
    uint32_t one = constant_int(r, 1);
    uint32_t left = constant_int(r, 3);
    uint32_t levels_left = left;
    uint32_t corners = constant_int(r, w->l.gather ? 2 : 1 << w->l.axes);
    if (!w->l.gather) {
        left = library_call(r, LIBRARY_FILTER_CORNERS_LEFT, OPERANDS(f->plan, f->axes));
        levels_left = library_call(r, LIBRARY_FILTER_LEVELS_LEFT, OPERANDS(f->plan));
    }
    struct tap_loop levels;
    open_loop(f, &levels, zero, none, levels_left, false);
    uint32_t total = write_taps(f, levels.i, levels.sum, left, one);
    return close_loop(f, &levels, total, corners);
}

/* A corner of the footprint at one of two levels. */
static uint32_t write_corner(struct filter *f, uint32_t corner, uint32_t upper)
{
    const struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    if (f->flat)
        return library_call(r, LIBRARY_FILTER_FLAT_CORNER, OPERANDS(f->position, f->plan, w->record, corner, upper));
    if (w->l.cube)
        return f->stored != 0
                   ? library_call(r, LIBRARY_BORDERED_CUBE_CORNER,
                                  OPERANDS(f->position, f->plan, w->record, corner, upper, f->rest))
                   : library_call(r, LIBRARY_CUBE_CORNER, OPERANDS(f->position, f->plan, w->record, corner, upper));
    if (f->stored != 0)
        return library_call(
            r, f->probes != 0 ? LIBRARY_BORDERED_BLOCK_CORNER : LIBRARY_BORDERED_CORNER,
            OPERANDS(f->position, f->offset, f->has_offset, f->plan, w->record, f->axes, corner, upper, f->rest));
    return library_call(r, f->probes != 0 ? LIBRARY_FILTER_BLOCK_CORNER : LIBRARY_FILTER_CORNER,
                        OPERANDS(f->position, f->offset, f->has_offset, f->plan, w->record, f->axes, corner, upper));
}

/*
 * Writes all taps that any plan can have, without a loop; taps that a plan lacks have the weight 0. For plans of one
 * tap, and for lookups that return residency.
 */
static uint32_t write_every_tap(struct filter *f, uint32_t sum)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t corners = has_one_tap(w) ? 1 : w->l.gather ? 4 : 1u << w->l.axes;
    uint32_t levels = has_one_tap(w) || w->l.gather ? 1 : 2;
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t upper = constant_bool(r, level != 0);
        for (uint32_t i = 0; i < corners; i++) {
            uint32_t corner = constant_int(r, (int32_t)i);
            uint32_t tap = w->l.gather ? write_tap(f, corner) : write_corner(f, corner, upper);
            sum = add_tap(f, sum, tap, corner);
        }
    }
    return sum;
}

/* The driver's lookup at one level of the plan; `upper`: bool, the upper one. */
static uint32_t write_edge(struct filter *f, uint32_t upper)
{
    const struct rewriting *w = f->w;
    return f->flat ? library_call(w->r, LIBRARY_FILTER_FLAT_EDGE,
                                  OPERANDS(f->position, f->plan, w->record, f->tap_bias, upper))
                   : library_call(w->r, LIBRARY_FILTER_EDGE,
                                  OPERANDS(f->position, f->offset, f->has_offset, f->plan, w->record, f->axes,
                                           f->tap_bias, upper));
}

/* The same of views of one level. */
static uint32_t write_only_edge(struct filter *f)
{
    return f->flat ? library_call(f->w->r, LIBRARY_FILTER_FLAT_BASE_EDGE,
                                  OPERANDS(f->position, f->plan, f->w->record, f->tap_bias))
                   : write_edge(f, constant_bool(f->w->r, false));
}

/* One for each level. Returns the sum. */
static uint32_t write_levels(struct filter *f, uint32_t none)
{
    struct rewriter *r = f->w->r;
    uint32_t zero = constant_int(r, 0);
    uint32_t one = constant_int(r, 1);
    uint32_t left = library_call(r, LIBRARY_FILTER_LEVELS_LEFT, OPERANDS(f->plan));
    struct tap_loop loop;
    open_loop(f, &loop, zero, none, left, false);
    uint32_t upper = VALUE(r, SpvOpINotEqual, type_bool(r), loop.i, zero);
    uint32_t edge = write_edge(f, upper);
    uint32_t texel = filter_edge_read(f, edge);
    uint32_t weight = weight_of(f, edge, 3);
    uint32_t total = library_call(r, LIBRARY_FILTER_ADD, OPERANDS(loop.sum, texel, weight));
    return close_loop(f, &loop, total, one);
}

/*
 * Both levels without a loop; the upper one of a plan that has none weighs nothing. For a batch, whose code stands
 * once, whatever the number of lookups.
 */
static uint32_t write_both_levels(struct filter *f)
{
    struct rewriter *r = f->w->r;
    uint32_t edges[2], texels[2];
    for (uint32_t i = 0; i < 2; i++)
        edges[i] = write_edge(f, constant_bool(r, i != 0));
    filter_edges_read(f, edges, texels);
    uint32_t sum = write_none(f);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t weight = weight_of(f, edges[i], 3);
        sum = library_call(r, LIBRARY_FILTER_ADD, OPERANDS(sum, texels[i], weight));
    }
    return sum;
}

/* All levels of one probe. `in_loop`: in a loop, for what compilers make of loops that stand behind each other. */
static uint32_t write_probe(struct filter *f, bool in_loop, uint32_t none)
{
    return f->edges ? write_levels(f, none) : in_loop ? write_loop_in_loop(f, none) : write_loop(f, none);
}

/* The same for each probe; without any for the one that there is, of edges in a loop of one turn. */
static uint32_t write_probes(struct filter *f, bool in_loop)
{
    struct rewriter *r = f->w->r;
    uint32_t none = write_none(f);
    if (f->probes == 0 && !(f->edges && in_loop))
        return write_probe(f, in_loop, none);
    uint32_t one = constant_int(r, 1);
    uint32_t first = f->probes != 0 ? constant_int(r, 0) : one;
    uint32_t left = f->probes != 0 ? library_call(r, LIBRARY_FILTER_PROBES_LEFT, OPERANDS(f->probes)) : one;
    const uint32_t position = f->position, plan = f->plan;
    struct tap_loop around;
    open_loop(f, &around, first, none, left, false);
    if (f->probes != 0)
        f->position = library_call(r, LIBRARY_FILTER_PROBE_PLACE, OPERANDS(position, f->probes, around.i));
    if (f->probes != 0 && r->options->extras)
        f->plan = library_call(r, LIBRARY_FILTER_PROBE_PLAN, OPERANDS(plan, f->probes, f->of_sampler, around.i));
    uint32_t total = write_probe(f, in_loop, around.sum);
    return close_loop(f, &around, total, one);
}

/*
 * The same once for each probe or block, in a loop; with the residency of all of them. If no texel counts it is the
 * first one's.
 */
static uint32_t write_every_tap_of_probes(struct filter *f)
{
    struct rewriter *r = f->w->r;
    uint32_t none = write_none(f);
    uint32_t zero = constant_int(r, 0);
    uint32_t one = constant_int(r, 1);
    uint32_t left = library_call(r, LIBRARY_FILTER_PROBES_LEFT, OPERANDS(f->probes));
    const uint32_t position = f->position, plan = f->plan;
    struct tap_loop around;
    open_loop(f, &around, zero, none, left, true);
    f->first = VALUE(r, SpvOpIEqual, type_bool(r), around.i, zero);
    f->position = library_call(r, LIBRARY_FILTER_PROBE_PLACE, OPERANDS(position, f->probes, around.i));
    f->plan = library_call(r, LIBRARY_FILTER_PROBE_PLAN, OPERANDS(plan, f->probes, f->of_sampler, around.i));
    uint32_t total = write_every_tap(f, around.sum);
    return close_loop(f, &around, total, one);
}

uint32_t filter_write(struct rewriting *w, uint32_t plain)
{
    struct filter f = {.w = w};
    prepare(&f);
    bool residency = lookup_gathers_residency(w);
    /* A batch's loop holds those in it. */
    bool holds = w->r->options->form == SPIRV_FORM_CPU && !w->images;
    const bool shares = w->images && w->r->options->form == SPIRV_FORM_GPU && f.probes == 0;
    uint32_t sum = f.edges && w->r->options->filter == SPIRV_FILTER_LEVEL ? filter_edge_read(&f, write_only_edge(&f))
                   : f.edges && shares                                    ? write_both_levels(&f)
                   : residency && f.probes != 0                           ? write_every_tap_of_probes(&f)
                   : has_one_tap(w) || residency                          ? write_every_tap(&f, write_none(&f))
                                                                          : write_probes(&f, holds);
    uint32_t texel = lookup_seen(w, sum);
    return residency ? VALUE(w->r, SpvOpCompositeConstruct, w->l.result_type, f.residency, texel)
                     : with_texel(w->r, &w->l, texel, plain);
}
