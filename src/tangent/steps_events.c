/// tangent/steps_events.c: parts of an internal step, and what happens between them.
#include <math.h>
#include <string.h>

#include "tangent/steps.h"

static const double AT_ONCE = 1e-6; // of an internal step: changes that are not told apart
static const double MARGIN = 10.0;  // tolerances of the run

static double *column_of(const slip_tangent *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

static const char *name_of(const slip_tangent *t, int e)
{
    return t->system->elements[e].name;
}

// ------------------------------------------------------------------------------------------------ looking

void slip_steps_read(slip_tangent *t)
{
    const slip_steps *s = t->steps;
    const slip_moreau_problem *p = &s->m->problem;
    for (int e = 0; e < t->elements; e++) { // frictions act always, if by nothing
        const bool gap = t->system->elements[e].has_gap,
                   slides = s->walk.begun && s->walk.stance[e].slide < 0.0;
        s->other[e] = (slip_tangent_stance){ !gap, gap ? 0.0 : slides ? -1.0 : 1.0 };
    }
    for (int b = 0; b < p->blocks; b++) {
        const slip_moreau_state state = slip_moreau_state_of(s->m, b);
        slip_tangent_stance *to = &s->other[p->element[b]];
        if (state == SLIP_OPENED) continue;
        to->closed = true;
        to->slide = state == SLIP_STICKING ? 0.0 : state == SLIP_FORWARD ? 1.0 : -1.0;
    }
}

bool slip_steps_look(slip_tangent *t, double time, const double *x, slip_tangent_slot *slot)
{
    slip_terms *terms = &t->steps->terms;
    const size_t bytes = (size_t)t->n * sizeof(double);
    if (!slip_system_evaluate(t->system, SLIP_LEVEL_ACCELERATION, time, x, x + t->n, terms)) {
        slip_tangent_lose(t, "the masses are not positive on the way of a step");
        return false;
    }
    slot->t = time;
    slot->impulsive = false;
    memcpy(slot->q, x, bytes);
    memcpy(slot->u, x + t->n, bytes);
    slip_system_velocity(t->system, time, slot->q, slot->u, terms, slot->v);
    memcpy(slot->terms.flat, terms->flat, t->flat_count * sizeof(double));
    memcpy(slot->terms.factor, terms->factor, (size_t)t->system->factor_size * sizeof(double));
    slip_tangent_find_motion(t, slot);
    return !t->lost;
}

double slip_steps_still(const slip_tangent *t, const double *u)
{
    double fastest = 0.0;
    for (int k = 0; k < t->n; k++) fastest = fmax(fastest, fmax(fabs(u[k]), t->steps->m->pace.fastest[k]));
    return 1e-9 * fastest;
}

// ------------------------------------------------------------------------------------------------- parts

// dq behind q + h H(q) u
static void half_step(slip_tangent *t, const double *q, double h, const double *u, const double *du,
                      double *dq)
{
    double *v = t->push, *dv = t->push + t->n;
    slip_tangent_turn(t, q, u, NULL, u, v);
    slip_tangent_turn(t, q, u, dq, du, dv);
    slip_tangent_step(t, q, h, v, dv, dq);
}

void slip_steps_march(slip_tangent *t, double time, double h, const double *u)
{
    slip_steps *s = t->steps;
    const int n = t->n;
    slip_system_move(t->system, time, s->at, 0.5 * h, s->at + n, &s->terms, s->middle);
    for (int k = 0; k < n; k++) s->middle[n + k] = 0.5 * (s->at[n + k] + u[k]);
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!slip_steps_look(t, time + 0.5 * h, s->middle, &t->seen)) return;
    for (int c = 0; c < t->column_count; c++) {
        const double *dx = column_of(t, t->x, c);
        double *to = column_of(t, t->next, c);
        memcpy(to, dx, 2 * (size_t)n * sizeof *to);
        if (h > 0.0) half_step(t, s->at, 0.5 * h, s->at + n, dx + n, to);
        slip_tangent_accelerate(t, c, 0.0, to);
        for (int k = 0; k < n; k++) to[n + k] = dx[n + k] + 0.5 * h * t->da[k];
        slip_tangent_accelerate(t, c, 0.0, to);
        for (int k = 0; k < n; k++) to[n + k] = dx[n + k] + h * t->da[k];
        half_step(t, s->middle, 0.5 * h, u, to + n, to);
    }
}

