/// tangent/steps_strike.c: strikes between internal steps.
#include <math.h>
#include <string.h>

#include "tangent/steps.h"

static double *column_of(const slip_tangent *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

static const char *name_of(const slip_tangent *t, int e)
{
    return t->system->elements[e].name;
}

void slip_steps_touch(slip_tangent *t, double time, const double *x, int e)
{
    slip_steps *s = t->steps;
    slip_tangent_slot *end = t->step[SLIP_TANGENT_SLOTS - 1];
    if (s->walk.pending) return; // at the same time as something before; the strike looks at that
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    t->stance[e].closed = false;
    if (!slip_steps_look(t, time, x, end) || !slip_steps_move_to(t, end, 2 * e, s->walk.dtau)) return;
    slip_steps_add_motion(t, end, 1.0, s->walk.dtau);
    s->walk.pending = true;
}

// how the contact of a block was struck; false when conditions on the rates at its end do not say
static bool take_block(slip_tangent *t, int b)
{
    const slip_moreau *m = t->steps->m;
    const slip_moreau_problem *p = &m->problem;
    const int i = b * m->d, e = p->element[b];
    const slip_element *element = &t->system->elements[e];
    const double limit = p->mu[b] * p->r[i], along = p->r[i + 1];
    const bool slides = fabs(along) >= limit * (1.0 - 1e-9);
    t->hit_stance[e] = (slip_tangent_stance){ true, slides ? (along > 0.0 ? -1.0 : 1.0) : 0.0 };
    t->hit.force[element->normal_row] = p->r[i];
    t->hit_e[element->normal_row] = p->eps[i];
    t->plastic[element->normal_row] = p->eps[i] != element->contact->restitution;
    if (element->slip_count) {
        t->hit.force[element->tangent_row] = slides ? 0.0 : along;
        t->hit_e[element->tangent_row] = p->eps[i + 1];
        t->plastic[element->tangent_row] = p->eps[i + 1] != element->contact->restitution_t;
    }
    return element->contact->impact->in_step || (p->blocks == 1 && limit == 0.0);
}

static bool keep_strike(slip_tangent *t, double time, const double *q, const double *u, const double *u_end)
{
    slip_steps *s = t->steps;
    const slip_moreau_problem *p = &s->m->problem;
    bool any = false, simple = true;
    memcpy(s->middle, q, (size_t)t->n * sizeof *q);
    memcpy(s->middle + t->n, u, (size_t)t->n * sizeof *u);
    if (!slip_steps_look(t, time, s->middle, &t->hit)) return false;
    memset(t->hit.force, 0, (size_t)t->rows * sizeof *t->hit.force);
    memset(t->hit_e, 0, (size_t)t->rows * sizeof *t->hit_e);
    memset(t->plastic, 0, (size_t)t->rows * sizeof *t->plastic);
    memset(t->hit_stance, 0, (size_t)t->elements * sizeof *t->hit_stance);
    t->hit.impulsive = true;
    for (int k = 0; k < t->n; k++) t->hit.a[k] = u_end[k] - u[k];
    for (int b = 0; b < p->blocks; b++) {
        if (!(p->r[b * s->m->d] > 0.0)) continue;
        any = true;
        simple = take_block(t, b) && simple;
        if (!simple && s->m->striker.hit.path[b] & SLIP_PATH_JAMMED)
            slip_tangent_lose(t, "'%s' is struck without approach, by jamming", name_of(t, p->element[b]));
    }
    s->by_law = !simple;
    return any && !t->lost;
}

// Contacts that are struck together: the columns, which move with the time of one, leave the gaps of all
static bool close_together(slip_tangent *t)
{
    const slip_steps *s = t->steps;
    for (int c = 0; c < t->column_count; c++) {
        slip_tangent_along(t, SLIP_TANGENT_EVENT, c, s->walk.dtau[c], column_of(t, t->x, c));
        for (int e = 0; e < t->elements; e++) {
            if (!t->hit_stance[e].closed || s->walk.stance[e].closed || !s->walk.begun) continue;
            const double rate =
                slip_system_row_rate(t->system, &t->hit.terms, t->system->elements[e].normal_row, t->hit.u);
            const double off = slip_tangent_result(t, SLIP_TANGENT_EVENT, e);
            if (fabs(off) <= 1e-7 * fabs(rate * s->walk.dtau[c]) + 1e-9) continue;
            slip_tangent_lose(t, "'%s' is struck at once with another contact, and which comes first is open",
                              name_of(t, e));
            return false;
        }
    }
    return true;
}

// the columns at a strike
static void keep(const slip_tangent *t, double *list, int number)
{
    const size_t all = (size_t)t->problem.count;
    memcpy(list + (size_t)number * all, t->x, all * sizeof *list);
}

void slip_steps_strike(slip_tangent *t, double time, const double *q, const double *u, const double *u_end)
{
    slip_steps *s = t->steps;
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!keep_strike(t, time, q, u, u_end)) return;
    if (!s->walk.pending) memset(s->walk.dtau, 0, (size_t)t->column_count * sizeof *t->dtau);
    if (s->walk.pending && !close_together(t)) return;
    if (s->walk.pending) {
        t->begun = s->walk.begun;
        slip_tangent_look_at_strike(t);
        if (t->lost) return;
    }
    memcpy(t->dtau, s->walk.dtau, (size_t)t->column_count * sizeof *t->dtau);
    memcpy(t->stance, t->hit_stance, (size_t)t->elements * sizeof *t->stance);
    t->blow.taken = false;
    if (s->by_law)
        slip_tangent_take_blow(t, &s->m->striker, t->x);
    else
        slip_tangent_take(t, &t->hit);
    const int number = s->met.count++;
    if (number < SLIP_STEPS_STRIKES) keep(t, s->met.before, number);
    for (int c = 0; c < t->column_count && !t->lost; c++) slip_tangent_strike(t, c, column_of(t, t->x, c));
    if (number < SLIP_STEPS_STRIKES) {
        s->met.time[number] = time;
        memcpy(s->met.dtau + number * t->column_count, t->dtau, (size_t)t->column_count * sizeof *t->dtau);
        keep(t, s->met.behind, number);
    }
    s->walk.pending = true;
}
