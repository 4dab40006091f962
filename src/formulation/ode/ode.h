/// formulation/ode/ode.h: a model that a formulation has turned into x' = f(t, x).
///
/// The formulation fills a slip_ode with expressions; slip_ode_compile makes tapes of them and takes
/// the workspace. States are ordered [q | u | element states]; for a mechanical model u' is found from
/// M u' = r, block by block. Behind the states stand three quadratures that the integrators carry
/// along and that feed nothing back: the energy ledger, exact to the order of the scheme.
#ifndef SLIP_FORMULATION_ODE_ODE_H
#define SLIP_FORMULATION_ODE_ODE_H

#include "formulation/method.h"
#include "dynamics/equations.h"

/// How the constants of a contact follow the mass that it meets in each impact, see impact_masses.h. With the
/// states r and z its stiffness is (1 + r) K, and its damping z more than what was chosen for it alone.
typedef struct slip_impact_following {
    int stiffness, damping; ///< the states r and z; -1 when it does not follow
    int until;              ///< state: s, up to when a touch-down belongs to the impact that set r and z
    double mass;            ///< kg, that its constants were chosen for
    double zeta;            ///< damping in the unit of z, where it depends on the mass; else 0
    double exponent;        ///< of the deformation in its law
    double hold;            ///< z while it rests and others strike
    bool given;             ///< the stiffness was given, and stays
    int slower;             ///< state: times of its law over those that it has alone, less 1; -1: it has none
} slip_impact_following;

/// What an element shows to the outside, as expressions; SLIP_NONE where it has none.
typedef struct slip_ode_element {
    const char *name;
    slip_ref gap, normal;
    int slip_count;
    slip_ref slip[2], force[2]; ///< force is friction on the system, along the slip direction
    slip_ref limit, load;       ///< largest friction; the force that it follows, where it follows one
    slip_ref closed, stick;     ///< truth values
    slip_ref decay;             ///< 1/s, of a state that sliding wears off, see slip_ode_fastest_decay
    slip_ref strain;            ///< deformation over what it may be at rest, see slip_ode_largest_strain
    int speed;                  ///< state that keeps the speed of the last touch-down; -1 when none does
    slip_impact_following impact;
} slip_ode_element;

/// An element that shows nothing yet.
static inline slip_ode_element slip_ode_empty_element(const char *name)
{
    return (slip_ode_element){ .name = name,
                               .gap = SLIP_NONE,
                               .normal = SLIP_NONE,
                               .slip = { SLIP_NONE, SLIP_NONE },
                               .force = { SLIP_NONE, SLIP_NONE },
                               .limit = SLIP_NONE,
                               .load = SLIP_NONE,
                               .closed = SLIP_NONE,
                               .stick = SLIP_NONE,
                               .decay = SLIP_NONE,
                               .strain = SLIP_NONE,
                               .speed = -1,
                               .impact = { .stiffness = -1, .damping = -1, .until = -1, .slower = -1 } };
}

enum { SLIP_LEDGER_WORK, SLIP_LEDGER_FRICTION, SLIP_LEDGER_CONTACT, SLIP_LEDGER_COUNT };

