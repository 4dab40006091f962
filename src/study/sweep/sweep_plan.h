/// study/sweep/sweep_plan.h: the parameter values of each run of a sweep.
#ifndef SLIP_STUDY_SWEEP_SWEEP_PLAN_H
#define SLIP_STUDY_SWEEP_SWEEP_PLAN_H

#include "slipstick/sweep.h"

typedef struct slip_sweep_plan {
    const slip_sweep_def *def;
    long count; ///< runs
    long line;  ///< runs that must be made one after the other: 1, or those along the followed axis
} slip_sweep_plan;

/// Checks the numbers of a definition.
slip_status slip_sweep_plan_create(const slip_sweep_def *def, slip_error *error, slip_sweep_plan *plan);

int slip_sweep_plan_key_count(const slip_sweep_plan *plan);
const char *slip_sweep_plan_key(const slip_sweep_plan *plan, int k);
double slip_sweep_plan_value(const slip_sweep_plan *plan, long run, int k);

/// Number of the run `k` of line `line`, 0 <= k < plan->line.
long slip_sweep_plan_run(const slip_sweep_plan *plan, long line, long k);

#endif
