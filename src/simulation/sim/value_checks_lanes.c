/// simulation/sim/value_checks_lanes.c: the value checks of several runs of one model at once, in lanes.
#include "simulation/sim/value_checks_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "simulation/sim/value_checks_internal.h"

enum { L = SLIP_LANES };

struct slip_value_checks_lanes {
    const slip_value_checks *like; // the checks of the first run
    slip_tape_lanes values;
};

bool slip_value_checks_compatible(const slip_value_checks *a, const slip_value_checks *b)
{
    if (!a || !b) return a == b;
    return a->count == b->count && slip_lanes_same_registers(a->tape, b->tape);
}

slip_value_checks_lanes *slip_value_checks_lanes_create(const slip_value_checks *like,
                                                        slip_simd_width packing)
{
    slip_value_checks_lanes *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->like = like;
    if (slip_tape_lanes_create(&s->values, like->tape, packing)) return s;
    slip_value_checks_lanes_destroy(s);
    return NULL;
}

void slip_value_checks_lanes_destroy(slip_value_checks_lanes *s)
{
    if (!s) return;
    slip_tape_lanes_destroy(&s->values);
    free(s);
}

void slip_value_checks_lanes_set_packing(slip_value_checks_lanes *s, slip_simd_width packing)
{
    slip_tape_lanes_set_packing(&s->values, packing);
}

void slip_value_checks_lanes_put(slip_value_checks_lanes *s, int lane, const slip_value_checks *values)
{
    slip_tape_lanes_load(&s->values, lane, values->reg);
}

uint32_t slip_value_checks_lanes_evaluate(slip_value_checks_lanes *s, const slip_ode_lanes *states)
{
    const slip_value_checks *v = s->like;
    memcpy(s->values.rows, slip_ode_lanes_time(states), L * sizeof(double));
    for (int k = 0; k < 2 * v->model->coordinate_count; k++)
        memcpy(slip_tape_lanes_row(&s->values, 1 + k), slip_ode_lanes_state(states, k), L * sizeof(double));
    slip_tape_lanes_run(&s->values);
    double finite[L] = { 0 }, least[L] = { 0 };
    for (int k = 0; k < v->count; k++) {
        const double *row = slip_tape_lanes_row(&s->values, slip_tape_result(v->tape, k));
        for (int j = 0; j < L; j++) finite[j] += 0.0 * row[j]; // NaN where the value is not finite
        for (int j = 0; j < L && v->items[k].kind == SLIP_VALUE_FRICTION; j++)
            least[j] = row[j] < least[j] ? row[j] : least[j];
    }
    uint32_t bits = 0;
    for (int j = 0; j < L; j++) bits |= (uint32_t) !(finite[j] == 0.0 && least[j] == 0.0) << j;
    return bits;
}
