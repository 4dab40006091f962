/// formulation/many_body/articulation_rows.c: rows of the articulation in the contact problem of a step,
/// found ones and declared ones.
#include <math.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "symbolic/graph/caches.h"
#include "formulation/many_body/articulation.h"
#include "formulation/many_body/many_body_tolerances.h"

// --------------------------------------------------------------------------------------- bodies of frames

void slip_articulation_rows(const slip_many_body *c, int member, const slip_v3 axis[3], const slip_v3 turn[3],
                            double sign, double *rows)
{
    const slip_articulation *m = c->articulation;
    const slip_body_frame *f = &m->frames[m->frame_of[member]];
    const int side = m->parts[f->part].count;
    for (int r = 0; r < c->problem.dimension; r++) {
        const double by[6] = { axis[r].x, axis[r].y, axis[r].z, turn[r].x, turn[r].y, turn[r].z };
        double *row = rows + (long)r * c->problem.side;
        for (int k = 0; k < side; k++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++) sum += by[i] * f->jacobian[i * side + k];
            row[k] += sign * sum;
        }
    }
}

// ------------------------------------------------------------------------------------------ what is declared

static double row_rate(const slip_articulation *m, int row, const double *u)
{
    return row < 0 ? 0.0 : slip_system_row_rate(m->system, &m->terms, row, u);
}

void slip_articulation_contact_rates(const slip_many_body *c, const slip_declared_contact *w, const double *u,
                                     double xi[3])
{
    const slip_articulation *m = c->articulation;
    for (int r = 0; r < 3; r++) xi[r] = row_rate(m, slip_element_row(&m->system->elements[w->element], r), u);
}

// w M^-1 w'
static double mobility_of(const slip_articulation *m, int row)
{
    const slip_system *s = m->system;
    double sum = 0.0;
    for (int a = s->start[row]; a < s->start[row + 1]; a++)
        for (int b = s->start[row]; b < s->start[row + 1]; b++) {
            const int i = s->column[a], j = s->column[b];
            if (m->part_of[i] < 0 || m->part_of[i] != m->part_of[j]) continue;
            const slip_articulated_part *part = &m->parts[m->part_of[i]];
            sum += m->terms.value[a] * m->terms.value[b] *
                   part->inverse[m->place[i] * part->count + m->place[j]];
        }
    return sum;
}

// Whether a contact may close in the step: as for those that are found, whatever others do to it
static bool may_close(const slip_many_body *c, const slip_declared_contact *w, double free)
{
    return w->gap <= c->h * (fabs(w->before[0]) + fabs(free)) + c->pull * c->h * c->h;
}

void slip_articulation_start_contacts(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count; k++) {
        slip_declared_contact *w = &m->declared[k];
        const slip_element *e = &m->system->elements[w->element];
        const double friction = m->terms.friction[w->element];
        w->gap = e->has_gap ? m->terms.gap[w->element] : 0.0;
        w->mu = !e->has_gap ? 1.0 : e->slip_count ? friction : 0.0;
        w->limit = e->has_gap ? 0.0 : friction;
        w->heaviness = 0.0;
        for (int r = 0; r < c->problem.dimension; r++) {
            const int row = slip_element_row(e, r);
            w->before[r] = row_rate(m, row, c->state + c->n);
            if (row >= 0) w->heaviness = fmax(w->heaviness, mobility_of(m, row));
        }
        w->hits = e->has_gap && e->contact->restitution > 0.0 &&
                  w->before[0] < -SLIP_MANY_BODY_IMPACT_THRESHOLD * c->pull * c->h;
        w->carries =
            w->heaviness > 0.0 &&
            (e->has_gap ? may_close(c, w, row_rate(m, slip_element_row(e, 0), m->end)) : w->limit > 0.0);
        if (w->hits && w->gap > 0.0) w->carries = false;
    }
}

// its part, once per step
static int add_part(slip_many_body *c, int part)
{
    slip_many_body_problem *p = &c->problem;
    const slip_articulation *m = c->articulation;
    const slip_articulated_part *from = &m->parts[part];
    if (c->part_place[part] >= 0) return c->part_place[part];
    const int side = p->side, count = from->count;
    const long at = c->part_place[part] = p->bodies++;
    double *inverse = p->inverse + side * side * at, *free = p->free + side * at;
    memset(inverse, 0, (size_t)(side * side) * sizeof *inverse);
    memset(free, 0, (size_t)side * sizeof *free);
    for (int i = 0; i < count; i++) {
        free[i] = m->end[m->coordinate[from->first + i]];
        for (int j = 0; j < count; j++) inverse[side * i + j] = from->inverse[count * i + j];
    }
    return (int)at;
}

