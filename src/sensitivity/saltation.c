/// sensitivity/saltation.c: derivatives of event times, and jumps of sensitivities at events.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "sensitivity/sens_moreau.h"
#include "sensitivity/sensitivity_tolerances.h"

static double *column_at(const slip_sensitivity *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

static const slip_sensitivity_slot *end_of_step(const slip_sensitivity *t)
{
    return t->step[SLIP_SENS_SLOT_COUNT - 1];
}

// ------------------------------------------------------------------------------------------ event functions

static double force_change(const slip_sensitivity *t, int row)
{
    for (int i = 0; i < t->held.count; i++)
        if (t->held.row[i] == row) return t->df[i];
    return 0.0;
}

double slip_sensitivity_number(const slip_sensitivity *t, int e, int which, int column)
{
    int p = column >= 0 ? t->columns[column].parameter : -1;
    return p < 0
               ? 0.0
               : t->number[((size_t)e * SLIP_SENS_NUMBER_COUNT + (size_t)which) * (size_t)t->parameter_count +
                           (size_t)p];
}

// of the friction that is left to what sticks: limit - |T|
static double reserve_change(const slip_sensitivity *t, int e)
{
    const slip_element *element = &t->system->elements[e];
    const slip_sensitivity_slot *slot = t->in_hand;
    double friction = slot->terms.friction[e],
           change = slip_sensitivity_result(t, SLIP_SENS_EVENT, t->elements + e), T = 0.0, dT = 0.0;
    if (slip_element_holds_at_rest(element, friction, slot->terms.static_friction[e])) {
        friction = slot->terms.static_friction[e];
        change = slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * (t->elements + t->switches) + e);
    }
    change = change * slip_sensitivity_load(t, t->input + t->in.force, e) +
             friction * slip_sensitivity_load_change(t, e);
    for (int c = 0; c < element->slip_count; c++) {
        double force = slot->force[element->tangent_row + c];
        T += force * force;
        dT += force * force_change(t, element->tangent_row + c);
    }
    return change - (T > 0.0 ? dT / sqrt(T) : 0.0);
}

static double slip_change(const slip_sensitivity *t, int e)
{
    const slip_element *element = &t->system->elements[e];
    double sum = 0.0;
    for (int c = 0; c < element->slip_count; c++)
        sum += (element->slip_count > 1 ? t->m->rigid.heading[2 * e + c] : t->contact_state[e].slide) *
               slip_sensitivity_result(t, SLIP_SENS_VELOCITY, element->tangent_row + c);
    return sum;
}

// change of event function k along the direction that was run last
double slip_sensitivity_function_change(const slip_sensitivity *t, int k)
{
    int e = k / 2;
    if (k >= 2 * t->elements) return slip_sensitivity_result(t, SLIP_SENS_EVENT, k);
    if (k % 2) return t->contact_state[e].slide != 0.0 ? slip_change(t, e) : reserve_change(t, e);
    if (!t->contact_state[e].closed) return slip_sensitivity_result(t, SLIP_SENS_EVENT, e);
    return force_change(t, t->system->elements[e].normal_row);
}

void slip_sensitivity_run_event_tapes(slip_sensitivity *t, int column, double dt, const double *dx)
{
    slip_sensitivity_acceleration(t, column, dt, dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, column, dt, dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, column, dt, dx);
}

// ---------------------------------------------------------------------------------------------------- time

// the motion itself as a direction: q' and u'
void slip_sensitivity_slot_motion(slip_sensitivity *t, const slip_sensitivity_slot *slot)
{
    memcpy(t->line, slot->v, (size_t)t->n * sizeof *t->line);
    memcpy(t->line + t->n, slot->a, (size_t)t->n * sizeof *t->line);
}

// event function k is at zero now
static bool function_is_zero(const slip_sensitivity *t, int k)
{
    const slip_event_driven *m = t->m;
    int i = k - 2 * t->elements;
    if (i < 0 || !t->switch_list[i].timed) return !(m->after[k].value > 0.0);
    double value = slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * t->elements + t->switches + i),
           rate = slip_sensitivity_result(t, SLIP_SENS_EVENT, k);
    return m->at_switch && rate != 0.0 && fabs(value) <= SWITCH_NOW * fmax(1.0, m->base.t) * fabs(rate);
}

