/// sensitivity/slip_onset.c: slips in space that begin, and that end.
///
/// Where a slip begins it has no speed, and its way n is that of its acceleration A = G a + z. So n turns by
/// dn = (1 - n n') dA/|A|, and friction turns with it: with m across n and dn = m theta,
///     |A| theta = m dA,   dA = d(G a + z) + G (da - Y L theta)
/// with da without dn, L the friction and Y what a force along m does, all at the time at which it begins,
/// which moves. The run keeps n as it is until the slip has a speed, and then takes its way.
///
/// Where a slip v ends, theta = m dv/|v| is 0/0, and the stages of the last step cannot resolve it. On a
/// straight line under constant friction theta does not change, so its value at the beginning of that step is
/// kept.
#include <math.h>
#include <string.h>

#include "sensitivity/sensitivity.h"
#include "sensitivity/sensitivity_tolerances.h"

void slip_sensitivity_onset_layout(slip_arena *a, slip_sensitivity *t)
{
    const int most = t->m && t->m->space ? t->elements : 0;
    t->begins.element = SLIP_TAKE(a, int, most);
    t->begins.Y = SLIP_TAKE(a, double, most * t->n);
    t->begins.force = SLIP_TAKE(a, double, most * t->rows);
    t->begins.theta = SLIP_TAKE(a, double, 2 * most);
    t->begins.kept = SLIP_TAKE(a, double, most * t->column_count);
    t->begins.ends = SLIP_TAKE(a, bool, most);
    slip_lu_complete_layout(a, most, &t->begins.turns);
}

static double speed_of(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int e)
{
    const int row = t->system->elements[e].tangent_row;
    return slip_length(slip_system_row_rate(t->system, &slot->terms, row, slot->u),
                       slip_system_row_rate(t->system, &slot->terms, row + 1, slot->u));
}

bool slip_sensitivity_slip_begins(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int e)
{
    if (t->system->elements[e].slip_count < 2 || !t->m || slot->impulsive) return false;
    return t->begins.ends[e] || speed_of(t, slot, e) <= t->m->rigid.slow;
}

// component c of what is across the way of element e
static double transverse_component(const slip_sensitivity *t, int e, int c)
{
    const double *way = t->in_hand->slip_direction + 2 * e;
    return c ? way[0] : -way[1];
}

static double friction_of(const slip_sensitivity *t, int e)
{
    return t->in_hand->terms.friction[e] * slip_sensitivity_load(t, t->input + t->in.force, e);
}

// of the slip of element e, along its way or across it, for an acceleration; with_z: and what is no part of
// it
static double slip_acceleration(const slip_sensitivity *t, int e, bool along, bool with_z, const double *a)
{
    const slip_sensitivity_slot *slot = t->in_hand;
    double sum = 0.0;
    for (int c = 0; c < 2; c++) {
        const int row = t->system->elements[e].tangent_row + c;
        sum += (along ? slot->slip_direction[2 * e + c] : transverse_component(t, e, c)) *
               (slip_system_row_dot(t->system, &slot->terms, row, a) + (with_z ? slot->terms.z[row] : 0.0));
    }
    return sum;
}

void slip_sensitivity_list_onsets(slip_sensitivity *t)
{
    const slip_sensitivity_slot *slot = t->in_hand;
    const size_t n = (size_t)t->n;
    int count = t->begins.count = 0;
    for (int e = 0; e < t->elements && t->m && t->m->space; e++) {
        if (!t->contact_state[e].closed || t->contact_state[e].slide == 0.0 ||
            !slip_sensitivity_slip_begins(t, slot, e))
            continue;
        t->begins.element[count++] = e;
        t->input[t->in.slide + e] = 0.0; // the formulas know no way there
    }
    if (!count) return;
    t->begins.count = count;
    for (int i = 0; i < count; i++) { // its friction as a force, which its rows turn
        const int e = t->begins.element[i];
        for (int c = 0; c < 2; c++)
            t->input[t->in.force + t->system->elements[e].tangent_row + c] =
                -friction_of(t, e) * slot->slip_direction[2 * e + c];
    }
    memset(t->bend, 0, (size_t)t->held.count * sizeof *t->bend);
    for (int i = 0; i < count; i++) {
        const int e = t->begins.element[i];
        memset(t->da, 0, n * sizeof *t->da);
        for (int c = 0; c < 2; c++)
            slip_system_row_add(t->system, &slot->terms, t->system->elements[e].tangent_row + c,
                                transverse_component(t, e, c), t->da);
        slip_sensitivity_solve_balance(t, t->bend);
        memcpy(t->begins.Y + (size_t)i * n, t->da, n * sizeof *t->da);
        memcpy(t->begins.force + (size_t)i * (size_t)t->rows, t->df, (size_t)t->held.count * sizeof *t->df);
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            const int e = t->begins.element[i], f = t->begins.element[j];
            const double turned =
                friction_of(t, f) * slip_acceleration(t, e, false, false, t->begins.Y + (size_t)j * n);
            t->begins.turns.A[i * count + j] =
                turned + (i == j ? slip_acceleration(t, e, true, true, slot->a) : 0.0);
        }
    slip_lu_complete_factor(&t->begins.turns, count);
}

