/// sweeps.h: what tests of sweeps share.
#ifndef SLIP_TEST_SWEEPS_H
#define SLIP_TEST_SWEEPS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"

static inline slip_sweep *run_sweep(const slip_sweep_def *def)
{
    slip_error error = { 0 };
    slip_sweep *sweep = NULL;
    if (slip_sweep_run(def, &error, &sweep) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    assert_int_equal(slip_sweep_done_count(sweep), slip_sweep_run_count(sweep));
    return sweep;
}

/// A kept value of a run by its name.
static inline double value_of(const slip_sweep *sweep, long run, const char *name)
{
    for (int k = 0; slip_sweep_value_name(sweep, k); k++)
        if (strcmp(slip_sweep_value_name(sweep, k), name) == 0)
            return slip_sweep_result_of(sweep, run).values[k];
    fail_msg("no value is called %s", name);
    return NAN;
}

#endif
