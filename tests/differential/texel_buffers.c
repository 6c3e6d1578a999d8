/* SPDX-License-Identifier: MIT */
/*
 * texel_buffers [--profile NAME] [--seed N] [--full|--short] [--side NAME] [--above] [--gpu-assisted] [--out FOLDER]
 *               [--no-validation] [--through gl|standard] [--quiet]
 *
 * Buffer textures: the same bytes and indices on Vulkan under the layer, once for each way that the layer has to
 * texels, on a real OpenGL, and by the specification. Status 0 if every value is the specification's, every emulated
 * case was drawn by tier 1 and every native one by tier 0, the validation layer was silent and no limit of the profile
 * violated. --through standard: programs that know nothing of the layer, on a device that lacks such buffers, under the
 * setting offer=missing; the profile is bare-samplers unless told otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "differential/texel_sides.h"
#include "harness/text/json.h"
#include "limited_driver/limited_driver.h"

enum { RANDOM_CASES = 1500, SHORT_STRIDE = 11, PRINTED = 12, LARGE = 1 << 27 };

struct options {
    const char *profile, *side, *out;
    uint32_t seed;
    bool full, above, gpu_assisted, no_validation, quiet, standard;
};

/* What a side of Vulkan is called, and how it is opened. */
static const struct side_kind {
    const char *name, *path;
    bool missing, by_setting, offered; /* missing: the driver's own RGB32 and large texel buffers are not used */
} kinds[] = {
    {"native", "auto", false, false, false}, /* what the device does by itself where nothing is hidden */
    {"auto", "auto", true, false, false},           {"views", "views", true, false, false},
    {"addresses", "addresses", true, false, false}, {"setting", "addresses", true, true, false},
    {"offered", "auto", true, true, true},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct totals {
    uint32_t drawn, emulated, left_out, failed, by_gl, gl_differs;
    uint64_t values;
};

static struct options read_options(int count, char **arguments)
{
    struct options options = {.out = "build", .seed = 1};
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(name, "--full") == 0)
            options.full = true;
        else if (strcmp(name, "--short") == 0)
            options.full = false;
        else if (strcmp(name, "--above") == 0)
            options.above = true;
        else if (strcmp(name, "--gpu-assisted") == 0)
            options.gpu_assisted = true;
        else if (strcmp(name, "--no-validation") == 0)
            options.no_validation = true;
        else if (strcmp(name, "--quiet") == 0)
            options.quiet = true;
        else if (value && strcmp(name, "--profile") == 0)
            options.profile = arguments[++i];
        else if (value && strcmp(name, "--seed") == 0)
            options.seed = (uint32_t)strtoul(arguments[++i], NULL, 0);
        else if (value && strcmp(name, "--side") == 0)
            options.side = arguments[++i];
        else if (value && strcmp(name, "--through") == 0 &&
                 (strcmp(value, "gl") == 0 || strcmp(value, "standard") == 0))
            options.standard = strcmp(arguments[++i], "standard") == 0;
        else if (value && strcmp(name, "--out") == 0)
            options.out = arguments[++i];
        else
            harness_fail("%s is no option of texel_buffers", name);
    }
    if (options.standard && !options.profile)
        options.profile = "bare-samplers";
    return options;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_texel(const char *side, const uint32_t bits[4])
{
    printf("    %-14s %08x %08x %08x %08x\n", side, bits[0], bits[1], bits[2], bits[3]);
}

struct run {
    const struct options *options;
    struct texel_vulkan *vulkan;
    struct texel_gl *gl; /* NULL: there is none */
    struct totals *totals;
};

static void fail(struct run *run, const struct texel_case *one, const char *why, int32_t index,
                 const uint32_t expected[4], const uint32_t found[4])
{
    char text[256];
    if (run->totals->failed++ >= PRINTED)
        return;
    texel_describe(one, text, sizeof(text));
    printf("FAILED %s: %s\n", text, why);
    if (expected) {
        printf("  index %d\n", (int)index);
        print_texel("specification", expected);
        print_texel("found", found);
    }
}

/* Against the specification; returns the number of the first value that is not its, or `count`. */
static uint32_t compare(const struct texel_case *one, const void *bytes, const int32_t *indices, uint32_t count,
                        uint32_t found[][4], uint32_t expected[4])
{
    for (uint32_t i = 0; i < count; i++) {
        texel_expected(one, bytes, indices[i], expected);
        if (!texel_same(one, expected, found[i]))
            return i;
    }
    return count;
}

