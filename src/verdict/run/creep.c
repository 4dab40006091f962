/// verdict/run/creep.c: how far contacts of a compliant formulation slide while they stick. See creep.h.
#include "verdict/run/creep_internal.h"
#include "base/elementary.h"
#include "verdict/contact/verdict_tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool creep_compile(slip_creep_monitor *w)
{
    const slip_equations *e = w->equations;
    slip_ref *roots = malloc((2 * (size_t)e->element_count + 1) * sizeof *roots);
    int count = 0;
    w->first = calloc((size_t)e->element_count + 1, sizeof *w->first);
    w->phases = calloc((size_t)e->element_count + 1, sizeof *w->phases);
    w->last = calloc(2 * (size_t)e->n + 1, sizeof *w->last);
    for (int k = 0; roots && w->first && k < e->element_count; k++) {
        w->first[k] = count;
        for (int c = 0; c < e->elements[k].slip_count; c++) roots[count++] = e->elements[k].tangent[c].rate;
    }
    w->tape = roots ? slip_tape_create(e->graph, roots, count) : NULL;
    w->reg = w->tape ? calloc((size_t)slip_tape_registers(w->tape) + 1, sizeof *w->reg) : NULL;
    if (w->reg) slip_tape_start(w->tape, w->reg);
    free(roots);
    return w->reg && w->first && w->phases && w->last;
}

slip_creep_monitor *slip_creep_monitor_create(const slip_sim *sim, bool *fine)
{
    *fine = true;
    if (!sim->method->equations || !slip_formulation_is_compliant(sim->formulation)) return NULL;
    slip_creep_monitor *w = calloc(1, sizeof *w);
    if (w) w->equations = sim->method->equations;
    if (w && creep_compile(w)) return w;
    slip_creep_monitor_destroy(w);
    *fine = false;
    return NULL;
}

void slip_creep_monitor_destroy(slip_creep_monitor *w)
{
    if (!w) return;
    slip_tape_destroy(w->tape);
    free(w->first);
    free(w->phases);
    free(w->last);
    free(w->reg);
    free(w);
}

static void end_phase(slip_creep_monitor *w, const slip_sim *sim, int e, double t)
{
    slip_creep_phase *p = &w->phases[e];
    const slip_element *element = &w->equations->elements[e];
    double time = t - p->begin, distance = slip_hypot(p->distance[0], p->distance[1]);
    if (p->open && time > MIN_STICK_FRACTION * sim->def.until &&
        (!w->worst.known || distance > w->worst.distance))
        w->worst = (slip_creep){ .known = true,
                                 .distance = distance,
                                 .time = time,
                                 .rate = distance / time,
                                 .element = element->name,
                                 .unit = element->contact->angular ? "rad" : "m" };
    p->open = false;
}

// slip rates with the mean velocities since the last look, halfway between the two
static void load_means(slip_creep_monitor *w, double t, const double *x)
{
    const slip_equations *e = w->equations;
    double *q = w->reg + 1, *u = q + e->n, step = t - w->t;
    w->reg[0] = 0.5 * (w->t + t);
    for (int k = 0; k < e->n; k++) {
        bool plain = e->velocity[k] == e->u[k];
        q[k] = 0.5 * (w->last[k] + x[k]);
        u[k] = plain ? (x[k] - w->last[k]) / step : 0.5 * (w->last[e->n + k] + x[e->n + k]);
    }
    slip_tape_run(w->tape, w->reg);
}

void slip_creep_monitor_update(slip_creep_monitor *w, const slip_sim *sim)
{
    const slip_method *m = sim->method;
    const slip_equations *e = w->equations;
    bool moved = w->started && m->t > w->t, any = false;
    for (int k = 0; k < e->element_count; k++) any = any || w->phases[k].open;
    if (moved && any) load_means(w, m->t, m->state);
    for (int k = 0; k < e->element_count; k++) {
        slip_creep_phase *p = &w->phases[k];
        if (!(m->mode[k] & SLIP_MODE_STICK)) {
            end_phase(w, sim, k, w->t);
            continue;
        }
        for (int c = 0; c < e->elements[k].slip_count && p->open && moved; c++)
            p->distance[c] += w->reg[slip_tape_result(w->tape, w->first[k] + c)] * (m->t - w->t);
        if (!p->open && e->elements[k].slip_count) *p = (slip_creep_phase){ .open = true, .begin = m->t };
    }
    memcpy(w->last, m->state, 2 * (size_t)e->n * sizeof *w->last);
    w->t = m->t;
    w->started = true;
}

void slip_creep_monitor_finish(slip_creep_monitor *w, slip_sim *sim, double accuracy, double widest)
{
    for (int k = 0; k < w->equations->element_count; k++) end_phase(w, sim, k, w->t);
    const slip_creep *c = &w->worst;
    sim->creep = *c;
    // a stick spring gives distance to a load that grows: its distance is not all creep
    bool springs = sim->method->state_count > 2 * w->equations->n;
    if (!c->known || springs || c->distance <= fmax(MIN_CREEP, accuracy * widest)) return;
    slip_warning *warning = slip_method_warn(sim->method, SLIP_WARNING_CREEP, c->element,
                                             "'%s' creeps while it sticks: by %.3g %s in %.3g s, %.3g %s/s. "
                                             "Its friction is a steep slope; "
                                             "lcp, gauss, auto and moreau hold it exactly",
                                             c->element, c->distance, c->unit, c->time, c->rate, c->unit);
    slip_warning_value(warning, "way", c->distance, c->unit);
    slip_warning_value(warning, "rate", c->rate, c->unit[0] == 'm' ? "m/s" : "rad/s");
    slip_warning_advise_word(warning, "run.formulation", "moreau");
}
