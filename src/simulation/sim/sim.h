/// simulation/sim/sim.h: a simulation from inside.
#ifndef SLIP_SIMULATION_SIM_SIM_H
#define SLIP_SIMULATION_SIM_SIM_H

#include "symbolic/compiler/tape_cache.h"
#include "formulation/method.h"
#include "dynamics/contact/static_equilibrium.h"
#include "simulation/sim/auto_settings.h"
#include "simulation/sim/delayed_values.h"
#include "simulation/sim/derivative_columns.h"
#include "simulation/sim/event_kinematics.h"
#include "simulation/sim/sampled_controllers.h"
#include "simulation/sim/value_checks.h"
#include "simulation/sim/model_events.h"
#include "slipstick/run.h"

struct slip_sim {
    const slip_model *model;
    slip_tape_cache *tape_cache; ///< what is kept from one start to the next; NULL: it was started once
    slip_model shelved;          ///< the model with that tape_cache, where there is one
    slip_model *origin;          ///< of all models that were started with the tape_cache; held
    slip_parameter_reads reads;  ///< of the parameters of these, while one method was in use
    bool rewinds;                ///< it may be used for another start
    slip_model *rested;          ///< it starts in equilibrium; NULL: where it says
    char start_reason
        [SLIP_STATIC_TEXT_LENGTH]; ///< what is known of that equilibrium; "" when none was looked for
    slip_model drawn_model;        ///< the same with the numbers of a frame among its records, when it draws
    bool drawn;                    ///< it does
    int watched;                   ///< forces of elements behind the frame
    const slip_formulation *formulation;
    slip_stop stop;                    ///< see slip_sim_set_stop_flag
    slip_sim_def def;                  ///< settings in force
    slip_solve_options solver_options; ///< that def points to
    char formulation_reason[SLIP_REASON_LENGTH], step_reason[SLIP_REASON_LENGTH]; ///< "" when given
    slip_method *method;
    slip_value_checks *values;         ///< of the model that have to be looked at; NULL: none
    slip_sampled_controllers *samples; ///< controllers of the model; NULL: none
    slip_model_events *whens;          ///< events of the model; NULL: none
    slip_delayed_values *delays;       ///< values of the past; NULL: none
    long steps, last;                  ///< taken; number of the last one of a fixed-step run
    long idle;                         ///< steps since the time last went on by a noticeable part of the run
    double moved;                      ///< s, when it did
    double halt;                       ///< s, where a step has to end; 0: nowhere in particular
    slip_run_outcome outcome;

    slip_derivative_columns *derivatives; ///< NULL: none were asked for
    int column_count;
    unsigned char *mode; ///< of each element when events were last looked for
    double *row;         ///< one row of the trajectory, behind it a frame and the forces of elements

    slip_event_kinematics *motion; ///< of the elements, made when an event first needs it
    slip_event_sink *sink;
    void *sink_context;
    bool event_failed; ///< there was no memory for the numbers of an event
    int warnings_sent; ///< how many of the log went to the sink
    long events;

    struct {
        bool resumed; ///< the state was read from a file
        long rows;    ///< recorded so far
        double last_row;
        bool not_a_number; ///< a column was, and it was said
    } progress;            ///< of the run that is interrupted or goes on, see simulation/run/run.c

    slip_horizon horizon; ///< found by the run, see verdict/run/horizon.h
    slip_creep creep;     ///< the same, verdict/run/creep.h
    double *agreement;    ///< of each coordinate; NULL when not known

    double energy_start, driven_start; ///< J
    double energy_passed; ///< J, found by the run where it is in doubt, see verdict/run/run_trust.h
    bool started;
    void *memory;
};

/// Settings in force and the formulation from what was asked for (may be NULL) and what the model says; a
/// status when that does not go together (settings.c).
slip_status slip_sim_resolve_settings(slip_sim *sim, const slip_sim_def *def, slip_error *error);

/// The whole simulation, into an archive or out of it (state.c). One that was made for another model or with
/// other settings is refused; `sim` may then not be used any more, but to destroy it.
void slip_sim_archive(slip_sim *sim, slip_archive *archive);

/// Whether steps may have to end between those of the integrator: events, controllers and delays of the
/// model.
bool slip_sim_has_events(const slip_sim *sim);

/// Looks for events between the last look and the present state, and tells the sink.
slip_run_outcome slip_sim_observe(slip_sim *sim);

/// State and recorded quantities at a time between the present one and the end of the next step,
/// without taking the step; `row` as in slip_sim_columns.
slip_run_outcome slip_sim_peek(slip_sim *sim, double t, double *row);

/// The present state, or one that a peek can reach without a trace, into sim->row, all of it; and the ledger
/// (may be NULL).
void slip_sim_evaluate_row(slip_sim *sim, slip_energy *energy);
slip_run_outcome slip_sim_peek_row(slip_sim *sim, double t);

/// A long step ends early some time after *stop has become nonzero; NULL: none does.
void slip_sim_set_stop_flag(slip_sim *sim, const volatile sig_atomic_t *stop);

/// A second run beside one that a condition has ended: none ends it.
void slip_sim_ignore_stop(slip_sim *sim);

/// Whether an event of the model has changed the state at the present time.
bool slip_sim_jumped(const slip_sim *sim);

/// Begins again at time t with the given states, to run until `until`; derivatives to states begin anew,
/// those to parameters at zero. The method must have been made for a run as long. Its ledger goes on.
void slip_sim_restart_at(slip_sim *sim, double t, double until, const double *state);

/// Gives up all but what a restart goes faster with: the model may go before that.
void slip_sim_release_but_caches(slip_sim *sim);

/// End of the next step that slip_sim_step would take at the most.
double slip_sim_next_step_end(slip_sim *sim);

#endif
