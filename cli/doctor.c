/* SPDX-License-Identifier: MIT */
/*
 * clampler doctor: is the layer found, loaded, and set as wished?
 *
 * The loader itself is asked first, in this environment and nothing else: is the layer in the process after
 * vkCreateInstance? Only where it is not, what the loader looks at is gone through to say why.
 */
#include <fnmatch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "manifest.h"
#include "offered.h"
#include "order.h"
#include "platform/output.h"
#include "settings/settings.h"
#include "text/text.h"
#include "vkconfig.h"
#include "vulkan.h"

#define LIBRARY "libVkLayer_clampler_gl_sampler.so"
enum { DEVICES = 16 };

/* What has been found out so far. */
struct patient {
    const char *loader;        /* path given by the user, or NULL */
    const char *program;       /* the one that is asked about, as given by the user, or NULL: any */
    char executable[PATH_MAX]; /* its path, or its name if that is not known; this process's without a program */
    struct vulkan vk;
    VkResult created;                         /* of an instance as this environment makes it */
    bool listed, loaded;                      /* the loader lists the layer; it is in the process then */
    char library[PATH_MAX];                   /* where it was loaded from */
    char refused[VK_MAX_EXTENSION_NAME_SIZE]; /* listed by the loader under the layer, and refused when it is enabled */
    char said[65536];                         /* by the loader meanwhile */
    uint32_t loader_version;
    struct manifests manifests;
    struct vkconfig vkconfig;
    struct settings settings;
    unsigned setting_problems;
    char setting_problem[1200]; /* the first of them */
    bool offers;                /* something, to every program, on some device */
    bool well;
    char verdict[PATH_MAX * 3];
};

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* It names what stands in variables and files. */
static void print_verdict(struct patient *patient)
{
    text_clean(patient->verdict);
    printf("Verdict: %s\n", patient->verdict);
}

/* ---- Settings ---- */

static void __attribute__((format(printf, 2, 3))) setting_problem(struct patient *patient, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    text_clean(text);
    printf("  PROBLEM: %s\n", text);
    if (!patient->setting_problems++)
        snprintf(patient->setting_problem, sizeof(patient->setting_problem), "%s", text);
}

static void report_setting(void *user, enum log_level level, const char *text)
{
    (void)level;
    setting_problem(user, "%s", text);
}

/* Of a program that is asked about, all of them. */
static void print_setting(void *user, const char *key, const char *value, const char *where)
{
    const struct patient *patient = user;
    char shown[1200], source[1200];
    text_show(value, shown, sizeof(shown));
    text_show(where, source, sizeof(source));
    if (strcmp(where, "the defaults") || patient->program)
        printf("  %s = %s (%s)\n", key, *shown ? shown : "nothing", source);
}

/* `folder`: the setting names a folder, which the layer makes if only it is missing. */
static void check_writable(struct patient *patient, const char *key, const char *path, bool folder)
{
    char parent[512];
    struct stat status;
    if (!*path)
        return;
    if (output_is_refused_link(path)) {
        setting_problem(patient,
                        "%s: %s is a symbolic link, or behind one of somebody else's, and these are not followed", key,
                        path);
        return;
    }
    if (!stat(path, &status)) {
        if (S_ISDIR(status.st_mode) != folder || access(path, W_OK))
            setting_problem(patient, "%s: %s cannot be written to", key, path);
        return;
    }
    snprintf(parent, sizeof(parent), "%s", path);
    char *slash = strrchr(parent, '/');
    if (slash)
        slash[slash == parent] = '\0';
    if (access(slash ? parent : ".", W_OK))
        setting_problem(patient, "%s: %s cannot be made there", key, path);
}

static void check_settings_path(struct patient *patient)
{
    char file[PATH_MAX];
    struct stat status;
    const char *path = variable("VK_LAYER_SETTINGS_PATH"), *data = variable("XDG_DATA_HOME");
    if (!path)
        return;
    snprintf(file, sizeof(file), "%s/vk_layer_settings.txt", path);
    if (stat(path, &status))
        setting_problem(patient, "VK_LAYER_SETTINGS_PATH names %s, which is not there", path);
    else if (S_ISDIR(status.st_mode) && access(file, R_OK))
        setting_problem(patient, "VK_LAYER_SETTINGS_PATH: no vk_layer_settings.txt in %s", path);
    snprintf(file, sizeof(file), "%s%s/vulkan/settings.d/vk_layer_settings.txt", data ? data : getenv("HOME"),
             data ? "" : "/.local/share");
    if (!access(file, R_OK))
        setting_problem(patient, "VK_LAYER_SETTINGS_PATH is not used: vkconfig's file comes first, %s", file);
}

