/// analysis.h: what the rigid contact problem says at one state, and whether to believe it.
///
/// At (t, q, u) the contacts that touch pose a linear complementarity problem for their forces. It has one
/// solution, several or none; and a solution is worth something only when a thin compliant layer at the
/// contacts would settle on it (Song, Kraus, Kumar, Dupont 2001). This call finds every solution of up to 12
/// contacts and the boundary layer of each.
///
///     slip_analysis *a = NULL;
///     if (slip_analysis_create(model, NULL, &error, &a) != SLIP_OK) ...
///     if (slip_analysis_at(a, t, q, u, &error) != SLIP_OK) ...          // q, u: one number per coordinate
///     slip_analysis_verdict(a), slip_analysis_text(a), slip_analysis_solution_count(a) ...
///     slip_analysis_destroy(a);
#ifndef SLIPSTICK_ANALYSIS_H
#define SLIPSTICK_ANALYSIS_H

#include <stdbool.h>

#include "slipstick/model.h"
#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIP_VERDICTS(X)                                                                                     \
    X(TRUSTED, "trusted", "one motion, and a compliant contact settles on it")                               \
    X(AMBIGUOUS, "ambiguous", "several solutions of the contact problem")                                    \
    X(UNSTABLE_BRANCH, "unstable", "a compliant contact would leave this solution")                          \
    X(INCONSISTENT, "inconsistent", "the rigid contact problem has no solution")                             \
    X(UNKNOWN_VERDICT, "unknown", "no theorem covers this case")

#define SLIP_VERDICT_AS_ENUM(name, word, text) SLIP_##name,
typedef enum slip_verdict { SLIP_VERDICTS(SLIP_VERDICT_AS_ENUM) SLIP_VERDICT_COUNT } slip_verdict;

/// The word used in JSON and tables, "trusted"; never NULL.
const char *slip_verdict_name(slip_verdict verdict);
const char *slip_verdict_text(slip_verdict verdict); ///< one sentence for a verdict; never NULL

typedef struct slip_analysis slip_analysis;

/// `def` gives formulation (kelvin-voigt or hunt-crossley: the compliance to judge by; else as the contacts
/// say) and step (from which a compliance that is not given is chosen); NULL: as the model says.
slip_status slip_analysis_create(const slip_model *model, const slip_sim_def *def, slip_error *error,
                                 slip_analysis **analysis);
void slip_analysis_destroy(slip_analysis *analysis); ///< NULL is fine

/// Looks at a state. Contacts whose gap is closed and not opening take part; those that approach would strike
/// and are reported by SLIP_UNSUPPORTED. Allocates nothing.
slip_status slip_analysis_at(slip_analysis *analysis, double t, const double *q, const double *u,
                             slip_error *error);

/// Looks at where a run of its model is at t, which must be the model of slip_analysis_create(); 0: at the
/// start.
slip_status slip_analysis_after(slip_analysis *analysis, const slip_model *model, double t,
                                slip_error *error);

double slip_analysis_time(const slip_analysis *analysis); ///< t of that state

/// The verdict on the state last looked at.
slip_verdict slip_analysis_verdict(const slip_analysis *analysis);
const char *slip_analysis_text(const slip_analysis *analysis);     ///< one sentence
bool slip_analysis_rigid_preferred(const slip_analysis *analysis); ///< Table 1, last column: RB, else CC

/// The contacts that take part.
int slip_analysis_contact_count(const slip_analysis *analysis);

/// The name of contact number `contact` of those; NULL past the end.
const char *slip_analysis_contact_name(const slip_analysis *analysis, int contact);

/// A of the LCP (6), count x count numbers, when every contact slides; NULL otherwise.
const double *slip_analysis_A(const slip_analysis *analysis);
const double *slip_analysis_B(const slip_analysis *analysis); ///< B, count numbers, likewise
/// 1: A is a P-matrix, so there is one solution whatever B; 0: it is not; -1: there is no A.
int slip_analysis_p_matrix(const slip_analysis *analysis);

/// Solutions; -1 when there are too many contacts to try every mode. A continuum counts as one.
int slip_analysis_solution_count(const slip_analysis *analysis);

/// True when solutions form a continuum: forces that are not determined.
bool slip_analysis_continuum(const slip_analysis *analysis);

typedef struct slip_analysis_contact {
    const char *mode;           ///< "open", "sticks", "slides forward", "slides backward"
    double normal, tangent;     ///< N
    double gap_rate, slip_rate; ///< m/s^2
} slip_analysis_contact;

/// What a solution says of a contact that takes part.
slip_analysis_contact slip_analysis_solution(const slip_analysis *analysis, int solution, int contact);

/// "stable", "stable*" (nothing in contact), "unstable" or "unknown".
const char *slip_analysis_stability(const slip_analysis *analysis, int solution);

/// The boundary layer (25) of a solution: `count` rows, A, P (1/s), Q (1/s^2) and 2 count eigenvalues (1/s).
/// Valid until the next call.
typedef struct slip_analysis_layer {
    int count;
    const double *A, *P, *Q, *re, *im;
} slip_analysis_layer;

/// The boundary layer of a solution; count is 0 when there is none.
slip_analysis_layer slip_analysis_boundary_layer(slip_analysis *analysis, int solution);

/// The analysis as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_analysis_json(const slip_analysis *analysis);

#ifdef __cplusplus
}
#endif
#endif
