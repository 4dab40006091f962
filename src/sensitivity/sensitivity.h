/// sensitivity/sensitivity.h: derivatives of a motion with events with respect to parameters
/// and initial values.
///
/// Between events the variational equations are integrated with the stages of the motion itself, and their
/// right-hand side is exact: with x = (q, u), accelerations a and forces f of the active constraints,
///     M a = h + W f,   G a + z = 0      =>      M da - W df = d(h - M a + W f),   G da = -d(G a + z)
/// where d on the right is the derivative of the formulas along (dt, dq, du, dp), a and f kept. At an event
/// g(t, x, p) = 0 the time moves by dtau = -dg/g', and
///     dx+ = dR(dtau, dx- + x'- dtau) - x'+ dtau
/// with R the map from the state before the event to the one after it (Leine, Nijmeijer 2004, chapter 7:
/// saltation). Active constraints stay active, so dx is projected onto them as x is.
#ifndef SLIP_SENSITIVITY_SENSITIVITY_H
#define SLIP_SENSITIVITY_SENSITIVITY_H

#include "formulation/event_driven/event_driven.h"
#include "sensitivity/constant_derivatives.h"
#include "sensitivity/fused_sensitivity.h"
#include "base/linalg/lu_complete.h"

/// Numbers of an element that follow from parameters, each with its derivatives.
enum {
    SLIP_SENS_RESTITUTION,
    SLIP_SENS_RESTITUTION_T,
    SLIP_SENS_SLIDE_LENGTH, ///< of a slide whose friction depends on its load
    SLIP_SENS_NUMBER_COUNT
};

/// Tapes of derivatives along a direction.
typedef enum slip_sensitivity_tape {
    SLIP_SENS_POSITION, ///< of constraints, then of gaps, by row
    SLIP_SENS_VELOCITY, ///< of the rates of all rows
    SLIP_SENS_MOTION,   ///< of h - M a + W f, then of the accelerations G a + z of all rows
    SLIP_SENS_IMPACT,   ///< the same without h and z: a is a jump of the rates, f are impulses
    SLIP_SENS_EVENT, ///< of gaps, of frictions, of switches; then the switches themselves, then of static frictions
    SLIP_SENS_MODEL_EVENT, ///< of the margin of every event of the model, then of the values it sets; then the
                           ///< margins themselves
    SLIP_SENS_GAP,         ///< no derivatives: gaps, then their rates
    SLIP_SENS_SAMPLE,      ///< of all values that controllers sample
    SLIP_SENS_QUATERNION,  ///< of q' = H(q) u, for quaternions
    SLIP_SENS_RECORD,      ///< of the recorded quantities, of both energies
    SLIP_SENS_BATCH,       ///< SLIP_SENS_MOTION along all columns at once, column by column
    SLIP_SENS_TAPE_COUNT
} slip_sensitivity_tape;

/// Positions of the inputs among the registers of the tapes.
typedef struct slip_sensitivity_inputs {
    int count, a, force, slide, dt, dq, du, dp, quantity;
    int batch; ///< 2 n per column, of SLIP_SENS_BATCH alone
} slip_sensitivity_inputs;

/// Stages of a step but the first, and its end.
enum { SLIP_SENS_SLOT_COUNT = SLIP_EVENT_STAGE_COUNT + 1 };

/// The motion at one stage, with everything that derivatives at that stage need.
typedef struct slip_sensitivity_slot {
    double t;
    bool impulsive; ///< a is a jump of the rates, force are impulses
    double *q, *u, *a;
    double *v;              ///< q', which is u except for quaternions
    double *slip_direction; ///< two per element: direction of its slip, if that is two-dimensional
    double *force;          ///< per row: of closed contacts and of sticking elements
    double *side;           ///< per condition that is locked
    slip_terms terms;       ///< a copy, without registers
} slip_sensitivity_slot;

/// State of an element at a slot.
typedef struct slip_sens_contact_state {
    bool closed;
    double slide;
} slip_sens_contact_state;