typedef struct slip_ode {
    slip_pool *pool;           ///< owns names and arrays
    slip_graph *graph;         ///< owned by `equations`, or by the ODE when that is NULL
    slip_equations *equations; ///< NULL for inclusions
    const slip_model *model;

    int state_count;  ///< without the quadratures
    int ledger_count; ///< quadratures behind the states: SLIP_LEDGER_COUNT, or 0 for inclusions
    int n;            ///< coordinates: states [0, n) are q, [n, 2n) are u; 0 for inclusions
    int base_count;   ///< states that are inputs 1 .. base_count of the model's graph: 2n, or all of an
                      ///< inclusion
    const char **state_name;
    double *start;
    slip_ref *state; ///< the input of each state
    slip_ref *rate;  ///< right-hand sides; for u in a block larger than 1: r, before the mass solve
    slip_ref
        stage; ///< input: the step that a stage stands for (Kikuuwe 2008, eq 21); SLIP_NONE when none asks

    int element_count;
    slip_ode_element *elements;
    bool has_decay;    ///< an element has one
    int resting_count; ///< elements whose friction balances what pushes, see slip_law_balance_at_rest
    int *resting;
    double law_relax; ///< s, in which bristles of an open contact straighten
    double
        patience; ///< s: a strain above 1 that lasts longer is not an impact; 0 when no element has a strain
    double tau;   ///< s, in which contacts answer where that does not follow the step; 0: it does
    double size;  ///< m, of the motion; 0 when unknown
    bool says_fixed; ///< that constants of contacts do not follow the mass
    double creep;    ///< m/s, slip velocity that is as good as none, where tau is not 0
    double answer;   ///< s, in which the fastest contact answers when it is touched; 0 when unknown
    slip_ref power[SLIP_LEDGER_COUNT];   ///< SLIP_NONE for inclusions
    slip_ref kinetic, potential, driven; ///< as in equations.h
    int record_count;
    slip_ref *record; ///< recorded formulas of the model, at last with element quantities put in

    /// Where the expressions branch between contact and flight, stick and slip: the operand that rules
    /// in contact or stick. Lets the step guard look at that regime before the motion gets there.
    int regime_count, regime_room;
    struct slip_regime_branch {
        slip_ref branching; ///< a MAX or SAT node
        int operand;
    } * regime;

    int constant_count, constant_room; ///< numerical constants in force, for the summary
    slip_constant *constants;

    int bounce_count; ///< contacts whose constants were chosen, see impact_check_forces.h
    struct slip_ode_checked_contact {
        int element;
        slip_ref rate;      ///< of its gap
        double restitution; ///< stated, of a free impact; NaN when none is
        double release;     ///< m per m/s of impact speed: how deep the contact ends; NaN when unknown
        double lasts;       ///< s, about, of an impact, where that follows the step; 0 where it does not
        double depth;       ///< m, that cannot be seen in the mechanism; 0 when unknown
    } * bounces;

    slip_log *log; ///< what the formulation could not do as asked; becomes the log of the method

    struct slip_ode_work *work; ///< tapes and registers, after slip_ode_compile
} slip_ode;

/// Room for `states` states and `elements` elements; names, starts and inputs of q and u are filled
/// in for a mechanical model. Takes over `equations` (may be NULL), also when it fails.
slip_status slip_ode_create(const slip_model *model, slip_equations *equations, int states, int elements,
                            slip_error *error, slip_ode **ode);
void slip_ode_destroy(slip_ode *ode);

/// Adds a warning at t = 0 to ode->log.
slip_warning *slip_ode_warn(slip_ode *ode, slip_warning_kind kind, const char *element, const char *format,
                            ...) SLIP_PRINTF(4, 5);

/// Puts u' = r / M into the rates of 1 x 1 blocks, resolves recorded quantities, compiles the tapes,
/// takes the workspace.
slip_status slip_ode_compile(slip_ode *ode, slip_error *error);

/// xdot = f(t, x), state_count + ledger_count numbers. False when a mass matrix is not positive
/// definite at this state.
bool slip_ode_rate(slip_ode *ode, double t, const double *x, double *xdot);

/// The stage step of the evaluations that follow; 0 at first.
void slip_ode_set_stage(slip_ode *ode, double tau);

/// t and x into the registers of a tape of ode->graph.
void slip_ode_load_state(const slip_ode *ode, double *registers, double t, const double *x);

/// Modes of the elements (SLIP_MODE_*) as of the last slip_ode_rate; true when one differs from what stood in
/// `modes` before.
bool slip_ode_modes(const slip_ode *ode, unsigned char *modes);

/// The fastest decay of an element as of the last slip_ode_rate, 1/s, and whose it is; 0 when there is none.
double slip_ode_fastest_decay(const slip_ode *ode, const char **element);

/// The largest strain as of the last slip_ode_rate, and whose it is; 0 when there is none.
double slip_ode_largest_strain(const slip_ode *ode, const char **element);

/// Recorded quantities, kinetic (T2 - T0) and potential energy at (t, x); returns T1 + 2 T0.
double slip_ode_record(slip_ode *ode, double t, const double *x, double *records, double *kinetic,
                       double *potential);

#endif
