/// crowd/crowd_belts.c: surfaces that run, as those of conveyors.
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"

bool slip_crowd_make_belts(slip_crowd_step *c)
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
        c->belts = slip_tape_create(c->model->graph, roots, count);
        c->belt_reg =
            c->belts ? calloc((size_t)slip_tape_registers(c->belts) + 1, sizeof *c->belt_reg) : NULL;
        if (c->belt_reg) slip_tape_start(c->belts, c->belt_reg);
        fine = c->belt && c->belt_reg;
    }
    free(roots);
    return fine;
}

void slip_crowd_run_belts(slip_crowd_step *c, double t)
{
    if (!c->belts) return;
    int at = 0;
    c->belt_reg[0] = t;
    if (c->machine) memcpy(c->belt_reg + 1, c->machine->middle, (size_t)c->n * sizeof *c->belt_reg);
    slip_tape_run(c->belts, c->belt_reg);
    for (int k = 0; k < c->crowd->shape_count; k++) {
        double v[3];
        if (!c->crowd->shapes[k].runs) continue;
        for (int i = 0; i < 3; i++) v[i] = c->belt_reg[slip_tape_result(c->belts, at++)];
        c->belt[k] = v3_of(v);
    }
}