/// An impact under its law, and its derivative (impact_sensitivity.c). There are d unknowns per contact, the
/// normal one first.
typedef struct slip_impact_sensitivity {
    int d;
    double *W, *dW, *near_W;
    double *before, *dbefore, *near_before; ///< rates
    double *number, *dnumber, *near_number; ///< per contact: friction, both restitutions
    double *impulse, *dP, *after, *work, *scratch;
    unsigned char *path;
    double *Y;                              ///< change of the rates by each unit impulse, n numbers each
    double *hold, *dhold, *near_hold;       ///< reactions of the constraints to it
    double *kept;                           ///< inputs of the tape, saved
    double *own;                            ///< forces of t->hit
    slip_sens_contact_state *contact_state; ///< saved while the impact is differentiated
    double *du;                             ///< per column: jump of its rates at the impact
    bool taken;                             ///< du belongs to the current impact
} slip_impact_sensitivity;

/// The active rows at the slot in hand: constraints, normals, then sticking tangents.
typedef struct slip_sensitivity_held {
    int count;
    int position_count; ///< how many of them, the first ones, constrain positions
    int *row;
    double *response;            ///< M^-1 of each wrench, n numbers each
    double *G;                   ///< the rows, dense
    slip_lu_complete forces;     ///< G M^-1 W
    slip_lu_complete positions;  ///< G G' of the first position_count
    slip_lu_complete velocities; ///< G G'
    slip_lu_complete bilateral;  ///< J M^-1 J' of the constraints
} slip_sensitivity_held;

/// Slips in space that begin at the slot in hand (slip_onset.c).
typedef struct slip_sensitivity_onsets {
    int count, *element;
    double *Y, *force, *theta;
    bool *ends;   ///< per element: its slip ends with the current step
    double *kept; ///< theta of each element and column at the beginning of its last slip
    slip_lu_complete turns;
} slip_sensitivity_onsets;

/// An event between two steps (saltation.c).
typedef struct slip_sensitivity_event {
    bool pending;         ///< it has begun: dtau and at are known, the motion after it is not
    bool hits;            ///< rates have jumped in it
    bool reset;           ///< it is an event of the model: x already belongs to the state after it
    double *dtau;         ///< per column
    double *at;           ///< per column: derivatives of the state just before it, at its own time
    double *state_before; ///< the state just before it
    double *behind;       ///< the state just after it
    double *dtau_other;
    int crossed;                         ///< the condition that caused it; -1: none
    double crossing;                     ///< rate of its argument just before the event
    const slip_sensitivity_slot *before; ///< the motion just before it
    double passed_at;                    ///< s, of the last event of a contact or a condition; NaN: none yet
    double *dtau_passed;                 ///< dtau of that event
    slip_sens_contact_state *hit_contact_state;
    double *hit_e; ///< per row of the impact: restitution in force
    bool *plastic; ///< per row: it is 0 because impacts accumulate
} slip_sensitivity_event;

/// The divergence of the motion, integrated along the run.
typedef struct slip_sensitivity_divergence {
    bool wanted;
    double sum; ///< since the start
    double start_trace, step_trace, end_trace;
    bool held_ever; ///< a constraint or contact has been active since the start
} slip_sensitivity_divergence;

/// How near the run has come to where derivatives jump or end (nondifferentiable.c).
typedef struct slip_sensitivity_least {
    double gap; ///< m, smallest minimum of an open gap since the start
    int element;
    double at;
    double strike; ///< m/s, slowest impact of a contact that would soon have turned by itself
    double turn;   ///< slips that reverse: smallest ratio of the accelerations after and before
    double rest;   ///< slips that end: smallest reserve of friction, over the limit
    double slide;  ///< m/s, smallest minimum of a slip speed that does not reach zero
} slip_sensitivity_least;