// ------------------------------------------------------------------------------------------------ changes

static bool stands_otherwise(const slip_steps *s, int e)
{
    const slip_tangent_stance *now = &s->walk.stance[e], *then = &s->other[e];
    return now->closed != then->closed || (now->closed && now->slide != then->slide);
}

// the event function that tells of the change of an element, as numbered in events.c
static int watch_of(const slip_steps *s, int e)
{
    return 2 * e + (s->other[e].closed ? 1 : 0);
}

// largest friction at rest, in the slot in hand
static double limit_at_rest(const slip_tangent *t, int e)
{
    const slip_tangent_slot *slot = t->in_hand;
    const double at_rest = t->system->elements[e].contact->at_rest;
    const double friction = at_rest > slot->terms.friction[e] ? at_rest : slot->terms.friction[e];
    return friction * slip_tangent_load(t, slot->force, e);
}

// value of that function in the slot in hand, whose stance is that before the change
static double watch(const slip_tangent *t, int e)
{
    const slip_steps *s = t->steps;
    const slip_element *element = &t->system->elements[e];
    const slip_tangent_slot *slot = t->in_hand;
    if (!s->other[e].closed) return slot->force[element->normal_row];
    const double slide = s->walk.stance[e].slide;
    if (slide != 0.0)
        return slide * slip_system_row_rate(t->system, &slot->terms, element->tangent_row, slot->u);
    return limit_at_rest(t, e) - fabs(slot->force[element->tangent_row]);
}

// whether forces alone tell, and the motion does not determine them
static bool is_open(const slip_tangent *t, int e)
{
    const slip_steps *s = t->steps;
    return t->forces.rank < t->held && !(s->other[e].closed && s->walk.stance[e].slide != 0.0);
}

// An element that others hold already: it is at rest, and comes to rest at no time of its own
static bool rests(const slip_tangent *t, int e, double rate)
{
    const slip_steps *s = t->steps;
    const slip_tangent_slot *slot = t->in_hand;
    double hardest = 0.0;
    for (int k = 0; k < t->n; k++) hardest = fmax(hardest, fmax(fabs(slot->a[k]), s->m->pace.hardest[k]));
    return s->other[e].closed && s->walk.stance[e].slide != 0.0 && s->other[e].slide == 0.0 &&
           fabs(watch(t, e)) <= slip_steps_still(t, slot->u) && fabs(rate) <= 1e-9 * hardest;
}

// when elements change, per element into s->after; the first of them. -1: none does
static int find_changes(slip_tangent *t, double time, double left)
{
    slip_steps *s = t->steps;
    int first = -1;
    bool any = false;
    for (int e = 0; e < t->elements; e++) any = any || stands_otherwise(s, e);
    if (!any) return -1;
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!slip_steps_look(t, time, s->at, &t->start_slot)) return -1;
    slip_tangent_take_motion(t, &t->start_slot);
    slip_tangent_run_along(t, -1, 1.0, t->line);
    for (int e = 0; e < t->elements; e++) {
        s->after[e] = NAN;
        if (!stands_otherwise(s, e)) continue;
        const double rate = slip_tangent_change_of(t, watch_of(s, e), -1);
        if (rests(t, e, rate)) {
            s->walk.stance[e] = s->other[e];
            return find_changes(t, time, left);
        }
        s->after[e] = rate < 0.0 ? fmin(fmax(-watch(t, e) / rate, 0.0), left) : left;
        if (first < 0 || s->after[e] < s->after[first]) first = e;
    }
    return first;
}

