/// simulation/sim/reset_checks.c: whether what an event sets breaks a constraint; see reset_checks.h.
#include "simulation/sim/reset_checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/equations.h"
#include "simulation/sim/sim_tolerances.h"

static bool sets_something(const slip_model *model)
{
    for (int k = 0; k < model->when_count; k++)
        if (model->whens[k].assignment_count > 0) return true;
    return false;
}

bool slip_reset_checks_create(slip_reset_checks *c, const slip_model *model, const slip_method *method)
{
    const slip_equations *e = method->equations;
    *c = (slip_reset_checks){ .model = model };
    if (!e || e->constraint_count == 0 || !sets_something(model)) return true;
    const int count = e->constraint_count;
    slip_ref *roots = malloc(2 * (size_t)count * sizeof *roots);
    for (int k = 0; roots && k < count; k++)
        roots[k] = e->constraint_zero[k], roots[count + k] = e->constraints[k].rate;
    c->tape = roots ? slip_tape_create(e->graph, roots, 2 * count) : NULL;
    free(roots);
    c->reg = c->tape ? calloc((size_t)slip_tape_registers(c->tape) + 1, sizeof *c->reg) : NULL;
    c->value = calloc(2 * (size_t)count, sizeof *c->value);
    c->q = calloc((size_t)model->coordinate_count + 1, sizeof *c->q);
    if (!c->reg || !c->value || !c->q) return false;
    slip_tape_start(c->tape, c->reg);
    c->count = count;
    return true;
}

void slip_reset_checks_destroy(slip_reset_checks *c)
{
    slip_tape_destroy(c->tape);
    free(c->reg);
    free(c->value);
    free(c->q);
}

static void run_tape(slip_reset_checks *c, const slip_method *m)
{
    const size_t n = (size_t)c->model->coordinate_count;
    c->reg[0] = m->t;
    memcpy(c->reg + 1, m->state, 2 * n * sizeof *c->reg);
    slip_tape_run(c->tape, c->reg);
}

void slip_reset_checks_keep(slip_reset_checks *c, const slip_method *m)
{
    if (c->count == 0) return;
    run_tape(c, m);
    for (int k = 0; k < 2 * c->count; k++) c->value[k] = c->reg[slip_tape_result(c->tape, k)];
    memcpy(c->q, m->state, (size_t)c->model->coordinate_count * sizeof *c->q);
}

// how far the events have moved something; at least rounding of the coordinates
static double way_moved(const slip_reset_checks *c, const slip_method *m)
{
    double moved = 0.0, far = 0.0;
    for (int i = 0; i < c->model->coordinate_count; i++) {
        if (c->model->coordinates[i].is_held) continue;
        moved = fmax(moved, fabs(m->state[i] - c->q[i]));
        far = fmax(far, fabs(m->state[i]));
    }
    return fmax(BROKEN_CONSTRAINT_RELATIVE * moved, CONSTRAINT_ROUNDING_RELATIVE * far);
}

static double speed_of(const slip_reset_checks *c, const slip_method *m)
{
    const int n = c->model->coordinate_count;
    double fastest = 0.0;
    for (int i = 0; i < n; i++)
        if (!c->model->coordinates[i].is_held) fastest = fmax(fastest, fabs(m->state[n + i]));
    return BROKEN_CONSTRAINT_RELATIVE * fastest;
}

// what was off before is not the doing of the event
static bool has_broken(double now, double before, double least)
{
    return fabs(now) > least + 2.0 * fabs(before);
}

void slip_reset_checks_judge(slip_reset_checks *c, slip_method *m, const char *event)
{
    if (c->count == 0) return;
    run_tape(c, m);
    const double moved = way_moved(c, m), speed = speed_of(c, m);
    for (int k = 0; k < c->count; k++) {
        const double g = c->reg[slip_tape_result(c->tape, k)],
                     rate = c->reg[slip_tape_result(c->tape, c->count + k)];
        const char *name = c->model->constraints[k].name;
        if (has_broken(g, c->value[k], moved))
            slip_method_warn(m, SLIP_WARNING_BAD_START, "",
                             "event '%s' at t = %.9g s breaks constraint '%s', which is %.6g then and should "
                             "be 0: formulations differ in what they make of that; set values that satisfy "
                             "it",
                             event, m->t, name, g);
        else if (has_broken(rate, c->value[c->count + k], speed))
            slip_method_warn(m, SLIP_WARNING_BAD_START, "",
                             "event '%s' at t = %.9g s sets rates that break constraint '%s' (its rate is "
                             "%.3g): formulations differ in what they make of that; set rates that satisfy "
                             "it",
                             event, m->t, name, rate);
    }
}
