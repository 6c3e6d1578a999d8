/* SPDX-License-Identifier: MIT */
/*
 * One module for each opcode and operand form, rewritten in every tier and form, and validated. golden/hashes.txt has a
 * hash of each listing; listings that a reader should know stand beside it in full.
 *
 *   spirv_golden_test                  compares
 *   spirv_golden_test --write FOLDER   writes all listings to a folder that exists
 *   spirv_golden_test --update         writes golden/ anew
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "auto_layout.h"
#include "spirv_text.h"

struct golden {
    const char *name;
    const char *image;       /* operands of OpTypeImage */
    const char *instruction; /* what gives %result */
    const char *capabilities;
};

#define F2D "%float 2D 0 0 0 1 Unknown"
#define F2DA "%float 2D 0 1 0 1 Unknown"
#define F1D "%float 1D 0 0 0 1 Unknown"
#define F1DA "%float 1D 0 1 0 1 Unknown"
#define F3D "%float 3D 0 0 0 1 Unknown"
#define FCUBE "%float Cube 0 0 0 1 Unknown"
#define FCUBEA "%float Cube 0 1 0 1 Unknown"
#define DCUBE "%float Cube 1 0 0 1 Unknown"
#define UCUBE "%uint Cube 0 0 0 1 Unknown"
#define D2D "%float 2D 1 0 0 1 Unknown"
#define D2DA "%float 2D 1 1 0 1 Unknown"
#define I2D "%int 2D 0 0 0 1 Unknown"
#define U2D "%uint 2D 0 0 0 1 Unknown"
#define I3D "%int 3D 0 0 0 1 Unknown"
#define FBUFFER "%float Buffer 0 0 0 1 Unknown"
#define BUFFER "OpCapability SampledBuffer\n"
#define SAMPLED1D "OpCapability Sampled1D\n"
#define MINLOD "OpCapability MinLod\n"
#define SPARSE "OpCapability SparseResidency\n"
#define GATHER "OpCapability ImageGatherExtended\n"

