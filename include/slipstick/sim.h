/// sim.h: a model under one formulation, advanced in time.
///
///     slip_sim_def def = slip_default_sim_def();       // everything as the model says
///     def.step = 1e-4;                                 // ... but this
///     slip_sim *sim = NULL;
///     if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) ...
///     while (slip_sim_time(sim) < 2.0 && slip_sim_step(sim) == SLIP_RUNNING) ...
///     slip_sim_destroy(sim);
///
/// All memory is taken in slip_sim_create; a step allocates nothing, unless it has an event or a warning to
/// keep. A simulation belongs to one thread at a time; different simulations, also of the same model, may run
/// at the same time.
/// For whole runs with files, see run.h.
#ifndef SLIPSTICK_SIM_H
#define SLIPSTICK_SIM_H

#include <signal.h>
#include <stdbool.h>

#include "slipstick/model.h"
#include "slipstick/solver.h"
#include "slipstick/status.h"
#include "slipstick/warning.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Settings of a simulation. Start from slip_default_sim_def() and change what you mean to change.
/// NULL and NaN mean: as the model's `run:` section says, else the default in parentheses.
typedef struct slip_sim_def {
    const char *formulation; ///< by name, see `slipstick list formulations` (chosen)
    const char *integrator;  ///< by name, see `slipstick list integrators` (as the formulation says)
    const char *solver;      ///< by name, see `slipstick list solvers` (auto)
    const slip_solve_options *solver_options; ///< those that are not NaN replace what the formulation sets:
        ///< slip_no_solve_options(), slip_solve_option_set(); NULL: none
    double step; ///< s, step of a fixed-step integrator, first step of an adaptive one (chosen, 1e-3 at most)
    double until;    ///< s, end of the run (1)
    double max_step; ///< s, longest step of an adaptive integrator, lcp, gauss, auto (until / 50)
    double relative; ///< error tolerance of an adaptive integrator (1e-6)
    double absolute; ///< the same, absolute (1e-9)
    const char *
        branch; ///< formulation lcp, where one sliding contact has two solutions: "stable" (the default) lets
                ///< it open, "contact" keeps it closed on the unstable one, as Song 2001 does in its case 2;
                ///< detected contacts, where a search finds a second motion: "other" takes it
    const char *on_disagreement; ///< formulation gauss, where its QP is not a solution of the contact LCP:
                                 ///< take the lcp, warn, or stop (lcp)
    double softness; ///< compliant formulations: response time of contacts, relative to the chosen one (1; 0
                     ///< is 1 too)
    const char *sensitivity; ///< "mu, e, x'": derivatives with respect to these, as columns
                             ///< d(x)/d(mu), see sensitivity.h (none)
    bool draw;               ///< frames of the model's drawing can be asked for, see draw.h (false)
    bool loads;              ///< loads of contacts, frictions and joints are tallied, see loads.h (false)
    bool strict;             ///< a warning that puts the answer in doubt ends the run (false)
    int threads; ///< for the steps of a model with detected contacts, with the same bits for any number; other
                 ///< models use one (1; 0 is 1 too)
    const volatile sig_atomic_t
        *stop; ///< nonzero: the next step, or one that takes long, ends as SLIP_STOPPED;
               ///< may be NULL
} slip_sim_def;

slip_sim_def slip_default_sim_def(void); ///< everything as the model says

typedef struct slip_sim slip_sim;

/// A simulation at the start of its run. `def` may be NULL: as the model says. The model must outlive it.
slip_status slip_sim_create(const slip_model *model, const slip_sim_def *def, slip_error *error,
                            slip_sim **sim);
void slip_sim_destroy(slip_sim *sim); ///< NULL is fine

/// Starts another run in the same simulation, with the bits of a new one from slip_sim_create. Variations of
/// one model (slip_model_vary) share equations and machine code from one start to the next. Results and
/// listeners of the last run are gone. After a failure, `sim` may only be started again or destroyed.
slip_status slip_sim_restart(slip_sim *sim, const slip_model *model, const slip_sim_def *def,
                             slip_error *error);

