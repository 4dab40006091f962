/// sensitivity/record_sensitivity.c: sensitivities of the recorded quantities.
#include <math.h>
#include <string.h>

#include "sensitivity/sens_moreau.h"
#include "sensitivity/sensitivity_tolerances.h"

static double *column_at(const slip_sensitivity *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

// Contacts that share a load in many ways have forces that the formulation chose: how its choice changes is
// not known
static bool force_is_determined(const slip_sensitivity *t, int at)
{
    for (int k = 0; k < t->held.count - t->held.forces.rank; k++) {
        double size = 0.0;
        slip_lu_complete_null_vector(&t->held.forces, k, t->residual);
        for (int i = 0; i < t->held.count; i++) size = fmax(size, fabs(t->residual[i]));
        if (fabs(t->residual[at]) > NULL_COMPONENT * size) return false;
    }
    return true;
}

static double held_change(const slip_sensitivity *t, int row)
{
    for (int i = 0; i < t->held.count; i++)
        if (t->held.row[i] == row) return force_is_determined(t, i) ? t->df[i] : NAN;
    return 0.0;
}

// of the force that the friction of an element follows
static double load_change(const slip_sensitivity *t, int e)
{
    double sum = 0.0;
    for (int i = 0; i < t->held.count; i++) {
        const double by = slip_sensitivity_load_partial(t, t->input + t->in.force, e, t->held.row[i]);
        if (by != 0.0) sum += force_is_determined(t, i) ? by * t->df[i] : NAN;
    }
    return sum;
}

// limit of the friction of an element and its change
static double limit_of(const slip_sensitivity *t, int e, double *change)
{
    const double friction = t->in_hand->terms.friction[e],
                 load = slip_sensitivity_load(t, t->input + t->in.force, e);
    *change =
        slip_sensitivity_result(t, SLIP_SENS_EVENT, t->elements + e) * load + friction * load_change(t, e);
    return friction * load;
}

// friction along component c of an element that slides, and its change
static double sliding_friction(const slip_sensitivity *t, int e, int c, double *change)
{
    const slip_system *s = t->system;
    const slip_element *element = &s->elements[e];
    double limit = limit_of(t, e, change), v[2], dv[2], speed = 0.0, along = 0.0;
    if (element->slip_count < 2) {
        *change *= -t->contact_state[e].slide;
        return -t->contact_state[e].slide * limit;
    }
    for (int i = 0; i < 2; i++) {
        v[i] = slip_system_row_rate(s, &t->in_hand->terms, element->tangent_row + i, t->in_hand->u);
        dv[i] = slip_sensitivity_result(t, SLIP_SENS_VELOCITY, element->tangent_row + i);
    }
    speed = slip_length(v[0], v[1]);
    if (slip_sensitivity_slip_begins(t, t->in_hand, e)) {
        *change = NAN; // the way itself turns, at this instant alone
        return -limit * t->in_hand->slip_direction[2 * e + c];
    }
    along = (v[0] * dv[0] + v[1] * dv[1]) / speed;
    *change = -*change * v[c] / speed - limit * (dv[c] - v[c] / speed * along) / speed;
    return -limit * v[c] / speed;
}

// a quantity of an element and its change; NaN where that is not known
static double quantity_change(const slip_sensitivity *t, int e, slip_quantity what, double *change)
{
    const slip_element *element = &t->system->elements[e];
    const slip_sensitivity_slot *slot = t->in_hand;
    bool closed = t->contact_state[e].closed, sticks = closed && t->contact_state[e].slide == 0.0;
    int c = what == SLIP_QUANTITY_FRICTION_Y || what == SLIP_QUANTITY_SLIP_Y;
    *change = 0.0;
    switch (what) {
    case SLIP_QUANTITY_GAP:
        if (!closed) *change = slip_sensitivity_result(t, SLIP_SENS_EVENT, e);
        return closed ? 0.0 : slot->terms.gap[e];
    case SLIP_QUANTITY_NORMAL:
        *change = held_change(t, element->normal_row);
        return slot->force[element->normal_row];
    case SLIP_QUANTITY_SLIP:
    case SLIP_QUANTITY_SLIP_Y:
        *change = slip_sensitivity_result(t, SLIP_SENS_VELOCITY, element->tangent_row + c);
        return slip_system_row_rate(t->system, &slot->terms, element->tangent_row + c, slot->u);
    case SLIP_QUANTITY_FRICTION:
    case SLIP_QUANTITY_FRICTION_Y:
        if (element->viscous > 0.0) break; // part of it is a force among the others
        if (!closed) return 0.0;
        if (!sticks) return sliding_friction(t, e, c, change);
        *change = held_change(t, element->tangent_row + c);
        return slot->force[element->tangent_row + c];
    case SLIP_QUANTITY_STICK:
        return sticks;
    case SLIP_QUANTITY_CLOSED:
        return closed;
    case SLIP_QUANTITY_FORCE:
        *change = load_change(t, e);
        return slip_sensitivity_load(t, t->input + t->in.force, e);
    case SLIP_QUANTITY_LIMIT:
        return limit_of(t, e, change);
    default:
        break;
    }
    *change = NAN;
    return NAN;
}

static void fill_quantities(slip_sensitivity *t)
{
    const slip_model *model = t->system->equations->model;
    for (int i = 0; i < model->quantity_count; i++) {
        double change;
        const slip_quantity_input *q = &model->quantities[i];
        t->input[q->input] = quantity_change(t, q->element, q->quantity, &change);
        t->input[t->in.quantity + i] = change;
    }
}

void slip_sensitivity_records(slip_sensitivity *t, int c, const double *dx, int count, double *to)
{
    slip_sensitivity_acceleration(t, c, 0.0, dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, c, 0.0, dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, 0.0, dx);
    fill_quantities(t);
    slip_sensitivity_run_tape(t, SLIP_SENS_RECORD, c, 0.0, dx);
    for (int k = 0; k < count; k++) to[k] = slip_sensitivity_result(t, SLIP_SENS_RECORD, k);
}

// columns within the step ahead: linear in those of its ends, as the states are
static void interpolate_column(slip_sensitivity *t, double time, int c, double *dx)
{
    slip_step_interval leg = { .t = t->start_slot.t,
                               .h = t->step[SLIP_SENS_SLOT_COUNT - 1]->t - t->start_slot.t,
                               .x = column_at(t, t->x, c),
                               .rate = column_at(t, t->work.k[0], c),
                               .x_end = column_at(t, t->next, c),
                               .rate_end = column_at(t, t->next_rate, c) };
    slip_step_interval_state(t->system->equations, &leg, fmin((time - leg.t) / leg.h, 1.0), dx);
}

void slip_sensitivity_energies(slip_sensitivity *t, int c, double *kinetic, double *potential)
{
    const int records = t->system->equations->model->record_count;
    *kinetic = *potential = NAN;
    if (t->steps)
        slip_sens_moreau_load_present(t);
    else
        slip_sensitivity_read_contacts(t);
    if (t->lost) return;
    slip_sensitivity_set_slot(t, &t->start_slot);
    slip_sensitivity_records(t, c, column_at(t, t->x, c), 0, NULL);
    *kinetic = slip_sensitivity_result(t, SLIP_SENS_RECORD, records);
    *potential = slip_sensitivity_result(t, SLIP_SENS_RECORD, records + 1);
}

void slip_sensitivity_row(slip_sensitivity *t, double time, int records, double *row)
{
    if (t->steps) {
        slip_sens_moreau_row(t, time, records, row);
        return;
    }
    int width = 2 * t->n + records;
    bool now = time == t->base->t;
    if (t->lost) {
        for (int k = 0; k < width * t->column_count; k++) row[k] = NAN;
        return;
    }
    if (!now) slip_sensitivity_next_step(t);
    slip_sensitivity_read_contacts(t);
    if (!now) slip_sensitivity_save_slot(t, time, t->m->u, &t->seen);
    if (records) slip_sensitivity_set_slot(t, now ? &t->start_slot : &t->seen);
    for (int c = 0; c < t->column_count; c++) {
        double *to = row + (size_t)c * (size_t)width;
        if (now)
            memcpy(t->within, column_at(t, t->x, c), 2 * (size_t)t->n * sizeof *t->within);
        else
            interpolate_column(t, time, c, t->within);
        memcpy(to, t->within, 2 * (size_t)t->n * sizeof *to);
        if (records) slip_sensitivity_records(t, c, t->within, records, to + 2 * t->n);
    }
}
