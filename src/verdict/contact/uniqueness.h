/// verdict/contact/uniqueness.h: a proof that there is one motion, for any number of contacts, in the plane and in space.
///
/// With W the wrenches of the unknown forces x, G the rows whose rates they act on, S = W' M^-1 W and
/// D = G M^-1 W: let x be a solution in which every contact has T = tau N with |tau| <= mu. For a contact
/// that slides, tau is -mu times its direction, and so it is for one at rest that starts to; for one that
/// sticks it is the ratio of its forces. Let x + dx be another solution, with accelerations that differ by
/// da, and dg, dv the changes of g'' and v_T'. Coulomb's law says of each contact, case by case,
///     dN dg + dT.dv  <=  dN tau.dv,          of a friction with a known limit     dT dv <= 0,
/// and the sum of the left sides is da' M da. So
///     H(dx) = da' M da - sum dN tau.dv  <=  0.
/// H is a quadratic form of dx. If it is positive wherever da is not zero, then there is one motion, whoever
/// carries the load. Of sliding contacts alone H is D + D', and then this says that D is column adequate
/// modulo scaling (Cottle, Pang, Stone 1992, theorem 3.4.4: w is unique); of contacts that hold without
/// friction, tau = 0, H is S, and one motion is certain. tau may be that of any distribution of the loads
/// that makes the same motion: it is taken from one that is spread out.
///
/// The layer of the forces is z'' + D (C z' + K z) = 0 over what is loaded (Song 2001, eq 25), here within
/// the range of D, since dependent rows cannot part. It is stable for any C and K > 0 when D is symmetric.
#ifndef SLIP_VERDICT_CONTACT_UNIQUENESS_H
#define SLIP_VERDICT_CONTACT_UNIQUENESS_H

#include "verdict/contact/contact_stability.h"

/// A contact problem and one solution. Normals first, then what sticks; the frictions of one contact are
/// neighbours.
typedef struct slip_contact_solution {
    int count, normal_count;
    const int *owner;    ///< element of each unknown
    const double *mu;    ///< by element: coefficient of a contact, limit of a friction
    const double *mass;  ///< per normal, effective, kg; 0: not known
    const double *D, *S; ///< count x count
    const double *x, *rate;
    double small, scale; ///< rates below are zero; the size of accelerations
    int n;               ///< coordinates, with what unknowns do to their accelerations, count x n, and these
    const double *response, *a;
} slip_contact_solution;

/// The forces x are within their laws, and those of what opens are none; `most` is the largest force.
bool slip_contact_solution_is_admissible(const slip_contact_solution *p, const double *x, double most);

typedef enum slip_motion_uniqueness {
    SLIP_UNIQUENESS_NOT_PROVED, ///< there may be several motions
    SLIP_UNIQUE_STABLE,         ///< one motion, and a compliant layer settles on it
    SLIP_UNIQUE_UNSTABLE,       ///< one motion, and a compliant layer leaves it
    SLIP_UNIQUE_UNDECIDED,      ///< one motion; the layer is on the edge
    SLIP_MOTION_INDETERMINATE   ///< there are several: verdict/contact/indeterminacy.h
} slip_motion_uniqueness;

/// Largest number of unknowns that is looked at.
enum { SLIP_UNIQUENESS_MAX_UNKNOWNS = 192 };

/// `work` has room for slip_uniqueness_work_size(most) numbers, most >= count. `constants` by element.
/// *wide: H stays positive when its matrix changes by 2 % of S.
slip_motion_uniqueness slip_uniqueness_prove(const slip_contact_solution *p,
                                             const slip_compliant_constants *constants, double *work,
                                             bool *wide);
size_t slip_uniqueness_work_size(int most);

#endif
