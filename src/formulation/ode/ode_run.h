/// formulation/ode/ode_run.h: an ODE under an integrator, from inside.
#ifndef SLIP_FORMULATION_ODE_ODE_RUN_H
#define SLIP_FORMULATION_ODE_ODE_RUN_H

#include "formulation/ode/impact_check_forces.h"
#include "formulation/ode/stability_limit.h"
#include "formulation/ode/stability_limit_staged.h"
#include "formulation/ode/iteration_matrix.h"
#include "formulation/ode/fused_rk4.h"
#include "formulation/ode/contact_detection.h"
#include "integrator/integrator.h"
#include "dynamics/force_discontinuity.h"
#include "dynamics/narrow_features.h"
#include "dynamics/step_scan.h"

/// Someone who goes along with a run, for derivatives of it. Steps come by slip_step_observer, between begin
/// and arrived of a step that stands, or between begin and the next begin of a peek.
typedef struct slip_ode_observer {
    slip_step_observer steps;
    void (*begin)(void *context, bool peek);
    void (*arrived)(void *context);
    bool whole; ///< it asks for no stages: steps may be a program
} slip_ode_observer;

typedef struct slip_ode_run {
    slip_method base;
    slip_ode *ode;
    const slip_integrator *integrator;
    slip_ode_problem problem;
    slip_step_control control;
    slip_integrator_work work;
    double *x, *next, *aside;        ///< state with quadratures: present, after the step, for peeking
    bool fresh;                      ///< work.k[0] and the modes belong to (t, x)
    slip_fused_rk4 *program;         ///< whole steps, where there is one
    bool behind;                     ///< k[0] is still that of the last step: the program has the present one
    slip_contact_detector *touch;    ///< for integrators that take finer steps in contact
    slip_time_schedule timetable;    ///< for integrators that choose their steps
    slip_step_scan scan;             ///< gaps within a step, for those that can take one again
    double *sign;                    ///< what the scan is to watch
    slip_force_discontinuity border; ///< where forces and frictions jump along the motion, for the same
    slip_narrow_features narrow;     ///< smooth forces that act on a short way, for the same
    slip_iteration_matrix *newton;   ///< for implicit integrators
    slip_stability_limit *guard;     ///< for integrators with a limit of stability
    slip_staged_limit *staged;       ///< the same for those that pass on the step of each stage
    double step;                     ///< the one asked for
    bool decay_warned;               ///< a law was too fast for the step
    double strained_since;           ///< s, when no contact was pressed in more than it may be
    bool strain_warned;              ///< one was for too long
    unsigned char *after;            ///< modes at the end of a step
    unsigned char *passing;          ///< modes on the way of a peek
    const unsigned char *now;        ///< modes where the step in hand begins
    slip_force_check *bounce;        ///< for contacts made for a restitution
    double before;    ///< s, where the step that led here began, its state being in `next`; NaN when none did
    bool watched;     ///< the guard has seen the modes of the start
    bool step_warned; ///< the motion has entered a regime beyond the limit
    const slip_ode_observer *observer; ///< may be NULL
    slip_step_observer relay;          ///< tells it and the tally of loads of the finer steps of a step
    bool peeks;                        ///< the steps in hand leave no trace
    void *memory;
} slip_ode_run;

/// k[0] for a step of this length, at (t, x).
bool slip_ode_run_rate(slip_ode_run *m, double t, const double *x, double step);

/// k[0] at the present state, which was observed, where it is behind.
bool slip_ode_run_refresh_rate(slip_ode_run *m);

// ---- ode_step.c

/// The state m->next becomes the present one, at time t.
void slip_ode_run_accept(slip_ode_run *m, double t);

/// The present state, which was observed, and its rates into the registers of the program. False when the
/// rates cannot be had.
bool slip_ode_run_load(slip_ode_run *m);

/// For slip_method_ops.
slip_run_outcome slip_ode_run_observe(slip_method *method);
slip_run_outcome slip_ode_run_advance(slip_method *method, double step, double t_after);
bool slip_ode_run_coast(slip_method *method, double step, double t_after);
slip_run_outcome slip_ode_run_peek(slip_method *method, double t, double *row);
void slip_ode_run_record(slip_method *method, double *records, double *kinetic, double *potential);
void slip_ode_run_state_changed(slip_method *method);

/// For slip_ode_problem: the part of a step after which a force or friction jumps, bends or acts on a short
/// way; 1 when none does.
double slip_ode_run_force_discontinuity(void *method, double t, const double *x, const double *xdot,
                                        double step, const double *end);

// ---- ode_step_check.c

/// Strain of a contact, of what it may have at rest: too deep for an impact.
#define SLIP_STRAIN_TOO_DEEP 20.0

/// The limits of the step: made, and asked about the start.
slip_status slip_ode_run_set_step_limits(slip_ode_run *m, slip_error *error);

/// Whether a look at the present state, whose modes are known, would find something to warn of.
bool slip_ode_run_needs_check(slip_ode_run *m);

/// Warns where the step is beyond them at the present state, whose rates are in work.k[0]; `changed`: the
/// modes have, since the last look.
void slip_ode_run_check_step(slip_ode_run *m, bool changed);

#endif
