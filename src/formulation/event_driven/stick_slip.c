/// formulation/event_driven/stick_slip.c: which contacts stick and which start to slide, where a slip is
/// zero.
///
/// It is decided on the level of accelerations: by the LCP, or in space the cone problem, with friction among
/// the unknowns; or for Gauss' principle, whose text knows sliding only, by asking whether friction against
/// the impending slip still leaves a slip (the test of the errata: stop when th''(+0) <= 0 <= th''(-0)). In
/// space the impending slip has a direction that friction itself turns: friction of each contact in turn is
/// taken anew, for the load that it has, until nothing changes; it sticks when what is needed is below the
/// limit.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

// ----------------------------------------------------------------------------------------------- slips

double slip_event_zero_speed(const slip_event_driven *m)
{
    return ZERO_SPEED_RELATIVE * slip_event_speed_scale(m, m->u);
}

// The same of a slip: beside a rotor that spins fast, slow things slide all the same
static double small_slip(const slip_event_driven *m, int e)
{
    const slip_system *s = m->system;
    const slip_element *element = &s->elements[e];
    const double fastest = slip_event_speed_scale(m, m->u);
    double own = m->least.speed;
    for (int row = element->tangent_row; row < element->tangent_row + element->slip_count; row++) {
        own = fmax(own, fabs(m->rigid.terms.drift[row]));
        for (int k = s->start[row]; k < s->start[row + 1]; k++)
            own = fmax(own, fabs(m->rigid.terms.value[k] * m->u[s->column[k]]));
    }
    return fmax(ZERO_SPEED_RELATIVE * fmin(own, fastest), ZERO_SPEED_OF_FASTEST * fastest);
}

double slip_event_slip_speed(const slip_event_driven *m, int e, double *v)
{
    const slip_element *element = &m->system->elements[e];
    v[1] = 0.0;
    for (int c = 0; c < element->slip_count; c++)
        v[c] = slip_system_row_rate(m->system, &m->rigid.terms, element->tangent_row + c, m->u);
    return element->slip_count > 1 ? slip_length(v[0], v[1]) : fabs(v[0]);
}

bool slip_event_is_slipping(const slip_event_driven *m, int e, double *v)
{
    // in space a slip misses zero by what it turns while it is too slow to have a direction
    double small = small_slip(m, e);
    if (m->system->elements[e].slip_count > 1) small = fmax(small, m->rigid.slow);
    return slip_event_slip_speed(m, e, v) > small;
}

static bool is_spatial(const slip_event_driven *m, int e)
{
    return m->system->elements[e].slip_count > 1;
}

// everything whose slip is zero; in space it has no direction of its own then
static bool find_candidates(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    bool any = false;
    double v[2];
    for (int e = 0; e < m->elements; e++) {
        m->candidate[e] = m->system->elements[e].slip_count && r->contact_state[e].closed &&
                          (m->due[e] || !slip_event_is_slipping(m, e, v));
        if (m->candidate[e] && is_spatial(m, e)) r->slip[2 * e] = r->slip[2 * e + 1] = 0.0;
        any = any || m->candidate[e];
    }
    return any;
}

static bool is_stick_event(const slip_event_driven *m, int e)
{
    return m->candidate[e] && m->due[e] && m->before_slide[e] == 0;
}

// Slip that begins slower than this does not begin; where an event says that sticking ends, any will do. What
// is carried along by such a start, like the other corners of a box, starts with it: of dependent contacts
// none can stay behind, or they would hold one another back and start one after the other without end
static double least_slip(const slip_event_driven *m, int e)
{
    double fastest = 0.0, small = slip_contact_problem_zero_tolerance(&m->rigid);
    if (is_stick_event(m, e)) return 0.0;
    for (int k = 0; k < m->elements; k++)
        if (is_stick_event(m, k)) fastest = fmax(fastest, slip_contact_problem_slip_rate(&m->rigid, k));
    return fastest > 0.0 ? fmin(small, CARRIED_ALONG_OF_FASTEST * fastest) : small;
}

static void set_heading(slip_contact_problem *r, int e, double x, double y)
{
    double size = slip_length(x, y);
    if (!(size > 0.0)) return;
    r->heading[2 * e] = x / size, r->heading[2 * e + 1] = y / size;
}

