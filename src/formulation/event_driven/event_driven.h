/// formulation/event_driven/event_driven.h: rigid systems between events, and what happens at events.
///
/// Between two events the contact states of all elements are fixed, accelerations come from the contact LCP
/// or from Gauss' principle at every stage (Gomez 2008, section 3.4), and every stage is projected on the
/// constraints that hold (3.11, 3.12). A step that meets an event ends there.
#ifndef SLIP_FORMULATION_EVENT_DRIVEN_EVENT_DRIVEN_H
#define SLIP_FORMULATION_EVENT_DRIVEN_EVENT_DRIVEN_H

#include "symbolic/analysis/time_schedule.h"
#include "verdict/monitor/verdict_monitor.h"
#include "dynamics/contact/contact_problem.h"
#include "dynamics/contact/impact_problem.h"
#include "integrator/cash_karp.h"
#include "formulation/method.h"
#include "dynamics/narrow_features.h"
#include "dynamics/step_scan.h"

typedef enum slip_principle { SLIP_PRINCIPLE_LCP, SLIP_PRINCIPLE_GAUSS } slip_principle;
typedef enum slip_on_disagreement {
    SLIP_ON_DISAGREEMENT_WARN,
    SLIP_ON_DISAGREEMENT_LCP,
    SLIP_ON_DISAGREEMENT_STOP
} slip_on_disagreement;

enum { SLIP_EVENT_LEDGER_COUNT = 2 }; ///< work, friction: quadratures behind q and u

/// What is counted on the way, for the summary.
enum {
    SLIP_EVENT_ENERGY_GAINED,
    SLIP_EVENT_GAIN_COUNT,
    SLIP_EVENT_GAP_JUMPS,
    SLIP_EVENT_FALLBACKS,
    SLIP_EVENT_MEASURE_COUNT
};

/// An event function: positive between events. Its slope is NaN where it is not known.
typedef struct slip_event_function {
    double value, slope;
} slip_event_function;

/// Stages of a step whose event functions are kept: all but the first, which is the start.
enum { SLIP_EVENT_STAGE_COUNT = 5 };

/// The active set that a solve begins from.
typedef struct slip_warm_start {
    bool *loaded, *tight, warm;
    double *load; ///< of limits that follow forces
} slip_warm_start;

/// The step ahead: found before it is taken, so that rows within it belong to the same motion.
typedef struct slip_next_step {
    bool made;
    double t;                 ///< where it ends, exactly
    double h;                 ///< its length
    double *end;              ///< the state there, projected: m->next or m->probe
    bool event;               ///< it ends in an event, or in a switching time
    bool jam;                 ///< in one that strikes without approach: no force holds what slides any longer
    slip_run_outcome outcome; ///< SLIP_RUNNING, or why there is none
    slip_contact_outcome trouble; ///< the same
} slip_next_step;

/// Observer of a run that does not change it; sensitivities are one (src/sensitivity).
typedef struct slip_event_observer {
    void *context;
    void (*stage)(void *context, double t); ///< accelerations were solved, of m->q, m->u at t
    void (*ahead)(
        void *context); ///< the last SLIP_EVENT_STAGE_COUNT stages and the one of its end are the step
                        ///< ahead
    void (*arrived)(void *context, bool event); ///< that step was taken; its event has not happened yet
    void (*struck)(void *context);              ///< rates have jumped from m->scratch_u to m->u
    void (*present)(void *context);             ///< accelerations and modes are those of (t, x)
    bool (*leaps)(
        void *context); ///< stages of a step in which nothing touches need not be shown, but its end
} slip_event_observer;