// dtau = -dg/g' of one event function
static bool event_time_derivative(slip_sensitivity *t, int k, double *dtau)
{
    bool known = true;
    slip_sensitivity_slot_motion(t, end_of_step(t));
    slip_sensitivity_run_event_tapes(t, -1, 1.0, t->line);
    double speed = slip_sensitivity_function_change(t, k);
    if (k >= 2 * t->elements) t->event.crossed = k, t->event.crossing = speed;
    for (int c = 0; c < t->column_count; c++) {
        const double *dx = column_at(t, t->x, c);
        slip_sensitivity_run_event_tapes(t, c, 0.0, dx);
        dtau[c] = -slip_sensitivity_function_change(t, k) / speed;
        known = known && isfinite(dtau[c]);
    }
    return known;
}

static const char *event_name(const slip_sensitivity *t, int k)
{
    return k < 2 * t->elements ? t->system->elements[k / 2].name : "a condition";
}

bool slip_sensitivity_same_times(const slip_sensitivity *t)
{
    bool same = true;
    for (int c = 0; c < t->column_count; c++) {
        double size = fmax(fabs(t->event.dtau[c]), fabs(t->event.dtau_other[c]));
        same = same && fabs(t->event.dtau[c] - t->event.dtau_other[c]) <=
                           SAME_TIME_DERIVATIVE * size + SAME_TIME_DERIVATIVE_MIN;
    }
    return same;
}

void slip_sensitivity_event_time(slip_sensitivity *t)
{
    int first = -1;
    t->event.crossed = -1;
    slip_sensitivity_read_contacts(t);
    slip_sensitivity_set_slot(t, end_of_step(t));
    memset(t->event.dtau, 0, (size_t)t->column_count * sizeof *t->event.dtau);
    for (int k = 0; k < t->m->watches && !t->lost; k++) {
        slip_sensitivity_slot_motion(t, end_of_step(t));
        slip_sensitivity_run_event_tapes(t, -1, 1.0, t->line);
        if (!function_is_zero(t, k)) continue;
        if (!event_time_derivative(t, k, first < 0 ? t->event.dtau : t->event.dtau_other)) {
            slip_sensitivity_end(t, "an event of '%s' is only just reached, and its time has no derivatives",
                                 event_name(t, k));
            return;
        }
        if (first >= 0 && !slip_sensitivity_same_times(t))
            slip_sensitivity_end(t, "events of '%s' and '%s' happen at once, and which comes first is open",
                                 event_name(t, first), event_name(t, k));
        if (first < 0) first = k;
    }
    if (t->lost) return;
    slip_sensitivity_slot_motion(t, end_of_step(t));
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < 2 * t->n; k++)
            column_at(t, t->event.at, c)[k] = column_at(t, t->x, c)[k] + t->line[k] * t->event.dtau[c];
    memcpy(t->event.state_before, end_of_step(t)->q, (size_t)t->n * sizeof *t->event.state_before);
    memcpy(t->event.state_before + t->n, end_of_step(t)->u, (size_t)t->n * sizeof *t->event.state_before);
    t->event.pending = true;
    t->event.hits = false;
    t->event.before = end_of_step(t);
}

// -------------------------------------------------------------------------------------------------- impacts

// how contact k of the impact went; false when conditions on the rates at its end do not say
static bool classify_impact_contact(slip_sensitivity *t, int k)
{
    const slip_rigid_impact *s = &t->m->impact_problem.rigid_impact;
    const slip_element *element = &t->system->elements[s->element[k]];
    slip_sens_contact_state *contact_state = &t->event.hit_contact_state[s->element[k]];
    const double *impulse = s->hit.impulse + s->hit.d * k;
    double along = 0.0, limit = s->mu[k] * impulse[0];
    if (!(impulse[0] > 0.0)) return true;
    *contact_state = (slip_sens_contact_state){ true, 0.0 };
    t->hit.force[element->normal_row] = impulse[0];
    t->event.hit_e[element->normal_row] = s->e[k];
    t->event.plastic[element->normal_row] = s->e[k] != element->contact->restitution;
    for (int c = 0; c < element->slip_count; c++) along += impulse[1 + c] * impulse[1 + c];
    along = sqrt(along);
    bool slides = along >= limit * (1.0 - SLIDING_MARGIN);
    if (slides)
        contact_state->slide =
            (limit > 0.0 ? -impulse[1] : s->hit.after[s->hit.d * k + 1]) < 0.0 ? -1.0 : 1.0;
    for (int c = 0; c < element->slip_count; c++) {
        t->hit.force[element->tangent_row + c] = slides ? 0.0 : impulse[1 + c];
        t->event.hit_e[element->tangent_row + c] = s->e_t[k];
        t->event.plastic[element->tangent_row + c] = s->e_t[k] != element->contact->restitution_t;
    }
    if (slides && limit > 0.0 && element->slip_count > 1) return false;
    return s->law[k]->in_step || (s->hit.contacts == 1 && limit == 0.0);
}

