/* SPDX-License-Identifier: MIT */
/*
 * The layer takes no more than 64 bytes of the room that the C library keeps for thread-local words of libraries that
 * are loaded later, all libraries of a process together. Arguments: the layer, and a library that has 64
 * (tls_beside.c).
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "platform/library.h"
#include "system.h"

enum { WORDS_MOST = 64, LIBRARIES_MOST = 400 };

static const char *layer_path, *beside_path;

/* Bytes of its segment of thread-local words; 0: it has none. */
static size_t words_of(const char *path)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) segment;
    size_t bytes = 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(&head, sizeof(head), 1, file), 1);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        assert_int_equal(fseek(file, (long)(head.e_phoff + i * head.e_phentsize), SEEK_SET), 0);
        assert_int_equal(fread(&segment, sizeof(segment), 1, file), 1);
        if (segment.p_type == PT_TLS)
            bytes = segment.p_memsz;
    }
    fclose(file);
    return bytes;
}

static void the_segment_has_64_bytes_at_most(void **state)
{
    (void)state;
    assert_int_equal(words_of(beside_path), WORDS_MOST); /* what is read is what there is */
    const size_t words = words_of(layer_path);
    assert_true(words >= sizeof(void *) && words <= WORDS_MOST);
}

static void copy(const char *from, const char *to)
{
    static char bytes[1 << 20];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    const size_t size = fread(bytes, 1, sizeof(bytes), in);
    assert_true(size > 0 && size < sizeof(bytes));
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(in);
    fclose(out);
}

/* As many of the other library as there is room for, less one: that is what the layer gets. */
static void it_loads_where_64_bytes_are_left(void **state)
{
    char folder[64] = "/tmp/clampler-tls-XXXXXX", path[128];
    void *libraries[LIBRARIES_MOST];
    uint32_t count = 0;
    (void)state;
    assert_non_null(mkdtemp_of(folder, sizeof(folder)));
    do {
        snprintf(path, sizeof(path), "%s/%u.so", folder, count);
        copy(beside_path, path);
        libraries[count] = library_open(path);
    } while (libraries[count] && ++count < LIBRARIES_MOST);
    remove_folder_of(folder);
    if (count == LIBRARIES_MOST)
        skip(); /* this C library keeps such words elsewhere */
    assert_true(count > 1);
    library_close(libraries[count - 1]);
    void *layer = library_open(layer_path);
    assert_non_null(layer);
    assert_non_null(library_function(layer, "vkNegotiateLoaderLayerInterfaceVersion"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_segment_has_64_bytes_at_most),
        cmocka_unit_test(it_loads_where_64_bytes_are_left),
    };
    if (argc != 3)
        return 2;
    layer_path = argv[1];
    beside_path = argv[2];
    return cmocka_run_group_tests_name("tls", tests, NULL, NULL);
}
