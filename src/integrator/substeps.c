/// integrator/substeps.c: a step of fixed length made of as many substeps as the motion needs.
///
/// While no stiff part of f is engaged it uses Cash and Karp's pair, else esdirk4, both with error control. A
/// substep ends where a stiff part engages, and the next one is short against its response time. Stiffness is
/// therefore independent of the step that is asked for. With contacts, an impact takes some fifty substeps and
/// rest takes one, however stiff the contact is.
#include <math.h>
#include <string.h>

#include "integrator/dirk.h"
#include "integrator/integrator.h"
#include "integrator/integrator_tolerances.h"

// A stiff part at rest that still oscillates at its eigenfrequency keeps the substeps short.
// After so many of them a long one is tried: it damps the oscillation, and the error control refuses it where
// the oscillation matters.
enum { SHORT_STEPS_BEFORE_LONG_TRIAL = 50 };
// Most substeps of one step that are short against the response time of a stiff part, in all and each time that
// one engages. More of them are no progress.
enum { MAX_SHORT_SUBSTEPS = 1000, SHORT_SUBSTEPS_PER_ENGAGEMENT = 200, MAX_SUBSTEPS = 300000 };
// Most discontinuities of f, jumps or kinks, that are located within a step.
enum { MAX_DISCONTINUITIES = 100 };

static void substeps_layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    slip_dirk_layout(arena, count, work);
    for (int k = 0; k < 2; k++) work->state[k] = SLIP_TAKE(arena, double, count);
}

/// A step in progress: the state at t + at, and how it moves there.
typedef struct march {
    const slip_ode_problem *p;
    slip_step_control *control;
    slip_integrator_work *w;
    double t, h, at;
    double *from, *to;
    bool free, rests;    // no stiff part is engaged; all that are engaged are at rest
    bool smooth;         // k[LAST_STAGE] is the rate at `from`
    bool chained;        // k[0] was taken from there
    bool bent;           // the present substep ends at a discontinuity of f
    int count, shorts;   // substeps; short ones that count against MAX_SHORT_SUBSTEPS
    int discontinuities; // number of them so far
} march;

enum { LAST_STAGE = SLIP_DIRK_STAGES - 1 };

// The time within the substep to `to` after which f has a jump or a kink; the whole substep if there is none,
// or if there were too many already.
static double time_to_discontinuity(const march *m, double t, double taken)
{
    if (!m->p->border || m->discontinuities >= MAX_DISCONTINUITIES || m->bent) return taken;
    double after = taken * m->p->border(m->p->context, t, m->from, m->w->k[0], taken, m->to);
    return after > DISCONTINUITY_AT_HAND * m->h ? after : taken;
}

static const slip_integrator *inner_of(const march *m)
{
    return m->free ? &slip_integrator_cash_karp : &slip_integrator_esdirk4;
}

// Takes one substep of at most `most` that passes through no stiff phase.
static slip_run_outcome take_substep(march *m, double most, double *taken)
{
    const slip_integrator *inner = inner_of(m);
    const slip_stiff_phases *stiff = m->p->stiff;
    double t = m->t + m->at;
    double reach = stiff ? stiff->time_to_engage(stiff->context, t, m->from, m->w->k[0], most) : INFINITY;
    if (isnan(reach)) return SLIP_BLOWN_UP;
    most = fmin(most, reach);
    for (;;) {
        *taken = most;
        slip_run_outcome outcome = inner->step(m->p, m->control, t, m->from, most, m->w, m->to, taken);
        if (outcome != SLIP_RUNNING || (stiff && stiff->passed(stiff->context, t + *taken, m->to, *taken))) {
            if (outcome != SLIP_RUNNING) return outcome;
            most = 0.5 * *taken;
            continue;
        }
        double border = time_to_discontinuity(m, t, *taken);
        if (border >= *taken) return outcome;
        most = border;
        m->discontinuities++;
        m->bent = true;
    }
}

// Sets k[0] at `from`. After a substep of esdirk4 it is the rate of the last stage: f itself would turn the
// rounding of positions into forces.
static bool begin_substep(march *m)
{
    const slip_stiff_phases *stiff = m->p->stiff;
    m->free = stiff && stiff->is_free(stiff->context, m->t + m->at, m->from);
    if (m->free && m->p->observer)
        m->p->observer->changed(m->p->observer->context, m->t + m->at, m->from, true);
    m->chained = m->smooth && !m->free;
    if (!m->chained) return m->p->rate(m->p->context, m->t + m->at, m->from, m->w->k[0]);
    memcpy(m->w->k[0], m->w->k[LAST_STAGE], (size_t)m->p->count * sizeof *m->from);
    return true;
}

