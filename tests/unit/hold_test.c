/* SPDX-License-Identifier: MIT */
/* Destructions that wait for the last holder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "objects/hold.h"

static void what_nobody_holds_is_destroyed_at_once(void **state)
{
    (void)state;
    struct holds holds;
    assert_true(holds_init(&holds));
    assert_false(hold_postpone(&holds, 7));
    assert_true(hold_take(&holds, 7));
    assert_int_equal(hold_drop(&holds, 7), 0);
    assert_false(hold_postpone(&holds, 7));
    assert_int_equal(hold_drop(&holds, 7), 0); /* of nothing */
    holds_finish(&holds);
}

static void the_last_holder_destroys(void **state)
{
    (void)state;
    struct holds holds;
    assert_true(holds_init(&holds));
    for (unsigned i = 0; i < 3; i++)
        assert_true(hold_take(&holds, 7));
    assert_true(hold_take(&holds, 8));
    assert_true(hold_postpone(&holds, 7));
    assert_int_equal(hold_drop(&holds, 7), 0);
    assert_int_equal(hold_drop(&holds, 8), 0);
    assert_int_equal(hold_drop(&holds, 7), 0);
    assert_int_equal(hold_drop(&holds, 7), 1);
    assert_false(hold_postpone(&holds, 7)); /* the handle came again */
    holds_finish(&holds);
}

static void each_destruction_of_a_shared_handle_counts(void **state)
{
    (void)state;
    struct holds holds;
    assert_true(holds_init(&holds));
    assert_true(hold_take(&holds, 7));
    assert_true(hold_postpone(&holds, 7));
    assert_true(hold_postpone(&holds, 7));
    assert_int_equal(hold_drop(&holds, 7), 2);
    assert_true(hold_take(&holds, 9)); /* freed with the rest */
    holds_finish(&holds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_holds_is_destroyed_at_once),
        cmocka_unit_test(the_last_holder_destroys),
        cmocka_unit_test(each_destruction_of_a_shared_handle_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