/// The state of a run, or how it ended.
#define SLIP_RUN_OUTCOMES(X)                                                                                 \
    X(RUNNING, "running", "the run goes on")                                                                 \
    X(DONE, "done", "the end of the run was reached")                                                        \
    X(STOPPED, "stopped", "the run was stopped from outside; what was computed is kept")                     \
    X(PAUSED, "paused", "the run was to end there; it can be resumed from a saved state")                    \
    X(BLOWN_UP, "blown-up", "the state became infinite or not a number")                                     \
    X(STEP_TOO_SMALL, "step-too-small", "the error control asks for steps below rounding")                   \
    X(UNTRUSTED, "untrusted", "a warning ended the run, as strict mode asks")                                \
    X(UNSOLVED, "unsolved", "a contact problem could not be solved, or something in the model has no value") \
    X(WRITE_FAILED, "write-failed", "a result file could not be written")                                    \
    X(OUT_OF_MEMORY, "out-of-memory", "there was no memory left to keep an event or a warning in")

#define SLIP_RUN_AS_ENUM(name, word, text) SLIP_##name,
typedef enum slip_run_outcome { SLIP_RUN_OUTCOMES(SLIP_RUN_AS_ENUM) SLIP_RUN_OUTCOME_COUNT } slip_run_outcome;

/// The word used in JSON and tables, "blown-up"; never NULL.
const char *slip_run_outcome_name(slip_run_outcome outcome);
const char *slip_run_outcome_text(slip_run_outcome outcome); ///< one sentence for an outcome; never NULL

/// Whether to trust an answer.
typedef enum slip_trust {
    SLIP_TRUST_DOUBTFUL,  ///< something speaks against it
    SLIP_TRUST_TRUSTED,   ///< checked, and found good
    SLIP_TRUST_UNCHECKED, ///< nothing speaks against it, but a check was left out
} slip_trust;

/// The same in one word, for the terminal, JSON and reports: "trusted", "doubtful" or "unchecked" at the end
/// of a run, "stopped", "paused" or "ended early" before it.
const char *slip_trust_name(slip_run_outcome outcome, slip_trust trust);

/// One step. Returns SLIP_RUNNING, or SLIP_DONE when `until` was reached, or why it cannot go on; a
/// step that cannot go on leaves the last good state.
slip_run_outcome slip_sim_step(slip_sim *sim);

/// Steps up to exactly time t: formulations that choose their steps take a shorter one, those with fixed
/// steps split theirs. For programs that exchange data with a simulation at given times. Returns like
/// slip_sim_step; does nothing if t is past.
slip_run_outcome slip_sim_step_to(slip_sim *sim, double t);

double slip_sim_time(const slip_sim *sim); ///< the present time, s

/// The condition `run.stop` of the model, as written, when it has ended the run, and the time in *t (may be
/// NULL); NULL when it has not. The outcome is SLIP_DONE, and `until` of the settings is then that time.
const char *slip_sim_stopped_by(const slip_sim *sim, double *t);
long slip_sim_steps(const slip_sim *sim); ///< steps taken so far

/// Why the program chose the formulation or the step; "" when it was given.
const char *slip_sim_formulation_reason(const slip_sim *sim);
const char *slip_sim_step_reason(const slip_sim *sim); ///< the same for the step

/// A sentence on the equilibrium of a model with `start: at rest`; "" for others.
const char *slip_sim_start_reason(const slip_sim *sim);

/// The settings in force: no NaN, except in solver options that were not given; integrator and solver are
/// NULL if the formulation uses none.
slip_sim_def slip_sim_settings(const slip_sim *sim);

