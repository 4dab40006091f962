/// formulation/many_body/surface_velocity.c: surfaces that move along themselves, such as conveyor belts.
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"

bool slip_surface_velocity_create(slip_many_body *c)
{
    const int shapes = c->crowd->shape_count;
    int count = 0;
    slip_ref *roots = malloc((3 * (size_t)shapes + 1) * sizeof *roots);
    if (!roots) return false;
    for (int k = 0; k < shapes; k++)
        for (int i = 0; i < 3 && c->crowd->shapes[k].runs; i++) roots[count++] = c->crowd->shapes[k].belt[i];
    bool fine = true;
    if (count) {
        c->belt = SLIP_POOL_NEW(c->pool, slip_v3, shapes);
        c->surface_tape = slip_tape_create(c->model->graph, roots, count);
        c->surface_reg =
            c->surface_tape ? calloc((size_t)slip_tape_registers(c->surface_tape) + 1, sizeof *c->surface_reg)
                            : NULL;
        if (c->surface_reg) slip_tape_start(c->surface_tape, c->surface_reg);
        fine = c->belt && c->surface_reg;
    }
    free(roots);
    return fine;
}

void slip_surface_velocity_evaluate(slip_many_body *c, double t)
{
    if (!c->surface_tape) return;
    int at = 0;
    c->surface_reg[0] = t;
    if (c->articulation)
        memcpy(c->surface_reg + 1, c->articulation->middle, (size_t)c->n * sizeof *c->surface_reg);
    slip_tape_run(c->surface_tape, c->surface_reg);
    for (int k = 0; k < c->crowd->shape_count; k++) {
        double v[3];
        if (!c->crowd->shapes[k].runs) continue;
        for (int i = 0; i < 3; i++) v[i] = c->surface_reg[slip_tape_result(c->surface_tape, at++)];
        c->belt[k] = v3_of(v);
    }
}
