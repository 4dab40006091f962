/// redundant_constraints.c: constraints that follow from the others, told from those that happen to at the start.
#include <stdlib.h>
#include <string.h>

#include "dynamics/redundant_constraints.h"
#include "test.h"

static slip_model *read_model(const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("test.yaml", text, strlen(text), NULL, 0, notes, &model) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_non_null(model);
    return model;
}

// how many constraints of a model are redundant
static int redundant_in(const char *text)
{
    slip_model *model = read_model(text);
    slip_system *system;
    slip_error error;
    int count = 0;
    if (slip_system_create(model, &error, &system) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    for (int i = 0; i < system->constraint_count; i++) count += system->redundant[i];
    slip_system_destroy(system);
    slip_model_destroy(model);
    return count;
}

#define MASSES "slipstick: 1\nname: test\nmass: {a: 1, b: 1, c: 1}\nrun: {until: 1}\n"

// c - a follows from c - b and b - a, whatever the units
static void the_third_of_three_equal(void **state)
{
    (void)state;
    assert_int_equal(redundant_in(MASSES "coordinates: {a: 0.3, b: 0.3, c: 0.3}\n"
                                         "constraints: {k: b - a, l: c - b}\n"),
                     0);
    assert_int_equal(redundant_in(MASSES "coordinates: {a: 0.3, b: 0.3, c: 0.3}\n"
                                         "constraints: {k: b - a, l: 1e6*(c - b), m: 1e-6*(c - a)}\n"),
                     1);
    assert_int_equal(redundant_in(MASSES "coordinates: {a: 3e-7, b: 3e-7, c: 3e-7}\n"
                                         "constraints: {k: sin(b) - sin(a), l: c - b, m: tan(c) - tan(a)}\n"),
                     1);
}

// two rows that are parallel at the start and nowhere else: none of them follows from the other
static void parallel_at_the_start_alone(void **state)
{
    (void)state;
    assert_int_equal(redundant_in(MASSES "coordinates: {a: 0, b: 0, c: 0}\n"
                                         "constraints: {k: b - a^2, l: b + a^2 - c^3 - a^4}\n"),
                     0);
    assert_int_equal(redundant_in(MASSES "coordinates: {a: 0, b: 0, c: 1}\n"
                                         "constraints: {k: b - a^2, l: c*b - c*a^2}\n"),
                     1);
}

// a table that is driven in time may be driven elsewhere later
static void driven_constraints_are_kept(void **state)
{
    (void)state;
    assert_int_equal(redundant_in(MASSES "coordinates: {a: 0, b: 0, c: 0}\n"
                                         "constraints: {k: b - a, l: a, m: b - 0.1*max(t - 1, 0)}\n"),
                     0);
}

#define GRID_ROW(r, y)                                                                                       \
    "  b" #r "1: {mass: 1, inertia: 0.1, x: 1, y: " #y ", points: {r: [1, 0], d: [0, -1], l: [0, 0]}}\n"     \
    "  b" #r "2: {mass: 1, inertia: 0.1, x: 2, y: " #y ", points: {r: [1, 0], d: [0, -1], l: [0, 0]}}\n"     \
    "  b" #r "3: {mass: 1, inertia: 0.1, x: 3, y: " #y ", points: {r: [1, 0], d: [0, -1], l: [0, 0]}}\n"
#define FIRST(r, y)                                                                                          \
    "  b" #r "0: {mass: 1, inertia: 0.1, x: 0, y: " #y ", points: {r: [1, 0], d: [0, -1], l: [0, 0]}}\n"
#define ACROSS(r)                                                                                            \
    "  h" #r "0: {revolute: [b" #r "0.r, b" #r "1.l]}\n  h" #r "1: {revolute: [b" #r "1.r, b" #r "2.l]}\n"   \
    "  h" #r "2: {revolute: [b" #r "2.r, b" #r "3.l]}\n"
#define DOWN(r, s)                                                                                           \
    "  v" #r "0: {revolute: [b" #r "0.d, b" #s "0.l]}\n  v" #r "1: {revolute: [b" #r "1.d, b" #s "1.l]}\n"   \
    "  v" #r "2: {revolute: [b" #r "2.d, b" #s "2.l]}\n  v" #r "3: {revolute: [b" #r "3.d, b" #s "3.l]}\n"

// 46 coordinates and 48 equations; the grid turns, and its last body by itself, so 44 of them are independent
static void four_by_four_hinged_bodies(void **state)
{
    (void)state;
    assert_int_equal(
        redundant_in("slipstick: 1\nname: grid\ngravity: 9.81\nbodies:\n  ground: {}\n"
                     "  b00: {mass: 1, inertia: 0.1, joint: {revolute: ground}, points: {r: [1, 0], d: "
                     "[0, -1], l: [0, 0]}}\n" GRID_ROW(0, 0) FIRST(1, -1) GRID_ROW(1, -1) FIRST(2, -2)
                         GRID_ROW(2, -2) FIRST(3, -3) GRID_ROW(3, -3) "joints:\n" ACROSS(0) ACROSS(1)
                             ACROSS(2) ACROSS(3) DOWN(0, 1) DOWN(1, 2) DOWN(2, 3) "run: {until: 1}\n"),
        4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_of_three_equal),
        cmocka_unit_test(parallel_at_the_start_alone),
        cmocka_unit_test(driven_constraints_are_kept),
        cmocka_unit_test(four_by_four_hinged_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
