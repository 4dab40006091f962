/// solver/body/uniqueness_certificate.h: a proof that the velocities of a contact problem of bodies are the only ones.
///
/// The problem of bodies.h, v = v_free + M^-1 H' r, u = H v + shift: let r, u be a solution and r', u'
/// another one, with dr = r' - r, dv, du = H dv. The shift is the same for both, whatever it is made of:
/// Newton's e u-, gaps that may close, belts, what is led. So sum dr.du = dv' M dv. Let tau be a vector of
/// every contact, |tau| <= mu, with T = tau N, and -mu times the direction of u_T where that is not zero.
/// Then
///     dN du_N                =  - N' u_N - N u_N'  <=  0                  either N or u_N is zero
///     (dT - tau dN).du_T     =  (T' - tau N').(u_T' - u_T)  <=  0         T' opposes u_T', |T'| <= mu N'
/// (the same as in verdict/contact/uniqueness.h, for velocities at the end of a step in place of accelerations), and with a
/// weight 0 < w <= 1 of the second
///     Q(dr) = sum dN du_N + w (dT - tau dN).du_T  <=  0.
/// If Q is positive wherever dv is not zero, v is the only solution, whoever carries the load. Without
/// friction Q = dv' M dv, and it always is.
///
/// Where N = 0 and u_N > 0 there is more room: -N' u_N pays for a smaller tau, since
///     - N' u_N - (T' - tau N').u_T  <=  - N' (u_N - mu |u_T| - tau.u_T)
/// so tau = -a mu u_T/|u_T|, a = max(0, 1 - u_N / (mu |u_T|)): what opens faster than mu times its slip has
/// none. A friction whose limit is known has dN = 0; couples that follow a contact,
/// |C| <= rho N, have kappa = C/N and the rate of their spin in the sum beside tau and u_T.
///
/// tau may be that of any loads that make the same motion: those of one pair of bodies share the friction
/// between them in proportion to what they carry. Q is looked at with 2 % of dv' M dv taken off, in the form
/// of bodyform.h.
#ifndef SLIP_SOLVER_BODY_UNIQUENESS_CERTIFICATE_H
#define SLIP_SOLVER_BODY_UNIQUENESS_CERTIFICATE_H

#include <stdbool.h>

#include "solver/body/body_solver.h"

typedef struct slip_uniqueness_certificate slip_uniqueness_certificate;

slip_uniqueness_certificate *slip_uniqueness_certificate_create(void); ///< NULL when out of memory
void slip_uniqueness_certificate_destroy(slip_uniqueness_certificate *k);

/// A solution, and what is to be known of it.
typedef struct slip_uniqueness_case {
    const slip_body_problem *problem;
    const double *r, *u; ///< as slip_body_problem_solve leaves them
    const bool *known;   ///< per contact: its normal impulse is no unknown. NULL: none is
    double small;        ///< m/s: slips below are none
} slip_uniqueness_case;

typedef struct slip_uniqueness_result {
    int open;    ///< islands of which it is not proved
    int contact; ///< in the first of them, where the proof fails; -1: none is open
    int costly;  ///< open islands that were not looked at: they would take too long
    bool stuck;  ///< in open islands no slip says what the friction of a contact is
} slip_uniqueness_result;

/// `doubted`, one per body, true where its motion may not be the only one. False when out of memory.
bool slip_uniqueness_certify(slip_uniqueness_certificate *k, const slip_uniqueness_case *now, bool *doubted,
                             slip_uniqueness_result *answer);

#endif
