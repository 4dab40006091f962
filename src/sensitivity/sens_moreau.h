/// sensitivity/sens_moreau.h: derivatives along a run of Moreau's time stepping.
///
/// Every substep is differentiated with its active set (which contacts are open, stick or slide), by the same
/// midpoint rule: with accelerations of the midpoint,
///     dq_M = dq_A + dt/2 du_A,   du_E = du_A + dt da_M,   dq_E = dq_M + dt/2 du_E
/// and da_M from the equations of the contacts that push (sensitivity.h). In flight this is the derivative of
/// the step as it was taken; with contacts it differs from it by the order of the step, the third.
///
/// Impacts are located by the method, and their times have derivatives. A contact that comes to rest, starts
/// to slide or opens within a substep is not located, since the substep only knows its state at the end;
/// derivatives would then have an error of first order in its length. So the time of the change is found from
/// the accelerations at the start of the substep, and the columns jump there as at any event.
#ifndef SLIP_SENSITIVITY_SENS_MOREAU_H
#define SLIP_SENSITIVITY_SENS_MOREAU_H

#include "formulation/moreau/moreau.h"
#include "sensitivity/sensitivity.h"

/// Columns between two substeps, and the states of contacts and conditions that belong to them.
typedef struct slip_sens_moreau_columns {
    double *x; ///< of the run; the current ones are slip_sensitivity.x
    slip_sens_contact_state *contact_state;
    double *dtau; ///< of the event that is pending
    double *side; ///< per condition: its value at the midpoint of the last substep
    double seen;  ///< s, up to which conditions have been examined
    bool begun;   ///< contact_state is known
    bool pending; ///< columns contain the shift by the time of an event; the motion after it is not known yet
} slip_sens_moreau_columns;

/// Impacts of one step, which are reported after it, with their derivatives.
enum { SLIP_SENS_MOREAU_MAX_IMPACTS = 16 };
typedef struct slip_sens_moreau_impacts {
    int count; ///< may be more than there is room for
    double time[SLIP_SENS_MOREAU_MAX_IMPACTS];
    double *dtau;            ///< per impact and column
    double *before, *behind; ///< per impact: columns at its own time
} slip_sens_moreau_impacts;

typedef struct slip_sens_moreau {
    slip_moreau *m;
    slip_moreau_observer observer;
    slip_terms terms;                     ///< with registers, so that those of the run are left alone
    slip_sens_moreau_columns run, walk;   ///< of the present state; along the step being taken or peeked
    slip_sens_contact_state *other;       ///< contact states at the end of the current substep
    slip_sens_contact_state *beyond;      ///< contact states behind a border
    double *at;                           ///< 2 n: state within it at which the columns are
    double *middle;                       ///< 2 n
    double *rate;                         ///< per element: gap rate at the start of the substep
    double *after;                        ///< per element: s, after which it changes; NaN: it does not
    slip_switches conditions;             ///< of all formulas
    slip_switches form_conditions;        ///< those of the twin, if there is one
    bool *located;                        ///< per condition: the method ends a substep where it changes
    bool *rows;                           ///< per condition: masses, gaps, constraints or rows depend on it
    double *value, *behind;               ///< per condition: its value shortly before and after a border
    double time;                          ///< s, of the current columns
    slip_sens_moreau_impacts met, struck; ///< of the step being taken; of the last complete one
    bool walking;                         ///< a step is being taken
    bool happened;                        ///< an event of the model happens now
    bool by_law;                          ///< the current impact can only be differentiated through its law
    bool lost;                            ///< the run has no derivatives any more
    void *memory;
} slip_sens_moreau;

/// Attaches the sensitivities to a time-stepping method. Fails with the reason where it cannot be
/// differentiated.
slip_status slip_sens_moreau_set_method(slip_sensitivity *t, slip_method *method, slip_error *error);

/// After slip_sensitivity has been allocated: allocates its time-stepping part, and observes the run.
bool slip_sens_moreau_attach(slip_sensitivity *t);
void slip_sens_moreau_destroy(slip_sensitivity *t);

/// The run begins with the columns t->x.
void slip_sens_moreau_restart(slip_sensitivity *t);

/// The columns of the present state into t->x, its motion into t->start_slot.
void slip_sens_moreau_load_present(slip_sensitivity *t);

/// An event of the model changed the columns of the present state.
void slip_sens_moreau_model_event(slip_sensitivity *t);

/// The columns of the present state have become t->x, the motion after the change is not known yet, and
/// t->event.dtau is the derivative of its time.
void slip_sens_moreau_columns_changed(slip_sensitivity *t);

/// Number of the impact of the last step at this time; -1: none is known.
int slip_sens_moreau_impact_at(const slip_sensitivity *t, double time);

/// slip_sensitivity_row of such a run.
void slip_sens_moreau_row(slip_sensitivity *t, double time, int records, double *row);

/// Whether derivatives that end now end for the run, and not for a look ahead.
bool slip_sens_moreau_ends_run(slip_sensitivity *t);

// ---- sens_moreau_events.c

/// Stores the contact states of the problem just solved in s->other.
void slip_sens_moreau_read_contacts(slip_sensitivity *t);

/// The motion of contact_state t->contact_state at (time, x): into slot, which is in hand then.
bool slip_sens_moreau_evaluate(slip_sensitivity *t, double time, const double *x,
                               slip_sensitivity_slot *slot);

/// N, largest friction at rest of an element, in the slot in hand.
double slip_sens_moreau_limit_at_rest(const slip_sensitivity *t, int e);

/// m/s: rates up to this count as zero.
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

/// A gap closes at the end of a substep.
void slip_sens_moreau_gap_closes(slip_sensitivity *t, double time, const double *x, int element);

/// The rates jumped from u to u_end.
void slip_sens_moreau_impact(slip_sensitivity *t, double time, const double *q, const double *u,
                             const double *u_end);

// ---- sens_moreau_discontinuities.c

/// Conditions of formulas, as switches of the tangent; those that have no derivatives are refused.
slip_status slip_sens_moreau_find_conditions(slip_sensitivity *t, slip_error *error);

/// The same in the formulas of the twin.
slip_status slip_sens_moreau_twin_conditions(slip_sensitivity *t, slip_error *error);

/// At the midpoint of a substep: derivatives end at a condition that has changed without having been located.
void slip_sens_moreau_check_conditions(slip_sensitivity *t, double time, const double *q);

/// With the motion at the (time, x) of an event in t->start_slot: where that is right at the border of a
/// condition, accelerations become those a little later, or earlier (sense -1), unless the border was
/// counted.
void slip_steps_leave_border(slip_sensitivity *t, double time, const double *x, double sense);

/// Whether the substep from `from` to x, which was just taken, ends where a condition changes; if it does, that is
/// followed.
void slip_sens_moreau_check_end(slip_sensitivity *t, double time, double dt, const double *from,
                                const double *x);

/// A substep has ended where conditions change.
void slip_sens_moreau_discontinuity(slip_sensitivity *t, double time, const double *x);

#endif
