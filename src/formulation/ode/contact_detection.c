/// formulation/ode/contact_detection.c: times of contact. See contact_detection.h.
#include "formulation/ode/contact_detection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/ode/impact_check_simultaneous.h"
#include "formulation/ode/impact_masses.h"
#include "formulation/ode/ode_tolerances.h"

struct slip_contact_detector {
    slip_ode *ode;
    slip_stiff_phases phases;
    slip_contact_response *response; // NULL where the model is too large
    slip_impact_masses *masses;      // NULL where no contact asks for them
    slip_simultaneous_check *together;
    unsigned char *touched; // those that strike at this instant
    bool *timed;            // those whose surface moves with time
    int count;              // contacts
    int *element;           // of each
    bool always;            // frictions without a gap: they never fly
    slip_tape *tape;
    double *reg;
    double *gap[2], *rate[2], *pull; // before and after a step; pull: second derivative before
    double *moved;
    void *memory;
};

static void evaluate_gaps(slip_contact_detector *s, double t, const double *x, double *gap, double *rate)
{
    slip_ode_load_state(s->ode, s->reg, t, x);
    slip_tape_run(s->tape, s->reg);
    for (int k = 0; k < s->count; k++) {
        gap[k] = s->reg[slip_tape_result(s->tape, k)];
        rate[k] = s->reg[slip_tape_result(s->tape, s->count + k)];
    }
}

static bool no_contact_closed(void *context, double t, double *x)
{
    slip_contact_detector *s = context;
    if (s->always) return false;
    evaluate_gaps(s, t, x, s->gap[0], s->rate[0]);
    for (int k = 0; k < s->count; k++)
        if (!(s->gap[0][k] > 0.0)) return false;
    for (int k = 2 * s->ode->n; k < s->ode->state_count; k++) x[k] = 0.0;
    return true;
}

// m/s, what the acceleration of a gap adds to its rate while an impact that begins here lasts
static double load_of_impact(const slip_contact_detector *s, int k, double t, const double *x)
{
    const int until = s->ode->elements[s->element[k]].impact.until;
    const double stretched = until >= 0 ? (x[until] - t) / TOGETHER_WITHIN_TAU : 0.0;
    return fabs(s->pull[k]) * fmax(s->ode->tau, stretched);
}

// contacts that have to know the speed of their impact, or what strikes with them
static void begin_impacts(slip_contact_detector *s, double t, const double *gap, const double *rate,
                          double *x)
{
    bool any = false;
    for (int k = 0; k < s->count; k++) any = any || s->touched[k];
    if (!any) return;
    slip_impact_masses_update(s->masses, t, x, s->touched, gap, rate);
    for (int k = 0; k < s->count; k++) {
        if (!s->touched[k]) continue;
        slip_simultaneous_check_begin(s->together, k, t, x, -rate[k], load_of_impact(s, k, t, x), gap);
        int state = s->ode->elements[s->element[k]].speed;
        if (state >= 0) x[state] = fmax(0.0, -rate[k]);
    }
}

// A gap that closes no faster than a load closes it anyway: no impact, and nothing to look for
static bool is_slow(const slip_contact_detector *s, double speed)
{
    return speed <= REST_SPEED_OVER_CREEP * s->ode->creep;
}

enum { STRUCK_AGAIN = 2 }; // of slip_contact_detector.touched

// A closed contact that is pressed in faster than it was touched, by a surface that moves with time, has been struck:
// the surface has jerked. Its law goes by the speed of the impact, and would take it for one at the speed of the
// touch-down.
static bool is_struck_again(const slip_contact_detector *s, int k, double gap, double rate, const double *x)
{
    const int state = s->ode->elements[s->element[k]].speed;
    return state >= 0 && s->timed[k] && gap <= 0.0 && !is_slow(s, -rate) &&
           -rate > STRUCK_AGAIN_RATIO * x[state];
}