static void classify_impact(slip_sensitivity *t)
{
    const slip_event_driven *m = t->m;
    slip_sensitivity_save_slot(t, m->base.t, m->scratch_u, &t->hit);
    memset(t->hit.force, 0, (size_t)t->rows * sizeof *t->hit.force);
    memset(t->event.hit_e, 0, (size_t)t->rows * sizeof *t->event.hit_e);
    memset(t->event.plastic, 0, (size_t)t->rows * sizeof *t->event.plastic);
    memset(t->event.hit_contact_state, 0, (size_t)t->elements * sizeof *t->event.hit_contact_state);
    t->hit.impulsive = true;
    for (int k = 0; k < t->n; k++) t->hit.a[k] = m->u[k] - m->scratch_u[k];
}

// columns at the time of the event
static const double *columns_before(slip_sensitivity *t)
{
    if (t->event.reset) return t->x;
    if (t->event.pending) return t->event.at;
    memset(t->event.dtau, 0, (size_t)t->column_count * sizeof *t->event.dtau);
    return t->x;
}

static bool may_be_border(const slip_rigid_impact *s)
{
    bool rubs = false;
    for (int k = 0; k < s->hit.contacts; k++) rubs = rubs || s->mu[k] > 0.0;
    return rubs || s->hit.contacts > 1;
}

void slip_sensitivity_save_impact(slip_sensitivity *t)
{
    slip_rigid_impact *s = &t->m->impact_problem.rigid_impact;
    bool simple = true;
    classify_impact(t);
    for (int k = 0; k < slip_rigid_impact_gaps(s); k++) {
        simple = classify_impact_contact(t, k) && simple && s->hit.frictions == 0;
        if (s->hit.path[k] & SLIP_PATH_JAMMED)
            slip_sensitivity_end(t, "'%s' is struck without approach, by jamming",
                                 t->system->elements[s->element[k]].name);
    }
    t->event.hits = true;
    t->settled = false;
    t->blow.taken = false;
    if (t->lost || (simple && !may_be_border(s))) return;
    const double *x = columns_before(t);
    memcpy(t->blow.contact_state, t->contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (simple) {
        memcpy(t->contact_state, t->event.hit_contact_state, (size_t)t->elements * sizeof *t->contact_state);
        slip_sensitivity_set_slot(t, &t->hit);
        if (!t->lost && t->held.forces.rank == t->held.count) // else impulses share a load in many ways
            slip_impact_sensitivity_find(t, s, x);
        t->blow.taken = false;
    } else
        slip_impact_sensitivity_find(t, s, x);
    memcpy(t->contact_state, t->blow.contact_state, (size_t)t->elements * sizeof *t->contact_state);
}

static int element_of_row(const slip_sensitivity *t, int row)
{
    const slip_system *s = t->system;
    for (int e = 0; e < t->elements; e++)
        if (s->elements[e].normal_row == row ||
            (s->elements[e].slip_count && row >= s->elements[e].tangent_row &&
             row < s->elements[e].tangent_row + s->elements[e].slip_count))
            return e;
    return -1;
}

// G u+ + e G u- = 0 for what the impact holds, or as its law has it; the change of u+ is added to that of u-
void slip_sensitivity_impact(slip_sensitivity *t, int c, double *dx)
{
    const slip_system *s = t->system;
    const double *du = t->blow.du + (size_t)c * (size_t)t->n;
    for (int k = 0; k < t->n && t->blow.taken; k++) dx[t->n + k] += du[k];
    if (t->blow.taken) return;
    slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, c, t->event.dtau[c], dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_IMPACT, c, t->event.dtau[c], dx);
    for (int k = 0; k < t->n; k++) t->da[k] = slip_sensitivity_result(t, SLIP_SENS_IMPACT, k);
    for (int i = 0; i < t->held.count; i++) {
        int row = t->held.row[i], e = element_of_row(t, row);
        double change = 0.0;
        if (e >= 0 && !t->event.plastic[row])
            change = slip_sensitivity_number(
                t, e, row == s->elements[e].normal_row ? SLIP_SENS_RESTITUTION : SLIP_SENS_RESTITUTION_T, c);
        t->bend[i] = slip_sensitivity_result(t, SLIP_SENS_IMPACT, t->n + row) +
                     (1.0 + t->event.hit_e[row]) * slip_sensitivity_result(t, SLIP_SENS_VELOCITY, row) +
                     change * slip_system_row_rate(s, &t->hit.terms, row, t->hit.u);
    }
    slip_sensitivity_solve_balance(t, t->bend);
    for (int k = 0; k < t->n; k++) dx[t->n + k] += t->da[k];
}

