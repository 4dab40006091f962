/// event/stick.c: who sticks and who starts, where a slip is zero.
///
/// It is decided on the level of accelerations: by the LCP, or in space the cone problem, with friction among
/// the unknowns; or for Gauss' principle, whose text knows sliding only, by asking whether friction against
/// the impending slip still leaves a slip (the test of the errata: stop when th''(+0) <= 0 <= th''(-0)). In
/// space the impending slip has a direction that friction itself turns: friction of each contact in turn is
/// taken anew, for the load that it has, until nothing changes; it sticks when what is needed is below the
/// limit.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "event/event_driven.h"

// ----------------------------------------------------------------------------------------------- slips

double slip_event_small_speed(const slip_event_driven *m)
{
    return 1e-10 * slip_event_pace(m, m->u);
}

// The same of a slip: beside a rotor that spins fast, slow things slide all the same
static double small_slip(const slip_event_driven *m, int e)
{
    const slip_system *s = m->system;
    const slip_element *element = &s->elements[e];
    const double fastest = slip_event_pace(m, m->u);
    double own = m->least.speed;
    for (int row = element->tangent_row; row < element->tangent_row + element->slip_count; row++) {
        own = fmax(own, fabs(m->rigid.terms.drift[row]));
        for (int k = s->start[row]; k < s->start[row + 1]; k++)
            own = fmax(own, fabs(m->rigid.terms.value[k] * m->u[s->column[k]]));
    }
    return fmax(1e-10 * fmin(own, fastest), 1e-13 * fastest);
}

double slip_event_speed(const slip_event_driven *m, int e, double *v)
{
    const slip_element *element = &m->system->elements[e];
    v[1] = 0.0;
    for (int c = 0; c < element->slip_count; c++)
        v[c] = slip_system_row_rate(m->system, &m->rigid.terms, element->tangent_row + c, m->u);
    return element->slip_count > 1 ? slip_length(v[0], v[1]) : fabs(v[0]);
}

bool slip_event_slips(const slip_event_driven *m, int e, double *v)
{
    // in space a slip misses zero by what it turns while it is too slow to have a direction
    double small = small_slip(m, e);
    if (m->system->elements[e].slip_count > 1) small = fmax(small, m->rigid.slow);
    return slip_event_speed(m, e, v) > small;
}

static bool is_spatial(const slip_event_driven *m, int e)
{
    return m->system->elements[e].slip_count > 1;
}

// everything whose slip is zero; in space it has no direction of its own then
static bool find_candidates(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    bool any = false;
    double v[2];
    for (int e = 0; e < m->elements; e++) {
        m->candidate[e] = m->system->elements[e].slip_count && r->stance[e].closed &&
                          (m->due[e] || !slip_event_slips(m, e, v));
        if (m->candidate[e] && is_spatial(m, e)) r->slip[2 * e] = r->slip[2 * e + 1] = 0.0;
        any = any || m->candidate[e];
    }
    return any;
}

static bool is_due(const slip_event_driven *m, int e)
{
    return m->candidate[e] && m->due[e] && m->before_slide[e] == 0;
}

// Slip that begins slower than this does not begin; where an event says that sticking ends, any will do. What
// is carried along by such a start, like the other corners of a box, starts with it: of dependent contacts
// none can stay behind, or they would hold one another back and start one after the other without end
static double least_slip(const slip_event_driven *m, int e)
{
    const double along = 1e-2; // of the fastest start
    double fastest = 0.0, small = slip_rigid_small(&m->rigid);
    if (is_due(m, e)) return 0.0;
    for (int k = 0; k < m->elements; k++)
        if (is_due(m, k)) fastest = fmax(fastest, slip_rigid_slip_rate(&m->rigid, k));
    return fastest > 0.0 ? fmin(small, along * fastest) : small;
}

static void head(slip_rigid *r, int e, double x, double y)
{
    double size = slip_length(x, y);
    if (!(size > 0.0)) return;
    r->heading[2 * e] = x / size, r->heading[2 * e + 1] = y / size;
}