typedef struct slip_event_driven {
    slip_method base;
    const slip_event_observer *observer; ///< NULL: nobody
    slip_system *system;
    slip_contact_problem rigid;
    slip_principle principle;
    slip_on_disagreement on_disagreement;
    int n, elements;
    /// Static friction exceeds kinetic friction, or depends on a load: Gauss's principle has no such minimum,
    /// so the LCP decides.
    bool holds;
    bool works; ///< generalised forces, moving guides or belts do work

    slip_ode_problem problem;
    slip_step_control control;
    slip_integrator_work work;
    double *x, *next, *probe;  ///< q, u, ledger: present, after a step, while looking for an event
    double *q, *u, *scratch_u; ///< of a stage, projected
    int watches;               ///< event functions: normal and tangent of each element, then one per switch
    slip_event_function *before, *after; ///< their values
    slip_event_function *left, *right;   ///< the same at both ends of what an event is located in
    double *offset;                      ///< what an event function that begins at zero is lifted by
    double *sample,
        sample_t[SLIP_EVENT_STAGE_COUNT]; ///< values at the last stages, watches each; their times
    long samples;
    slip_event_function *end_watch; ///< of the end of a step while its inside is looked at
    double suspect[4];              ///< places inside a step to look at
    slip_next_step ahead;
    double *raw, *end_rate, *within; ///< end of a step before it was projected, its rate; a state inside it
    slip_warm_start arrived, here; ///< active sets from which the last end of a step, and (t, x), were solved
    bool elsewhere;                ///< rigid is neither of (t, x) nor of the end of the step ahead
    bool present;                  ///< rigid is of (t, x)
    bool at_switch;                ///< t is a switching time
    double until;                  ///< s, end of the run

    int switches; ///< conditions and kinks of the equations, see switching.h
    double *side; ///< that each is locked to, or SLIP_SIDE_FREE
    double *switch_value, *own_side;
    int *flips;      ///< in a row, without progress
    double *flipped; ///< s, when last
    bool *active;    ///< matters now
    bool *gone;      ///< it has left its border while an event is settled
    double *sign;    ///< what the scan of a step watches
    double *soon;    ///< q, u a little later, and their rates now
    slip_time_schedule timetable;
    slip_step_scan scan;
    slip_narrow_features narrow;
    double narrow_free; ///< s, up to which the step ahead meets no narrow force
    slip_contact_state *saved_contact_state;
    slip_impact_problem impact_problem;
    bool *struck;
    double *flight_gap, flight_t; ///< m, gaps of what was open at a state, NaN where it was closed; s, when
    double *G, *residual, *correction, *basis, *part, *coefficient; ///< projection
    double *lp_A, *lp_b, *lp_c, *lp_low, *lp_high, *lp_zero;        ///< small programs of contact_forces.c
    double *share;                                                  ///< its scratch
    signed char *branch, *before_slide;
    bool *candidate, *due; ///< slips that are zero now; that an event says are
    double *saved_heading, *before_heading;
    int d;      ///< unknowns of a contact in an impact: 2, or 3 where something slips in two directions
    bool space; ///< something does

    bool fresh;         ///< rigid and work.k[0] belong to (t, x)
    bool started;       ///< contact states hold
    double last_change; ///< s, of a stance; several without progress are chatter
    int changes;
    double pile_from;       ///< s, from when events are counted
    int piled, piled_flips; ///< of these, how often a condition changed sides
    double rest_flight;     ///< s: shorter flights are rest
    struct {
        double length,
            speed;    ///< m, m/s: characteristic scales, at most 1; rounding of these counts as zero
        double width; ///< s, to which events are located
    } least;
    slip_contact_outcome trouble; ///< why the last stage had no acceleration
    slip_constant *reported;      ///< [0] largest |N g''| met
    slip_constant measures[SLIP_EVENT_MEASURE_COUNT];
    slip_warning *gain;            ///< on the first impact that created energy
    double shift;                  ///< how far the last projection moved a coordinate
    slip_verdict_monitor *monitor; ///< whether to believe it
    bool hopeless;                 ///< it cannot go on, and compliant contacts would not help
    bool doubted; ///< the verdict was against the answer in use; for formulation auto to clear
    slip_compliant_constants *compliance; ///< per element, to judge by
    double step;                          ///< s, that it was made with
    void *memory;
    size_t memory_bytes;
    struct slip_event_snapshot *image; ///< itself as it was made, to begin again; NULL: there is none
} slip_event_driven;

extern const slip_method_ops slip_event_driven_ops;

// ---- event_driven_create.c

/// For slip_method_ops.
void slip_event_driven_destroy(slip_method *method);

/// Makes the method; the two formulations differ in `principle` alone.
slip_status slip_event_driven_create(const slip_model *model, const slip_sim_def *settings,
                                     slip_principle principle, slip_error *error, slip_method **method);

/// NULL when it is not an event-driven method.
slip_event_driven *slip_event_driven_of(slip_method *method);

/// What settings ask of it, checked.
slip_status slip_event_read_settings(slip_event_driven *m, const slip_model *model,
                                     const slip_sim_def *settings, slip_error *error);

/// The start of the model, and what follows from it and from the tolerances.
slip_status slip_event_set_start(slip_event_driven *m, const slip_model *model, const slip_sim_def *settings,
                                 slip_error *error);

// ---- event_driven_rewind.c

/// Keeps a method that was just made, but for its start, where simulations follow one another. Without memory
/// it will be made anew.
void slip_event_snapshot_save(slip_event_driven *m);
void slip_event_snapshot_destroy(struct slip_event_snapshot *image);

/// For slip_method_ops.
bool slip_event_rewind(slip_method *method, const slip_model *model, const slip_sim_def *settings);

// ---- event_driven_archive.c

/// For slip_method_ops.
void slip_event_archive(slip_method *method, slip_archive *archive);

