/*
 * Tier 2: the lookup filtered in the shader.
 *
 *     plan = filter_plan(lod, ...);  taps = filter_taps(plan)      (gathers: four taps, no plan)
 *     do {
 *         tap = filter_tap(..., i);
 *         texel = tap.border ? border : imageFetch(tap.texel, tap.level);
 *         sum = sum + weighted texel;
 *     } while (++i < taps);
 *
 * One image fetch for each lookup of the program; all arithmetic is shaders/filter.glsl.
 */
#include <spirv/unified1/spirv.h>
#include "spirv/batch.h"
#include "spirv/lookup.h"
#include "spirv/opcodes.h"
#include "spirv/records.h"

#define NO_MIN_LOD (-1000.0f)

struct filter {
    struct rewriting *w;
    uint32_t integer;   /* bool constant: texels are never blended */
    uint32_t axes;      /* int constant */
    uint32_t offset;    /* ivec3 */
    uint32_t offsets_x; /* ivec4 each: four offsets of a gather, else 0 */
    uint32_t offsets_y;
    uint32_t plan;      /* vec4; 0 for gathers */
    uint32_t layer;     /* int, 0: not arrayed */
    uint32_t border;    /* uvec4 */
    uint32_t reference; /* float */
    uint32_t sum_type;
};

static uint32_t operand(const struct rewriting *w, uint32_t bit)
{
    return w->l.operands.mask >> bit & 1u ? w->l.operands.value[bit] : 0;
}

static uint32_t lod_of(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t lod = operand(w, 1);
    if (lod != 0) {
        return lod;
    }
    uint32_t dx = w->l.implicit ? w->dx : operand(w, 2);
    uint32_t dy = w->l.implicit ? w->dy : w->l.operands.grad_y;
    dx = pad_axes(r, dx, w->l.axes);
    dy = pad_axes(r, dy, w->l.axes);
    return library_call(r, LIBRARY_FILTER_LOD, OPERANDS(dx, dy, w->record, f->axes));
}

static void write_plan(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t lod = lod_of(f);
    uint32_t bias = operand(w, 0);
    uint32_t min_lod = operand(w, 7);
    bias = bias != 0 ? bias : constant_float(r, 0.0f);
    min_lod = min_lod != 0 ? min_lod : constant_float(r, NO_MIN_LOD);
    f->plan = library_call(r, LIBRARY_FILTER_PLAN, OPERANDS(lod, bias, min_lod, f->integer, w->record));
}

/* The four offsets of a gather as one vector for each axis. */
static void write_four_offsets(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t offsets = operand(w, 5) != 0 ? operand(w, 5) : operand(w, 16);
    const uint32_t *array = module_definition(r->m, module_type_of(r->m, offsets));
    uint32_t scalar = module_definition(r->m, array[2])[2];
    uint32_t int_type = type_vector(r, SCALAR_INT, 1);
    uint32_t ivec4 = type_vector(r, SCALAR_INT, 4);
    uint32_t axis[2];
    for (uint32_t a = 0; a < 2; a++) {
        uint32_t each[4];
        for (uint32_t i = 0; i < 4; i++) {
            each[i] = VALUE(r, SpvOpCompositeExtract, scalar, offsets, i, a);
            if (scalar != int_type) {
                each[i] = VALUE(r, SpvOpBitcast, int_type, each[i]);
            }
        }
        axis[a] = write_value(r, SpvOpCompositeConstruct, ivec4, each, 4);
    }
    f->offsets_x = axis[0];
    f->offsets_y = axis[1];
}

static uint32_t write_image(struct rewriting *w)
{
    struct rewriter *r = w->r;
    const uint32_t *inst = module_definition(r->m, w->l.sampled_image);
    if ((inst[0] & 0xffffu) == SpvOpSampledImage) {
        return opaque_here(r, inst[3]);
    }
    uint32_t sampled_image = opaque_here(r, w->l.sampled_image);
    uint32_t image = VALUE(r, SpvOpImage, w->l.image_type, sampled_image);
    decorate_like(r, image, r->m->ids[w->l.sampled_image].marks & MARK_NON_UNIFORM);
    return image;
}

