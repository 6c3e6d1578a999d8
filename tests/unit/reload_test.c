/* SPDX-License-Identifier: MIT */
/*
 * The layer can be loaded as often as a process creates instances, beside drivers with thread-local words of their own.
 * Arguments: the layer, and a library that plays such a driver (reload_beside.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "platform/library.h"

enum { TIMES = 2000 }; /* glibc's room for some 30 such libraries, many times over */

static const char *layer_path, *beside_path;

static void *load(const char *path)
{
    void *library = library_open(path);
    assert_non_null(library);
    return library;
}

static void it_loads_as_often_as_wished(void **state)
{
    int *(*word)(void) = NULL;
    (void)state;
    for (uint32_t i = 0; i < TIMES; i++) {
        void *layer = load(layer_path), *beside = load(beside_path);
        *(void **)&word = library_function(beside, "reload_word");
        assert_non_null(word);
        assert_int_equal(*word(), 0); /* it is a library of its own each time */
        *word() = 1;
        assert_non_null(library_function(layer, "vkNegotiateLoaderLayerInterfaceVersion"));
        library_close(layer); /* first, so that its words are not the last ones */
        library_close(beside);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_loads_as_often_as_wished)};
    if (argc != 3)
        return 2;
    layer_path = argv[1];
    beside_path = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
