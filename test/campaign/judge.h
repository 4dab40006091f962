/// judge.h: a model under several formulations, and what is wrong among them.
#ifndef SLIP_TEST_CAMPAIGN_JUDGE_H
#define SLIP_TEST_CAMPAIGN_JUDGE_H

#include "grammar.h"
#include "trial.h"

enum { JUDGE_RUNS = 6 };

typedef struct judge_run {
    trial_def def;
    char name[32]; ///< "moreau, a quarter of the step"
    int column;    ///< its row in the table, see judge_name
    trial t;
} judge_run;

/// What is wrong with a model.
typedef enum judge_kind { JUDGE_NOTHING, JUDGE_SILENT, JUDGE_HANG, JUDGE_CRASH } judge_kind;

typedef struct judge_finding {
    judge_kind kind;
    int run, other;  ///< the run in question, and the one it differs from
    double distance; ///< between the two
    bool doubted;    ///< the other one doubts itself, but a third agrees with it
    char text[400];
} judge_finding;

typedef struct judge {
    int count;
    judge_run run[JUDGE_RUNS];
    int seconds; ///< of processor time for each run
} judge;

const char *judge_name(int column); ///< of the table: formulations; NULL past the end

/// The runs that a model of this number gets.
void judge_plan(judge *j, const grammar_model *m, long number, int seconds);

/// Runs all, and says what is wrong.
judge_finding judge_model(judge *j, const char *text);

/// Whether another text still has the finding, by the runs that it is about; its distance and words are then those of
/// this text.
bool judge_still(judge *j, const char *text, judge_finding *finding);

/// Whether a run that is doubtful agrees with one that is trusted, and none is against it.
bool judge_false_alarm(const judge *j, int run);

#endif
