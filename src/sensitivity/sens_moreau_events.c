/// sensitivity/sens_moreau_events.c: parts of a substep, and the changes of contacts between them.
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

// ------------------------------------------------------------------------------------------------ looking

void slip_sens_moreau_read_contacts(slip_sensitivity *t)
{
    const slip_sens_moreau *s = t->steps;
    const slip_moreau_problem *p = &s->m->problem;
    for (int e = 0; e < t->elements; e++) { // frictions act always, if by nothing
        const bool gap = t->system->elements[e].has_gap,
                   slides = s->walk.begun && s->walk.contact_state[e].slide < 0.0;
        s->other[e] = (slip_sens_contact_state){ !gap, gap ? 0.0 : slides ? -1.0 : 1.0 };
    }
    for (int b = 0; b < p->blocks; b++) {
        const slip_moreau_state state = slip_moreau_state_of(s->m, b);
        slip_sens_contact_state *to = &s->other[p->element[b]];
        if (state == SLIP_STATE_OPEN) continue;
        to->closed = true;
        to->slide = state == SLIP_STATE_STICKING ? 0.0 : state == SLIP_STATE_FORWARD ? 1.0 : -1.0;
    }
}

bool slip_sens_moreau_evaluate(slip_sensitivity *t, double time, const double *x, slip_sensitivity_slot *slot)
{
    slip_terms *terms = &t->steps->terms;
    const size_t bytes = (size_t)t->n * sizeof(double);
    if (!slip_system_evaluate(t->system, SLIP_LEVEL_ACCELERATION, time, x, x + t->n, terms)) {
        slip_sensitivity_end(t, "the masses are not positive on the way of a step");
        return false;
    }
    slot->t = time;
    slot->impulsive = false;
    memcpy(slot->q, x, bytes);
    memcpy(slot->u, x + t->n, bytes);
    slip_system_velocity(t->system, time, slot->q, slot->u, terms, slot->v);
    memcpy(slot->terms.flat, terms->flat, t->flat_count * sizeof(double));
    memcpy(slot->terms.factor, terms->factor, (size_t)t->system->factor_size * sizeof(double));
    slip_sensitivity_solve_motion(t, slot);
    return !t->lost;
}

double slip_sens_moreau_zero_speed(const slip_sensitivity *t, const double *u)
{
    double fastest = 0.0;
    for (int k = 0; k < t->n; k++)
        fastest = fmax(fastest, fmax(fabs(u[k]), t->steps->m->step_control.fastest[k]));
    return ZERO_SPEED_OF_FASTEST * fastest;
}

// ------------------------------------------------------------------------------------------------- parts

// dq behind q + h H(q) u
static void half_step(slip_sensitivity *t, const double *q, double h, const double *u, const double *du,
                      double *dq)
{
    double *v = t->push, *dv = t->push + t->n;
    slip_sensitivity_velocity(t, q, u, NULL, u, v);
    slip_sensitivity_velocity(t, q, u, dq, du, dv);
    slip_sensitivity_position_step(t, q, h, v, dv, dq);
}

void slip_sens_moreau_advance(slip_sensitivity *t, double time, double h, const double *u)
{
    slip_sens_moreau *s = t->steps;
    const int n = t->n;
    slip_system_move(t->system, time, s->at, 0.5 * h, s->at + n, &s->terms, s->middle);
    for (int k = 0; k < n; k++) s->middle[n + k] = 0.5 * (s->at[n + k] + u[k]);
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!slip_sens_moreau_evaluate(t, time + 0.5 * h, s->middle, &t->seen)) return;
    for (int c = 0; c < t->column_count; c++) {
        const double *dx = column_at(t, t->x, c);
        double *to = column_at(t, t->next, c);
        memcpy(to, dx, 2 * (size_t)n * sizeof *to);
        if (h > 0.0) half_step(t, s->at, 0.5 * h, s->at + n, dx + n, to);
        slip_sensitivity_acceleration(t, c, 0.0, to);
        for (int k = 0; k < n; k++) to[n + k] = dx[n + k] + 0.5 * h * t->da[k];
        slip_sensitivity_acceleration(t, c, 0.0, to);
        for (int k = 0; k < n; k++) to[n + k] = dx[n + k] + h * t->da[k];
        half_step(t, s->middle, 0.5 * h, u, to + n, to);
    }
}

