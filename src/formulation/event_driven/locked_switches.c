/// formulation/event_driven/locked_switches.c: conditions and kinks, locked while they matter.
///
/// Equations that bend or jump are smooth while every switch stays on its side: a step never crosses one. At
/// the event it changes sides, and what follows from that is found as after any other event: a floor that
/// rises under a sliding block strikes it, one that falls away lets it go. Behind every event each switch has
/// the side that its own argument has there, whatever made the argument jump: an impact that turns a rate
/// round, an event of the model, another switch inside it. At the border itself the motion decides
/// (borders.c).
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

void slip_event_switches_layout(slip_arena *a, slip_event_driven *m)
{
    int count = m->switches;
    m->side = SLIP_TAKE(a, double, count);
    m->switch_value = SLIP_TAKE(a, double, count);
    m->own_side = SLIP_TAKE(a, double, count);
    m->flips = SLIP_TAKE(a, int, count);
    m->flipped = SLIP_TAKE(a, double, count);
    m->active = SLIP_TAKE(a, bool, count);
    m->gone = SLIP_TAKE(a, bool, count);
    m->sign = SLIP_TAKE(a, double, m->elements + count);
    m->soon = SLIP_TAKE(a, double, count ? 4 * m->n : 0);
}

static const slip_switch *switch_list(const slip_event_driven *m)
{
    return m->switches ? m->system->switching->switches.list : NULL;
}

void slip_event_set_side(slip_event_driven *m, int k, double side)
{
    m->side[k] = side;
    slip_system_set_side(m->system, k, side, &m->rigid.terms);
}

bool slip_event_is_watched(const slip_event_driven *m, int k)
{
    return m->side[k] != SLIP_SIDE_FREE;
}

void slip_event_unlock_switches(slip_event_driven *m)
{
    for (int k = 0; k < m->switches; k++) slip_event_set_side(m, k, SLIP_SIDE_FREE);
}

static void find_active(slip_event_driven *m)
{
    const slip_switching *w = m->system->switching;
    memcpy(m->active, w->always, (size_t)m->switches * sizeof *m->active);
    for (int e = 0; e < m->elements; e++)
        for (int i = w->start[e]; i < w->start[e + 1] && m->rigid.contact_state[e].closed; i++)
            m->active[w->list[i]] = true;
}

void slip_event_look_at_sides(slip_event_driven *m, double t)
{
    slip_system_switches(m->system, t, m->q, m->u, &m->rigid.terms, m->switch_value, m->own_side);
}

double slip_event_side_dust(const slip_event_driven *m)
{
    return CONDITION_ROUNDING_RELATIVE * slip_event_length_scale(m, m->q);
}

double slip_event_side_margin(const slip_event_driven *m, int k)
{
    const double dust = slip_event_side_dust(m), value = m->switch_value[k];
    if (switch_list(m)[k].level >= 0) return value + dust;
    return m->side[k] == 0.0 ? LEFT_BORDER_ROUNDINGS * dust - fabs(value) : m->side[k] * value + dust;
}

void slip_event_lock_switches(slip_event_driven *m)
{
    bool some = false;
    if (m->switches == 0) return;
    find_active(m);
    for (int k = 0; k < m->switches; k++) {
        if (switch_list(m)[k].timed) continue;
        bool wanted = m->active[k], locked = slip_event_is_watched(m, k);
        if (locked && !wanted) slip_event_set_side(m, k, SLIP_SIDE_FREE);
        some = some || (wanted && !locked);
    }
    if (!some) return;
    slip_event_look_at_sides(m, m->base.t);
    for (int k = 0; k < m->switches; k++)
        if (!switch_list(m)[k].timed && m->active[k] && !slip_event_is_watched(m, k))
            slip_event_set_side(m, k, m->own_side[k]);
}

void slip_event_lock_time_switches(slip_event_driven *m)
{
    double t = m->base.t, next = fmin(slip_time_schedule_next(&m->timetable, t), m->until);
    for (int k = 0; k < m->switches; k++)
        if (switch_list(m)[k].timed) slip_event_set_side(m, k, SLIP_SIDE_FREE);
    if (m->switches) slip_event_look_at_sides(m, next > t ? 0.5 * (t + next) : t);
    for (int k = 0; k < m->switches; k++)
        if (switch_list(m)[k].timed) slip_event_set_side(m, k, m->own_side[k]);
}

bool slip_event_turn_sides(slip_event_driven *m)
{
    bool some = false;
    for (int round = 0; round <= m->switches; round++) { // those inside others have smaller numbers
        bool turned = false;
        if (m->switches) slip_event_look_at_sides(m, m->base.t);
        for (int k = 0; k < m->switches && !turned; k++) {
            const bool locked = slip_event_is_watched(m, k) && !switch_list(m)[k].timed;
            if (!locked || !(slip_event_side_margin(m, k) < 0.0)) continue;
            slip_event_set_side(m, k, m->own_side[k]);
            turned = some = true;
        }
        if (!turned) return some;
    }
    return some;
}

const char *slip_event_side_place(const slip_event_driven *m, int k, char *text, int size)
{
    const slip_graph *graph = m->system->equations->graph;
    return slip_span_place(slip_graph_place(graph, switch_list(m)[k].node), text, size);
}

bool slip_event_check_sides(slip_event_driven *m)
{
    char place[160];
    if (m->switches == 0) return true;
    slip_event_look_at_sides(m, m->base.t);
    for (int k = 0; k < m->switches; k++) {
        const bool locked = slip_event_is_watched(m, k) && !switch_list(m)[k].timed;
        if (!locked || !(slip_event_side_margin(m, k) < -WRONG_SIDE_ROUNDINGS * slip_event_side_dust(m)))
            continue;
        slip_method_warn(&m->base, SLIP_WARNING_STEPPED_OVER, "",
                         "at t = %.9g s the condition of %s does not have the side that its argument has: a "
                         "step has passed over its change",
                         m->base.t, slip_event_side_place(m, k, place, sizeof place));
        return false;
    }
    return true;
}

// both sides push towards the border: neither is the one that the motion goes on with
static bool is_chattering(slip_event_driven *m, int k)
{
    char place[160];
    double t = m->base.t;
    m->flips[k] = t - m->flipped[k] <= CHATTER_WINDOW_OF_RUN * m->until ? m->flips[k] + 1 : 0;
    m->flipped[k] = t;
    if (m->flips[k] <= MAX_FLIPS) return false;
    m->hopeless = true;
    slip_method_fail(
        &m->base,
        "at t = %.9g s the condition of %s changes back and forth without end: both of its sides push "
        "towards it. "
        "Dry friction belongs under frictions or contacts, not in a formula",
        t, slip_event_side_place(m, k, place, sizeof place));
    return true;
}

slip_run_outcome slip_event_flip_switches(slip_event_driven *m, bool *some)
{
    bool timed = false;
    *some = false;
    if (m->switches == 0) return SLIP_RUNNING;
    slip_event_look_at_sides(m, m->base.t);
    for (int k = 0; k < m->switches; k++) {
        timed = timed || switch_list(m)[k].timed;
        if (!slip_event_is_watched(m, k) || m->after[2 * m->elements + k].value > 0.0) continue;
        if (is_chattering(m, k)) return SLIP_UNSOLVED;
        *some = true;
        m->piled_flips++;
        slip_event_set_side(m, k,
                            switch_list(m)[k].level >= 0 || m->side[k] == 0.0 ? m->own_side[k] : -m->side[k]);
    }
    if (timed && m->at_switch) slip_event_lock_time_switches(m), *some = true;
    return SLIP_RUNNING;
}
