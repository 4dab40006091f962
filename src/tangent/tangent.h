/// tangent/tangent.h: derivatives of a motion with events to parameters and to where it starts.
///
/// Between events the variational equations are integrated with the stages of the motion itself, and their
/// right-hand side is exact: with x = (q, u), accelerations a and forces f of what holds,
///     M a = h + W f,   G a + z = 0      =>      M da - W df = d(h - M a + W f),   G da = -d(G a + z)
/// where d on the right is the derivative of the formulas along (dt, dq, du, dp), a and f kept. At an event
/// g(t, x, p) = 0 the time moves by dtau = -dg/g', and
///     dx+ = dR(dtau, dx- + x'- dtau) - x'+ dtau
/// with R what the event does to the state (Leine, Nijmeijer 2004, chapter 7: saltation). What is held was
/// and stays held, so that dx is projected as x is.
#ifndef SLIP_TANGENT_TANGENT_H
#define SLIP_TANGENT_TANGENT_H

#include "event/event_driven.h"
#include "tangent/constants.h"
#include "tangent/march.h"
#include "tangent/pivots.h"

/// Numbers of an element that follow from parameters, each with its derivatives.
enum {
    SLIP_TANGENT_RESTITUTION,
    SLIP_TANGENT_RESTITUTION_T,
    SLIP_TANGENT_AT_REST,
    SLIP_TANGENT_LENGTH, ///< of a slide whose friction follows its force
    SLIP_TANGENT_NUMBERS
};

/// Tapes of derivatives along a direction.
typedef enum slip_tangent_level {
    SLIP_TANGENT_POSITION, ///< of constraints, then of gaps, by row
    SLIP_TANGENT_VELOCITY, ///< of the rates of all rows
    SLIP_TANGENT_MOTION,   ///< of h - M a + W f, then of the accelerations G a + z of all rows
    SLIP_TANGENT_STRIKE,   ///< the same without h and z: a is a jump of the rates, f are impulses
    SLIP_TANGENT_EVENT,    ///< of gaps, of frictions, of switches; then the switches themselves
    SLIP_TANGENT_WHEN,     ///< of the margin of every event of the model, then of what each sets; then the
                           ///< margins themselves
    SLIP_TANGENT_GAP,      ///< no derivatives: gaps, then their rates
    SLIP_TANGENT_SAMPLE,   ///< of all that controllers take from the state
    SLIP_TANGENT_TURN,     ///< of q' = H(q) u, where bodies turn in space
    SLIP_TANGENT_RECORD,   ///< of the recorded quantities, of both energies
    SLIP_TANGENT_BATCH,    ///< SLIP_TANGENT_MOTION along all columns at once, column by column
    SLIP_TANGENT_LEVELS
} slip_tangent_level;

/// Where the inputs of the tapes stand.
typedef struct slip_tangent_inputs {
    int count, a, force, slide, dt, dq, du, dp, quantity;
    int batch; ///< 2 n per column, of SLIP_TANGENT_BATCH alone
} slip_tangent_inputs;

/// Stages of a step but the first, and its end.
enum { SLIP_TANGENT_SLOTS = SLIP_EVENT_STAGES + 1 };

/// The motion at one stage: all that derivatives there need.
typedef struct slip_tangent_slot {
    double t;
    bool impulsive; ///< a is a jump of the rates, force are impulses
    double *q, *u, *a;
    double *v;        ///< q', which is u but where bodies turn in space
    double *way;      ///< per element twice: of its slip, where that has two directions
    double *force;    ///< per row: of what is closed, of what sticks
    double *side;     ///< per condition that is locked
    slip_terms terms; ///< a copy, without registers
} slip_tangent_slot;

/// How elements stand while a slot is looked at.
typedef struct slip_tangent_stance {
    bool closed;
    double slide;
} slip_tangent_stance;