// Which way the last solution lets a slip begin. In space friction at its limit tells it with more digits
// than an acceleration that may be as small as one likes; but among contacts that depend on each other
// friction may be at its limit and still lean to a side
static int onset_direction(slip_event_driven *m, int e)
{
    slip_contact_problem *r = &m->rigid;
    if (slip_contact_problem_slip_rate(r, e) <= least_slip(m, e)) return 0;
    if (!is_spatial(m, e)) return r->slip_rate[e] > 0.0 ? 1 : -1;
    if (slip_contact_problem_friction(r, e) > 0.0 && !r->open)
        set_heading(r, e, -r->tangent[e], -r->tangent_y[e]);
    else
        set_heading(r, e, r->slip_rate[e], r->slip_rate_y[e]);
    return 1;
}

static slip_contact_outcome solve_again(slip_event_driven *m, bool keep_friction)
{
    slip_contact_problem_rebuild(&m->rigid, keep_friction);
    return slip_event_solve(m);
}

static slip_contact_outcome decide_lcp(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->contact_state[e].slide = 0;
    slip_contact_problem_rebuild(r, false);
    r->warm = false;
    slip_contact_outcome answer = slip_contact_problem_solve_lcp(r);
    if (answer != SLIP_CONTACT_SOLVED) return answer;
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->contact_state[e].slide = (signed char)onset_direction(m, e);
    return SLIP_CONTACT_SOLVED;
}

// ---------------------------------------------------------------------------------- in space, under gauss

// T next to T0 in the metric W, within the disc: W (T - T0) + s T = 0 with s >= 0 where |T| = radius
static void project_onto_disc(const double *W, double radius, double *T)
{
    if (slip_length(T[0], T[1]) <= radius) return;
    double middle = 0.5 * (W[0] + W[2]), turn = 0.5 * slip_atan2(2.0 * W[1], W[0] - W[2]), c = slip_cos(turn),
           d = slip_sin(turn), spread = slip_length(0.5 * (W[0] - W[2]), W[1]),
           w[2] = { middle + spread, middle - spread },
           g[2] = { w[0] * (c * T[0] + d * T[1]), w[1] * (c * T[1] - d * T[0]) }, s = 0.0, y[2] = { 0 };
    for (int round = 0; round < MAX_DISC_ITERATIONS;
         round++) { // Newton's method on 1/|T| - 1/radius, which is nearly linear
        double size = 0.0, slope = 0.0;
        for (int k = 0; k < 2; k++) {
            y[k] = g[k] / (w[k] + s);
            size += y[k] * y[k], slope += y[k] * y[k] / (w[k] + s);
        }
        double length = sqrt(size), step = (length / radius - 1.0) * size / slope;
        s += step;
        if (!(step > DISC_STEP_DONE * s)) break;
    }
    T[0] = c * y[0] - d * y[1], T[1] = d * y[0] + c * y[1];
}

