/// formulation/ode/record_lanes.c: see record_lanes.h.
#include "formulation/ode/record_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_run.h"
#include "formulation/ode/ode_work.h"

enum { L = SLIP_LANES };

struct slip_record_lanes {
    const slip_ode *ode; // of the first method
    slip_tape_lanes record;
};

static const slip_ode *ode_of(const slip_method *method)
{
    return ((const slip_ode_run *)method)->ode;
}

bool slip_record_lanes_match(const slip_method *a, const slip_method *b)
{
    const slip_ode *o = ode_of(a), *p = ode_of(b);
    const slip_tape *s = o->work->record.tape, *t = p->work->record.tape;
    return o->record_count == p->record_count && slip_lanes_same_registers(s, t) &&
           memcmp(o->work->record_reg, p->work->record_reg,
                  (size_t)o->record_count * sizeof *o->work->record_reg) == 0;
}

slip_record_lanes *slip_record_lanes_create(const slip_method *like)
{
    slip_record_lanes *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->ode = ode_of(like);
    if (slip_tape_lanes_create(&s->record, s->ode->work->record.tape, slip_simd_width_best())) return s;
    slip_record_lanes_destroy(s);
    return NULL;
}

void slip_record_lanes_destroy(slip_record_lanes *s)
{
    if (!s) return;
    slip_tape_lanes_destroy(&s->record);
    free(s);
}

void slip_record_lanes_put(slip_record_lanes *s, int lane, const slip_method *method)
{
    slip_tape_lanes_load(&s->record, lane, ode_of(method)->work->record.reg);
}

uint32_t slip_record_lanes_evaluate(slip_record_lanes *s, const slip_ode_lanes *lanes)
{
    const slip_ode *ode = s->ode;
    memcpy(s->record.rows, slip_ode_lanes_time(lanes), L * sizeof(double));
    for (int i = 0; i < ode->state_count; i++) {
        const int at = slip_graph_node(ode->graph, ode->state[i]).index;
        memcpy(slip_tape_lanes_row(&s->record, at), slip_ode_lanes_state(lanes, i), L * sizeof(double));
    }
    slip_tape_lanes_run(&s->record);
    int none[L] = { 0 };
    for (int k = 0; k < ode->record_count; k++) {
        const double *row = slip_tape_lanes_row(&s->record, ode->work->record_reg[k]);
        for (int j = 0; j < L; j++) none[j] |= row[j] != row[j]; // NOLINT(misc-redundant-expression): NaN
    }
    uint32_t bits = 0;
    for (int j = 0; j < L; j++) bits |= (uint32_t)none[j] << j;
    return bits;
}

const double *slip_record_lanes_row(const slip_record_lanes *s, int record)
{
    return slip_tape_lanes_row(&s->record, s->ode->work->record_reg[record]);
}