/// An impact as its law has it, and how that changes (blow.c). Unknowns are d per contact, normal first.
typedef struct slip_tangent_blow {
    int d;
    double *W, *dW, *near_W;
    double *before, *dbefore, *near_before; ///< rates
    double *number, *dnumber, *near_number; ///< per contact: friction, both restitutions
    double *impulse, *dP, *after, *work, *scratch;
    unsigned char *path;
    double *Y;                   ///< what each impulse does to the rates, n numbers each
    double *hold;                ///< constraints against it
    double *kept;                ///< of the inputs
    double *own;                 ///< forces of t->hit
    slip_tangent_stance *stance; ///< kept while the impact is looked at
    double *du;                  ///< per column: what the impact adds to its rates
    bool taken;                  ///< du is the impact in hand
} slip_tangent_blow;

typedef struct slip_tangent {
    slip_event_driven *m;     ///< that is followed; NULL: steps
    struct slip_steps *steps; ///< in its place, of a method that steps in time (steps.h)
    slip_event_follower follower;
    slip_method *base;
    slip_system *system, *form; ///< form: whose formulas are differentiated: the same, or that of the double
    const slip_terms *like;     ///< of the method, as slots are laid out
    const slip_switch *switch_list,
        *form_list; ///< conditions of formulas, `switches` of them; those of `form`
    int switches;
    double absolute, relative; ///< tolerances of the run
    int n, elements, rows;
    int column_count, parameter_count;
    slip_tangent_column *columns;

    bool flies;        ///< a step in which nothing touches is one program: states, then columns
    slip_march flight; ///< that
    bool batched;      ///< there are so few columns that one tape serves them all
    slip_tape *tape[SLIP_TANGENT_LEVELS];
    double *reg[SLIP_TANGENT_LEVELS];
    slip_tangent_inputs in;
    double *input;            ///< in.count numbers, of the slot and direction in hand
    double *number;           ///< per element, SLIP_TANGENT_NUMBERS each, parameter_count derivatives each
    double *start;            ///< per number of (q, u): parameter_count derivatives
    double *until;            ///< of the end of the run: parameter_count derivatives
    slip_constants constants; ///< extras: states at the start, numbers of elements, end of the run

    slip_tangent_slot *ring[SLIP_TANGENT_SLOTS], *step[SLIP_TANGENT_SLOTS], start_slot, hit, seen;
    size_t flat_count; ///< numbers of slip_terms.flat
    long stages;
    const slip_tangent_slot *in_hand;
    slip_tangent_stance *stance; ///< of the slot in hand
    int held;                    ///< rows of it that hold: constraints, normals, then what sticks
    int held_positions;          ///< the first of them
    int *held_row;
    double *response;                  ///< M^-1 of each wrench, n numbers each
    double *G;                         ///< the rows, dense
    slip_pivots forces;                ///< G M^-1 W
    slip_pivots positions;             ///< G G' of the first held_positions
    slip_pivots velocities;            ///< G G'
    slip_pivots bilateral;             ///< J M^-1 J' of the constraints
    double *da, *df, *bend, *residual; ///< of one column
    double *line;                      ///< 2 n, scratch
    struct {
        int count, *element;
        double *Y, *force, *theta;
        bool *ends;   ///< per element: its slip ends with the step in hand
        double *kept; ///< theta of each element and column, as its last slip began
        slip_pivots turns;
    } begins;     ///< slips in space that begin at the slot in hand (begin.c)
    double *push; ///< 2 n, the same of turn.c

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
    int crossed;                    ///< the condition that it is due to; -1: none
    double crossing;                ///< how fast the value of that rises before it
    const slip_tangent_slot *first; ///< the motion just before it
    double passed_at;               ///< s, of the last event of a contact or a condition; NaN: none yet
    double *dtau_passed;            ///< of that
    slip_tangent_stance *hit_stance;
    double *hit_e; ///< per row of the impact: restitution in force
    bool *plastic; ///< per row: it is 0 because impacts accumulate
    slip_tangent_blow blow;
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
} slip_tangent;

/// Derivatives of a method to parameters and starts by name ("mu", "x", "x'"). SLIP_UNSUPPORTED when the
/// formulation or the model has none.
slip_status slip_tangent_create(slip_method *method, const slip_tangent_origin *origin,
                                const char *const *names, int count, slip_error *error,
                                slip_tangent **tangent);
void slip_tangent_destroy(slip_tangent *tangent);

/// Begins again where the method is now: every column of a state at 1 in that state, those of parameters at
/// 0.
void slip_tangent_restart(slip_tangent *tangent);