static void ask_gl(struct run *run, const struct texel_case *one, const void *bytes, const int32_t *indices,
                   uint32_t inside)
{
    uint32_t bits[TEXEL_INDICES][4], expected[4], size;
    if (!run->gl || !texel_gl_draw(run->gl, one, bytes, indices, inside, bits, &size))
        return;
    run->totals->by_gl++;
    const uint32_t differs = compare(one, bytes, indices, inside, bits, expected);
    if (differs == inside && size == one->elements)
        return;
    run->totals->gl_differs++;
    fail(run, one, differs < inside ? "OpenGL reads another value" : "OpenGL has another textureSize",
         differs < inside ? indices[differs] : (int32_t)size, expected, bits[differs < inside ? differs : 0]);
}

static void run_case(struct run *run, const struct texel_case *one, bool with_gl)
{
    uint32_t bits[TEXEL_INDICES][4], expected[4], inside, size, tier;
    int32_t indices[TEXEL_INDICES];
    uint8_t *bytes = harness_alloc(texel_buffer_bytes(one), 1);
    texel_fill(one, bytes);
    texel_indices(one, indices, &inside);
    /* Outside, a native view has what the driver gives, and a validation layer above says that nobody may look there.
     */
    const bool emulate = texel_vulkan_must_emulate(run->vulkan, one);
    const bool forbidden = run->options->above && run->options->gpu_assisted;
    const uint32_t count = emulate && !forbidden ? TEXEL_INDICES : inside;
    if (texel_vulkan_draw(run->vulkan, one, bytes, indices, count, bits, &size, &tier) == TEXEL_LEFT_OUT) {
        run->totals->left_out++;
        free(bytes);
        return;
    }
    run->totals->drawn++;
    run->totals->emulated += emulate;
    run->totals->values += count;
    const uint32_t differs = compare(one, bytes, indices, count, bits, expected);
    if (differs < count)
        fail(run, one, "Vulkan reads another value", indices[differs], expected, bits[differs]);
    else if (size != one->elements)
        fail(run, one, "textureSize is not the number of texels", 0, NULL, NULL);
    else if (tier != (emulate ? 1 : 0))
        fail(run, one, emulate ? "not drawn by tier 1" : "not drawn by tier 0", 0, NULL, NULL);
    if (with_gl)
        ask_gl(run, one, bytes, indices, inside);
    free(bytes);
}

static uint32_t violations_of(const struct texel_vulkan *side)
{
    struct limited_driver_violation list[8];
    PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(side->vk.device, "vkGetViolationsLIMITED");
    if (!get)
        harness_fail("the limited driver is not loaded");
    uint32_t count = get(side->vk.device, 8, list);
    for (uint32_t i = 0; i < count && i < 8; i++)
        printf("VIOLATION %s\n", list[i].text);
    return count;
}

/*
 * The largest that programs use: of single bytes, and of RGB32 where there is memory for five times as much (OpenGL's,
 * Vulkan's, the texels themselves, and room).
 */
static void add_large(struct texel_cases *list)
{
    const uint64_t left = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    for (uint16_t row = 0; row < texel_row_count; row++) {
        const uint32_t size = texel_row_bytes(&texel_rows[row]);
        if (size == 1 || (size == 12 && left / LARGE >= 5 * size))
            texel_add(list, (struct texel_case){.row = row, .elements = LARGE, .gl_state = true, .seed = row + 1u});
    }
}

static const char *layers_of(const struct options *options)
{
    return options->profile         ? "clampler:validation:limited"
           : options->no_validation ? "clampler"
           : options->above         ? "validation:clampler"
                                    : "clampler:validation";
}

static void run_side(const struct options *options, const struct side_kind *kind, const struct texel_cases *list,
                     struct texel_gl *gl, bool with_gl, struct totals *totals, uint32_t *violations)
{
    static struct texel_vulkan side;
    texel_vulkan_open(&side,
                      &(struct texel_vulkan_params){
                          .layers = layers_of(options),
                          .path = kind->path,
                          .missing = kind->missing && !options->profile ? "rgb32_texel_buffer,large_texel_buffer" : "",
                          .by_setting = kind->by_setting,
                          .offered = kind->offered,
                          .gpu_assisted = options->gpu_assisted,
                      });
    struct run run = {options, &side, gl, totals};
    const double start = now();
    for (size_t i = 0; i < list->count; i++)
        run_case(&run, &list->cases[i], with_gl);
    if (options->profile)
        *violations += violations_of(&side);
    printf("%-10s %5u cases, %5u emulated, %5u left out, %7llu values, up to %llu texels, %5u failed, %.1f s\n",
           kind->name, totals->drawn, totals->emulated, totals->left_out, (unsigned long long)totals->values,
           (unsigned long long)side.most_elements, totals->failed, now() - start);
    texel_vulkan_close(&side);
}

/* Silence means something only if the validation layer really watches: fetches outside of a native view, which it must
 * see. */