bool slip_steps_move_to(slip_tangent *t, const slip_tangent_slot *slot, int k, double *dtau)
{
    slip_tangent_take_motion(t, slot);
    slip_tangent_run_along(t, -1, 1.0, t->line);
    const double speed = slip_tangent_change_of(t, k, -1);
    bool known = speed < 0.0;
    for (int c = 0; c < t->column_count && known; c++) {
        slip_tangent_run_along(t, c, 0.0, column_of(t, t->x, c));
        dtau[c] = -slip_tangent_change_of(t, k, c) / speed;
        known = isfinite(dtau[c]);
    }
    if (!known)
        slip_tangent_lose(t, "an event of '%s' is only just reached, and its time has no derivatives",
                          name_of(t, k / 2));
    return known;
}

void slip_steps_add_motion(slip_tangent *t, const slip_tangent_slot *slot, double factor, const double *dtau)
{
    slip_tangent_take_motion(t, slot);
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < 2 * t->n; k++) column_of(t, t->x, c)[k] += factor * t->line[k] * dtau[c];
}

static double slip_rate(const slip_tangent *t, const slip_tangent_slot *slot, int e)
{
    const int row = t->system->elements[e].tangent_row;
    return slip_system_row_dot(t->system, &slot->terms, row, slot->a) + slot->terms.z[row];
}

// A little more or less, and what came to rest, or turned, would have gone on, or stayed
static void look_at_rest(slip_tangent *t, int e, double rate_before)
{
    const slip_tangent_slot *slot = t->in_hand;
    const slip_element *element = &t->system->elements[e];
    const double small = MARGIN * t->relative, limit = limit_at_rest(t, e);
    if (!element->slip_count || !t->stance[e].closed || !(limit > 0.0)) return;
    if (t->stance[e].slide == 0.0 && limit - fabs(slot->force[element->tangent_row]) <= small * limit)
        slip_tangent_lose(t,
                          "'%s' comes to rest where friction is at its limit: with a little more it would "
                          "go on, and the derivatives are others",
                          name_of(t, e));
    else if (t->stance[e].slide != 0.0 && fabs(slip_rate(t, slot, e)) <= small * fabs(rate_before))
        slip_tangent_lose(t,
                          "'%s' turns where friction is hardly below its limit: with a little more it would "
                          "stay at rest, and the derivatives are others",
                          name_of(t, e));
}

// An internal step ends at rest what turns back on its way. Where friction cannot hold that it goes on at
// once, against the friction that would; true when there is such an element
static bool turn_back(slip_tangent *t)
{
    slip_steps *s = t->steps;
    bool any = false;
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &t->system->elements[e];
        if (isnan(s->after[e]) || s->after[e] == 0.0 || !t->stance[e].closed || t->stance[e].slide != 0.0)
            continue;
        const double limit = limit_at_rest(t, e), force = t->in_hand->force[element->tangent_row];
        if (!(fabs(force) > limit * (1.0 + MARGIN * t->relative))) continue;
        s->other[e].slide = s->walk.stance[e].slide = t->stance[e].slide = force > 0.0 ? -1.0 : 1.0;
        any = true;
    }
    return any;
}

// what stands otherwise from now on; the columns are at the time of the change
static void change(slip_tangent *t, double time, double until)
{
    slip_steps *s = t->steps;
    for (int e = 0; e < t->elements; e++) {
        if (!(s->after[e] <= until)) {
            s->after[e] = NAN;
            continue;
        }
        const bool slid = s->walk.stance[e].closed && s->walk.stance[e].slide != 0.0;
        s->after[e] = slid ? slip_rate(t, t->in_hand, e) : 0.0;
        s->walk.stance[e] = s->other[e];
    }
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!slip_steps_look(t, time, s->at, &t->start_slot)) return;
    if (turn_back(t) && !slip_steps_look(t, time, s->at, &t->start_slot)) return;
    for (int e = 0; e < t->elements && !t->lost; e++)
        if (s->after[e] != 0.0 && !isnan(s->after[e])) look_at_rest(t, e, s->after[e]);
}

// the motion within the step, by the accelerations of the slot in hand
static void move_on(slip_tangent *t, const slip_tangent_slot *slot, double h)
{
    slip_steps *s = t->steps;
    slip_system_move(t->system, slot->t, s->at, 0.5 * h, s->at + t->n, &s->terms, s->at);
    for (int k = 0; k < t->n; k++) s->at[t->n + k] += h * slot->a[k];
    slip_system_move(t->system, slot->t, s->at, 0.5 * h, s->at + t->n, &s->terms, s->at);
}

