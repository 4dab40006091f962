/// solver/body/body_solver.h: contacts between free bodies, solved in the velocities of the bodies.
///
/// The problem of a time step with many bodies has a form of its own, in which nothing is ever multiplied
/// out:
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

/// In place of a body: what does not move by impulses. Its motion, if any, is in `shift`.
enum { SLIP_GROUND = -1 };

/// Velocities per body at the most.
enum { SLIP_BODY_MAX_VELOCITIES = 36 };

/// All arrays are the caller's. Matrices are row-major.
typedef struct slip_body_problem {
    int dimension;        ///< rows per contact: 2 in the plane, 3 in space; normal first
    int side;             ///< velocities per body: 3 in the plane, 6 in space; or more, where one "body" is a
                          ///< mechanism. What a body has less of has zeros in M^-1 and in its rows
    int bodies, contacts; ///< how many
    const double *inverse; ///< M^-1 per body, side x side, symmetric
    const double *free;    ///< v_free: velocities after the step if nothing touched, side per body
    const int *body;       ///< two per contact: different ones, or SLIP_GROUND for one of them
    const double *rows;  ///< H: per contact the block of its first body, then of its second, dimension x side
                         ///< each; that of the ground is not looked at
    const double *shift; ///< dimension per contact; NULL: 0
    const double *mu;    ///< friction of each contact, >= 0
    /// Contacts may follow another, at most two one: their normal impulse is a share of its, as that of a
    /// couple that it limits. They stand right behind it and are between the same bodies, in the same order;
    /// what their normal row would have is not looked at, and rows of zeros stay at 0. `behind` is how far
    /// behind it, 0 for those that follow none; NULL: none does.
    const int *behind;
    const double *share, *weight; ///< of those that follow; 1/kg, > 0: what makes the shares, about as large
                                  ///< as the diagonal of W
    slip_thread_pool
        *thread_pool; ///< threads that islands are shared among; NULL: none. The bits are the same
} slip_body_problem;

/// Bytes of 64-byte aligned work for a number of bodies and contacts on one thread, and for all smaller ones.
size_t slip_body_problem_work_size(int dimension, int side, int bodies, int contacts);

typedef struct slip_island_size {
    int bodies, contacts;
} slip_island_size;

/// What is known of a problem before it is there: most of the work is for the islands in hand, so those that
/// are known to be small need little. All numbers are bounds.
typedef struct slip_body_problem_limits {
    int dimension, side, bodies, contacts;
    slip_island_size island[2]; ///< the largest of any island; and of those beside the one with most contacts
    bool groups;                ///< contacts follow others
    int threads;                ///< of the thread_pool
} slip_body_problem_limits;

/// The same for what is known.
size_t slip_body_problem_limits_size(const slip_body_problem_limits *room);

/// Solves b. On entry r has a guess, zeros for none; on return the impulses, u the velocities of the contacts
/// with the shift, v those of the bodies. The verdict is that of slip_solve(): residual and outcome are of
/// the whole, whatever the islands were solved by; info may be NULL. r, u, v are always finite.
slip_outcome slip_body_problem_solve(const slip_body_problem *b, const slip_solve_options *options, double *r,
                                     double *u, double *v, void *work, slip_solve_info *info);

#endif