static bool cross_into_stiff_phase(march *m)
{
    const slip_stiff_phases *stiff = m->p->stiff;
    const slip_step_observer *observer = m->p->observer;
    if (observer) memcpy(m->to, m->from, (size_t)m->p->count * sizeof *m->to);
    double over = stiff ? stiff->engage(stiff->context, m->t + m->at, m->from, m->w->k[0]) : 0.0;
    if (!(over > 0.0)) return false;
    if (observer)
        observer->stepped(observer->context, NULL, m->t + m->at, m->to, over, m->w, m->from, m->chained);
    m->control->next = FIRST_SUBSTEP_RATIO * stiff->time;
    m->at = fmin(m->at + over, m->h);
    m->smooth = m->rests = false;
    m->shorts -= SHORT_SUBSTEPS_PER_ENGAGEMENT;
    return true;
}

static slip_run_outcome march_on(march *m)
{
    const slip_stiff_phases *stiff = m->p->stiff;
    if (m->rests && m->count % SHORT_STEPS_BEFORE_LONG_TRIAL == 0) m->control->next = m->h - m->at;
    double left = m->h - m->at, most = left, done;
    if (m->p->end) most = fmin(left, m->p->end(m->p->context, m->t + m->at) - (m->t + m->at));
    m->bent = false;
    slip_run_outcome outcome = take_substep(m, most, &done);
    if (outcome != SLIP_RUNNING) return outcome;
    const slip_step_observer *observer = m->p->observer;
    if (observer)
        observer->stepped(observer->context, inner_of(m), m->t + m->at, m->from, done, m->w, m->to,
                          m->chained);
    m->at = done == left ? m->h : m->at + done;
    m->shorts += stiff && done < SHORT_SUBSTEP_RATIO * stiff->time;
    m->rests = stiff && stiff->settled(stiff->context, m->t + m->at, m->to) && !m->free;
    if (stiff && observer) observer->changed(observer->context, m->t + m->at, m->to, false);
    // f may jump where a substep had to end
    m->smooth = !m->free && !m->bent && !(done == most && most < left);
    double *other = m->from;
    m->from = m->to;
    m->to = other;
    return SLIP_RUNNING;
}

static void keep_end(march *m)
{
    size_t bytes = (size_t)m->p->count * sizeof *m->from;
    m->control->ended_at = m->smooth ? m->t + m->h : NAN;
    if (!m->control->ended) return;
    memcpy(m->control->ended, m->from, bytes);
    memcpy(m->control->ended + m->p->count, m->w->k[LAST_STAGE], bytes);
}

static slip_run_outcome substeps_step(const slip_ode_problem *p, slip_step_control *control, double t,
                                      const double *x, double h, slip_integrator_work *w, double *out,
                                      double *taken)
{
    size_t bytes = (size_t)p->count * sizeof *x;
    march m = { .p = p, .control = control, .w = w, .t = t, .h = h, .from = w->state[0], .to = w->state[1] };
    m.smooth = control->ended && fabs(t - control->ended_at) <= STEP_CONTINUES_RELATIVE * h &&
               memcmp(x, control->ended, bytes) == 0;
    if (m.smooth) memcpy(w->k[LAST_STAGE], control->ended + p->count, bytes);
    memcpy(m.from, x, bytes);
    for (m.count = 1; m.at < h; m.count++) {
        if (m.shorts > MAX_SHORT_SUBSTEPS || m.count > MAX_SUBSTEPS) return SLIP_STEP_TOO_SMALL;
        if (m.count > 1 && slip_stop_is_due(p->stop)) return SLIP_STOPPED;
        if (!begin_substep(&m)) return SLIP_BLOWN_UP;
        if (cross_into_stiff_phase(&m)) continue;
        slip_run_outcome outcome = march_on(&m);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    memcpy(out, m.from, bytes);
    keep_end(&m);
    *taken = h;
    return SLIP_RUNNING;
}

const slip_integrator slip_integrator_substeps = {
    .info = { "substeps",
              "fixed step; within it cash-karp in flight and esdirk4 in contact, touchdown located: any "
              "stiffness",
              "", "" },
    .implicit = true,
    .any_stiffness = true,
    .finer = true,
    .layout = substeps_layout,
    .step = substeps_step,
};
