/// loads.h: how hard the contacts, frictions and joints of a run were loaded.
///
///     def.loads = true;                                        // before slip_sim_create
///     slip_element_loads floor;
///     for (int k = 0; slip_sim_loads(sim, k, &floor); k++) ... // after slip_run
///
/// Compliant contacts resolve an impact in time, so that their largest force is that of the blow: it is looked
/// for inside the finer steps that a step is made of. A rigid impact is an impulse without a duration, and has no
/// force. Where a contact was struck, a rigid formulation therefore knows no largest force, but impulses, the
/// largest force between impacts and, if stiffness or material of the contact are known, an estimate by Hertz.
#ifndef SLIPSTICK_LOADS_H
#define SLIPSTICK_LOADS_H

#include <stdbool.h>

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum slip_loaded {
    SLIP_LOADED_CONTACT,  ///< normal force
    SLIP_LOADED_FRICTION, ///< friction of a given limit
    SLIP_LOADED_JOINT     ///< force of a joint with friction
} slip_loaded;

const char *slip_loaded_name(slip_loaded kind); ///< "contact", "friction", "joint"; never NULL

/// Numbers that are not known are NaN. Units are those of SI; N m, N m s for angles.
typedef struct slip_element_loads {
    const char *element;
    slip_loaded kind;
    const char *unit;       ///< of its force: "N" or "N m"
    double force, force_t;  ///< largest force, and when
    double between_impacts; ///< the same without impacts, where the formulation is rigid
    double numerical; ///< the same with impacts, where the program chose the stiffness of a contact that
                      ///< was struck: a force of the numerical contact, and of no material
    double estimate, low, high; ///< of the largest force of rigid impacts: by Hertz, with its range
    double impulse, impulse_t;  ///< largest impulse of one strike, N s, and when it began
    double rms;          ///< root mean square of the force over the run; NaN where rigid impacts interrupt it
    double contact_time; ///< s, closed or under load in all
    long strikes;        ///< impacts, or touch-downs of compliant contacts
    double friction_work; ///< J, taken by its friction
    double pressure;      ///< Pa, largest Hertz pressure, from `force` or else from `estimate`
} slip_element_loads;

/// The k-th element of the model into *loads. False past the end, and of a simulation that tallies nothing.
bool slip_sim_loads(const slip_sim *sim, int k, slip_element_loads *loads);

/// The numbers of an element by name, as in JSON and in `sweep --outputs loads`; SLIP_LOAD_NUMBERS lists them.
#define SLIP_LOAD_NUMBERS(X)                                                                                 \
    X("force", force)                                                                                        \
    X("force_t", force_t)                                                                                    \
    X("between_impacts", between_impacts)                                                                    \
    X("numerical", numerical)                                                                                \
    X("estimate", estimate)                                                                                  \
    X("estimate_low", low)                                                                                   \
    X("estimate_high", high)                                                                                 \
    X("impulse", impulse)                                                                                    \
    X("impulse_t", impulse_t)                                                                                \
    X("rms", rms)                                                                                            \
    X("contact_time", contact_time)                                                                          \
    X("strikes", strikes)                                                                                    \
    X("friction_work", friction_work)                                                                        \
    X("pressure", pressure)

const char *slip_load_number_name(int k);                        ///< "force" for 0; NULL past the end
double slip_load_number(const slip_element_loads *loads, int k); ///< NaN past the end

#ifdef __cplusplus
}
#endif
#endif
