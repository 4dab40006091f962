/// sensitivity/sens_ode.h: derivatives of a motion described by an ODE, with respect to parameters and
/// initial values.
///
/// Each step of the run is differentiated as it was taken, with its length and stages: for a stage
///     Y = x + h sum a_j k_j,  k = f(t, Y, p)      =>      dY = dx + h sum a_j dk_j,  dk = f_x dY + f_p
/// where sat and max are differentiated on the piece that Y is on. Where f jumps along the motion the time of
/// the jump moves, and dx+ = dx- + (f- - f+) dtau (Leine, Nijmeijer 2004, chapter 7). Constants of contacts
/// that a formulation has chosen depend on the parameters too (sens_ode_constants.c).
///
/// In a stiff contact dx is large because the time of touch-down moves: it is about -x' dtau, and x' is some
/// thousand times larger than before. After the contact dx would be a small difference of large numbers. So
/// columns are stored as z = dx + x' s, with s the derivative of the time of the last touch-down, or of
/// another kink or jump of f. For any constant s they satisfy the same equations with f_t s added, and the
/// kink or jump stays at its place within its step. Fixed steps do not move with it, and have s = 0.
#ifndef SLIP_SENSITIVITY_SENS_ODE_H
#define SLIP_SENSITIVITY_SENS_ODE_H

#include "symbolic/analysis/switching_functions.h"
#include "formulation/ode/ode_run.h"
#include "sensitivity/constant_derivatives.h"
#include "sensitivity/fused_sensitivity.h"

/// Tapes of the sensitivity ODE. A direction is one column; the last direction is the motion itself (d/dt).
typedef enum slip_sens_ode_tape {
    SLIP_SENS_ODE_MOTION, ///< per column and state: of r - M a; then the mass blocks
    SLIP_SENS_ODE_RATE,   ///< rates with switches at given sides; then the mass blocks
    SLIP_SENS_ODE_SWITCH, ///< no derivatives: value of each condition, for floor() its level
    SLIP_SENS_ODE_JUMP,   ///< per condition and direction: of its value
    SLIP_SENS_ODE_GAP,    ///< per element and direction: of its gap and gap rate
    SLIP_SENS_ODE_RECORD, ///< per column: of the records, of both energies
    SLIP_SENS_ODE_MODEL_EVENT, ///< per event of the model and way: of its margin; per column: of all that is set; then
                               ///< the margins themselves
    SLIP_SENS_ODE_SAMPLE, ///< per column: of all values that controllers sample
    SLIP_SENS_ODE_TAPE_COUNT
} slip_sens_ode_tape;

/// The columns along one line of steps: those of the run, or those of a peek.
typedef struct slip_sens_ode_columns {
    double *x;     ///< z, column by column
    double *shift; ///< s, per column
    double *rate;  ///< of the state `at`
    double *last;  ///< rates of the columns at the last stage of the last step
    bool chains;   ///< `last` is of the columns as they are
    double *at;    ///< the state that they belong to
    double *side;  ///< of each switch; 0: not known
} slip_sens_ode_columns;

typedef struct slip_sens_ode {
    slip_ode_run *m;
    slip_ode *ode, *form; ///< of the run; whose formulas are differentiated: the same, or that of its double
    slip_ode_observer observer;
    int states, column_count, parameter_count;
    slip_sensitivity_column *columns;
    slip_iteration_matrix *newton; ///< for implicit integrators
    slip_switches switches;

    slip_tape *tape[SLIP_SENS_ODE_TAPE_COUNT];
    double *reg[SLIP_SENS_ODE_TAPE_COUNT];
    int result_count[SLIP_SENS_ODE_TAPE_COUNT], *result[SLIP_SENS_ODE_TAPE_COUNT]; ///< registers of results
    int stage_input; ///< of the stage step; -1: none asks
    struct {
        int a, dt, dx; ///< dt per column; dx per direction
    } in;
    int block_entries;                   ///< of all mass blocks above 1 x 1
    slip_constant_derivatives constants; ///< extras are the states at the start

    slip_sens_ode_columns run, look, *line; ///< line: the one in hand
    slip_tableau tableau[3];                ///< of cash-karp, of esdirk4, of the integrator of the run
    bool marches;                           ///< steps by `marched` are one program: states, then columns
    const slip_tableau *marched;
    slip_fused_sensitivity march;
    double *k[SLIP_TABLEAU_STAGES]; ///< rates of the columns at the stages
    double *base, *stage, *rate[2], *block;

    double *moved;                  ///< dtau of a jump, per column
    double jump_share;              ///< of the rates, of the jump that was looked at last
    bool changes;                   ///< a condition has changed sides at the end of the current step
    bool due;                       ///< the columns jump at the end of the current step
    double *dtau, *before, *behind; ///< of an event of the model that happens now; else not a number
    double *state_before, *rate_before, *moves; ///< of the first one at its time; dtau of a further one
    bool pending;                               ///< the saltation term of that event has not been applied yet
    int value_count;                            ///< number of memory values and outputs of all controllers
    double *sampled;                            ///< per value: columns of its last sample

    bool shifts; ///< columns are shifted where f has a kink or jumps
    double tau;  ///< stage step outside of stages
    double *by;  ///< what the shifts change by
    double *out; ///< columns as they are asked for: dx

    bool told;    ///< of fixed steps and a touch-down
    bool *closed; ///< per element, where the last step began

    bool lost;
    double lost_at;
    char reason[200];
    void *memory;
} slip_sens_ode;