// all that changes until then changes in the same way with the parameters
static bool find_time(slip_tangent *t, int first, double until)
{
    slip_steps *s = t->steps;
    if (!slip_steps_move_to(t, &t->start_slot, watch_of(s, first), t->dtau)) return false;
    for (int e = 0; e < t->elements; e++) {
        if (e == first || !(s->after[e] <= until)) continue;
        if (!slip_steps_move_to(t, &t->start_slot, watch_of(s, e), t->dtau_other)) return false;
        if (slip_tangent_same_times(t)) continue;
        slip_tangent_lose(t, "events of '%s' and '%s' happen at once, and which comes first is open",
                          name_of(t, first), name_of(t, e));
        return false;
    }
    return true;
}

bool slip_steps_cross(slip_tangent *t, double time, double left, double *took)
{
    slip_steps *s = t->steps;
    const int first = find_changes(t, time, left);
    if (first < 0 || t->lost) return false;
    const double h = *took = s->after[first], until = h + AT_ONCE * left;
    for (int e = 0; e < t->elements; e++)
        if (s->after[e] <= until && is_open(t, e)) {
            slip_tangent_lose(t,
                              "more contacts push than the motion determines forces for, and '%s' changes "
                              "by its force",
                              name_of(t, e));
            return false;
        }
    if (h > 0.0) {
        for (int k = 0; k < t->n; k++) t->within[k] = s->at[t->n + k] + h * t->start_slot.a[k];
        slip_steps_march(t, time, h, t->within);
        if (t->lost) return false;
        double *kept = t->x;
        t->x = t->next;
        t->next = kept;
        move_on(t, &t->start_slot, h);
        if (!slip_steps_look(t, time + h, s->at, &t->start_slot)) return false;
    }
    slip_steps_leave_border(t, time + h, s->at, -1.0);
    if (t->lost) return false;
    s->time = time + h;
    if (!find_time(t, first, until)) return false;
    slip_steps_add_motion(t, &t->start_slot, 1.0, t->dtau);
    change(t, time + h, until);
    if (!t->lost) slip_steps_leave_border(t, time + h, s->at, 1.0);
    if (t->lost) return false;
    slip_steps_add_motion(t, &t->start_slot, -1.0, t->dtau);
    for (int c = 0; c < t->column_count; c++) slip_tangent_project(t, c, column_of(t, t->x, c));
    return true;
}

// ------------------------------------------------------------------------------------------- going on

// As s->other says, but what is not at rest slides as it does
static void stand_as_moving(slip_tangent *t, int e, double small)
{
    slip_steps *s = t->steps;
    const slip_element *element = &t->system->elements[e];
    s->walk.stance[e] = s->other[e];
    if (!element->slip_count || !s->other[e].closed) return;
    const double v = slip_system_row_rate(t->system, &s->terms, element->tangent_row, t->start_slot.u);
    if (fabs(v) > small) s->walk.stance[e].slide = v > 0.0 ? 1.0 : -1.0;
}

// What closes without a strike, as bounces too short to be followed do: rates of rows that hold are zero, by
// an impulse
static void land(slip_tangent *t)
{
    for (int c = 0; c < t->column_count; c++) {
        double *dx = column_of(t, t->x, c);
        slip_tangent_along(t, SLIP_TANGENT_VELOCITY, c, 0.0, dx);
        for (int i = 0; i < t->held; i++)
            t->bend[i] = slip_tangent_result(t, SLIP_TANGENT_VELOCITY, t->held_row[i]);
        memset(t->da, 0, (size_t)t->n * sizeof *t->da);
        slip_tangent_balance(t, t->bend);
        for (int k = 0; k < t->n; k++) dx[t->n + k] += t->da[k];
    }
}

