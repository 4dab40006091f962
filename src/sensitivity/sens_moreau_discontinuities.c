/// sensitivity/sens_moreau_discontinuities.c: conditions of formulas along internal steps.
///
/// The method ends an internal step where forces and frictions jump or bend. Where they jump the columns do,
/// by the difference of the accelerations a little before and a little behind: dx+ = dx- + (x'- - x'+) dtau.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sensitivity/sens_moreau.h"
#include "sensitivity/sensitivity_tolerances.h"

// ----------------------------------------------------------------------------------------------- finding

static int append_row_refs(const slip_row *row, slip_ref *roots, int count)
{
    roots[count] = row->rate;
    return count + 1;
}

// forces and frictions, `watched` of them; then all other formulas of the motion
static slip_ref *list_formulas(const slip_equations *e, int *watched, int *count)
{
    size_t most = (size_t)e->n + 2 * (size_t)e->constraint_count + 6 * (size_t)e->element_count + 1;
    for (int b = 0; b < e->block_count; b++) most += (size_t)e->blocks[b].count * (size_t)e->blocks[b].count;
    slip_ref *roots = malloc(most * sizeof *roots);
    int k = 0;
    if (!roots) return NULL;
    for (int i = 0; i < e->n; i++) roots[k++] = e->h[i];
    for (int i = 0; i < e->element_count; i++) roots[k++] = e->elements[i].friction;
    for (int i = 0; i < e->element_count; i++) roots[k++] = e->elements[i].static_friction;
    *watched = k;
    for (int b = 0; b < e->block_count; b++)
        for (int i = 0; i < e->blocks[b].count * e->blocks[b].count; i++) roots[k++] = e->blocks[b].entry[i];
    for (int i = 0; i < e->constraint_count; i++) {
        roots[k++] = e->constraint_zero[i];
        k = append_row_refs(&e->constraints[i], roots, k);
    }
    for (int i = 0; i < e->element_count; i++) {
        const slip_element *element = &e->elements[i];
        if (element->has_gap) roots[k++] = element->gap;
        if (element->has_gap) k = append_row_refs(&element->normal, roots, k);
        for (int c = 0; c < element->slip_count; c++) k = append_row_refs(&element->tangent[c], roots, k);
    }
    *count = k;
    return roots;
}

slip_status slip_sens_moreau_find_conditions(slip_sensitivity *t, slip_error *error)
{
    slip_sens_moreau *s = t->steps;
    const slip_equations *e = t->system->equations;
    int watched, count;
    slip_ref *roots = list_formulas(e, &watched, &count);
    bool fine = roots && slip_switches_create(&s->conditions, e->graph, roots, count);
    t->switches = fine ? s->conditions.count : 0;
    t->switch_list = s->conditions.list;
    s->located = calloc((size_t)t->switches + 1, sizeof *s->located);
    s->rows = calloc((size_t)t->switches + 1, sizeof *s->rows);
    fine = fine && s->located && s->rows &&
           slip_switches_below(&s->conditions, e->graph, roots, watched, s->located) &&
           slip_switches_below(&s->conditions, e->graph, roots + watched, count - watched, s->rows);
    free(roots);
    if (!fine) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    for (int k = 0; k < t->switches; k++) {
        const slip_switch *w = &t->switch_list[k];
        if (w->timed) s->located[k] = true;
        if (w->level != SLIP_NONE && !w->timed)
            return slip_fail(error, SLIP_UNSUPPORTED, "sensitivity",
                             "there are no derivatives of formulas with floor of the motion under moreau; "
                             "lcp has them");
    }
    return SLIP_OK;
}

slip_status slip_sens_moreau_twin_conditions(slip_sensitivity *t, slip_error *error)
{
    slip_sens_moreau *s = t->steps;
    const slip_equations *e = t->form->equations;
    int watched, count;
    slip_ref *roots = list_formulas(e, &watched, &count);
    bool fine = roots && slip_switches_create(&s->form_conditions, e->graph, roots, count);
    free(roots);
    if (!fine) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    t->form_list = s->form_conditions.list;
    if (s->form_conditions.count == t->switches) return SLIP_OK;
    return slip_fail(error, SLIP_UNSUPPORTED, "sensitivity", "a parameter changes what the model is made of");
}

