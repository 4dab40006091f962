/// integrator/integrator.h: how an ODE is advanced.
#ifndef SLIP_INTEGRATOR_H
#define SLIP_INTEGRATOR_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/stop.h"
#include "slipstick/parts.h"
#include "slipstick/sim.h"

/// What touches along the motion of an ODE, for an integrator that takes finer steps there. It is asked in
/// this order, step by step: flies, cross, reach, leaps (until it is false), lands.
typedef struct slip_contact_monitor {
    void *context;
    double time; ///< s, in which a contact answers when it is touched

    /// Whether nothing touches at (t, x). What still swings there, and pushes nothing, is put to rest in x.
    bool (*flies)(void *context, double t, double *x);

    /// Where something is about to touch: moves x there, with f(t, x) = xdot, and gives the time this takes;
    /// 0 where nothing is.
    double (*cross)(void *context, double t, double *x, const double *xdot);

    /// s, until something is about to touch that is not at (t, x), where f(t, x) = xdot; infinite when
    /// nothing comes near, not a number when a gap is none. `step` is as far as the answer matters.
    double (*reach)(void *context, double t, const double *x, const double *xdot, double step);

    /// Whether the step of this length to (t, x), from where reach was asked, went through something.
    bool (*leaps)(void *context, double t, const double *x, double step);

    /// The step to (t, x) stands. True when everything that touches there is at rest.
    bool (*lands)(void *context, double t, double *x);
} slip_contact_monitor;

/// The coefficients of a one-step method: stage s is at x + h sum_j a[s][j] k_j, where k_s = f there, and the
/// step ends at x + h sum_j weight[j] k_j.
enum { SLIP_TABLEAU_STAGES = 6 };
typedef struct slip_tableau {
    int stages;
    double gamma; ///< a[s][s] of every stage but the first; 0: an explicit method
    double node[SLIP_TABLEAU_STAGES], weight[SLIP_TABLEAU_STAGES];
    double embedded[SLIP_TABLEAU_STAGES]; ///< weights of the solution that errors are measured by
    double a[SLIP_TABLEAU_STAGES][SLIP_TABLEAU_STAGES];
    double told[SLIP_TABLEAU_STAGES]; ///< stage step that f is told, of the step; 0 by those that tell none
} slip_tableau;

struct slip_integrator;
struct slip_integrator_work;

/// Someone who looks at every step that stands, for derivatives of it.
typedef struct slip_step_observer {
    void *context;

    /// `inner` has taken a step from (t, x) to (t + h, end); the rates of its stages are in work->k. With
    /// `chained` k[0] is that of the last stage of the step before. Without `inner` x was moved at the rate
    /// k[0] over the place where something touches.
    void (*stepped)(void *context, const struct slip_integrator *inner, double t, const double *x, double h,
                    const struct slip_integrator_work *work, const double *end, bool chained);

    /// The state that the last step led to, or that a march begins at, may have been changed by the contact
    /// watch; with `flies` what still swung was put to rest.
    void (*changed)(void *context, double t, const double *x, bool flies);
} slip_step_observer;

/// x' = f(t, x) with `count` components, the last `quadratures` of which feed nothing back and take
/// no part in error control.
typedef struct slip_ode_problem {
    int count, quadratures;
    void *context;
    /// False when f cannot be evaluated there.
    bool (*rate)(void *context, double t, const double *x, double *xdot);

    /// All stages of a step of Cash and Karp's pair over h at once, from the present state of whoever gives
    /// it: the state at its end, and that of the embedded rule. NULL: stage by stage.
    void (*pair)(void *context, double h, double *high, double *low);

    /// For implicit integrators, over the first count - quadratures components; NULL otherwise.
    /// linearise: takes df/dx at (t, x), with `xdot` = f(t, x); then factors I - scale df/dx. False when
    /// that is singular. solve: b := (I - scale df/dx)^-1 b.
    bool (*linearise)(void *context, double t, const double *x, const double *xdot, double scale);
    void (*solve)(void *context, double *b);

    /// For implicit integrators that factor by themselves: df/dx at (t, x), with `xdot` = f(t, x), entry (i,
    /// j) at J[j * stride + i]; entries that are always 0 may be left as they are. False when it cannot be
    /// had.
    bool (*derivative)(void *context, double t, const double *x, const double *xdot, double *J, int stride);

    /// For integrators that tell f which step a stage stands for: f(t, x; tau) until the next call. NULL
    /// when f does not ask. Where no integrator tells it, tau is 0.
    void (*stage)(void *context, double tau);

    /// The part of a step from (t, x), where it has the rate xdot, to (t + step, end) after which f jumps or
    /// bends; 1 when it does not. NULL: f never does
    double (*border)(void *context, double t, const double *x, const double *xdot, double step,
                     const double *end);
    const slip_contact_monitor *watch; ///< NULL when nothing touches, or nobody looks

    /// The latest time at which a step from t may end, because f may change there by the time alone; NULL
    /// when it does not.
    double (*end)(void *context, double t);

    slip_stop *stop;                    ///< when it is due, a long step ends with SLIP_STOPPED; may be NULL
    const slip_step_observer *observer; ///< told of steps within a step; may be NULL
} slip_ode_problem;

