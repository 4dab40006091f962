/// law/law.h: a friction law in symbols: force and rates of its states from slip velocity and limit.
///
/// One definition serves the friction of a model in any ODE formulation, an impedance component of a
/// network and the plots of the manual. Forces carry the sign of the velocity, as in Kikuuwe 2008: the system
/// receives minus them.
#ifndef SLIP_LAW_H
#define SLIP_LAW_H

#include "formula/formula.h"
#include "slipstick/parts.h"

enum { SLIP_LAW_MOST_PARAMETERS = 5, SLIP_LAW_MOST_STATES = 8 }; ///< states per component

typedef struct slip_law_parameter {
    const char *name;
    double fallback;  ///< NaN: chosen from mass and step, unless required
    const char *text; ///< the same for people; "required"
} slip_law_parameter;

/// What a law is given.
typedef struct slip_law_terms {
    slip_graph *graph;
    int count;                                    ///< components, 1 or 2
    slip_ref velocity[2];                         ///< slip velocity v
    slip_ref limit;                               ///< F
    slip_ref stage;                               ///< tau, Kikuuwe 2008 eq 19; SLIP_NONE is 0
    slip_ref parameter[SLIP_LAW_MOST_PARAMETERS]; ///< in the order of the table
    slip_ref state[SLIP_LAW_MOST_STATES][2];
} slip_law_terms;

/// What it gives.
typedef struct slip_law_answer {
    slip_ref force[2];
    slip_ref rate[SLIP_LAW_MOST_STATES][2];
    slip_ref stick; ///< truth value; SLIP_NONE when the law knows no sticking
    slip_ref
        decay; ///< 1/s, at which sliding wears off the state: explicit steps must resolve it; or SLIP_NONE
    int hold_count;
    struct {
        slip_ref node; ///< branches between stick and slip
        int operand;   ///< that rules in stick
    } hold[2 * SLIP_LAW_MOST_STATES];
} slip_law_answer;

typedef struct slip_law {
    slip_part_info info;
    int components; ///< the most it takes
    int states;     ///< per component
    void (*write)(const slip_law_terms *in, slip_law_answer *out);
} slip_law;

/// NULL past the end.
const slip_law *slip_law_at(int k);

/// NULL when there is none of that name.
const slip_law *slip_law_named(const char *name);

/// The k-th parameter of a law; NULL past the end.
const slip_law_parameter *slip_law_parameter_at(const slip_law *law, int k);

/// True for laws whose states wear off with the limit, so that a limit of 0 leaves them without a rate: at a
/// contact they are taken per N of normal force.
bool slip_law_scales_with_load(const slip_law *law);

// expressions that several laws share (terms.c)

/// |v|, one or two components.
slip_ref slip_law_speed(const slip_law_terms *in);

/// v/|v|, component k; 0 at rest.
slip_ref slip_law_direction(const slip_law_terms *in, int k);

#define SLIP_LAW_AS_FUNCTION(id) void slip_law_write_##id(const slip_law_terms *in, slip_law_answer *out)
SLIP_LAW_AS_FUNCTION(coulomb);
SLIP_LAW_AS_FUNCTION(coulomb_viscous);
SLIP_LAW_AS_FUNCTION(stribeck);
SLIP_LAW_AS_FUNCTION(tanh);
SLIP_LAW_AS_FUNCTION(piecewise_linear);
SLIP_LAW_AS_FUNCTION(karnopp);
SLIP_LAW_AS_FUNCTION(dahl);
SLIP_LAW_AS_FUNCTION(lugre);
SLIP_LAW_AS_FUNCTION(elasto_plastic);
SLIP_LAW_AS_FUNCTION(iwan);
SLIP_LAW_AS_FUNCTION(kikuuwe);
SLIP_LAW_AS_FUNCTION(sat);

#endif
