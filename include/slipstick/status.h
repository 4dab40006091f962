/// status.h: how a call ends, and how a solve ends.
///
/// Three kinds of failure are kept apart.
///   A wrong call or a wrong file  ->  slip_status, with a place and a sentence in slip_error.
///   A solve that falls short      ->  slip_outcome, with its residual beside it: that is data.
///   A broken promise of our own   ->  assert.
/// The library never prints, never exits and keeps no global state.
#ifndef SLIPSTICK_STATUS_H
#define SLIPSTICK_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define SLIP_STATUSES(X)                                                                                     \
    X(OK, "ok", "ok")                                                                                        \
    X(BAD_ARGUMENT, "bad-argument", "a value is outside its range")                                          \
    X(BAD_MODEL, "bad-model", "the model is not valid")                                                      \
    X(BAD_FILE, "bad-file", "the file cannot be understood")                                                 \
    X(UNKNOWN_NAME, "unknown-name", "nothing is listed under that name")                                     \
    X(UNSUPPORTED, "unsupported", "these parts do not go together")                                          \
    X(IO, "io", "a file could not be read or written")                                                       \
    X(NO_MEMORY, "no-memory", "out of memory")

#define SLIP_STATUS_AS_ENUM(name, word, text) SLIP_##name,
/// How a call ended. Only SLIP_OK is success.
typedef enum slip_status { SLIP_STATUSES(SLIP_STATUS_AS_ENUM) SLIP_STATUS_COUNT } slip_status;

/// What went wrong, where. Every function that can fail takes an optional slip_error (NULL is fine)
/// and fills it only when it fails.
typedef struct slip_error {
    slip_status status;
    char where[160]; ///< "brake.yaml:14:11", "solver lemke", "out/trajectory.csv"
    char text[480];  ///< "mu must be >= 0, got -0.3"
} slip_error;

#define SLIP_OUTCOMES(X)                                                                                     \
    X(CONVERGED, "converged", "the residual is below the tolerance")                                         \
    X(OUT_OF_ITERATIONS, "out-of-iterations", "the iteration limit came first")                              \
    X(STALLED, "stalled", "the residual stopped falling")                                                    \
    X(DIVERGED, "diverged", "the iterates grew without bound or became NaN")                                 \
    X(RAY, "ray", "the pivoting ended on a ray: no solution found this way")                                 \
    X(INFEASIBLE, "infeasible", "the problem was shown to have no solution")                                 \
    X(UNSUITED, "unsuited", "the method does not take this kind or size of problem")

#define SLIP_OUTCOME_AS_ENUM(name, word, text) SLIP_##name,
/// How a solve ended. Not converging is an answer, so it is not a slip_status.
typedef enum slip_outcome { SLIP_OUTCOMES(SLIP_OUTCOME_AS_ENUM) SLIP_OUTCOME_COUNT } slip_outcome;

/// The word used in JSON, "bad-model"; never NULL.
const char *slip_status_name(slip_status status);
const char *slip_status_text(slip_status status); ///< one sentence for a status; never NULL

/// The word used in JSON and tables, "out-of-iterations"; never NULL.
const char *slip_outcome_name(slip_outcome outcome);
const char *slip_outcome_text(slip_outcome outcome); ///< one sentence for an outcome; never NULL

#ifdef __cplusplus
}
#endif
#endif
