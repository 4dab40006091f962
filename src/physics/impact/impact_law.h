/// physics/impact/impact_law.h: laws of impact: what the rates after an impact have to do with those before.
///
/// Contacts that touch have rates v (normal first), impulses P, and v+ = v- + W P with W = w' M^-1 w. A law
/// says which P. Two kinds:
///     algebraic    conditions on the rates at the end, for all contacts at once
///     process      the normal impulse of one contact grows, friction follows the slip at every instant
///                  (Routh 1905; Keller 1986), and the law says when it ends
/// Several contacts that a process law strikes at once are struck in a sequence: the one that approaches
/// fastest is next, until none approaches. So are contacts with different laws.
/// A law is one file with one record, and one line in registry/impact_laws.def.
#ifndef SLIP_PHYSICS_IMPACT_IMPACT_LAW_H
#define SLIP_PHYSICS_IMPACT_IMPACT_LAW_H

#include <stdbool.h>

#include "slipstick/parts.h"

typedef struct slip_impact_law slip_impact_law;
typedef struct slip_impulse_process slip_impulse_process;

/// What happened to a contact on the way.
enum {
    SLIP_PATH_SLID = 1,     ///< it slid when it was struck, and friction acted
    SLIP_PATH_STUCK = 2,    ///< its slip was or came to zero and stayed there
    SLIP_PATH_REVERSED = 4, ///< its slip came to zero and went on the other way
    SLIP_PATH_JAMMED = 8,   ///< pressing made it approach faster while it slid
};

/// Which contact of a sequence is next.
typedef enum slip_impact_order {
    SLIP_ORDER_FASTEST_FIRST, ///< the one that approaches fastest: the rule
    SLIP_ORDER_AS_LISTED,     ///< in the order of the model, to see whether the order matters
    SLIP_ORDER_REVERSED       ///< in the opposite order
} slip_impact_order;

/// An impact: contacts that touch at one instant. Arrays of rates and impulses have d numbers per contact,
/// normal first; a direction that a contact does not have is coupled to nothing and has mu = 0, or no rate.
typedef struct slip_multi_impact {
    int d, contacts;                   ///< 2 in the plane, 3 in space
    const double *W;                   ///< 1/kg, symmetric, (d contacts)^2
    const double *before;              ///< m/s
    const double *mu;                  ///< per contact
    const double *e, *e_t;             ///< per contact: restitution in force, normal and tangential
    const slip_impact_law *const *law; ///< per contact
    const bool *pressed;     ///< per contact: it may be struck without approach, by jamming; NULL: none
    double small;            ///< m/s: a slower approach is none
    slip_impact_order order; ///< of a sequence

    /// Impulses r >= 0 and w = W r + q, 0 <= r_n _|_ w_n >= 0, r_t in -mu r_n Sgn(w_t); false when not found.
    bool (*solve)(void *context, int contacts, const double *W, const double *q, const double *mu, double *r,
                  double *w);
    void *context;

    // the answer
    double *impulse, *after; ///< N s, m/s
    double *work;            ///< per contact: J, of the normal impulse
    unsigned char *path;     ///< per contact: SLIP_PATH_*
    int turns;               ///< impacts of a sequence; 0: all at once
    bool unfinished;         ///< a sequence that came to no end, and was ended without restitution
    double *scratch;         ///< slip_multi_impact_scratch(d, contacts, ...) numbers
} slip_multi_impact;

/// Numbers of scratch; without `matrix` for laws that are in the step of time stepping.
static inline int slip_multi_impact_scratch(int d, int contacts, bool matrix)
{
    const int size = d * contacts;
    return 5 * size + contacts + (matrix ? size * size : 0);
}

/// A law, and what others need to know about it: nobody asks for its name.
struct slip_impact_law {
    slip_part_info info;
    bool in_step;    ///< one contact problem on (1 + e) times the rates before: time stepping has it in its
                     ///< own step
    bool tangential; ///< has a restitution along the slip
    bool process;    ///< `end` says when the impulse of one contact has done its part

    /// Of all contacts at once: fills the answer; false when not found.
    bool (*strike)(slip_multi_impact *c);

    /// Of a process that has been compressed: where it ends.
    void (*end)(double e, double approach, slip_impulse_process *p);
};

#define PART(symbol, name) extern const slip_impact_law slip_impact_##symbol;
#include "registry/impact_laws.def"
#undef PART

/// NULL past the end.
const slip_impact_law *slip_impact_at(int k);

/// NULL when there is none of that name.
const slip_impact_law *slip_impact_named(const char *name);

/// By the law of the contacts, in a sequence when they have different ones. False when not found.
bool slip_multi_impact_apply(slip_multi_impact *c);

/// One contact after another, each by its own law.
bool slip_impact_sequence(slip_multi_impact *c);

/// Contact k presses although it does not approach, at the given rates of all contacts.
bool slip_multi_impact_jams(const slip_multi_impact *c, int k, const double *rates);

/// The contact problem of an algebraic law: impulses r for q, d numbers per contact. Without an approach no
/// impulse is a solution too; contacts that jam take the one that a small approach leads to. `spare` has as
/// many numbers as q, and q comes back changed.
bool slip_multi_impact_solve(const slip_multi_impact *c, double *q, double *r, double *w, double *spare);

/// J, of kinetic energy; positive when energy was created.
double slip_multi_impact_energy_gain(const slip_multi_impact *c);

/// J, the same without signs: what a gain is measured against.
double slip_multi_impact_energy_scale(const slip_multi_impact *c);

/// Rates after, and the paths of contacts whose law looks at both ends alone, from impulses.
void slip_multi_impact_finish(slip_multi_impact *c);

#endif
