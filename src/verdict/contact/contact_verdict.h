/// verdict/contact/contact_verdict.h: can the rigid answer be trusted at this instant?
#ifndef SLIP_VERDICT_CONTACT_CONTACT_VERDICT_H
#define SLIP_VERDICT_CONTACT_CONTACT_VERDICT_H

#include "verdict/contact/contact_stability.h"
#include "slipstick/analysis.h"

/// Everything that was found at one instant.
typedef struct slip_set_verdict {
    slip_verdict verdict;
    int solutions;                     ///< found; -1 when there were too many modes to try
    int kept;                          ///< of them in branch[]
    int motions;                       ///< different accelerations among them
    bool dependent, unsure, continuum; ///< see slip_solution_openings
    slip_contact_branch branch[SLIP_SET_MAX_SOLUTIONS];
    slip_stability stability[SLIP_SET_MAX_SOLUTIONS];
    double growth[SLIP_SET_MAX_SOLUTIONS];
    int stable;    ///< branches that are stable or free
    int taken;     ///< the branch whose forces are the given ones; -1: none given, or none matches
    int preferred; ///< the only stable one; -1: none, or several
} slip_set_verdict;

/// Judges a set. `N` are the normal forces that a method uses, by place in the set; NULL when there is none
/// to compare with. `effort`: most combinations of modes to try.
void slip_set_find_verdict(const slip_contact_set *set, const slip_compliant_constants *constants,
                           const double *N, long effort, slip_set_verdict *out);

enum { SLIP_SET_VERDICT_LENGTH = 480 };

/// One sentence on a judgement; `names` by element.
void slip_set_verdict_text(const slip_contact_set *set, const slip_set_verdict *j, const char *const *names,
                           char *text, int size);

#endif
