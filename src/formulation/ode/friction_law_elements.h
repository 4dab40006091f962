/// formulation/ode/friction_law_elements.h: friction by a law of the library, as an element of an ODE.
#ifndef SLIP_FORMULATION_ODE_FRICTION_LAW_ELEMENTS_H
#define SLIP_FORMULATION_ODE_FRICTION_LAW_ELEMENTS_H

#include "formulation/ode/ode_elements.h"
#include "physics/friction/friction_law.h"

/// Stiffness and damping of a friction that moves this mass: as stiff as a step of this length holds without
/// chatter, K T^2/m = 0.5, B T/m = 0.7.
void slip_law_choose_stiffness(double mass, double step, double *K, double *B);

/// Before any element is added: chooses what the model leaves open in the parameters of its laws, from the
/// mass that each element moves and the step, and makes the stage step an input when a law asks for it.
slip_status slip_law_prepare(slip_ode *ode, double step, slip_error *error);

/// The stage step as an input of the graph, unless it is there already.
void slip_law_stage_input(slip_ode *ode);

/// States that the friction of an element takes under a law.
int slip_law_element_states(const slip_law *law, const slip_element *element);

/// Puts the friction of `element` under `law` with these parameters, states from place `at` on; view->limit
/// must be there. Fills the slip side of `view`, pushes and books. Gives the next free place.
int slip_law_element(slip_ode *ode, const slip_element *element, const slip_law *law, const double *parameter,
                     int at, slip_ode_element *view);

/// After all elements were added: frictions that balance at rest, which know what the others push.
slip_status slip_law_balance_at_rest(slip_ode *ode, slip_error *error);

#endif
