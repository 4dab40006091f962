/// renamed_keys.c: keys under their former names: they are read as the present ones, with one note at the first
/// place, wherever they stand.
#include "helper.h"

#define BALL                                                                                                 \
    "slipstick: 1\nname: n\nspace: 3\ngravity: 9.81\nbodies:\n"                                              \
    "  ball: {mass: 1, inertia: 0.1, shape: {sphere: 0.1}, z: 0.1}\n"                                        \
    "  ground: {shape: {plane: [0, 0, 0]}}\n"

static void assert_note(const char *said, const char *place, const char *old, const char *now)
{
    char expected[200];
    snprintf(expected, sizeof expected,
             "%s: note: '%s' is now called '%s'; the old name is still read in this version\n", place, old,
             now);
    if (strncmp(said, expected, strlen(expected)) != 0) print_error("expected %s\ngot %s\n", expected, said);
    assert_int_equal(strncmp(said, expected, strlen(expected)), 0);
    assert_null(strstr(said + strlen(expected), "note:"));
    assert_null(strstr(said, "warning:"));
}

static bool has_element(const slip_model *m, const char *name)
{
    for (int k = 0; k < m->element_count; k++)
        if (strcmp(m->contacts[k].name, name) == 0) return true;
    return false;
}

static slip_model *read_noted(const char *text, const char *set, const char *place, const char *old,
                              const char *now)
{
    char *said;
    slip_model *m = read_saying(text, &set, set ? 1 : 0, &said, NULL);
    assert_note(said, place, old, now);
    free(said);
    assert_non_null(m);
    return m;
}

static void detect_was_found(void **state)
{
    (void)state;
    slip_model_destroy(read_noted(BALL "contacts: {c: {found: [ball, ground]}, d: {found: ball}}\n", NULL,
                                  "m.yaml:8:16", "found", "detect"));
    slip_model_destroy(read_quietly(BALL "contacts: {c: {detect: [ball, ground]}}\n", NULL, 0));
    // in a block that is repeated, and by --set
    slip_model_destroy(read_noted(BALL
                                  "repeat: {for: {i: 1..2}, contacts: {c(i): {found: [ball, ground]}}}\n",
                                  NULL, "m.yaml:8:44", "found", "detect"));
    slip_model_destroy(read_noted(BALL "contacts: {c: {detect: ball}}\n", "contacts.c.found=[ball, ground]",
                                  "--set:1:12", "found", "detect"));
}

// the friction that a contact declares keeps the name that the file knows it by
static void spinning_was_drilling(void **state)
{
    (void)state;
    slip_model *m =
        read_noted(BALL "contacts: {c: {between: [ball, ground], friction: 0.3, drilling: 1 mm}}\n"
                        "record: {m: c_drilling.friction}\n",
                   NULL, "m.yaml:8:56", "drilling", "spinning");
    assert_true(has_element(m, "c_drilling"));
    slip_model_destroy(m);
    m = read_quietly(BALL "contacts: {c: {between: [ball, ground], friction: 0.3, spinning: 1 mm}}\n"
                          "record: {m: c_spinning.friction}\n",
                     NULL, 0);
    assert_true(has_element(m, "c_spinning"));
    slip_model_destroy(m);
    // --set by the old name changes the number, not the name
    m = read_noted(BALL "contacts: {c: {between: [ball, ground], friction: 0.3, spinning: 1 mm}}\n",
                   "contacts.c.drilling=2 mm", "--set:1:12", "drilling", "spinning");
    assert_true(has_element(m, "c_spinning"));
    slip_model_destroy(m);
    m = read_noted(BALL "contacts: {c: {between: [ball, ground]}}\n",
                   "contacts.c={between: [ball, ground], friction: 0.3, drilling: 2 mm}", "--set:1:53",
                   "drilling", "spinning");
    slip_model_destroy(m);
    slip_model_destroy(read_noted(BALL "contacts: {c: {detect: [ball, ground]}}\n"
                                       "materials: {a: {a: {drilling: 1 mm}}}\n",
                                  NULL, "m.yaml:9:21", "drilling", "spinning"));
}

// what a patch declares had the old name too
static void friction_of_a_patch(void **state)
{
    (void)state;
    slip_model *m =
        read_noted(BALL "contacts: {c: {between: [ball, ground], friction: 0.3, patch: {radius: 1 mm}}}\n"
                        "record: {m: c_drilling.friction}\n",
                   NULL, "m.yaml:8:12", "c_drilling", "c_spinning");
    assert_true(has_element(m, "c_spinning"));
    slip_model_destroy(m);
}

#define BLOCK "slipstick: 1\nname: n\nparameters: {m: 1}\ncoordinates: {x: 0}\nenergy: {kinetic: m*x'^2/2}\n"
static void distributions_were_spread(void **state)
{
    (void)state;
    slip_model *m =
        read_noted(BLOCK "spread: {m: {normal: [1, 0.1]}}\n", NULL, "m.yaml:6:1", "spread", "distributions");
    assert_int_equal(slip_model_distribution_count(m), 1);
    // a variation has been told of before
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *varied = NULL;
    assert_int_equal(slip_model_vary(m, &(const char *){ "energy.potential=x" }, 1, notes, &varied), SLIP_OK);
    assert_int_equal(slip_diagnostics_count(notes), 0);
    assert_int_equal(slip_model_distribution_count(varied), 1);
    slip_model_destroy(varied);
    slip_diagnostics_destroy(notes);
    slip_model_destroy(m);
    m = read_noted(BLOCK, "spread={m: {uniform: [1, 2]}}", "--set:1:1", "spread", "distributions");
    assert_int_equal(slip_model_distribution_count(m), 1);
    slip_model_destroy(m);
}

static void both_names_are_a_mistake(void **state)
{
    (void)state;
    char *said;
    slip_model *m =
        read_saying(BLOCK "spread: {m: {normal: [1, 0.1]}}\ndistributions: {m: {normal: [1, 0.1]}}\n", NULL,
                    0, &said, NULL);
    assert_null(m);
    assert_non_null(
        strstr(said, "m.yaml:6:1: error: 'spread' is the former name of 'distributions', which is here too"));
    free(said);
}

// the manual and suggestions have the present names only
static void tables_have_the_new_names(void **state)
{
    (void)state;
    slip_key_info *keys;
    const int count = slip_model_keys(&keys);
    bool detect = false;
    for (int k = 0; k < count; k++) {
        assert_null(strstr(keys[k].path, "drilling"));
        assert_null(strstr(keys[k].path, ".found"));
        detect = detect || strcmp(keys[k].path, "contacts.*.detect") == 0;
    }
    assert_true(detect);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detect_was_found),         cmocka_unit_test(spinning_was_drilling),
        cmocka_unit_test(friction_of_a_patch),      cmocka_unit_test(distributions_were_spread),
        cmocka_unit_test(both_names_are_a_mistake), cmocka_unit_test(tables_have_the_new_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
