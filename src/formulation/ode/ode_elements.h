/// formulation/ode/ode_elements.h: contacts and frictions as expressions in an ODE: what every such formulation does.
#ifndef SLIP_FORMULATION_ODE_ODE_ELEMENTS_H
#define SLIP_FORMULATION_ODE_ODE_ELEMENTS_H

#include "formulation/ode/ode.h"

/// A new element state at place `at`, the next input of the graph, named "floor.e"; starts at 0, or where the
/// model says.
slip_ref slip_element_state(slip_ode *ode, int at, const char *element, const char *suffix);

/// A numerical constant: noted for the summary, prints as "K_floor", folded to its value when it runs.
slip_ref slip_element_constant(slip_ode *ode, const char *element, const char *name, double value);

/// slip_effective_mass_formula along the normal of a contact; a note says so where masses are too many for
/// it.
slip_status slip_element_mass(slip_ode *ode, const slip_element *element, slip_ref *mass);

/// Damping of a contact with stiffness K: 2 zeta sqrt(K m), which follows the mass m at the contact along the
/// motion, so that a restitution holds wherever it strikes; the constant C where m never changes, or zeta is
/// 0.
slip_ref slip_element_damping(slip_ode *ode, const slip_element *element, const char *name, slip_ref K,
                              double zeta, double C);

/// Whether other rows of the model act on what contact k meets in an impact: contacts of the same mechanism, or
/// friction of its own.
bool slip_element_shares_impacts(const slip_equations *equations, int k);

/// The states of such a contact, SLIP_IMPACT_STATES from place `at` on; view->impact is `answer` with them. Gives
/// 1 + r and z, of which a law is made.
enum { SLIP_IMPACT_STATES = 3 };
void slip_element_impact_states(slip_ode *ode, const slip_element *element, int at,
                                slip_impact_following answer, slip_ode_element *view, slip_ref *stiffer,
                                slip_ref *damping);

/// The largest friction: its coefficient times the normal force of its contact, or of the one that loads it,
/// which stands before it; or the limit itself.
slip_ref slip_element_limit(slip_ode *ode, const slip_element *element, slip_ode_element *view);

/// Remembers that operand `operand` of a MAX or SAT node rules in contact or stick; gives the node back.
slip_ref slip_element_regime_branch(slip_ode *ode, slip_ref node, int operand);

/// r += row' force, or -= with `minus`.
void slip_element_push(slip_ode *ode, const slip_row *row, slip_ref force, bool minus);

/// Books force times the rate of the row to a ledger (minus: with the other sign); a row with a drift also
/// moves energy in through its guide or belt.
void slip_element_add_power(slip_ode *ode, int ledger, slip_ref force, const slip_row *row, bool minus);

/// Ledger at the start: the work of the generalised forces, nothing taken.
void slip_element_init_ledger(slip_ode *ode);

/// How far it is pressed in over `depth`, m, which is what it may be at rest; an impact is over in `lasts`,
/// s.
void slip_element_set_strain(slip_ode *ode, slip_ref gap, double depth, double lasts, slip_ode_element *view);

/// Its impacts are looked at (formulation/ode/impact_check_forces.h). False when out of memory.
bool slip_element_check_impacts(slip_ode *ode, int k, double restitution, double release, double lasts,
                                double depth);

#endif