int slip_articulation_add_part(slip_many_body *c, int member)
{
    return add_part(c, c->articulation->frames[c->articulation->frame_of[member]].part);
}

// a body for the rows that an element does not have, as heavy as it is along those it has
static int add_filler_body(slip_many_body *c, const slip_declared_contact *w)
{
    slip_many_body_problem *p = &c->problem;
    const int side = p->side;
    const long at = p->bodies++;
    double *inverse = p->inverse + side * side * at;
    memset(inverse, 0, (size_t)(side * side) * sizeof *inverse);
    memset(p->free + side * at, 0, (size_t)side * sizeof *inverse);
    for (int i = 0; i < p->dimension; i++) inverse[(side + 1) * i] = w->heaviness;
    return (int)at;
}

// rows of the parts, and the drift that goes into the shift
static void add_row(const slip_many_body *c, const slip_declared_contact *w, int row, int r, double *rows)
{
    const slip_articulation *m = c->articulation;
    const slip_system *s = m->system;
    const int side = c->problem.side, d = c->problem.dimension;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const int i = s->column[k], which = m->part_of[i] == w->part[0] ? 0 : 1;
        if (m->part_of[i] >= 0) rows[side * (d * which + r) + m->place[i]] = m->terms.value[k];
    }
}

static void add_declared_contact(slip_many_body *c, const slip_declared_contact *w)
{
    slip_many_body_problem *p = &c->problem;
    const slip_articulation *m = c->articulation;
    const slip_element *e = &m->system->elements[w->element];
    const int side = p->side, d = p->dimension;
    const long at = p->contacts++;
    const bool guesses = slip_graph_keeps(c->model->graph, SLIP_CACHE_GUESSES);
    double *rows = p->rows + 2 * d * side * at;
    memset(rows, 0, (size_t)(2 * d * side) * sizeof *rows);
    p->body[2 * at] = add_part(c, w->part[0]);
    p->body[2 * at + 1] = w->part[1] >= 0 ? add_part(c, w->part[1])
                          : w->whole      ? SLIP_GROUND
                                          : add_filler_body(c, w);
    p->mu[at] = w->mu;
    for (int r = 0; r < d; r++) {
        const int row = slip_element_row(e, r);
        const double back = r ? e->contact->restitution_t : e->contact->restitution;
        double shift = 0.0;
        if (row < 0) {
            rows[side * (d + r) + r] = 1.0;
            if (r == 0) shift = -w->heaviness * c->h * w->limit;
        } else {
            add_row(c, w, row, r, rows);
            shift = m->terms.drift[row];
            if (w->hits)
                shift += back * w->before[r];
            else if (r == 0 && w->gap > 0.0)
                shift += 2.0 * w->gap / c->h;
        }
        p->shift[d * at + r] = shift;
        p->r[d * at + r] = guesses ? w->impulse[r] : 0.0;
    }
}

void slip_articulation_add_contacts(slip_many_body *c)
{
    const slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count; k++)
        if (m->declared[k].carries) add_declared_contact(c, &m->declared[k]);
}

void slip_articulation_read_impulses(slip_many_body *c, int first)
{
    const slip_many_body_problem *p = &c->problem;
    slip_articulation *m = c->articulation;
    const int d = p->dimension;
    for (int k = 0; k < m->declared_count; k++) {
        slip_declared_contact *w = &m->declared[k];
        for (int r = 0; r < 3; r++) w->impulse[r] = w->carries && r < d ? p->r[d * first + r] : 0.0;
        first += w->carries;
    }
    for (int i = 0; i < m->part_count; i++) {
        if (c->part_place[i] < 0) continue;
        const double *v = p->v + (long)p->side * c->part_place[i];
        for (int k = 0; k < m->parts[i].count; k++) m->end[m->coordinate[m->parts[i].first + k]] = v[k];
    }
    slip_articulation_body_velocities(c);
}

// as for those that are found; what moves by itself puts in - P drift
// (formulation/moreau/moreau_energy_balance.c)
void slip_articulation_add_contact_work(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count; k++) {
        slip_declared_contact *w = &m->declared[k];
        const slip_element *e = &m->system->elements[w->element];
        for (int r = 0; r < c->problem.dimension; r++) {
            const int row = slip_element_row(e, r);
            w->after[r] = row_rate(m, row, m->end);
            if (row < 0 || w->impulse[r] == 0.0) continue;
            *(r ? &c->base.friction : &c->base.impact) -= 0.5 * w->impulse[r] * (w->before[r] + w->after[r]);
            c->base.work -= w->impulse[r] * m->terms.drift[row];
        }
    }
}

// ----------------------------------------------------------------------------------------------- overlap

