/// formulation/moreau/moreau.h: Moreau's midpoint rule for mechanisms with impacts (Flores 2010), internal
/// header.
///
/// One step from (t, q_A, u_A) to (t + dt, q_E, u_E), eqs 36-44:
///     q_M = q_A + dt/2 u_A                     midpoint, at t + dt/2
///     H = { i : g_N,i(q_M) <= 0 }              contacts that may push; frictions without a gap always do
///     M (u_E - u_A) = h dt + sum_H w P + J' L  M, h, w, J at the midpoint, h with u_A
///     xi = gamma_E + eps gamma_A               gamma = w u + drift, eps normal and tangential
///     0 <= P_N _|_ xi_N >= 0,   xi_T in N_C(-P_T), C = { |z| <= mu P_N }    (42), (43) after the errata
///     J u_E + drift = 0                        bilateral constraints
///     q_E = q_M + dt/2 u_E
///
/// That is the scheme as printed, `run.substeps: 1`. Otherwise a step is made of internal ones,
/// moreau_substepping.c:
///     - forces with the velocity of the midpoint, and rates of gaps and constraints at the end of the
///     internal
///       step, w u_E + drift + dt/2 z: of second order between events, and nothing sinks into what curves;
///     - contacts that are closed take part, with restitution 0; a gap that closes on the way is located, the
///       internal step ends there, and the strike is a problem of its own in which no time passes;
///     - internal steps are as short as the accelerations ask for, and end where conditions on t change.
///
/// Every active element is one block (N, T) or (N, T1, T2) of a Coulomb problem of contact_problem.h, so that
/// every solver takes every model. What an element does not have is filled in without changing it:
///     frictionless contact    a tangent of its own that nothing drives, mu = 0
///     known limit F           a normal of its own that carries F dt exactly, mu = 1
///     one slip beside two     a second tangent that nothing drives
/// Bilateral constraints are eliminated from the Delassus matrix first.
#ifndef SLIP_FORMULATION_MOREAU_MOREAU_H
#define SLIP_FORMULATION_MOREAU_MOREAU_H

#include "dynamics/contact/load_dependent_friction.h"
#include "verdict/monitor/verdict_monitor.h"
#include "dynamics/contact/rigid_impact.h"
#include "formulation/method.h"
#include "slipstick/solver.h"
#include "formulation/moreau/moreau_problem.h"
#include "dynamics/force_discontinuity.h"
#include "dynamics/fused_midpoint.h"
#include "dynamics/narrow_features.h"
#include "dynamics/step_scan.h"
#include "dynamics/system.h"

/// What is kept up with: positions by a projection at the end of each step.
typedef enum slip_moreau_projection {
    SLIP_PROJECT_NONE,
    SLIP_PROJECT_CONSTRAINTS,
    SLIP_PROJECT_ALL
} slip_moreau_projection;

/// What an internal step goes on from, beside the state.
typedef struct slip_moreau_history {
    double *warm;         ///< 3 per element: impulses of the last contact problem
    double warm_length;   ///< s, over which they pushed
    double *gap;          ///< per element: m
    double *level;        ///< per element: m, <= 0: where a contact is held that started inside, or jumped
    double *leaving;      ///< per element: m/s, rate of a gap that a strike opened; 0 where none did
    double *back;         ///< per element: s, after which such a gap closes again
    double *load;         ///< of limits that follow forces, N: what the next solution is looked for from
    double *a, *a_before; ///< n: accelerations of the last two internal steps without an event
    double span, span_before; ///< s, their lengths
    int known;                ///< how many of the two there are
    double substep_length;    ///< s, length of an internal step that accuracy asks for
    int calm;                 ///< internal steps in a row that could have been longer
    double rough;             ///< s, for which an event is still near
    int substeps, strikes;    ///< taken since the step began
    int borders;              ///< met since the step began
} slip_moreau_history;