/// The workspace, laid out once more: `copy` of the method has every pointer as it was at first.
void slip_event_archive_memory(slip_event_driven *copy, slip_archive *archive);

// ---- event_driven_stages.c

/// Right-hand side of a stage: q and u are projected, then solved for their accelerations.
bool slip_event_rate(void *m, double t, const double *x, double *xdot);

/// The end of a step: x itself is projected, and its rate is that of the next step's first stage.
bool slip_event_step_end(slip_event_driven *m, double t, double *x, double *xdot);

/// The same once more after something else was looked at, to the same bits.
bool slip_event_step_end_again(slip_event_driven *m, double t, double *x, double *xdot);

void slip_warm_start_save(const slip_event_driven *m, slip_warm_start *to);
void slip_warm_start_restore(slip_event_driven *m, const slip_warm_start *from);

// ---- free_flight.c

/// Nothing holds and nothing is watched stage by stage: the stages of a step are those of a free motion.
bool slip_event_in_free_flight(const slip_event_driven *m);

/// The problem of such a step, to the same bits.
slip_ode_problem slip_event_flight_problem(slip_event_driven *m);

/// slip_event_probe for such steps from (t, x), without their ledgers: m->q, m->u and m->after are of the
/// end, the contact problem is not.
double slip_event_flight_probe(slip_event_driven *m, double h);

// ---- event_functions.c

/// All event functions at the state just solved, lifted where they began at zero; returns the least.
double slip_event_evaluate_functions(slip_event_driven *m, double t, slip_event_function *watch);

/// The function of a gap that was looked at is behind its event; or of one that closes so soon that the
/// instant could not be told from the present one.
bool slip_event_is_due(const slip_event_driven *m, slip_event_function gap);

/// Some gap that is open is, by m->after.
bool slip_event_strikes(const slip_event_driven *m);

/// All event functions at the start of a step. One that stands at zero has just begun and is lifted above it.
void slip_event_functions_at_start(slip_event_driven *m);

/// Keeps the event functions of a stage.
void slip_event_sample_stage(slip_event_driven *m, double t);

/// The longest step that no slip in space comes to rest in.
double slip_event_step_before_stop(const slip_event_driven *m, double most);

// ---- missed_events.c

/// All event functions are positive at both ends of a step of length h, m->next and work.stage being its end:
/// where one was not in between, or the step is not to be believed; h when it is.
double slip_event_find_missed(slip_event_driven *m, double h);

// ---- locate_event.c

/// Width to which events are located at the present time, s: least.width, or the last digit of the time where
/// that is longer.
double slip_event_width(const slip_event_driven *m);

/// A step of length h from the start into m->probe with its event functions in m->after: the least of them,
/// NaN when it cannot be taken.
double slip_event_probe(slip_event_driven *m, double h);

/// Finds the step ahead, which ends at t_limit at the latest.
void slip_event_find_next_step(slip_event_driven *m, double t_limit);

// ---- locked_switches.c

void slip_event_switches_layout(slip_arena *arena, slip_event_driven *m);

/// Every condition decides for itself again.
void slip_event_unlock_switches(slip_event_driven *m);

/// m->switch_value and m->own_side at (t, m->q, m->u), with the present sides of what is inside others.
void slip_event_look_at_sides(slip_event_driven *m, double t);

/// How far a value may be behind its border by rounding alone.
double slip_event_side_dust(const slip_event_driven *m);

/// How far a locked switch, as it was last looked at, is from changing sides. One that stands at its border,
/// like the angle of a body that does not turn, is not to change with every rounding: that much is added.
double slip_event_side_margin(const slip_event_driven *m, int k);

void slip_event_set_side(slip_event_driven *m, int k, double side);

/// Where it is in the model, for a sentence.
const char *slip_event_side_place(const slip_event_driven *m, int k, char *text, int size);

/// Locks what matters at (t, q, u) for the present contact states, and frees what does not.
void slip_event_lock_switches(slip_event_driven *m);

/// Every locked switch whose argument is behind its border changes sides, those inside others first. True
/// when one did.
bool slip_event_turn_sides(slip_event_driven *m);

/// Every locked switch has the side of its argument at (t, m->q, m->u), the state that was just reached;
/// false when one has not, and the run says so.
bool slip_event_check_sides(slip_event_driven *m);

/// Locks the conditions on the time to what they are right after the present one.
void slip_event_lock_time_switches(slip_event_driven *m);

/// The switches whose event functions are not positive change sides; *some when one did.
slip_run_outcome slip_event_flip_switches(slip_event_driven *m, bool *some);

/// The switch that an event function belongs to is watched now.
bool slip_event_is_watched(const slip_event_driven *m, int k);

// ---- borders.c

