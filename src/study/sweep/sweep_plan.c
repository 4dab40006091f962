/// study/sweep/sweep_plan.c: the parameter values of each run of a sweep.
#include "study/sweep/sweep_plan.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "study/sweep/sampling.h"

// ----------------------------------------------------------------------------------------------- checks

static slip_status report_bad_value(slip_error *error, const char *key, const char *what)
{
    return slip_fail(error, SLIP_BAD_ARGUMENT, key, "%s", what);
}

static slip_status check_values(const char *key, const double *values, long count, slip_error *error)
{
    if (!key || !key[0]) return report_bad_value(error, "sweep", "what is to be varied has no name");
    if (count < 1) return report_bad_value(error, key, "has no values to go through");
    for (long k = 0; k < count; k++)
        if (!isfinite(values[k])) return report_bad_value(error, key, "has a value that is not finite");
    return SLIP_OK;
}

static slip_status check_draw(const slip_distribution *d, slip_error *error)
{
    if (!d->key || !d->key[0]) return report_bad_value(error, "sweep", "what is to be drawn has no name");
    if (!isfinite(d->a) || !isfinite(d->b))
        return report_bad_value(error, d->key, "is drawn between numbers that are not finite");
    if (d->kind == SLIP_DISTRIBUTION_NORMAL && !(d->b >= 0.0))
        return report_bad_value(error, d->key, "has a negative standard deviation");
    if (d->kind != SLIP_DISTRIBUTION_NORMAL && !(d->a <= d->b))
        return report_bad_value(error, d->key, "is drawn between bounds in the wrong order");
    if (d->kind == SLIP_DISTRIBUTION_LOG_UNIFORM && !(d->a > 0.0))
        return report_bad_value(error, d->key, "is drawn by its logarithm and must be > 0");
    return SLIP_OK;
}

static slip_status check_parts(const slip_sweep_def *def, slip_error *error)
{
    slip_status status = SLIP_OK;
    for (int k = 0; k < def->axis_count && status == SLIP_OK; k++)
        status = check_values(def->axes[k].key, def->axes[k].values, def->axes[k].count, error);
    for (int k = 0; k < def->table_columns && status == SLIP_OK; k++)
        status = check_values(def->table_keys[k], def->table + k, def->table_rows > 0, error);
    for (long k = 0; k < def->table_rows * def->table_columns && status == SLIP_OK; k++)
        if (!isfinite(def->table[k]))
            status = report_bad_value(error, def->table_keys[k % def->table_columns],
                                      "has a value that is not finite");
    for (int k = 0; k < def->draw_count && status == SLIP_OK; k++) status = check_draw(&def->draws[k], error);
    return status;
}

static slip_status check_names(const slip_sweep_plan *plan, slip_error *error)
{
    for (int k = 0; slip_sweep_plan_key(plan, k); k++)
        for (int j = 0; j < k; j++)
            if (strcmp(slip_sweep_plan_key(plan, j), slip_sweep_plan_key(plan, k)) == 0)
                return report_bad_value(error, slip_sweep_plan_key(plan, k), "is varied twice");
    return SLIP_OK;
}

static slip_status check_whole(const slip_sweep_def *def, slip_error *error)
{
    if (def->samples < 1) return report_bad_value(error, "samples", "must be 1 at least");
    if (def->samples > 1 && def->draw_count == 0)
        return report_bad_value(error, "samples", "without a distribution are all the same");
    if (def->sampling == SLIP_SAMPLING_SOBOL && def->draw_count > SLIP_SOBOL_MAX)
        return report_bad_value(error, "sampling", "by Sobol's sequence takes 10 distributions at the most");
    if (def->follow && def->axis_count == 0)
        return report_bad_value(error, "follow", "needs an axis to follow");
    if (def->after < 0.0 || isnan(def->after))
        return report_bad_value(error, "after", "must not be negative");
    if (def->strobe < 0.0 || isnan(def->strobe))
        return report_bad_value(error, "strobe", "must be a time > 0");
    return SLIP_OK;
}

// false when there are more runs than can be numbered
static bool multiply_count(long *count, long by)
{
    if (by < 1 || *count > LONG_MAX / 4 / by) return false;
    *count *= by;
    return true;
}

slip_status slip_sweep_plan_create(const slip_sweep_def *def, slip_error *error, slip_sweep_plan *plan)
{
    *plan = (slip_sweep_plan){ .def = def, .count = 1, .line = 1 };
    slip_status status = check_parts(def, error);
    if (status == SLIP_OK) status = check_names(plan, error);
    if (status == SLIP_OK) status = check_whole(def, error);
    if (status != SLIP_OK) return status;
    bool fits = multiply_count(&plan->count, def->samples);
    for (int k = 0; k < def->axis_count; k++) fits = fits && multiply_count(&plan->count, def->axes[k].count);
    if (def->table_columns > 0) fits = fits && multiply_count(&plan->count, def->table_rows);
    if (def->follow) {
        plan->line = 2 * (long)def->axes[0].count;
        fits = fits && multiply_count(&plan->count, 2);
    }
    return fits ? SLIP_OK : report_bad_value(error, "sweep", "has more runs than can be numbered");
}

// ------------------------------------------------------------------------------------------------ points

int slip_sweep_plan_key_count(const slip_sweep_plan *plan)
{
    return plan->def->axis_count + plan->def->table_columns + plan->def->draw_count;
}

const char *slip_sweep_plan_key(const slip_sweep_plan *plan, int k)
{
    const slip_sweep_def *def = plan->def;
    if (k < 0 || k >= slip_sweep_plan_key_count(plan)) return NULL;
    if (k < def->axis_count) return def->axes[k].key;
    k -= def->axis_count;
    return k < def->table_columns ? def->table_keys[k] : def->draws[k - def->table_columns].key;
}

// A run's number is written in mixed digits: the axes, the first one slowest, the row of the table, the
// sample. A followed axis counts up and then down.
static double axis_value(const slip_sweep_plan *plan, long point, int axis)
{
    const slip_sweep_def *def = plan->def;
    if (def->table_columns > 0) point /= def->table_rows;
    for (int k = def->axis_count - 1; k > axis; k--) point /= def->axes[k].count;
    const long count = def->axes[axis].count;
    if (axis > 0 || !def->follow) return def->axes[axis].values[point % count];
    return def->axes[axis].values[point < count ? point : 2 * count - 1 - point];
}

double slip_sweep_plan_value(const slip_sweep_plan *plan, long run, int k)
{
    const slip_sweep_def *def = plan->def;
    const long point = run / def->samples;
    if (k < def->axis_count) return axis_value(plan, point, k);
    k -= def->axis_count;
    if (k < def->table_columns) return def->table[point % def->table_rows * def->table_columns + k];
    k -= def->table_columns;
    // the same samples at every point, so that what differs between points is not their noise
    const double uniform = slip_sampling_coordinate(def->sampling, def->seed, (uint64_t)(run % def->samples),
                                                    (uint64_t)def->samples, k);
    return slip_distribution_quantile(&def->draws[k], uniform);
}

long slip_sweep_plan_run(const slip_sweep_plan *plan, long line, long k)
{
    return k * (plan->count / plan->line) + line;
}