// response of the slip of an element to its own friction: xx, xy, yy
static void own_response(slip_event_driven *m, int e, double *W)
{
    slip_contact_problem *r = &m->rigid;
    int row = m->system->elements[e].tangent_row;
    for (int c = 0; c < 2; c++) {
        slip_system_solve_row(m->system, &r->terms, row + c, m->scratch_u);
        slip_contact_problem_constrain(r, m->scratch_u);
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
static bool update_impending_friction(slip_event_driven *m, int e)
{
    slip_contact_problem *r = &m->rigid;
    double W[3], load = load_of(m, e), radius = r->terms.friction[e] * load;
    double old[2] = { r->tangent[e], r->tangent_y[e] }, T[2], det;
    if (!(radius > 0.0) || slip_contact_problem_slip_rate(r, e) <= slip_contact_problem_rounding(r))
        return false;
    own_response(m, e, W);
    det = W[0] * W[2] - W[1] * W[1];
    if (!(det > RESPONSE_SINGULAR_RELATIVE * W[0] * W[2])) return false;
    T[0] = old[0] - (W[2] * r->slip_rate[e] - W[1] * r->slip_rate_y[e]) / det;
    T[1] = old[1] - (W[0] * r->slip_rate_y[e] - W[1] * r->slip_rate[e]) / det;
    project_onto_disc(W, radius, T);
    double size = slip_length(T[0], T[1]);
    if (slip_length(T[0] - old[0], T[1] - old[1]) <= FRICTION_UNCHANGED_RELATIVE * radius) return false;
    set_heading(r, e, -T[0], -T[1]);
    r->friction[e] = fmin(size / load, r->terms.friction[e]);
    return true;
}

// what is needed of the friction that there is: below 1 it sticks
static bool friction_insufficient(const slip_event_driven *m, int e)
{
    return m->rigid.friction[e] >= m->rigid.terms.friction[e] * (1.0 - FRICTION_LIMIT_MARGIN);
}

// impending frictions of candidates in space until nothing changes; those in the plane keep their
// contact_state
static slip_contact_outcome iterate_impending_friction(slip_event_driven *m)
{
    enum { MAX_ROUNDS = 400 };
    slip_contact_problem *r = &m->rigid;
    slip_contact_problem_rebuild(r, false);
    slip_contact_outcome answer = solve_again(m, true);
    for (int round = 0; round < MAX_ROUNDS && answer == SLIP_CONTACT_SOLVED; round++) {
        bool changed = false;
        for (int e = 0; e < m->elements && answer == SLIP_CONTACT_SOLVED; e++) {
            if (!m->candidate[e] || !is_spatial(m, e) || !r->contact_state[e].slide ||
                !update_impending_friction(m, e))
                continue;
            changed = true;
            answer = solve_again(m, true);
        }
        if (!changed) return answer;
    }
    return answer == SLIP_CONTACT_SOLVED ? SLIP_CONTACT_NOT_CONVERGED : answer;
}

// ------------------------------------------------------------------------------------------------ gauss

// where the candidates would go without their friction: the slip that friction has to stop
static slip_contact_outcome find_impending_slip(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    slip_contact_problem_rebuild(r, false);
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->contact_state[e].slide = 1, r->friction[e] = 0.0;
    slip_contact_outcome answer = solve_again(m, true);
    for (int e = 0; e < m->elements && answer == SLIP_CONTACT_SOLVED; e++)
        if (m->candidate[e]) r->contact_state[e].slide = (signed char)onset_direction(m, e);
    return answer;
}

static bool any_spatial(const slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e] && is_spatial(m, e) && m->rigid.contact_state[e].slide) return true;
    return false;
}

// accelerations with friction against the impending slips
static slip_contact_outcome solve_with_resistance(slip_event_driven *m)
{
    return any_spatial(m) ? iterate_impending_friction(m) : solve_again(m, false);
}

static bool slip_starts(const slip_event_driven *m, int e)
{
    const slip_contact_problem *r = &m->rigid;
    if (is_spatial(m, e))
        return friction_insufficient(m, e) && slip_contact_problem_slip_rate(r, e) > least_slip(m, e);
    return r->contact_state[e].slide * r->slip_rate[e] > least_slip(m, e);
}

static slip_contact_outcome decide_gauss(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    slip_contact_outcome answer = find_impending_slip(m);
    if (answer != SLIP_CONTACT_SOLVED) return answer;
    for (int round = 0; round < 2 * m->elements + 2; round++) {
        answer = solve_with_resistance(m);
        bool changed = false;
        for (int e = 0; e < m->elements; e++) {
            if (!m->candidate[e] || r->contact_state[e].slide == 0) continue;
            if (answer == SLIP_CONTACT_SOLVED && slip_starts(m, e)) continue;
            r->contact_state[e].slide = 0;
            changed = true;
        }
        if (!changed) return answer;
    }
    return SLIP_CONTACT_NOT_CONVERGED;
}

static double stick_margin(slip_event_driven *m, int e)
{
    const slip_contact_problem *r = &m->rigid;
    if (!is_spatial(m, e)) return -r->contact_state[e].slide * r->slip_rate[e];
    double W[3],
        along = r->slip_direction[2 * e] * r->slip_rate[e] + r->slip_direction[2 * e + 1] * r->slip_rate_y[e];
    if (friction_insufficient(m, e)) return -along;
    own_response(m, e, W);
    return (r->terms.friction[e] - r->friction[e]) * load_of(m, e) * 0.5 * (W[0] + W[2]);
}

