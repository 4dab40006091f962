/// verdict/monitor/verdict_monitor.h: a verdict on every instant of a rigid run, at little cost.
///
/// One sliding contact is decided by the sign of A (Theorem 5.1), two by a few products. Anything else is
/// looked at when modes change or when the contact problem has moved by more than 2 % since the last look:
/// first for a proof that there is one motion (uniqueness.h), which holds for any number of contacts, in the
/// plane and in space; where there is none, for motions that are open (indeterminacy.h); then for all solutions,
/// as long as there are not too many modes to try.
#ifndef SLIP_VERDICT_MONITOR_VERDICT_MONITOR_H
#define SLIP_VERDICT_MONITOR_VERDICT_MONITOR_H

#include "verdict/contact/uniqueness_cache.h"
#include "verdict/contact/contact_verdict.h"
#include "dynamics/contact/contact_problem.h"
#include "formulation/method.h"

typedef struct slip_verdict_monitor {
    const slip_compliant_constants *constants; ///< by element
    slip_contact_set set;                      ///< as of the last full look
    slip_set_verdict judgement;
    slip_uniqueness_cache proof;
    slip_contact_set now;
    slip_verdict_level level;        ///< how often it looks
    int passed;                      ///< by a sampling one since the last look
    uint64_t parts;                  ///< who took part then
    bool good;                       ///< and what it said
    double N[SLIP_SET_MAX_CONTACTS]; ///< loads as of the last full look
    long looks, full;                ///< how often it looked; how often in full
} slip_verdict_monitor;

/// What it has seen; elements and coordinates as the proof was made with.
void slip_verdict_monitor_archive(slip_verdict_monitor *monitor, int elements, int coordinates,
                                  slip_archive *archive);

/// As it was made.
void slip_verdict_monitor_reset(slip_verdict_monitor *monitor, const slip_verdict_monitor *made);

/// Whether to look at a problem in which `parts` (a hash) take part.
bool slip_verdict_monitor_is_due(slip_verdict_monitor *monitor, uint64_t parts);

/// Looks at the rigid problem that was just solved and tells the method's trust. True when the rigid answer
/// is good to go on with: trusted, or the only stable one of several, or nothing is known against it.
bool slip_verdict_monitor_check(slip_verdict_monitor *monitor, slip_method *method,
                                const slip_contact_problem *rigid);

/// Whether a set of one or two contacts is to be trusted at first sight; `N` by place in the set.
bool slip_verdict_monitor_is_certain(const slip_verdict_monitor *monitor, const slip_contact_set *set,
                                     const double *N);

/// What a rigid problem of no more than proof->most unknowns is known by.
slip_uniqueness_key slip_sentry_key(slip_uniqueness_cache *proof, const slip_contact_problem *rigid);

/// What the proof says of a problem that is looked at; SILENT when nothing.
typedef enum slip_monitor_finding {
    SLIP_MONITOR_UNDECIDED,
    SLIP_MONITOR_TRUSTED,
    SLIP_MONITOR_DOUBTFUL
} slip_monitor_finding;

/// Of what was found last, and of what is found anew; tells the trust unless it is silent.
slip_monitor_finding slip_verdict_monitor_recall(slip_verdict_monitor *monitor, slip_method *method,
                                                 const slip_model *model);
slip_monitor_finding slip_verdict_monitor_prove(slip_verdict_monitor *monitor, slip_method *method,
                                                const slip_model *model, const slip_uniqueness_key *key,
                                                const slip_contact_solution *instant);

/// Whether frictions that follow forces leave the motion open; the verdict then says so. `slides`: the first
/// of them does, and nothing else holds.
bool slip_verdict_monitor_check_loads(slip_method *method, const slip_friction_loads *loads,
                                      const slip_system *system, const slip_terms *terms, bool slides);

/// The same as slip_verdict_monitor_check for a set that was made otherwise; `N` by place in the set.
bool slip_verdict_monitor_check_set(slip_verdict_monitor *monitor, slip_method *method,
                                    const slip_contact_set *set, const double *N);

#endif