/// A step and what it found; between its internal steps, the state so far. Arrays per element have 1, 2 or 3
/// numbers each, as said.
typedef struct slip_moreau_step {
    double length;
    double *x;                     ///< q_E, u_E
    double *impulse;               ///< 3: P_N, P_T1, P_T2, N s
    double *slip;                  ///< 2: slip velocity at the end
    double *limit;                 ///< largest friction impulse, N s
    double *approach;              ///< m/s, of contacts that were struck; NaN otherwise
    unsigned char *mode;           ///< SLIP_MODE_*
    unsigned char *state;          ///< slip_moreau_state
    double work, friction, impact; ///< J, of this step
    double gained;                 ///< J, what impulses added in total; 0 when they took
    double residual;
    int rescued;       ///< solves in which the chosen solver fell short and another answered
    double *depth;     ///< per element: m, penetration at the midpoint; 0 where nothing touches
    int jumped;        ///< element whose depth no speed explains: its gap jumped; -1
    double deepest;    ///< m, largest penetration at the midpoint
    double projected;  ///< m, largest violation that the projection removed
    double projection; ///< J, energy change by the projection, <= 0
    bool idle;         ///< nothing pushed: impulses, limits and depths are all 0
    size_t handed_on;  ///< bytes from x on: what the next step goes on from
    slip_moreau_history history;
} slip_moreau_step;

/// What the length of internal steps is chosen by; n numbers each.
typedef struct slip_moreau_step_control {
    double *fastest, *hardest;   ///< largest |u| and |u'| of the run so far
    double *speed, *pull, *bend; ///< |u|, |u'| and |u'''| of the internal step in hand
    double *inertia;             ///< M_ii
} slip_moreau_step_control;

/// Contacts at once above which a strike is one of many, and not worth its last digits.
enum { SLIP_MOREAU_MANY_CONTACTS = 12 };

/// Unknowns up to which states are solved for as dense equations.
enum { SLIP_MOREAU_MAX_DENSE_UNKNOWNS = 48 };

enum { SLIP_MOREAU_MAX_SOLVERS = 4, SLIP_MOREAU_MEASURE_COUNT = 8 };

/// A gap that closes on the way of an internal step.
typedef struct slip_moreau_gap_closing {
    int element;  ///< -1: no open gap closes
    double after; ///< s, from the start of the internal step
    double slope; ///< m/s, of its gap there
    double depth; ///< m, there
    bool jumps;   ///< the gap does
} slip_moreau_gap_closing;

/// Someone who goes along with the internal steps, for derivatives of them. Between begin and end a step is
/// made, or looked at; one that was made arrives.
typedef struct slip_moreau_observer {
    void *context;
    void (*begin)(void *context);
    /// An internal step from (t, step->x) over dt to m->trial.x, while m->problem is its.
    void (*taken)(void *context, double t, double dt, const slip_moreau_step *step);
    void (*touched)(void *context, double t, const slip_moreau_gap_closing *touch,
                    const slip_moreau_step *step);
    /// A strike from the rates in step->x to u_end, while m->problem is its.
    void (*struck)(void *context, double t, const slip_moreau_step *step, const double *u_end);
    /// Forces jump or bend at the end of the internal step.
    void (*border)(void *context, double t, const slip_moreau_step *step);
    void (*end)(void *context);
    void (*arrived)(void *context);
} slip_moreau_observer;