// Which way the last solution lets a slip begin. In space friction at its limit tells it with more digits
// than an acceleration that may be as small as one likes; but among contacts that depend on each other
// friction may be at its limit and still lean to a side
static int direction(slip_event_driven *m, int e)
{
    slip_rigid *r = &m->rigid;
    if (slip_rigid_slip_rate(r, e) <= least_slip(m, e)) return 0;
    if (!is_spatial(m, e)) return r->slip_rate[e] > 0.0 ? 1 : -1;
    if (slip_rigid_friction(r, e) > 0.0 && !r->open)
        head(r, e, -r->tangent[e], -r->tangent_y[e]);
    else
        head(r, e, r->slip_rate[e], r->slip_rate_y[e]);
    return 1;
}

static slip_rigid_answer again(slip_event_driven *m, bool keep_friction)
{
    slip_rigid_rebuild(&m->rigid, keep_friction);
    return slip_event_solve(m);
}

static slip_rigid_answer decide_lcp(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = 0;
    slip_rigid_rebuild(r, false);
    r->warm = false;
    slip_rigid_answer answer = slip_rigid_solve_lcp(r);
    if (answer != SLIP_RIGID_SOLVED) return answer;
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = (signed char)direction(m, e);
    return SLIP_RIGID_SOLVED;
}

// ---------------------------------------------------------------------------------- in space, under gauss

// T next to T0 in the metric W, within the disc: W (T - T0) + s T = 0 with s >= 0 where |T| = radius
static void onto_disc(const double *W, double radius, double *T)
{
    if (slip_length(T[0], T[1]) <= radius) return;
    double middle = 0.5 * (W[0] + W[2]), turn = 0.5 * slip_atan2(2.0 * W[1], W[0] - W[2]), c = slip_cos(turn),
           d = slip_sin(turn), spread = slip_length(0.5 * (W[0] - W[2]), W[1]),
           w[2] = { middle + spread, middle - spread },
           g[2] = { w[0] * (c * T[0] + d * T[1]), w[1] * (c * T[1] - d * T[0]) }, s = 0.0, y[2] = { 0 };
    for (int round = 0; round < 60; round++) { // Newton's method on 1/|T| - 1/radius, which is nearly linear
        double size = 0.0, slope = 0.0;
        for (int k = 0; k < 2; k++) {
            y[k] = g[k] / (w[k] + s);
            size += y[k] * y[k], slope += y[k] * y[k] / (w[k] + s);
        }
        double length = sqrt(size), step = (length / radius - 1.0) * size / slope;
        s += step;
        if (!(step > 1e-15 * s)) break;
    }
    T[0] = c * y[0] - d * y[1], T[1] = d * y[0] + c * y[1];
}

// response of the slip of an element to its own friction: xx, xy, yy
static void own_response(slip_event_driven *m, int e, double *W)
{
    slip_rigid *r = &m->rigid;
    int row = m->system->elements[e].tangent_row;
    for (int c = 0; c < 2; c++) {
        slip_system_solve_row(m->system, &r->terms, row + c, m->scratch_u);
        slip_rigid_constrain(r, m->scratch_u);
        W[2 * c] = slip_system_row_dot(m->system, &r->terms, row + c, m->scratch_u);
        if (c == 0) W[1] = slip_system_row_dot(m->system, &r->terms, row + 1, m->scratch_u);
    }
}

static double load_of(const slip_event_driven *m, int e)
{
    return m->system->elements[e].has_gap ? m->rigid.normal[e] : 1.0;
}

