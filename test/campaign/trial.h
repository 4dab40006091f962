/// trial.h: one run of a random model, in a process of its own, so that a hang or a crash is a result like any other.
#ifndef SLIP_TEST_CAMPAIGN_TRIAL_H
#define SLIP_TEST_CAMPAIGN_TRIAL_H

#include <stdbool.h>

enum { TRIAL_INSTANTS = 65, TRIAL_COORDINATES = 12 };

/// How a trial ended.
typedef enum trial_end {
    TRIAL_TRUSTED, ///< the run says that it is to be trusted
    TRIAL_TOLD,    ///< it says that something is amiss
    TRIAL_REFUSED, ///< the model is not taken, with a message
    TRIAL_HANG,    ///< more processor time than the limit
    TRIAL_CRASH,   ///< ended by a signal
} trial_end;

/// What is run.
typedef struct trial_def {
    const char *formulation;
    double step;   ///< s; NaN: chosen by the program
    bool declared; ///< a model with detected contacts, with the same contacts declared
} trial_def;

typedef struct trial {
    trial_end end;
    int count; ///< coordinates with a mass
    int rows;  ///< instants that were reached
    double place[TRIAL_INSTANTS][TRIAL_COORDINATES];
    double step;    ///< s, in force
    double seconds; ///< of processor time
    char text[480]; ///< why it is not trusted
} trial;

/// What a child process does; its result is in *result, which is shared with the parent.
typedef void trial_work(const void *context, void *result);

/// Runs `work` in a child process with `seconds` of processor time. Returns TRIAL_TRUSTED when it came to its end,
/// else TRIAL_HANG or TRIAL_CRASH. `result` (size bytes) is copied back as far as it came.
trial_end trial_fork(trial_work *work, const void *context, void *result, int size, int seconds);

/// Runs a model.
void trial_run(const char *text, const trial_def *def, int seconds, trial *t);

/// The largest difference of a coordinate at instants that both reached, relative to how far it moves; differences at
/// one or two instants alone do not count, since a reset may fall on either side of them.
double trial_difference(const trial *a, const trial *b);

#endif