typedef struct slip_moreau {
    slip_method base;
    const slip_moreau_observer *observer; ///< NULL: nobody
    slip_system *system;
    slip_fused_midpoint *fused; ///< internal steps as programs, or flights as printed; NULL: none
    slip_terms terms;
    slip_time_schedule timetable;    ///< what the time alone does; empty with one substep
    slip_force_discontinuity border; ///< where forces and frictions jump along the motion; the same
    slip_narrow_features narrow;     ///< smooth forces that act on a short way; the same
    int n, d, most;                  ///< coordinates; unknowns per block; largest number of blocks
    bool always;                     ///< constraints or frictions: rows are needed in every step
    bool holds;                      ///< something has a larger friction at rest
    bool driven;                     ///< generalised forces do work
    bool keeps_matrices, guesses;    ///< what is not left out, see symbolic/graph/caches.h
    slip_moreau_projection projection;
    double tolerance; ///< of velocities, per internal step
    int max_substeps; ///< internal steps of a step at the most; 1: the scheme as printed

    int solver_count;
    const slip_solver
        *solver[SLIP_MOREAU_MAX_SOLVERS];     ///< the chosen one, then what answers when it falls short
    int solver_most[SLIP_MOREAU_MAX_SOLVERS]; ///< largest number of blocks each is asked for
    slip_solve_options options;
    double crowd_tolerance; ///< of crowds in space, in the place of options.tolerance
    void *solver_work;

    slip_moreau_step last, next, aside; ///< behind the present state, being made, for peeking
    double *middle, *mean;              ///< q_M; (u_A + u_E) / 2
    double *on_way;                     ///< q at some time of an internal step
    double *left;                       ///< with constraints: q, u as the last step left them; NaN: none did
    slip_moreau_problem problem;
    slip_rigid_impact rigid_impact; ///< strikes by other laws than the one in the step
    double impact_t;                ///< s, of the strike in hand, and
    const double *impact_q;         ///< where it happens
    struct {
        double *x, *mid; ///< q_E, u_E; u_M
        double *gap_mid, *gap_end;
    } trial;          ///< an internal step that is not taken yet
    double *swept;    ///< gaps on the way, slip_moreau_time_of_impact.c
    double *turnover; ///< n: what forces and impulses of the problem in hand do to u, without signs
    slip_moreau_step_control step_control;
    slip_friction_loads loads; ///< of limits that follow forces
    bool joints;               ///< some follow those of joints
    double *joint_force;       ///< per constraint: N, scratch of the same
    double *sliding;    ///< per element: friction of sliding while that at rest stands in the terms, else NaN
    bool *closed;       ///< per element: takes part in the contact problem of an internal step
    unsigned char *was; ///< per element: its state before the problem in hand
    struct {
        double *q, *u, *g, *lambda, *Y, *S, *shift;
        int *row;
        bool *tied; ///< per row: kept at zero, not only above
    } project;
    double step;      ///< s, as set
    double rounding;  ///< part of the largest entry of a row below which others are left out of Y and W
    double *strength; ///< per element, m/s^2: an acceleration that forces like those at the start can make,
                      ///< or of the run where nothing presses then
    double until;     ///< s, of the run
    double *slack;    ///< per element, m: gaps below this are closed; a matter of rounding
    bool fresh, was_active;
    bool plain;                ///< nothing but contacts and smooth forces: steps may be calm
    int restless;              ///< steps until a calm one is tried again
    slip_warning *gain;        ///< on the first step that created energy
    double unsolved;           ///< residual of the last solver that fell short
    bool due;                  ///< the present rates strike, or jump: before any time passes
    bool jumps;                ///< the present rates break a constraint: the next step makes them jump
    slip_warning **not_unique; ///< per element, once its force was found to be one of many
    slip_constant measures[SLIP_MOREAU_MEASURE_COUNT];
    slip_verdict_monitor monitor;         ///< whether to believe it
    bool *touching;                       ///< per element, of a verdict
    slip_compliant_constants *compliance; ///< per element, to judge by
    void *memory;
} slip_moreau;

/// Whether the problem in hand is a strike.
static inline bool slip_moreau_is_impact(const slip_moreau *m)
{
    return m->problem.law >= SLIP_MOREAU_IMPACT;
}

/// Whether it is solved by the laws of its contacts, apart from the contact problem of a step.
static inline bool slip_moreau_by_impact_law(const slip_moreau *m)
{
    return slip_moreau_is_impact(m) && (m->rigid_impact.asked || m->loads.count > 0);
}

