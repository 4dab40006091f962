/// crowd/machine_rows.c: rows of the machine in the contact problem of a step, found ones and written ones.
#include <math.h>
#include <string.h>

#include "crowd/crowd.h"
#include "crowd/machine.h"

// --------------------------------------------------------------------------------------- bodies of frames

void slip_machine_rows(const slip_crowd_step *c, int member, const slip_v3 axis[3], const slip_v3 turn[3],
                       double sign, double *rows)
{
    const slip_machine *m = c->machine;
    const slip_frame *f = &m->frames[m->frame_of[member]];
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

// ------------------------------------------------------------------------------------------ what is written

static double rate_of(const slip_machine *m, int row, const double *u)
{
    return row < 0 ? 0.0 : slip_system_row_rate(m->system, &m->terms, row, u);
}

void slip_machine_rates(const slip_crowd_step *c, const slip_written *w, const double *u, double xi[3])
{
    const slip_machine *m = c->machine;
    for (int r = 0; r < 3; r++) xi[r] = rate_of(m, slip_element_row(&m->system->elements[w->element], r), u);
}

// w M^-1 w'
static double mobility_of(const slip_machine *m, int row)
{
    const slip_system *s = m->system;
    double sum = 0.0;
    for (int a = s->start[row]; a < s->start[row + 1]; a++)
        for (int b = s->start[row]; b < s->start[row + 1]; b++) {
            const int i = s->column[a], j = s->column[b];
            if (m->part_of[i] < 0 || m->part_of[i] != m->part_of[j]) continue;
            const slip_limb *part = &m->parts[m->part_of[i]];
            sum += m->terms.value[a] * m->terms.value[b] *
                   part->inverse[m->place[i] * part->count + m->place[j]];
        }
    return sum;
}

// Whether a contact may close in the step: as for those that are found, whatever others do to it
static bool may_close(const slip_crowd_step *c, const slip_written *w, double free)
{
    return w->gap <= c->h * (fabs(w->before[0]) + fabs(free)) + c->pull * c->h * c->h;
}

void slip_machine_meet(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count; k++) {
        slip_written *w = &m->written[k];
        const slip_element *e = &m->system->elements[w->element];
        const double friction = m->terms.friction[w->element];
        w->gap = e->has_gap ? m->terms.gap[w->element] : 0.0;
        w->mu = !e->has_gap ? 1.0 : e->slip_count ? friction : 0.0;
        w->limit = e->has_gap ? 0.0 : friction;
        w->heaviness = 0.0;
        for (int r = 0; r < c->problem.dimension; r++) {
            const int row = slip_element_row(e, r);
            w->before[r] = rate_of(m, row, c->state + c->n);
            if (row >= 0) w->heaviness = fmax(w->heaviness, mobility_of(m, row));
        }
        w->hits =
            e->has_gap && e->contact->restitution > 0.0 && w->before[0] < -SLIP_CROWD_SOFT * c->pull * c->h;
        w->carries =
            w->heaviness > 0.0 &&
            (e->has_gap ? may_close(c, w, rate_of(m, slip_element_row(e, 0), m->end)) : w->limit > 0.0);
        if (w->hits && w->gap > 0.0) w->carries = false;
    }
}

// its part, once per step
static int put_part(slip_crowd_step *c, int part)
{
    slip_crowd_problem *p = &c->problem;
    const slip_machine *m = c->machine;
    const slip_limb *from = &m->parts[part];
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

int slip_machine_put(slip_crowd_step *c, int member)
{
    return put_part(c, c->machine->frames[c->machine->frame_of[member]].part);
}

// a body for the rows that an element does not have, as heavy as it is along those it has
static int put_filler(slip_crowd_step *c, const slip_written *w)
{
    slip_crowd_problem *p = &c->problem;
    const int side = p->side;
    const long at = p->bodies++;
    double *inverse = p->inverse + side * side * at;
    memset(inverse, 0, (size_t)(side * side) * sizeof *inverse);
    memset(p->free + side * at, 0, (size_t)side * sizeof *inverse);
    for (int i = 0; i < p->dimension; i++) inverse[(side + 1) * i] = w->heaviness;
    return (int)at;
}

// rows of the parts, and the drift that goes into the shift
static void put_row(const slip_crowd_step *c, const slip_written *w, int row, int r, double *rows)
{
    const slip_machine *m = c->machine;
    const slip_system *s = m->system;
    const int side = c->problem.side, d = c->problem.dimension;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const int i = s->column[k], which = m->part_of[i] == w->part[0] ? 0 : 1;
        if (m->part_of[i] >= 0) rows[side * (d * which + r) + m->place[i]] = m->terms.value[k];
    }
}

static void put_written(slip_crowd_step *c, const slip_written *w)
{
    slip_crowd_problem *p = &c->problem;
    const slip_machine *m = c->machine;
    const slip_element *e = &m->system->elements[w->element];
    const int side = p->side, d = p->dimension;
    const long at = p->contacts++;
    double *rows = p->rows + 2 * d * side * at;
    memset(rows, 0, (size_t)(2 * d * side) * sizeof *rows);
    p->body[2 * at] = put_part(c, w->part[0]);
    p->body[2 * at + 1] = w->part[1] >= 0 ? put_part(c, w->part[1])
                          : w->whole      ? SLIP_GROUND
                                          : put_filler(c, w);
    p->mu[at] = w->mu;
    for (int r = 0; r < d; r++) {
        const int row = slip_element_row(e, r);
        const double back = r ? e->contact->restitution_t : e->contact->restitution;
        double shift = 0.0;
        if (row < 0) {
            rows[side * (d + r) + r] = 1.0;
            if (r == 0) shift = -w->heaviness * c->h * w->limit;
        } else {
            put_row(c, w, row, r, rows);
            shift = m->terms.drift[row];
            if (w->hits)
                shift += back * w->before[r];
            else if (r == 0 && w->gap > 0.0)
                shift += 2.0 * w->gap / c->h;
        }
        p->shift[d * at + r] = shift;
        p->r[d * at + r] = w->impulse[r];
    }
}

