/// physics/impact/impact_law.h: impact laws: the relation between the velocities before and after an impact.
///
/// Closed contacts have velocities v (normal first), impulses P, and v+ = v- + W P with W = w' M^-1 w. A law
/// determines P. There are two kinds:
///     algebraic    conditions on the velocities at the end, for all contacts at once
///     process      the normal impulse of one contact grows, friction follows the slip at every instant
///                  (Routh 1905; Keller 1986), and the law says when it ends
/// Several contacts with a process law are treated in a sequence: the one that approaches fastest is next,
/// until none approaches. So are contacts with different laws.
/// A law is one file with one record, and one line in registry/impact_laws.def.
#ifndef SLIP_PHYSICS_IMPACT_IMPACT_LAW_H
#define SLIP_PHYSICS_IMPACT_IMPACT_LAW_H

#include <stdbool.h>

#include "slipstick/parts.h"

typedef struct slip_impact_law slip_impact_law;
typedef struct slip_impulse_process slip_impulse_process;

/// Path of a contact during an impact, as bits.
enum {
    SLIP_PATH_SLID = 1,     ///< it slid at first, and friction acted
    SLIP_PATH_STUCK = 2,    ///< its slip was zero, or became zero and stayed there
    SLIP_PATH_REVERSED = 4, ///< its slip became zero and changed direction
    SLIP_PATH_JAMMED = 8,   ///< the impulse made it approach faster while it slid
};

/// Which contact of a sequence is next.
typedef enum slip_impact_order {
    SLIP_ORDER_FASTEST_FIRST, ///< the one that approaches fastest: the default
    SLIP_ORDER_AS_LISTED,     ///< in the order of the model, to see whether the order matters
    SLIP_ORDER_REVERSED       ///< in the opposite order
} slip_impact_order;

/// An impact: contacts that are closed at one instant. Arrays of velocities and impulses have d numbers per
/// contact, normal first; a direction that a contact does not have is uncoupled and has mu = 0, or zero
/// velocity.
typedef struct slip_multi_impact {
    int d, contacts;       ///< 2 in the plane, 3 in space
    int frictions;         ///< of the contacts, the last ones: frictions without a gap whose limit
                           ///< is mu times an impulse of this impact; their normals are uncoupled
    const double *W;       ///< 1/kg, symmetric, (d contacts)^2
    const double *before;  ///< m/s
    const double *mu;      ///< per contact
    const double *e, *e_t; ///< per contact: effective restitution, normal and tangential
    const slip_impact_law *const *law; ///< per contact
    const bool *pressed;     ///< per contact: it may have an impulse without approach, by jamming; NULL: none
    double small;            ///< m/s: a slower approach is none
    slip_impact_order order; ///< of a sequence

    /// Finds impulses r >= 0 and w = W r + q with 0 <= r_n _|_ w_n >= 0, r_t in -mu r_n Sgn(w_t); false if it
    /// finds none. For frictions without a gap r_n in that law is the impulse that they follow, 0 is returned.
    bool (*solve)(void *context, int contacts, const double *W, const double *q, const double *mu, double *r,
                  double *w);
    void *context;

    // results
    double *impulse, *after; ///< N s, m/s
    double *work;            ///< per contact: J, of the normal impulse
    unsigned char *path;     ///< per contact: SLIP_PATH_*
    int turns;               ///< impacts of a sequence; 0: all at once
    bool unfinished;         ///< a sequence that did not end by itself, and was ended without restitution
    double *scratch;         ///< slip_multi_impact_scratch(d, contacts, ...) numbers
    double *spare;           ///< with frictions: slip_multi_impact_spare(d, contacts) numbers
} slip_multi_impact;

/// Size of the scratch; without `matrix` for laws that are part of a time-stepping step.
static inline int slip_multi_impact_scratch(int d, int contacts, bool matrix)
{
    const int size = d * contacts;
    return 5 * size + contacts + (matrix ? size * size : 0);
}

/// Size of `spare`: a copy of the impact in which one contact alone is struck, and what a law needs for it.
static inline int slip_multi_impact_spare(int d, int contacts)
{
    const int size = d * contacts;
    return size * size + 6 * size + 2 * contacts + slip_multi_impact_scratch(d, contacts, true);
}

/// A law, and the properties that others ask for instead of its name.
struct slip_impact_law {
    slip_part_info info;
    bool in_step;    ///< it is one contact problem with (1 + e) times the velocities before, which time
                     ///< stepping includes in its step
    bool tangential; ///< has a tangential restitution
    bool process;    ///< `end` says when the impulse of one contact ends

    /// For all contacts at once: fills in the results; false if it finds no solution.
    bool (*strike)(slip_multi_impact *c);

    /// For a process at the end of compression: sets the goal at which it ends.
    void (*end)(double e, double approach, slip_impulse_process *p);
};

#define PART(symbol, name) extern const slip_impact_law slip_impact_##symbol;
#include "registry/impact_laws.def"
#undef PART

/// NULL past the end.
const slip_impact_law *slip_impact_at(int k);

/// NULL when there is none of that name.
const slip_impact_law *slip_impact_named(const char *name);

/// Applies the law of the contacts, in a sequence if they have different ones. False if it finds no solution.
bool slip_multi_impact_apply(slip_multi_impact *c);

/// One contact after another, each by its own law.
bool slip_impact_sequence(slip_multi_impact *c);

/// Adds the d impulses of contact k to the results, and their effect on all velocities.
void slip_multi_impact_add(slip_multi_impact *c, int k, const double *by);

/// The impulse process of contact k of several, whose normal impulse frictions without a gap follow
/// (impulse_process_frictions.c); adds to the results. False if the process does not end.
bool slip_multi_impact_process_with_frictions(slip_multi_impact *c, int k);

/// The impact in which contact k alone is struck, beside the frictions of c: W, before and q of the others are
/// those of a contact that nothing drives. Its arrays are in c->spare.
slip_multi_impact slip_multi_impact_alone(const slip_multi_impact *c, int k);

/// Whether contact k is pressed although it does not approach, at the given velocities of all contacts.
bool slip_multi_impact_jams(const slip_multi_impact *c, int k, const double *rates);

/// The contact problem of an algebraic law: impulses r for q, d numbers per contact. Without an approach zero
/// impulse is a solution too; contacts that jam take the limit of the solution for a small approach. `spare`
/// has the size of q, and q is changed.
bool slip_multi_impact_solve(const slip_multi_impact *c, double *q, double *r, double *w, double *spare);

/// J, gain of kinetic energy; positive if energy was created.
double slip_multi_impact_energy_gain(const slip_multi_impact *c);

/// J, sum of the absolute energy changes: the scale against which a gain is judged.
double slip_multi_impact_energy_scale(const slip_multi_impact *c);

/// From the impulses: velocities after the impact, and the paths of contacts whose law depends on both ends
/// alone.
void slip_multi_impact_finish(slip_multi_impact *c);

#endif