typedef struct slip_sensitivity {
    // what is differentiated
    slip_event_driven *m;           ///< the method; NULL: it is steps
    struct slip_sens_moreau *steps; ///< the time-stepping method, in its place (sens_moreau.h)
    slip_event_observer observer;
    slip_method *base;
    slip_system *system,
        *form;              ///< form: the system whose formulas are differentiated: the same one, or its twin
    const slip_terms *like; ///< terms of the method, the layout of which slots share
    const slip_switch *switch_list,
        *form_list; ///< conditions of formulas, `switches` of them; those of `form`
    int switches;
    double absolute, relative; ///< tolerances of the run
    int n, elements, rows;
    int column_count, parameter_count;
    slip_sensitivity_column *columns;

    // its formulas
    bool flies;                    ///< a step without contacts is one fused program: states, then columns
    slip_fused_sensitivity flight; ///< that program
    bool batched;                  ///< one tape serves all columns, which are few
    slip_tape *tape[SLIP_SENS_TAPE_COUNT];
    double *reg[SLIP_SENS_TAPE_COUNT];
    slip_sensitivity_inputs in;
    double *input;  ///< in.count numbers, for the current slot and direction
    double *number; ///< per element, SLIP_SENS_NUMBER_COUNT each, parameter_count derivatives each
    double *start;  ///< per number of (q, u): parameter_count derivatives
    double *until;  ///< of the end of the run: parameter_count derivatives
    slip_constant_derivatives constants; ///< extras: states at the start, numbers of elements, end of the run

    // a slot in hand
    slip_sensitivity_slot *ring[SLIP_SENS_SLOT_COUNT], *step[SLIP_SENS_SLOT_COUNT], start_slot, hit, seen;
    size_t flat_count; ///< numbers of slip_terms.flat
    long stages;
    const slip_sensitivity_slot *in_hand;
    slip_sens_contact_state *contact_state;
    slip_sensitivity_held held;
    double *da, *df, *bend, *residual; ///< of one column
    double *line;                      ///< 2 n, scratch
    slip_sensitivity_onsets begins;
    double *push; ///< 2 n, the same of quaternion_sensitivity.c

    // a step
    slip_ode_problem problem; ///< columns of (dq, du), one after the other
    slip_integrator_work work;
    double *projected;                           ///< all columns at a stage
    double *x, *next, *next_rate, *within, *leg; ///< leg: 8 n, both ends of a step and their rates
    int stage;                                   ///< of the current step
    bool ahead;                                  ///< next and next_rate are the end of the step ahead
    bool settled;                                ///< x belongs to the present state, work.k[0] to its rates

    // what happens between steps
    slip_sensitivity_event event;
    slip_impact_sensitivity blow;
    int value_count; ///< number of memory values and outputs of all controllers
    double *sampled; ///< per value: columns of its last sample

    // what is told of the run
    slip_sensitivity_divergence divergence;
    slip_sensitivity_least least;
    struct {
        int element;         ///< the grazing contact at which derivatives end; -1: none
        double *change;      ///< per column: derivative of the least gap
        double *coefficient; ///< per column and coordinate: of its rate, over the square root of the change
    } graze;
    bool begun, lost;
    double lost_at;   ///< s, from when on there are no derivatives
    char reason[200]; ///< why
    void *memory;
} slip_sensitivity;

/// Derivatives of a method with respect to parameters and initial values by name ("mu", "x", "x'").
/// SLIP_UNSUPPORTED when the formulation or the model has none.
slip_status slip_sensitivity_create(slip_method *method, const slip_sensitivity_origin *origin,
                                    const char *const *names, int count, slip_error *error,
                                    slip_sensitivity **tangent);
void slip_sensitivity_destroy(slip_sensitivity *tangent);

/// Starts again at the present state: the column of a state is 1 in that state, those of parameters are 0.
void slip_sensitivity_restart(slip_sensitivity *tangent);

/// Derivatives of an output row (states and `records` recorded quantities), column by column: at the present
/// time, or at the time within the next step for which the method has just been peeked.
void slip_sensitivity_row(slip_sensitivity *t, double time, int records, double *row);

/// Called when event k of the model happens, before it changes the state.
void slip_sensitivity_model_event(slip_sensitivity *tangent, int k);

// ---- controller_sensitivity.c

/// A controller samples the present state: `count` values, beginning with number `first` of all controllers.
/// The second function: a sampled value is written to a coordinate.
void slip_sensitivity_controller_sample(slip_sensitivity *t, int first, int count);
void slip_sensitivity_controller_output(slip_sensitivity *t, int value, int coordinate);

// ---- orthonormal_frame.c

/// Orthonormalises the columns in the states that count, in order (Gram and Schmidt). length[c] is the length
/// of the part of column c that is orthogonal to those before it; 0 if the column has vanished, exactly or,
/// where the motion `forgets` directions, up to rounding. All columns are those of states. False when there
/// are no derivatives, or an event is pending.
bool slip_sensitivity_orthonormalize(slip_sensitivity *t, const bool *counts, bool forgets, double *length);

