/// lag.c: the verdict of a run is that of an analysis at the same state, step by step.
#include <math.h>
#include <string.h>

#include "models.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"

// the longest time for which a run and an analysis of its states disagree
static double lag_of(const char *folder, const char *name, const char *sets, double until, int *changes)
{
    slip_model *model = read_model(folder, name, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_analysis *analysis = NULL;
    def.formulation = "lcp";
    def.until = until;
    slip_sim *sim = make_sim(model, &def);
    assert_int_equal(slip_analysis_create(model, &def, &error, &analysis), SLIP_OK);
    double *row = malloc((size_t)slip_sim_column_count(sim) * sizeof *row), since = NAN, longest = 0.0;
    slip_verdict before = SLIP_VERDICT_COUNT;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        slip_sim_columns(sim, row);
        if (slip_analysis_at(analysis, row[0], row + 1, row + 1 + model->coordinate_count, &error) != SLIP_OK)
            continue;
        slip_verdict now = slip_analysis_verdict(analysis), run = sim->method->trust.now;
        *changes += before != SLIP_VERDICT_COUNT && now != before;
        before = now;
        bool differ = now != run && now != SLIP_UNKNOWN_VERDICT && run != SLIP_UNKNOWN_VERDICT;
        if (!differ) since = NAN;
        if (differ && isnan(since)) since = row[0];
        if (differ) longest = fmax(longest, row[0] - since);
    }
    free(row);
    slip_analysis_destroy(analysis);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return longest;
}

// a tall block whose friction grows while it slides: the contact problem passes through the paradox
static const char *const block = "slipstick: 1\nname: Block\nparameters: {h: 0.5, s: 1, k: 5, v: 3}\n"
                                 "coordinates: {x: {rate: v}, y: 0, th: 0}\n"
                                 "energy: {kinetic: 0.5*(x'^2 + y'^2 + 0.05*th'^2), potential: 9.81*y}\n"
                                 "contacts:\n"
                                 "  left: {gap: y - 0.2*th, slip: x + h*th, friction: 0.2 + k*t}\n"
                                 "  right: {gap: y + 0.2*th, slip: x + h*th, friction: s*(0.2 + k*t)}\n"
                                 "  side: {gap: 0.3 - 0.5*x + 0.1*th, slip: y, friction: 0.1}\n"
                                 "run: {step: 1 ms, until: 0.3}\n";

static void runs_keep_up(void **state)
{
    (void)state;
    int changes = 0;
    double latest = 0.0;
    for (int k = 0; k < 150; k++) {
        char sets[96];
        snprintf(sets, sizeof sets, "mu=%g", 0.6 + 0.012 * k);
        latest = fmax(latest, lag_of("song", "rod-case2", sets, 0.1, &changes));
        snprintf(sets, sizeof sets, "h=%g;s=%g;k=%g;v=%g", 0.1 + 0.01 * k, 0.5 + 0.01 * k,
                 5.0 + 2.0 * (k % 17), 2.0 + 0.5 * (k % 11));
        double late = lag_of("", block, sets, 0.3, &changes);
        if (late > 1e-6) print_error("%s: %g s\n", sets, late);
        latest = fmax(latest, late);
    }
    assert_true(latest <= 1e-6);
    assert_true(changes > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(runs_keep_up) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