// ------------------------------------------------------------------------------------------------ changes

static bool state_differs(const slip_sens_moreau *s, int e)
{
    const slip_sens_contact_state *now = &s->walk.contact_state[e], *then = &s->other[e];
    return now->closed != then->closed || (now->closed && now->slide != then->slide);
}

// the event function that tells of the change of an element, as numbered in saltation.c
static int event_function_index(const slip_sens_moreau *s, int e)
{
    return 2 * e + (s->other[e].closed ? 1 : 0);
}

double slip_sens_moreau_limit_at_rest(const slip_sensitivity *t, int e)
{
    const slip_sensitivity_slot *slot = t->in_hand;
    const slip_element *element = &t->system->elements[e];
    const double sliding = slot->terms.friction[e], at_rest = slot->terms.static_friction[e];
    return (slip_element_holds_at_rest(element, sliding, at_rest) ? at_rest : sliding) *
           slip_sensitivity_load(t, slot->force, e);
}

// value of that function in the slot in hand, whose contact_state is that before the change
static double event_function_value(const slip_sensitivity *t, int e)
{
    const slip_sens_moreau *s = t->steps;
    const slip_element *element = &t->system->elements[e];
    const slip_sensitivity_slot *slot = t->in_hand;
    if (!s->other[e].closed) return slot->force[element->normal_row];
    const double slide = s->walk.contact_state[e].slide;
    if (slide != 0.0)
        return slide * slip_system_row_rate(t->system, &slot->terms, element->tangent_row, slot->u);
    return slip_sens_moreau_limit_at_rest(t, e) - fabs(slot->force[element->tangent_row]);
}

// whether forces alone tell, and the motion does not determine them
static bool force_is_indeterminate(const slip_sensitivity *t, int e)
{
    const slip_sens_moreau *s = t->steps;
    return t->held.forces.rank < t->held.count &&
           !(s->other[e].closed && s->walk.contact_state[e].slide != 0.0);
}

// An element that others hold already: it is at rest, and comes to rest at no time of its own
static bool is_already_held(const slip_sensitivity *t, int e, double rate)
{
    const slip_sens_moreau *s = t->steps;
    const slip_sensitivity_slot *slot = t->in_hand;
    double hardest = 0.0;
    for (int k = 0; k < t->n; k++)
        hardest = fmax(hardest, fmax(fabs(slot->a[k]), s->m->step_control.hardest[k]));
    return s->other[e].closed && s->walk.contact_state[e].slide != 0.0 && s->other[e].slide == 0.0 &&
           fabs(event_function_value(t, e)) <= slip_sens_moreau_zero_speed(t, slot->u) &&
           fabs(rate) <= ZERO_ACCELERATION_OF_LARGEST * hardest;
}

// when elements change, per element into s->after; the first of them. -1: none does
static int change_times(slip_sensitivity *t, double time, double left)
{
    slip_sens_moreau *s = t->steps;
    int first = -1;
    bool any = false;
    for (int e = 0; e < t->elements; e++) any = any || state_differs(s, e);
    if (!any) return -1;
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!slip_sens_moreau_evaluate(t, time, s->at, &t->start_slot)) return -1;
    slip_sensitivity_slot_motion(t, &t->start_slot);
    slip_sensitivity_run_event_tapes(t, -1, 1.0, t->line);
    for (int e = 0; e < t->elements; e++) {
        s->after[e] = NAN;
        if (!state_differs(s, e)) continue;
        const double rate = slip_sensitivity_function_change(t, event_function_index(s, e));
        if (is_already_held(t, e, rate)) {
            s->walk.contact_state[e] = s->other[e];
            return change_times(t, time, left);
        }
        s->after[e] = rate < 0.0 ? fmin(fmax(-event_function_value(t, e) / rate, 0.0), left) : left;
        if (first < 0 || s->after[e] < s->after[first]) first = e;
    }
    return first;
}

bool slip_sens_moreau_event_time(slip_sensitivity *t, const slip_sensitivity_slot *slot, int k, double *dtau)
{
    slip_sensitivity_slot_motion(t, slot);
    slip_sensitivity_run_event_tapes(t, -1, 1.0, t->line);
    const double speed = slip_sensitivity_function_change(t, k);
    bool known = speed < 0.0;
    for (int c = 0; c < t->column_count && known; c++) {
        slip_sensitivity_run_event_tapes(t, c, 0.0, column_at(t, t->x, c));
        dtau[c] = -slip_sensitivity_function_change(t, k) / speed;
        known = isfinite(dtau[c]);
    }
    if (!known)
        slip_sensitivity_end(t, "an event of '%s' is only just reached, and its time has no derivatives",
                             element_name(t, k / 2));
    return known;
}

