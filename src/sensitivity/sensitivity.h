/// sensitivity/sensitivity.h: derivatives of a motion with events to parameters and to where it starts.
///
/// Between events the variational equations are integrated with the stages of the motion itself, and their
/// right-hand side is exact: with x = (q, u), accelerations a and forces f of what holds,
///     M a = h + W f,   G a + z = 0      =>      M da - W df = d(h - M a + W f),   G da = -d(G a + z)
/// where d on the right is the derivative of the formulas along (dt, dq, du, dp), a and f kept. At an event
/// g(t, x, p) = 0 the time moves by dtau = -dg/g', and
///     dx+ = dR(dtau, dx- + x'- dtau) - x'+ dtau
/// with R what the event does to the state (Leine, Nijmeijer 2004, chapter 7: saltation). What is held was
/// and stays held, so that dx is projected as x is.
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
    SLIP_SENS_STATIC_FRICTION,
    SLIP_SENS_SLIDE_LENGTH, ///< of a slide whose friction follows its force
    SLIP_SENS_NUMBER_COUNT
};

/// Tapes of derivatives along a direction.
typedef enum slip_sensitivity_tape {
    SLIP_SENS_POSITION,    ///< of constraints, then of gaps, by row
    SLIP_SENS_VELOCITY,    ///< of the rates of all rows
    SLIP_SENS_MOTION,      ///< of h - M a + W f, then of the accelerations G a + z of all rows
    SLIP_SENS_IMPACT,      ///< the same without h and z: a is a jump of the rates, f are impulses
    SLIP_SENS_EVENT,       ///< of gaps, of frictions, of switches; then the switches themselves
    SLIP_SENS_MODEL_EVENT, ///< of the margin of every event of the model, then of what each sets; then the
                           ///< margins themselves
    SLIP_SENS_GAP,         ///< no derivatives: gaps, then their rates
    SLIP_SENS_SAMPLE,      ///< of all that controllers take from the state
    SLIP_SENS_QUATERNION,  ///< of q' = H(q) u, where bodies turn in space
    SLIP_SENS_RECORD,      ///< of the recorded quantities, of both energies
    SLIP_SENS_BATCH,       ///< SLIP_SENS_MOTION along all columns at once, column by column
    SLIP_SENS_TAPE_COUNT
} slip_sensitivity_tape;

/// Where the inputs of the tapes stand.
typedef struct slip_sensitivity_inputs {
    int count, a, force, slide, dt, dq, du, dp, quantity;
    int batch; ///< 2 n per column, of SLIP_SENS_BATCH alone
} slip_sensitivity_inputs;

/// Stages of a step but the first, and its end.
enum { SLIP_SENS_SLOT_COUNT = SLIP_EVENT_STAGE_COUNT + 1 };

/// The motion at one stage: all that derivatives there need.
typedef struct slip_sensitivity_slot {
    double t;
    bool impulsive; ///< a is a jump of the rates, force are impulses
    double *q, *u, *a;
    double *v;              ///< q', which is u but where bodies turn in space
    double *slip_direction; ///< per element twice: of its slip, where that has two directions
    double *force;          ///< per row: of what is closed, of what sticks
    double *side;           ///< per condition that is locked
    slip_terms terms;       ///< a copy, without registers
} slip_sensitivity_slot;

/// How elements stand while a slot is looked at.
typedef struct slip_sens_contact_state {
    bool closed;
    double slide;
} slip_sens_contact_state;

/// An impact as its law has it, and how that changes (impact_sensitivity.c). Unknowns are d per contact, normal first.
typedef struct slip_impact_sensitivity {
    int d;
    double *W, *dW, *near_W;
    double *before, *dbefore, *near_before; ///< rates
    double *number, *dnumber, *near_number; ///< per contact: friction, both restitutions
    double *impulse, *dP, *after, *work, *scratch;
    unsigned char *path;
    double *Y;                              ///< what each impulse does to the rates, n numbers each
    double *hold;                           ///< constraints against it
    double *kept;                           ///< of the inputs
    double *own;                            ///< forces of t->hit
    slip_sens_contact_state *contact_state; ///< kept while the impact is looked at
    double *du;                             ///< per column: what the impact adds to its rates
    bool taken;                             ///< du is the impact in hand
} slip_impact_sensitivity;

