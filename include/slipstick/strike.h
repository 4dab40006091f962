/// strike.h: laws of impact side by side, for an impact at the start of a model and for whole runs.
///
///     slip_strikes *strikes = NULL;
///     if (slip_strikes_create(model, &error, &strikes) != SLIP_OK) ...
///     for (int k = 0; k < slip_strikes_count(strikes); k++) use(slip_strikes_answer(strikes, k));
///     slip_strikes_destroy(strikes);
///
/// docs/impacts.md says what the laws are; slip_part(SLIP_IMPACTS, ...) lists them.
#ifndef SLIPSTICK_STRIKE_H
#define SLIPSTICK_STRIKE_H

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The impact by one law.
typedef struct slip_strike_answer {
    const char *law;   ///< "energetic"
    const char *order; ///< of the contacts: "" as the law has it, "first contact first", "last contact first"
    bool in_force;     ///< it is the law of all contacts that strike
    bool found;        ///< else there is no answer, and nothing else is filled in
    double energy;     ///< J, work of the impulses on the system
    int turns;         ///< impacts of a sequence; 0: all contacts at once
    int solutions;     ///< of its contact problem, where they were counted; 0: not known
} slip_strike_answer;

/// One contact in it.
typedef struct slip_strike_contact {
    double gap_rate, slip[2];     ///< m/s, after
    double impulse, impulse_t[2]; ///< N s
    double normal_work;           ///< J, of the normal impulse
    int path;                     ///< 1 slid, 2 stuck, 4 slid back, 8 jammed, added up
} slip_strike_contact;

typedef struct slip_strikes slip_strikes;

/// Looks at the start of a model under every law, and in other orders where a law has a sequence and they
/// differ. No contact when nothing touches and approaches. The model must outlive it.
slip_status slip_strikes_create(const slip_model *model, slip_error *error, slip_strikes **strikes);
void slip_strikes_destroy(slip_strikes *strikes); ///< NULL is fine

int slip_strikes_contact_count(const slip_strikes *strikes); ///< contacts that touch; 0: nothing strikes
const char *slip_strikes_contact_name(const slip_strikes *strikes, int c); ///< NULL past the end
double slip_strikes_approach(const slip_strikes *strikes, int c);          ///< m/s, before
int slip_strikes_slip_count(const slip_strikes *strikes, int c);           ///< directions of its slip
double slip_strikes_slip(const slip_strikes *strikes, int c, int k);       ///< m/s, before

int slip_strikes_count(const slip_strikes *strikes);                        ///< answers
slip_strike_answer slip_strikes_answer(const slip_strikes *strikes, int k); ///< not found past the end
slip_strike_contact slip_strikes_contact(const slip_strikes *strikes, int k,
                                         int c);       ///< contact c of answer k
bool slip_strikes_differ(const slip_strikes *strikes); ///< some answers are not the same

/// All of it as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_strikes_json(const slip_strikes *strikes);

/// A whole run under one law.
typedef struct slip_law_run {
    const char *law;
    bool in_force;            ///< it is the law of the model
    bool applies;             ///< else `text` says why not, and nothing else is filled in
    slip_run_outcome outcome; ///< of the run
    char text[480];           ///< why it ended early, or its first warning; "" when there is none
    long impacts, jams;       ///< contacts that were struck; those that jammed
    double taken;             ///< J, by all impacts together
    double gains;             ///< J, of impacts that created energy, added up
    double spread;            ///< largest difference of a coordinate at the end from the law of the model
    double *end;              ///< coordinates at the end
} slip_law_run;

typedef struct slip_law_runs slip_law_runs;

/// Runs a model under every law of impact, for the contacts that name none of their own. `formulation` NULL:
/// that of the model, or chosen; `until` NaN: that of the model. The model must outlive it.
slip_status slip_law_runs_create(const slip_model *model, const char *formulation, double until,
                                 slip_error *error, slip_law_runs **runs);
void slip_law_runs_destroy(slip_law_runs *runs); ///< NULL is fine

int slip_law_runs_count(const slip_law_runs *runs);                      ///< laws
const slip_law_run *slip_law_runs_row(const slip_law_runs *runs, int k); ///< NULL past the end
const char *slip_law_runs_formulation(const slip_law_runs *runs);        ///< that they ran under
char *slip_law_runs_json(const slip_law_runs *runs); ///< docs/json.md; to be released with free()

#ifdef __cplusplus
}
#endif
#endif
