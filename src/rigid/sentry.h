/// rigid/sentry.h: a verdict on every instant of a rigid run, at little cost.
///
/// One sliding contact is decided by the sign of A (Theorem 5.1), two by a few products. Anything else is
/// looked at when modes change or when the contact problem has moved by more than 2 % since the last look:
/// first for a proof that there is one motion (unique.h), which holds for any number of contacts, in the
/// plane and in space; where there is none, for motions that are open (openness.h); then for all solutions,
/// as long as there are not too many modes to try.
#ifndef SLIP_RIGID_SENTRY_H
#define SLIP_RIGID_SENTRY_H

#include "rigid/proof.h"
#include "rigid/verdict.h"
#include "rigid/problem.h"
#include "method/method.h"

typedef struct slip_sentry {
    const slip_compliant_constants *constants; ///< by element
    slip_contact_set set;                      ///< as of the last full look
    slip_judgement judgement;
    slip_proof proof;
    slip_contact_set now;
    slip_verdict_level level; ///< how often it looks
    int passed;               ///< by a sampling one since the last look
    unsigned long parts;      ///< who took part then
    bool good;                ///< and what it said
    double N[SLIP_SET_MAX];   ///< loads as of the last full look
    long looks, full;         ///< how often it looked; how often in full
} slip_sentry;

/// What it has seen; elements and coordinates as the proof was made with.
void slip_sentry_archive(slip_sentry *sentry, int elements, int coordinates, slip_archive *archive);

/// As it was made.
void slip_sentry_rewind(slip_sentry *sentry, const slip_sentry *made);

/// Whether to look at a problem in which `parts` (a hash) take part.
bool slip_sentry_is_due(slip_sentry *sentry, unsigned long parts);

/// Looks at the rigid problem that was just solved and tells the method's trust. True when the rigid answer
/// is good to go on with: trusted, or the only stable one of several, or nothing is known against it.
bool slip_sentry_look(slip_sentry *sentry, slip_method *method, const slip_rigid *rigid);

/// Whether a set of one or two contacts is to be trusted at first sight; `N` by place in the set.
bool slip_sentry_certain(const slip_sentry *sentry, const slip_contact_set *set, const double *N);

/// What a rigid problem of no more than proof->most unknowns is known by.
slip_proof_key slip_sentry_key(slip_proof *proof, const slip_rigid *rigid);

/// What the proof says of a problem that is looked at; SILENT when nothing.
typedef enum slip_sentry_word { SLIP_SENTRY_SILENT, SLIP_SENTRY_GOOD, SLIP_SENTRY_BAD } slip_sentry_word;

/// Of what was found last, and of what is found anew; tells the trust unless it is silent.
slip_sentry_word slip_sentry_recall(slip_sentry *sentry, slip_method *method, const slip_model *model);
slip_sentry_word slip_sentry_prove(slip_sentry *sentry, slip_method *method, const slip_model *model,
                                   const slip_proof_key *key, const slip_instant *instant);

/// Whether frictions that follow forces leave the motion open; the verdict then says so. `slides`: the first
/// of them does, and nothing else holds.
bool slip_sentry_doubts_loads(slip_method *method, const slip_loads *loads, const slip_system *system,
                              const slip_terms *terms, bool slides);

/// The same as slip_sentry_look for a set that was made otherwise; `N` by place in the set.
bool slip_sentry_look_at(slip_sentry *sentry, slip_method *method, const slip_contact_set *set,
                         const double *N);

#endif