// A contact that starts below its surface is held there: a place that must not change with the columns
static void look_at_levels(slip_tangent *t, const double *level)
{
    for (int c = 0; c < t->column_count && !t->lost; c++) {
        const double *dx = column_of(t, t->x, c);
        double size = 0.0;
        for (int k = 0; k < t->n; k++) size = fmax(size, fabs(dx[k]));
        slip_tangent_along(t, SLIP_TANGENT_EVENT, c, 0.0, dx);
        for (int e = 0; e < t->system->contact_count && !t->lost; e++)
            if (t->stance[e].closed && level[e] < -1e4 * t->steps->m->slack[e] &&
                fabs(slip_tangent_result(t, SLIP_TANGENT_EVENT, e)) > 1e-9 * size)
                slip_tangent_lose(t, "'%s' is held inside of what it touches", name_of(t, e));
    }
}

// Of what friction cannot hold at the start the one that needs most of it slides from there on; false when
// there is none
static bool let_go(slip_tangent *t)
{
    slip_steps *s = t->steps;
    double most = 1.0 + MARGIN * t->relative;
    int first = -1;
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &t->system->elements[e];
        if (!element->slip_count || !t->stance[e].closed || t->stance[e].slide != 0.0) continue;
        const double needed = fabs(t->in_hand->force[element->tangent_row]), limit = limit_at_rest(t, e);
        if (needed > most * limit) first = e, most = limit > 0.0 ? needed / limit : INFINITY;
    }
    if (first < 0) return false;
    const double force = t->in_hand->force[t->system->elements[first].tangent_row];
    s->other[first].slide = s->walk.stance[first].slide = t->stance[first].slide = force > 0.0 ? -1.0 : 1.0;
    return true;
}

// the same until friction holds the rest; what was let go has to go the way it was let go
static bool begin_to_slide(slip_tangent *t, double time, const double *x)
{
    bool any = false;
    while (let_go(t)) {
        any = true;
        if (!slip_steps_look(t, time, x, &t->start_slot)) return false;
    }
    for (int e = 0; e < t->elements && any; e++) {
        const slip_element *element = &t->system->elements[e];
        if (!element->slip_count || !t->stance[e].closed || t->stance[e].slide == 0.0) continue;
        const double v =
            slip_system_row_rate(t->system, &t->steps->terms, element->tangent_row, t->start_slot.u);
        if (fabs(v) > slip_steps_still(t, x + t->n) || t->stance[e].slide * slip_rate(t, t->in_hand, e) > 0.0)
            continue;
        slip_tangent_lose(t, "which frictions give way at the start is open, '%s' among them", name_of(t, e));
        return false;
    }
    return true;
}

void slip_steps_start(slip_tangent *t, double time, const double *x, const double *level)
{
    slip_steps *s = t->steps;
    const bool fresh = !s->walk.begun, event = fresh || s->walk.pending;
    bool lands = false;
    for (int e = 0; e < t->elements && !event; e++)
        lands = lands || (s->other[e].closed && !s->walk.stance[e].closed);
    if (!event && !lands) return;
    memcpy(t->stance, s->other, (size_t)t->elements * sizeof *t->stance);
    if (!slip_steps_look(t, time, x, &t->start_slot)) return;
    for (int e = 0; e < t->elements; e++) {
        lands = lands || (s->other[e].closed && !s->walk.stance[e].closed);
        if (event || (s->other[e].closed && !s->walk.stance[e].closed))
            stand_as_moving(t, e, slip_steps_still(t, x + t->n));
    }
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!slip_steps_look(t, time, x, &t->start_slot)) return;
    if (fresh && !begin_to_slide(t, time, x)) return;
    if (s->walk.pending) slip_steps_leave_border(t, time, x, 1.0);
    if (t->lost) return;
    if (s->walk.pending) slip_steps_add_motion(t, &t->start_slot, -1.0, s->walk.dtau);
    if (s->walk.pending && !s->walking) slip_tangent_note_time(t, s->walk.dtau);
    look_at_levels(t, level);
    if (t->lost) return;
    if (lands) land(t);
    for (int c = 0; c < t->column_count; c++) slip_tangent_project(t, c, column_of(t, t->x, c));
    for (int e = 0; e < t->elements && fresh && !t->lost; e++)
        if (t->stance[e].slide == 0.0) look_at_rest(t, e, 0.0);
    s->walk.begun = true;
    s->walk.pending = false;
}