static void look_at_settings(struct patient *patient)
{
    char source[320];
    const char *program = patient->program ? patient->executable : NULL;
    settings_read_for(&patient->settings, program, source, sizeof(source), NULL, NULL);
    printf("Settings%s%s: from %s\n", program ? " of " : "", program ? program : "", source);
    settings_read_for(&patient->settings, program, source, sizeof(source), report_setting, patient);
    settings_explain(NULL, program, print_setting, patient);
    check_settings_path(patient);
    check_writable(patient, "log_file", patient->settings.log_file, false);
    check_writable(patient, "stats_file", patient->settings.stats_file, false);
    check_writable(patient, "dump_dir", patient->settings.dump_dir, true);
}

/* ---- The loader ---- */

/* Which manifests there are, which libraries it opens: what it does, and not what is wrong. */
static bool is_progress(const char *said)
{
    static const char mark[] = "[Vulkan Loader] "; /* newer loaders begin so */
    static const char *const kinds[] = {"LAYER", "INFO", "DEBUG"};
    said += strncmp(said, mark, sizeof(mark) - 1) ? 0 : sizeof(mark) - 1;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (!strncmp(said, kinds[i], strlen(kinds[i])))
            return true;
    }
    return false;
}

/* What the loader says about the layer; it knows hundreds of other things. */
static void print_said(const char *said)
{
    for (const char *line = said; *line;) {
        const size_t length = strcspn(line, "\n");
        char text[1024];
        snprintf(text, sizeof(text), "%.*s", (int)length, line);
        text_clean(text);
        if (!is_progress(text) && (strcasestr(text, "clampler") || strstr(text, "ERROR")))
            printf("  it says: %s\n", text);
        line += length + (line[length] == '\n');
    }
}

/* Where one of two names is in a list before the other. */
static bool stands_above(const char *list, const char *name, const char *other)
{
    const char *first = strstr(list, name), *second = strstr(list, other);
    return first && second && first < second;
}

/* The order that there is, and whether it is the one that was asked for. */
static void look_at_order(const struct patient *patient)
{
    char order[4096];
    const char *wanted = variable("VK_INSTANCE_LAYERS");
    order_read(patient->said, order, sizeof(order));
    text_clean(order);
    if (!order[0])
        return;
    printf("  order of layers, the program's nearest first: %s\n", order);
    const bool above = stands_above(order, ORDER_VALIDATION, MANIFEST_LAYER);
    if (wanted &&
        stands_above(wanted, above ? MANIFEST_LAYER : ORDER_VALIDATION, above ? ORDER_VALIDATION : MANIFEST_LAYER))
        printf("  NOTE: VK_INSTANCE_LAYERS has them in another order, which loaders before 1.3.247 do not go by: "
               "clampler run --validation %s PROGRAM\n",
               above ? "below" : "above");
    if (above && !variable("VK_LAYER_CUSTOM_STYPE_LIST"))
        printf("  NOTE: validation above the layer drops the extension's structures unless VK_LAYER_CUSTOM_STYPE_LIST "
               "names "
               "them, and newer ones always: clampler run --validation above|below PROGRAM\n");
}

static bool look_at_loader(struct patient *patient)
{
    char why[512];
    printf("Vulkan loader: ");
    order_ask(); /* so that it says why, too */
    if (!vulkan_open(&patient->vk, patient->loader, why, sizeof(why))) {
        printf("none\n  PROBLEM: %s\n", why);
        snprintf(patient->verdict, sizeof(patient->verdict), "NO VULKAN LOADER: %s (Debian: package libvulkan1)", why);
        return false;
    }
    const uint32_t version = patient->loader_version = vulkan_version(&patient->vk);
    printf("version %u.%u.%u\n", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
           VK_API_VERSION_PATCH(version));
    patient->listed = vulkan_find_layer(&patient->vk, MANIFEST_LAYER, NULL);
    patient->created = vulkan_start(&patient->vk, NULL);
    memcpy(patient->said, patient->vk.said, sizeof(patient->said));
    patient->loaded = patient->created == VK_SUCCESS && vulkan_loaded(LIBRARY, patient->library);
    printf("  it %s the layer; with this environment alone a program %s\n", patient->listed ? "lists" : "does not list",
           patient->created != VK_SUCCESS ? "gets no instance"
           : patient->loaded              ? "has it loaded"
                                          : "does not get it");
    look_at_order(patient);
    if (!patient->loaded)
        print_said(patient->said);
    else if (!vulkan_takes_every_extension(&patient->vk, patient->refused))
        printf("  PROBLEM: a program that enables every instance extension that it sees gets no instance%s%s\n",
               patient->refused[0] ? ": the loader refuses " : "", patient->refused);
    return true;
}

