/// rigid/problem.h: accelerations and forces of a rigid system at one instant.
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
/// In space the first is not an LCP but the cone problem of problem.h, and the second has second-order
/// cones among its constraints; while every cone that sticks is far from its border both stay linear.
///
/// Both give x; the last solution's active set is tried first, because between events it rarely changes.
#ifndef SLIP_RIGID_PROBLEM_H
#define SLIP_RIGID_PROBLEM_H

#include <math.h>

#include "rigid/loads.h"
#include "rigid/unique.h"
#include "solver/options.h"
#include "system/system.h"

/// Of a vector in a tangent plane.
static inline double slip_length(double x, double y)
{
    return sqrt(x * x + y * y);
}

/// How an element stands between two events.
typedef struct slip_stance {
    bool closed;       ///< gap and gap rate are held at zero; always true of a friction
    signed char slide; ///< direction of the slip; 1 in space, along r->way; 0: it sticks, or has no slip
} slip_stance;

typedef enum slip_rigid_answer {
    SLIP_RIGID_SOLVED,
    SLIP_RIGID_NONE,       ///< proved: there is no solution
    SLIP_RIGID_NOT_FOUND,  ///< the solver gave up
    SLIP_RIGID_NO_MASS,    ///< the mass matrix is not positive definite
    SLIP_RIGID_NO_POSITION ///< no positions nearby meet what holds
} slip_rigid_answer;

typedef struct slip_rigid {
    const slip_system *system;
    slip_terms terms;
    slip_stance *stance; ///< per element

    // bilateral constraints, orthonormal in the inverse mass
    int bilateral_count;
    double *bilateral_row, *bilateral_response, *bilateral_z;
    bool joints;          ///< forces of joints are asked for; else what follows is not kept
    int *bilateral_of;    ///< per orthonormal row: the constraint that brought it in
    double *bilateral_by; ///< per constraint: its row as a sum of orthonormal ones
    double *
        lambda; ///< per constraint: its multiplier as of slip_rigid_find_lambda; 0 where it depends on others

    double *slip; ///< per element twice: slip velocity, as of the last build
    double *way;  ///< per element twice: unit vector of the slip, 0 where nothing slides
    double
        *heading; ///< per element twice: the way last known. In space a slip is followed through zero along
                  ///< it, so that what slides is smooth until an event is found; without speed it is the way
    double slow;  ///< m/s: a slip in space that is not faster has no direction of its own; the user's to set

    int normal_count, count; ///< unknowns: normals first, then what sticks
    bool spatial;            ///< something that sticks has two directions
    bool shared;      ///< so many contacts in space hold, and slide, that they may share loads in many ways
    int most;         ///< room for this many
    int *owner, *row; ///< element of each unknown; row whose rate it acts on
    double *friction; ///< per element: coefficient or limit in force, 0 where friction is left out
    slip_loads loads; ///< of limits that follow forces
    double *free, *response; ///< n; count x n
    double *D, *S, *c;       ///< count x count twice, count
    double *x, *rate;        ///< forces; rates of the rows
    double *a;               ///< n, acceleration
    double *line;            ///< n, scratch of whoever looks at one row
    double scale;            ///< m/s^2: accelerations far below this are zero
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
} slip_rigid;

/// Scratch numbers of Newton's method of the cone problem, per unknown.
enum { SLIP_CONE_WORK = 8 };

/// LCPs up to this size are enumerated where a pivoting solver proves nothing.
enum { SLIP_RIGID_ENUMERATED = 10 };

/// Tangent planes that stand for a circular cone in a quadratic or linear program at the most.
enum { SLIP_MAX_CUTS = 24 };

/// Whether r->solver takes the largest contact LCP of this system.
bool slip_rigid_solver_suits(const slip_rigid *r, const slip_system *system);

/// Measures or carves. `solver` must be set before.
void slip_rigid_layout(slip_arena *arena, const slip_system *system, slip_rigid *r);

/// Evaluates the waist at (t, q, u) and builds free, response, D, c for the present stances. False
/// when a mass matrix is not positive definite.
bool slip_rigid_build(slip_rigid *r, double t, const double *q, const double *u);

/// The slip velocities at u, with the rows as they are.
void slip_rigid_find_slips(slip_rigid *r, const double *u);

