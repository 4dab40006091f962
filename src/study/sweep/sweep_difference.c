/// study/sweep/sweep_difference.c: differences between the results of two sweeps over the same points.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "study/sweep/run_statistics.h"
#include "study/sweep/sweep.h"
#include "study/sweep/sweep_tolerances.h"

// -------------------------------------------------------------------------------------------------- values

static int value_index(const slip_sweep *s, const char *name)
{
    for (int k = 0; k < s->width; k++)
        if (strcmp(s->value_name[k], name) == 0) return k;
    return -1;
}

// A value of a run; NaN if the run was not made, ended early, or has no such value.
static double comparable_value(const slip_sweep *s, long run, int k)
{
    const slip_sweep_run_record *r = &s->records[run];
    return r->done && !r->refused && r->outcome == SLIP_DONE ? s->values[run * s->width + k] : NAN;
}

bool slip_sweep_difference_of(const slip_sweep *first, const slip_sweep *other, int k,
                              slip_sweep_difference *shift)
{
    const int j = k >= 0 && k < first->width ? value_index(other, first->value_name[k]) : -1;
    if (j < 0 || first->plan.count != other->plan.count) return false;
    *shift = (slip_sweep_difference){
        .name = first->value_name[k], .at = -1, .least = NAN, .greatest = NAN, .mean = NAN, .most = NAN
    };
    double sum = 0.0;
    for (long run = 0; run < first->plan.count; run++) {
        const double a = comparable_value(first, run, k), b = comparable_value(other, run, j),
                     far = fabs(b - a);
        shift->least = fmin(shift->least, a), shift->greatest = fmax(shift->greatest, a);
        shift->alone += isnan(a) != isnan(b);
        if (isnan(far)) continue;
        shift->runs++;
        sum += far;
        if (shift->at < 0 || far > shift->most) shift->most = far, shift->at = run;
    }
    if (shift->runs) shift->mean = sum / (double)shift->runs;
    return true;
}

// ------------------------------------------------------------------------------------------------- periods

// The range of column c over the points of all runs.
static double range_of(const slip_sweep *s, int c)
{
    double low = NAN, high = NAN;
    for (long run = 0; run < s->plan.count; run++)
        for (long p = 0; p < s->records[run].point_count; p++) {
            const double x = s->records[run].points[p * s->columns + c];
            low = fmin(low, x), high = fmax(high, x);
        }
    return high - low;
}

static bool repeats_with_period(const slip_sweep_run_record *r, int columns, const double *allowed,
                                long period)
{
    for (long p = 0; p + period < r->point_count; p++)
        for (int c = 1; c < columns; c++) {
            const double *x = r->points + p * columns + c;
            if (!(fabs(x[period * columns] - *x) <= allowed[c])) return false;
        }
    return true;
}

bool slip_sweep_periods(const slip_sweep *s, int *period)
{
    double *allowed = calloc((size_t)s->columns + 1, sizeof *allowed), largest = 0.0;
    if (!allowed) return false;
    for (int c = 1; c < s->columns; c++) largest = fmax(largest, allowed[c] = range_of(s, c));
    for (int c = 1; c < s->columns; c++)
        allowed[c] = fmax(POINTS_EQUAL * allowed[c], NEGLIGIBLE_RANGE * largest);
    for (long run = 0; run < s->plan.count; run++) {
        const slip_sweep_run_record *r = &s->records[run];
        const long most =
            r->point_count / 2 < SLIP_SWEEP_MAX_PERIOD ? r->point_count / 2 : SLIP_SWEEP_MAX_PERIOD;
        period[run] = r->done && r->outcome == SLIP_DONE && most ? 0 : -1;
        for (long p = 1; p <= most && period[run] == 0; p++)
            if (repeats_with_period(r, s->columns, allowed, p)) period[run] = (int)p;
    }
    free(allowed);
    return true;
}

// ---------------------------------------------------------------------------------------------------- JSON

static void add_shifts(slip_json *json, const slip_sweep *first, const slip_sweep *other)
{
    slip_json_open(json, "shifts", '[');
    for (int k = 0; k < first->width; k++) {
        slip_sweep_difference shift;
        if (!slip_sweep_difference_of(first, other, k, &shift)) continue;
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "value", shift.name);
        slip_json_integer(json, "runs", shift.runs);
        slip_json_integer(json, "alone", shift.alone);
        slip_json_number(json, "mean", shift.mean);
        slip_json_number(json, "most", shift.most);
        if (shift.at >= 0)
            slip_json_integer(json, "at", shift.at);
        else
            slip_json_null(json, "at");
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static bool add_periods(slip_json *json, const slip_sweep *s)
{
    int *period = malloc(((size_t)s->plan.count + 1) * sizeof *period);
    const bool fine = period && slip_sweep_periods(s, period);
    slip_json_open(json, "periods", '[');
    for (long run = 0; run < s->plan.count && fine; run++) {
        if (period[run] < 0)
            slip_json_null(json, NULL);
        else
            slip_json_integer(json, NULL, period[run]);
    }
    slip_json_close(json, ']');
    free(period);
    return fine;
}

char *slip_sweep_laws_json(const slip_sweep *const *sweeps, const char *const *names, int count)
{
    slip_json json = { 0 };
    bool fine = true;
    slip_json_open(&json, NULL, '{');
    slip_json_open(&json, "laws", '[');
    for (int k = 0; k < count; k++) {
        char *own = slip_sweep_json(sweeps[k]);
        if (own && own[0]) own[strlen(own) - 1] = '\0';
        slip_json_open(&json, NULL, '{');
        slip_json_text(&json, "law", names[k]);
        slip_json_value(&json, "sweep", own ? own : "null");
        add_shifts(&json, sweeps[0], sweeps[k]);
        fine = own && (!slip_run_statistics_need_points(&sweeps[k]->def) || add_periods(&json, sweeps[k])) &&
               fine;
        slip_json_close(&json, '}');
        free(own);
    }
    slip_json_close(&json, ']');
    slip_json_close(&json, '}');
    char *text = slip_json_take(&json);
    if (fine) return text;
    free(text);
    return NULL;
}
