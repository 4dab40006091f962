/// study.h: studies of a random model against runs of it: derivatives against differences, equilibria against
/// settling, cycles against long runs.
#ifndef SLIP_TEST_CAMPAIGN_STUDY_H
#define SLIP_TEST_CAMPAIGN_STUDY_H

#include "grammar.h"
#include "trial.h"

typedef struct study_result {
    trial_end
        end;    ///< TRIAL_TOLD: the study says that it has no answer, or there is nothing to hold it against
    bool wrong; ///< it has an answer that runs contradict, or a hang or a crash
    char text[480];
} study_result;

const char *study_name(int kind); ///< NULL past the end

/// Whether a study is made of this model; some are made now and then only.
bool study_applies(int kind, const grammar_model *m, long number);

void study_run(int kind, const grammar_model *m, const char *text, int seconds, study_result *result);

#endif
