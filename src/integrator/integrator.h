/// integrator/integrator.h: the interface of integrators: an ODE, and a step of it.
#ifndef SLIP_INTEGRATOR_H
#define SLIP_INTEGRATOR_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/stop.h"
#include "slipstick/parts.h"
#include "slipstick/sim.h"

/// The stiff phases of an ODE, for integrators that take substeps there: f is stiff while at least one of its
/// stiff parts is engaged. Per substep the functions are called in this order: is_free, engage, time_to_engage,
/// passed (until it returns false), settled.
typedef struct slip_stiff_phases {
    void *context;
    double time; ///< s, response time of a stiff part: the time scale of its stiffness

    /// Whether none is engaged at (t, x). States of stiff parts that still oscillate there, without effect,
    /// are set to rest in x.
    bool (*is_free)(void *context, double t, double *x);

    /// If one is about to engage, moves x to where it does, with f(t, x) = xdot, and returns the time that
    /// this takes; 0 if none is.
    double (*engage)(void *context, double t, double *x, const double *xdot);

    /// s, the time until one that is free at (t, x), where f(t, x) = xdot, is about to engage; infinite if
    /// none comes near, NaN if that cannot be told. Times beyond `step` do not matter.
    double (*time_to_engage)(void *context, double t, const double *x, const double *xdot, double step);

    /// Whether the step of this length to (t, x), from the state of the last `time_to_engage`, has passed
    /// through a stiff phase.
    bool (*passed)(void *context, double t, const double *x, double step);

    /// Accepts the step to (t, x). True if all that are engaged are at rest there.
    bool (*settled)(void *context, double t, double *x);
} slip_stiff_phases;

/// The coefficients of a one-step method: stage s is at x + h sum_j a[s][j] k_j, where k_s = f there, and the
/// step ends at x + h sum_j weight[j] k_j.
enum { SLIP_TABLEAU_STAGES = 6 };
typedef struct slip_tableau {
    int stages;
    double gamma; ///< a[s][s] of every stage but the first; 0: an explicit method
    double node[SLIP_TABLEAU_STAGES], weight[SLIP_TABLEAU_STAGES];
    double embedded[SLIP_TABLEAU_STAGES]; ///< weights of the embedded solution, for the error estimate
    double a[SLIP_TABLEAU_STAGES][SLIP_TABLEAU_STAGES];
    double told[SLIP_TABLEAU_STAGES]; ///< stage step that f receives, relative to the step; 0 for integrators
                                      ///< that pass none
} slip_tableau;

struct slip_integrator;
struct slip_integrator_work;

/// Observer of every accepted step, used to propagate sensitivities.
typedef struct slip_step_observer {
    void *context;

    /// `inner` has taken a step from (t, x) to (t + h, end); the rates of its stages are in work->k. With
    /// `chained`, k[0] is that of the last stage of the step before. Without `inner`, x was moved at the rate
    /// k[0] to where a stiff part engages.
    void (*stepped)(void *context, const struct slip_integrator *inner, double t, const double *x, double h,
                    const struct slip_integrator_work *work, const double *end, bool chained);

    /// The state at the end of the last step, or at the start of a sequence of substeps, may have been
    /// changed by `stiff`; with `is_free`, oscillating states of stiff parts were set to rest.
    void (*changed)(void *context, double t, const double *x, bool is_free);
} slip_step_observer;

/// x' = f(t, x) with `count` components. The last `quadratures` of them do not enter f, and take no part in
/// the error control.
typedef struct slip_ode_problem {
    int count, quadratures;
    void *context;
    /// False when f cannot be evaluated there.
    bool (*rate)(void *context, double t, const double *x, double *xdot);

    /// For implicit integrators, over the first count - quadratures components; NULL otherwise. linearise
    /// computes df/dx at (t, x), with `xdot` = f(t, x), and factors I - scale df/dx; false when that is
    /// singular. solve: b := (I - scale df/dx)^-1 b.
    bool (*linearise)(void *context, double t, const double *x, const double *xdot, double scale);
    void (*solve)(void *context, double *b);

    /// For integrators that pass the stage step to f: f(t, x; tau) until the next call. NULL if f does not
    /// depend on it. tau is 0 under all other integrators.
    void (*stage)(void *context, double tau);

    /// The part of a step from (t, x), with the rate xdot, to (t + step, end) after which f has a jump or a
    /// kink; 1 if there is none. NULL: f is smooth.
    double (*border)(void *context, double t, const double *x, const double *xdot, double step,
                     const double *end);
    const slip_stiff_phases *stiff; ///< NULL: there are none, or the integrator does not use them

    /// The latest time at which a step from t may end, because f may change there as a function of time;
    /// NULL: it does not.
    double (*end)(void *context, double t);

    slip_stop *stop;                    ///< a long step ends with SLIP_STOPPED when it is due; may be NULL
    const slip_step_observer *observer; ///< sees the substeps of a step; may be NULL
} slip_ode_problem;

typedef struct slip_step_control {
    double relative, absolute; ///< tolerances of adaptive integrators
    double next;               ///< adaptive: step to try, updated by each call
    double max;                ///< adaptive: longest step, s
    double *ended;   ///< state and rate at the end of the last step, 2 * count, for integrators that continue
                     ///< from them; NULL: not needed
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
    double *state[2]; ///< states of an integrator that composes a step of substeps
} slip_integrator_work;

typedef struct slip_integrator {
    slip_part_info info;
    bool adaptive;
    bool implicit;      ///< needs linearise and solve
    bool any_stiffness; ///< handles any stiffness: its steps follow the motion, not its fastest modes
    bool finer;         ///< takes substeps, using problem.stiff
    bool classical;     ///< may be replaced by the fused step of formulation/ode/fused_rk4.h
    double first_stage; ///< passes stage steps to f; k[0] is f(t, x; first_stage * step). 0: passes none

    /// R(re + i im)|, the amplification of a mode in one step, for z = step * eigenvalue. NULL if the
    /// integrator has no stability limit or keeps within it by itself.
    double (*growth)(double re, double im);
    double radius; ///< of `growth`: no decaying mode is amplified within |z| <= radius

    void (*layout)(slip_arena *arena, int count, slip_integrator_work *work);

    /// Its coefficients; NULL for a method that is not determined by its stages.
    void (*tableau)(slip_tableau *tableau);

    /// One step of at most `step` from (t, x), with k[0] = f(t, x) already in work; writes the new state to
    /// `out` (not x) and the length taken to *taken (equal to step if not adaptive).
    slip_run_outcome (*step)(const slip_ode_problem *problem, slip_step_control *control, double t,
                             const double *x, double step, slip_integrator_work *work, double *out,
                             double *taken);
} slip_integrator;

/// NULL past the end.
const slip_integrator *slip_integrator_at(int k);

/// NULL when there is none of that name.
const slip_integrator *slip_integrator_named(const char *name);

#define PART(symbol, name) extern const slip_integrator slip_integrator_##symbol;
#include "registry/integrators.def"
#undef PART

#endif
