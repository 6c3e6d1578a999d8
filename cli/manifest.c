/* SPDX-License-Identifier: MIT */
#include "manifest.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json.h"

/* ---- One file ---- */

char *manifest_read_file(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(MOST + 1) : NULL;
    if (text)
        text[fread(text, 1, MOST, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* Where the library lies: relative to the manifest if its path has a folder in it. */
static void resolve_library(struct manifest *manifest, const char *library)
{
    const char *slash = strrchr(manifest->path, '/');
    char joined[PATH_MAX * 2];
    if (library[0] == '/' || !strchr(library, '/') || !slash) {
        snprintf(manifest->library, sizeof(manifest->library), "%s", library);
        return;
    }
    snprintf(joined, sizeof(joined), "%.*s/%s", (int)(slash - manifest->path), manifest->path, library);
    if (!realpath(joined, manifest->library) &&
        snprintf(manifest->library, sizeof(manifest->library), "%s", joined) >= (int)sizeof(manifest->library))
        manifest->library[0] = '\0';
}

/* The first members of ELF headers are the same in both classes, up to e_machine. */
static bool read_elf(const char *path, ElfW(Ehdr) * header)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return false;
    const bool read =
        fread(header, 1, sizeof(*header), file) == sizeof(*header) && !memcmp(header->e_ident, ELFMAG, SELFMAG);
    fclose(file);
    return read;
}

static const char *machine_name(const ElfW(Ehdr) * header)
{
    switch (header->e_machine) {
    case EM_X86_64:
        return header->e_ident[EI_CLASS] == ELFCLASS64 ? "64-bit x86" : "x32";
    case EM_386:
        return "32-bit x86";
    case EM_AARCH64:
        return "64-bit ARM";
    case EM_ARM:
        return "32-bit ARM";
    case EM_RISCV:
        return "RISC-V";
    default:
        return "another machine";
    }
}

/* Sections stand at the end of a library; the dynamic linker crashes if what a header speaks of is not there. */
static bool cut_off(const char *path, const ElfW(Ehdr) * header)
{
    struct stat status;
    const uint64_t end = (uint64_t)header->e_shoff + (uint64_t)header->e_shentsize * header->e_shnum;
    return stat(path, &status) || (uint64_t)status.st_size < end;
}

static void check_library(struct manifest *manifest)
{
    ElfW(Ehdr) own, library;
    if (!manifest->library[0]) {
        snprintf(manifest->problem, sizeof(manifest->problem), "the manifest names no library (library_path)");
    } else if (strchr(manifest->library, '/') && access(manifest->library, R_OK)) {
        snprintf(manifest->problem, sizeof(manifest->problem), "the library is missing: %s", manifest->library);
    } else if (strchr(manifest->library, '/') && read_elf("/proc/self/exe", &own)) {
        if (!read_elf(manifest->library, &library))
            snprintf(manifest->problem, sizeof(manifest->problem), "not a library: %s", manifest->library);
        else if (library.e_machine != own.e_machine || library.e_ident[EI_CLASS] != own.e_ident[EI_CLASS])
            snprintf(manifest->problem, sizeof(manifest->problem),
                     "wrong architecture: the library is for %s, programs here are for %s: %s", machine_name(&library),
                     machine_name(&own), manifest->library);
        else if (cut_off(manifest->library, &library)) {
            manifest->crashes = true;
            snprintf(manifest->problem, sizeof(manifest->problem), "the library is cut off: %s", manifest->library);
        }
    }
}

/* The one member of {"VARIABLE": "value"}. */
static void read_variable(const struct json *layer, const char *member, char name[64], char value[64])
{
    const struct json *object = json_member(layer, member);
    const struct json *first = object && object->kind == JSON_OBJECT ? object->first : NULL;
    if (!first)
        return;
    snprintf(name, 64, "%s", first->key);
    if (value)
        snprintf(value, 64, "%s", first->text ? first->text : "");
}

static void read_extensions(const struct json *layer, char *text, size_t size)
{
    const struct json *list = json_member(layer, "instance_extensions");
    size_t used = (size_t)snprintf(text, size, " ");
    for (const struct json *one = list ? list->first : NULL; one && used < size; one = one->next)
        used += (size_t)snprintf(text + used, size - used, "%s ", json_text(one, "name", "?"));
}

bool manifest_lists(const struct manifest *manifest, const char *extension)
{
    char wanted[300];
    return snprintf(wanted, sizeof(wanted), " %s ", extension) < (int)sizeof(wanted) &&
           strstr(manifest->extensions, wanted);
}

/* False if the file is not about this layer; *override then says whether it is Vulkan Configurator's. */
static bool read_manifest(const char *path, bool implicit, const char *name, struct manifest *manifest, bool *override)
{
    char why[200] = "";
    char *text = manifest_read_file(path);
    struct json *json = text ? json_read(text, why, sizeof(why)) : NULL;
    const struct json *layer = json_member(json, "layer");
    bool ours = !strcmp(json_text(layer, "name", ""), name);
    *override = implicit && !strcmp(json_text(layer, "name", ""), "VK_LAYER_LUNARG_override");
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    memset(manifest, 0, sizeof(*manifest));
    snprintf(manifest->path, sizeof(manifest->path), "%s", path);
    manifest->implicit = implicit;
    if (ours) {
        resolve_library(manifest, json_text(layer, "library_path", ""));
        read_variable(layer, "enable_environment", manifest->enable, manifest->enable_value);
        read_variable(layer, "disable_environment", manifest->disable, NULL);
        read_extensions(layer, manifest->extensions, sizeof(manifest->extensions));
        check_library(manifest);
    } else if (!strcmp(name, MANIFEST_LAYER) &&
               (!strcmp(file, MANIFEST_FILE) || (!json && text && strstr(text, MANIFEST_LAYER)))) {
        /* Named after the layer, but the loader cannot make anything of it. */
        ours = true;
        if (!text)
            snprintf(manifest->problem, sizeof(manifest->problem), "the manifest cannot be read");
        else if (!json)
            snprintf(manifest->problem, sizeof(manifest->problem), "the manifest is not JSON: %s", why);
        else
            snprintf(manifest->problem, sizeof(manifest->problem), "the manifest names layer \"%s\", not %s",
                     json_text(layer, "name", ""), MANIFEST_LAYER);
    }
    json_free(json);
    free(text);
    return ours;
}

/* In a process of its own: what is wrong with the library, "" if nothing is. */
static void try_library(const char *library, char *problem, size_t size)
{
    void *opened = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    problem[0] = '\0';
    if (!opened)
        snprintf(problem, size, "the library cannot be opened: %s", dlerror());
    else if (!dlsym(opened, "vkNegotiateLoaderLayerInterfaceVersion"))
        snprintf(problem, size, "the library is no Vulkan layer (no vkNegotiateLoaderLayerInterfaceVersion): %s",
                 library);
}

/* What the other process wrote, as far as there is room for it. */
static void read_all(int from, char *text, size_t size)
{
    size_t used = 0;
    for (ssize_t got = 1; got > 0 && used + 1 < size; used += (size_t)(got > 0 ? got : 0))
        got = read(from, text + used, size - 1 - used);
    text[used] = '\0';
}

void manifest_try_library(struct manifest *manifest)
{
    char problem[sizeof(manifest->problem)];
    int ends[2], status = 0;
    if (manifest->problem[0] || pipe(ends))
        return;
    const pid_t child = fork();
    if (child == 0) {
        try_library(manifest->library, problem, sizeof(problem));
        const size_t length = strlen(problem);
        _exit(write(ends[1], problem, length) == (ssize_t)length ? 0 : 1);
    }
    close(ends[1]);
    if (child > 0) {
        read_all(ends[0], manifest->problem, sizeof(manifest->problem));
        waitpid(child, &status, 0);
    }
    close(ends[0]);
    if (child > 0 && WIFSIGNALED(status)) {
        manifest->crashes = true;
        snprintf(manifest->problem, sizeof(manifest->problem),
                 "the library ends a program that opens it (signal %d): %.*s", WTERMSIG(status), PATH_MAX,
                 manifest->library);
    }
}

/* ---- All folders ---- */

static bool add(struct manifests *found, const char *path, bool implicit)
{
    struct manifest *items = realloc(found->items, (found->count + 1) * sizeof(*items));
    if (!items)
        return false;
    bool override;
    found->items = items;
    if (read_manifest(path, implicit, found->layer, &items[found->count], &override))
        found->count++;
    else if (override && !found->override[0])
        snprintf(found->override, sizeof(found->override), "%s", path);
    return true;
}

static void append_line(char *text, size_t size, const char *before, const char *line)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s\n", before, line);
}

static bool is_json(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

/* `variable` names the folder itself, so that it must exist; NULL for folders that the loader makes up. */
static bool look_into(struct manifests *found, const char *folder, bool implicit, const char *variable)
{
    char path[PATH_MAX * 2], label[64];
    struct stat status;
    if (variable && !stat(folder, &status) && S_ISREG(status.st_mode))
        return add(found, folder, implicit); /* newer loaders take files too */
    DIR *listing = opendir(folder);
    append_line(found->searched, sizeof(found->searched), implicit ? "implicit: " : "explicit: ", folder);
    if (!listing) {
        snprintf(label, sizeof(label), "%s: ", variable ? variable : "");
        if (variable)
            append_line(found->missing, sizeof(found->missing), label, folder);
        return true;
    }
    bool good = true;
    for (struct dirent *entry = readdir(listing); entry && good; entry = readdir(listing)) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (is_json(entry))
            good = add(found, path, implicit);
    }
    closedir(listing);
    return good;
}

/* Every folder of a list with ':' between, each with `suffix`. */
static bool look_into_list(struct manifests *found, const char *list, const char *suffix, bool implicit,
                           const char *variable)
{
    char folder[PATH_MAX];
    for (const char *at = list; at && *at;) {
        const size_t length = strcspn(at, ":");
        snprintf(folder, sizeof(folder), "%.*s%s", (int)length, at, suffix);
        if (length && !look_into(found, folder, implicit, variable))
            return false;
        at += length + (at[length] == ':');
    }
    return true;
}

/* A variable of the XDG base directory specification, or its default (below HOME if it begins with '/'). */
static bool look_into_home(struct manifests *found, const char *variable, const char *below_home, const char *suffix,
                           bool implicit)
{
    char folder[PATH_MAX];
    const char *value = secure_getenv(variable), *home = secure_getenv("HOME");
    if (value && *value)
        snprintf(folder, sizeof(folder), "%s", value);
    else if (home)
        snprintf(folder, sizeof(folder), "%s%s", home, below_home);
    else
        return true;
    return look_into_list(found, folder, suffix, implicit, NULL);
}

const char *manifest_variable(const char *variable, const char *otherwise)
{
    const char *value = secure_getenv(variable);
    return value && *value ? value : otherwise;
}

static bool look_everywhere(struct manifests *found, bool implicit)
{
    const char *suffix = implicit ? "/vulkan/implicit_layer.d" : "/vulkan/explicit_layer.d";
    const char *override = implicit ? "VK_IMPLICIT_LAYER_PATH" : "VK_LAYER_PATH";
    const char *more = implicit ? "VK_ADD_IMPLICIT_LAYER_PATH" : "VK_ADD_LAYER_PATH";
    if (manifest_variable(override, NULL))
        return look_into_list(found, secure_getenv(override), "", implicit, override);
    return look_into_list(found, manifest_variable(more, ""), "", implicit, more) &&
           look_into_home(found, "XDG_CONFIG_HOME", "/.config", suffix, implicit) &&
           look_into_list(found, manifest_variable("XDG_CONFIG_DIRS", "/etc/xdg"), suffix, implicit, NULL) &&
           look_into_list(found, "/usr/local/etc:/etc", suffix, implicit, NULL) &&
           look_into_home(found, "XDG_DATA_HOME", "/.local/share", suffix, implicit) &&
           look_into_list(found, manifest_variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"), suffix, implicit,
                          NULL);
}

/* The explicit manifest beside this program; false if there is none. */
static bool find_own(char path[PATH_MAX])
{
    static const char *const places[] = {"../json/", CLAMPLER_DATA_FROM_PROGRAMS "/vulkan/explicit_layer.d/",
                                         "../share/vulkan/explicit_layer.d/"};
    char own[PATH_MAX], tried[PATH_MAX * 2];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    *strrchr(own, '/') = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        snprintf(tried, sizeof(tried), "%s/%s" MANIFEST_FILE, own, places[i]);
        if (realpath(tried, path))
            return true;
    }
    return false;
}

