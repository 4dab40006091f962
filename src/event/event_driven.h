/// event/event_driven.h: rigid systems between events, and what happens at events.
///
/// Between two events the stances of all elements are fixed, accelerations come from the contact LCP or
/// from Gauss' principle at every stage (Gomez 2008, section 3.4), and every stage is projected on the
/// constraints that hold (3.11, 3.12). A step that meets an event ends there.
#ifndef SLIP_EVENT_EVENT_DRIVEN_H
#define SLIP_EVENT_EVENT_DRIVEN_H

#include "rigid/sentry.h"
#include "rigid/problem.h"
#include "integrator/integrator.h"
#include "method/method.h"

typedef enum slip_principle { SLIP_BY_LCP, SLIP_BY_GAUSS } slip_principle;
typedef enum slip_on_disagreement { SLIP_THEN_WARN, SLIP_THEN_LCP, SLIP_THEN_STOP } slip_on_disagreement;

enum { SLIP_EVENT_LEDGER = 2 }; ///< work, friction: quadratures behind q and u

/// What is counted on the way, for the summary.
enum { SLIP_EVENT_GAINED, SLIP_EVENT_GAINS, SLIP_EVENT_JUMPS, SLIP_EVENT_FALLBACKS, SLIP_EVENT_MEASURES };

/// An event function: positive between events. Its slope is NaN where it is not known.
typedef struct slip_watch {
    double value, slope;
} slip_watch;

typedef struct slip_event_driven {
    slip_method base;
    slip_system *system;
    slip_rigid rigid;
    slip_principle principle;
    slip_on_disagreement on_disagreement;
    int n, elements;
    bool works; ///< generalised forces, moving guides or belts do work

    slip_ode_problem problem;
    slip_step_control control;
    slip_integrator_work work;
    double *x, *next, *probe;   ///< q, u, ledger: present, after a step, while looking for an event
    double *q, *u, *scratch_u;  ///< of a stage, projected
    slip_watch *before, *after; ///< event functions, two per element: normal, tangent
    double *offset;             ///< what an event function that begins at zero is lifted by
    slip_stance *saved_stance;
    double *impulse, *W, *wq, *mu; ///< impact problem
    bool *struck;
    double *G, *residual, *correction, *basis, *part, *coefficient; ///< projection
    double *lp_A, *lp_b, *lp_c, *lp_low, *lp_high, *lp_zero;        ///< small programs of contact_forces.c
    signed char *branch, *before_slide;
    bool *candidate, *due; ///< slips that are zero now; that an event says are
    double *saved_heading, *before_heading;
    int d;      ///< unknowns of a contact in an impact: 2, or 3 where something slips in two directions
    bool space; ///< something does

    bool fresh;         ///< rigid and work.k[0] belong to (t, x)
    bool started;       ///< stances hold
    bool peeking;       ///< what happens leaves no trace
    double last_change; ///< s, of a stance; several without progress are chatter
    int changes;
    double rest_flight;        ///< s: shorter flights are rest
    slip_rigid_answer trouble; ///< why the last stage had no acceleration
    slip_constant *reported;   ///< [0] largest |N g''| met
    slip_constant measures[SLIP_EVENT_MEASURES];
    slip_warning *gain;  ///< on the first impact that created energy
    double shift;        ///< how far the last projection moved a coordinate
    slip_sentry *sentry; ///< whether to believe it
    bool doubted;        ///< the verdict was against the answer in use; for formulation auto to clear
    slip_compliant_constants *compliance; ///< per element, to judge by
    struct slip_event_driven *aside;      ///< this structure and its memory while a peek runs ahead
    char *aside_memory;
    void *memory;
    size_t memory_bytes; ///< of it that are in use, without what is put aside
} slip_event_driven;

/// Makes the method; the two formulations differ in `principle` alone.
slip_status slip_event_driven_create(const slip_model *model, const slip_sim_def *settings,
                                     slip_principle principle, slip_error *error, slip_method **method);

// ---- event_driven_project.c

void slip_project_layout(slip_arena *arena, slip_event_driven *m);

/// q and u on the constraints that hold, in the identity metric (3.11, 3.12); redundant ones are fine.
/// False when there is no such q near by.
bool slip_project(slip_event_driven *m, double t, double *q, double *u);

/// Least |d| among the least |G d - r|; G is rows x n. d may be r when rows == n is never assumed.
void slip_pseudo_solve(int rows, int n, double *G, const double *r, double *basis, double *part,
                       double *coefficient, double *d);

/// A contact that holds was moved by more than the tolerance: when its gap is discontinuous between the two
/// states, which were projected, the run says so.
void slip_event_look_for_jumps(slip_event_driven *m, double t, const double *x, double t_after,
                               const double *after);
void slip_event_tell_jump(slip_event_driven *m, int element, double t, double by);

// ---- event_driven_stick.c

/// Stances of everything whose slip is zero, then which contacts let go.
slip_run_outcome slip_event_decide(slip_event_driven *m);

/// How far everything that sticks is from sliding (gauss); infinite when nothing sticks. Leaves the
/// problem as it was.
double slip_event_stick_margin(slip_event_driven *m);

/// Slip velocity of an element at m->u, two components, and its size.
double slip_event_speed(const slip_event_driven *m, int element, double *v);

/// The same; whether that is a slip at all.
bool slip_event_slips(const slip_event_driven *m, int element, double *v);

/// Velocities that count as zero.
double slip_event_small_speed(const slip_event_driven *m);

// ---- event_driven_modes.c

/// Accelerations and forces for the present stances by the method's principle; q and u are m->q, m->u.
slip_rigid_answer slip_event_solve(slip_event_driven *m);

/// Stances at the start of a run: what touches and what sticks.
slip_run_outcome slip_event_begin(slip_event_driven *m);

/// New stances where the event functions in m->after are not positive: impacts, release, stick, restart.
/// Changes u and m->x.
slip_run_outcome slip_event_pass(slip_event_driven *m);

/// Says why in the log and gives SLIP_UNSOLVED.
slip_run_outcome slip_event_no_solution(slip_event_driven *m, slip_rigid_answer why, double t);

/// Keeps the largest |N g''| and does as asked where it is not zero (gauss).
slip_run_outcome slip_event_check_agreement(slip_event_driven *m);

/// The verdict on the problem that was just solved.
void slip_event_check_trust(slip_event_driven *m);

#endif