void slip_sensitivity_add_limits(slip_sensitivity *t, int column, double dt, const double *dx)
{
    if (!t->begins.count) return;
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, column, dt, dx);
    for (int i = 0; i < t->begins.count; i++) {
        const int e = t->begins.element[i];
        const double change = slip_sensitivity_result(t, SLIP_SENS_EVENT, t->elements + e) *
                              slip_sensitivity_load(t, t->input + t->in.force, e);
        for (int c = 0; c < 2; c++)
            slip_system_row_add(t->system, &t->in_hand->terms, t->system->elements[e].tangent_row + c,
                                -change * t->in_hand->slip_direction[2 * e + c], t->da);
    }
}

// theta of column c, as it begins
static void onset_turns(slip_sensitivity *t, int column)
{
    const int count = t->begins.count;
    double *off = t->begins.theta, *theta = off + count;
    for (int i = 0; i < count; i++) {
        const int e = t->begins.element[i], row = t->system->elements[e].tangent_row;
        off[i] = slip_acceleration(t, e, false, false, t->da);
        for (int c = 0; c < 2; c++)
            off[i] +=
                transverse_component(t, e, c) * slip_sensitivity_result(t, SLIP_SENS_MOTION, t->n + row + c);
    }
    slip_lu_complete_solve(&t->begins.turns, off, theta);
    for (int i = 0; i < count; i++)
        t->begins.kept[t->begins.element[i] * t->column_count + column] = theta[i];
}

// Right at the limit of friction a slip begins without acceleration. Its way then follows from what comes
// next, and so much faster than the motion that steps of that do not follow it
static bool direction_is_undefined(const slip_sensitivity *t, int i)
{
    const double pull = slip_acceleration(t, t->begins.element[i], true, true, t->in_hand->a),
                 turned = friction_of(t, t->begins.element[i]) *
                          slip_acceleration(t, t->begins.element[i], false, false,
                                            t->begins.Y + (size_t)i * (size_t)t->n);
    return fabs(pull) <= MIN_ONSET_ACCELERATION * turned;
}

void slip_sensitivity_onset_directions(slip_sensitivity *t, const double *x)
{
    slip_sensitivity_set_slot(t, &t->start_slot);
    for (int i = 0; i < t->begins.count && !t->lost; i++)
        if (direction_is_undefined(t, i))
            slip_sensitivity_end(
                t,
                "'%s' starts to slide in space right at the limit of its friction, and how its "
                "way changes is not known; where friction at rest is larger it is",
                t->system->elements[t->begins.element[i]].name);
    if (t->lost) return;
    for (int c = 0; c < t->column_count && t->begins.count; c++) {
        for (int i = 0; i < t->begins.count; i++)
            t->begins.kept[t->begins.element[i] * t->column_count + c] = 0.0;
        slip_sensitivity_acceleration(t, c, t->event.dtau[c], x + (size_t)c * 2 * (size_t)t->n);
        onset_turns(t, c);
    }
}

void slip_sensitivity_turn_friction(slip_sensitivity *t, int column)
{
    for (int i = 0; i < t->begins.count && column >= 0; i++) {
        const int e = t->begins.element[i];
        const double by = -friction_of(t, e) * t->begins.kept[e * t->column_count + column];
        for (int k = 0; k < t->n; k++) t->da[k] += by * t->begins.Y[(size_t)i * (size_t)t->n + (size_t)k];
        for (int k = 0; k < t->held.count; k++)
            t->df[k] += by * t->begins.force[(size_t)i * (size_t)t->rows + (size_t)k];
    }
}

void slip_sensitivity_find_ending_slips(slip_sensitivity *t)
{
    const slip_sensitivity_slot *from = &t->start_slot, *to = t->step[SLIP_SENS_SLOT_COUNT - 1];
    bool any = false;
    for (int e = 0; e < t->elements && t->m->space; e++) {
        t->begins.ends[e] = false;
        if (t->system->elements[e].slip_count < 2 || !t->contact_state[e].closed ||
            t->contact_state[e].slide == 0.0)
            continue;
        const double speed = speed_of(t, from, e);
        if (!(speed > t->m->rigid.slow) || speed_of(t, to, e) > ENDING_SPEED_FRACTION * speed) continue;
        if (!any) slip_sensitivity_set_slot(t, from);
        any = true;
        for (int c = 0; c < t->column_count; c++) {
            double sum = 0.0;
            slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, c, 0.0, t->x + (size_t)c * 2 * (size_t)t->n);
            for (int i = 0; i < 2; i++)
                sum += transverse_component(t, e, i) *
                       slip_sensitivity_result(t, SLIP_SENS_VELOCITY, t->system->elements[e].tangent_row + i);
            t->begins.kept[e * t->column_count + c] = sum / speed;
        }
    }
    for (int e = 0; e < t->elements && any; e++) // all are looked at before the first is taken so
        t->begins.ends[e] = t->system->elements[e].slip_count > 1 && t->contact_state[e].closed &&
                            t->contact_state[e].slide != 0.0 && speed_of(t, from, e) > t->m->rigid.slow &&
                            speed_of(t, to, e) <= ENDING_SPEED_FRACTION * speed_of(t, from, e);
}

void slip_sensitivity_clear_ending_slips(slip_sensitivity *t)
{
    for (int e = 0; e < t->elements && t->m->space; e++) t->begins.ends[e] = false;
}