// what the impact does to the columns, which are at its time
static void apply_impact(slip_sensitivity *t)
{
    memcpy(t->contact_state, t->event.hit_contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!t->blow.taken) slip_sensitivity_set_slot(t, &t->hit);
    for (int c = 0; c < t->column_count; c++) slip_sensitivity_impact(t, c, column_at(t, t->x, c));
    slip_sensitivity_read_contacts(t);
}

void slip_sensitivity_set_event_time(slip_sensitivity *t, const double *dtau)
{
    t->event.passed_at = t->base->t;
    memcpy(t->event.dtau_passed, dtau, (size_t)t->column_count * sizeof *dtau);
}

// Where accelerations jump because the value g of a condition passes zero, volumes of states do too: by
// det(I + (x'+ - x'-) dg / g'-) = g'+ / g'-
static void count_crossing(slip_sensitivity *t)
{
    slip_sensitivity_set_slot(t, end_of_step(t));
    slip_sensitivity_slot_motion(t, &t->start_slot);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, -1, 1.0, t->line);
    const double behind = slip_sensitivity_function_change(t, t->event.crossed);
    if (behind != t->event.crossing) t->divergence.sum += slip_ln(fabs(behind / t->event.crossing));
}

void slip_sensitivity_saltation(slip_sensitivity *t)
{
    double *x = t->x;
    if (t->event.pending && t->event.crossed >= 0 && !t->event.hits && t->divergence.wanted)
        count_crossing(t);
    if (!t->event.pending && !t->event.reset) {
        memset(t->event.dtau, 0, (size_t)t->column_count * sizeof *t->event.dtau);
        memcpy(t->event.at, x, (size_t)t->problem.count * sizeof *x);
    }
    if (!t->event.reset) memcpy(x, t->event.at, (size_t)t->problem.count * sizeof *x);
    if (t->event.hits) apply_impact(t);
    memcpy(t->event.behind, x, (size_t)t->problem.count * sizeof *x);
    if (t->m->space) slip_sensitivity_onset_directions(t, x);
    if (t->lost) return;
    slip_sensitivity_slot_motion(t, &t->start_slot);
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < 2 * t->n; k++) column_at(t, x, c)[k] -= t->line[k] * t->event.dtau[c];
    slip_sensitivity_set_event_time(t, t->event.dtau);
    t->event.pending = t->event.hits = t->event.reset = false;
}

// ------------------------------------------------------------------------------------- events of the model

// the same instant, as far as events are located
static bool is_at_zero(double value, double speed, double time)
{
    return fabs(value) <= MODEL_EVENT_NOW * fmax(1.0, fabs(time)) * fabs(speed);
}

static double model_event_margin(const slip_sensitivity *t, int k)
{
    const slip_model *model = t->system->equations->model;
    int at = model->when_count;
    for (int i = 0; i < model->when_count; i++) at += model->whens[i].assignment_count;
    return slip_sensitivity_result(t, SLIP_SENS_MODEL_EVENT, at + k);
}

// dtau by the margin of event k, where t->line is the motion and `of` columns of times that do not move
static bool time_by_margin(slip_sensitivity *t, int k, const double *of, double *dtau, bool *crosses)
{
    slip_sensitivity_run_tape(t, SLIP_SENS_MODEL_EVENT, -1, 1.0, t->line);
    const double speed = slip_sensitivity_result(t, SLIP_SENS_MODEL_EVENT, k);
    bool known = true;
    *crosses = is_at_zero(model_event_margin(t, k), speed, t->base->t);
    for (int c = 0; c < t->column_count; c++) {
        slip_sensitivity_run_tape(t, SLIP_SENS_MODEL_EVENT, c, 0.0, of + (size_t)c * 2 * (size_t)t->n);
        dtau[c] = -slip_sensitivity_result(t, SLIP_SENS_MODEL_EVENT, k) / speed;
        known = known && isfinite(dtau[c]);
    }
    return known;
}