/// Whether block b slides in the states that are solved for.
static inline bool slip_moreau_is_sliding(const slip_moreau *m, int b)
{
    return m->problem.state[b] >= SLIP_STATE_FORWARD;
}

/// The larger of two finite numbers; fmax minds NaN and is a call.
static inline double slip_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline bool slip_all_finite(const double *x, int count)
{
    double sum = 0.0; // 0 * x is 0 for every finite number and NaN for the rest
    for (int k = 0; k < count; k++) sum += 0.0 * x[k];
    return sum == 0.0;
}

// ---- moreau.c

extern const slip_method_ops slip_moreau_ops;

/// The method as a time-stepping one with contacts that are written down; NULL when it is another.
slip_moreau *slip_moreau_of(slip_method *method);

// ---- moreau_archive.c

/// For slip_method_ops.
void slip_moreau_archive(slip_method *method, slip_archive *archive);

// ---- moreau_create.c

/// For slip_method_ops.
void slip_moreau_destroy(slip_method *method);

/// The workspace, laid out once more: `copy` of the method has every pointer as it was at first.
void slip_moreau_archive_memory(slip_moreau *copy, slip_archive *archive);

// ---- moreau_problem.c

/// u_A + M^-1 h dt into problem.free.
void slip_moreau_free_velocity(slip_moreau *m, double dt, const double *u);

/// Friction at rest into the present terms: of what sticks as the step begins; of what turns back in the
/// problem just solved, whether there is any.
void slip_moreau_use_static_friction(slip_moreau *m, const slip_moreau_step *step);
bool slip_moreau_hold_reversed(slip_moreau *m);

/// Friction of sliding back into the terms.
void slip_moreau_use_kinetic_friction(slip_moreau *m);

/// Matrices and factors that are kept stand for nothing from here on.
void slip_moreau_forget(slip_moreau_problem *problem);

/// Active elements, Delassus matrix and right-hand side, from the present terms.
void slip_moreau_assemble(slip_moreau *m, slip_moreau_problem_kind law, double dt, const double *u);

/// m/s: a change of the rate of a block's gap that forces alone may make in the time of the problem, a step
/// for a strike; those that act along other contacts included.
double slip_moreau_smooth_rate_change(const slip_moreau *m, int block);

/// m/s: a rate of a block's gap that forces and rounding explain.
double slip_moreau_rate_tolerance(const slip_moreau *m, int block);

// ---- moreau_load_friction.c

/// N s, of constraint a: what it takes without contacts, and what it takes from their impulses.
double slip_moreau_constraint_impulse(const slip_moreau *m, int a);

/// Whether a friction without a gap takes part in an impact: its limit follows an impulse of it.
bool slip_moreau_follows_impulse(const slip_moreau *m, int e);

/// N or N m, largest force of a friction without a gap, by the loads in force.
double slip_moreau_friction_limit(const slip_moreau *m, int e);

/// Loads in force: those that the step goes on from.
void slip_moreau_restore_loads(slip_moreau *m, const slip_moreau_step *step);

/// After a solution: whether its loads are those in force; else others are, and it has to be assembled and
/// solved again.
slip_load_iteration slip_moreau_iterate_loads(slip_moreau *m, slip_moreau_step *step);

// ---- moreau_linear_equations.c

/// Unknowns of the states of the blocks, into problem.unknown; their number.
int slip_moreau_list_unknowns(slip_moreau *m);

/// Their values, as impulses r, and w = W r + q; `scale` is the largest |q|. False: they have none.
bool slip_moreau_solve_equations(slip_moreau *m, int count, double scale);

// ---- moreau_least_norm.c

/// The factor of count equations for impulses of least norm, G as scratch. False: there is none.
bool slip_moreau_factor_least_norm(slip_moreau_factor *factor, int count, double *G);