/* ---- Manifests ---- */

static void print_manifests(const struct patient *patient)
{
    const struct manifests *found = &patient->manifests;
    printf("Manifests: %u\n", found->count);
    for (unsigned i = 0; i < found->count; i++) {
        const struct manifest *one = &found->items[i];
        char path[PATH_MAX], said[sizeof(one->problem)];
        text_show(one->path, path, sizeof(path));
        text_show(one->problem[0] ? one->problem : one->library, said, sizeof(said));
        printf("  %s (%s)\n", path,
               one->hidden     ? "beside this program; the loader does not look there"
               : one->implicit ? "implicit"
                               : "explicit");
        if (one->problem[0])
            printf("    PROBLEM: %s\n", said);
        else
            printf("    library: %s\n", said);
    }
    if (found->missing[0])
        printf("  PROBLEM: named folders that are not there:\n%s", found->missing);
    if (!found->count || found->items[0].hidden)
        printf("  looked into:\n%s", found->searched);
}

/* ---- Vulkan Configurator ---- */

static void print_vkconfig_file(const struct vkconfig_file *file)
{
    char text[PATH_MAX + 200];
    if (!file->path[0])
        return;
    vkconfig_say(file, text, sizeof(text));
    printf("  %s %s\n", file->path, text);
}

static void look_at_vkconfig(struct patient *patient)
{
    struct vkconfig *found = &patient->vkconfig;
    vkconfig_read(found, patient->manifests.override, patient->executable, patient->loader_version);
    if (found->settings.path[0] || found->override.path[0])
        printf("vkconfig%s%s:\n", patient->program ? ", for " : "", patient->program ? patient->executable : "");
    print_vkconfig_file(&found->settings);
    print_vkconfig_file(&found->override);
}

/* False if vkconfig keeps the layer from the program, with that as the verdict. */
static bool vkconfig_lets_it(struct patient *patient)
{
    char text[PATH_MAX + 200];
    const struct vkconfig_file *file = vkconfig_decides(&patient->vkconfig);
    if (!file || file->effect == VKCONFIG_ON)
        return true;
    vkconfig_say(file, text, sizeof(text));
    snprintf(patient->verdict, sizeof(patient->verdict), "KEPT OUT BY VKCONFIG: %s %s", file->path, text);
    return false;
}

/* Whether the program gets the layer by vkconfig's choice, whatever this process gets. */
static bool vkconfig_gives_it(const struct patient *patient)
{
    const struct vkconfig_file *file = vkconfig_decides(&patient->vkconfig);
    return file && file->effect == VKCONFIG_ON;
}

/* ---- Libraries ---- */

/* A library that would take this program down with it; NULL if there is none. */
static const struct manifest *crashing(const struct patient *patient)
{
    for (unsigned i = 0; i < patient->manifests.count; i++) {
        if (patient->manifests.items[i].crashes)
            return &patient->manifests.items[i];
    }
    return NULL;
}

/* The manifest that makes the loader list the extension that it refuses; NULL if it is none of this layer's. */
static const struct manifest *overpromising(const struct patient *patient)
{
    for (unsigned i = 0; i < patient->manifests.count && patient->refused[0]; i++) {
        if (manifest_lists(&patient->manifests.items[i], patient->refused))
            return &patient->manifests.items[i];
    }
    return NULL;
}

/* ---- Why it is not loaded ---- */

/* VK_LOADER_LAYERS_DISABLE: names with '*', and words for whole kinds. */
static bool filtered(bool implicit)
{
    char list[2048], *rest = list;
    snprintf(list, sizeof(list), "%s",
             variable("VK_LOADER_LAYERS_DISABLE") ? variable("VK_LOADER_LAYERS_DISABLE") : "");
    for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ",")) {
        if (!strcmp(name, "~all~") || !strcmp(name, implicit ? "~implicit~" : "~explicit~") ||
            (*name && !fnmatch(name, MANIFEST_LAYER, FNM_CASEFOLD)))
            return true;
    }
    return false;
}

