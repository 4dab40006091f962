/// physics/friction/friction_law.h: a friction law in symbols: force and rates of its states from slip velocity and limit.
///
/// One definition serves the friction of a model in any ODE formulation, an impedance component of a
/// network and the plots of the manual. Forces have the sign of the velocity, as in Kikuuwe 2008, and act on
/// the system with the opposite sign. A law is one file with one record, and one line in
/// registry/friction_laws.def.
#ifndef SLIP_PHYSICS_FRICTION_FRICTION_LAW_H
#define SLIP_PHYSICS_FRICTION_FRICTION_LAW_H

#include "symbolic/graph/formula.h"
#include "registry/option.h"

enum { SLIP_LAW_MAX_PARAMETERS = 5, SLIP_LAW_MAX_STATES = 8 }; ///< states per component

/// Inputs of a law.
typedef struct slip_law_terms {
    slip_graph *graph;
    int count;                                   ///< components, 1 or 2
    slip_ref velocity[2];                        ///< slip velocity v
    slip_ref limit;                              ///< F
    slip_ref stage;                              ///< tau, Kikuuwe 2008 eq 19; SLIP_NONE is 0
    slip_ref parameter[SLIP_LAW_MAX_PARAMETERS]; ///< in the order of its table
    slip_ref state[SLIP_LAW_MAX_STATES][2];
} slip_law_terms;

/// Results of a law.
typedef struct slip_law_result {
    slip_ref force[2];
    slip_ref rate[SLIP_LAW_MAX_STATES][2];
    slip_ref stick; ///< truth value; SLIP_NONE for a law without sticking
    slip_ref decay; ///< 1/s, decay rate of the internal state in sliding, which explicit steps must resolve;
                    ///< SLIP_NONE: none
    int hold_count;
    struct {
        slip_ref node; ///< branches of stick and slip
        int operand;   ///< the operand in stick
    } hold[2 * SLIP_LAW_MAX_STATES];
    slip_ref sliding, max_at_rest; ///< of a law that balances at rest, with one component: the force in
                                   ///< sliding, and the largest force where `stick` is true
} slip_law_result;

/// A law, and the properties that formulations ask for instead of its name.
typedef struct slip_law {
    slip_part_info info;
    int components;             ///< most components: 1, or 2 for one or two
    int states;                 ///< per component
    const slip_option *options; ///< its parameters, at most SLIP_LAW_MAX_PARAMETERS
    int option_count;
    bool rigid;            ///< Coulomb's law, which the rigid formulations have built in
    bool scales_with_load; ///< its states decay in proportion to the limit, so that they have no rate at a
                           ///< limit of 0: at a contact it is taken per N of normal force
    bool jumps; ///< its force jumps when the slip changes sign, so that error control does not end in stick
    bool balances_at_rest; ///< in stick it takes the force that keeps the slip from accelerating
    void (*write)(const slip_law_terms *in, slip_law_result *out);

    /// For rigid formulations, which accept laws with one of these: friction is the limit times a factor that
    /// depends on the speed alone and is smooth at zero slip (NULL: 1), and a viscous force against the slip.
    slip_ref (*share)(const slip_law_terms *in);
    int viscous; ///< 1 + the index of the viscous parameter, N s/m; 0: there is no such force

    /// Fills in parameters that were left open (NaN) from a spring K and a damper B that suit the mass and
    /// the step. NULL if none can be left open.
    void (*choose)(double K, double B, double *parameter);
} slip_law;

#define PART(symbol, name) extern const slip_law slip_law_##symbol;
#include "registry/friction_laws.def"
#undef PART

/// NULL past the end.
const slip_law *slip_law_at(int k);

/// NULL when there is none of that name.
const slip_law *slip_law_named(const char *name);

/// A result with nothing in it yet.
slip_law_result slip_law_result_empty(void);

#endif
