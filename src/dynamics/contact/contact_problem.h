/// dynamics/contact/contact_problem.h: accelerations and forces of a rigid system at one instant.
///
/// The system has contacts that hold (gap and gap rate zero), each sliding in a known direction or
/// sticking, and frictions with a known limit. With the bilateral constraints eliminated the unknowns
/// are x = (N of every held contact, T of everything that sticks), and
///     a = free + sum_c response_c x_c,        rate_r' = c_r + sum_c D_rc x_c
/// where rate_r is the gap rate of a held contact or the slip velocity of a sticking element. Sliding
/// friction is -mu N along the slip v/|v|, so it is part of the response of N (Gomez 2008, eqs 2.12-2.23).
/// An element that slips in two directions has two unknowns T while it sticks, and its cone is circular.
///
///     lcp     0 <= N _|_ g'' >= 0 (2.36), |T| <= mu N with the slip against T where it is equal
///     gauss   min 1/2 x'Sx, S = wrench' M^-1 wrench, over N >= 0, g'' >= 0, v_T' = 0, |T| <= mu N (2.39)
///
/// In space the first is not an LCP but the cone problem of contact_problem.h, and the second has
/// second-order cones among its constraints; while every cone that sticks is far from its border both stay
/// linear.
///
/// Both give x; the last solution's active set is tried first, because between events it rarely changes.
#ifndef SLIP_DYNAMICS_CONTACT_CONTACT_PROBLEM_H
#define SLIP_DYNAMICS_CONTACT_CONTACT_PROBLEM_H

#include <math.h>

#include "dynamics/contact/load_dependent_friction.h"
#include "verdict/contact/uniqueness.h"
#include "solver/problem/solver_options.h"
#include "dynamics/system.h"

/// Of a vector in a tangent plane.
static inline double slip_length(double x, double y)
{
    return sqrt(x * x + y * y);
}

/// How an element stands between two events.
typedef struct slip_contact_state {
    bool closed; ///< gap and gap rate are held at zero; always true of a friction
    signed char
        slide; ///< direction of the slip; 1 in space, along r->slip_direction; 0: it sticks, or has no slip
} slip_contact_state;

typedef enum slip_contact_outcome {
    SLIP_CONTACT_SOLVED,
    SLIP_CONTACT_INFEASIBLE,       ///< proved: there is no solution
    SLIP_CONTACT_NOT_CONVERGED,    ///< the solver gave up
    SLIP_CONTACT_SINGULAR_MASS,    ///< the mass matrix is not positive definite
    SLIP_CONTACT_PROJECTION_FAILED ///< projection onto the active constraints failed
} slip_contact_outcome;