static bool is_simultaneous(slip_sensitivity *t, int k)
{
    slip_sensitivity_end(t, "event '%s' happens at once with another one, and which comes first is open",
                         t->system->equations->model->whens[k].name);
    return false;
}

// In the instant of another event: because of that, and when that does; or by chance
static bool time_of_simultaneous(slip_sensitivity *t, int k)
{
    bool crosses;
    double *before = t->next; // columns just before the first, where its time does not move
    slip_sensitivity_slot_motion(t, t->event.before);
    for (int c = 0; c < t->column_count; c++)
        for (int i = 0; i < 2 * t->n; i++)
            column_at(t, before, c)[i] = column_at(t, t->event.at, c)[i] - t->line[i] * t->event.dtau[c];
    memcpy(t->input + 1, t->event.state_before, 2 * (size_t)t->n * sizeof *t->input);
    const bool known = time_by_margin(t, k, before, t->event.dtau_other, &crosses);
    memcpy(t->input + 1, t->base->state, 2 * (size_t)t->n * sizeof *t->input);
    return !crosses || (known && slip_sensitivity_same_times(t)) || is_simultaneous(t, k);
}

// dtau of event k. A margin that is not zero jumped there, with what happened at the same time
static bool model_event_time(slip_sensitivity *t, int k)
{
    bool crosses;
    const char *name = t->system->equations->model->whens[k].name;
    const bool behind = t->event.passed_at == t->base->t;
    if (t->event.reset) return time_of_simultaneous(t, k);
    slip_sensitivity_slot_motion(t, &t->start_slot);
    const bool known = time_by_margin(t, k, t->x, t->event.dtau, &crosses);
    memcpy(t->event.dtau_other, t->event.dtau_passed, (size_t)t->column_count * sizeof *t->event.dtau);
    if (crosses && known) return !behind || slip_sensitivity_same_times(t) || is_simultaneous(t, k);
    memcpy(t->event.dtau, t->event.dtau_passed, (size_t)t->column_count * sizeof *t->event.dtau);
    if (!behind)
        slip_sensitivity_end(t, "event '%s' is only just reached, and its time has no derivatives", name);
    return behind;
}

// the columns at the time of the event, then with what it sets
static void set_values(slip_sensitivity *t, int k, int c)
{
    const slip_model *model = t->system->equations->model;
    double *x = column_at(t, t->x, c), *at = column_at(t, t->event.at, c);
    int first = model->when_count;
    for (int i = 0; i < k; i++) first += model->whens[i].assignment_count;
    for (int i = 0; i < 2 * t->n && !t->event.reset; i++) x[i] += t->line[i] * t->event.dtau[c];
    if (!t->event.reset) memcpy(at, x, 2 * (size_t)t->n * sizeof *x);
    slip_sensitivity_run_tape(t, SLIP_SENS_MODEL_EVENT, c, t->event.dtau[c], x);
    for (int i = 0; i < model->whens[k].assignment_count; i++) {
        const slip_assignment *a = &model->whens[k].assignments[i];
        x[a->coordinate + (a->rate ? t->n : 0)] =
            slip_sensitivity_result(t, SLIP_SENS_MODEL_EVENT, first + i);
        if (model->coordinates[a->coordinate].is_held)
            x[t->n + a->coordinate] = t->event.dtau[c]; // since when
    }
}

void slip_sensitivity_model_event(slip_sensitivity *t, int k)
{
    if (t->steps && !t->event.reset) slip_sens_moreau_load_present(t);
    if (t->lost) return;
    if (t->event.pending)
        t->base->ops->observe(t->base); // behind the event of a contact, as it will be looked at
    if (t->lost) return;
    if (t->event.reset) { // the state is that behind the first event, accelerations do not matter
        memcpy(t->input + 1, t->base->state, 2 * (size_t)t->n * sizeof *t->input);
    } else if (!t->steps) {
        slip_sensitivity_read_contacts(t);
        slip_sensitivity_set_slot(t, &t->start_slot);
    }
    if (!model_event_time(t, k)) return;
    slip_sensitivity_slot_motion(t, &t->start_slot);
    if (!t->event.reset) {
        t->event.before = &t->start_slot;
        memcpy(t->event.state_before, t->base->state, 2 * (size_t)t->n * sizeof *t->event.state_before);
    }
    for (int c = 0; c < t->column_count; c++) set_values(t, k, c);
    memcpy(t->event.behind, t->x, (size_t)t->problem.count * sizeof *t->x);
    t->event.reset = true;
    t->settled = false;
    if (t->steps) slip_sens_moreau_model_event(t);
}