static const struct golden goldens[] = {
    {"implicit_1d", F1D, "OpImageSampleImplicitLod %v4float %image_sampler %c1", SAMPLED1D},
    {"implicit_1d_array", F1DA, "OpImageSampleImplicitLod %v4float %image_sampler %c2", SAMPLED1D},
    {"implicit_2d", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2", ""},
    {"implicit_2d_wide_coordinate", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c4", ""},
    {"implicit_2d_array", F2DA, "OpImageSampleImplicitLod %v4float %image_sampler %c3", ""},
    {"implicit_3d", F3D, "OpImageSampleImplicitLod %v4float %image_sampler %c3", ""},
    {"implicit_cube", FCUBE, "OpImageSampleImplicitLod %v4float %image_sampler %c3", ""},
    {"implicit_cube_array", FCUBEA, "OpImageSampleImplicitLod %v4float %image_sampler %c4",
     "OpCapability SampledCubeArray\n"},
    {"explicit_grad_cube", FCUBE, "OpImageSampleExplicitLod %v4float %image_sampler %c3 Grad %c3 %c3", ""},
    {"explicit_lod_cube_uint", UCUBE, "OpImageSampleExplicitLod %v4uint %image_sampler %c3 Lod %f", ""},
    {"dref_implicit_cube", DCUBE, "OpImageSampleDrefImplicitLod %float %image_sampler %c3 %f", ""},
    {"gather_cube", FCUBE, "OpImageGather %v4float %image_sampler %c3 %int_3", ""},
    {"dref_gather_cube", DCUBE, "OpImageDrefGather %v4float %image_sampler %c3 %f", ""},
    {"implicit_int", I2D, "OpImageSampleImplicitLod %v4int %image_sampler %c2", ""},
    {"implicit_uint", U2D, "OpImageSampleImplicitLod %v4uint %image_sampler %c2", ""},
    {"implicit_bias", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 Bias %f", ""},
    {"implicit_const_offset", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 ConstOffset %offset2", ""},
    {"implicit_const_offset_1d", F1D, "OpImageSampleImplicitLod %v4float %image_sampler %c1 ConstOffset %int_3",
     SAMPLED1D},
    {"implicit_const_offset_uint", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 ConstOffset %uoffset2",
     ""},
    {"implicit_min_lod", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 MinLod %f", MINLOD},
    {"implicit_bias_const_offset_min_lod", F3D,
     "OpImageSampleImplicitLod %v4float %image_sampler %c3 Bias|ConstOffset|MinLod %f %offset3 %f", MINLOD},
    {"explicit_lod", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod %f", ""},
    {"explicit_lod_zero", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod %float_0", ""},
    {"explicit_lod_array", F2DA, "OpImageSampleExplicitLod %v4float %image_sampler %c3 Lod %f", ""},
    {"explicit_lod_int_3d", I3D, "OpImageSampleExplicitLod %v4int %image_sampler %c3 Lod %f", ""},
    {"explicit_lod_const_offset", F2D,
     "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod|ConstOffset %f %offset2", ""},
    {"explicit_grad", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Grad %c2 %c2", ""},
    {"explicit_grad_const_offset_min_lod", F2D,
     "OpImageSampleExplicitLod %v4float %image_sampler %c2 Grad|ConstOffset|MinLod %c2 %c2 %offset2 %f", MINLOD},
    {"dref_implicit", D2D, "OpImageSampleDrefImplicitLod %float %image_sampler %c2 %f", ""},
    {"dref_implicit_array", D2DA, "OpImageSampleDrefImplicitLod %float %image_sampler %c3 %f", ""},
    {"dref_implicit_bias_const_offset", D2D,
     "OpImageSampleDrefImplicitLod %float %image_sampler %c2 %f Bias|ConstOffset %f %offset2", ""},
    {"dref_explicit_lod", D2D, "OpImageSampleDrefExplicitLod %float %image_sampler %c2 %f Lod %f", ""},
    {"dref_explicit_grad", D2D, "OpImageSampleDrefExplicitLod %float %image_sampler %c2 %f Grad %c2 %c2", ""},
    {"proj_implicit", F2D, "OpImageSampleProjImplicitLod %v4float %image_sampler %c3", ""},
    {"proj_implicit_1d", F1D, "OpImageSampleProjImplicitLod %v4float %image_sampler %c2", SAMPLED1D},
    {"proj_implicit_3d", F3D, "OpImageSampleProjImplicitLod %v4float %image_sampler %c4", ""},
    {"proj_implicit_bias_const_offset", F2D,
     "OpImageSampleProjImplicitLod %v4float %image_sampler %c4 Bias|ConstOffset %f %offset2", ""},
    {"proj_explicit_lod", F2D, "OpImageSampleProjExplicitLod %v4float %image_sampler %c3 Lod %f", ""},
    {"proj_explicit_grad", F2D, "OpImageSampleProjExplicitLod %v4float %image_sampler %c3 Grad %c2 %c2", ""},
    {"proj_dref_implicit", D2D, "OpImageSampleProjDrefImplicitLod %float %image_sampler %c3 %f", ""},
    {"proj_dref_explicit_lod", D2D, "OpImageSampleProjDrefExplicitLod %float %image_sampler %c3 %f Lod %f", ""},
    {"gather", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3", ""},
    {"gather_array", F2DA, "OpImageGather %v4float %image_sampler %c3 %int_3", ""},
    {"gather_uint", U2D, "OpImageGather %v4uint %image_sampler %c2 %uint_1", ""},
    {"gather_const_offset", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3 ConstOffset %offset2", ""},
    {"gather_offset", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3 Offset %dynamic_offset", GATHER},
    {"gather_const_offsets", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3 ConstOffsets %offsets", GATHER},
    {"dref_gather", D2D, "OpImageDrefGather %v4float %image_sampler %c2 %f", ""},
    {"dref_gather_const_offset", D2D, "OpImageDrefGather %v4float %image_sampler %c2 %f ConstOffset %offset2", ""},
    {"dref_gather_const_offsets", D2D, "OpImageDrefGather %v4float %image_sampler %c2 %f ConstOffsets %offsets",
     GATHER},
    {"sparse_implicit", F2D, "OpImageSparseSampleImplicitLod %sparse_v4float %image_sampler %c2", SPARSE},
    {"sparse_implicit_bias_const_offset_min_lod", F2D,
     "OpImageSparseSampleImplicitLod %sparse_v4float %image_sampler %c2 Bias|ConstOffset|MinLod %f %offset2 %f",
     SPARSE MINLOD},
    {"sparse_explicit_lod", F2D, "OpImageSparseSampleExplicitLod %sparse_v4float %image_sampler %c2 Lod %f", SPARSE},
    {"sparse_explicit_grad", F3D, "OpImageSparseSampleExplicitLod %sparse_v4float %image_sampler %c3 Grad %c3 %c3",
     SPARSE},
    {"sparse_dref_implicit", D2D, "OpImageSparseSampleDrefImplicitLod %sparse_float %image_sampler %c2 %f", SPARSE},
    {"sparse_dref_explicit_lod", D2D, "OpImageSparseSampleDrefExplicitLod %sparse_float %image_sampler %c2 %f Lod %f",
     SPARSE},
    {"sparse_gather", F2D, "OpImageSparseGather %sparse_v4float %image_sampler %c2 %int_3", SPARSE},
    {"sparse_gather_const_offsets", F2D,
     "OpImageSparseGather %sparse_v4float %image_sampler %c2 %int_3 ConstOffsets %offsets", SPARSE GATHER},
    {"sparse_dref_gather", D2D, "OpImageSparseDrefGather %sparse_v4float %image_sampler %c2 %f", SPARSE},
    {"fetch", F2D, "OpImageFetch %v4float %image_only %ic2 Lod %int_3", ""},
    {"query_lod", F2D, "OpImageQueryLod %v2float %image_sampler %c2", "OpCapability ImageQuery\n"},
    {"fetch_buffer", FBUFFER, "OpImageFetch %v4float %image_only %index", BUFFER},
    {"fetch_buffer_int", "%int Buffer 0 0 0 1 Unknown", "OpImageFetch %v4int %image_only %index", BUFFER},
    {"fetch_buffer_uint", "%uint Buffer 0 0 0 1 Unknown", "OpImageFetch %v4uint %image_only %uindex", BUFFER},
    {"query_size_buffer", FBUFFER, "OpImageQuerySize %int %image_only", BUFFER "OpCapability ImageQuery\n"},
    {"batch", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %twice", ""},
    {"halves", F2D, "OpImageSampleExplicitLod %v4float %joined %c2 Lod %float_0", ""},
    {"input_attachment", "%float SubpassData 0 0 0 2 Unknown", "OpImageRead %v4float %image_only %origin",
     "OpCapability InputAttachment\n"},
    {"descriptor_buffer", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod %float_0", ""},
    {"descriptor_heap", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod %float_0", ""},
};
#define GOLDEN_COUNT (sizeof(goldens) / sizeof(goldens[0]))

/* What some modules have besides. */
struct besides {
    const char *golden;
    const char *decorations, *globals;
    const char *before;                    /* instructions in front of that of the golden */
    uint32_t sites;                        /* of these: how many are rewritten */
    unsigned layout;                       /* enum auto_layout_options */
    const struct spirv_layout *own_layout; /* NULL: that of auto_layout() */
};

/* auto_layout() leaves input attachments out. */
static const struct spirv_binding attachment = {.count = 1};
static const struct spirv_set attachment_set = {&attachment, 1, .record_binding = 1, .record_count = 1};
static const struct spirv_layout attachment_layout = {.sets = &attachment_set, .set_count = 1};

static const struct besides besides[] = {
    {.golden = "batch",
     .before = "%other_result = OpImageSampleImplicitLod %v4float %image_sampler %c2\n"
               "%twice = OpFAdd %v2float %c2 %c2\n",
     .sites = 1},
    {.golden = "halves",
     .decorations = "OpDecorate %sampler DescriptorSet 1\nOpDecorate %sampler Binding 2\n",
     .globals = "%t_sampler = OpTypeSampler\n%sampler_pointer = OpTypePointer UniformConstant %t_sampler\n"
                "%sampler = OpVariable %sampler_pointer UniformConstant\n",
     .before = "%sampler_only = OpLoad %t_sampler %sampler\n"
               "%joined = OpSampledImage %sampled_image %image_only %sampler_only\n",
     .layout = AUTO_LAYOUT_HALVES},
    {.golden = "input_attachment",
     .decorations = "OpDecorate %texture InputAttachmentIndex 0\n",
     .globals = "%origin = OpConstantNull %v2int\n",
     .own_layout = &attachment_layout},
    {.golden = "descriptor_buffer", .layout = AUTO_LAYOUT_EMBEDDED},
    {.golden = "descriptor_heap", .layout = AUTO_LAYOUT_HEAPS},
};
#define BESIDES_COUNT (sizeof(besides) / sizeof(besides[0]))

static const char head[] =
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in\n"
    "OpExecutionMode %main OriginUpperLeft\n"
    "OpName %main \"main\"\nOpName %result \"result\"\nOpName %texture \"texture\"\nOpName %c1 \"c1\"\n"
    "OpName %c2 \"c2\"\nOpName %c3 \"c3\"\nOpName %c4 \"c4\"\nOpName %f \"f\"\nOpName %image_sampler "
    "\"image_sampler\"\n"
    "OpDecorate %in Location 0\n"
    "OpDecorate %texture DescriptorSet 0\n"
    "OpDecorate %texture Binding 0\n"
    "OpDecorate %result RelaxedPrecision\n";

static const char types[] =
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n"
    "%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"
    "%v2float = OpTypeVector %float 2\n%v3float = OpTypeVector %float 3\n%v4float = OpTypeVector %float 4\n"
    "%v2int = OpTypeVector %int 2\n%v3int = OpTypeVector %int 3\n%v4int = OpTypeVector %int 4\n"
    "%v2uint = OpTypeVector %uint 2\n%v4uint = OpTypeVector %uint 4\n"
    "%sparse_v4float = OpTypeStruct %int %v4float\n%sparse_float = OpTypeStruct %int %float\n"
    "%float_0 = OpConstant %float 0\n%int_3 = OpConstant %int 3\n%int_n2 = OpConstant %int -2\n"
    "%uint_1 = OpConstant %uint 1\n%uint_4 = OpConstant %uint 4\n"
    "%offset2 = OpConstantComposite %v2int %int_3 %int_n2\n"
    "%offset3 = OpConstantComposite %v3int %int_3 %int_n2 %int_3\n"
    "%uoffset2 = OpConstantComposite %v2uint %uint_1 %uint_4\n"
    "%four_offsets = OpTypeArray %v2int %uint_4\n"
    "%offsets = OpConstantComposite %four_offsets %offset2 %offset2 %offset2 %offset2\n";

static const char of_sampler[] = "%sampled_image = OpTypeSampledImage %image\n"
                                 "%texture_pointer = OpTypePointer UniformConstant %sampled_image\n";
/* Texel buffers and input attachments are loaded as images alone. */
static const char of_image[] = "%texture_pointer = OpTypePointer UniformConstant %image\n";

static const char begin[] = "%texture = OpVariable %texture_pointer UniformConstant\n"
                            "%in_pointer = OpTypePointer Input %v4float\n"
                            "%in = OpVariable %in_pointer Input\n"
                            "%main = OpFunction %void None %voids\n"
                            "%first = OpLabel\n"
                            "%c4 = OpLoad %v4float %in\n"
                            "%c1 = OpCompositeExtract %float %c4 0\n"
                            "%c2 = OpVectorShuffle %v2float %c4 %c4 0 1\n"
                            "%c3 = OpVectorShuffle %v3float %c4 %c4 0 1 2\n"
                            "%f = OpCompositeExtract %float %c4 3\n";

static const char load_sampler[] = "%ic2 = OpConvertFToS %v2int %c2\n"
                                   "%dynamic_offset = OpConvertFToS %v2int %c2\n"
                                   "%image_sampler = OpLoad %sampled_image %texture\n"
                                   "%image_only = OpImage %image %image_sampler\n";
static const char load_image[] = "%index = OpConvertFToS %int %f\n"
                                 "%uindex = OpConvertFToU %uint %f\n"
                                 "%image_sampler = OpLoad %image %texture\n"
                                 "%image_only = OpCopyObject %image %image_sampler\n";

static const char last_lines[] = "OpReturn\nOpFunctionEnd\n";

#define TEXEL_PATHS (SPIRV_TEXEL_VIEWS | SPIRV_TEXEL_ADDRESSES | SPIRV_TEXEL_NARROW)

enum variant {
    TIER1,
    TIER1_VOTES,
    TIER1_CPU,
    TIER2,
    TIER2_CPU,
    TIER2_LEVELS,
    TIER2_LEVEL,
    TIER2_PROBES,
    TIER1_MASKS,
    TIER1_MASKS_VOTES,
    TIER1_MASKS_CPU,
    VARIANT_COUNT
};

static const struct {
    const char *name;
    struct spirv_options options;
} variants[VARIANT_COUNT] = {
    [TIER1] = {"tier1", {.tier = 1, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    [TIER1_VOTES] =
        {"tier1_votes",
         {.tier = 1, .form = SPIRV_FORM_GPU, .votes = true, .rectangles = true, .texel_paths = TEXEL_PATHS}},
    [TIER1_CPU] = {"tier1_cpu", {.tier = 1, .form = SPIRV_FORM_CPU, .texel_paths = TEXEL_PATHS}},
    [TIER2] = {"tier2", {.tier = 2, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    [TIER2_CPU] = {"tier2_cpu", {.tier = 2, .form = SPIRV_FORM_CPU, .texel_paths = TEXEL_PATHS}},
    [TIER2_LEVELS] = {"tier2_levels",
                      {.tier = 2, .filter = SPIRV_FILTER_LEVELS, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    [TIER2_PROBES] = {"tier2_probes",
                      {.tier = 2, .filter = SPIRV_FILTER_PROBES, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    [TIER2_LEVEL] = {"tier2_level",
                     {.tier = 2, .filter = SPIRV_FILTER_LEVEL, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    [TIER1_MASKS] = {"tier1_masks", {.tier = 1, .masks = true, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    [TIER1_MASKS_VOTES] = {"tier1_masks_votes",
                           {.tier = 1,
                            .masks = true,
                            .form = SPIRV_FORM_GPU,
                            .votes = true,
                            .rectangles = true,
                            .texel_paths = TEXEL_PATHS}},
    [TIER1_MASKS_CPU] = {"tier1_masks_cpu",
                         {.tier = 1, .masks = true, .form = SPIRV_FORM_CPU, .texel_paths = TEXEL_PATHS}},
};

/* The listings that stand in golden/ in full. */
static const struct {
    const char *golden;
    enum variant variant;
} listed[] = {
    {"implicit_2d", TIER1},
    {"implicit_2d", TIER1_VOTES},
    {"implicit_2d", TIER1_CPU},
    {"implicit_2d", TIER1_MASKS_VOTES},
    {"implicit_2d", TIER1_MASKS_CPU},
    {"implicit_2d", TIER2},
    {"implicit_2d", TIER2_CPU},
    {"implicit_2d", TIER2_LEVELS},
    {"implicit_2d", TIER2_PROBES},
    {"implicit_2d", TIER2_LEVEL},
    {"batch", TIER2_CPU},
    {"gather", TIER2},
    {"halves", TIER1},
    {"fetch_buffer", TIER1},
    {"input_attachment", TIER1},
    {"descriptor_buffer", TIER1},
};
#define LISTED_COUNT (sizeof(listed) / sizeof(listed[0]))

/* A word of hashes.txt, with its end. */
#define HASH_SIZE 17
#define UNCHANGED "unchanged"

static const char hashes_path[] = GOLDEN_FOLDER "/hashes.txt";
static char *hashes;       /* its text */
static FILE *update;       /* the file, while it is written anew */
static const char *folder; /* of --write */

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

static struct besides besides_of(const char *golden)
{
    for (size_t i = 0; i < BESIDES_COUNT; i++) {
        if (strcmp(besides[i].golden, golden) == 0)
            return besides[i];
    }
    return (struct besides){.golden = golden};
}

static struct spirv_words assemble(const struct golden *golden, enum text_environment environment)
{
    static char module[8192];
    const struct besides more = besides_of(golden->name);
    const bool image_alone = strstr(golden->image, "Buffer") || strstr(golden->image, "SubpassData");
    snprintf(module, sizeof(module),
             "OpCapability Shader\n%s%s%s%s%%image = OpTypeImage %s\n%s%s%s%s%s%%result = %s\n%s", golden->capabilities,
             head, or_nothing(more.decorations), types, golden->image, or_nothing(more.globals),
             image_alone ? of_image : of_sampler, begin, image_alone ? load_image : load_sampler,
             or_nothing(more.before), golden->instruction, last_lines);
    struct spirv_words input = text_assemble(environment, module);
    assert_non_null(input.words);
    assert_true(text_validate(environment, input.words, input.count, golden->name));
    return input;
}

/* What the module becomes, malloc'ed; NULL: it is left as it is. */
static char *listing_of(const struct golden *golden, enum variant variant)
{
    static struct auto_layout automatic;
    const struct besides more = besides_of(golden->name);
    const enum text_environment environment =
        more.layout & (AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_HEAPS) ? TEXT_VULKAN_1_1 : TEXT_VULKAN_1_0;
    struct spirv_words input = assemble(golden, environment);
    auto_layout(input.words, input.count, more.layout | (variants[variant].options.masks ? AUTO_LAYOUT_MASKS : 0),
                &automatic);
    const struct spirv_layout *layout = more.own_layout ? more.own_layout : &automatic.layout;
    struct spirv_output output;
    enum spirv_result result =
        spirv_rewrite(input.words, input.count, layout, &variants[variant].options, NULL, &output);
    free(input.words);
    assert_string_equal(output.message, "");
    if (result == SPIRV_UNCHANGED) {
        assert_null(output.words);
        return NULL;
    }
    assert_int_equal(result, SPIRV_REWRITTEN);
    assert_int_equal(output.rewritten_lookups + output.rewritten_reads, 1 + more.sites);
    assert_true(text_validate(environment, output.words, output.word_count, golden->name));
    char *listing = text_essence(output.words, output.word_count);
    free(output.words);
    assert_non_null(listing);
    return listing;
}

/* FNV-1a of the listing as a word of hashes.txt. */
static void hash_listing(const char *listing, char hash[HASH_SIZE])
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (; listing && *listing != '\0'; listing++)
        value = (value ^ (unsigned char)*listing) * UINT64_C(0x100000001b3);
    if (listing)
        snprintf(hash, HASH_SIZE, "%016" PRIx64, value);
    else
        strcpy(hash, UNCHANGED);
}

/* What hashes.txt says; "" if nothing. */
static void expected_hash(const char *name, enum variant variant, char hash[HASH_SIZE])
{
    char words[VARIANT_COUNT][HASH_SIZE] = {0}, row[64];
    const size_t length = (size_t)snprintf(row, sizeof(row), "\n%s ", name);
    const char *at = strstr(hashes, row);
    if (at)
        sscanf(at + length, "%16s %16s %16s %16s %16s %16s %16s %16s %16s %16s %16s", words[0], words[1], words[2],
               words[3], words[4], words[5], words[6], words[7], words[8], words[9], words[10]);
    strcpy(hash, words[variant]);
}
_Static_assert(VARIANT_COUNT == 11, "expected_hash reads as many");

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (file && text)
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    if (file)
        fclose(file);
    else
        fprintf(stderr, "%s cannot be read\n", path);
    return text;
}

static void write_listing(const char *to, const char *name, const char *listing)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s.spvasm", to, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        fprintf(stderr, "%s cannot be written\n", path);
    assert_non_null(file);
    assert_int_equal(fwrite(listing, 1, strlen(listing), file), strlen(listing));
    assert_int_equal(fclose(file), 0);
}

static bool is_listed(const char *golden, enum variant variant)
{
    bool is = false;
    for (size_t i = 0; i < LISTED_COUNT; i++)
        is |= strcmp(listed[i].golden, golden) == 0 && listed[i].variant == variant;
    return is;
}

static bool is_as_in_golden(const char *name, const char *listing)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s.spvasm", GOLDEN_FOLDER, name);
    char *expected = read_file(path);
    assert_non_null(expected);
    const bool same = strcmp(expected, listing) == 0;
    size_t at = 0;
    while (!same && expected[at] == listing[at])
        at++;
    if (!same)
        fprintf(stderr, "%s: differs from\n%.200s\nhere:\n%.200s\n", path, expected + at, listing + at);
    free(expected);
    return same;
}

static void rewrites_as_in_golden(void **state)
{
    const struct golden *golden = *state;
    bool same = true;
    if (update)
        fprintf(update, "%s", golden->name);
    for (enum variant i = 0; i < VARIANT_COUNT; i++) {
        char name[64], hash[HASH_SIZE], expected[HASH_SIZE];
        snprintf(name, sizeof(name), "%s.%s", golden->name, variants[i].name);
        char *listing = listing_of(golden, i);
        hash_listing(listing, hash);
        if (folder)
            write_listing(folder, name, listing ? listing : UNCHANGED "\n");
        if (update && is_listed(golden->name, i))
            write_listing(GOLDEN_FOLDER, name, or_nothing(listing));
        if (update)
            fprintf(update, " %s", hash);
        if (!update && !folder) {
            expected_hash(golden->name, i, expected);
            if (strcmp(hash, expected) != 0)
                fprintf(stderr, "%s: another listing: its hash is %s, expected is %s\n", name, hash, expected);
            same &= strcmp(hash, expected) == 0;
            same &= !is_listed(golden->name, i) || is_as_in_golden(name, or_nothing(listing));
        }
        free(listing);
    }
    if (update)
        fprintf(update, "\n");
    assert_true(same);
}

/* No row is left of a module that went. */
static void each_row_has_a_module(void **state)
{
    (void)state;
    size_t rows = 0;
    for (const char *at = hashes; *at != '\0'; at++)
        rows += *at == '\n' && at[1] != '#' && at[1] != '\0';
    assert_int_equal(rows, GOLDEN_COUNT);
}

static void print_what_to_do(void)
{
    fputs("To see the difference, write the listings with the change and without it:\n"
          "    mkdir new old && build/tests/spirv/spirv_golden_test --write new\n"
          "    git stash && cmake --build build --target spirv_golden_test\n"
          "    build/tests/spirv/spirv_golden_test --write old\n"
          "    git stash pop && diff -ru old new\n"
          "If it is what the change means: spirv_golden_test --update\n",
          stderr);
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[GOLDEN_COUNT + 1];
    static char names[GOLDEN_COUNT][96];
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "%s_rewrites_as_in_golden", goldens[i].name);
        tests[i] = (struct CMUnitTest){names[i], rewrites_as_in_golden, NULL, NULL, (void *)(uintptr_t)&goldens[i]};
    }
    tests[GOLDEN_COUNT] = (struct CMUnitTest)cmocka_unit_test(each_row_has_a_module);
    const bool updates = argc == 2 && strcmp(argv[1], "--update") == 0;
    folder = argc == 3 && strcmp(argv[1], "--write") == 0 ? argv[2] : NULL;
    if (argc > 1 && !updates && !folder) {
        fputs("usage: spirv_golden_test [--update | --write FOLDER]\n", stderr);
        return 2;
    }
    hashes = updates || folder ? NULL : read_file(hashes_path);
    update = updates ? fopen(hashes_path, "wb") : NULL;
    if (updates && !update) {
        perror(hashes_path);
        return 1;
    }
    if (update)
        fputs("# FNV-1a of each listing, written by spirv_golden_test --update\n"
              "# module tier1 tier1_votes tier1_cpu tier2 tier2_cpu tier2_levels tier2_level tier2_probes "
              "tier1_masks tier1_masks_votes tier1_masks_cpu\n",
              update);
    const size_t count = hashes ? GOLDEN_COUNT + 1 : GOLDEN_COUNT;
    const int failed = _cmocka_run_group_tests("golden", tests, count, NULL, NULL);
    if (failed != 0 && hashes)
        print_what_to_do();
    free(hashes);
    return update && fclose(update) != 0 ? 1 : failed;
}
