/// verdict/contact/contact_stability.h: every solution of the rigid contact problem at one instant, and which of them a thin
/// compliant layer would settle on (Song, Kraus, Kumar, Dupont 2001, sections 4 and 5).
///
/// A contact set holds what touches at the instant, with W = G M^-1 G' over its normal and tangential rows
/// and b their accelerations without contact forces, so that (g'', v_T')_i = sum_j W_ij (N, T)_j + b_i. A
/// contact that slips does so in a known direction, T = -slide mu N; one at rest may stick or start either
/// way.
#ifndef SLIP_VERDICT_CONTACT_CONTACT_STABILITY_H
#define SLIP_VERDICT_CONTACT_CONTACT_STABILITY_H

#include <stdbool.h>

#include "formulation/regularized/compliant.h"

enum {
    SLIP_SET_MAX_CONTACTS = 12,
    SLIP_SET_MAX_ROWS = 2 * SLIP_SET_MAX_CONTACTS,
    SLIP_SET_MAX_SOLUTIONS = 16
};

typedef enum slip_contact_mode {
    SLIP_IS_OPEN,
    SLIP_IS_STICKING,
    SLIP_IS_FORWARD,
    SLIP_IS_BACKWARD
} slip_contact_mode;

typedef struct slip_contact_set {
    int count;
    int element[SLIP_SET_MAX_CONTACTS];
    bool contact[SLIP_SET_MAX_CONTACTS]; ///< has a gap; else a friction with limit mu
    bool slips
        [SLIP_SET_MAX_CONTACTS]; ///< T is a force of its own; false: none, or already in the response of N
    signed char slide[SLIP_SET_MAX_CONTACTS]; ///< direction of its slip now; 0: at rest
    double mu[SLIP_SET_MAX_CONTACTS];
    double
        W[SLIP_SET_MAX_ROWS * SLIP_SET_MAX_ROWS]; ///< (2 count) x (2 count), N and T of each contact in turn
    double b[SLIP_SET_MAX_ROWS];
    double scale; ///< m/s^2: accelerations far below this are zero
    double mass
        [SLIP_SET_MAX_CONTACTS]; ///< kg, effective, of each normal; 0 when not known: damping is as at the start
} slip_contact_set;

/// One solution: forces, accelerations, modes.
typedef struct slip_contact_branch {
    unsigned char mode[SLIP_SET_MAX_CONTACTS]; ///< slip_contact_mode
    double N[SLIP_SET_MAX_CONTACTS], T[SLIP_SET_MAX_CONTACTS];
    double gap_rate[SLIP_SET_MAX_CONTACTS], slip_rate[SLIP_SET_MAX_CONTACTS]; ///< g'', v_T'
    bool dependent;   ///< forces are one choice of many that give its motion
    bool on_the_edge; ///< an inequality holds as an equation: no theorem covers the transition
} slip_contact_branch;

/// What the solutions leave open.
typedef struct slip_solution_openings {
    bool dependent; ///< some combination of modes has dependent rows and a solution: its forces are open
    bool unsure;    ///< and its motion is, too, or may be
    bool continuum; ///< it is certain that infinitely many forces of one contact are solutions
} slip_solution_openings;

/// All solutions, at most `most` of them in `out`; returns how many were found, or -1 when there would be
/// more than `effort` combinations of modes to try. Of dependent rows one point per motion is found.
int slip_set_solutions(const slip_contact_set *set, long effort, slip_contact_branch *out, int most,
                       slip_solution_openings *open);

/// Same motion: the same accelerations of all rows.
bool slip_same_motion(const slip_contact_set *set, const slip_contact_branch *a,
                      const slip_contact_branch *b);

#define SLIP_STABILITIES(X)                                                                                  \
    X(STABLE, "stable")                                                                                      \
    X(FREE, "stable*") /* no contact: free fall is always stable (Table 1) */                                \
    X(UNSTABLE, "unstable")                                                                                  \
    X(UNDECIDED, "unknown")
#define SLIP_STABILITY_AS_ENUM(name, word) SLIP_IS_##name,
typedef enum slip_stability { SLIP_STABILITIES(SLIP_STABILITY_AS_ENUM) SLIP_STABILITY_COUNT } slip_stability;

/// The boundary layer of a branch (25): z'' + P z' + Q z = 0 with P = A C, Q = A K over its closed normals
/// and rolling tangents, in 1/s and 1/s^2; eigenvalues of [0 I; -Q -P] (remark 4.1).
typedef struct slip_boundary_layer {
    int count; ///< k rows
    double A[SLIP_SET_MAX_ROWS * SLIP_SET_MAX_ROWS], P[SLIP_SET_MAX_ROWS * SLIP_SET_MAX_ROWS],
        Q[SLIP_SET_MAX_ROWS * SLIP_SET_MAX_ROWS];
    double re[2 * SLIP_SET_MAX_ROWS], im[2 * SLIP_SET_MAX_ROWS]; ///< 2 count eigenvalues
    double growth;                                               ///< 1/s, largest real part
    slip_stability stability;
} slip_boundary_layer;

/// re and im from P and Q: eigenvalues of [0 I; -Q -P]. False when they were not found.
bool slip_boundary_layer_eigenvalues(slip_boundary_layer *layer);

/// The set of a rigid problem as it is built: everything it holds. False when there is more than fits, or
/// something slips in two directions. Masses are filled in where the damping in `constants` follows them.
struct slip_contact_problem;
bool slip_set_from_problem(const struct slip_contact_problem *rigid,
                           const slip_compliant_constants *constants, slip_contact_set *set);

/// `constants` by element.
void slip_contact_branch_layer(const slip_contact_set *set, const slip_contact_branch *branch,
                               const slip_compliant_constants *constants, slip_boundary_layer *layer);

/// A of the normal LCP (6) with every slip as it is: count x count. False when something is at rest.
bool slip_set_lcp(const slip_contact_set *set, double *A, double *B);

/// All principal minors positive.
bool slip_is_p_matrix(int n, const double *A);

#endif