// A law may jump where its gap closes. A step that begins just behind the jump need not find it.
static double cross_touchdown(void *context, double t, double *x, const double *xdot)
{
    slip_contact_detector *s = context;
    double over = 0.0, near = NEAR_CONTACT_OF_TAU * s->phases.time;
    evaluate_gaps(s, t, x, s->gap[0], s->rate[0]);
    for (int k = 0; k < s->count; k++) {
        double gap = s->gap[0][k], rate = s->rate[0][k];
        s->touched[k] = gap > 0.0 && gap <= -near * rate && !is_slow(s, -rate);
        if (s->touched[k]) over = fmax(over, -1.01 * gap / rate);
        if (is_struck_again(s, k, gap, rate, x)) s->touched[k] = STRUCK_AGAIN;
    }
    begin_impacts(s, t, s->gap[0], s->rate[0], x);
    // those of them whose impact has begun here go on with another law
    for (int k = 0; k < s->count; k++)
        if (s->touched[k] & STRUCK_AGAIN) over = fmax(over, STRUCK_AGAIN_OVER_TAU * s->phases.time);
    for (int i = 0; i < s->ode->state_count + s->ode->ledger_count && over > 0.0; i++) x[i] += over * xdot[i];
    return over;
}

// the first root of gap + rate s + pull s^2/2, where the gap closes at sqrt(rate^2 - 2 pull gap)
static double time_to_close(const slip_contact_detector *s, double gap, double rate, double pull)
{
    double d = rate * rate - 2.0 * pull * gap;
    if (!(d >= 0.0) || is_slow(s, sqrt(d))) return INFINITY;
    double b = sqrt(d) - rate;
    return b > 0.0 ? 2.0 * gap / b : INFINITY;
}

static double step_to_contact(void *context, double t, const double *x, const double *xdot, double step)
{
    slip_contact_detector *s = context;
    double most = INFINITY, small = GAP_DIFFERENCE_OF_STEP * step,
           near = NEAR_CONTACT_OF_TAU * s->phases.time;
    evaluate_gaps(s, t, x, s->gap[0], s->rate[0]);
    for (int i = 0; i < s->ode->state_count; i++) s->moved[i] = x[i] + small * xdot[i];
    evaluate_gaps(s, t + small, s->moved, s->gap[1], s->pull);
    for (int k = 0; k < s->count; k++) {
        double gap = s->gap[0][k], rate = s->rate[0][k];
        if (isnan(gap)) return NAN;
        s->pull[k] = (s->pull[k] - rate) / small;
        if (!(gap > 0.0)) continue;
        double closes = time_to_close(s, gap, rate, s->pull[k]);
        most = fmin(most, fmax(closes - 0.5 * near, 0.25 * closes));
    }
    return most;
}

// least value of the cubic through gaps and rates at both ends
static double least_between(double g0, double r0, double g1, double r1, double h)
{
    double least = fmin(g0, g1), c = 3.0 * (g1 - g0) - h * (2.0 * r0 + r1),
           d = 2.0 * (g0 - g1) + h * (r0 + r1);
    for (int k = 1; k < 8; k++) {
        double z = k / 8.0;
        least = fmin(least, g0 + z * (h * r0 + z * (c + z * d)));
    }
    return least;
}

static bool skips_contact(void *context, double t, const double *x, double step)
{
    slip_contact_detector *s = context;
    if (step <= SAFE_STEP_OF_TAU * s->phases.time) return false;
    evaluate_gaps(s, t, x, s->gap[1], s->rate[1]);
    for (int k = 0; k < s->count; k++) {
        double g0 = s->gap[0][k], r0 = s->rate[0][k], g1 = s->gap[1][k], r1 = s->rate[1][k];
        // a surface that moves with time may be still at first and rise on the way: what the gap has lost tells
        double speed = sqrt(fmax(0.0, r0 * r0 - 2.0 * s->pull[k] * g0));
        double lost = s->timed[k] ? (g0 - g1) / step : 0.0;
        if (!(g0 > 0.0) || is_slow(s, fmax(fmax(speed, -r0), lost))) continue;
        if (g1 <= 0.0 || least_between(g0, r0, g1, r1, step) < 0.0) return true;
    }
    return false;
}

static bool detect_touchdowns(void *context, double t, double *x)
{
    slip_contact_detector *s = context;
    bool rests = true;
    evaluate_gaps(s, t, x, s->gap[1], s->rate[1]);
    for (int k = 0; k < s->count; k++) {
        const bool was_open = s->gap[0][k] > 0.0;
        s->touched[k] = was_open && !(s->gap[1][k] > 0.0);
        if (s->gap[1][k] > 0.0 && !was_open)
            slip_simultaneous_check_end(s->together, k, t, x, s->gap[1], s->rate[1]);
        if (!(s->gap[1][k] > 0.0)) rests = rests && is_slow(s, fabs(s->rate[1][k]));
    }
    begin_impacts(s, t, s->gap[1], s->rate[1], x);
    return rests;
}

