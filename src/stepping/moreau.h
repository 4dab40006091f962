/// stepping/moreau.h: Moreau's midpoint rule for machines that strike (Flores 2010), from inside.
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
/// Every active element is one block (N, T) or (N, T1, T2) of a Coulomb problem of problem.h, so that
/// every solver takes every model. What an element does not have is filled in without changing it:
///     frictionless contact    a tangent of its own that nothing drives, mu = 0
///     known limit F           a normal of its own that carries F dt exactly, mu = 1
///     one slip beside two     a second tangent that nothing drives
/// Bilateral constraints are eliminated from the Delassus matrix first.
#ifndef SLIP_STEPPING_MOREAU_H
#define SLIP_STEPPING_MOREAU_H

#include "rigid/sentry.h"
#include "method/method.h"
#include "slipstick/solver.h"
#include "system/system.h"

/// What a block does in a solution; the guess of the next step.
typedef enum slip_moreau_state { SLIP_OPENED, SLIP_STICKING, SLIP_FORWARD, SLIP_BACKWARD } slip_moreau_state;

/// What is kept up with: positions by a projection at the end of each step.
typedef enum slip_moreau_projection {
    SLIP_PROJECT_NONE,
    SLIP_PROJECT_CONSTRAINTS,
    SLIP_PROJECT_ALL
} slip_moreau_projection;

/// A step and what it found. Arrays per element have 1, 2 or 3 numbers each, as said.
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
    bool rescued;      ///< the chosen solver fell short and another answered
    double *depth;     ///< per element: m, penetration at the midpoint; 0 where nothing touches
    int jumped;        ///< element whose depth no speed explains: its gap jumped; -1
    double deepest;    ///< m, largest penetration at the midpoint
    double projected;  ///< m, largest violation that the projection removed
    double projection; ///< J, energy change by the projection, <= 0
    bool idle;         ///< impulses, modes and states are all 0
} slip_moreau_step;

/// The contact problem of the present step. Unknowns i = block * d + component.
typedef struct slip_moreau_problem {
    int blocks;
    int *element; ///< per block
    int *row;     ///< per unknown; -1 for one that was filled in
    double *W, *q, *mu, *r, *w;
    double *Y;       ///< M^-1 w' of each unknown, constraints eliminated; n numbers each
    double *before;  ///< gamma_A
    double *freely;  ///< velocity change that smooth forces alone would give
    double *coupled; ///< (J M^-1 J')^-1 J M^-1 w' of each unknown; constraint_count numbers each
    double *free;    ///< u_A + M^-1 h dt, constraints eliminated; n
    double *JY;      ///< M^-1 J', constraint by constraint; n each
    double *S;       ///< factor of J M^-1 J'
    double *lambda;  ///< constraint impulses
    // a guess of the states, solved as linear equations
    double *J, *x;
    int *unknown, *pivot;
} slip_moreau_problem;

enum { SLIP_MOREAU_SOLVERS = 4, SLIP_MOREAU_MEASURES = 8 };

typedef struct slip_moreau {
    slip_method base;
    slip_system *system;
    slip_terms terms;
    int n, d, most; ///< coordinates; unknowns per block; largest number of blocks
    bool always;    ///< constraints or frictions: rows are needed in every step
    bool driven;    ///< generalised forces do work
    slip_moreau_projection projection;

    int solver_count;
    const slip_solver *solver[SLIP_MOREAU_SOLVERS]; ///< the chosen one, then what answers when it falls short
    int solver_most[SLIP_MOREAU_SOLVERS];           ///< largest number of blocks each is asked for
    slip_solve_options options;
    void *solver_work;

    slip_moreau_step last, next, aside; ///< behind the present state, being made, for peeking
    double *middle, *mean;              ///< q_M; (u_A + u_E) / 2
    slip_moreau_problem problem;
    struct {
        double *q, *u, *g, *lambda, *Y, *S, *shift;
        int *row;
    } project;
    double step;   ///< s, as set
    double *slack; ///< per element, m: gaps below this are closed; a matter of rounding
    bool fresh, was_active;
    slip_warning *gain;        ///< on the first step that created energy
    bool jumps;                ///< the present rates break a constraint: the next step makes them jump
    slip_warning **not_unique; ///< per element, once its force was found to be one of many
    slip_constant measures[SLIP_MOREAU_MEASURES];
    slip_sentry sentry;                   ///< whether to believe it
    bool *touching;                       ///< per element, of a verdict
    slip_compliant_constants *compliance; ///< per element, to judge by
    void *memory;
} slip_moreau;

/// The larger of two finite numbers; fmax minds NaN and is a call.
static inline double slip_larger(double a, double b)
{
    return a > b ? a : b;
}

/// u_A + M^-1 h dt into problem.free.
void slip_moreau_free_velocity(slip_moreau *m, double dt, const double *u);

/// Active elements, Delassus matrix and right-hand side, from the terms at the midpoint.
void slip_moreau_assemble(slip_moreau *m, double dt, const double *u);

/// Impulses r of the assembled problem. False when nothing solves it to the tolerance.
bool slip_moreau_solve(slip_moreau *m, slip_moreau_step *step);

/// Contact states of the solved problem into step->state.
void slip_moreau_states(const slip_moreau *m, slip_moreau_step *step);

/// Impulses, modes and energies of the solved step, at the terms of the midpoint.
void slip_moreau_book(slip_moreau *m, double dt, const double *u, slip_moreau_step *step);

/// A step without contacts, frictions and constraints: nothing pushed.
void slip_moreau_book_flight(slip_moreau *m, double dt, slip_moreau_step *step);

/// Says once per contact when its impulses are not unique; looks only when states changed.
void slip_moreau_look_at_uniqueness(slip_moreau *m, const slip_moreau_step *before,
                                    const slip_moreau_step *step);

/// The verdict on the solved step, while m->problem is that step's.
void slip_moreau_look_at_trust(slip_moreau *m, const slip_moreau_step *step);

/// Removes position drift from step->x without adding energy; t is the end of the step.
void slip_moreau_project(slip_moreau *m, double t, slip_moreau_step *step);

/// Adds a step to the ledger and the measures.
void slip_moreau_count(slip_moreau *m, const slip_moreau_step *step);

/// Cholesky of a semidefinite matrix: a direction that depends on those before gets an infinite pivot
/// and takes no part in slip_cholesky_solve.
void slip_semi_cholesky(int n, double *A, double least);

/// Gives the method its measures, all 0.
void slip_moreau_name_measures(slip_moreau *m);

#endif