void slip_sens_moreau_add_motion(slip_sensitivity *t, const slip_sensitivity_slot *slot, double factor,
                                 const double *dtau)
{
    slip_sensitivity_slot_motion(t, slot);
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < 2 * t->n; k++) column_at(t, t->x, c)[k] += factor * t->line[k] * dtau[c];
}

static double slip_rate(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int e)
{
    const int row = t->system->elements[e].tangent_row;
    return slip_system_row_dot(t->system, &slot->terms, row, slot->a) + slot->terms.z[row];
}

// A little more or less, and what came to rest, or turned, would have gone on, or stayed
static void check_stop(slip_sensitivity *t, int e, double rate_before)
{
    const slip_sensitivity_slot *slot = t->in_hand;
    const slip_element *element = &t->system->elements[e];
    const double small = TOLERANCE_MARGIN * t->relative, limit = slip_sens_moreau_limit_at_rest(t, e);
    if (!element->slip_count || !t->contact_state[e].closed || !(limit > 0.0)) return;
    if (t->contact_state[e].slide == 0.0 && limit - fabs(slot->force[element->tangent_row]) <= small * limit)
        slip_sensitivity_end(t,
                             "'%s' comes to rest where friction is at its limit: with a little more it would "
                             "go on, and the derivatives are others",
                             element_name(t, e));
    else if (t->contact_state[e].slide != 0.0 && fabs(slip_rate(t, slot, e)) <= small * fabs(rate_before))
        slip_sensitivity_end(
            t,
            "'%s' turns where friction is hardly below its limit: with a little more it would "
            "stay at rest, and the derivatives are others",
            element_name(t, e));
}

// An internal step ends at rest what turns back on its way. Where friction cannot hold that it goes on at
// once, against the friction that would; true when there is such an element
static bool reverse_slip(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    bool any = false;
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &t->system->elements[e];
        if (isnan(s->after[e]) || s->after[e] == 0.0 || !t->contact_state[e].closed ||
            t->contact_state[e].slide != 0.0)
            continue;
        const double limit = slip_sens_moreau_limit_at_rest(t, e),
                     force = t->in_hand->force[element->tangent_row];
        if (!(fabs(force) > limit * (1.0 + TOLERANCE_MARGIN * t->relative))) continue;
        s->other[e].slide = s->walk.contact_state[e].slide = t->contact_state[e].slide =
            force > 0.0 ? -1.0 : 1.0;
        any = true;
    }
    return any;
}

// what stands otherwise from now on; the columns are at the time of the change
static void apply_change(slip_sensitivity *t, double time, double until)
{
    slip_sens_moreau *s = t->steps;
    for (int e = 0; e < t->elements; e++) {
        if (!(s->after[e] <= until)) {
            s->after[e] = NAN;
            continue;
        }
        const bool slid = s->walk.contact_state[e].closed && s->walk.contact_state[e].slide != 0.0;
        s->after[e] = slid ? slip_rate(t, t->in_hand, e) : 0.0;
        s->walk.contact_state[e] = s->other[e];
    }
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!slip_sens_moreau_evaluate(t, time, s->at, &t->start_slot)) return;
    if (reverse_slip(t) && !slip_sens_moreau_evaluate(t, time, s->at, &t->start_slot)) return;
    for (int e = 0; e < t->elements && !t->lost; e++)
        if (s->after[e] != 0.0 && !isnan(s->after[e])) check_stop(t, e, s->after[e]);
}

// the motion within the step, by the accelerations of the slot in hand
static void advance_state(slip_sensitivity *t, const slip_sensitivity_slot *slot, double h)
{
    slip_sens_moreau *s = t->steps;
    slip_system_move(t->system, slot->t, s->at, 0.5 * h, s->at + t->n, &s->terms, s->at);
    for (int k = 0; k < t->n; k++) s->at[t->n + k] += h * slot->a[k];
    slip_system_move(t->system, slot->t, s->at, 0.5 * h, s->at + t->n, &s->terms, s->at);
}