/// Of a row of the method, states and `records` records, column by column: of the present state, or of one
/// within the step ahead that the method was just asked for by a peek.
void slip_tangent_row(slip_tangent *t, double time, int records, double *row);

/// Event k of the model happens now, before the state is changed as it says.
void slip_tangent_happen(slip_tangent *tangent, int k);

// ---- sampled.c

/// Controllers take values from the present state, `count` of them from `first` on among those of all
/// controllers; and a value that was taken is put into a mode.
void slip_tangent_sample(slip_tangent *t, int first, int count);
void slip_tangent_put(slip_tangent *t, int value, int coordinate);

// ---- frame.c

/// Makes the columns orthonormal in the states that count, one behind the other (Gram and Schmidt): column c
/// is length[c] times longer across those before it than a unit. 0: it is not there any more, exactly or,
/// where the motion `forgets` directions, up to rounding. All columns are those of states. False when there
/// are no derivatives, or an event is due.
bool slip_tangent_orthonormalize(slip_tangent *t, const bool *counts, bool forgets, double *length);

// ---- tangent.c

/// The motion as it is now, with rates u.
void slip_tangent_keep(slip_tangent *t, double time, const double *u, slip_tangent_slot *slot);

/// t->stance as the elements stand now.
void slip_tangent_stand(slip_tangent *t);

/// Columns at the end of the step ahead into t->next, t->next_rate.
void slip_tangent_go_ahead(slip_tangent *t);

// ---- follow.c

/// The force that the limit of an element's friction follows, of forces by row: N of its contact or of
/// another, of a joint as slip_loads_of_joint. 1 where it follows none.
double slip_tangent_load(const slip_tangent *t, const double *force, int element);

/// What it changes by with the force of a row; along the direction of t->df, at the slot in hand.
double slip_tangent_load_by(const slip_tangent *t, const double *force, int element, int row);
double slip_tangent_load_change(const slip_tangent *t, int element);

// ---- begin.c

void slip_tangent_begin_layout(slip_arena *arena, slip_tangent *t);

/// Whether the slip of an element that slides in space has no speed yet at a slot: slot->way is its way.
bool slip_tangent_begins(const slip_tangent *t, const slip_tangent_slot *slot, int element);

/// Before a step is followed: slips that end with it keep how their ways change; and afterwards.
void slip_tangent_look_at_ends(slip_tangent *t);
void slip_tangent_forget_ends(slip_tangent *t);

/// At the slot in hand: those elements, and how their ways turn.
void slip_tangent_list_beginning(slip_tangent *t);

/// At an event, behind which t->start_slot is: how the ways turn of what begins there, for columns x at its
/// time.
void slip_tangent_find_ways(slip_tangent *t, const double *x);

/// Before a balance, of their limits into t->da; behind it, of their ways into t->da and t->df.
void slip_tangent_add_limits(slip_tangent *t, int column, double dt, const double *dx);
void slip_tangent_turn_friction(slip_tangent *t, int column);

// ---- turn.c

/// What q' changes by along (dq, du) at (q, u): du, but where bodies turn in space. dq NULL: 0.
void slip_tangent_turn(slip_tangent *t, const double *q, const double *u, const double *dq, const double *du,
                       double *to);

/// dq behind a straight step of q by h v, v changing by dv, in which quaternions keep their lengths
/// (slip_system_move).
void slip_tangent_step(const slip_tangent *t, const double *q, double h, const double *v, const double *dv,
                       double *dq);

// ---- rows.c

/// Derivatives of `count` records along dx, at the slot in hand.
void slip_tangent_derive_records(slip_tangent *t, int column, const double *dx, int count, double *to);

// ---- code.c

/// Compiles the tapes and finds the derivatives of numbers. False when out of memory.
bool slip_tangent_compile(slip_tangent *t);

// ---- numbers.c

/// t->constants: how numbers of the model follow from parameters that decide what it is made of.
slip_status slip_tangent_constants(slip_tangent *t, const slip_tangent_origin *origin, slip_error *error);

/// t->number, t->start and t->until: by formulas, `ways` being along the inputs dp; by t->constants
/// elsewhere. False when out of memory.
bool slip_tangent_numbers(slip_tangent *t, const slip_ways *ways);