// what strikes or opens parts by itself
static bool is_projected(const slip_articulation *m, const slip_declared_contact *w)
{
    return m->system->elements[w->element].has_gap && w->carries && !w->hits &&
           (w->impulse[0] > 0.0 || w->after[0] <= 0.0);
}

static double gap_change(const slip_articulation *m, int row)
{
    const slip_system *s = m->system;
    double sum = 0.0;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const int i = s->column[k];
        if (m->part_of[i] >= 0) sum += m->terms.value[k] * m->parts[m->part_of[i]].shift[m->place[i]];
    }
    return sum;
}

static void apply_push(slip_many_body *c, const slip_declared_contact *w, int row, double by)
{
    slip_articulation *m = c->articulation;
    const slip_system *s = m->system;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const int j = s->column[k];
        if (m->part_of[j] < 0) continue;
        const slip_articulated_part *part = &m->parts[m->part_of[j]];
        for (int i = 0; i < part->count; i++)
            part->shift[i] += by * part->inverse[i * part->count + m->place[j]] * m->terms.value[k];
    }
    for (int k = 0; k < 2; k++)
        if (w->part[k] >= 0) slip_articulation_shift_bodies(c, w->part[k]);
}

double slip_articulation_project_sweep(slip_many_body *c, bool first)
{
    slip_articulation *m = c->articulation;
    const double worth = fmax(OVERLAP_OF_FALL * c->pull * c->h * c->h, DECLARED_OVERLAP);
    double worst = 0.0;
    for (int k = 0; k < m->declared_count; k++) {
        slip_declared_contact *w = &m->declared[k];
        if (first) w->push = 0.0;
        if (!is_projected(m, w)) continue;
        const int row = slip_element_row(&m->system->elements[w->element], 0);
        const double gap = w->gap + 0.5 * c->h * w->after[0] + gap_change(m, row),
                     compliance = mobility_of(m, row),
                     by = compliance > 0.0 ? fmax(-w->push, -gap / compliance) : 0.0;
        worst = fmax(worst, -gap / worth);
        if (first || by == 0.0) continue;
        w->push += by;
        apply_push(c, w, row, by);
    }
    return worst;
}

// ------------------------------------------------------------------------------------------ what is told

bool slip_declared_contact_sticks(const slip_declared_contact *w)
{
    const double most = w->mu * w->impulse[0],
                 along = sqrt(w->impulse[1] * w->impulse[1] + w->impulse[2] * w->impulse[2]);
    return w->impulse[0] > 0.0 && along < most * (1.0 - STICK_MARGIN);
}

void slip_articulation_read_quantities(const slip_many_body *c, int element, double *value)
{
    const slip_articulation *m = c->articulation;
    const double rate = c->h > 0.0 ? 1.0 / c->h : 0.0;
    for (int k = 0; k < m->loads.count; k++)
        if (m->loads.element[k] == element) value[SLIP_QUANTITY_FORCE] = m->loads.load[k];
    for (int k = 0; k < m->declared_count; k++) {
        const slip_declared_contact *w = &m->declared[k];
        const slip_element *e = &m->system->elements[w->element];
        if (w->element != element) continue;
        value[SLIP_QUANTITY_GAP] = e->has_gap ? w->gap + 0.5 * c->h * w->after[0] : NAN;
        value[SLIP_QUANTITY_NORMAL] = e->has_gap ? rate * w->impulse[0] : NAN;
        value[SLIP_QUANTITY_SLIP] = w->after[1];
        value[SLIP_QUANTITY_SLIP_Y] = w->after[2];
        value[SLIP_QUANTITY_FRICTION] = rate * w->impulse[1];
        value[SLIP_QUANTITY_FRICTION_Y] = rate * w->impulse[2];
        value[SLIP_QUANTITY_LIMIT] = rate * w->mu * w->impulse[0];
        value[SLIP_QUANTITY_CLOSED] = w->impulse[0] > 0.0;
        value[SLIP_QUANTITY_STICK] = slip_declared_contact_sticks(w);
    }
}

void slip_articulation_modes(slip_many_body *c)
{
    const slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count; k++) {
        const slip_declared_contact *w = &m->declared[k];
        const bool gap = m->system->elements[w->element].has_gap, closed = w->impulse[0] > 0.0;
        c->mode[w->element] = (unsigned char)((gap && closed ? SLIP_MODE_CLOSED : 0) |
                                              (slip_declared_contact_sticks(w) ? SLIP_MODE_STICK : 0));
    }
}

bool slip_articulation_is_unproved(const slip_articulation *m)
{
    for (int k = 0; k < m->declared_count; k++)
        if (m->system->elements[m->declared[k].element].has_gap && m->declared[k].impulse[0] > 0.0)
            return true;
    return m->loads.count > 0;
}