// ---- sensitivity.c

/// The motion as it is now, with rates u.
void slip_sensitivity_save_slot(slip_sensitivity *t, double time, const double *u,
                                slip_sensitivity_slot *slot);

/// Sets t->contact_state to the present states of the elements.
void slip_sensitivity_read_contacts(slip_sensitivity *t);

/// Columns at the end of the step ahead into t->next, t->next_rate.
void slip_sensitivity_next_step(slip_sensitivity *t);

// ---- load_sensitivity.c

/// The load on which the friction limit of an element depends, from forces by row: N of its own contact or of
/// another one, or the load of a joint (slip_joint_load). 1 where the limit depends on no load.
double slip_sensitivity_load(const slip_sensitivity *t, const double *force, int element);

/// Its partial derivative with respect to the force of a row; its derivative along t->df at the current slot.
double slip_sensitivity_load_partial(const slip_sensitivity *t, const double *force, int element, int row);
double slip_sensitivity_load_change(const slip_sensitivity *t, int element);

// ---- slip_onset.c

void slip_sensitivity_onset_layout(slip_arena *arena, slip_sensitivity *t);

/// Whether the slip of an element in space is just beginning at a slot and has no speed yet; its direction is
/// slot->slip_direction.
bool slip_sensitivity_slip_begins(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int element);

/// Before a step is differentiated: slips that end with it store the derivative of their direction, which is
/// 0/0 at the end. The second function clears that afterwards.
void slip_sensitivity_find_ending_slips(slip_sensitivity *t);
void slip_sensitivity_clear_ending_slips(slip_sensitivity *t);

/// For the current slot: lists the elements whose slip begins there, with the derivatives of their slip
/// directions.
void slip_sensitivity_list_onsets(slip_sensitivity *t);

/// At an event (t->start_slot is the motion just after it): derivatives of the directions of the slips that
/// begin there, for columns x at the time of the event.
void slip_sensitivity_onset_directions(slip_sensitivity *t, const double *x);

/// Before the force balance: adds the derivative of the friction limits to t->da. After it: adds the
/// derivative of the slip directions to t->da and t->df.
void slip_sensitivity_add_limits(slip_sensitivity *t, int column, double dt, const double *dx);
void slip_sensitivity_turn_friction(slip_sensitivity *t, int column);

// ---- quaternion_sensitivity.c

/// Derivative of q' along (dq, du) at (q, u): du itself, except for quaternions (q' = H(q) u). dq may be
/// NULL, meaning 0.
void slip_sensitivity_velocity(slip_sensitivity *t, const double *q, const double *u, const double *dq,
                               const double *du, double *to);

/// dq behind a straight step of q by h v, v changing by dv, in which quaternions keep their lengths
/// (slip_system_move).
void slip_sensitivity_position_step(const slip_sensitivity *t, const double *q, double h, const double *v,
                                    const double *dv, double *dq);

// ---- record_sensitivity.c

/// Derivatives of `count` records along dx, at the slot in hand.
void slip_sensitivity_records(slip_sensitivity *t, int column, const double *dx, int count, double *to);

// ---- sensitivity_tapes.c

/// Compiles the tapes and finds the derivatives of numbers. False when out of memory.
bool slip_sensitivity_compile(slip_sensitivity *t);

// ---- number_derivatives.c

/// t->constants: how numbers of the model follow from parameters that decide what it is made of.
slip_status slip_sensitivity_constants(slip_sensitivity *t, const slip_sensitivity_origin *origin,
                                       slip_error *error);

/// t->number, t->start and t->until: by formulas, `ways` being along the inputs dp; by t->constants
/// elsewhere. False when out of memory.
bool slip_sensitivity_find_numbers(slip_sensitivity *t, const slip_derivative_direction *ways);

// ---- sensitivity_solve.c

/// Takes a slot in hand: what holds there, and its matrices. t->contact_state says how elements stand.
void slip_sensitivity_set_slot(slip_sensitivity *t, const slip_sensitivity_slot *slot);

/// Takes a slot in hand of which t, q, u and the terms are known: accelerations and forces of what holds.
void slip_sensitivity_solve_motion(slip_sensitivity *t, slip_sensitivity_slot *slot);