// ---- solve.c

/// Takes a slot in hand: what holds there, and its matrices. t->stance says how elements stand.
void slip_tangent_take(slip_tangent *t, const slip_tangent_slot *slot);

/// Takes a slot in hand of which t, q, u and the terms are known: accelerations and forces of what holds.
void slip_tangent_find_motion(slip_tangent *t, slip_tangent_slot *slot);

/// Runs a tape along the direction of a column (-1: the motion itself, dp = 0).
const double *slip_tangent_along(slip_tangent *t, slip_tangent_level level, int column, double dt,
                                 const double *dx);

/// Result k of a tape that was run.
double slip_tangent_result(const slip_tangent *t, slip_tangent_level level, int k);

/// Solves M da - W df = (t->da as it is), G da = -bend into t->da, t->df.
void slip_tangent_balance(slip_tangent *t, const double *bend);

/// t->da and t->df along a direction.
void slip_tangent_accelerate(slip_tangent *t, int column, double dt, const double *dx);

/// Rates of all columns x, which are on what is held.
void slip_tangent_rates(slip_tangent *t, const double *x, double *xdot);

/// dx on what is held.
void slip_tangent_project(slip_tangent *t, int column, double *dx);

// ---- borders.c

/// Looks at the step that was taken for gaps that turn just before they close: there are no derivatives
/// behind one that cannot be distinguished from grazing.
void slip_tangent_look_at_gaps(slip_tangent *t);

/// m, gaps that the run cannot distinguish from zero.
double slip_tangent_small_gap(const slip_tangent *t);

/// Keeps how near to sticking came what slid through the step that was taken.
void slip_tangent_look_at_slides(slip_tangent *t);

/// Derivatives of both energies of the present state, per column.
void slip_tangent_energies(slip_tangent *t, int column, double *kinetic, double *potential);

/// Looks at an impact, and at what sticks or starts behind an event: whether a little more or less would have
/// been another event.
void slip_tangent_look_at_strike(slip_tangent *t);
void slip_tangent_look_at_stick(slip_tangent *t);

/// Looks at conditions that stay at their border: whether neighbours of the motion, which are beside it, move
/// in another way.
void slip_tangent_look_at_conditions(slip_tangent *t);

// ---- blow.c

/// Measures or carves, with d unknowns of a contact.
void slip_tangent_blow_layout(slip_arena *arena, slip_tangent *t, int d);

/// t->blow.du of the impact in t->hit; x are the columns at its time. Where a little more or less is another
/// impact there are no derivatives any more.
void slip_tangent_take_blow(slip_tangent *t, const slip_striker *s, const double *x);

// ---- events.c

/// Change of a number of an element along a column.
double slip_tangent_number(const slip_tangent *t, int element, int which, int column);

/// At the end of a step with an event, before it happens: when it does.
void slip_tangent_time_event(slip_tangent *t);

/// What is known of an impact.
void slip_tangent_keep_strike(slip_tangent *t);

/// The derivatives behind an event.
void slip_tangent_pass_event(slip_tangent *t);

/// An event of a contact or a condition has happened at the present time, which moves by this.
void slip_tangent_note_time(slip_tangent *t, const double *dtau);

/// The motion of a slot as a direction, q' and u', into t->line.
void slip_tangent_take_motion(slip_tangent *t, const slip_tangent_slot *slot);

/// Runs all that event functions ask for along a direction; then how event function k changes: of element
/// k/2 its gap or normal force (even) or slip or friction that is left (odd), behind them the switches.
void slip_tangent_run_along(slip_tangent *t, int column, double dt, const double *dx);
double slip_tangent_change_of(const slip_tangent *t, int k, int column);

/// Whether t->dtau and t->dtau_other are the same.
bool slip_tangent_same_times(const slip_tangent *t);

/// What the impact t->hit, which is in hand, does to a column that moves with its time t->dtau.
void slip_tangent_strike(slip_tangent *t, int column, double *dx);

/// Says that there are none.
void slip_tangent_tell(slip_tangent *t);

/// There are no derivatives from now on.
void slip_tangent_lose(slip_tangent *t, const char *format, ...) SLIP_PRINTF(2, 3);

#endif
