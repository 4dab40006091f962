/// ode/touch.c: what touches, and when. See touch.h.
#include "ode/touch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/together.h"

// of the time in which a contact answers: about to touch; a step that needs no such care; at rest when slower
// than a load makes it in such a time
static const double NEAR = 1e-3, SHORT = 0.3, REST = 10.0;

// An opening is one when it is wider than some hundred times what the load presses in, or than this share of
// the motion: narrower ones are the errors that the tolerance leaves
static const double HELD_LOAD = 1000.0, HELD_SIZE = 1e-7;

struct slip_touch {
    slip_ode *ode;
    slip_contact_watch watch;
    slip_together *together;
    int count;    // contacts
    int *element; // of each
    bool always;  // frictions without a gap: they never fly
    slip_tape *tape;
    double *reg;
    double *gap[2], *rate[2], *pull; // before and after a step; pull: second derivative before
    double *moved;
    void *memory;
};

static void look(slip_touch *s, double t, const double *x, double *gap, double *rate)
{
    slip_ode_load_state(s->ode, s->reg, t, x);
    slip_tape_run(s->tape, s->reg);
    for (int k = 0; k < s->count; k++) {
        gap[k] = s->reg[slip_tape_result(s->tape, k)];
        rate[k] = s->reg[slip_tape_result(s->tape, s->count + k)];
    }
}

static bool flies(void *context, double t, double *x)
{
    slip_touch *s = context;
    if (s->always) return false;
    look(s, t, x, s->gap[0], s->rate[0]);
    for (int k = 0; k < s->count; k++)
        if (!(s->gap[0][k] > 0.0)) return false;
    for (int k = 2 * s->ode->n; k < s->ode->state_count; k++) x[k] = 0.0;
    return true;
}

// a contact that has to know the speed of its impact
static void begin(const slip_touch *s, int k, double t, double rate, const double *gap, double *x)
{
    slip_together_begin(s->together, k, t, x, -rate, gap);
    int state = s->ode->elements[s->element[k]].speed;
    if (state >= 0) x[state] = fmax(0.0, -rate);
}

// A gap that closes no faster than a load closes it anyway: no impact, and nothing to look for
static bool is_slow(const slip_touch *s, double speed)
{
    return speed <= REST * s->ode->creep;
}

// A law may jump where its gap closes. A step that begins just behind the jump need not find it.
static double cross(void *context, double t, double *x, const double *xdot)
{
    slip_touch *s = context;
    double over = 0.0, near = NEAR * s->watch.time;
    look(s, t, x, s->gap[0], s->rate[0]);
    for (int k = 0; k < s->count; k++) {
        double gap = s->gap[0][k], rate = s->rate[0][k];
        if (!(gap > 0.0 && gap <= -near * rate) || is_slow(s, -rate)) continue;
        over = fmax(over, -1.01 * gap / rate);
        begin(s, k, t, rate, s->gap[0], x);
    }
    for (int i = 0; i < s->ode->state_count + s->ode->ledger_count && over > 0.0; i++) x[i] += over * xdot[i];
    return over;
}

// the first root of gap + rate s + pull s^2/2, where the gap closes at sqrt(rate^2 - 2 pull gap)
static double time_to_close(const slip_touch *s, double gap, double rate, double pull)
{
    double d = rate * rate - 2.0 * pull * gap;
    if (!(d >= 0.0) || is_slow(s, sqrt(d))) return INFINITY;
    double b = sqrt(d) - rate;
    return b > 0.0 ? 2.0 * gap / b : INFINITY;
}