typedef struct slip_contact_problem {
    const slip_system *system;
    slip_terms terms;
    slip_contact_state *contact_state; ///< per element

    // bilateral constraints, orthonormal in the inverse mass
    int bilateral_count;
    double *bilateral_row, *bilateral_response, *bilateral_z;
    bool joints;          ///< forces of joints are asked for; else what follows is not kept
    int *bilateral_of;    ///< per orthonormal row: the constraint that brought it in
    double *bilateral_by; ///< per constraint: its row as a sum of orthonormal ones
    double *
        lambda; ///< per constraint: its multiplier as of slip_contact_problem_multipliers; 0 where it depends on others

    double *slip;           ///< two per element: slip velocity at the last build
    double *slip_direction; ///< two per element: unit vector of the slip, 0 without sliding
    /// Two per element: last known slip direction. In space a slip is followed through zero along it, so that
    /// sliding stays smooth until the event is located; at zero speed it is the slip direction.
    double *heading;
    double slow; ///< m/s: a slip in space that is not faster has no direction of its own; the user's to set

    int normal_count, count; ///< unknowns: normals first, then what sticks
    bool spatial;            ///< something that sticks has two directions
    bool shared;      ///< so many contacts in space hold, and slide, that they may share loads in many ways
    int most;         ///< room for this many
    int *owner, *row; ///< element of each unknown; row whose rate it acts on
    double *friction; ///< per element: coefficient or limit in force, 0 where friction is left out
    slip_friction_loads loads; ///< of limits that follow forces
    double *free, *response;   ///< n; count x n
    double *D, *S, *c;         ///< count x count twice, count
    double *x, *rate;          ///< forces; rates of the rows
    double *a;                 ///< n, acceleration
    double *line;              ///< n, scratch of whoever looks at one row
    double scale;              ///< m/s^2: accelerations far below this are zero
    double unit; ///< m/s^2: and such beside this, where nothing accelerates; 1, or the user's to set

    double *normal, *tangent;        ///< forces per element as of the last solution
    double *normal_rate, *slip_rate; ///< g'' and v_T' per element as of the last solution
    double *tangent_y, *slip_rate_y; ///< second components, 0 where there is none

    bool hold; ///< one sliding contact stays closed where that is a solution too, stable or not

    // the last active set
    bool *loaded, *tight; ///< per element: N > 0; multiplier of g'' >= 0 > 0
    bool warm;
    double *K, *k; ///< kernel of the active set
    double *kernel_work;
    int *pivot;

    // problems for the solvers
    const slip_solver *solver; ///< for the LCP
    const slip_solve_options
        *given; ///< what replaces the options below, while memory is laid out; NULL: nothing
    slip_solve_options options;
    double *Z, *zq, *low, *high, *z, *zw, *limits;
    void *work;
    double *cone_J, *cone_F; ///< Newton's method of the cone problem
    int *cone_pivot;
    bool open;         ///< contacts of the last cone problem depend on each other, and their forces were open
    double *cut;       ///< per element and round: tangent planes of a circular cone, as directions of T
    int *cuts;         ///< per element: how many
    long stages, cold; ///< solves; those that needed a solver
} slip_contact_problem;

/// LCPs up to this size are enumerated where a pivoting solver proves nothing.
enum { SLIP_CONTACT_MAX_ENUMERATED = 10 };

/// Tangent planes that stand for a circular cone in a quadratic or linear program at the most.
enum { SLIP_MAX_CONE_PLANES = 24 };

/// Whether r->solver takes the largest contact LCP of this system.
bool slip_contact_problem_solver_fits(const slip_contact_problem *r, const slip_system *system);

/// Measures or carves. `solver` must be set before.
void slip_contact_problem_layout(slip_arena *arena, const slip_system *system, slip_contact_problem *r);

/// Evaluates the waist at (t, q, u) and builds free, response, D, c for the present contact states. False
/// when a mass matrix is not positive definite.
bool slip_contact_problem_build(slip_contact_problem *r, double t, const double *q, const double *u);

/// The slip velocities at u, with the rows as they are.
void slip_contact_problem_find_slips(slip_contact_problem *r, const double *u);

/// The same without evaluating again, after contact states or r->friction were changed (`keep_friction`).
void slip_contact_problem_rebuild(slip_contact_problem *r, bool keep_friction);

/// Nothing touches any more: no unknowns. Accelerations are found by the next build.
static inline void slip_contact_problem_clear(slip_contact_problem *r)
{
    r->count = r->normal_count = 0;
    r->spatial = r->shared = false;
    r->scale = 0.0;
}

/// x, rates, forces and accelerations.
slip_contact_outcome slip_contact_problem_solve_lcp(slip_contact_problem *r);
slip_contact_outcome slip_contact_problem_solve_gauss(slip_contact_problem *r);

/// How many different motions the solutions of the LCP allow; 1 when it is too large to look. The solution
/// in r stays.
int slip_contact_problem_motion_count(slip_contact_problem *r);

/// The QP (2.39) of the present problem: variables x, constraints v_T' = 0, g'' >= 0, then mu N -+ T >= 0.
slip_problem slip_contact_problem_qp(slip_contact_problem *r);

/// Solves that program, circular cones by as many tangent planes as it takes (event_driven_cone.c). The
/// answer is in r->z.
slip_outcome slip_contact_problem_solve_qp(slip_contact_problem *r, bool min_norm);

/// The present planes of the element whose first friction is unknown i as rows of A x >= b from `row` on;
/// returns the row behind. slip_contact_problem_reset_planes puts four of them around every cone.
int slip_contact_problem_plane_rows(const slip_contact_problem *r, int i, double *A, double *b, int row);
void slip_contact_problem_reset_planes(slip_contact_problem *r);

