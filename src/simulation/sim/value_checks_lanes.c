/// simulation/sim/value_checks_lanes.c: the value checks of several runs of one model at once, in lanes.
#include "simulation/sim/value_checks_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "simulation/sim/value_checks_internal.h"

enum { L = SLIP_LANES };

struct slip_value_checks_lanes {
    const slip_value_checks *like; // the checks of the first run
    slip_simd_width packing;
    slip_lanes_code *code; // may be NULL
    double *rows;
};

bool slip_value_checks_compatible(const slip_value_checks *a, const slip_value_checks *b)
{
    if (!a || !b) return a == b;
    return a->count == b->count && slip_lanes_same_program(a->tape, b->tape) &&
           slip_tape_registers(a->tape) == slip_tape_registers(b->tape);
}

slip_value_checks_lanes *slip_value_checks_lanes_create(const slip_value_checks *like,
                                                        slip_simd_width packing)
{
    slip_value_checks_lanes *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->like = like;
    s->rows = slip_lanes_rows(like->tape);
    if (!s->rows) {
        free(s);
        return NULL;
    }
    slip_value_checks_lanes_set_packing(s, packing);
    return s;
}

void slip_value_checks_lanes_destroy(slip_value_checks_lanes *s)
{
    if (!s) return;
    slip_lanes_code_destroy(s->code);
    free(s->rows);
    free(s);
}

void slip_value_checks_lanes_set_packing(slip_value_checks_lanes *s, slip_simd_width packing)
{
    slip_lanes_code_destroy(s->code);
    s->packing = packing;
    s->code = slip_lanes_code_create(s->like->tape, packing);
}

void slip_value_checks_lanes_put(slip_value_checks_lanes *s, int lane, const slip_value_checks *values)
{
    for (int r = 0; r < slip_tape_registers(s->like->tape); r++) s->rows[(long)r * L + lane] = values->reg[r];
}

uint32_t slip_value_checks_lanes_evaluate(slip_value_checks_lanes *s, const slip_ode_lanes *states)
{
    const slip_value_checks *v = s->like;
    memcpy(s->rows, slip_ode_lanes_time(states), L * sizeof *s->rows);
    for (int k = 0; k < 2 * v->model->coordinate_count; k++)
        memcpy(s->rows + (1 + k) * L, slip_ode_lanes_state(states, k), L * sizeof *s->rows);
    slip_lanes_run(v->tape, s->packing, s->code, s->rows);
    double finite[L] = { 0 }, least[L] = { 0 };
    for (int k = 0; k < v->count; k++) {
        const double *row = s->rows + (long)slip_tape_result(v->tape, k) * L;
        for (int j = 0; j < L; j++) finite[j] += 0.0 * row[j]; // NaN where the value is not finite
        for (int j = 0; j < L && v->items[k].kind == SLIP_VALUE_FRICTION; j++)
            least[j] = row[j] < least[j] ? row[j] : least[j];
    }
    uint32_t bits = 0;
    for (int j = 0; j < L; j++) bits |= (uint32_t) !(finite[j] == 0.0 && least[j] == 0.0) << j;
    return bits;
}
