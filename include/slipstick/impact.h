/// impact.h: impact laws side by side, for an impact at the start of a model and for whole runs.
///
///     slip_impacts *strikes = NULL;
///     if (slip_impacts_create(model, &error, &strikes) != SLIP_OK) ...
///     for (int k = 0; k < slip_impacts_count(strikes); k++) use(slip_impacts_answer(strikes, k));
///     slip_impacts_destroy(strikes);
///
/// docs/impacts.md says what the laws are; slip_part(SLIP_IMPACTS, ...) lists them.
#ifndef SLIPSTICK_IMPACT_H
#define SLIPSTICK_IMPACT_H

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The impact by one law.
typedef struct slip_impact_answer {
    const char *law;   ///< "energetic"
    const char *order; ///< of the contacts: "" as the law has it, "first contact first", "last contact first"
    bool in_force;     ///< it is the law of all contacts that strike
    bool found;        ///< else there is no answer, and nothing else is filled in
    double energy;     ///< J, work of the impulses on the system
    int turns;         ///< impacts of a sequence; 0: all contacts at once
    int solutions;     ///< of its contact problem, where they were counted; 0: not known
} slip_impact_answer;

/// One contact in it.
typedef struct slip_impact_contact {
    double gap_rate, slip[2];     ///< m/s, after
    double impulse, impulse_t[2]; ///< N s
    double normal_work;           ///< J, of the normal impulse
    int path;                     ///< 1 slid, 2 stuck, 4 slid back, 8 jammed, added up
} slip_impact_contact;

typedef struct slip_impacts slip_impacts;

/// Looks at the start of a model under every law, and in other orders where a law has a sequence and they
/// differ. No contact when nothing touches and approaches. The model must outlive it.
slip_status slip_impacts_create(const slip_model *model, slip_error *error, slip_impacts **strikes);
void slip_impacts_destroy(slip_impacts *strikes); ///< NULL is fine

int slip_impacts_contact_count(const slip_impacts *strikes); ///< contacts that touch; 0: nothing strikes
const char *slip_impacts_contact_name(const slip_impacts *strikes, int c); ///< NULL past the end
double slip_impacts_approach(const slip_impacts *strikes, int c);          ///< m/s, before
int slip_impacts_slip_count(const slip_impacts *strikes, int c);           ///< directions of its slip
double slip_impacts_slip(const slip_impacts *strikes, int c, int k);       ///< m/s, before

int slip_impacts_count(const slip_impacts *strikes);                        ///< answers
slip_impact_answer slip_impacts_answer(const slip_impacts *strikes, int k); ///< not found past the end
slip_impact_contact slip_impacts_contact(const slip_impacts *strikes, int k,
                                         int c);       ///< contact c of answer k
bool slip_impacts_differ(const slip_impacts *strikes); ///< some answers are not the same

/// All of it as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_impacts_json(const slip_impacts *strikes);

/// A whole run under one law.
typedef struct slip_impact_law_run {
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
} slip_impact_law_run;

typedef struct slip_impact_law_runs slip_impact_law_runs;

/// Runs a model under every impact law, for the contacts that name none of their own. `formulation` NULL:
/// that of the model, or chosen; `until` NaN: that of the model. The model must outlive it.
slip_status slip_impact_law_runs_create(const slip_model *model, const char *formulation, double until,
                                        slip_error *error, slip_impact_law_runs **runs);
void slip_impact_law_runs_destroy(slip_impact_law_runs *runs); ///< NULL is fine

int slip_impact_law_runs_count(const slip_impact_law_runs *runs); ///< laws
const slip_impact_law_run *slip_impact_law_runs_row(const slip_impact_law_runs *runs,
                                                    int k);                     ///< NULL past the end
const char *slip_impact_law_runs_formulation(const slip_impact_law_runs *runs); ///< that they ran under
char *
slip_impact_law_runs_json(const slip_impact_law_runs *runs); ///< docs/json.md; to be released with free()

#ifdef __cplusplus
}
#endif
#endif