void slip_contact_detector_init(slip_contact_detector *s, double *x)
{
    evaluate_gaps(s, 0.0, x, s->gap[0], s->rate[0]);
    for (int k = 0; k < s->count; k++) s->touched[k] = !(s->gap[0][k] > 0.0);
    begin_impacts(s, 0.0, s->gap[0], s->rate[0], x);
}

bool slip_contact_detector_update_modes(slip_contact_detector *s, double t, const double *x,
                                        const unsigned char *before, unsigned char *mode)
{
    const slip_ode *ode = s->ode;
    double near =
        fmax(MIN_OPENING_OVER_STATIC_DEPTH * ode->creep * ode->tau, MIN_OPENING_OF_SIZE * ode->size);
    evaluate_gaps(s, t, x, s->gap[1], s->rate[1]);
    for (int k = 0; k < s->count; k++) {
        int e = s->element[k];
        if ((before[e] & ~mode[e] & SLIP_MODE_CLOSED) && s->gap[1][k] <= near) mode[e] = before[e];
    }
    return memcmp(before, mode, (size_t)ode->element_count) != 0;
}

static bool init_detector(slip_contact_detector *s)
{
    slip_ode *ode = s->ode;
    size_t n = (size_t)ode->element_count + 1, size = (size_t)(ode->state_count + ode->ledger_count);
    slip_ref *roots = malloc(2 * n * sizeof *roots);
    double *at = s->memory = calloc(5 * n + size, sizeof *at);
    s->element = malloc(n * sizeof *s->element);
    s->touched = calloc(n, 1);
    s->timed = calloc(n, sizeof *s->timed);
    if (roots && at && s->element && s->touched && s->timed) {
        for (int k = 0; k < ode->element_count; k++)
            if (ode->elements[k].gap >= 0)
                s->element[s->count++] = k;
            else
                s->always = true;
        for (int k = 0; k < s->count; k++) {
            roots[k] = ode->elements[s->element[k]].gap;
            s->timed[k] = slip_graph_depends(ode->graph, roots[k], slip_graph_input_ref(ode->graph, 0));
            roots[s->count + k] = ode->equations->elements[s->element[k]].normal.rate;
        }
        double **part[5] = { &s->gap[0], &s->gap[1], &s->rate[0], &s->rate[1], &s->pull };
        for (int k = 0; k < 5; k++, at += n) *part[k] = at;
        s->moved = at;
        s->tape = slip_tape_create(ode->graph, roots, 2 * s->count);
        s->reg = s->tape ? calloc((size_t)slip_tape_registers(s->tape) + 1, sizeof *s->reg) : NULL;
    }
    free(roots);
    if (!s->reg || slip_contact_response_create(ode, s->count, s->element, &s->response) != SLIP_OK ||
        slip_impact_masses_create(ode, s->count, s->element, s->response, &s->masses) != SLIP_OK)
        return false;
    s->together = slip_simultaneous_check_create(ode, s->count, s->element, s->response);
    if (!s->together) return false;
    slip_tape_start(s->tape, s->reg);
    return true;
}

void slip_contact_detector_destroy(slip_contact_detector *s)
{
    if (!s) return;
    slip_tape_destroy(s->tape);
    slip_simultaneous_check_destroy(s->together);
    slip_impact_masses_destroy(s->masses);
    slip_contact_response_destroy(s->response);
    free(s->touched);
    free(s->timed);
    free(s->reg);
    free(s->element);
    free(s->memory);
    free(s);
}

slip_status slip_contact_detector_create(slip_ode *ode, slip_error *error, slip_contact_detector **out)
{
    *out = NULL;
    slip_contact_detector *s = calloc(1, sizeof *s);
    if (s) s->ode = ode;
    if (!s || !init_detector(s)) {
        slip_contact_detector_destroy(s);
        return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    s->phases = (slip_stiff_phases){
        .context = s,
        .time = ode->tau,
        .is_free = no_contact_closed,
        .engage = cross_touchdown,
        .time_to_engage = step_to_contact,
        .passed = skips_contact,
        .settled = detect_touchdowns,
    };
    *out = s;
    return SLIP_OK;
}

const slip_stiff_phases *slip_contact_detector_phases(slip_contact_detector *touch)
{
    return &touch->phases;
}

slip_simultaneous_check *slip_contact_detector_impacts(slip_contact_detector *touch)
{
    return touch->together;
}