// --------------------------------------------------------------------------------------------- following

static double condition_value(const slip_sensitivity *t, int k)
{
    return slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * t->elements + t->switches + k);
}

void slip_sens_moreau_check_conditions(slip_sensitivity *t, double time, const double *q)
{
    slip_sens_moreau *s = t->steps;
    bool any = false;
    for (int k = 0; k < t->switches; k++) any = any || !s->located[k];
    if (!any) return;
    memset(t->line, 0, 2 * (size_t)t->n * sizeof *t->line);
    t->input[0] = time;
    memcpy(t->input + 1, q, (size_t)t->n * sizeof *q);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, -1, 0.0, t->line);
    for (int k = 0; k < t->switches && !t->lost; k++) {
        const double now = condition_value(t, k);
        if (!s->located[k] && now * s->walk.side[k] < 0.0)
            slip_sensitivity_end(t,
                                 "a condition of a gap, a mass or a constraint changes within a step, at a "
                                 "time that is not located");
        s->walk.side[k] = now;
    }
}

// the motion `near` of a border, and values of the conditions there
static bool evaluate_beside(slip_sensitivity *t, double time, double near, const double *x,
                            slip_sensitivity_slot *slot, double *value)
{
    slip_sens_moreau *s = t->steps;
    for (int k = 0; k < 2 * t->n; k++) s->middle[k] = x[k] + near * t->line[k];
    if (!slip_sens_moreau_evaluate(t, time + near, s->middle, slot)) return false;
    memset(s->middle, 0, 2 * (size_t)t->n * sizeof *s->middle);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, -1, 0.0, s->middle);
    for (int k = 0; k < t->switches; k++) value[k] = condition_value(t, k);
    return true;
}

static bool acceleration_jumps(const slip_sensitivity *t, const slip_sensitivity_slot *before,
                               const slip_sensitivity_slot *behind)
{
    double size = 0.0, jump = 0.0;
    for (int k = 0; k < t->n; k++) {
        size = fmax(size, fmax(fabs(before->a[k]), fabs(behind->a[k])));
        jump = fmax(jump, fabs(behind->a[k] - before->a[k]));
    }
    return jump > ACCELERATION_JUMP_TOLERANCE * size;
}

void slip_steps_leave_border(slip_sensitivity *t, double time, const double *x, double sense)
{
    slip_sensitivity_slot *slot = &t->start_slot;
    const double near = sense * CONSEQUENCE_OFFSET_OF_STEP * t->steps->m->step;
    if (t->switches == 0 || t->steps->walk.seen > time) return;
    slip_sensitivity_slot_motion(t, slot);
    const bool other = evaluate_beside(t, time, near, x, &t->seen, t->steps->behind) &&
                       acceleration_jumps(t, slot, &t->seen);
    if (t->lost || !slip_sens_moreau_evaluate(t, time, x, slot)) return;
    if (other) memcpy(slot->a, t->seen.a, (size_t)t->n * sizeof *slot->a);
}

// how fast the value of condition k rises, at the slot in hand before it
static double speed_of(slip_sensitivity *t, const slip_sensitivity_slot *before, int k)
{
    slip_sensitivity_slot_motion(t, before);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, -1, 1.0, t->line);
    return slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * t->elements + k);
}

// Its value passes zero, at least as fast as motions do within what was looked at; else it jumps, because a
// condition inside it changes
static bool passes_zero(slip_sensitivity *t, const slip_sensitivity_slot *before, double behind, int k)
{
    const double way = PASSES_ZERO_OFFSETS * SIDE_OFFSET_OF_STEP * t->steps->m->step *
                       fabs(speed_of(t, before, k)),
                 value = t->steps->value[k];
    return way == 0.0 ? value == 0.0 || behind == 0.0 : fmin(fabs(value), fabs(behind)) <= way;
}

