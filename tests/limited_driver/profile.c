/* SPDX-License-Identifier: MIT */
#include "profile.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, INCLUDE_DEPTH_MAX = 8, PATH_BYTES = 4096 };

struct extension_rule {
    bool hide;
    char pattern[VK_MAX_EXTENSION_NAME_SIZE];
};

struct limit_rule {
    uint32_t member; /* in registry_members */
    union profile_value values[PROFILE_ELEMENTS];
};

struct profile {
    uint32_t api_version;
    VkDeviceSize window;               /* 0: none */
    struct extension_rule *extensions; /* the last one that matches counts */
    uint32_t extension_count;
    struct limit_rule *limits; /* one a member at most */
    uint32_t limit_count;
    bool *member_hidden;                        /* by member: features only */
    bool *structure_hidden;                     /* by structure: nothing that is visible has it */
    uint64_t (*format_hidden)[PROFILE_TILINGS]; /* by registry_formats */
    int depth;                                  /* of includes */
    char error[512];
};

/* Where a rule stands, for messages. */
struct place {
    const char *source;
    const char *folder;
    unsigned line;
};

struct profile *profile_create(void)
{
    struct profile *profile = calloc(1, sizeof(*profile));
    if (!profile)
        return NULL;
    profile->api_version = UINT32_MAX;
    profile->member_hidden = calloc(registry_member_count, sizeof(bool));
    profile->structure_hidden = calloc(registry_structure_count, sizeof(bool));
    profile->format_hidden = calloc(registry_format_count, sizeof(*profile->format_hidden));
    if (!profile->member_hidden || !profile->structure_hidden || !profile->format_hidden) {
        profile_destroy(profile);
        return NULL;
    }
    return profile;
}

void profile_destroy(struct profile *profile)
{
    if (!profile)
        return;
    free(profile->extensions);
    free(profile->limits);
    free(profile->member_hidden);
    free(profile->structure_hidden);
    free(profile->format_hidden);
    free(profile);
}

const char *profile_error(const struct profile *profile)
{
    return profile->error;
}

