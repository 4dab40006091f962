/// solver/body/uniqueness_certificate.h: a certificate that the velocity solution of a body contact problem is unique.
///
/// In the problem of body_solver.h, v = v_free + M^-1 H' r, u = H v + shift, let r, u be a solution and r',
/// u' another one, with dr = r' - r, dv, du = H dv. The shift is the same for both, whatever its origin:
/// Newton's e u-, open gaps that may close, surface velocities, kinematic bodies. Therefore sum dr.du = dv' M
/// dv. For every contact let tau be a vector with |tau| <= mu, T = tau N, and tau = -mu times the direction
/// of u_T where that is not zero. Then
///     dN du_N                =  - N' u_N - N u_N'  <=  0                  either N or u_N is zero
///     (dT - tau dN).du_T     =  (T' - tau N').(u_T' - u_T)  <=  0         T' opposes u_T', |T'| <= mu N'
/// (as in verdict/contact/uniqueness.h, with velocities at the end of a step instead of accelerations), and
/// with a weight 0 < w <= 1 of the second line
///     Q(dr) = sum dN du_N + w (dT - tau dN).du_T  <=  0.
/// If Q is positive wherever dv is not zero, v is the only solution, however the load is distributed. Without
/// friction Q = dv' M dv, which always is.
///
/// Where N = 0 and u_N > 0 there is more room: the term -N' u_N allows a smaller tau, since
///     - N' u_N - (T' - tau N').u_T  <=  - N' (u_N - mu |u_T| - tau.u_T)
/// so tau = -a mu u_T/|u_T|, a = max(0, 1 - u_N / (mu |u_T|)): a contact that opens faster than mu times its
/// slip has none. Friction with a prescribed limit has dN = 0. Couples that depend on a contact, |C| <= rho
/// N, add kappa = C/N and the rate of their spin to the sum, beside tau and u_T.
///
/// tau may belong to any loads that produce the same motion: the contacts of one pair of bodies share the
/// friction between them in proportion to their loads. Q is tested with 2 % of dv' M dv subtracted, in the
/// form of body_quadratic_form.h.
#ifndef SLIP_SOLVER_BODY_UNIQUENESS_CERTIFICATE_H
#define SLIP_SOLVER_BODY_UNIQUENESS_CERTIFICATE_H

#include <stdbool.h>

#include "solver/body/body_solver.h"

typedef struct slip_uniqueness_certificate slip_uniqueness_certificate;

slip_uniqueness_certificate *slip_uniqueness_certificate_create(void); ///< NULL when out of memory
void slip_uniqueness_certificate_destroy(slip_uniqueness_certificate *k);

/// A solution, and the result of the test.
typedef struct slip_uniqueness_case {
    const slip_body_problem *problem;
    const double *r, *u; ///< as slip_body_problem_solve leaves them
    const bool *known;   ///< per contact: its normal impulse is not an unknown. NULL: all are unknowns
    double small;        ///< m/s: smaller slips count as zero
} slip_uniqueness_case;

typedef struct slip_uniqueness_result {
    int open;    ///< islands for which there is no proof
    int contact; ///< contact of the first of them at which the proof fails; -1: all are proved
    int costly;  ///< open islands that were not tested because it would take too long
    bool stuck;  ///< in an open island, friction of a sticking contact is not determined
} slip_uniqueness_result;

/// `doubted`, one per body, becomes true where its motion may not be unique. False when out of memory.
bool slip_uniqueness_certify(slip_uniqueness_certificate *k, const slip_uniqueness_case *now, bool *doubted,
                             slip_uniqueness_result *answer);

#endif
