/// solver/body/body_solver.h: contacts between free bodies, solved in the velocities of the bodies.
///
/// The contact problem of a time step with many bodies is kept in factored form; the Delassus matrix is never
/// multiplied out:
///     v = v_free + M^-1 H' r,      u = H v + shift,      Coulomb's law between r and u (problem.h)
/// M is block diagonal over the bodies, and a contact has rows in H for two bodies at the most. So a sweep
/// over all contacts costs a constant per contact, however many contacts a body has, and so does the memory.
///
///     slip_body_problem b = { .dimension = 3, .side = 6, ... };
///     size_t bytes = slip_body_problem_work_size(3, 6, most_bodies, most_contacts);     // once
///     void *work = slip_arena_memory(bytes);                                      // once
///     memset(r, 0, ...) or the impulses of the last step, contact by contact
///     outcome = slip_body_problem_solve(&b, &options, r, u, v, work, &info);            // every step
///
/// Work measured for some numbers of bodies and contacts serves all smaller ones. Bodies that do not touch
/// one another, not even through others, are solved apart (islands). The same problem gives the same bits.
///
/// Restitution is part of the data, as in slip_problem: Newton's law u+ = -e u- is shift = e u-, row by row.
#ifndef SLIP_SOLVER_BODY_BODY_SOLVER_H
#define SLIP_SOLVER_BODY_BODY_SOLVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/thread_pool.h"
#include "slipstick/solver.h"

/// In place of a body: something that impulses do not move. Its motion, if any, is part of `shift`.
enum { SLIP_GROUND = -1 };

/// Most velocities per body.
enum { SLIP_BODY_MAX_VELOCITIES = 36 };

/// All arrays are the caller's. Matrices are row-major.
typedef struct slip_body_problem {
    int dimension;        ///< rows per contact: 2 in the plane, 3 in space; the normal comes first
    int side;             ///< velocities per body: 3 in the plane, 6 in space; or more, where one "body" is a
                          ///< mechanism. A body with fewer has zeros in M^-1 and in its rows
    int bodies, contacts; ///< how many
    const double *inverse; ///< M^-1 per body, side x side, symmetric
    const double *free;    ///< v_free: velocities at the end of the step without contact forces, side per
                           ///< body
    const int *body;       ///< two per contact: different bodies, or SLIP_GROUND for one of them
    const double *rows;  ///< H: per contact the block of its first body, then of its second, dimension x side
                         ///< each; that of the ground is ignored
    const double *shift; ///< dimension per contact; NULL: 0
    const double *mu;    ///< friction coefficient of each contact, >= 0
    /// Up to two dependent contacts (rolling and torsional couples) may follow a contact: the bound of each
    /// is `share` times its normal impulse. They come directly after it in the list, between the same two
    /// bodies in the same order; their normal row is ignored, and rows of zeros keep zero impulse. `behind`
    /// is the distance to the contact they depend on, 0 for an independent contact; NULL: all are
    /// independent.
    const int *behind;
    const double *share, *weight; ///< of dependent contacts; 1/kg, > 0: the weight of the condition that
                                  ///< makes the share, of the size of the diagonal of W
    slip_thread_pool
        *thread_pool; ///< threads that the islands are distributed over; NULL: none. The bits are the same
} slip_body_problem;

/// Bytes of 64-byte aligned workspace for a number of bodies and contacts on one thread, and for all smaller
/// problems.
size_t slip_body_problem_work_size(int dimension, int side, int bodies, int contacts);

typedef struct slip_island_size {
    int bodies, contacts;
} slip_island_size;

/// Upper bounds that are known before the problem exists. Most of the workspace is for the island being
/// solved, so problems whose islands are known to be small need little.
typedef struct slip_body_problem_limits {
    int dimension, side, bodies, contacts;
    slip_island_size island[2]; ///< [0] largest island; [1] largest island other than the one with the most
                                ///< contacts
    bool groups;                ///< some contacts depend on others
    int threads;                ///< of the thread pool
} slip_body_problem_limits;

/// Bytes of workspace within these bounds.
size_t slip_body_problem_limits_size(const slip_body_problem_limits *room);

/// Solves b. On entry r is an initial guess, zeros if there is none; on return r are the impulses, u the
/// velocities of the contacts including the shift, v those of the bodies. The result is judged as by
/// slip_solve(): residual and outcome are those of the whole problem, whichever methods solved the islands;
/// info may be NULL. r, u and v are always finite.
slip_outcome slip_body_problem_solve(const slip_body_problem *b, const slip_solve_options *options, double *r,
                                     double *u, double *v, void *work, slip_solve_info *info);

#endif
