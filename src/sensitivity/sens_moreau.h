/// sensitivity/sens_moreau.h: derivatives along a run by time stepping, moreau.
///
/// Every internal step is followed at its active set, what is open, sticks and slides in it, by the midpoint
/// rule that makes it: with accelerations of the midpoint,
///     dq_M = dq_A + dt/2 du_A,   du_E = du_A + dt da_M,   dq_E = dq_M + dt/2 du_E
/// and da_M from the equations of the contacts that push (sensitivity.h). In flight this is the derivative of the
/// step as it was taken; with contacts it differs from it by the order of the step, the third.
///
/// Strikes are located by the method, and their time moves. What comes to rest, starts to slide or lets go on
/// the way of an internal step is not located: the step knows its state at the end alone. Derivatives would
/// be wrong by the first order of its length then. So the time of the change is found from the accelerations
/// where the step begins, and the columns jump there as at any event.
#ifndef SLIP_SENSITIVITY_SENS_MOREAU_H
#define SLIP_SENSITIVITY_SENS_MOREAU_H

#include "formulation/moreau/moreau.h"
#include "sensitivity/sensitivity.h"

/// Columns between two internal steps, and what goes with them.
typedef struct slip_sens_moreau_columns {
    double *x; ///< of the run; those in hand are slip_sensitivity.x
    slip_sens_contact_state *contact_state;
    double *dtau; ///< of the event that is pending
    double *side; ///< per condition: its value in the middle of the last internal step
    double seen;  ///< s, up to which borders of conditions were looked at
    bool begun;   ///< contact_state is known
    bool pending; ///< the columns move with the time of an event; what follows it is not known yet
} slip_sens_moreau_columns;

/// Strikes of one step, which are told of behind it: what was known of each.
enum { SLIP_SENS_MOREAU_MAX_IMPACTS = 16 };
typedef struct slip_sens_moreau_impacts {
    int count; ///< may be more than there is room for
    double time[SLIP_SENS_MOREAU_MAX_IMPACTS];
    double *dtau;            ///< per strike and column
    double *before, *behind; ///< per strike: columns at its own time
} slip_sens_moreau_impacts;

typedef struct slip_sens_moreau {
    slip_moreau *m;
    slip_moreau_observer observer;
    slip_terms terms;                   ///< with registers, so that those of the run are left alone
    slip_sens_moreau_columns run, walk; ///< behind the present state; along the step being made or looked at
    slip_sens_contact_state *other;     ///< how the internal step in hand ends
    double *at;                         ///< 2 n: where in it the columns are
    double *middle;                     ///< 2 n
    double *rate;                       ///< per element: of its gap where the internal step began
    double *after;                      ///< per element: s, after which it changes; NaN: it does not
    slip_switches conditions;           ///< of all formulas
    slip_switches form_conditions;      ///< the same of the double, if there is one
    bool *located;                      ///< per condition: the method ends an internal step where it changes
    bool *rows;                         ///< per condition: masses, gaps, constraints or rows depend on it
    double *value, *behind;             ///< per condition: a little before a border and behind it
    double time;                        ///< s, of the columns in hand
    slip_sens_moreau_impacts met, struck; ///< of the step being made; of the last one that was
    bool walking;                         ///< a step is being made
    bool happened;                        ///< an event of the model happens now
    bool by_law;                          ///< the strike in hand is one that a law of impact alone knows
    bool lost;                            ///< the run has no derivatives any more
    void *memory;
} slip_sens_moreau;

/// Takes a method that steps in time as the one to be followed, and says what it has no derivatives of.
slip_status slip_sens_moreau_set_method(slip_sensitivity *t, slip_method *method, slip_error *error);

/// After slip_sensitivity has its memory: takes that of the steps, and follows the run.
bool slip_sens_moreau_attach(slip_sensitivity *t);
void slip_sens_moreau_destroy(slip_sensitivity *t);

/// The run begins with the columns t->x.
void slip_sens_moreau_restart(slip_sensitivity *t);

/// The columns of the present state into t->x, its motion into t->start_slot.
void slip_sens_moreau_load_present(slip_sensitivity *t);

/// An event of the model changed the columns of the present state.
void slip_sens_moreau_model_event(slip_sensitivity *t);

/// The columns of the present state are t->x, and what follows them is not known yet; t->dtau is that of the
/// change.
void slip_sens_moreau_columns_changed(slip_sensitivity *t);

/// Number of the strike of the last step at this time; -1: none is known.
int slip_sens_moreau_impact_at(const slip_sensitivity *t, double time);

/// slip_sensitivity_row of such a run.
void slip_sens_moreau_row(slip_sensitivity *t, double time, int records, double *row);

/// Whether derivatives that end now end for the run, and not for a look ahead.
bool slip_sens_moreau_ends_run(slip_sensitivity *t);

// ---- sens_moreau_events.c

/// How the elements stand in the problem just solved, into s->other.
void slip_sens_moreau_read_contacts(slip_sensitivity *t);

/// The motion of contact_state t->contact_state at (time, x): into slot, which is in hand then.
bool slip_sens_moreau_evaluate(slip_sensitivity *t, double time, const double *x,
                               slip_sensitivity_slot *slot);

/// m/s: what rates are distinguished from zero by.
double slip_sens_moreau_zero_speed(const slip_sensitivity *t, const double *u);

/// Columns at the start of an internal step from x that ends as s->other: behind what is pending, on what
/// holds. `level`: m, per element, where gaps are held.
void slip_sens_moreau_substep_start(slip_sensitivity *t, double time, const double *x, const double *level);

/// Columns from s->at over h in the contact_state s->walk, to rates u.
void slip_sens_moreau_advance(slip_sensitivity *t, double time, double h, const double *u);

/// To the next element that changes within `left`, and over that; how long it took. False: there is none.
bool slip_sens_moreau_next_change(slip_sensitivity *t, double time, double left, double *took);

/// dtau of event function k at the slot in hand, which is `slot`; false when there is none.
bool slip_sens_moreau_event_time(slip_sensitivity *t, const slip_sensitivity_slot *slot, int k, double *dtau);

/// Columns move by `factor` times the motion of a slot times dtau.
void slip_sens_moreau_add_motion(slip_sensitivity *t, const slip_sensitivity_slot *slot, double factor,
                                 const double *dtau);

// ---- sens_moreau_impact.c

/// A gap closes where an internal step ended.
void slip_sens_moreau_gap_closes(slip_sensitivity *t, double time, const double *x, int element);

/// The rates jumped from u to u_end.
void slip_sens_moreau_impact(slip_sensitivity *t, double time, const double *q, const double *u,
                             const double *u_end);

// ---- sens_moreau_discontinuities.c

/// Conditions of formulas, as switches of the tangent; those that have no derivatives are refused.
slip_status slip_sens_moreau_find_conditions(slip_sensitivity *t, slip_error *error);

/// The same in the formulas of the double.
slip_status slip_sens_moreau_twin_conditions(slip_sensitivity *t, slip_error *error);

/// At the middle of an internal step: there are no derivatives behind a condition that changed unlocated.
void slip_sens_moreau_check_conditions(slip_sensitivity *t, double time, const double *q);

/// With the motion at the (time, x) of an event in t->start_slot: where that is right at the border of a
/// condition, accelerations become those a little later, or earlier (sense -1), unless the border was
/// counted.
void slip_steps_leave_border(slip_sensitivity *t, double time, const double *x, double sense);

/// An internal step ended where conditions change.
void slip_sens_moreau_discontinuity(slip_sensitivity *t, double time, const double *x);

#endif