#define ONE_FLOAT 0x3f800000u

static uint32_t source_border(struct rewriting *w, uint32_t source)
{
    return w->places[source] != 0 ? load_record_at(w->r, &w->plan->sources[source], w->places[source], 1)
                                  : load_border(w->r, w->plan, source);
}

static uint32_t border(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t first = source_border(w, 0);
    if (w->plan->source_count == 1) {
        return first;
    }
    uint32_t colour = source_border(w, 1);
    uint32_t one = constant_uint(r, w->l.texels == SCALAR_FLOAT ? ONE_FLOAT : 1u);
    uint32_t compared = constant_bool(r, w->l.dref);
    return library_call(r, LIBRARY_PAIR_BORDER, OPERANDS(colour, first, one, compared));
}

static void prepare(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    f->integer = constant_bool(r, w->l.texels != SCALAR_FLOAT);
    f->axes = constant_int(r, (int32_t)w->l.axes);
    f->offset = w->offset3 != 0 ? w->offset3 : constant_null(r, type_vector(r, SCALAR_INT, 3));
    if (lookup_has_four_offsets(&w->l)) {
        write_four_offsets(f);
    }
    f->reference = w->reference != 0 ? w->reference : w->l.extra;
    f->border = border(w);
    if (w->l.arrayed) {
        uint32_t layer = coordinate_component(r, &w->l, w->l.axes);
        f->layer = library_call(r, LIBRARY_FILTER_LAYER, OPERANDS(layer, w->record));
    }
    if (!w->l.gather) {
        write_plan(f);
    }
    bool one = w->l.dref && !w->l.gather;
    f->sum_type = type_vector(r, w->l.dref ? SCALAR_FLOAT : w->l.texels, one ? 1 : 4);
}

static uint32_t write_tap(struct filter *f, uint32_t i)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    if (!w->l.gather) {
        return library_call(r, LIBRARY_FILTER_TAP, OPERANDS(w->s3, f->offset, f->plan, w->record, f->axes, i));
    }
    uint32_t own = constant_bool(r, f->offsets_x != 0);
    uint32_t offset = f->offset;
    if (f->offsets_x != 0) {
        offset = library_call(r, LIBRARY_GATHER_OFFSET, OPERANDS(f->offsets_x, f->offsets_y, i));
    }
    return library_call(r, LIBRARY_GATHER_TAP, OPERANDS(w->s3, offset, own, w->record, i));
}

/* Texel position of the tap (ivec3) as the fetch wants it: the image's axes, then the layer. */
static uint32_t fetch_coordinate(struct filter *f, uint32_t tap)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t axes = w->l.axes;
    if (axes == 1) {
        uint32_t x = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_INT, 1), tap, 0, 0);
        return f->layer == 0 ? x : VALUE(r, SpvOpCompositeConstruct, type_vector(r, SCALAR_INT, 2), x, f->layer);
    }
    uint32_t texel = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_INT, 3), tap, 0);
    if (f->layer != 0) {
        return VALUE(r, SpvOpCompositeInsert, type_vector(r, SCALAR_INT, 3), f->layer, texel, 2);
    }
    return axes == 3 ? texel : VALUE(r, SpvOpVectorShuffle, type_vector(r, SCALAR_INT, 2), texel, texel, 0, 1);
}

struct place {
    uint32_t coordinate, level;
};

static uint32_t fetch_image(struct rewriting *w, const void *user)
{
    struct rewriter *r = w->r;
    const struct place *place = user;
    uint32_t type = type_vector(r, w->l.texels, 4);
    uint32_t kept = w->l.operands.mask &
                    (SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask | SpvImageOperandsNontemporalMask);
    uint32_t image = write_image(w);
    uint32_t texel =
        VALUE(r, SpvOpImageFetch, type, image, place->coordinate, SpvImageOperandsLodMask | kept, place->level);
    decorate_like(r, texel, r->m->ids[w->l.result].marks);
    return texel;
}