/* A name in VK_INSTANCE_LAYERS that is meant for this layer and is not its name. */
static bool misspelt(char *name, size_t size)
{
    char list[2048], *rest = list;
    snprintf(list, sizeof(list), "%s", variable("VK_INSTANCE_LAYERS") ? variable("VK_INSTANCE_LAYERS") : "");
    for (char *one = strsep(&rest, ":"); one; one = strsep(&rest, ":")) {
        if (strcmp(one, MANIFEST_LAYER) && strcasestr(one, "clampler")) {
            snprintf(name, size, "%s", one);
            return true;
        }
    }
    return false;
}

static bool named(void)
{
    char wrapped[2100];
    snprintf(wrapped, sizeof(wrapped), ":%s:", variable("VK_INSTANCE_LAYERS") ? variable("VK_INSTANCE_LAYERS") : "");
    return strstr(wrapped, ":" MANIFEST_LAYER ":");
}

static bool turned_on(const struct manifest *manifest)
{
    const char *value = manifest->implicit ? variable(manifest->enable) : NULL;
    return value && !strcmp(value, manifest->enable_value);
}

/*
 * Chosen by what stands nearest to the user's wish: what is asked for by name comes before what lies around, and what
 * the loader does not see is last.
 */
static const struct manifest *chosen(const struct patient *patient)
{
    const struct manifest *broken = NULL;
    for (unsigned i = 0; i < patient->manifests.count; i++) {
        const struct manifest *one = &patient->manifests.items[i];
        if (!one->problem[0] && !(one->hidden && broken))
            return one;
        broken = broken ? broken : one;
    }
    return broken;
}

static bool has_implicit(const struct patient *patient)
{
    for (unsigned i = 0; i < patient->manifests.count; i++) {
        if (patient->manifests.items[i].implicit && !patient->manifests.items[i].problem[0])
            return true;
    }
    return false;
}