/// These impulses into problem.x, rates into problem.rest.
void slip_moreau_least_norm(slip_moreau *m, int count, double scale);

// ---- moreau_active_set.c

/// r and w in the states of the last step, true when they obey the law to rounding; newcomers slide as they
/// do now.
bool slip_moreau_try_last_active_set(slip_moreau *m, const slip_moreau_step *from, double *residual);

/// The same in the states that r and w have.
bool slip_moreau_refine_active_set(slip_moreau *m, double *residual);

// ---- moreau_solve.c

/// The last impulses, scaled to the length of the problem in hand, into r.
void slip_moreau_warm_start(slip_moreau *m, const slip_moreau_step *from, double *r);

/// What block b does in the solution r, w.
slip_moreau_state slip_moreau_state_of(const slip_moreau *m, int b);

/// Impulses r of the assembled problem, with states and impulses of `from` as a guess. False when nothing
/// solves it to the tolerance.
bool slip_moreau_solve(slip_moreau *m, const slip_moreau_step *from, slip_moreau_step *step);

/// u_E of the solved problem, and the states of its blocks; what adds up to u_E - u_A, without signs, into
/// m->turnover.
void slip_moreau_end_velocity(slip_moreau *m, const double *u, double *u_end);

/// Contact states of the solved problem into step->state; those before into m->was.
void slip_moreau_states(slip_moreau *m, const slip_moreau_step *from, slip_moreau_step *step);

// ---- moreau_impact.c

/// r and w of the assembled strike by the laws of its contacts. False when not found.
bool slip_moreau_solve_impact(slip_moreau *m);

/// Whether another law would have struck otherwise, after a strike by the law that is in the step.
void slip_moreau_compare_laws(slip_moreau *m);

// ---- moreau_reference.c

/// A step as the paper has it, from (t, x) over dt.
slip_run_outcome slip_moreau_reference_step(slip_moreau *m, double t, const double *x, double dt,
                                            slip_moreau_step *step);

// ---- moreau_substepping.c

/// A step made of internal steps and strikes, from the state behind m->last over dt.
slip_run_outcome slip_moreau_substepping(slip_moreau *m, double t, double dt, slip_moreau_step *step);

/// Contacts that take part from here on, into m->closed; `at_once`: in a strike.
void slip_moreau_find_closed(slip_moreau *m, bool at_once, const slip_moreau_step *step);

/// Of the attempt: a heap settles in it, a closed contact is struck, something sticks, slips, begins or ends.
bool slip_moreau_is_settling(const slip_moreau *m, const slip_moreau_step *step);
bool slip_moreau_has_corner_impact(const slip_moreau *m);
bool slip_moreau_changes_states(const slip_moreau *m, const slip_moreau_step *step);

/// Takes the attempt as it is.
void slip_moreau_accept_substep(slip_moreau *m, double t, double dt, slip_moreau_step *step);

// ---- moreau_fast_path.c

/// A step over dt that goes on as the last one did, in the place of m->last. False: it may not, and nothing
/// has changed.
bool slip_moreau_fast_step(slip_moreau *m, double dt);

/// The same of a flight as printed.
bool slip_moreau_fast_flight(slip_moreau *m, double dt);

// ---- moreau_substep.c

/// To the midpoint by a program: its terms, and what the contact problem is assembled from. False: something
/// is not finite, or there is no program.
bool slip_moreau_fused_to_midpoint(slip_moreau *m, const slip_midpoint_interval *leg);

/// An internal step into m->trial: closed contacts hold, open ones are not looked at.
slip_run_outcome slip_moreau_trial_substep(slip_moreau *m, double t, double dt, slip_moreau_step *step);

/// A strike: the closed contacts at the present state, no time passes; `dull`: without restitution. Changes
/// the rates.
slip_run_outcome slip_moreau_impact_step(slip_moreau *m, double t, bool dull, slip_moreau_step *step);