__attribute__((format(printf, 3, 4))) static bool fail(struct profile *profile, const struct place *place,
                                                       const char *format, ...)
{
    int used = snprintf(profile->error, sizeof(profile->error), "%s:%u: ", place->source, place->line);
    size_t start = used < 0 ? 0 : (size_t)used;
    if (start >= sizeof(profile->error))
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(profile->error + start, sizeof(profile->error) - start, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Rules ---- */

static bool matches(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

/*
 * A leading '?' says that the name may be unknown to the headers that this was built with: returns the rest, and
 * whether that was so.
 */
static const char *optional_name(const char *word, bool *optional)
{
    *optional = word[0] == '?';
    return word + *optional;
}

static bool extension_known(const char *pattern)
{
    for (uint32_t i = 0; i < registry_extension_count; i++)
        if (matches(pattern, registry_extensions[i]))
            return true;
    return false;
}

static bool extension_rule(struct profile *profile, const struct place *place, bool hide, char **words, int count)
{
    for (int i = 0; i < count; i++) {
        bool optional;
        const char *pattern = optional_name(words[i], &optional);
        if (strlen(pattern) >= VK_MAX_EXTENSION_NAME_SIZE || (!optional && !extension_known(pattern)))
            return fail(profile, place, "no extension is named %s", pattern);
        struct extension_rule *grown =
            realloc(profile->extensions, (profile->extension_count + 1) * sizeof(*profile->extensions));
        if (!grown)
            return fail(profile, place, "out of memory");
        profile->extensions = grown;
        grown[profile->extension_count].hide = hide;
        strcpy(grown[profile->extension_count++].pattern, pattern);
    }
    return true;
}

/* Whether VkPhysicalDeviceVulkan1xFeatures or …Properties, which repeat the members of promoted extensions. */
static bool is_version_structure(const struct registry_structure *structure)
{
    return strncmp(structure->name, "VkPhysicalDeviceVulkan", strlen("VkPhysicalDeviceVulkan")) == 0 &&
           structure->core && !structure->extensions[0];
}

/*
 * Whether [STRUCTURE.]NAME means a member. STRUCTURE.NAME means the member's twin in a version's structure too, so that
 * no alias of what is hidden stays visible.
 */
static bool means(const char *pattern, const struct registry_member *member)
{
    const char *dot = strchr(pattern, '.');
    if (!dot)
        return matches(pattern, member->name);
    if (!matches(dot + 1, member->name))
        return false;
    const struct registry_structure *structure = &registry_structures[member->structure];
    size_t length = (size_t)(dot - pattern);
    if (strlen(structure->name) == length && strncmp(structure->name, pattern, length) == 0)
        return true;
    if (!is_version_structure(structure))
        return false;
    for (uint32_t i = 0; i < registry_structure_count; i++) {
        const struct registry_structure *named = &registry_structures[i];
        if (strlen(named->name) == length && strncmp(named->name, pattern, length) == 0)
            return named->core != 0 && named->type != VK_STRUCTURE_TYPE_MAX_ENUM;
    }
    return false;
}

static bool feature_rule(struct profile *profile, const struct place *place, bool hide, char **words, int count)
{
    for (int w = 0; w < count; w++) {
        bool optional, found = false;
        const char *pattern = optional_name(words[w], &optional);
        for (uint32_t i = 0; i < registry_member_count; i++) {
            const struct registry_member *member = &registry_members[i];
            if (registry_structures[member->structure].feature && means(pattern, member)) {
                profile->member_hidden[i] = hide;
                found = true;
            }
        }
        if (!found && !optional)
            return fail(profile, place, "no feature is named %s", pattern);
    }
    return true;
}

static bool parse_tilings(const char *word, bool tilings[PROFILE_TILINGS])
{
    tilings[PROFILE_LINEAR] = !strcmp(word, "linear") || !strcmp(word, "image") || !strcmp(word, "all");
    tilings[PROFILE_OPTIMAL] = !strcmp(word, "optimal") || !strcmp(word, "image") || !strcmp(word, "all");
    tilings[PROFILE_BUFFER] = !strcmp(word, "buffer") || !strcmp(word, "all");
    return tilings[PROFILE_LINEAR] || tilings[PROFILE_OPTIMAL] || tilings[PROFILE_BUFFER];
}

static bool format_rule(struct profile *profile, const struct place *place, bool hide, char **words, int count)
{
    bool optional, tilings[PROFILE_TILINGS], found = false;
    if (count < 3)
        return fail(profile, place, "expected: format NAME linear|optimal|image|buffer|all FEATURE...");
    const char *pattern = optional_name(words[0], &optional);
    if (!parse_tilings(words[1], tilings))
        return fail(profile, place, "%s is none of linear, optimal, image, buffer, all", words[1]);
    uint64_t bits = 0;
    for (int w = 2; w < count; w++) {
        uint64_t named = 0;
        for (uint32_t i = 0; i < registry_format_feature_count; i++)
            if (matches(words[w], registry_format_features[i].name))
                named |= registry_format_features[i].value;
        if (!strcmp(words[w], "*"))
            named = UINT64_MAX;
        if (!named)
            return fail(profile, place, "no format feature is named %s", words[w]);
        bits |= named;
    }
    for (uint32_t i = 0; i < registry_format_count; i++) {
        if (!matches(pattern, registry_formats[i].name))
            continue;
        found = true;
        for (int tiling = 0; tiling < PROFILE_TILINGS; tiling++)
            if (tilings[tiling])
                profile->format_hidden[i][tiling] =
                    hide ? profile->format_hidden[i][tiling] | bits : profile->format_hidden[i][tiling] & ~bits;
    }
    return found || optional || fail(profile, place, "no format is named %s", pattern);
}

static size_t element_size(const struct registry_member *member)
{
    switch ((enum registry_type)member->type) {
    case TYPE_U64:
    case TYPE_I64:
        return sizeof(uint64_t);
    case TYPE_SIZE:
        return sizeof(size_t);
    default:
        return sizeof(uint32_t);
    }
}

static bool parse_value(const char *word, enum registry_type type, union profile_value *value)
{
    char *end = NULL;
    if (type == TYPE_BOOL && (!strcmp(word, "true") || !strcmp(word, "false"))) {
        value->whole = word[0] == 't';
        return true;
    }
    if (type == TYPE_FLOAT)
        value->real = strtod(word, &end);
    else if (word[0] == '-')
        value->whole = (type == TYPE_I32 || type == TYPE_I64) ? (uint64_t)strtoll(word, &end, 0) : 0;
    else
        value->whole = strtoull(word, &end, 0);
    return end && end != word && *end == '\0';
}

static struct limit_rule *limit_of(struct profile *profile, uint32_t member)
{
    for (uint32_t i = 0; i < profile->limit_count; i++)
        if (profile->limits[i].member == member)
            return &profile->limits[i];
    struct limit_rule *grown = realloc(profile->limits, (profile->limit_count + 1) * sizeof(*profile->limits));
    if (!grown)
        return NULL;
    profile->limits = grown;
    grown[profile->limit_count].member = member;
    return &grown[profile->limit_count++];
}

static bool limit_rule(struct profile *profile, const struct place *place, char **words, int count)
{
    bool optional, found = false;
    if (count < 2)
        return fail(profile, place, "expected: limit NAME VALUE...");
    const char *pattern = optional_name(words[0], &optional);
    for (uint32_t i = 0; i < registry_member_count; i++) {
        const struct registry_member *member = &registry_members[i];
        if (registry_structures[member->structure].feature || !means(pattern, member))
            continue;
        int elements = (int)(member->size / element_size(member));
        if (member->limit == LIMIT_NONE || elements > PROFILE_ELEMENTS)
            return fail(profile, place, "%s is not a limit that has a poorer value", pattern);
        if (count - 1 != 1 && count - 1 != elements)
            return fail(profile, place, "%s takes %d values", pattern, elements);
        struct limit_rule *rule = limit_of(profile, i);
        if (!rule)
            return fail(profile, place, "out of memory");
        for (int e = 0; e < elements; e++) {
            const char *word = words[count == 2 ? 1 : 1 + e];
            if (!parse_value(word, member->type, &rule->values[e]))
                return fail(profile, place, "%s is no value for %s", word, pattern);
        }
        found = true;
    }
    return found || optional || fail(profile, place, "no limit is named %s", pattern);
}

static bool api_rule(struct profile *profile, const struct place *place, char **words, int count)
{
    unsigned major, minor;
    if (count != 1 || sscanf(words[0], "%u.%u", &major, &minor) != 2 || major != 1 || minor > 1000)
        return fail(profile, place, "expected: api 1.MINOR");
    profile->api_version = VK_MAKE_API_VERSION(0, major, minor, 0);
    return true;
}

static bool window_rule(struct profile *profile, const struct place *place, char **words, int count)
{
    union profile_value value;
    if (count != 1 || !parse_value(words[0], TYPE_U64, &value) || !value.whole)
        return fail(profile, place, "expected: window BYTES");
    profile->window = value.whole;
    return true;
}

VkDeviceSize profile_window(const struct profile *profile)
{
    return profile->window;
}

static bool hide_rule(struct profile *profile, const struct place *place, bool hide, char **words, int count)
{
    if (count >= 2 && !strcmp(words[0], "extension"))
        return extension_rule(profile, place, hide, words + 1, count - 1);
    if (count >= 2 && !strcmp(words[0], "feature"))
        return feature_rule(profile, place, hide, words + 1, count - 1);
    if (count >= 2 && !strcmp(words[0], "format"))
        return format_rule(profile, place, hide, words + 1, count - 1);
    return fail(profile, place, "expected: hide|show extension|feature|format NAME...");
}

static bool rule(struct profile *profile, const struct place *place, char **words, int count)
{
    if (!strcmp(words[0], "hide") || !strcmp(words[0], "show"))
        return hide_rule(profile, place, words[0][0] == 'h', words + 1, count - 1);
    if (!strcmp(words[0], "limit"))
        return limit_rule(profile, place, words + 1, count - 1);
    if (!strcmp(words[0], "api"))
        return api_rule(profile, place, words + 1, count - 1);
    if (!strcmp(words[0], "window"))
        return window_rule(profile, place, words + 1, count - 1);
    if (!strcmp(words[0], "include") && count == 2) {
        if (profile->depth >= INCLUDE_DEPTH_MAX)
            return fail(profile, place, "too many includes within each other");
        return profile_load(profile, words[1], place->folder);
    }
    return fail(profile, place, "%s is none of hide, show, limit, window, api, include NAME", words[0]);
}

/* ---- Text ---- */

static bool parse_line(struct profile *profile, const struct place *place, char *line)
{
    char *words[WORDS_MAX], *state = NULL;
    int count = 0;
    line[strcspn(line, "#")] = '\0';
    for (char *word = strtok_r(line, " \t\r", &state); word; word = strtok_r(NULL, " \t\r", &state)) {
        if (count == WORDS_MAX)
            return fail(profile, place, "more than %d words", WORDS_MAX);
        words[count++] = word;
    }
    return count == 0 || rule(profile, place, words, count);
}

bool profile_parse(struct profile *profile, const char *text, const char *source, const char *folder)
{
    struct place place = {source, folder, 0};
    char *copy = strdup(text);
    if (!copy)
        return fail(profile, &place, "out of memory");
    bool good = true;
    profile->depth++;
    for (char *line = copy, *next; good && line; line = next) {
        next = strpbrk(line, "\n;");
        /* A ';' ends a rule as a newline does, for rules that stand in the environment; not within a comment. */
        char *comment = strchr(line, '#');
        if (next && comment && comment < next)
            next = strchr(comment, '\n');
        if (next)
            *next++ = '\0';
        place.line++;
        good = parse_line(profile, &place, line);
    }
    profile->depth--;
    free(copy);
    return good;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        if (size >= 0 && fseek(file, 0, SEEK_SET) == 0 && (text = malloc((size_t)size + 1))) {
            size_t got = fread(text, 1, (size_t)size, file);
            text[got] = '\0';
        }
    }
    fclose(file);
    return text;
}

bool profile_load(struct profile *profile, const char *name, const char *folder)
{
    char path[PATH_BYTES];
    bool bare = !strchr(name, '/');
    snprintf(path, sizeof(path), "%s%s%s%s", bare ? folder : "", bare ? "/" : "", name, bare ? ".txt" : "");
    char *text = read_file(path);
    if (!text) {
        struct place place = {path, folder, 0};
        return fail(profile, &place, "cannot be read");
    }
    bool good = profile_parse(profile, text, path, folder);
    free(text);
    return good;
}

/* ---- Answers ---- */

uint32_t profile_api_version(const struct profile *profile)
{
    return profile->api_version;
}

bool profile_hides_extension(const struct profile *profile, const char *name)
{
    bool hidden = false;
    for (uint32_t i = 0; i < profile->extension_count; i++)
        if (matches(profile->extensions[i].pattern, name))
            hidden = profile->extensions[i].hide;
    return hidden;
}

/* Whether all that has a thing, a version or a list of extensions, is hidden. */
static bool hides_providers(const struct profile *profile, uint32_t core, const char *extensions)
{
    if (core && core <= profile->api_version)
        return false;
    bool any = core != 0;
    while (*extensions) {
        char name[VK_MAX_EXTENSION_NAME_SIZE] = {0};
        size_t length = strcspn(extensions, " ");
        memcpy(name, extensions, length < sizeof(name) - 1 ? length : sizeof(name) - 1);
        if (!profile_hides_extension(profile, name))
            return false;
        any = true;
        extensions += length;
        extensions += strspn(extensions, " ");
    }
    return any;
}

void profile_finish(struct profile *profile)
{
    for (uint32_t s = 0; s < registry_structure_count; s++) {
        const struct registry_structure *structure = &registry_structures[s];
        profile->structure_hidden[s] = hides_providers(profile, structure->core, structure->extensions);
        if (!profile->structure_hidden[s] || !structure->feature)
            continue;
        for (uint32_t i = 0; i < structure->count; i++)
            profile->member_hidden[structure->first + i] = true;
    }
}

bool profile_hides_command(const struct profile *profile, const char *name)
{
    uint32_t low = 0, high = registry_command_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(name, registry_commands[middle].name);
        if (order == 0)
            return hides_providers(profile, registry_commands[middle].core, registry_commands[middle].extensions);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

bool profile_hides_feature(const struct profile *profile, const char *name)
{
    for (uint32_t i = 0; i < registry_member_count; i++)
        if (profile->member_hidden[i] && !strcmp(registry_members[i].name, name))
            return true;
    return false;
}

bool profile_limit(const struct profile *profile, const char *name, union profile_value *value)
{
    for (uint32_t i = 0; i < profile->limit_count; i++) {
        if (strcmp(registry_members[profile->limits[i].member].name, name) == 0) {
            *value = profile->limits[i].values[0];
            return true;
        }
    }
    return false;
}

uint64_t profile_hidden_format_features(const struct profile *profile, VkFormat format, enum profile_tiling tiling)
{
    uint32_t low = 0, high = registry_format_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (registry_formats[middle].value == (uint64_t)format)
            return profile->format_hidden[middle][tiling];
        if ((uint64_t)format < registry_formats[middle].value)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* The poorer of the driver's number and the profile's, in a limit's direction. */
#define POORER(kind, low_end, mine, theirs)                                                                            \
    ((kind) == LIMIT_MAX || ((kind) == LIMIT_RANGE && !(low_end)) ? ((mine) < (theirs) ? (mine) : (theirs))            \
                                                                  : ((mine) > (theirs) ? (mine) : (theirs)))

static void reduce_element(const struct registry_member *member, bool low_end, union profile_value value, void *data)
{
    enum registry_limit kind = member->limit;
    switch ((enum registry_type)member->type) {
    case TYPE_U32:
    case TYPE_BOOL: {
        uint32_t theirs, mine = value.whole > UINT32_MAX ? UINT32_MAX : (uint32_t)value.whole;
        memcpy(&theirs, data, sizeof(theirs));
        theirs = kind == LIMIT_BITMASK ? (theirs & mine) : POORER(kind, low_end, mine, theirs);
        memcpy(data, &theirs, sizeof(theirs));
        break;
    }
    case TYPE_I32: {
        int32_t theirs, mine = (int32_t)(int64_t)value.whole;
        memcpy(&theirs, data, sizeof(theirs));
        theirs = POORER(kind, low_end, mine, theirs);
        memcpy(data, &theirs, sizeof(theirs));
        break;
    }
    case TYPE_U64: {
        uint64_t theirs, mine = value.whole;
        memcpy(&theirs, data, sizeof(theirs));
        theirs = kind == LIMIT_BITMASK ? (theirs & mine) : POORER(kind, low_end, mine, theirs);
        memcpy(data, &theirs, sizeof(theirs));
        break;
    }
    case TYPE_I64: {
        int64_t theirs, mine = (int64_t)value.whole;
        memcpy(&theirs, data, sizeof(theirs));
        theirs = POORER(kind, low_end, mine, theirs);
        memcpy(data, &theirs, sizeof(theirs));
        break;
    }
    case TYPE_SIZE: {
        size_t theirs, mine = (size_t)value.whole;
        memcpy(&theirs, data, sizeof(theirs));
        theirs = POORER(kind, low_end, mine, theirs);
        memcpy(data, &theirs, sizeof(theirs));
        break;
    }
    case TYPE_FLOAT: {
        float theirs, mine = (float)value.real;
        memcpy(&theirs, data, sizeof(theirs));
        theirs = POORER(kind, low_end, mine, theirs);
        memcpy(data, &theirs, sizeof(theirs));
        break;
    }
    }
}

void profile_reduce(const struct profile *profile, uint32_t index, void *data)
{
    const struct registry_structure *structure = &registry_structures[index];
    for (uint32_t i = structure->first; i < structure->first + structure->count; i++) {
        const struct registry_member *member = &registry_members[i];
        if (structure->feature ? profile->member_hidden[i] : profile->structure_hidden[index])
            memset((char *)data + member->offset, 0, member->size);
    }
    for (uint32_t i = 0; i < profile->limit_count; i++) {
        const struct registry_member *member = &registry_members[profile->limits[i].member];
        if (member->structure != index)
            continue;
        size_t size = element_size(member);
        for (size_t e = 0; e < member->size / size; e++)
            reduce_element(member, e == 0, profile->limits[i].values[e], (char *)data + member->offset + e * size);
    }
}

uint32_t profile_structure(VkStructureType type)
{
    for (uint32_t i = 0; i < registry_structure_count; i++)
        if (registry_structures[i].type == type && type != VK_STRUCTURE_TYPE_MAX_ENUM)
            return i;
    return UINT32_MAX;
}

void profile_reduce_chain(const struct profile *profile, void *chain)
{
    for (VkBaseOutStructure *structure = chain; structure; structure = structure->pNext) {
        uint32_t index = profile_structure(structure->sType);
        if (index != UINT32_MAX)
            profile_reduce(profile, index, structure);
    }
}

const char *profile_hidden_feature_in(const struct profile *profile, uint32_t index, const void *data)
{
    const struct registry_structure *structure = &registry_structures[index];
    for (uint32_t i = structure->first; structure->feature && i < structure->first + structure->count; i++) {
        VkBool32 enabled;
        memcpy(&enabled, (const char *)data + registry_members[i].offset, sizeof(enabled));
        if (enabled && profile->member_hidden[i])
            return registry_members[i].name;
    }
    return NULL;
}