typedef struct slip_sensitivity {
    slip_event_driven *m;           ///< that is followed; NULL: steps
    struct slip_sens_moreau *steps; ///< in its place, of a method that steps in time (sens_moreau.h)
    slip_event_observer observer;
    slip_method *base;
    slip_system *system, *form; ///< form: whose formulas are differentiated: the same, or that of the double
    const slip_terms *like;     ///< of the method, as slots are laid out
    const slip_switch *switch_list,
        *form_list; ///< conditions of formulas, `switches` of them; those of `form`
    int switches;
    double absolute, relative; ///< tolerances of the run
    int n, elements, rows;
    int column_count, parameter_count;
    slip_sensitivity_column *columns;

    bool flies;                    ///< a step in which nothing touches is one program: states, then columns
    slip_fused_sensitivity flight; ///< that
    bool batched;                  ///< there are so few columns that one tape serves them all
    slip_tape *tape[SLIP_SENS_TAPE_COUNT];
    double *reg[SLIP_SENS_TAPE_COUNT];
    slip_sensitivity_inputs in;
    double *input;  ///< in.count numbers, of the slot and direction in hand
    double *number; ///< per element, SLIP_SENS_NUMBER_COUNT each, parameter_count derivatives each
    double *start;  ///< per number of (q, u): parameter_count derivatives
    double *until;  ///< of the end of the run: parameter_count derivatives
    slip_constant_derivatives constants; ///< extras: states at the start, numbers of elements, end of the run

    slip_sensitivity_slot *ring[SLIP_SENS_SLOT_COUNT], *step[SLIP_SENS_SLOT_COUNT], start_slot, hit, seen;
    size_t flat_count; ///< numbers of slip_terms.flat
    long stages;
    const slip_sensitivity_slot *in_hand;
    slip_sens_contact_state *contact_state; ///< of the slot in hand
    int held;                               ///< rows of it that hold: constraints, normals, then what sticks
    int held_positions;                     ///< the first of them
    int *held_row;
    double *response;                  ///< M^-1 of each wrench, n numbers each
    double *G;                         ///< the rows, dense
    slip_lu_complete forces;           ///< G M^-1 W
    slip_lu_complete positions;        ///< G G' of the first held_positions
    slip_lu_complete velocities;       ///< G G'
    slip_lu_complete bilateral;        ///< J M^-1 J' of the constraints
    double *da, *df, *bend, *residual; ///< of one column
    double *line;                      ///< 2 n, scratch
    struct {
        int count, *element;
        double *Y, *force, *theta;
        bool *ends;   ///< per element: its slip ends with the step in hand
        double *kept; ///< theta of each element and column, as its last slip began
        slip_lu_complete turns;
    } begins;     ///< slips in space that begin at the slot in hand (slip_onset.c)
    double *push; ///< 2 n, the same of quaternion_sensitivity.c

    slip_ode_problem problem; ///< columns of (dq, du) one behind the other
    slip_integrator_work work;
    double *projected;                           ///< all columns at a stage
    double *x, *next, *next_rate, *within, *leg; ///< leg: 8 n, both ends of a step and their rates
    int stage;                                   ///< of the step in hand
    bool ahead;                                  ///< next and next_rate are the end of the step ahead
    bool settled;                                ///< x is of the present state, work.k[0] its rates

    // an event between two steps
    bool pending;         ///< it is due: dtau and at are known, what is behind it is not
    bool hits;            ///< in it rates have jumped
    bool reset;           ///< it is one of the model: x is what is behind it already
    double *dtau;         ///< per column
    double *at;           ///< per column: derivatives of the state just before it, at its own time
    double *state_before; ///< the state just before it
    double *behind;       ///< the same just after it
    double *dtau_other;
    int crossed;                        ///< the condition that it is due to; -1: none
    double crossing;                    ///< how fast the value of that rises before it
    const slip_sensitivity_slot *first; ///< the motion just before it
    double passed_at;                   ///< s, of the last event of a contact or a condition; NaN: none yet
    double *dtau_passed;                ///< of that
    slip_sens_contact_state *hit_contact_state;
    double *hit_e; ///< per row of the impact: restitution in force
    bool *plastic; ///< per row: it is 0 because impacts accumulate
    slip_impact_sensitivity blow;
    int value_count; ///< of all controllers: memory and outputs
    double *sampled; ///< per value: columns of what was taken last

    bool wants_divergence; ///< to be summed up on the way
    double divergence;     ///< integral of the divergence of the motion since the start
    double start_trace, step_trace, end_trace;
    bool held_ever;   ///< something was held since the start
    double least_gap; ///< m, of an open contact where it turns, since the start
    int least_element;
    double least_at;
    double least_strike; ///< m/s, of contacts that would have turned by themselves a little later
    double least_turn;   ///< of what turns: acceleration behind over that before, the least since the start
    double least_rest;   ///< of what comes to rest: friction that is left, of the limit
    double least_slide;  ///< m/s, of what slides, where that speed is least on the way and not zero

    struct {
        int element;         ///< that is grazed where derivatives end; -1: none
        double *change;      ///< per column: of the least gap
        double *coefficient; ///< per column and coordinate: of its rate, over the square root of the change
    } graze;

    bool begun, lost;
    double lost_at;   ///< s, from when on there are no derivatives
    char reason[200]; ///< why
    void *memory;
} slip_sensitivity;