/// Adds a tangent plane where T of a sticking element with two directions leaves its cone; x holds forces in
/// the order of the unknowns. False when all are inside, or no more planes fit.
bool slip_contact_problem_add_cone_plane(slip_contact_problem *r, const double *x);

/// r->k := the shortest of all solutions of K x = k, m of each.
bool slip_contact_problem_least_norm(slip_contact_problem *r, int m);

/// The factors of slip_lu: no row depends on others.
bool slip_lu_is_regular(int n, const double *LU);

/// The cone problem of a system in which something sticks that has two directions: x, rates and forces.
slip_contact_outcome slip_contact_problem_solve_cone(slip_contact_problem *r);

/// Coulomb contacts in space, blocks (N, T1, T2), W of any symmetry; z holds a guess when `warm`. To
/// rounding.
bool slip_contact_problem_newton_cone(slip_contact_problem *r, int contacts, const double *W, const double *q,
                                      const double *mu, bool warm, double *z, double *w);

/// One spatial contact at rest: whether a theorem says that its forces are unique and its layer is stable.
bool slip_contact_problem_cone_unique(const slip_contact_problem *r);

/// a, rates and forces per element from x.
void slip_contact_problem_distribute(slip_contact_problem *r);

/// max over contacts of |N g''|; *element is where.
double slip_contact_problem_disagreement(const slip_contact_problem *r, int *element);

/// First unknown of the friction of a sticking element; -1 when it does not stick.
int slip_contact_problem_tangent_of(const slip_contact_problem *r, int element);

/// |v_T'| of an element as of the last solution.
double slip_contact_problem_slip_rate(const slip_contact_problem *r, int element);

/// Friction of an element as of the last solution, N; never negative.
double slip_contact_problem_friction(const slip_contact_problem *r, int element);

/// Takes from the response of a force what the bilateral constraints forbid.
void slip_contact_problem_constrain(const slip_contact_problem *r, double *response);

/// Effective mass of the normal of a contact, constraints held; kg.
double slip_contact_problem_mass(const slip_contact_problem *r, int element);

/// The problem that was just solved, for verdict/contact/uniqueness.h; `mass` per normal.
slip_contact_solution slip_contact_problem_instant(const slip_contact_problem *r, const double *mass);

/// Multipliers of the constraints at the solution, into r->lambda.
void slip_contact_problem_multipliers(slip_contact_problem *r);

/// Impulses of the constraints, where joints are asked for, against an impulse that changes the rates by
/// `response` without them.
void slip_contact_problem_impulse_multipliers(const slip_contact_problem *r, const double *response,
                                              double *lambda);

/// Power of moving bilateral constraints at the solution.
double slip_contact_problem_drive_power(slip_contact_problem *r, const double *u);

/// Force times acceleration that counts as one.
double slip_contact_problem_power_scale(const slip_contact_problem *r);

/// Of the power scale: solutions by Gauss's principle and by the LCP disagree when complementarity is
/// violated by more. Rounding leaves far less in either.
static const double SLIP_DISAGREEMENT_RELATIVE = 1e-6;

/// Accelerations that count as zero: of the scale of the accelerations, and of r->unit where nothing
/// accelerates. Three decades above those that may be rounding, which are sums of many terms of that scale.
static const double SLIP_ZERO_ACCELERATION_RELATIVE = 1e-9;
static const double SLIP_ZERO_ACCELERATION_OF_UNIT = 1e-13;
static const double SLIP_ACCELERATION_ROUNDING_RELATIVE = 1e-12;
static const double SLIP_ACCELERATION_ROUNDING_OF_UNIT = 1e-15;

/// Accelerations that count as zero.
static inline double slip_contact_problem_zero_tolerance(const slip_contact_problem *r)
{
    return SLIP_ZERO_ACCELERATION_RELATIVE * r->scale + SLIP_ZERO_ACCELERATION_OF_UNIT * r->unit;
}

/// Accelerations that may be rounding; an event is where one exceeds this.
static inline double slip_contact_problem_rounding(const slip_contact_problem *r)
{
    return SLIP_ACCELERATION_ROUNDING_RELATIVE * r->scale + SLIP_ACCELERATION_ROUNDING_OF_UNIT * r->unit;
}

#endif