bool manifest_read(const char *path, struct manifest *manifest)
{
    bool override;
    return read_manifest(path, strstr(path, "/implicit_layer.d/"), MANIFEST_LAYER, manifest, &override);
}

bool manifest_own(struct manifest *own)
{
    char path[PATH_MAX];
    return find_own(path) && manifest_read(path, own);
}

/* In a build folder, or an installation in a place of its own, where somebody has just built or unpacked the layer. */
static bool add_own(struct manifests *found)
{
    char own[PATH_MAX], seen[PATH_MAX];
    if (!find_own(own))
        return true;
    for (unsigned i = 0; i < found->count; i++) {
        if (realpath(found->items[i].path, seen) && !strcmp(seen, own))
            return true;
    }
    const unsigned before = found->count;
    if (!add(found, own, false))
        return false;
    if (found->count > before)
        found->items[before].hidden = true;
    return true;
}

bool manifests_find_layer(struct manifests *found, const char *layer)
{
    memset(found, 0, sizeof(*found));
    found->layer = layer;
    if (look_everywhere(found, false))
        return true;
    manifests_free(found);
    return false;
}

bool manifests_find(struct manifests *found)
{
    memset(found, 0, sizeof(*found));
    found->layer = MANIFEST_LAYER;
    if (look_everywhere(found, false) && look_everywhere(found, true) && add_own(found))
        return true;
    manifests_free(found);
    return false;
}

void manifests_free(struct manifests *found)
{
    free(found->items);
    found->items = NULL;
    found->count = 0;
}

/* ---- Variables of programs that are started here ---- */

bool manifest_put_first(const char *variable, const char *item)
{
    char list[8192];
    const char *value = getenv(variable);
    const size_t length = strlen(item);
    for (const char *at = value ? strstr(value, item) : NULL; at; at = strstr(at + 1, item)) {
        const bool begins = at == value || at[-1] == ':', ends = !at[length] || at[length] == ':';
        if (begins && ends)
            return true;
    }
    snprintf(list, sizeof(list), "%s%s%s", item, value && *value ? ":" : "", value ? value : "");
    return !setenv(variable, list, 1);
}

bool manifest_offer_own(void)
{
    char own[PATH_MAX];
    if (!find_own(own))
        return true;
    *strrchr(own, '/') = '\0';
    return manifest_put_first(manifest_variable("VK_LAYER_PATH", NULL) ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH", own);
}
