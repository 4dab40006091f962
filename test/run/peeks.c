/// peeks.c: rows between the steps of a run leave no trace in it: its end has the same bits without them.
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "slipstick/slipstick.h"

enum { MAX_COLUMNS = 64 };

// where steps are cut: at the border of a force, of a friction, where gaps close, at events, at a known time,
// and contacts that close within a row
static const struct {
    const char *name, *text;
} machines[] = {
    { "strip", "coordinates: {x: {start: -0.5, rate: 4}}\nmass: {x: 1}\n"
               "forces: {x: -if(abs(x) < 0.25 mm, 14000, 0)}\nfrictions: {f: {slip: x, limit: 0}}\n" },
    { "ice", "coordinates: {x: {start: -0.5, rate: 4}}\nmass: {x: 1}\n"
             "frictions: {f: {slip: x, limit: \"if(x > 0.1 and x < 0.3, 0.1, 2)\"}}\n" },
    { "bell", "coordinates: {x: {start: -0.5, rate: 4}}\nmass: {x: 1}\n"
              "forces: {x: -60*exp(-(x/0.01)^2)}\nfrictions: {f: {slip: x, limit: 0.5}}\n" },
    { "ball", "coordinates: {y: 0.3}\nenergy: {kinetic: \"0.5*y'^2\", potential: 9.81*y}\n"
              "forces: {y: \"if(t > 0.1 and t < 0.101, 30, 0)\"}\n"
              "contacts: {floor: {gap: y, restitution: 0.7}}\n" },
};

static bool find_end(const slip_model *model, const slip_sim_def *def, double every, double *end)
{
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    if (slip_sim_create(model, def, &error, &sim) != SLIP_OK) return false;
    slip_run_def run = slip_default_run_def();
    run.every = every;
    run.companion = false;
    slip_run_info info;
    assert_int_equal(slip_run(sim, &run, &info, &error), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_DONE);
    assert_true(slip_sim_column_count(sim) <= MAX_COLUMNS);
    slip_sim_columns(sim, end);
    slip_sim_destroy(sim);
    return true;
}

static int compare(const slip_model *model, const char *name, const char *formulation, const char *integrator)
{
    double end[2][MAX_COLUMNS] = { { 0 } };
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.integrator = integrator;
    def.until = 0.6;
    for (int k = 0; k < 2; k++)
        if (!find_end(model, &def, k ? 0.0137 : 1.0, end[k])) return 0;
    if (memcmp(end[0], end[1], sizeof end[0]) != 0)
        fail_msg("%s under %s, %s: rows in between change the end from %.17g to %.17g", name, formulation,
                 integrator ? integrator : "-", end[0][1], end[1][1]);
    return 1;
}

static void rows_in_between_leave_no_trace(void **state)
{
    (void)state;
    static const char *const integrators[] = { NULL, "cash-karp", "sdirk4", "esdirk4", "substeps", "rk4" };
    int compared = 0;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        char text[600];
        snprintf(text, sizeof text, "slipstick: 1\nname: %s\n%s", machines[m].name, machines[m].text);
        slip_model *model = read_model("", text, "", ";");
        slip_part_info part;
        for (int f = 0; slip_part(SLIP_FORMULATIONS, f, &part); f++)
            for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
                compared += compare(model, machines[m].name, part.name, integrators[i]);
        slip_model_destroy(model);
    }
    assert_true(compared > 4 * 9);
}

// a box that tips over an edge: contacts that close on the way to a row are closed from there on
static void a_row_behind_a_contact_that_closes(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: edge\ngravity: 9.81\nbodies:\n  ground: {shape: {box: [2, 0.2], at: "
                   "[-1, -0.1]}}\n"
                   "  box: {mass: 1, inertia: 0.25/60, x: {start: -0.1, rate: 0.3}, y: {start: 0.05}, "
                   "shape: {box: [0.2, 0.1]}}\ncontacts: {edge: {between: [box, ground], friction: 0}}\n",
                   "", ";");
    assert_int_equal(compare(model, "edge", "kelvin-voigt", "esdirk4"), 1);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_between_leave_no_trace),
        cmocka_unit_test(a_row_behind_a_contact_that_closes),
    };
    return cmocka_run_group_tests_name("peeks", tests, NULL, NULL);
}