double slip_event_stick_margin(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    double margin = INFINITY;
    bool any = false;
    for (int e = 0; e < m->elements; e++) {
        m->candidate[e] =
            m->system->elements[e].slip_count && r->contact_state[e].closed && r->contact_state[e].slide == 0;
        if (m->candidate[e] && is_spatial(m, e)) r->slip[2 * e] = r->slip[2 * e + 1] = 0.0;
        any = any || m->candidate[e];
    }
    if (!any) return INFINITY;
    memcpy(m->saved_contact_state, r->contact_state, (size_t)m->elements * sizeof *r->contact_state);
    memcpy(m->saved_heading, r->heading, 2 * (size_t)m->elements * sizeof *r->heading);
    if (find_impending_slip(m) == SLIP_CONTACT_SOLVED && solve_with_resistance(m) == SLIP_CONTACT_SOLVED)
        for (int e = 0; e < m->elements; e++)
            if (m->candidate[e] && r->contact_state[e].slide) margin = fmin(margin, stick_margin(m, e));
    memcpy(r->contact_state, m->saved_contact_state, (size_t)m->elements * sizeof *r->contact_state);
    memcpy(r->heading, m->saved_heading, 2 * (size_t)m->elements * sizeof *r->heading);
    solve_again(m, false);
    return margin;
}

// ------------------------------------------------------------------------------------------- all together

static void open_released(slip_event_driven *m)
{
    for (int i = 0; i < m->rigid.normal_count; i++)
        if (m->rigid.rate[i] > slip_contact_problem_zero_tolerance(&m->rigid))
            m->rigid.contact_state[m->rigid.owner[i]].closed = false;
}

// least constraint did not say who sticks
static void warn_fallback(slip_event_driven *m)
{
    m->measures[SLIP_EVENT_FALLBACKS].value += 1.0;
    slip_method_warn(&m->base, SLIP_WARNING_DISAGREEMENT, "",
                     "Gauss' principle leaves open who sticks: the contact LCP decided instead, here and "
                     "wherever else this happens (measures.lcp_fallbacks)");
}

// several candidates that share their friction, see slip_event_uses_gauss
static bool several_in_space(const slip_event_driven *m)
{
    int count = 0;
    for (int e = 0; e < m->elements; e++) count += m->candidate[e] && is_spatial(m, e);
    return count > 1;
}

// Whether something that was decided to stick slips in the solution: frictions were found one beside the other,
// each against the slips that the others left it, and one that sticks may take from another what held it
static bool stuck_slips(const slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e] && m->rigid.contact_state[e].slide == 0 &&
            slip_contact_problem_slip_rate(&m->rigid, e) > slip_contact_problem_zero_tolerance(&m->rigid))
            return true;
    return false;
}

static slip_run_outcome decide_stick_slip(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    for (int round = 0; round < m->elements + 2; round++) {
        slip_contact_outcome answer = SLIP_CONTACT_SOLVED;
        bool rests = find_candidates(m);
        bool gauss =
            m->principle == SLIP_PRINCIPLE_GAUSS && r->normal_count > 0 && !several_in_space(m) && !m->holds;
        if (rests && gauss) answer = decide_gauss(m);
        if (rests && gauss && answer != SLIP_CONTACT_SOLVED) warn_fallback(m);
        if (rests && (!gauss || answer != SLIP_CONTACT_SOLVED)) answer = decide_lcp(m);
        if (answer == SLIP_CONTACT_SOLVED) answer = solve_again(m, false);
        if (rests && gauss && answer == SLIP_CONTACT_SOLVED && stuck_slips(m)) {
            answer = decide_lcp(m);
            if (answer == SLIP_CONTACT_SOLVED) answer = solve_again(m, false);
        }
        if (answer != SLIP_CONTACT_SOLVED) return slip_event_no_solution(m, answer, m->base.t);
        if (!rests || m->principle == SLIP_PRINCIPLE_GAUSS) slip_event_check_verdict(m);
        slip_run_outcome outcome =
            slip_event_check_agreement(m); // a contact that pushes and opens is seen now or never
        if (outcome != SLIP_RUNNING) return outcome;
        int held = r->normal_count;
        open_released(m);
        slip_contact_problem_rebuild(r, false);
        if (r->normal_count == held) return SLIP_RUNNING;
    }
    return slip_event_no_solution(m, SLIP_CONTACT_NOT_CONVERGED, m->base.t);
}

// a branch is held while it slides; what comes to rest is decided anew
slip_run_outcome slip_event_decide_modes(slip_event_driven *m)
{
    bool hold = m->rigid.hold;
    m->rigid.hold = hold && !find_candidates(m);
    slip_run_outcome outcome = decide_stick_slip(m);
    m->rigid.hold = hold;
    return outcome;
}