void slip_machine_pose(slip_crowd_step *c)
{
    const slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count; k++)
        if (m->written[k].carries) put_written(c, &m->written[k]);
}

void slip_machine_take(slip_crowd_step *c, int first)
{
    const slip_crowd_problem *p = &c->problem;
    slip_machine *m = c->machine;
    const int d = p->dimension;
    for (int k = 0; k < m->written_count; k++) {
        slip_written *w = &m->written[k];
        for (int r = 0; r < 3; r++) w->impulse[r] = w->carries && r < d ? p->r[d * first + r] : 0.0;
        first += w->carries;
    }
    for (int i = 0; i < m->part_count; i++) {
        if (c->part_place[i] < 0) continue;
        const double *v = p->v + (long)p->side * c->part_place[i];
        for (int k = 0; k < m->parts[i].count; k++) m->end[m->coordinate[m->parts[i].first + k]] = v[k];
    }
    slip_machine_follow(c);
}

// as for those that are found; what moves by itself puts in - P drift (stepping/moreau_ledger.c)
void slip_machine_book(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count; k++) {
        slip_written *w = &m->written[k];
        const slip_element *e = &m->system->elements[w->element];
        for (int r = 0; r < c->problem.dimension; r++) {
            const int row = slip_element_row(e, r);
            w->after[r] = rate_of(m, row, m->end);
            if (row < 0 || w->impulse[r] == 0.0) continue;
            *(r ? &c->base.friction : &c->base.impact) -= 0.5 * w->impulse[r] * (w->before[r] + w->after[r]);
            c->base.work -= w->impulse[r] * m->terms.drift[row];
        }
    }
}

// ----------------------------------------------------------------------------------------------- overlap

// what strikes or opens parts by itself
static bool is_kept(const slip_machine *m, const slip_written *w)
{
    return m->system->elements[w->element].has_gap && w->carries && !w->hits &&
           (w->impulse[0] > 0.0 || w->after[0] <= 0.0);
}

static double opened_by(const slip_machine *m, int row)
{
    const slip_system *s = m->system;
    double sum = 0.0;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const int i = s->column[k];
        if (m->part_of[i] >= 0) sum += m->terms.value[k] * m->parts[m->part_of[i]].shift[m->place[i]];
    }
    return sum;
}

static void push(slip_crowd_step *c, const slip_written *w, int row, double by)
{
    slip_machine *m = c->machine;
    const slip_system *s = m->system;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const int j = s->column[k];
        if (m->part_of[j] < 0) continue;
        const slip_limb *part = &m->parts[m->part_of[j]];
        for (int i = 0; i < part->count; i++)
            part->shift[i] += by * part->inverse[i * part->count + m->place[j]] * m->terms.value[k];
    }
    for (int k = 0; k < 2; k++)
        if (w->part[k] >= 0) slip_machine_carry(c, w->part[k]);
}

double slip_machine_open(slip_crowd_step *c, bool first)
{
    slip_machine *m = c->machine;
    const double worth = fmax(1e-3 * c->pull * c->h * c->h, 1e-12);
    double worst = 0.0;
    for (int k = 0; k < m->written_count; k++) {
        slip_written *w = &m->written[k];
        if (first) w->push = 0.0;
        if (!is_kept(m, w)) continue;
        const int row = slip_element_row(&m->system->elements[w->element], 0);
        const double gap = w->gap + 0.5 * c->h * w->after[0] + opened_by(m, row),
                     compliance = mobility_of(m, row),
                     by = compliance > 0.0 ? fmax(-w->push, -gap / compliance) : 0.0;
        worst = fmax(worst, -gap / worth);
        if (first || by == 0.0) continue;
        w->push += by;
        push(c, w, row, by);
    }
    return worst;
}

// ------------------------------------------------------------------------------------------ what is told

bool slip_written_sticks(const slip_written *w)
{
    const double most = w->mu * w->impulse[0],
                 along = sqrt(w->impulse[1] * w->impulse[1] + w->impulse[2] * w->impulse[2]);
    return w->impulse[0] > 0.0 && along < most * (1.0 - 1e-9);
}

void slip_machine_read(const slip_crowd_step *c, int element, double *value)
{
    const slip_machine *m = c->machine;
    const double rate = c->h > 0.0 ? 1.0 / c->h : 0.0;
    for (int k = 0; k < m->loads.count; k++)
        if (m->loads.element[k] == element) value[SLIP_QUANTITY_FORCE] = m->loads.load[k];
    for (int k = 0; k < m->written_count; k++) {
        const slip_written *w = &m->written[k];
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
        value[SLIP_QUANTITY_STICK] = slip_written_sticks(w);
    }
}

void slip_machine_modes(slip_crowd_step *c)
{
    const slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count; k++) {
        const slip_written *w = &m->written[k];
        const bool gap = m->system->elements[w->element].has_gap, closed = w->impulse[0] > 0.0;
        c->mode[w->element] = (unsigned char)((gap && closed ? SLIP_MODE_CLOSED : 0) |
                                              (slip_written_sticks(w) ? SLIP_MODE_STICK : 0));
    }
}

bool slip_machine_touched(const slip_machine *m)
{
    for (int k = 0; k < m->written_count; k++)
        if (m->system->elements[m->written[k].element].has_gap && m->written[k].impulse[0] > 0.0) return true;
    return m->loads.count > 0;
}
