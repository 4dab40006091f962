/// repeat.c: parts that are written once and stand for many; sums.
#include <math.h>

#include "models.h"

#define HEAD "slipstick: 1\nname: r\n"

static char *description(const char *text, const char *sets)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_error error;
    char *out = NULL;
    assert_int_equal(slip_model_describe(model, &error, &out), SLIP_OK);
    slip_model_destroy(model);
    return out;
}

static void same_model(const char *repeated, const char *sets, const char *written)
{
    char *a = description(repeated, sets), *b = description(written, "");
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static double value_at_start(const char *text, const char *column)
{
    slip_model *model = read_model("", text, "", " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    slip_sim *sim = make_sim(model, &def);
    double value = slip_sim_get(sim, column);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return value;
}

static void copies_are_what_one_would_write(void **state)
{
    (void)state;
    const char *repeated = HEAD "parameters: {n: 3}\n"
                                "repeat: {for: {i: 1..n}, coordinates: {x(i): 0.1*i}, mass: {x(i): i + 1}, "
                                "contacts: {c(i): {gap: x(i), restitution: 0.1*i}}}\n";
    same_model(repeated, "",
               HEAD "coordinates: {x1: 0.1, x2: 0.2, x3: 0.3}\nmass: {x1: 2, x2: 3, x3: 4}\n"
                    "contacts: {c1: {gap: x1, restitution: 0.1}, c2: {gap: x2, restitution: 0.2}, "
                    "c3: {gap: x3, restitution: 0.1*3}}\n");
    same_model(repeated, "n=1",
               HEAD "coordinates: {x1: 0.1}\nmass: {x1: 2}\ncontacts: {c1: {gap: x1, restitution: 0.1}}\n");
    same_model(repeated, "contacts.c2.restitution=0.7 n=2",
               HEAD "coordinates: {x1: 0.1, x2: 0.2}\nmass: {x1: 2, x2: 3}\n"
                    "contacts: {c1: {gap: x1, restitution: 0.1}, c2: {gap: x2, restitution: 0.7}}\n");
}

// commas within the parentheses of a key, and of formulas beside it, do not split a map in { }
static void keys_with_commas(void **state)
{
    (void)state;
    same_model(HEAD "define: {hyp(a, b): sqrt(a^2 + b^2), low: min(1, max(2, 3))}\n"
                    "repeat: {for: {i: 1..2, j: 1..1, k: 7..7}, coordinates: {x(i, j, k): {start: 0.1*i}}, "
                    "mass: {x(i, j, k): 2}, forces: {x(i, j, k): -hyp(x(i, j, k), low)}}\n",
               "",
               HEAD "coordinates: {x1_1_7: 0.1, x2_1_7: 0.2}\nmass: {x1_1_7: 2, x2_1_7: 2}\n"
                    "define: {low: min(1, max(2, 3))}\n"
                    "forces: {x1_1_7: -sqrt(x1_1_7^2 + low^2), x2_1_7: -sqrt(x2_1_7^2 + low^2)}\n");
}

static void indices_nest_and_depend(void **state)
{
    (void)state;
    same_model(HEAD "repeat:\n- for: {i: 1..2, j: 1..i}\n  coordinates: {\"x(i, j)\": 0, y1(i*j): 0}\n  "
                    "mass: {\"x(i, j)\": 1, y1(i*j): 1}\n",
               "",
               HEAD "coordinates: {x1_1: 0, x2_1: 0, x2_2: 0, y1_1: 0, y1_2: 0, y1_4: 0}\n"
                    "mass: {x1_1: 1, x2_1: 1, x2_2: 1, y1_1: 1, y1_2: 1, y1_4: 1}\n");
    same_model(HEAD "repeat: {for: {i: [2, 3, 5]}, coordinates: {x(i): 0}, mass: {x(i): 1}}\n", "",
               HEAD "coordinates: {x2: 0, x3: 0, x5: 0}\nmass: {x2: 1, x3: 1, x5: 1}\n");
}

// a map without an index is the one that is there, however deep
static void maps_are_merged(void **state)
{
    (void)state;
    same_model(
        HEAD "bodies: {ground: {shapes: {peg0: {point: [0, 0]}}}, b: {mass: 1, shape: {circle: 0.1}}}\n"
             "repeat: {for: {i: 1..2}, bodies: {ground: {shapes: {peg(i): {point: [i, 0]}}}}, "
             "contacts: {c(i): {between: [b, ground.peg(i)]}}}\n"
             "contacts: {c0: {between: [b, ground.peg0]}}\n",
        "",
        HEAD
        "bodies: {ground: {shapes: {peg0: {point: [0, 0]}, peg1: {point: [1, 0]}, peg2: {point: [2, 0]}}}, "
        "b: {mass: 1, shape: {circle: 0.1}}}\n"
        "contacts: {c0: {between: [b, ground.peg0]}, c1: {between: [b, ground.peg1]}, "
        "c2: {between: [b, ground.peg2]}}\n");
}

static void sums_are_written_out(void **state)
{
    (void)state;
    const char *text = HEAD
        "parameters: {n: 4}\ncoordinates: {x1: 1, x2: 2, x3: 4, x4: 8}\nmass: {x1: 1, x2: 1, x3: 1, x4: 1}\n"
        "record: {all: \"sum(i=1..n, x(i))\", squares: \"2*sum(k = 1..n, k^2) + 1\", "
        "pairs: \"sum(i=1..n, sum(j=1..i-1, x(i)*x(j)))\", none: \"sum(i=1..0, x(i)) + 5\"}\n";
    assert_near(value_at_start(text, "all"), 15, 0);
    assert_near(value_at_start(text, "squares"), 61, 0);
    assert_near(value_at_start(text, "pairs"), (225.0 - 85.0) / 2, 0); // ((sum)^2 - sum of squares)/2
    assert_near(value_at_start(text, "none"), 5, 0);
}

// a parameter that counts parts cannot be varied in place
static void a_number_of_parts_can_be_varied(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "chain-of-spheres", "", " "), *longer = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    assert_int_equal(slip_model_vary(model, (const char *[]){ "n=12" }, 1, notes, &longer), SLIP_OK);
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = make_sim(longer, &def);
    assert_near(slip_sim_get(sim, "x12"), 0, 0);
    assert_true(isnan(slip_sim_get(sim, "x13")));
    slip_sim_destroy(sim);
    slip_model_destroy(longer);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_what_one_would_write),
        cmocka_unit_test(keys_with_commas),
        cmocka_unit_test(indices_nest_and_depend),
        cmocka_unit_test(maps_are_merged),
        cmocka_unit_test(sums_are_written_out),
        cmocka_unit_test(a_number_of_parts_can_be_varied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