/* The layer beside this program is there and the loader does not find it: what a program's environment lacks. */
static void say_what_shows_it(struct patient *patient, const struct manifest *manifest)
{
    const char *list = variable("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH";
    const int folder = (int)(strrchr(manifest->path, '/') - manifest->path);
    if (named())
        snprintf(patient->verdict, sizeof(patient->verdict),
                 "NOT FOUND: asked for, and the loader does not look where it is (%s=%.*s, or clampler run PROGRAM)",
                 list, folder, manifest->path);
    else
        snprintf(patient->verdict, sizeof(patient->verdict),
                 "NOT ENABLED: the layer is beside this program, and nothing asks for it (%s=%.*s "
                 "VK_INSTANCE_LAYERS=" MANIFEST_LAYER ", or clampler run PROGRAM)",
                 list, folder, manifest->path);
}

static bool implicit_is_disabled(const struct patient *patient, const char **by)
{
    for (unsigned i = 0; i < patient->manifests.count; i++) {
        const struct manifest *one = &patient->manifests.items[i];
        *by = one->disable;
        if (one->implicit && !one->problem[0] && variable(one->disable))
            return true;
    }
    return false;
}

/* vkconfig's file that makes the one way that was taken lead nowhere; NULL if none does. */
static const struct vkconfig_file *narrowed(const struct patient *patient, bool enabled)
{
    const struct vkconfig *found = &patient->vkconfig;
    if (!named() && enabled && found->settings.effect == VKCONFIG_NO_VARIABLE)
        return &found->settings;
    return named() && found->override.effect == VKCONFIG_ELSEWHERE ? &found->override : NULL;
}

static void say_what_narrows(struct patient *patient, const struct vkconfig_file *file)
{
    char text[PATH_MAX + 200];
    vkconfig_say(file, text, sizeof(text));
    snprintf(patient->verdict, sizeof(patient->verdict), "NOT ENABLED: %s %s (%s)", file->path, text,
             file->effect == VKCONFIG_NO_VARIABLE ? "VK_INSTANCE_LAYERS=" MANIFEST_LAYER
             : has_implicit(patient)              ? "CLAMPLER_ENABLE=1"
                                                  : "enable it in vkconfig");
}

static void say_why_not_loaded(struct patient *patient)
{
    const struct manifest *manifest = chosen(patient);
    char *verdict = patient->verdict, name[256];
    const size_t size = sizeof(patient->verdict);
    const char *by;
    bool enabled = false; /* as an implicit layer */
    for (unsigned i = 0; i < patient->manifests.count; i++)
        enabled |= turned_on(&patient->manifests.items[i]);

    if ((!manifest || manifest->hidden) && patient->manifests.missing[0])
        snprintf(verdict, size, "NOT FOUND: a folder that is not there: %.*s",
                 (int)strcspn(patient->manifests.missing, "\n"), patient->manifests.missing);
    else if (!manifest)
        snprintf(verdict, size, "NOT FOUND: no manifest " MANIFEST_FILE " in any folder that the loader looks into");
    else if (manifest->problem[0])
        snprintf(verdict, size, "BROKEN: %s: %s", manifest->path, manifest->problem);
    else if (filtered(manifest->implicit || (enabled && !named())))
        snprintf(verdict, size, "FILTERED: VK_LOADER_LAYERS_DISABLE=%s keeps the layer out",
                 variable("VK_LOADER_LAYERS_DISABLE"));
    else if (misspelt(name, sizeof(name)))
        snprintf(verdict, size, "NOT ENABLED: VK_INSTANCE_LAYERS names \"%s\"; the layer's name is " MANIFEST_LAYER,
                 name);
    else if (manifest->hidden)
        say_what_shows_it(patient, manifest);
    else if (!named() && implicit_is_disabled(patient, &by))
        snprintf(verdict, size, "DISABLED: %s is set in the environment", by);
    else if (narrowed(patient, enabled))
        say_what_narrows(patient, narrowed(patient, enabled));
    else if (!named() && !enabled)
        snprintf(verdict, size,
                 "NOT ENABLED: installed, and nothing asks for it "
                 "(VK_INSTANCE_LAYERS=" MANIFEST_LAYER "%s, or clampler run PROGRAM)",
                 has_implicit(patient) ? ", CLAMPLER_ENABLE=1" : "");
    else
        snprintf(verdict, size, "NOT LOADED: asked for, and the loader refused it; what it says is above");
}

/* ---- Devices ---- */

/* Who gives programs what the setting `offer` is about. */
static const char *who_offers(const struct patient *patient, const struct offered *offered, unsigned offer)
{
    const char *state = offered->state[offer];
    return !strcmp(state, "native")                         ? "by the driver"
           : strcmp(state, "offered")                       ? "by nobody"
           : offer_is_asked(offer, patient->settings.offer) ? "by the layer"
                                                            : "by the layer, if asked";
}

static void print_offers(struct patient *patient, const struct offered *offered)
{
    static const char *const all[] = {"by the driver", "by the layer", "by the layer, if asked", "by nobody"};
    for (size_t i = 0; offered->state[0] && i < sizeof(all) / sizeof(*all); i++) {
        unsigned count = 0;
        for (unsigned offer = 0; offer < OFFERS; offer++) {
            const char *remark = offered->remark[offer];
            if (strcmp(who_offers(patient, offered, offer), all[i]))
                continue;
            if (!count++)
                printf("    %s%s:", all[i], i == 2 ? " (offer=missing, or these names)" : "");
            printf("%s %s%s%s%s", count > 1 ? "," : "", offer_names[offer], *remark ? " (" : "", remark,
                   *remark ? ")" : "");
        }
        patient->offers |= i == 1 && count;
        if (count)
            printf("\n");
    }
}

static void print_device(const struct device_facts *facts)
{
    static const char *const states[] = {"native", "emulated", "unavailable"};
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    text_show(facts->properties.deviceName, name, sizeof(name));
    printf("  %s (Vulkan %u.%u)\n", name, VK_API_VERSION_MAJOR(facts->properties.apiVersion),
           VK_API_VERSION_MINOR(facts->properties.apiVersion));
    if (!facts->extension) {
        printf("    PROBLEM: " VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME " is not listed\n");
        return;
    }
    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
        const char *separator = " ";
        printf("    %s:", states[i]);
        for (const struct semantic *semantic = semantics; semantic->name; semantic++) {
            if (strcmp(semantic_state(facts, semantic->bit), states[i]))
                continue;
            printf("%s%s", separator, semantic->name);
            separator = ", ";
        }
        printf("%s\n", *separator == ' ' ? " nothing" : "");
    }
}

/* Shows the loader the layer beside this program, from now on; false if there is none that only it does not see. */
static bool offer_hidden(const struct patient *patient)
{
    const struct manifest *manifest = chosen(patient);
    return manifest && manifest->hidden && !manifest->problem[0] && manifest_offer_own();
}