// all that changes until then changes in the same way with the parameters
static bool find_time(slip_sensitivity *t, int first, double until)
{
    slip_sens_moreau *s = t->steps;
    if (!slip_sens_moreau_event_time(t, &t->start_slot, event_function_index(s, first), t->event.dtau))
        return false;
    for (int e = 0; e < t->elements; e++) {
        if (e == first || !(s->after[e] <= until)) continue;
        if (!slip_sens_moreau_event_time(t, &t->start_slot, event_function_index(s, e), t->event.dtau_other))
            return false;
        if (slip_sensitivity_same_times(t)) continue;
        slip_sensitivity_end(t, "events of '%s' and '%s' happen at once, and which comes first is open",
                             element_name(t, first), element_name(t, e));
        return false;
    }
    return true;
}

bool slip_sens_moreau_next_change(slip_sensitivity *t, double time, double left, double *took)
{
    slip_sens_moreau *s = t->steps;
    const int first = change_times(t, time, left);
    if (first < 0 || t->lost) return false;
    const double h = *took = s->after[first], until = h + SIMULTANEOUS_FRACTION * left;
    for (int e = 0; e < t->elements; e++)
        if (s->after[e] <= until && force_is_indeterminate(t, e)) {
            slip_sensitivity_end(t,
                                 "more contacts push than the motion determines forces for, and '%s' changes "
                                 "by its force",
                                 element_name(t, e));
            return false;
        }
    if (h > 0.0) {
        for (int k = 0; k < t->n; k++) t->within[k] = s->at[t->n + k] + h * t->start_slot.a[k];
        slip_sens_moreau_advance(t, time, h, t->within);
        if (t->lost) return false;
        double *kept = t->x;
        t->x = t->next;
        t->next = kept;
        advance_state(t, &t->start_slot, h);
        if (!slip_sens_moreau_evaluate(t, time + h, s->at, &t->start_slot)) return false;
    }
    slip_steps_leave_border(t, time + h, s->at, -1.0);
    if (t->lost) return false;
    s->time = time + h;
    if (!find_time(t, first, until)) return false;
    slip_sens_moreau_add_motion(t, &t->start_slot, 1.0, t->event.dtau);
    apply_change(t, time + h, until);
    if (!t->lost) slip_steps_leave_border(t, time + h, s->at, 1.0);
    if (t->lost) return false;
    slip_sens_moreau_add_motion(t, &t->start_slot, -1.0, t->event.dtau);
    for (int c = 0; c < t->column_count; c++) slip_sensitivity_project(t, c, column_at(t, t->x, c));
    return true;
}

// ------------------------------------------------------------------------------------------- going on

// As s->other says, but what is not at rest slides as it does
static void set_state_from_motion(slip_sensitivity *t, int e, double small)
{
    slip_sens_moreau *s = t->steps;
    const slip_element *element = &t->system->elements[e];
    s->walk.contact_state[e] = s->other[e];
    if (!element->slip_count || !s->other[e].closed) return;
    const double v = slip_system_row_rate(t->system, &s->terms, element->tangent_row, t->start_slot.u);
    if (fabs(v) > small) s->walk.contact_state[e].slide = v > 0.0 ? 1.0 : -1.0;
}

// What closes without a strike, as bounces too short to be followed do: rates of rows that hold are zero, by
// an impulse
static void close_without_impact(slip_sensitivity *t)
{
    for (int c = 0; c < t->column_count; c++) {
        double *dx = column_at(t, t->x, c);
        slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, c, 0.0, dx);
        for (int i = 0; i < t->held.count; i++)
            t->bend[i] = slip_sensitivity_result(t, SLIP_SENS_VELOCITY, t->held.row[i]);
        memset(t->da, 0, (size_t)t->n * sizeof *t->da);
        slip_sensitivity_solve_balance(t, t->bend);
        for (int k = 0; k < t->n; k++) dx[t->n + k] += t->da[k];
    }
}

