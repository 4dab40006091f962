/// simulation/sim/sim.h: the internal structure of a simulation.
#ifndef SLIP_SIMULATION_SIM_SIM_H
#define SLIP_SIMULATION_SIM_SIM_H

#include "symbolic/compiler/tape_cache.h"
#include "formulation/method.h"
#include "dynamics/contact/static_equilibrium.h"
#include "simulation/sim/auto_settings.h"
#include "simulation/sim/contact_loads.h"
#include "simulation/sim/delayed_values.h"
#include "simulation/sim/derivative_columns.h"
#include "simulation/sim/event_kinematics.h"
#include "simulation/sim/sampled_controllers.h"
#include "simulation/sim/value_checks.h"
#include "simulation/sim/model_events.h"
#include "slipstick/run.h"

struct slip_sim {
    const slip_model *model;
    slip_tape_cache
        *tape_cache;    ///< compiled tapes kept from one start to the next; NULL before the first restart
    slip_model shelved; ///< a copy of the model that uses this cache, if there is one
    slip_model *origin; ///< the model of which all models of this cache are variations; retained
    slip_parameter_reads reads; ///< parameters that the present method depends on
    bool rewinds;               ///< the method can be reused when only initial values change
    slip_model *rested;         ///< the model with its start moved to equilibrium; NULL: it starts as written
    char start_reason
        [SLIP_STATIC_TEXT_LENGTH]; ///< how that equilibrium was found; "" when it was not asked for
    slip_model drawn_model;        ///< the model with the numbers of a frame among its recorded quantities
    bool drawn;                    ///< it has them
    int tallied;                   ///< number of records of the tally of loads, behind all others
    slip_ref *unnamed;             ///< of drawn_model, where there is a tally
    int watched;                   ///< number of forces of elements after the frame
    const slip_formulation *formulation;
    slip_stop stop;                    ///< see slip_sim_set_stop_flag
    slip_sim_def def;                  ///< settings in force
    slip_solve_options solver_options; ///< def.solver_options points here
    unsigned refused; ///< formulations that were chosen and do not take the model, a bit each
    char formulation_reason[SLIP_REASON_LENGTH], step_reason[SLIP_REASON_LENGTH]; ///< "" when given
    slip_method *method;
    slip_value_checks *values;         ///< checks of formulas that may have no value; NULL: none
    slip_sampled_controllers *samples; ///< controllers of the model; NULL: none
    slip_model_events *whens;          ///< events of the model; NULL: none
    slip_delayed_values *delays;       ///< histories of delayed values; NULL: none
    slip_contact_loads *loads;         ///< tally of loads; NULL: none
    long steps, last;                  ///< number of steps so far; of all steps of a fixed-step run
    long idle;                         ///< steps since the run last made noticeable progress
    double moved;                      ///< s, time at which it did
    double halt;                       ///< s, time at which a step has to end; 0: none
    slip_run_outcome outcome;

    slip_derivative_columns *derivatives; ///< NULL: none were asked for
    int column_count;
    unsigned char *mode; ///< of each element at the last observation
    double *row;         ///< one row of the trajectory, followed by a frame and by forces of elements

    slip_event_kinematics *motion; ///< motion of the elements, made when an event first needs it
    slip_event_sink *sink;
    void *sink_context;
    bool event_failed; ///< out of memory while an event was evaluated
    int warnings_sent; ///< number of warnings of the log that were sent to the sink
    long events;

    struct {
        bool resumed; ///< the state was read from a file
        long rows;    ///< rows recorded so far
        double last_row;
        bool not_a_number; ///< a column was not a number, and this was reported
    } progress;            ///< of a run that was interrupted and resumed, see simulation/run/run.c

    slip_horizon horizon; ///< set by the run, see verdict/run/horizon.h
    slip_creep creep;     ///< set by the run, see verdict/run/creep.h
    double *agreement;    ///< per coordinate: agreement with the companion; NULL when not known

    double energy_start, driven_start; ///< J
    double energy_passed; ///< J, set by the run where the energy is in doubt, see verdict/run/run_trust.h
    bool started;
    void *memory;
};

/// Determines formulation and settings from those of the caller (may be NULL) and of the model; an error if
/// they are incompatible (sim_settings.c).
slip_status slip_sim_resolve_settings(slip_sim *sim, const slip_sim_def *def, slip_error *error);

/// Saves the whole simulation to an archive, or restores it (save_restore.c). An archive of another model or
/// of other settings is refused; `sim` may then only be destroyed.
void slip_sim_archive(slip_sim *sim, slip_archive *archive);

/// True if steps may have to end early, because the model has events, controllers or delays.
bool slip_sim_has_events(const slip_sim *sim);

/// Finds the events since the last observation, and sends them to the sink.
slip_run_outcome slip_sim_observe(slip_sim *sim);

/// State and recorded quantities at a time between the present one and the end of the next step,
/// without taking the step; `row` as in slip_sim_columns.
slip_run_outcome slip_sim_peek(slip_sim *sim, double t, double *row);

/// Evaluates the whole of sim->row at the present state, with the energy ledger (may be NULL); or at the
/// state of a peek, which leaves the simulation unchanged.
void slip_sim_evaluate_row(slip_sim *sim, slip_energy *energy);
slip_run_outcome slip_sim_peek_row(slip_sim *sim, double t);

/// A long step ends early some time after *stop has become nonzero; NULL: steps are not interrupted.
void slip_sim_set_stop_flag(slip_sim *sim, const volatile sig_atomic_t *stop);

/// From now on no condition ends this run: it is the companion of a run that a condition has ended.
void slip_sim_ignore_stop(slip_sim *sim);

/// True if an event of the model has changed the state at the present time.
bool slip_sim_jumped(const slip_sim *sim);

/// Restarts at time t with the given states, to run until `until`. Derivatives with respect to states start
/// from the identity, those with respect to parameters from zero. The method must have been made for a run of
/// that length. Its ledger continues.
void slip_sim_restart_at(slip_sim *sim, double t, double until, const double *state);

/// Frees everything except the caches that a restart reuses. The model may be destroyed first.
void slip_sim_release_but_caches(slip_sim *sim);

/// The latest time at which the next slip_sim_step can end.
double slip_sim_next_step_end(slip_sim *sim);

#endif