/// Derivatives of a method to parameters and starts by name ("mu", "x", "x'"). SLIP_UNSUPPORTED when the
/// formulation or the model has none.
slip_status slip_sensitivity_create(slip_method *method, const slip_sensitivity_origin *origin,
                                    const char *const *names, int count, slip_error *error,
                                    slip_sensitivity **tangent);
void slip_sensitivity_destroy(slip_sensitivity *tangent);

/// Begins again where the method is now: every column of a state at 1 in that state, those of parameters at
/// 0.
void slip_sensitivity_restart(slip_sensitivity *tangent);

/// Of a row of the method, states and `records` records, column by column: of the present state, or of one
/// within the step ahead that the method was just asked for by a peek.
void slip_sensitivity_row(slip_sensitivity *t, double time, int records, double *row);

/// Event k of the model happens now, before the state is changed as it says.
void slip_sensitivity_model_event(slip_sensitivity *tangent, int k);

// ---- controller_sensitivity.c

/// Controllers take values from the present state, `count` of them from `first` on among those of all
/// controllers; and a value that was taken is put into a mode.
void slip_sensitivity_controller_sample(slip_sensitivity *t, int first, int count);
void slip_sensitivity_controller_output(slip_sensitivity *t, int value, int coordinate);

// ---- orthonormal_frame.c

/// Makes the columns orthonormal in the states that count, one behind the other (Gram and Schmidt): column c
/// is length[c] times longer across those before it than a unit. 0: it is not there any more, exactly or,
/// where the motion `forgets` directions, up to rounding. All columns are those of states. False when there
/// are no derivatives, or an event is due.
bool slip_sensitivity_orthonormalize(slip_sensitivity *t, const bool *counts, bool forgets, double *length);

// ---- sensitivity.c

/// The motion as it is now, with rates u.
void slip_sensitivity_save_slot(slip_sensitivity *t, double time, const double *u,
                                slip_sensitivity_slot *slot);

/// t->contact_state as the elements stand now.
void slip_sensitivity_read_contacts(slip_sensitivity *t);

/// Columns at the end of the step ahead into t->next, t->next_rate.
void slip_sensitivity_next_step(slip_sensitivity *t);

// ---- load_sensitivity.c

/// The force that the limit of an element's friction follows, of forces by row: N of its contact or of
/// another, of a joint as slip_joint_load. 1 where it follows none.
double slip_sensitivity_load(const slip_sensitivity *t, const double *force, int element);

/// What it changes by with the force of a row; along the direction of t->df, at the slot in hand.
double slip_sensitivity_load_partial(const slip_sensitivity *t, const double *force, int element, int row);
double slip_sensitivity_load_change(const slip_sensitivity *t, int element);

// ---- slip_onset.c

void slip_sensitivity_onset_layout(slip_arena *arena, slip_sensitivity *t);

/// Whether the slip of an element that slides in space has no speed yet at a slot: slot->slip_direction is its way.
bool slip_sensitivity_slip_begins(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int element);

/// Before a step is followed: slips that end with it keep how their ways change; and afterwards.
void slip_sensitivity_find_ending_slips(slip_sensitivity *t);
void slip_sensitivity_clear_ending_slips(slip_sensitivity *t);

/// At the slot in hand: those elements, and how their ways turn.
void slip_sensitivity_list_onsets(slip_sensitivity *t);

/// At an event, behind which t->start_slot is: how the ways turn of what begins there, for columns x at its
/// time.
void slip_sensitivity_onset_directions(slip_sensitivity *t, const double *x);

/// Before a balance, of their limits into t->da; behind it, of their ways into t->da and t->df.
void slip_sensitivity_add_limits(slip_sensitivity *t, int column, double dt, const double *dx);
void slip_sensitivity_turn_friction(slip_sensitivity *t, int column);

// ---- quaternion_sensitivity.c

/// What q' changes by along (dq, du) at (q, u): du, but where bodies turn in space. dq NULL: 0.
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
void slip_impact_sensitivity_find(slip_sensitivity *t, const slip_rigid_impact *s, const double *x);

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
double slip_sensitivity_function_change(const slip_sensitivity *t, int k, int column);

/// Whether t->dtau and t->dtau_other are the same.
bool slip_sensitivity_same_times(const slip_sensitivity *t);

/// What the impact t->hit, which is in hand, does to a column that moves with its time t->dtau.
void slip_sensitivity_impact(slip_sensitivity *t, int column, double *dx);

/// Says that there are none.
void slip_sensitivity_report_end(slip_sensitivity *t);

/// There are no derivatives from now on.
void slip_sensitivity_end(slip_sensitivity *t, const char *format, ...) SLIP_PRINTF(2, 3);

#endif
