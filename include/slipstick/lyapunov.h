/// lyapunov.h: Lyapunov exponents, and what they say about a motion.
///
///     slip_lyapunov_def def = slip_default_lyapunov_def();
///     def.period = "2*pi/w";                          // forced; NULL: autonomous
///     slip_lyapunov *answer = NULL;
///     if (slip_lyapunov_find(model, &def, &error, &answer) != SLIP_OK) ...
///     printf("%s: %g +- %g 1/s\n", slip_lyapunov_verdict_name(answer->verdict), answer->exponent[0],
///            answer->error[0]);
///     slip_lyapunov_destroy(answer);
///
/// The derivatives of sensitivity.h are carried along one long run, as a frame that is orthonormalised after
/// every block; exponents are means of the logarithms of its lengths (Benettin et al. 1980).
#ifndef SLIPSTICK_LYAPUNOV_H
#define SLIPSTICK_LYAPUNOV_H

#include "slipstick/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_lyapunov_def {
    const char *formulation; ///< lcp or gauss (lcp)
    const char *period;      ///< of a forced motion: a number or a formula of parameters; NULL: none
    const char *start;       ///< "x=1.5, x'=0": where the run starts (NULL: as the model says)
    const char
        *drift;    ///< "y, phi": coordinates that nothing depends on, each with an exponent 0 (NULL: none)
    double settle; ///< s before the exponents are measured (NaN: as long as the model runs)
    double length; ///< s that they are measured for (NaN: 2000 blocks)
    double block;  ///< s from one orthonormal frame to the next (NaN: the period, else settle/200)
    double relative, absolute;         ///< tolerances of the run (1e-9, 1e-11)
    const volatile sig_atomic_t *stop; ///< nonzero: the search ends without an answer; may be NULL
} slip_lyapunov_def;

slip_lyapunov_def slip_default_lyapunov_def(void); ///< as in parentheses

/// The kind of a motion, by its exponents.
#define SLIP_LYAPUNOV_VERDICTS(X)                                                                            \
    X(UNDECIDED, "undecided", "an exponent cannot be distinguished from 0")                                  \
    X(REST, "rest", "the motion ends at an attracting point")                                                \
    X(PERIODIC, "periodic", "nearby motions approach it")                                                    \
    X(QUASI_PERIODIC, "quasi-periodic", "nearby motions stay near, and it does not repeat")                  \
    X(CHAOTIC, "chaotic", "nearby motions separate exponentially")                                           \
    X(COLLAPSED, "collapsed",                                                                                \
      "all derivatives are exactly 0: the motion does not depend on its initial state")

#define SLIP_LYAPUNOV_AS_ENUM(name, word, text) SLIP_LYAPUNOV_##name,
typedef enum slip_lyapunov_verdict {
    SLIP_LYAPUNOV_VERDICTS(SLIP_LYAPUNOV_AS_ENUM) SLIP_LYAPUNOV_COUNT
} slip_lyapunov_verdict;

/// The word used in tables and JSON, "chaotic". Never NULL.
const char *slip_lyapunov_verdict_name(slip_lyapunov_verdict verdict);

typedef struct slip_lyapunov {
    slip_lyapunov_verdict verdict;
    char text[480];      ///< why
    int count;           ///< exponents: as many as there are states that move freely
    double *exponent;    ///< 1/s, by falling size; minus infinity for directions lost in sticking
    double *error;       ///< 1/s, standard errors from the scatter of 20 batches
    int trivial;         ///< exponents that are always 0
    int forgotten;       ///< exponents that are minus infinity
    double forgotten_at; ///< s, when the last of them was lost; NaN: none was
    double sum;          ///< 1/s, of all exponents
    double expected;     ///< 1/s, the same by restitutions and divergence; NaN if something sticks
    double from, to;     ///< s, the part of the run that counts
    int blocks;          ///< of it
    int lost;            ///< blocks without derivatives, which do not count
    char reason[200];    ///< why the first of them had none
    double impacts;      ///< per block
    int repeat;          ///< of forced motions: periods after which the state is the same again; 0: it is not
    int state_count;
    char **state_name;
    int point_count; ///< states at the ends of the last periods: `repeat` of them, else at most 64
    double *points;  ///< one behind the other, the last one last
} slip_lyapunov;

/// Runs the model and measures. A status other than SLIP_OK means that nothing could be tried.
slip_status slip_lyapunov_find(const slip_model *model, const slip_lyapunov_def *def, slip_error *error,
                               slip_lyapunov **answer);
void slip_lyapunov_destroy(slip_lyapunov *answer); ///< NULL is fine

/// As one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_lyapunov_json(const slip_lyapunov *answer);

#ifdef __cplusplus
}
#endif
#endif
