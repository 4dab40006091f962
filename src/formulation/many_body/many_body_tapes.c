/// formulation/many_body/many_body_tapes.c: tapes of the formulas: poses of kinematic bodies, gravity,
/// surface velocities, recorded quantities.
#include <stdlib.h>

#include "formulation/many_body/many_body.h"

static bool compile_poses(slip_many_body *c)
{
    enum { VALUES = 13 };
    if (!c->pose_count) return true;
    slip_ref *roots = malloc((size_t)(VALUES * c->pose_count) * sizeof *roots);
    if (!roots) return false;
    for (int k = 0; k < c->pose_count; k++) {
        const slip_detect_body *def = &c->crowd->bodies[c->kinematic[k]];
        slip_ref *to = roots + VALUES * k;
        for (int i = 0; i < 3; i++)
            to[i] = def->at[i], to[7 + i] = def->velocity[i], to[10 + i] = def->spin[i];
        for (int i = 0; i < 4; i++) to[3 + i] = def->turn[i];
    }
    c->poses = slip_tape_create(c->model->graph, roots, VALUES * c->pose_count);
    c->pose_reg = c->poses ? calloc((size_t)slip_tape_registers(c->poses) + 1, sizeof *c->pose_reg) : NULL;
    if (c->pose_reg) slip_tape_start(c->poses, c->pose_reg);
    free(roots);
    return c->pose_reg != NULL;
}

static bool compile_gravity(slip_many_body *c)
{
    if (!c->crowd->pull_varies) return true;
    c->gravity_tape = slip_tape_create(c->model->graph, c->crowd->pull, 3);
    c->gravity_reg = c->gravity_tape
                         ? calloc((size_t)slip_tape_registers(c->gravity_tape) + 1, sizeof *c->gravity_reg)
                         : NULL;
    if (c->gravity_reg) slip_tape_start(c->gravity_tape, c->gravity_reg);
    return c->gravity_reg != NULL;
}

static bool compile_records(slip_many_body *c)
{
    const slip_model *m = c->model;
    if (!m->record_count) return true;
    slip_ref *roots = malloc((size_t)m->record_count * sizeof *roots);
    for (int k = 0; roots && k < m->record_count; k++) roots[k] = slip_model_record(m, k);
    c->records = roots ? slip_tape_create(m->graph, roots, m->record_count) : NULL;
    c->record_reg =
        c->records ? calloc((size_t)slip_tape_registers(c->records) + 1, sizeof *c->record_reg) : NULL;
    if (c->record_reg) slip_tape_start(c->records, c->record_reg);
    free(roots);
    return c->record_reg != NULL;
}

bool slip_many_body_compile(slip_many_body *c)
{
    return compile_poses(c) && compile_gravity(c) && slip_surface_velocity_create(c) && compile_records(c);
}