static void check_assistance(const struct options *options)
{
    static struct texel_vulkan side;
    const struct texel_case one = {.row = 3 /* R32F, which every driver has */, .elements = 300, .seed = 1};
    uint32_t bits[TEXEL_INDICES][4], inside, size, tier;
    int32_t indices[TEXEL_INDICES];
    uint8_t *bytes = harness_alloc(texel_buffer_bytes(&one), 1);
    texel_vulkan_open(&side, &(struct texel_vulkan_params){
                                 .layers = layers_of(options), .path = "auto", .missing = "", .gpu_assisted = true});
    texel_fill(&one, bytes);
    texel_indices(&one, indices, &inside);
    puts("The validation layer must object to what follows:");
    texel_vulkan_draw(&side, &one, bytes, indices, TEXEL_INDICES, bits, &size, &tier);
    if (harness_messages() == 0)
        harness_fail("GPU-assisted validation does not see fetches outside of a native view");
    harness_messages_reset();
    texel_vulkan_close(&side);
    free(bytes);
}

static void write_report(const struct options *options, const struct totals *totals, const char *gl, uint32_t messages)
{
    char path[1024];
    struct harness_json json;
    snprintf(path, sizeof(path), "%s/differential-texel-buffers-%s.json", options->out,
             options->profile ? options->profile : "full");
    harness_json_open(&json, path);
    harness_json_object(&json, NULL);
    harness_json_string(&json, "opengl", gl);
    harness_json_integer(&json, "seed", options->seed);
    harness_json_integer(&json, "validation_messages", messages);
    harness_json_array(&json, "sides");
    for (unsigned i = 0; i < KINDS; i++) {
        harness_json_object(&json, NULL);
        harness_json_string(&json, "side", kinds[i].name);
        harness_json_integer(&json, "cases", totals[i].drawn);
        harness_json_integer(&json, "emulated", totals[i].emulated);
        harness_json_integer(&json, "left_out", totals[i].left_out);
        harness_json_integer(&json, "values", (int64_t)totals[i].values);
        harness_json_integer(&json, "compared_with_opengl", totals[i].by_gl);
        harness_json_integer(&json, "failed", totals[i].failed);
        harness_json_end(&json);
    }
    harness_json_end(&json);
    harness_json_end(&json);
    harness_json_close(&json);
}

int main(int count, char **arguments)
{
    static struct texel_gl gl;
    char why[400] = "";
    struct options options = read_options(count, arguments);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (options.profile && strcmp(options.profile, "full") == 0)
        options.profile = NULL;
    if (options.profile)
        setenv("LIMITED_DRIVER_PROFILE", options.profile, 1);
    harness_messages_reset();
    harness_skip_where_dropped(layers_of(&options));
    struct texel_cases list = {0};
    const uint32_t stride = options.full ? 1 : SHORT_STRIDE;
    texel_generate(&list, options.seed, options.full ? RANDOM_CASES : RANDOM_CASES / 5, stride);
    if (options.full)
        add_large(&list);
    const bool has_gl = texel_gl_open(&gl, why, sizeof(why));
    printf("OpenGL: %s%s, profile %s, seed %u, %zu cases\n", has_gl ? gl.gl.renderer : "none: ", has_gl ? "" : why,
           options.profile ? options.profile : "full", options.seed, list.count);

    if (options.gpu_assisted)
        check_assistance(&options);
    struct totals totals[KINDS] = {0};
    uint32_t violations = 0, failed = 0, drawn = 0, emulated = 0;
    bool with_gl = true; /* the first side asks OpenGL: it is the same for all */
    for (unsigned i = 0; i < KINDS; i++) {
        const bool hides_nothing =
            options.profile && strcmp(kinds[i].name, "auto") == 0; /* then "native" is the same */
        if (hides_nothing || kinds[i].offered != options.standard ||
            (options.side && strcmp(options.side, kinds[i].name) != 0))
            continue;
        run_side(&options, &kinds[i], &list, has_gl ? &gl : NULL, with_gl, &totals[i], &violations);
        with_gl = false;
        failed += totals[i].failed;
        drawn += totals[i].drawn;
        emulated += totals[i].emulated;
    }
    for (unsigned i = 0; i < KINDS; i++)
        if (totals[i].by_gl)
            printf("OpenGL was asked for %u cases and differs from the specification in %u\n", totals[i].by_gl,
                   totals[i].gl_differs);
    printf("%u validation messages, %u violations of the profile\n", harness_messages(), violations);
    write_report(&options, totals, has_gl ? gl.gl.renderer : "none", harness_messages());
    const bool good = failed == 0 && drawn > 0 && emulated > 0 && violations == 0 && harness_messages() == 0;
    puts(good ? "PASSED" : "FAILED");
    free(list.cases);
    return good ? 0 : 1;
}
