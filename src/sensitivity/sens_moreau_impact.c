/// sensitivity/sens_moreau_impact.c: impacts between substeps.
#include <math.h>
#include <string.h>

#include "sensitivity/sens_moreau.h"
#include "sensitivity/sensitivity_tolerances.h"

static double *column_at(const slip_sensitivity *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

static const char *element_name(const slip_sensitivity *t, int e)
{
    return t->system->elements[e].name;
}

void slip_sens_moreau_gap_closes(slip_sensitivity *t, double time, const double *x, int e)
{
    slip_sens_moreau *s = t->steps;
    slip_sensitivity_slot *end = t->step[SLIP_SENS_SLOT_COUNT - 1];
    if (s->walk.pending) return; // at the same time as something before; the strike looks at that
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    t->contact_state[e].closed = false;
    if (!slip_sens_moreau_evaluate(t, time, x, end) ||
        !slip_sens_moreau_event_time(t, end, 2 * e, s->walk.dtau))
        return;
    slip_sens_moreau_add_motion(t, end, 1.0, s->walk.dtau);
    s->walk.pending = true;
}

// how the contact of a block was struck; false when conditions on the rates at its end do not say
static bool classify_impact_block(slip_sensitivity *t, int b)
{
    const slip_moreau *m = t->steps->m;
    const slip_moreau_problem *p = &m->problem;
    const int i = b * m->d, e = p->element[b];
    const slip_element *element = &t->system->elements[e];
    const double limit = p->mu[b] * p->r[i], along = p->r[i + 1];
    const bool slides = fabs(along) >= limit * (1.0 - SLIDING_MARGIN);
    t->event.hit_contact_state[e] =
        (slip_sens_contact_state){ true, slides ? (along > 0.0 ? -1.0 : 1.0) : 0.0 };
    t->hit.force[element->normal_row] = p->r[i];
    t->event.hit_e[element->normal_row] = p->eps[i];
    t->event.plastic[element->normal_row] = p->eps[i] != element->contact->restitution;
    if (element->slip_count) {
        t->hit.force[element->tangent_row] = slides ? 0.0 : along;
        t->event.hit_e[element->tangent_row] = p->eps[i + 1];
        t->event.plastic[element->tangent_row] = p->eps[i + 1] != element->contact->restitution_t;
    }
    return element->contact->impact->in_step || (p->blocks == 1 && limit == 0.0);
}

static bool store_impact(slip_sensitivity *t, double time, const double *q, const double *u,
                         const double *u_end)
{
    slip_sens_moreau *s = t->steps;
    const slip_moreau_problem *p = &s->m->problem;
    bool any = false, simple = true;
    memcpy(s->middle, q, (size_t)t->n * sizeof *q);
    memcpy(s->middle + t->n, u, (size_t)t->n * sizeof *u);
    if (!slip_sens_moreau_evaluate(t, time, s->middle, &t->hit)) return false;
    memset(t->hit.force, 0, (size_t)t->rows * sizeof *t->hit.force);
    memset(t->event.hit_e, 0, (size_t)t->rows * sizeof *t->event.hit_e);
    memset(t->event.plastic, 0, (size_t)t->rows * sizeof *t->event.plastic);
    memset(t->event.hit_contact_state, 0, (size_t)t->elements * sizeof *t->event.hit_contact_state);
    t->hit.impulsive = true;
    for (int k = 0; k < t->n; k++) t->hit.a[k] = u_end[k] - u[k];
    for (int b = 0; b < p->blocks; b++) {
        if (p->row[b * s->m->d] < 0) { // a friction without a gap that follows an impulse
            simple = false;
            continue;
        }
        if (!(p->r[b * s->m->d] > 0.0)) continue;
        any = true;
        simple = classify_impact_block(t, b) && simple;
        if (!simple && s->m->rigid_impact.hit.path[b] & SLIP_PATH_JAMMED)
            slip_sensitivity_end(t, "'%s' is struck without approach, by jamming",
                                 element_name(t, p->element[b]));
    }
    s->by_law = !simple;
    return any && !t->lost;
}

// Contacts that are struck together: the columns, which move with the time of one, leave the gaps of all
static bool close_together(slip_sensitivity *t)
{
    const slip_sens_moreau *s = t->steps;
    for (int c = 0; c < t->column_count; c++) {
        slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, s->walk.dtau[c], column_at(t, t->x, c));
        for (int e = 0; e < t->elements; e++) {
            if (!t->event.hit_contact_state[e].closed || s->walk.contact_state[e].closed || !s->walk.begun)
                continue;
            const double rate =
                slip_system_row_rate(t->system, &t->hit.terms, t->system->elements[e].normal_row, t->hit.u);
            const double off = slip_sensitivity_result(t, SLIP_SENS_EVENT, e);
            if (fabs(off) <= SAME_TIME_DERIVATIVE * fabs(rate * s->walk.dtau[c]) + CLOSED_GAP_DERIVATIVE)
                continue;
            slip_sensitivity_end(t,
                                 "'%s' is struck at once with another contact, and which comes first is open",
                                 element_name(t, e));
            return false;
        }
    }
    return true;
}

// the columns at a strike
static void store_columns(const slip_sensitivity *t, double *list, int number)
{
    const size_t all = (size_t)t->problem.count;
    memcpy(list + (size_t)number * all, t->x, all * sizeof *list);
}

void slip_sens_moreau_impact(slip_sensitivity *t, double time, const double *q, const double *u,
                             const double *u_end)
{
    slip_sens_moreau *s = t->steps;
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!store_impact(t, time, q, u, u_end)) return;
    if (!s->walk.pending) memset(s->walk.dtau, 0, (size_t)t->column_count * sizeof *t->event.dtau);
    if (s->walk.pending && !close_together(t)) return;
    if (s->walk.pending) {
        t->begun = s->walk.begun;
        slip_sensitivity_check_impact(t);
        if (t->lost) return;
    }
    memcpy(t->event.dtau, s->walk.dtau, (size_t)t->column_count * sizeof *t->event.dtau);
    memcpy(t->contact_state, t->event.hit_contact_state, (size_t)t->elements * sizeof *t->contact_state);
    t->blow.taken = false;
    if (s->by_law)
        slip_impact_sensitivity_find(t, &s->m->rigid_impact, t->x);
    else
        slip_sensitivity_set_slot(t, &t->hit);
    const int number = s->met.count++;
    if (number < SLIP_SENS_MOREAU_MAX_IMPACTS) store_columns(t, s->met.before, number);
    for (int c = 0; c < t->column_count && !t->lost; c++)
        slip_sensitivity_impact(t, c, column_at(t, t->x, c));
    if (number < SLIP_SENS_MOREAU_MAX_IMPACTS) {
        s->met.time[number] = time;
        memcpy(s->met.dtau + number * t->column_count, t->event.dtau,
               (size_t)t->column_count * sizeof *t->event.dtau);
        store_columns(t, s->met.behind, number);
    }
    s->walk.pending = true;
}
