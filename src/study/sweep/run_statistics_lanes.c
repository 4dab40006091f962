/// study/sweep/run_statistics_lanes.c: statistics over every step, for runs in lanes. The sums and
/// comparisons are those of run_statistics.c, in the same order; no value here is NaN.
#include "study/sweep/run_statistics_lanes.h"

#include <stdlib.h>
#include <string.h>

enum { L = SLIP_LANES, ROWS_PER_COLUMN = 4 + 2 * SLIP_STATISTICS_PARTS };

struct slip_run_statistics_lanes {
    const slip_sweep_def *def;
    int columns, states;
    double *low, *high, *sum, *last; // rows of columns
    double *bounds;                  // the same, two for each part
    double last_t[L], since[L], half[L];
    bool seen[L];
    void *memory;
};

slip_run_statistics_lanes *slip_run_statistics_lanes_create(const slip_run_statistics *like, int states)
{
    slip_run_statistics_lanes *s = calloc(1, sizeof *s);
    const size_t row = (size_t)like->columns * L;
    if (s) s->memory = calloc(ROWS_PER_COLUMN * row, sizeof(double));
    if (!s || !s->memory) {
        free(s);
        return NULL;
    }
    s->def = like->def;
    s->columns = like->columns;
    s->states = states;
    s->low = s->memory;
    s->high = s->low + row;
    s->sum = s->high + row;
    s->last = s->sum + row;
    s->bounds = s->last + row;
    return s;
}

void slip_run_statistics_lanes_destroy(slip_run_statistics_lanes *s)
{
    if (!s) return;
    free(s->memory);
    free(s);
}

// that of the keeper for a place in the rows
static double *keeper_bound(const slip_run_statistics_lanes *s, double *of_keeper, int part, int column,
                            int side)
{
    return &of_keeper[2 * (part * s->columns + column) + side];
}

static double *bound_row(const slip_run_statistics_lanes *s, int part, int column, int side)
{
    return s->bounds + (long)((2 * part + side) * s->columns + column) * L;
}

void slip_run_statistics_lanes_put(slip_run_statistics_lanes *s, int lane, const slip_run_statistics *k)
{
    const slip_run_statistics_layout l = slip_run_statistics_layout_of(s->def, s->columns);
    for (int c = 1; c < s->columns; c++) {
        const long at = (long)c * L + lane;
        if (s->def->outputs & SLIP_OUTPUT_EXTREMES) {
            s->low[at] = k->values[l.extremes + 2 * (c - 1)];
            s->high[at] = k->values[l.extremes + 2 * (c - 1) + 1];
        }
        if (s->def->outputs & SLIP_OUTPUT_MEANS) s->sum[at] = k->values[l.means + c - 1];
        s->last[at] = k->last[c];
        for (int part = 0; part < SLIP_STATISTICS_PARTS; part++)
            for (int side = 0; side < 2; side++)
                bound_row(s, part, c, side)[lane] = *keeper_bound(s, k->bounds, part, c, side);
    }
    s->last_t[lane] = k->last_t;
    s->since[lane] = k->since;
    s->half[lane] = k->half;
    s->seen[lane] = k->seen;
}

void slip_run_statistics_lanes_get(const slip_run_statistics_lanes *s, int lane, slip_run_statistics *k)
{
    const slip_run_statistics_layout l = slip_run_statistics_layout_of(s->def, s->columns);
    for (int c = 1; c < s->columns; c++) {
        const long at = (long)c * L + lane;
        if (s->def->outputs & SLIP_OUTPUT_EXTREMES) {
            k->values[l.extremes + 2 * (c - 1)] = s->low[at];
            k->values[l.extremes + 2 * (c - 1) + 1] = s->high[at];
        }
        if (s->def->outputs & SLIP_OUTPUT_MEANS) k->values[l.means + c - 1] = s->sum[at];
        k->last[c] = s->last[at];
        for (int part = 0; part < SLIP_STATISTICS_PARTS; part++)
            for (int side = 0; side < 2; side++)
                *keeper_bound(s, k->bounds, part, c, side) = bound_row(s, part, c, side)[lane];
    }
    k->last[0] = k->last_t = s->last_t[lane];
    k->since = s->since[lane];
    k->seen = s->seen[lane];
}

// in lanes of which `now` says that they count
static void widen_lanes(double *low, double *high, const double *row, const bool *now)
{
    for (int j = 0; j < L; j++) {
        low[j] = now[j] && row[j] < low[j] ? row[j] : low[j];
        high[j] = now[j] && row[j] > high[j] ? row[j] : high[j];
    }
}

/// What a step is to each lane.
typedef struct moment {
    const double *t;
    bool all[L], counts[L], first[L], early[L], late[L]; // after `after`; the first that is; halves
} moment;

static void accumulate_lanes(slip_run_statistics_lanes *s, int c, const double *row, const moment *m)
{
    double *low = s->low + (long)c * L, *high = s->high + (long)c * L, *sum = s->sum + (long)c * L,
           *last = s->last + (long)c * L;
    if (s->def->outputs & SLIP_OUTPUT_DRIFT) {
        widen_lanes(bound_row(s, SLIP_STATISTICS_WHOLE, c, 0), bound_row(s, SLIP_STATISTICS_WHOLE, c, 1), row,
                    m->all);
        widen_lanes(bound_row(s, SLIP_STATISTICS_FIRST_HALF, c, 0),
                    bound_row(s, SLIP_STATISTICS_FIRST_HALF, c, 1), row, m->early);
        widen_lanes(bound_row(s, SLIP_STATISTICS_SECOND_HALF, c, 0),
                    bound_row(s, SLIP_STATISTICS_SECOND_HALF, c, 1), row, m->late);
    }
    if (s->def->outputs & SLIP_OUTPUT_EXTREMES) {
        for (int j = 0; j < L; j++)
            low[j] = m->first[j] ? row[j] : low[j], high[j] = m->first[j] ? row[j] : high[j];
        widen_lanes(low, high, row, m->counts);
    }
    for (int j = 0; j < L && s->def->outputs & SLIP_OUTPUT_MEANS; j++) {
        const double longer = sum[j] + 0.5 * (last[j] + row[j]) * (m->t[j] - s->last_t[j]);
        sum[j] = m->first[j] ? 0.0 : m->counts[j] ? longer : sum[j];
    }
    memcpy(last, row, L * sizeof *last);
}

void slip_run_statistics_lanes_update(slip_run_statistics_lanes *s, const slip_ode_lanes *states,
                                      const slip_record_lanes *records)
{
    moment m = { .t = slip_ode_lanes_time(states) };
    for (int j = 0; j < L; j++) {
        m.all[j] = true;
        m.counts[j] = !(m.t[j] < s->def->after);
        m.first[j] = m.counts[j] && !s->seen[j];
        m.early[j] = m.counts[j] && m.t[j] < s->half[j];
        m.late[j] = m.counts[j] && !m.early[j];
    }
    for (int c = 1; c < s->columns; c++)
        accumulate_lanes(s, c,
                         c <= s->states ? slip_ode_lanes_state(states, c - 1)
                                        : slip_record_lanes_row(records, c - 1 - s->states),
                         &m);
    for (int j = 0; j < L; j++) {
        s->since[j] = m.first[j] ? m.t[j] : s->since[j];
        s->seen[j] = s->seen[j] || m.counts[j];
        s->last_t[j] = m.t[j];
    }
}
