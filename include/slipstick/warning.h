/// warning.h: warnings and notes of a run.
///
/// A warning is a record: what kind it is, when it was first and last seen and how often, which element it is
/// about, a sentence, the numbers behind the sentence, and what to change in the model file. A warning that
/// repeats is counted; it does not become a second record. sim.h has the functions that return them.
#ifndef SLIPSTICK_WARNING_H
#define SLIPSTICK_WARNING_H

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of warnings: name, word (JSON), meaning. A new kind is one line.
#define SLIP_WARNINGS(X)                                                                                     \
    X(BAD_START, "bad-start",                                                                                \
      "the start, or an event, contradicts the contacts or constraints of the model")                        \
    X(STEP_TOO_LONG, "step-too-long", "the step is too long for the integrator or the law")                  \
    X(STEPPED_OVER, "stepped-over", "a step may have skipped a short feature")                               \
    X(NOT_CONVERGED, "not-converged", "another resolution gives another answer")                             \
    X(CHAOTIC, "chaotic", "the motion itself amplifies small differences")                                   \
    X(RESTITUTION, "restitution", "impacts have another restitution than the model states")                  \
    X(TOO_SOFT, "too-soft", "a contact gives way to the load that rests on it")                              \
    X(TOO_DEEP, "too-deep", "bodies are further inside each other than the method allows for")               \
    X(CONVEX_HULL, "convex-hull", "a mesh that is not convex touches with its convex hull")                  \
    X(CREEP, "creep", "what should stick creeps")                                                            \
    X(GAP_JUMPS, "gap-jumps", "a gap is not a continuous function of the motion")                            \
    X(ENERGY_CREATED, "energy-created", "impacts or the scheme created energy")                              \
    X(NOT_UNIQUE, "not-unique", "the motion is not determined by the model")                                 \
    X(OPEN_FORCE, "open-force", "recorded forces are statically indeterminate, the motion is not")           \
    X(NO_DERIVATIVES, "no-derivatives", "there are no derivatives from an event on, the motion goes on")     \
    X(STEP_DERIVATIVES, "step-derivatives",                                                                  \
      "derivatives after a touchdown are those of the fixed-step scheme")                                    \
    X(IMPACT_LAW, "impact-law", "an impact of several contacts comes out differently under another law")     \
    X(FIXED_MASS, "fixed-mass", "stiffness and damping of contacts do not follow the mass along the motion") \
    X(DISAGREEMENT, "disagreement", "two principles that should agree give different answers")               \
    X(NOT_A_NUMBER, "not-a-number", "a quantity of the model is not a number")                               \
    X(NEGATIVE_FRICTION, "negative-friction", "a coefficient or limit of friction is below zero")            \
    X(AMBIGUOUS, "ambiguous", "the contact problem has several solutions")                                   \
    X(UNSTABLE, "unstable", "a compliant contact would leave the solution in use")                           \
    X(INCONSISTENT, "inconsistent", "the contact problem has no solution")                                   \
    X(UNKNOWN, "unknown", "no theorem covers the contact problem")                                           \
    X(SECOND_SOLUTION, "second-solution", "contacts have a second solution, which leads to the same motion")

#define SLIP_WARNING_AS_ENUM(name, word, text) SLIP_WARNING_##name,
typedef enum slip_warning_kind { SLIP_WARNINGS(SLIP_WARNING_AS_ENUM) SLIP_WARNING_COUNT } slip_warning_kind;

const char *slip_warning_kind_name(slip_warning_kind kind); ///< the word
const char *slip_warning_kind_text(slip_warning_kind kind); ///< the meaning

/// Whether it is a note: useful to know, without doubt about the motion.
int slip_warning_kind_is_note(slip_warning_kind kind);

/// A number behind a sentence.
typedef struct slip_measured_value {
    const char *name;
    double value;
    const char *unit; ///< "" without one
} slip_measured_value;

/// Set `key`, a path of the model file such as run.step or contacts.floor.compliance.stiffness, to a number,
/// or to `word` where that is not NULL.
typedef struct slip_advice {
    const char *key;
    const char *word;
    double value;
} slip_advice;

enum { SLIP_MAX_VALUES = 6, SLIP_MAX_ADVICE = 4 };

typedef struct slip_warning {
    slip_warning_kind kind;
    double t, last;      ///< s, when it was first and last seen
    long count;          ///< how often
    const char *element; ///< "" for the whole system
    const char *text;    ///< a sentence, with the numbers of the first time
    int value_count;
    slip_measured_value values[SLIP_MAX_VALUES];
    int advice_count; ///< any one of them helps
    slip_advice advice[SLIP_MAX_ADVICE];
} slip_warning;

#ifdef __cplusplus
}
#endif
#endif