/// Columns of the trajectory: t, every coordinate, every rate (x'), the element states
/// (friction.a, floor.e), the recorded quantities.
int slip_sim_column_count(const slip_sim *sim);
const char *slip_sim_column_name(const slip_sim *sim, int k); ///< the name of column k; NULL past the end
const char *slip_sim_column_unit(const slip_sim *sim, int k); ///< "" when it is not known; NULL past the end
int slip_sim_state_count(const slip_sim *sim);                ///< columns 1 .. state_count are the state

/// The row of the present state into `row` (column_count doubles).
void slip_sim_columns(slip_sim *sim, double *row);

/// A state by column name; NaN when there is no such column. Setting it changes the present state.
double slip_sim_get(slip_sim *sim, const char *column);

/// Sets a state; SLIP_UNKNOWN_NAME when there is no such column.
slip_status slip_sim_set(slip_sim *sim, const char *column, double value, slip_error *error);

/// Sets an input of the model from the present time on. SLIP_UNKNOWN_NAME when there is none of that name, or
/// it follows the time.
slip_status slip_sim_set_input(slip_sim *sim, const char *input, double value, slip_error *error);

/// The drawing of the model (draw.h) at the present state into `frame` (width doubles). All NaN unless the
/// simulation was made with slip_sim_def.draw.
void slip_sim_draw(slip_sim *sim, double *frame);

/// The frame at a time between the present one and the end of the next step, without taking the step.
/// SLIP_RUNNING when it could be computed.
slip_run_outcome slip_sim_draw_at(slip_sim *sim, double t, double *frame);

/// The latest end of the next step of slip_sim_step: the last time that slip_sim_draw_at can show.
double slip_sim_draw_reach(slip_sim *sim);

/// The whole state as JSON: from it, a simulation of the same model with the same settings continues to the
/// same bits, elsewhere or later. To be released with free(). NULL with *error: SLIP_UNSUPPORTED for a run
/// that cannot continue.
char *slip_sim_save(slip_sim *sim, slip_error *error);

/// Restores a saved state in a simulation that is at its start. `until`, `strict` and `draw` may differ from
/// those it was saved with; any other difference, or the place of an error in the text, is in *error. The
/// simulation may then only be destroyed.
slip_status slip_sim_restore(slip_sim *sim, const char *state, slip_error *error);

/// Where the energy went, in joules, from the start of the run. The sum closes by definition:
///     kinetic + potential - (their values at the start)
///         = work - friction - contact - impact + numerical
/// so `numerical` is what the scheme itself created (> 0) or lost. Elastic energy that a contact or
/// friction element holds at the moment counts as taken by that element.
typedef struct slip_energy {
    bool known; ///< false for inclusions, which have no masses
    double kinetic, potential, start;
    double work;      ///< done by generalised forces, moving guides and belts
    double friction;  ///< taken by friction
    double contact;   ///< taken by contacts of finite duration
    double impact;    ///< taken by impacts
    double numerical; ///< remainder
} slip_energy;
slip_energy slip_sim_energy(slip_sim *sim); ///< the energy ledger at the present state

/// A loaded contact that was detected in the last step (`detect:` in a model, docs/many-body.md).
typedef struct slip_detected_contact {
    const char *element; ///< its contact in the model
    const char *body[2];
    double centre[2][3]; ///< m, centres of mass; for the ground and for prescribed or jointed bodies, the
                         ///< point below
    double point[3], normal[3]; ///< m; a unit vector, from body[1] to body[0]
    double force[3];            ///< N, on body[0], mean over the step
} slip_detected_contact;

/// Writes at most `most` loaded contacts into `list`. Returns how many there are.
int slip_sim_detected_contacts(slip_sim *sim, slip_detected_contact *list, int most);

#define SLIP_EVENTS(X)                                                                                       \
    X(CONTACT, "contact", "a gap closed")                                                                    \
    X(RELEASE, "release", "a contact opened")                                                                \
    X(STICK, "stick", "sliding ended")                                                                       \
    X(SLIDE, "slip", "sliding began")                                                                        \
    X(IMPACT, "impact", "velocities jumped")                                                                 \
    X(WHEN, "when", "an event of the model: its condition became true")                                      \
    X(VERDICT, "verdict", "trust in the rigid answer changed")                                               \
    X(WARN, "warning", "something to know before trusting the answer")