static double reach(void *context, double t, const double *x, const double *xdot, double step)
{
    slip_touch *s = context;
    double most = INFINITY, small = 1e-4 * step, near = NEAR * s->watch.time;
    look(s, t, x, s->gap[0], s->rate[0]);
    for (int i = 0; i < s->ode->state_count; i++) s->moved[i] = x[i] + small * xdot[i];
    look(s, t + small, s->moved, s->gap[1], s->pull);
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

static bool leaps(void *context, double t, const double *x, double step)
{
    slip_touch *s = context;
    if (step <= SHORT * s->watch.time) return false;
    look(s, t, x, s->gap[1], s->rate[1]);
    for (int k = 0; k < s->count; k++) {
        double g0 = s->gap[0][k], r0 = s->rate[0][k], g1 = s->gap[1][k], r1 = s->rate[1][k];
        double speed = sqrt(fmax(0.0, r0 * r0 - 2.0 * s->pull[k] * g0));
        if (!(g0 > 0.0) || is_slow(s, fmax(speed, -r0))) continue;
        if (g1 <= 0.0 || least_between(g0, r0, g1, r1, step) < 0.0) return true;
    }
    return false;
}

static bool lands(void *context, double t, double *x)
{
    slip_touch *s = context;
    bool rests = true;
    look(s, t, x, s->gap[1], s->rate[1]);
    for (int k = 0; k < s->count; k++) {
        if (s->gap[1][k] > 0.0) {
            if (!(s->gap[0][k] > 0.0)) slip_together_end(s->together, k, t, x, s->rate[1][k]);
            continue;
        }
        if (s->gap[0][k] > 0.0) begin(s, k, t, s->rate[1][k], s->gap[1], x);
        rests = rests && is_slow(s, fabs(s->rate[1][k]));
    }
    return rests;
}

void slip_touch_start(slip_touch *s, double *x)
{
    look(s, 0.0, x, s->gap[0], s->rate[0]);
    for (int k = 0; k < s->count; k++)
        if (!(s->gap[0][k] > 0.0)) begin(s, k, 0.0, s->rate[0][k], s->gap[0], x);
}

bool slip_touch_hold(slip_touch *s, double t, const double *x, const unsigned char *before,
                     unsigned char *mode)
{
    const slip_ode *ode = s->ode;
    double near = fmax(HELD_LOAD * ode->creep * ode->tau, HELD_SIZE * ode->size);
    look(s, t, x, s->gap[1], s->rate[1]);
    for (int k = 0; k < s->count; k++) {
        int e = s->element[k];
        if ((before[e] & ~mode[e] & SLIP_MODE_CLOSED) && s->gap[1][k] <= near) mode[e] = before[e];
    }
    return memcmp(before, mode, (size_t)ode->element_count) != 0;
}

static bool fill(slip_touch *s)
{
    slip_ode *ode = s->ode;
    size_t n = (size_t)ode->element_count + 1, size = (size_t)(ode->state_count + ode->ledger_count);
    slip_ref *roots = malloc(2 * n * sizeof *roots);
    double *at = s->memory = calloc(5 * n + size, sizeof *at);
    s->element = malloc(n * sizeof *s->element);
    if (roots && at && s->element) {
        for (int k = 0; k < ode->element_count; k++)
            if (ode->elements[k].gap >= 0)
                s->element[s->count++] = k;
            else
                s->always = true;
        for (int k = 0; k < s->count; k++) {
            roots[k] = ode->elements[s->element[k]].gap;
            roots[s->count + k] = ode->equations->elements[s->element[k]].normal.rate;
        }
        double **part[5] = { &s->gap[0], &s->gap[1], &s->rate[0], &s->rate[1], &s->pull };
        for (int k = 0; k < 5; k++, at += n) *part[k] = at;
        s->moved = at;
        s->tape = slip_tape_create(ode->graph, roots, 2 * s->count);
        s->reg = s->tape ? calloc((size_t)slip_tape_registers(s->tape) + 1, sizeof *s->reg) : NULL;
    }
    free(roots);
    s->together = s->reg ? slip_together_create(ode, s->count, s->element) : NULL;
    if (!s->together) return false;
    slip_tape_start(s->tape, s->reg);
    return true;
}

void slip_touch_destroy(slip_touch *s)
{
    if (!s) return;
    slip_tape_destroy(s->tape);
    slip_together_destroy(s->together);
    free(s->reg);
    free(s->element);
    free(s->memory);
    free(s);
}

slip_status slip_touch_create(slip_ode *ode, slip_error *error, slip_touch **out)
{
    *out = NULL;
    slip_touch *s = calloc(1, sizeof *s);
    if (s) s->ode = ode;
    if (!s || !fill(s)) {
        slip_touch_destroy(s);
        return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    s->watch = (slip_contact_watch){ s, ode->tau, flies, cross, reach, leaps, lands };
    *out = s;
    return SLIP_OK;
}

const slip_contact_watch *slip_touch_watch(slip_touch *touch)
{
    return &touch->watch;
}

slip_together *slip_touch_together(slip_touch *touch)
{
    return touch->together;
}