/// The same without evaluating again, after stances or r->friction were changed (`keep_friction`).
void slip_rigid_rebuild(slip_rigid *r, bool keep_friction);

/// Nothing touches any more: no unknowns. Accelerations are found by the next build.
static inline void slip_rigid_release(slip_rigid *r)
{
    r->count = r->normal_count = 0;
    r->spatial = r->shared = false;
    r->scale = 0.0;
}

/// x, rates, forces and accelerations.
slip_rigid_answer slip_rigid_solve_lcp(slip_rigid *r);
slip_rigid_answer slip_rigid_solve_gauss(slip_rigid *r);

/// How many different motions the solutions of the LCP allow; 1 when it is too large to look. The solution
/// in r stays.
int slip_rigid_motions(slip_rigid *r);

/// The QP (2.39) of the present problem: variables x, constraints v_T' = 0, g'' >= 0, then mu N -+ T >= 0.
slip_problem slip_rigid_qp(slip_rigid *r);

/// Solves that program, circular cones by as many tangent planes as it takes (event_driven_cone.c). The
/// answer is in r->z.
slip_outcome slip_rigid_solve_qp(slip_rigid *r, bool min_norm);

/// The present planes of the element whose first friction is unknown i as rows of A x >= b from `row` on;
/// returns the row behind. slip_rigid_no_cuts puts four of them around every cone.
int slip_rigid_cut_rows(const slip_rigid *r, int i, double *A, double *b, int row);
void slip_rigid_no_cuts(slip_rigid *r);

/// Adds a tangent plane where T of a sticking element with two directions leaves its cone; x holds forces in
/// the order of the unknowns. False when all are inside, or no more planes fit.
bool slip_rigid_cut(slip_rigid *r, const double *x);

/// r->k := the shortest of all solutions of K x = k, m of each.
bool slip_rigid_shortest(slip_rigid *r, int m);

/// The factors of slip_lu: no row depends on others.
bool slip_rigid_is_regular(int n, const double *LU);

/// The cone problem of a system in which something sticks that has two directions: x, rates and forces.
slip_rigid_answer slip_rigid_solve_cone(slip_rigid *r);

/// Coulomb contacts in space, blocks (N, T1, T2), W of any symmetry; z holds a guess when `warm`. To
/// rounding.
bool slip_rigid_cone(slip_rigid *r, int contacts, const double *W, const double *q, const double *mu,
                     bool warm, double *z, double *w);

/// One spatial contact at rest: whether a theorem says that its forces are unique and its layer is stable.
bool slip_rigid_cone_trusted(const slip_rigid *r);

/// a, rates and forces per element from x.
void slip_rigid_spread(slip_rigid *r);

/// max over contacts of |N g''|; *element is where.
double slip_rigid_disagreement(const slip_rigid *r, int *element);

/// First unknown of the friction of a sticking element; -1 when it does not stick.
int slip_rigid_tangent_of(const slip_rigid *r, int element);

/// |v_T'| of an element as of the last solution.
double slip_rigid_slip_rate(const slip_rigid *r, int element);

/// Friction of an element as of the last solution, N; never negative.
double slip_rigid_friction(const slip_rigid *r, int element);

/// Takes from the response of a force what the bilateral constraints forbid.
void slip_rigid_constrain(const slip_rigid *r, double *response);

/// Effective mass of the normal of a contact, constraints held; kg.
double slip_rigid_mass(const slip_rigid *r, int element);

/// The problem that was just solved, for rigid/unique.h; `mass` per normal.
slip_instant slip_rigid_instant(const slip_rigid *r, const double *mass);

/// Multipliers of the constraints at the solution, into r->lambda.
void slip_rigid_find_lambda(slip_rigid *r);

/// Power of moving bilateral constraints at the solution.
double slip_rigid_constraint_power(slip_rigid *r, const double *u);

/// Force times acceleration that counts as one.
double slip_rigid_size(const slip_rigid *r);

/// Accelerations that count as zero.
static inline double slip_rigid_small(const slip_rigid *r)
{
    return 1e-9 * r->scale + 1e-13 * r->unit;
}

/// Accelerations that may be rounding; an event is where one exceeds this.
static inline double slip_rigid_tiny(const slip_rigid *r)
{
    return 1e-12 * r->scale + 1e-15 * r->unit;
}

#endif