// ---- moreau_time_of_impact.c

/// Doubles of m->swept.
size_t slip_moreau_toi_work_size(const slip_moreau *m);

/// After which time of the attempt a force or friction jumps or bends; dt when none does.
double slip_moreau_time_to_discontinuity(slip_moreau *m, double t, double dt, const slip_moreau_step *step);

/// After which time of the attempt a smooth force departs from what the attempt has seen of it; dt when none
/// does.
double slip_moreau_time_to_narrow_feature(slip_moreau *m, double t, double dt, const slip_moreau_step *step);

/// Whether an open gap may close on the way of the attempt, by the gaps at its ends and in the middle.
bool slip_moreau_gap_may_close(const slip_moreau *m, const slip_moreau_step *step);

/// The first open gap that closes on the way of the attempt.
slip_moreau_gap_closing slip_moreau_first_closing(slip_moreau *m, double t, double dt,
                                                  const slip_moreau_step *step);

// ---- moreau_step_control.c

/// A length for the first internal step of a run, before there are accelerations to judge by.
void slip_moreau_first_substep(slip_moreau *m, double t, slip_moreau_step *step);

/// Whether the attempt is accurate enough; else dt is made shorter. Sets the pace of the next one.
bool slip_moreau_accept_error(slip_moreau *m, double whole, double *dt, slip_moreau_step *step);

/// Whether the attempt, the third of this length in a row, is surely far more accurate than asked for; then
/// it sets the pace of the next one.
bool slip_moreau_accept_error_surely(slip_moreau *m, double dt, slip_moreau_step *step);

/// Keeps the accelerations of an internal step that is taken.
void slip_moreau_save_accelerations(slip_moreau *m, double dt, bool smooth, slip_moreau_step *step);

// ---- moreau_energy_balance.c

/// Nothing happened yet.
void slip_moreau_clear_step(const slip_moreau *m, slip_moreau_step *step);

/// Adds impulses and energies of the solved problem to a step; modes are those at its end.
void slip_moreau_account(slip_moreau *m, double t, const double *u, slip_moreau_step *step);

/// A flight: no contacts, frictions and constraints.
void slip_moreau_account_flight(slip_moreau *m, slip_moreau_step *step);

/// Adds the work of generalised forces.
void slip_moreau_account_power(slip_moreau *m, double t, double dt, const double *u, const double *u_end,
                               slip_moreau_step *step);

/// Adds a step to the ledger and the measures.
void slip_moreau_add_to_ledger(slip_moreau *m, const slip_moreau_step *step);

/// Gives the method its measures, all 0.
void slip_moreau_name_measures(slip_moreau *m);

// ---- moreau_force_uniqueness.c, moreau_verdict.c, moreau_project.c

/// Whether the assembled problem has one motion, at a glance: nothing slips, and W is that of the last proof.
bool slip_moreau_is_known_unique(const slip_moreau *m);

/// What the assembled problem is known by. False when it is too large to be looked at.
bool slip_moreau_uniqueness_key(slip_moreau *m, slip_uniqueness_key *key);

/// The same problem as one of accelerations and forces, in monitor.proof.now. `impulse` by element, three
/// each; NULL: as solved.
slip_contact_solution slip_moreau_acceleration_problem(slip_moreau *m, const double *impulse);

/// Says once per contact when its impulses are not unique; looks only when states changed.
void slip_moreau_check_force_uniqueness(slip_moreau *m, const slip_moreau_step *before,
                                        const slip_moreau_step *step);

/// The verdict on the solved step, while m->problem is that step's.
void slip_moreau_check_verdict(slip_moreau *m, const slip_moreau_step *step);

/// Removes position drift from step->x without adding energy; t is the end of the step. True when it moved
/// something.
bool slip_moreau_project(slip_moreau *m, double t, slip_moreau_step *step);

#endif
