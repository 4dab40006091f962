/// formulation/ode/record_lanes.c: see record_lanes.h.
#include "formulation/ode/record_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_run.h"
#include "formulation/ode/ode_work.h"

enum { L = SLIP_LANES };

struct slip_record_lanes {
    const slip_ode *ode; // of the first method
    slip_simd_width packing;
    slip_lanes_code *code; // may be NULL
    double *rows;
};

static const slip_ode *ode_of(const slip_method *method)
{
    return ((const slip_ode_run *)method)->ode;
}

bool slip_record_lanes_match(const slip_method *a, const slip_method *b)
{
    const slip_ode *o = ode_of(a), *p = ode_of(b);
    const slip_tape *s = o->work->record.tape, *t = p->work->record.tape;
    return o->record_count == p->record_count && slip_lanes_same_program(s, t) &&
           slip_tape_registers(s) == slip_tape_registers(t) &&
           memcmp(o->work->record_reg, p->work->record_reg,
                  (size_t)o->record_count * sizeof *o->work->record_reg) == 0;
}

slip_record_lanes *slip_record_lanes_create(const slip_method *like)
{
    slip_record_lanes *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->ode = ode_of(like);
    s->packing = slip_simd_width_best();
    s->rows = slip_lanes_rows(s->ode->work->record.tape);
    if (!s->rows) {
        free(s);
        return NULL;
    }
    s->code = slip_lanes_code_create(s->ode->work->record.tape, s->packing);
    return s;
}

void slip_record_lanes_destroy(slip_record_lanes *s)
{
    if (!s) return;
    slip_lanes_code_destroy(s->code);
    free(s->rows);
    free(s);
}

void slip_record_lanes_put(slip_record_lanes *s, int lane, const slip_method *method)
{
    const slip_ode_tape *record = &ode_of(method)->work->record;
    for (int r = 0; r < slip_tape_registers(record->tape); r++) s->rows[(long)r * L + lane] = record->reg[r];
}

uint32_t slip_record_lanes_evaluate(slip_record_lanes *s, const slip_ode_lanes *lanes)
{
    const slip_ode *ode = s->ode;
    const slip_tape *tape = ode->work->record.tape;
    memcpy(s->rows, slip_ode_lanes_time(lanes), L * sizeof *s->rows);
    for (int i = 0; i < ode->state_count; i++) {
        const long at = slip_graph_node(ode->graph, ode->state[i]).index;
        memcpy(s->rows + at * L, slip_ode_lanes_state(lanes, i), L * sizeof *s->rows);
    }
    slip_lanes_run(tape, s->packing, s->code, s->rows);
    int none[L] = { 0 };
    for (int k = 0; k < ode->record_count; k++) {
        const double *row = s->rows + (long)ode->work->record_reg[k] * L;
        for (int j = 0; j < L; j++) none[j] |= row[j] != row[j]; // NOLINT(misc-redundant-expression): NaN
    }
    uint32_t bits = 0;
    for (int j = 0; j < L; j++) bits |= (uint32_t)none[j] << j;
    return bits;
}

const double *slip_record_lanes_row(const slip_record_lanes *s, int record)
{
    return s->rows + (long)s->ode->work->record_reg[record] * L;
}
