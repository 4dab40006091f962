/// integrator/substeps.c: one step of fixed length from outside, as many as the motion needs inside.
///
/// In flight Cash and Karp's pair, in contact esdirk4, both with error control. A step ends where something
/// begins to touch, and the next one is short against the time in which the contact answers. So the
/// stiffness of a contact has nothing to do with the step that is asked for: an impact takes some fifty steps
/// and rest takes one, however stiff the contact is.
#include <math.h>
#include <string.h>

#include "integrator/dirk.h"
#include "integrator/integrator.h"

// A contact that is at rest but for a swing at the rate of its own stiffness holds the steps down. After so
// many a long one is tried: it damps the swing, and the error control refuses it where that matters.
enum { PATIENCE = 50 };
enum { MAX_STEPS = 300000 }; // within one; more is not progress

static const double FIRST = 0.1; // of the time in which a contact answers: the step after it was touched

static void layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    slip_dirk_layout(arena, count, work);
    for (int k = 0; k < 2; k++) work->state[k] = SLIP_TAKE(arena, double, count);
}

// one step from (t, x), of `most` at the most, that goes through nothing
static slip_run_outcome take(const slip_ode_problem *p, slip_step_control *control, bool flies, double t,
                             const double *x, double most, slip_integrator_work *w, double *out,
                             double *taken)
{
    const slip_integrator *inner = flies ? &slip_integrator_cash_karp : &slip_integrator_esdirk4;
    const slip_contact_watch *watch = p->watch;
    double reach = watch ? watch->reach(watch->context, t, x, w->k[0], most) : INFINITY;
    if (isnan(reach)) return SLIP_BLOWN_UP;
    most = fmin(most, reach);
    for (;;) {
        *taken = most;
        slip_run_outcome outcome = inner->step(p, control, t, x, most, w, out, taken);
        if (outcome != SLIP_RUNNING || !watch || !watch->leaps(watch->context, t + *taken, out, *taken))
            return outcome;
        most = 0.5 * *taken;
    }
}

static slip_run_outcome step(const slip_ode_problem *p, slip_step_control *control, double t, const double *x,
                             double h, slip_integrator_work *w, double *out, double *taken)
{
    const slip_contact_watch *watch = p->watch;
    size_t bytes = (size_t)p->count * sizeof *x;
    double *from = w->state[0], *to = w->state[1], at = 0.0;
    bool rests = false;
    memcpy(from, x, bytes);
    for (int count = 1; at < h; count++) {
        if (count > MAX_STEPS) return SLIP_STEP_TOO_SMALL;
        bool flies = watch && watch->flies(watch->context, t + at, from);
        if (!p->rate(p->context, t + at, from, w->k[0])) return SLIP_BLOWN_UP;
        double over = watch ? watch->cross(watch->context, t + at, from, w->k[0]) : 0.0;
        if (over > 0.0) {
            control->next = FIRST * watch->time;
            at = fmin(at + over, h);
            continue;
        }
        if (rests && count % PATIENCE == 0) control->next = h - at;
        double left = h - at, done;
        slip_run_outcome outcome = take(p, control, flies, t + at, from, left, w, to, &done);
        if (outcome != SLIP_RUNNING) return outcome;
        at = done == left ? h : at + done;
        rests = watch && watch->lands(watch->context, t + at, to) && !flies;
        double *other = from;
        from = to;
        to = other;
    }
    memcpy(out, from, bytes);
    *taken = h;
    return SLIP_RUNNING;
}

const slip_integrator slip_integrator_substeps = {
    .info = { "substeps",
              "fixed step; within it cash-karp in flight and esdirk4 in contact, touch-down located: any "
              "stiffness",
              "", "" },
    .implicit = true,
    .any_stiffness = true,
    .finer = true,
    .layout = layout,
    .step = step,
};