// A contact that starts below its surface is held there: a place that must not change with the columns
static void check_contact_levels(slip_sensitivity *t, const double *level)
{
    for (int c = 0; c < t->column_count && !t->lost; c++) {
        const double *dx = column_at(t, t->x, c);
        double size = 0.0;
        for (int k = 0; k < t->n; k++) size = fmax(size, fabs(dx[k]));
        slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, 0.0, dx);
        for (int e = 0; e < t->system->contact_count && !t->lost; e++)
            if (t->contact_state[e].closed && level[e] < -INSIDE_SLACKS * t->steps->m->slack[e] &&
                fabs(slip_sensitivity_result(t, SLIP_SENS_EVENT, e)) > DEPTH_DERIVATIVE * size)
                slip_sensitivity_end(t, "'%s' is held inside of what it touches", element_name(t, e));
    }
}

// Of what friction cannot hold at the start the one that needs most of it slides from there on; false when
// there is none
static bool release_strongest(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    double most = 1.0 + TOLERANCE_MARGIN * t->relative;
    int first = -1;
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &t->system->elements[e];
        if (!element->slip_count || !t->contact_state[e].closed || t->contact_state[e].slide != 0.0) continue;
        const double needed = fabs(t->in_hand->force[element->tangent_row]),
                     limit = slip_sens_moreau_limit_at_rest(t, e);
        if (needed > most * limit) first = e, most = limit > 0.0 ? needed / limit : INFINITY;
    }
    if (first < 0) return false;
    const double force = t->in_hand->force[t->system->elements[first].tangent_row];
    s->other[first].slide = s->walk.contact_state[first].slide = t->contact_state[first].slide =
        force > 0.0 ? -1.0 : 1.0;
    return true;
}

// the same until friction holds the rest; what was let go has to go the way it was let go
static bool begin_to_slide(slip_sensitivity *t, double time, const double *x)
{
    bool any = false;
    while (release_strongest(t)) {
        any = true;
        if (!slip_sens_moreau_evaluate(t, time, x, &t->start_slot)) return false;
    }
    for (int e = 0; e < t->elements && any; e++) {
        const slip_element *element = &t->system->elements[e];
        if (!element->slip_count || !t->contact_state[e].closed || t->contact_state[e].slide == 0.0) continue;
        const double v =
            slip_system_row_rate(t->system, &t->steps->terms, element->tangent_row, t->start_slot.u);
        if (fabs(v) > slip_sens_moreau_zero_speed(t, x + t->n) ||
            t->contact_state[e].slide * slip_rate(t, t->in_hand, e) > 0.0)
            continue;
        slip_sensitivity_end(t, "which frictions give way at the start is open, '%s' among them",
                             element_name(t, e));
        return false;
    }
    return true;
}

void slip_sens_moreau_substep_start(slip_sensitivity *t, double time, const double *x, const double *level)
{
    slip_sens_moreau *s = t->steps;
    const bool fresh = !s->walk.begun, event = fresh || s->walk.pending;
    bool lands = false;
    for (int e = 0; e < t->elements && !event; e++)
        lands = lands || (s->other[e].closed && !s->walk.contact_state[e].closed);
    if (!event && !lands) return;
    memcpy(t->contact_state, s->other, (size_t)t->elements * sizeof *t->contact_state);
    if (!slip_sens_moreau_evaluate(t, time, x, &t->start_slot)) return;
    for (int e = 0; e < t->elements; e++) {
        lands = lands || (s->other[e].closed && !s->walk.contact_state[e].closed);
        if (event || (s->other[e].closed && !s->walk.contact_state[e].closed))
            set_state_from_motion(t, e, slip_sens_moreau_zero_speed(t, x + t->n));
    }
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!slip_sens_moreau_evaluate(t, time, x, &t->start_slot)) return;
    if (fresh && !begin_to_slide(t, time, x)) return;
    if (s->walk.pending) slip_steps_leave_border(t, time, x, 1.0);
    if (t->lost) return;
    if (s->walk.pending) slip_sens_moreau_add_motion(t, &t->start_slot, -1.0, s->walk.dtau);
    if (s->walk.pending && !s->walking) slip_sensitivity_set_event_time(t, s->walk.dtau);
    check_contact_levels(t, level);
    if (t->lost) return;
    if (lands) close_without_impact(t);
    for (int c = 0; c < t->column_count; c++) slip_sensitivity_project(t, c, column_at(t, t->x, c));
    for (int e = 0; e < t->elements && fresh && !t->lost; e++)
        if (t->contact_state[e].slide == 0.0) check_stop(t, e, 0.0);
    s->walk.begun = true;
    s->walk.pending = false;
}