static uint32_t fetch(struct filter *f, uint32_t tap)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    struct place place;
    place.level = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_INT, 1), tap, 1);
    uint32_t outside = VALUE(r, SpvOpCompositeExtract, type_bool(r), tap, 3);
    place.coordinate = fetch_coordinate(f, tap);
    uint32_t texel = batch_each_image(w, type_vector(r, w->l.texels, 4), fetch_image, &place);
    static const enum library_name select[SCALAR_COUNT] = {LIBRARY_FILTER_TEXEL_FLOAT, LIBRARY_FILTER_TEXEL_INT,
                                                           LIBRARY_FILTER_TEXEL_UINT};
    return library_call(r, select[w->l.texels], OPERANDS(texel, f->border, outside));
}

static uint32_t add(struct filter *f, uint32_t sum, uint32_t texel, uint32_t tap, uint32_t i)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    static const enum library_name gathers[SCALAR_COUNT] = {LIBRARY_GATHER_ADD_FLOAT, LIBRARY_GATHER_ADD_INT,
                                                            LIBRARY_GATHER_ADD_UINT};
    if (w->l.gather) {
        if (w->l.dref) {
            return library_call(r, LIBRARY_GATHER_ADD_COMPARED, OPERANDS(sum, texel, f->reference, w->record, i));
        }
        uint32_t component = w->l.extra;
        uint32_t int_type = type_vector(r, SCALAR_INT, 1);
        if (module_type_of(r->m, component) != int_type) {
            component = VALUE(r, SpvOpBitcast, int_type, component);
        }
        return library_call(r, gathers[w->l.texels], OPERANDS(sum, texel, component, i));
    }
    if (!w->l.dref && w->l.texels != SCALAR_FLOAT) {
        return texel;
    }
    uint32_t weight = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_FLOAT, 1), tap, 2);
    return w->l.dref
               ? library_call(r, LIBRARY_FILTER_ADD_COMPARED, OPERANDS(sum, texel, weight, f->reference, w->record))
               : library_call(r, LIBRARY_FILTER_ADD, OPERANDS(sum, texel, weight));
}

uint32_t filter_write(struct rewriting *w, uint32_t plain)
{
    struct rewriter *r = w->r;
    struct filter f = {.w = w};
    prepare(&f);
    uint32_t taps = w->l.gather ? constant_int(r, 4) : library_call(r, LIBRARY_FILTER_TAPS, OPERANDS(f.plan, f.axes));
    uint32_t int_type = type_vector(r, SCALAR_INT, 1);
    uint32_t zero = constant_int(r, 0);
    uint32_t one = constant_int(r, 1);
    uint32_t none = constant_null(r, f.sum_type);
    uint32_t before = r->label;
    uint32_t head = new_id(r);
    uint32_t body = new_id(r);
    uint32_t next = new_id(r);
    uint32_t done = new_id(r);
    uint32_t next_i = new_id(r);
    uint32_t next_sum = new_id(r);
    write_branch(r, head);
    begin_block(r, head);
    uint32_t i = VALUE(r, SpvOpPhi, int_type, zero, before, next_i, next);
    uint32_t sum = VALUE(r, SpvOpPhi, f.sum_type, none, before, next_sum, next);
    WRITE(r, SpvOpLoopMerge, done, next, SpvLoopControlDontUnrollMask);
    write_branch(r, body);
    begin_block(r, body);
    uint32_t tap = write_tap(&f, i);
    uint32_t texel = fetch(&f, tap);
    uint32_t total = add(&f, sum, texel, tap, i);
    write_branch(r, next);
    begin_block(r, next);
    WRITE(r, SpvOpCopyObject, f.sum_type, next_sum, total);
    WRITE(r, SpvOpIAdd, int_type, next_i, i, one);
    uint32_t more = VALUE(r, SpvOpSLessThan, type_bool(r), next_i, taps);
    WRITE(r, SpvOpBranchConditional, more, head, done);
    begin_block(r, done);
    return with_texel(r, &w->l, total, plain);
}