/// Derivatives of a method that is an ODE under an integrator. SLIP_UNSUPPORTED when there are none.
slip_status slip_sens_ode_create(slip_method *method, const slip_sensitivity_origin *origin,
                                 const char *const *names, int count, slip_error *error,
                                 slip_sens_ode **flow);
void slip_sens_ode_destroy(slip_sens_ode *flow);

/// Starts again at the present state: the column of a state is 1 in that state, those of parameters are 0.
void slip_sens_ode_restart(slip_sens_ode *flow);

/// Ends the derivatives, with the reason.
void slip_sens_ode_end(slip_sens_ode *flow, const char *format, ...) SLIP_PRINTF(2, 3);

/// Derivatives of an output row (states and `records` recorded quantities), column by column: at the present
/// time, or at the time for which the method has just been peeked.
void slip_sens_ode_row(slip_sens_ode *flow, double t, int records, double *row);

/// Derivatives of both energies of the present state, of a column.
void slip_sens_ode_energies(slip_sens_ode *flow, int column, double *kinetic, double *potential);

/// Called when event k of the model happens, before it changes the state.
void slip_sens_ode_model_event(slip_sens_ode *flow, int k);

// ---- controller_sensitivity.c

/// As slip_sensitivity_controller_sample and slip_sensitivity_controller_output.
void slip_sens_ode_controller_sample(slip_sens_ode *flow, int first, int count);
void slip_sens_ode_controller_output(slip_sens_ode *flow, int value, int coordinate);

// ---- sens_ode_tapes.c

/// Compiles the tapes. False when out of memory.
bool slip_sens_ode_compile(slip_sens_ode *f);

/// t, x and columns (column by column; NULL: 0) into the registers of a tape, with the stage step tau.
void slip_sens_ode_load(slip_sens_ode *f, slip_sens_ode_tape level, double tau, double t, const double *x,
                        const double *dx);

/// Runs it; result number k of it.
void slip_sens_ode_run_tape(slip_sens_ode *f, slip_sens_ode_tape level);
double slip_sens_ode_result(const slip_sens_ode *f, slip_sens_ode_tape level, int k);

/// b := M^-1 b over the rates of a vector of states, with mass blocks from result `first` of a tape that was
/// run. False when one is not positive definite.
bool slip_sens_ode_mass_solve(slip_sens_ode *f, slip_sens_ode_tape level, int first, int vectors, double *b);

// ---- sens_ode_constants.c

/// f->constants: derivatives of the graph's constants, and of the initial values, with respect to the
/// requested parameters, where these are no parameters of the graph itself.
slip_status slip_sens_ode_constants(slip_sens_ode *f, const slip_sensitivity_origin *origin,
                                    slip_error *error);

// ---- sens_ode_jumps.c

/// Examines the conditions that change sides in a step from (t, x) to (t + h, end), after
/// slip_sens_ode_first_crossing. If f jumps at the start of the step, f->line->x jumps now; at its end
/// slip_sens_ode_jump_at_end makes it jump; in between, derivatives end for fixed steps.
void slip_sens_ode_check_step(slip_sens_ode *f, double t, const double *x, double h, const double *end);
void slip_sens_ode_jump_at_end(slip_sens_ode *f, double t, const double *end);

/// Reads the sides of conditions and the gaps of the present state into the columns of the run.
void slip_sens_ode_read_state(slip_sens_ode *f);

/// f(t, x) with every condition on its present side. False when it cannot be evaluated.
bool slip_sens_ode_rate(slip_sens_ode *f, double t, const double *x, double *rate);

/// The first condition that changes sides between (t, x) and (t + h, end); -1 if none does, or if columns are
/// not shifted.
int slip_sens_ode_first_crossing(slip_sens_ode *f, double t, const double *x, double h, const double *end);

/// Derivative of the time at which a condition changes sides, beyond the shifts, from the columns at (t, x),
/// where f->line->rate is the rate.
void slip_sens_ode_crossing_times(slip_sens_ode *f, int i, double t, const double *x, double *by);

/// Whether no contact is closed at (t, x).
bool slip_sens_ode_is_contact_free(slip_sens_ode *f, double t, const double *x);

/// Adds by[c] x' to sensitivity column c. slip_sens_ode_unshift removes all shifts.
void slip_sens_ode_shift(slip_sens_ode *f, const double *by);
void slip_sens_ode_unshift(slip_sens_ode *f);

/// Sensitivities of the states that store the touch-down speed, where x differs from line->at in one of them.
void slip_sens_ode_impact_speeds(slip_sens_ode *f, double t, const double *x);

/// Applies the pending saltation term: the state after an event of the model moves with the time of the
/// event.
void slip_sens_ode_finish_event(slip_sens_ode *f);

#endif