// dtau of condition k, at the slot in hand before it
static bool condition_time(slip_sensitivity *t, const slip_sensitivity_slot *before, int k, double *dtau)
{
    const int at = 2 * t->elements + k;
    const double speed = speed_of(t, before, k);
    for (int c = 0; c < t->column_count; c++) {
        slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, 0.0, t->x + (size_t)c * 2 * (size_t)t->n);
        dtau[c] = -slip_sensitivity_result(t, SLIP_SENS_EVENT, at) / speed;
        if (!isfinite(dtau[c])) return false;
    }
    return true;
}

// whether a condition that follows from the time moves with a parameter
static bool time_is_sensitive(slip_sensitivity *t, int k)
{
    bool any = false;
    memset(t->line, 0, 2 * (size_t)t->n * sizeof *t->line);
    for (int c = 0; c < t->column_count; c++) {
        slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, 0.0, t->line);
        any = any || slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * t->elements + k) != 0.0;
    }
    return any;
}

// the one time at which conditions change; false when there is none, or the columns are lost
static bool find_common_time(slip_sensitivity *t, const slip_sensitivity_slot *before, const double *behind)
{
    slip_sens_moreau *s = t->steps;
    bool any = false;
    for (int k = 0; k < t->switches && !t->lost; k++) {
        const slip_switch *w = &t->switch_list[k];
        if (w->level == SLIP_NONE && !(s->value[k] * behind[k] < 0.0)) continue;
        if (w->level == SLIP_NONE && !passes_zero(t, before, behind[k], k)) continue;
        if (w->level != SLIP_NONE && !time_is_sensitive(t, k)) continue;
        if (w->level != SLIP_NONE || !condition_time(t, before, k, any ? t->event.dtau_other : t->event.dtau))
            slip_sensitivity_end(t, "a condition of a formula changes, and its time has no derivatives");
        else if (any && !slip_sensitivity_same_times(t))
            slip_sensitivity_end(t,
                                 "two conditions of formulas change at once, and which comes first is open");
        any = true;
    }
    return any && !t->lost;
}

// A condition at the place of a contact that closes, as y > 0 above a floor at 0: the motion turns there
// before it changes, or behind it
static bool strikes_there(const slip_sensitivity *t, const slip_sensitivity_slot *before, double near)
{
    const slip_system *s = t->system;
    for (int e = 0; e < t->elements; e++) {
        if (!s->elements[e].has_gap || t->contact_state[e].closed) continue;
        const double rate = slip_system_row_rate(s, &before->terms, s->elements[e].normal_row, before->u);
        if (rate < 0.0 && fabs(before->terms.gap[e]) <= -PASSES_ZERO_OFFSETS * near * rate) return true;
    }
    return false;
}

// What slides comes to rest or turns right there: the border is counted with that (slip_steps_leave_border)
static bool turns_there(const slip_sensitivity *t, const slip_sensitivity_slot *slot, double near)
{
    const slip_system *s = t->system;
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &s->elements[e];
        if (!t->contact_state[e].closed || t->contact_state[e].slide == 0.0 || element->slip_count != 1)
            continue;
        const double v = slip_system_row_rate(s, &slot->terms, element->tangent_row, slot->u),
                     a = slip_system_row_dot(s, &slot->terms, element->tangent_row, slot->a) +
                         slot->terms.z[element->tangent_row];
        if (fabs(v) <= PASSES_ZERO_OFFSETS * near * fabs(a)) return true;
    }
    return false;
}

// rows that jump, as the rate of a wall, are a strike whose time would have to move
static void check_row_jumps(slip_sensitivity *t)
{
    const slip_sens_moreau *s = t->steps;
    for (int k = 0; k < t->switches && !t->lost; k++)
        if (t->switch_list[k].timed && s->rows[k] && time_is_sensitive(t, k))
            slip_sensitivity_end(t,
                                 "a gap or a constraint changes at a time that follows from a parameter, and "
                                 "that has no derivatives under moreau");
}