/* Where the environment alone does not load the layer, it is asked for by name here: it may well work. */
static void look_at_devices(struct patient *patient)
{
    struct device_facts devices[DEVICES];
    if (!patient->loaded) {
        vulkan_stop(&patient->vk);
        if (!patient->listed && !offer_hidden(patient))
            return;
        if (vulkan_start(&patient->vk, MANIFEST_LAYER) != VK_SUCCESS)
            return;
    }
    const unsigned count = vulkan_devices(&patient->vk, devices, DEVICES);
    printf("Devices%s: %u\n", patient->loaded ? "" : " (with the layer asked for by name)", count);
    struct offered offered[DEVICES];
    offered_find(&patient->vk, devices, count, offered);
    for (unsigned i = 0; i < count; i++) {
        print_device(&devices[i]);
        print_offers(patient, &offered[i]);
    }
}

/* ---- The verdict ---- */

/* True if all is well. */
static bool give_verdict(struct patient *patient)
{
    char changes[512];
    const struct manifest *manifest = chosen(patient);
    const bool broken = manifest && manifest->problem[0];
    if (patient->created != VK_SUCCESS && !broken) {
        snprintf(patient->verdict, sizeof(patient->verdict), "NO VULKAN DRIVER: vkCreateInstance gives %s%s",
                 vulkan_result(patient->created),
                 patient->created == VK_ERROR_INCOMPATIBLE_DRIVER ? " (VK_DRIVER_FILES, VK_ICD_FILENAMES?)" : "");
    } else if (!vkconfig_lets_it(patient)) {
        /* it says so */
    } else if (!patient->loaded && (broken || !vkconfig_gives_it(patient))) {
        say_why_not_loaded(patient);
    } else if (overpromising(patient)) {
        snprintf(patient->verdict, sizeof(patient->verdict),
                 "LOADED, BUT IN THE WAY: %s lists %s, which this loader refuses to programs that enable all they see",
                 overpromising(patient)->path, patient->refused);
    } else if (patient->setting_problems) {
        snprintf(patient->verdict, sizeof(patient->verdict), "LOADED, WITH WRONG SETTINGS: %s",
                 patient->setting_problem);
    } else {
        const bool acts = settings_activate(&patient->settings) || patient->offers;
        settings_changes(&patient->settings, changes, sizeof(changes));
        printf("Verdict: OK: %s %s; %s%s\n", patient->loaded ? "loaded from" : "turned on by",
               patient->loaded ? patient->library : vkconfig_decides(&patient->vkconfig)->path,
               acts ? "active for every program: " : "inactive for programs that do not enable the extension",
               acts ? changes : "");
        return true;
    }
    print_verdict(patient);
    return false;
}

static bool take_arguments(struct patient *patient, int count, char **arguments)
{
    for (int i = 1; i < count; i += 2) {
        const char **value = !strcmp(arguments[i], "--loader")    ? &patient->loader
                             : !strcmp(arguments[i], "--program") ? &patient->program
                                                                  : NULL;
        if (!value || i + 1 == count) {
            fprintf(stderr, "clampler doctor: \"%s\" %s (doctor [--loader PATH] [--program NAME])\n", arguments[i],
                    value ? "lacks a value" : "is not known");
            return false;
        }
        *value = arguments[i + 1];
    }
    vkconfig_executable(patient->program ? patient->program : "/proc/self/exe", patient->executable);
    return true;
}

int doctor(int count, char **arguments)
{
    static struct patient patient;
    if (!take_arguments(&patient, count, arguments))
        return STATUS_USAGE;
    printf("clampler " CLAMPLER_VERSION "\n");
    look_at_settings(&patient);
    if (!manifests_find(&patient.manifests)) {
        fprintf(stderr, "clampler doctor: out of memory\n");
        return 1;
    }
    fflush(stdout);
    for (unsigned i = 0; i < patient.manifests.count; i++)
        manifest_try_library(&patient.manifests.items[i]);
    if (crashing(&patient)) {
        print_manifests(&patient);
        printf("Verdict: BROKEN: %s\n", crashing(&patient)->problem);
    } else if (!look_at_loader(&patient)) {
        print_verdict(&patient);
    } else {
        look_at_vkconfig(&patient);
        if (patient.created == VK_SUCCESS)
            look_at_devices(&patient);
        vulkan_stop(&patient.vk);
        print_manifests(&patient);
        patient.well = give_verdict(&patient);
    }
    manifests_free(&patient.manifests);
    vulkan_close(&patient.vk);
    return patient.well ? 0 : 1;
}