typedef struct slip_step_control {
    double relative, absolute; ///< tolerances of adaptive integrators
    double next;               ///< adaptive: step to try, updated by each call
    double max;                ///< adaptive: longest step, s; for those that take a step ahead of the call
    double *ended; ///< state and rate where the last step ended, 2 * count, for those that go on from there;
                   ///< NULL: nobody does
    double ended_at; ///< s
} slip_step_control;

/// Whether the error control has failed, because it asks for a step of a few roundings of the time, which does
/// not advance it in a useful way. A sliver that the end of the run has left over is no failure.
static inline bool slip_step_vanishes(double h, double most, double t)
{
    enum { VANISHES_ROUNDINGS = 16 };
    return !(h >= most || h > VANISHES_ROUNDINGS * DBL_EPSILON * fabs(t) + DBL_MIN);
}

/// Workspace of an integrator: carved once by its layout().
typedef struct slip_integrator_work {
    double *k[7];     ///< stage derivatives; k[0] = f(t, x) is given by the caller
    double *stage;    ///< stage state
    double *low;      ///< embedded solution
    double *state[2]; ///< of an integrator that makes one step of several
    void *history;    ///< of an integrator that keeps one, see slip_integrator.start
} slip_integrator_work;

typedef struct slip_integrator {
    slip_part_info info;
    bool adaptive;
    bool implicit;       ///< needs linearise and solve, or derivative
    bool any_stiffness;  ///< takes contacts as stiff as can be: its steps follow the motion, not the contacts
    bool finer;          ///< takes steps within a step: asks problem.watch
    bool classical;      ///< takes the steps of formulation/ode/fused_rk4.h
    const char *missing; ///< what this build lacks for it to run; NULL when it runs
    double first_stage;  ///< tells f its stage steps; k[0] is f(t, x; first_stage * step). 0: tells none

    /// |R(re + i im)|: what one step makes of a mode, for z = step * eigenvalue. NULL when the integrator
    /// has no limit of stability or keeps within it by itself.
    double (*growth)(double re, double im);
    double radius; ///< of `growth`: no mode that decays is made to grow within |z| <= radius

    void (*layout)(slip_arena *arena, int count, slip_integrator_work *work);

    /// Its coefficients; NULL of one that is more than its stages.
    void (*tableau)(slip_tableau *tableau);

    /// One step of at most `step` from (t, x), with k[0] = f(t, x) already in work; writes the new
    /// state to `out` (not x) and the length taken to *taken (equal to step when not adaptive).
    slip_run_outcome (*step)(const slip_ode_problem *problem, slip_step_control *control, double t,
                             const double *x, double step, slip_integrator_work *work, double *out,
                             double *taken);

    /// Multistep methods keep a history, as long as each call goes on from the state that the last one left,
    /// and take the step ahead: all four functions, or none. start: memory beyond the workspace; false when
    /// there is none. stop gives it back, also after that. prepare: takes the step from (t, x) in advance, so
    /// that control->next is its length; a failure is step's to tell. between: the state at a time within
    /// that step.
    bool (*start)(const slip_ode_problem *problem, const slip_step_control *control, const double *x,
                  slip_integrator_work *work);
    void (*stop)(slip_integrator_work *work);
    void (*prepare)(slip_step_control *control, double t, const double *x, slip_integrator_work *work);
    slip_run_outcome (*between)(const slip_integrator_work *work, double t, double *out);
} slip_integrator;

/// NULL past the end.
const slip_integrator *slip_integrator_at(int k);

/// NULL when there is none of that name.
const slip_integrator *slip_integrator_named(const char *name);

#define PART(symbol, name) extern const slip_integrator slip_integrator_##symbol;
#include "registry/integrators.def"
#undef PART

#endif