// Where forces jump so that the slot in hand asks a contact to pull, or a friction to hold more than it can, that gives
// way right there; false when nothing does
static bool gives_way(slip_sensitivity *t)
{
    const slip_sensitivity_slot *slot = t->in_hand;
    const double margin = 1.0 + TOLERANCE_MARGIN * t->relative;
    double largest = 0.0;
    for (int row = 0; row < t->rows; row++) largest = fmax(largest, fabs(slot->force[row]));
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &t->system->elements[e];
        slip_sens_contact_state *state = &t->contact_state[e];
        if (!state->closed) continue;
        if (element->has_gap &&
            slot->force[element->normal_row] < -TOLERANCE_MARGIN * t->relative * largest) {
            *state = (slip_sens_contact_state){ false, 0.0 };
            return true;
        }
        const double friction = element->slip_count == 1 ? slot->force[element->tangent_row] : 0.0;
        if (state->slide == 0.0 && fabs(friction) > margin * slip_sens_moreau_limit_at_rest(t, e)) {
            state->slide = friction > 0.0 ? -1.0 : 1.0;
            return true;
        }
    }
    return false;
}

// the motion a little behind a border, with all that gives way there
static bool evaluate_behind(slip_sensitivity *t, double time, double near, const double *x)
{
    slip_sens_moreau *s = t->steps;
    bool fine = evaluate_beside(t, time, near, x, &t->seen, s->behind);
    for (int k = 0; k < t->elements && fine && gives_way(t); k++)
        fine = evaluate_beside(t, time, near, x, &t->seen, s->behind);
    memcpy(s->beyond, t->contact_state, (size_t)t->elements * sizeof *s->beyond);
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    return fine;
}

void slip_sens_moreau_discontinuity(slip_sensitivity *t, double time, const double *x)
{
    slip_sens_moreau *s = t->steps;
    slip_sensitivity_slot *behind = &t->seen, *before = &t->start_slot;
    // steps come to a border in several, and what was behind the last one has been counted
    const double near = SIDE_OFFSET_OF_STEP * s->m->step, from = fmax(-near, s->walk.seen - time);
    if (from >= near) return;
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    check_row_jumps(t);
    if (t->lost || !slip_sens_moreau_evaluate(t, time, x, before) || turns_there(t, before, near)) return;
    s->walk.seen = time + near;
    slip_sensitivity_slot_motion(t, before);
    if (!evaluate_behind(t, time, near, x)) return;
    if (!evaluate_beside(t, time, from, x, before, s->value)) return;
    if (!acceleration_jumps(t, before, behind) || !find_common_time(t, before, s->behind)) return;
    if (strikes_there(t, before, near)) {
        slip_sensitivity_end(
            t, "a condition of a formula changes where a contact strikes, and which comes first "
               "is open");
        return;
    }
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < t->n; k++)
            t->x[((size_t)c * 2 + 1) * (size_t)t->n + (size_t)k] +=
                (before->a[k] - behind->a[k]) * t->event.dtau[c];
    memcpy(s->walk.contact_state, s->beyond, (size_t)t->elements * sizeof *s->beyond);
}

// The method does not look for a border right where a substep ends by itself
void slip_sens_moreau_check_end(slip_sensitivity *t, double time, double dt, const double *from,
                                const double *x)
{
    const slip_sens_moreau *s = t->steps;
    const double near = SIDE_OFFSET_OF_STEP * s->m->step;
    bool any = false;
    if (t->switches == 0) return;
    for (int k = 0; k < t->n; k++)
        t->line[k] = x[t->n + k], t->line[t->n + k] = (x[t->n + k] - from[t->n + k]) / dt;
    t->input[0] = time;
    memcpy(t->input + 1, x, 2 * (size_t)t->n * sizeof *x);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, -1, 1.0, t->line);
    for (int k = 0; k < t->switches; k++) {
        const double speed = slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * t->elements + k);
        any = any || (s->located[k] && !t->switch_list[k].timed &&
                      fabs(condition_value(t, k)) <= near * fabs(speed));
    }
    if (any) slip_sens_moreau_discontinuity(t, time, x);
}