/// Runs a tape along the direction of a column (-1: the motion itself, dp = 0).
const double *slip_sensitivity_run_tape(slip_sensitivity *t, slip_sensitivity_tape level, int column,
                                        double dt, const double *dx);

/// Result k of a tape that was run.
double slip_sensitivity_result(const slip_sensitivity *t, slip_sensitivity_tape level, int k);

/// Solves M da - W df = (t->da as it is), G da = -bend into t->da, t->df.
void slip_sensitivity_solve_balance(slip_sensitivity *t, const double *bend);

/// t->da and t->df along a direction.
void slip_sensitivity_acceleration(slip_sensitivity *t, int column, double dt, const double *dx);

/// Rates of all columns x, which are on what is held.
void slip_sensitivity_rates(slip_sensitivity *t, const double *x, double *xdot);

/// dx on what is held.
void slip_sensitivity_project(slip_sensitivity *t, int column, double *dx);

// ---- nondifferentiable.c

/// Looks at the step that was taken for gaps that turn just before they close: there are no derivatives
/// behind one that cannot be distinguished from grazing.
void slip_sensitivity_check_grazing(slip_sensitivity *t);

/// m, gaps that the run cannot distinguish from zero.
double slip_sensitivity_grazing_gap(const slip_sensitivity *t);

/// Keeps how near to sticking came what slid through the step that was taken.
void slip_sensitivity_check_slides(slip_sensitivity *t);

/// Derivatives of both energies of the present state, per column.
void slip_sensitivity_energies(slip_sensitivity *t, int column, double *kinetic, double *potential);

/// Looks at an impact, and at what sticks or starts behind an event: whether a little more or less would have
/// been another event.
void slip_sensitivity_check_impact(slip_sensitivity *t);
void slip_sensitivity_check_stick(slip_sensitivity *t);

/// Looks at conditions that stay at their border: whether neighbours of the motion, which are beside it, move
/// in another way.
void slip_tangent_look_at_conditions(slip_sensitivity *t);

// ---- impact_sensitivity.c

/// Measures or carves, with d unknowns of a contact.
void slip_impact_sensitivity_layout(slip_arena *arena, slip_sensitivity *t, int d);

/// t->blow.du of the impact in t->hit; x are the columns at its time. Where a little more or less is another
/// impact there are no derivatives any more.
void slip_impact_sensitivity_find(slip_sensitivity *t, slip_rigid_impact *s, const double *x);

// ---- saltation.c

/// Change of a number of an element along a column.
double slip_sensitivity_number(const slip_sensitivity *t, int element, int which, int column);

/// At the end of a step with an event, before it happens: when it does.
void slip_sensitivity_event_time(slip_sensitivity *t);

/// What is known of an impact.
void slip_sensitivity_save_impact(slip_sensitivity *t);

/// The derivatives behind an event.
void slip_sensitivity_saltation(slip_sensitivity *t);

/// An event of a contact or a condition has happened at the present time, which moves by this.
void slip_sensitivity_set_event_time(slip_sensitivity *t, const double *dtau);

/// The motion of a slot as a direction, q' and u', into t->line.
void slip_sensitivity_slot_motion(slip_sensitivity *t, const slip_sensitivity_slot *slot);

/// Runs all that event functions ask for along a direction; then how event function k changes: of element
/// k/2 its gap or normal force (even) or slip or friction that is left (odd), behind them the switches.
void slip_sensitivity_run_event_tapes(slip_sensitivity *t, int column, double dt, const double *dx);
double slip_sensitivity_function_change(const slip_sensitivity *t, int k);

/// Whether t->event.dtau and t->event.dtau_other are the same.
bool slip_sensitivity_same_times(const slip_sensitivity *t);

/// What the impact t->hit, which is in hand, does to a column that moves with its time t->event.dtau.
void slip_sensitivity_impact(slip_sensitivity *t, int column, double *dx);

/// Says that there are none.
void slip_sensitivity_report_end(slip_sensitivity *t);

/// There are no derivatives from now on.
void slip_sensitivity_end(slip_sensitivity *t, const char *format, ...) SLIP_PRINTF(2, 3);

#endif