// friction that would stop the slip, or its limit against it, with loads and the other frictions as they are.
// True when that is a change
static bool lean(slip_event_driven *m, int e)
{
    slip_rigid *r = &m->rigid;
    double W[3], load = load_of(m, e), radius = r->terms.friction[e] * load;
    double old[2] = { r->tangent[e], r->tangent_y[e] }, T[2], det;
    if (!(radius > 0.0) || slip_rigid_slip_rate(r, e) <= slip_rigid_tiny(r)) return false;
    own_response(m, e, W);
    det = W[0] * W[2] - W[1] * W[1];
    if (!(det > 1e-14 * W[0] * W[2])) return false;
    T[0] = old[0] - (W[2] * r->slip_rate[e] - W[1] * r->slip_rate_y[e]) / det;
    T[1] = old[1] - (W[0] * r->slip_rate_y[e] - W[1] * r->slip_rate[e]) / det;
    onto_disc(W, radius, T);
    double size = slip_length(T[0], T[1]);
    if (slip_length(T[0] - old[0], T[1] - old[1]) <= 1e-14 * radius) return false;
    head(r, e, -T[0], -T[1]);
    r->friction[e] = fmin(size / load, r->terms.friction[e]);
    return true;
}

// what is needed of the friction that there is: below 1 it sticks
static bool needs_all(const slip_event_driven *m, int e)
{
    return m->rigid.friction[e] >= m->rigid.terms.friction[e] * (1.0 - 1e-13);
}

// impending frictions of candidates in space until nothing changes; those in the plane keep their stance
static slip_rigid_answer lean_all(slip_event_driven *m)
{
    enum { MAX_ROUNDS = 400 };
    slip_rigid *r = &m->rigid;
    slip_rigid_rebuild(r, false);
    slip_rigid_answer answer = again(m, true);
    for (int round = 0; round < MAX_ROUNDS && answer == SLIP_RIGID_SOLVED; round++) {
        bool changed = false;
        for (int e = 0; e < m->elements && answer == SLIP_RIGID_SOLVED; e++) {
            if (!m->candidate[e] || !is_spatial(m, e) || !r->stance[e].slide || !lean(m, e)) continue;
            changed = true;
            answer = again(m, true);
        }
        if (!changed) return answer;
    }
    return answer == SLIP_RIGID_SOLVED ? SLIP_RIGID_NOT_FOUND : answer;
}

// ------------------------------------------------------------------------------------------------ gauss

// where the candidates would go without their friction: the slip that friction has to stop
static slip_rigid_answer impending(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    slip_rigid_rebuild(r, false);
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = 1, r->friction[e] = 0.0;
    slip_rigid_answer answer = again(m, true);
    for (int e = 0; e < m->elements && answer == SLIP_RIGID_SOLVED; e++)
        if (m->candidate[e]) r->stance[e].slide = (signed char)direction(m, e);
    return answer;
}

static bool any_spatial(const slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e] && is_spatial(m, e) && m->rigid.stance[e].slide) return true;
    return false;
}

// accelerations with friction against the impending slips
static slip_rigid_answer resist(slip_event_driven *m)
{
    return any_spatial(m) ? lean_all(m) : again(m, false);
}

static bool starts(const slip_event_driven *m, int e)
{
    const slip_rigid *r = &m->rigid;
    if (is_spatial(m, e)) return needs_all(m, e) && slip_rigid_slip_rate(r, e) > least_slip(m, e);
    return r->stance[e].slide * r->slip_rate[e] > least_slip(m, e);
}

static slip_rigid_answer decide_gauss(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    slip_rigid_answer answer = impending(m);
    if (answer != SLIP_RIGID_SOLVED) return answer;
    for (int round = 0; round < 2 * m->elements + 2; round++) {
        answer = resist(m);
        bool changed = false;
        for (int e = 0; e < m->elements; e++) {
            if (!m->candidate[e] || r->stance[e].slide == 0) continue;
            if (answer == SLIP_RIGID_SOLVED && starts(m, e)) continue;
            r->stance[e].slide = 0;
            changed = true;
        }
        if (!changed) return answer;
    }
    return SLIP_RIGID_NOT_FOUND;
}

static double margin_of(slip_event_driven *m, int e)
{
    const slip_rigid *r = &m->rigid;
    if (!is_spatial(m, e)) return -r->stance[e].slide * r->slip_rate[e];
    double W[3], along = r->way[2 * e] * r->slip_rate[e] + r->way[2 * e + 1] * r->slip_rate_y[e];
    if (needs_all(m, e)) return -along;
    own_response(m, e, W);
    return (r->terms.friction[e] - r->friction[e]) * load_of(m, e) * 0.5 * (W[0] + W[2]);
}

