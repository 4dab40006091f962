/// rigid/sentry.h: a verdict on every instant of a rigid run, at little cost.
///
/// One sliding contact is decided by the sign of A (Theorem 5.1). Anything else is looked at in full when
/// modes change or when the contact problem has moved by more than 2 % since the last look.
#ifndef SLIP_RIGID_SENTRY_H
#define SLIP_RIGID_SENTRY_H

#include "rigid/openness.h"
#include "rigid/verdict.h"
#include "rigid/problem.h"
#include "method/method.h"

typedef struct slip_sentry {
    const slip_compliant_constants *constants; ///< by element
    slip_contact_set set;                      ///< as of the last full look
    slip_judgement judgement;
    slip_contact_set now;
    bool one_motion;   ///< several forces, but they give one motion
    bool off;          ///< looks at nothing: what looking costs is measured against this
    double *open_work; ///< for the question whether the motion is open, slip_openness_size() numbers; NULL:
                       ///< not asked
    long looks, full;  ///< how often it looked; how often in full
} slip_sentry;

/// Looks at the rigid problem that was just solved and tells the method's trust. True when the rigid answer
/// is good to go on with: trusted, or the only stable one of several, or nothing is known against it.
bool slip_sentry_look(slip_sentry *sentry, slip_method *method, const slip_rigid *rigid);

/// The same for a set that was made otherwise; `N` by place in the set.
bool slip_sentry_look_at(slip_sentry *sentry, slip_method *method, const slip_contact_set *set,
                         const double *N);

#endif