/// Before an event is settled: nothing has left its border yet.
void slip_event_begin_borders(slip_event_driven *m);

/// Switches whose arguments stand at their border get the side on which the motion goes on with the present
/// contact states. True when one changed: what follows from it is to be settled again.
bool slip_event_weigh_borders(slip_event_driven *m);

// ---- constraint_projection.c

void slip_project_layout(slip_arena *arena, slip_event_driven *m);

/// q and u on the constraints that hold, in the identity metric (3.11, 3.12); redundant ones are fine.
/// False when there is no such q near by.
bool slip_project_state(slip_event_driven *m, double t, double *q, double *u);

/// q alone; m->rigid.terms are those of (t, q, u).
bool slip_project_positions(slip_event_driven *m, double t, double *q, const double *u);

/// Least |d| among the least |G d - r|; G is rows x n. d may be r when rows == n is never assumed.
void slip_least_squares_min_norm(int rows, int n, double *G, const double *r, double *basis, double *part,
                                 double *coefficient, double *d);

/// A contact that holds was moved by more than the tolerance: when its gap is discontinuous between the two
/// states, which were projected, the run says so.
void slip_event_check_gap_jumps(slip_event_driven *m, double t, const double *x, double t_after,
                                const double *after);
void slip_event_warn_gap_jump(slip_event_driven *m, int element, double t, double by);

// ---- stick_slip.c

/// Stances of everything whose slip is zero, then which contacts let go.
slip_run_outcome slip_event_decide_modes(slip_event_driven *m);

/// How far everything that sticks is from sliding (gauss); infinite when nothing sticks. Leaves the
/// problem as it was.
double slip_event_stick_margin(slip_event_driven *m);

/// Slip velocity of an element at m->u, two components, and its size.
double slip_event_slip_speed(const slip_event_driven *m, int element, double *v);

/// The same; whether that is a slip at all.
bool slip_event_is_slipping(const slip_event_driven *m, int element, double *v);

/// Velocities that count as zero.
double slip_event_zero_speed(const slip_event_driven *m);

// ---- characteristic_scales.c

/// m->least and m->rigid.unit, from the start and what the forces make of it in the run. Spoils the terms.
void slip_event_choose_scales(slip_event_driven *m);

/// m and m/s: the largest of coordinates or rates that move, not below m->least.
double slip_event_length_scale(const slip_event_driven *m, const double *q);
double slip_event_speed_scale(const slip_event_driven *m, const double *u);

/// m, at m->q with its terms: the largest of the coordinates in the gap of a contact, as lengths of that gap;
/// and below what the gap counts as closed.
double slip_event_reach_of(const slip_event_driven *m, int e);
double slip_event_closed_gap(const slip_event_driven *m, int e);

// ---- event_impact.c

/// m/s, of the gap of a contact at m->u.
double slip_event_gap_rate(const slip_event_driven *m, int e);

/// Approach below which a bounce, or the rocking it is part of, cannot be distinguished from rest: its flight
/// would be shorter than rest_flight, or not higher than a few digits of the positions.
double slip_event_rest_speed(const slip_event_driven *m, int e);

/// Contacts in m->struck touch; those that approach strike, and those that jam. Changes m->u and who is
/// closed.
slip_run_outcome slip_event_impact(slip_event_driven *m);

// ---- mode_transitions.c

/// Least constraint decides the present problem: a contact slides, and not several stick in space. Where none
/// slides it is the same convex program as the LCP; several that stick in space share their friction in many
/// ways, and the program has no solution right where they start. Friction that is larger at rest and
/// limits that follow forces are the LCP's.
bool slip_event_uses_gauss(const slip_event_driven *m);

/// Accelerations and forces for the present contact states by the method's principle; q and u are m->q, m->u.
slip_contact_outcome slip_event_solve(slip_event_driven *m);

/// Keeps the gaps of what is open at (t, x), whose terms are at hand.
void slip_event_keep_flights(slip_event_driven *m);

/// Stances at the start of a run, or where the state was changed from outside: what touches and what sticks.
slip_run_outcome slip_event_initial_modes(slip_event_driven *m);

/// New contact states where the event functions in m->after are not positive: impacts, release, stick,
/// restart. Changes u and m->x.
slip_run_outcome slip_event_apply_transitions(slip_event_driven *m);

/// Says why in the log and gives SLIP_UNSOLVED.
slip_run_outcome slip_event_no_solution(slip_event_driven *m, slip_contact_outcome why, double t);

/// Keeps the largest |N g''| and does as asked where it is not zero (gauss).
slip_run_outcome slip_event_check_agreement(slip_event_driven *m);

/// The verdict on the problem that was just solved.
void slip_event_check_verdict(slip_event_driven *m);

#endif