double slip_event_stick_margin(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    double margin = INFINITY;
    bool any = false;
    for (int e = 0; e < m->elements; e++) {
        m->candidate[e] = m->system->elements[e].slip_count && r->stance[e].closed && r->stance[e].slide == 0;
        if (m->candidate[e] && is_spatial(m, e)) r->slip[2 * e] = r->slip[2 * e + 1] = 0.0;
        any = any || m->candidate[e];
    }
    if (!any) return INFINITY;
    memcpy(m->saved_stance, r->stance, (size_t)m->elements * sizeof *r->stance);
    memcpy(m->saved_heading, r->heading, 2 * (size_t)m->elements * sizeof *r->heading);
    if (impending(m) == SLIP_RIGID_SOLVED && resist(m) == SLIP_RIGID_SOLVED)
        for (int e = 0; e < m->elements; e++)
            if (m->candidate[e] && r->stance[e].slide) margin = fmin(margin, margin_of(m, e));
    memcpy(r->stance, m->saved_stance, (size_t)m->elements * sizeof *r->stance);
    memcpy(r->heading, m->saved_heading, 2 * (size_t)m->elements * sizeof *r->heading);
    again(m, false);
    return margin;
}

// ------------------------------------------------------------------------------------------- all together

static void open_released(slip_event_driven *m)
{
    for (int i = 0; i < m->rigid.normal_count; i++)
        if (m->rigid.rate[i] > slip_rigid_small(&m->rigid)) m->rigid.stance[m->rigid.owner[i]].closed = false;
}

// least constraint did not say who sticks
static void tell_fallback(slip_event_driven *m)
{
    m->measures[SLIP_EVENT_FALLBACKS].value += 1.0;
    slip_method_warn(&m->base, SLIP_WARNING_DISAGREEMENT, "",
                     "Gauss' principle leaves open who sticks: the contact LCP decided instead, here and "
                     "wherever else this happens (measures.lcp_fallbacks)");
}

// several candidates that share their friction, see slip_event_by_gauss
static bool several_in_space(const slip_event_driven *m)
{
    int count = 0;
    for (int e = 0; e < m->elements; e++) count += m->candidate[e] && is_spatial(m, e);
    return count > 1;
}

static slip_run_outcome decide(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int round = 0; round < m->elements + 2; round++) {
        slip_rigid_answer answer = SLIP_RIGID_SOLVED;
        bool rests = find_candidates(m);
        bool gauss =
            m->principle == SLIP_BY_GAUSS && r->normal_count > 0 && !several_in_space(m) && !m->holds;
        if (rests && gauss) answer = decide_gauss(m);
        if (rests && gauss && answer != SLIP_RIGID_SOLVED) tell_fallback(m);
        if (rests && (!gauss || answer != SLIP_RIGID_SOLVED)) answer = decide_lcp(m);
        if (answer == SLIP_RIGID_SOLVED) answer = again(m, false);
        if (answer != SLIP_RIGID_SOLVED) return slip_event_no_solution(m, answer, m->base.t);
        if (!rests || m->principle == SLIP_BY_GAUSS) slip_event_check_trust(m);
        slip_run_outcome outcome =
            slip_event_check_agreement(m); // a contact that pushes and opens is seen now or never
        if (outcome != SLIP_RUNNING) return outcome;
        int held = r->normal_count;
        open_released(m);
        slip_rigid_rebuild(r, false);
        if (r->normal_count == held) return SLIP_RUNNING;
    }
    return slip_event_no_solution(m, SLIP_RIGID_NOT_FOUND, m->base.t);
}

// a branch is held while it slides; what comes to rest is decided anew
slip_run_outcome slip_event_decide(slip_event_driven *m)
{
    bool hold = m->rigid.hold;
    m->rigid.hold = hold && !find_candidates(m);
    slip_run_outcome outcome = decide(m);
    m->rigid.hold = hold;
    return outcome;
}
