/// formulation/event_driven/sliding_conditions.c: conditions whose argument stands at its border.
///
/// The argument alone does not say on which side the motion goes on, but where it is a little later does:
/// with the accelerations that the present sides give, along q + q' s + q'' s^2/2. A floor keeps its number
/// if that is inside its step. A condition that stays where it is, like the rate of a block that friction
/// holds, is what its formula is at the border itself: sign(0) is 0, 0 < 0 is false and 0 <= 0 is true. One
/// that would leave the border to the side where the motion leads is on that side; if that side leads back,
/// both push towards the border, and the flips that follow at once are counted and said (sides.c). A motion that
/// crosses a border back and forth, ever less because friction takes its energy, comes to rest there in the end: what
/// is at rest so near to it that flips are late by as much, and would stay at the border itself, is there.
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

static const slip_switch *switch_of(const slip_event_driven *m, int k)
{
    return &m->system->switching->switches.list[k];
}

// at its border as far as numbers tell, where what it is there matters
static bool stands(const slip_event_driven *m, int k)
{
    const slip_switch *w = switch_of(m, k);
    const double roundings = w->level < 0 && m->side[k] == 0.0 ? LEFT_BORDER_ROUNDINGS : 1.0;
    return slip_event_is_watched(m, k) && !w->timed && w->jumps &&
           fabs(m->switch_value[k]) <= roundings * slip_event_side_dust(m);
}

// beside it, by no more than a motion that rests at the border may be
static bool is_near(const slip_event_driven *m, int k)
{
    const slip_switch *w = switch_of(m, k);
    return slip_event_is_watched(m, k) && !w->timed && w->jumps && w->level < 0 && m->side[k] != 0.0 &&
           !m->gone[k] && fabs(m->switch_value[k]) <= LEFT_BORDER_ROUNDINGS * slip_event_side_dust(m);
}

static bool any_near(const slip_event_driven *m)
{
    for (int k = 0; k < m->switches; k++)
        if (stands(m, k) || is_near(m, k)) return true;
    return false;
}

// q' and q'' with the present sides and stances; false when there are none. Leaves the active set as it was
static bool find_rates(slip_event_driven *m)
{
    const slip_contact_problem *r = &m->rigid;
    double *velocity = m->soon + 2 * m->n, *a = velocity + m->n;
    slip_warm_start_save(m, &m->here);
    const bool solved = slip_contact_problem_build(&m->rigid, m->base.t, m->q, m->u) &&
                        slip_event_solve(m) == SLIP_CONTACT_SOLVED;
    slip_warm_start_restore(m, &m->here);
    if (!solved) return false;
    slip_system_velocity(m->system, m->base.t, m->q, m->u, &m->rigid.terms, velocity);
    for (int k = 0; k < m->n; k++) a[k] = fabs(r->a[k]) > slip_contact_problem_rounding(r) ? r->a[k] : 0.0;
    return true;
}

// m->switch_value after a time
static void look_later(slip_event_driven *m, double after)
{
    const double *velocity = m->soon + 2 * m->n, *a = velocity + m->n;
    double *q = m->soon, *u = q + m->n;
    for (int k = 0; k < m->n; k++) {
        q[k] = m->q[k] + after * (velocity[k] + 0.5 * after * a[k]);
        u[k] = m->u[k] + after * a[k];
    }
    slip_system_switches(m->system, m->base.t + after, q, u, &m->rigid.terms, m->switch_value, m->own_side);
}

// the sign of the value of switch k a little later, 0 where it stays at its border
static double leads_to(slip_event_driven *m, int k)
{
    const double away = MOVED_ROUNDINGS * slip_event_side_dust(m), last = LAST_EXAMINED_OF_RUN * m->until;
    double after = m->least.width;
    while (after <= last) {
        look_later(m, after);
        if (fabs(m->switch_value[k]) > away) return m->switch_value[k] < 0.0 ? -1.0 : 1.0;
        after *= EXAMINED_TIME_GROWTH;
    }
    return 0.0;
}

// The number for a floor whose operand is at one end of its step or the other. A whole number that rounding
// brings a little below itself is that number all the same
static double weigh_floor(slip_event_driven *m, int k, double way)
{
    const double side = m->side[k], own = m->own_side[k];
    if (way > 0.0 || own < side) return way < 0.0 ? own : side;
    if (own > side || way < 0.0) return own;
    slip_event_set_side(m, k, side + 1.0);
    slip_event_look_at_sides(m, m->base.t);
    const bool upper = fabs(m->switch_value[k]) <= slip_event_side_dust(m);
    slip_event_set_side(m, k, side);
    return upper ? side + 1.0 : side;
}

// At the border the motion leaves it, and on the side where that leads it stays at the border
static void tell_contradiction(slip_event_driven *m, int k)
{
    char place[160];
    slip_method_warn(
        &m->base, SLIP_WARNING_NOT_UNIQUE, "",
        "at t = %.9g s the condition of %s contradicts itself: where its sides meet the motion leaves "
        "to one of them, and there it does not move away. The motion stays where they meet, with the "
        "forces of that side",
        m->base.t, slip_event_side_place(m, k, place, sizeof place));
}

// the side for switch k, which stands at its border
static double weigh(slip_event_driven *m, int k)
{
    const double side = m->side[k], own = m->own_side[k], way = leads_to(m, k);
    if (switch_of(m, k)->level >= 0) {
        m->own_side[k] = own;
        return weigh_floor(m, k, way);
    }
    if (side == 0.0) return way;
    if (way == 0.0 && m->gone[k]) tell_contradiction(m, k);
    return way == 0.0 && !m->gone[k] ? 0.0 : side;
}

// Something has just come to rest, and the present side leads switch k over its border: what the formula is at the
// border itself is tried once. If the motion does not stay there, it is weighed again and leaves
static bool comes_to_rest(slip_event_driven *m, int k)
{
    bool rests = false;
    for (int e = 0; e < m->elements; e++) rests = rests || m->due[e];
    if (!rests || leads_to(m, k) != -m->side[k]) return false;
    slip_event_set_side(m, k, 0.0);
    return true;
}

void slip_event_begin_borders(slip_event_driven *m)
{
    memset(m->gone, 0, (size_t)m->switches * sizeof *m->gone);
}

bool slip_event_weigh_borders(slip_event_driven *m)
{
    if (m->switches == 0) return false;
    slip_event_look_at_sides(m, m->base.t);
    if (!any_near(m) || !find_rates(m)) return false;
    for (int k = 0; k < m->switches; k++) {
        slip_event_look_at_sides(m, m->base.t);
        if (is_near(m, k) && comes_to_rest(m, k)) return true;
        slip_event_look_at_sides(m, m->base.t);
        if (!stands(m, k)) continue;
        const double side = weigh(m, k);
        if (side == m->side[k]) continue;
        m->gone[k] = m->side[k] == 0.0;
        slip_event_set_side(m, k, side);
        return true;
    }
    return false;
}
