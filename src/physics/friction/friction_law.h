/// physics/friction/friction_law.h: a friction law in symbols: force and rates of its states from slip velocity and limit.
///
/// One definition serves the friction of a model in any ODE formulation, an impedance component of a
/// network and the plots of the manual. Forces carry the sign of the velocity, as in Kikuuwe 2008: the system
/// receives minus them. A law is one file with one record, and one line in registry/friction_laws.def.
#ifndef SLIP_PHYSICS_FRICTION_FRICTION_LAW_H
#define SLIP_PHYSICS_FRICTION_FRICTION_LAW_H

#include "symbolic/graph/formula.h"
#include "registry/option.h"

enum { SLIP_LAW_MAX_PARAMETERS = 5, SLIP_LAW_MAX_STATES = 8 }; ///< states per component

/// What a law is given.
typedef struct slip_law_terms {
    slip_graph *graph;
    int count;                                   ///< components, 1 or 2
    slip_ref velocity[2];                        ///< slip velocity v
    slip_ref limit;                              ///< F
    slip_ref stage;                              ///< tau, Kikuuwe 2008 eq 19; SLIP_NONE is 0
    slip_ref parameter[SLIP_LAW_MAX_PARAMETERS]; ///< in the order of its table
    slip_ref state[SLIP_LAW_MAX_STATES][2];
} slip_law_terms;

/// What it gives.
typedef struct slip_law_result {
    slip_ref force[2];
    slip_ref rate[SLIP_LAW_MAX_STATES][2];
    slip_ref stick; ///< truth value; SLIP_NONE when the law knows no sticking
    slip_ref
        decay; ///< 1/s, at which sliding wears off the state: explicit steps must resolve it; or SLIP_NONE
    int hold_count;
    struct {
        slip_ref node; ///< branches between stick and slip
        int operand;   ///< that rules in stick
    } hold[2 * SLIP_LAW_MAX_STATES];
    slip_ref sliding, max_at_rest; ///< of a law that balances at rest, one component: force where it slides,
                                   ///< largest where `stick` holds
} slip_law_result;

/// A law, and what others need to know about it: nobody asks for its name.
typedef struct slip_law {
    slip_part_info info;
    int components;             ///< the most it takes: 1, or 2 for one or two
    int states;                 ///< per component
    const slip_option *options; ///< its parameters, at most SLIP_LAW_MAX_PARAMETERS
    int option_count;
    bool rigid;            ///< Coulomb's: rigid formulations take it, they know no other
    bool scales_with_load; ///< its states wear off with the limit, so that a limit of 0 leaves them without
                           ///< a rate: at a contact it is taken per N of normal force
    bool jumps; ///< its force jumps where the slip turns: error control comes to no end where it sticks
    bool balances_at_rest; ///< where it sticks it takes what keeps the slip from accelerating
    void (*write)(const slip_law_terms *in, slip_law_result *out);

    /// For rigid formulations, which take laws with one of these: friction is the limit times a share that
    /// follows from the speed alone, smooth where the slip is zero (NULL: all of it), and a force against
    /// the slip, of so many N s/m.
    slip_ref (*share)(const slip_law_terms *in);
    int viscous; ///< 1 + the parameter that is these N s/m; 0: there is no such force

    /// Fills in parameters that were left open, where they are NaN: a spring K and a damper B suit the mass
    /// and the step. NULL when none can be left open.
    void (*choose)(double K, double B, double *parameter);
} slip_law;

#define PART(symbol, name) extern const slip_law slip_law_##symbol;
#include "registry/friction_laws.def"
#undef PART

/// NULL past the end.
const slip_law *slip_law_at(int k);

/// NULL when there is none of that name.
const slip_law *slip_law_named(const char *name);

/// An answer with nothing in it yet.
slip_law_result slip_law_result_empty(void);

#endif