#define SLIP_EVENT_AS_ENUM(name, word, text) SLIP_EVENT_##name,
typedef enum slip_event_kind { SLIP_EVENTS(SLIP_EVENT_AS_ENUM) SLIP_EVENT_COUNT } slip_event_kind;

const char *slip_event_name(slip_event_kind kind); ///< the word used in events.csv, "contact"; never NULL

typedef struct slip_event {
    double t;            ///< s; end of the step in which it was seen, for fixed-step methods
    const char *element; ///< "" for the whole system
    slip_event_kind kind;
    const char *text; ///< a sentence, or ""

    /// Numbers, NaN where there is none; second components in space only. SLIP_EVENT_NUMBERS lists them.
    double approach;     ///< m/s, at which the gap closes; of an impact: just before it
    double impulse;      ///< N s, normal; of impacts
    double impulse_t[2]; ///< N s, tangential; of impacts
    double slip[2];      ///< m/s; of an impact: just before it
    double direction[2]; ///< of the slip from the event on, a unit vector; 0 where it sticks
    double energy;       ///< J, work of the impulses of an impact on the system
    double normal_work;  ///< J, work of its normal impulse; NaN where it is not computed
    double path;      ///< what a contact did in the impact: 1 slid, 2 stuck, 4 slid back, 8 jammed, added up
    double solutions; ///< of the impact law; more than 1: not unique. Where they were counted
} slip_event;

/// The numbers of an event by name: columns of events.csv, members of events in JSON. A new one is a member
/// of slip_event and a line here.
#define SLIP_EVENT_NUMBERS(X)                                                                                \
    X("approach", approach, "m/s")                                                                           \
    X("impulse", impulse, "N s")                                                                             \
    X("impulse_t", impulse_t[0], "N s")                                                                      \
    X("impulse_t.y", impulse_t[1], "N s")                                                                    \
    X("slip", slip[0], "m/s")                                                                                \
    X("slip.y", slip[1], "m/s")                                                                              \
    X("direction", direction[0], "")                                                                         \
    X("direction.y", direction[1], "")                                                                       \
    X("energy", energy, "J")                                                                                 \
    X("normal_work", normal_work, "J")                                                                       \
    X("path", path, "")                                                                                      \
    X("solutions", solutions, "")

const char *slip_event_number_name(int k);                ///< "approach" for 0; NULL past the end
const char *slip_event_number_unit(int k);                ///< "m/s", "" without one; NULL past the end
double slip_event_number(const slip_event *event, int k); ///< NaN when unknown, and past the end

/// Called for every event as it happens; its text lives until the call returns.
typedef void slip_event_sink(void *context, const slip_event *event);

/// Sends the events of all further steps to `sink`; NULL: to none.
void slip_sim_on_event(slip_sim *sim, slip_event_sink *sink, void *context);

/// The worst verdict of a rigid formulation so far, as a word ("trusted", "ambiguous", "unstable",
/// "inconsistent", "unknown": see analysis.h), and a sentence in *text (may be NULL). NULL for formulations
/// that are not rigid and need none.
const char *slip_sim_verdict(const slip_sim *sim, const char **text);

/// Warnings so far, in the order in which they were first seen; warning.h says what is in one. NULL past the
/// end. They live as long as the simulation.
const slip_warning *slip_sim_warning_at(const slip_sim *sim, int k);

/// The sentence alone.
const char *slip_sim_warning(const slip_sim *sim, int k);

/// Notes so far: like warnings, but they cast no doubt on the motion. NULL past the end.
const slip_warning *slip_sim_note_at(const slip_sim *sim, int k);

#ifdef __cplusplus
}
#endif
#endif
