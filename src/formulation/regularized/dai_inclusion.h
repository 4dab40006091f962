/// formulation/regularized/dai_inclusion.h: Xiong 2013, section 4.4, as a program.
///
/// In x' in Phi(t, x) the procedure (1) replaces every dio(psi_i) by its force, (2) replaces every
/// product chi_j sgn(theta_j) by its friction, (3) appends the rates of e_i and a_j: the ODE (32).
#ifndef SLIP_FORMULATION_REGULARIZED_DAI_INCLUSION_H
#define SLIP_FORMULATION_REGULARIZED_DAI_INCLUSION_H

#include "formulation/ode/ode.h"

/// One element that was found. With a gap: dio(psi). Without: chi sgn(theta), one or two components.
typedef struct slip_inclusion_element {
    const char *name; ///< of the definition it stands in, or dio1, sgn1, ...
    bool is_dio;
    slip_ref argument[2]; ///< psi; or theta with 1 or 2 components
    int count;
    slip_ref factor;   ///< chi as the user wrote it; SLIP_NONE for dio
    slip_ref original; ///< dio(psi), or the first sgn
    slip_ref force[2]; ///< what stands in its place
    slip_ref varying;  ///< of the factor, what is not constant; SLIP_NONE when all of it is
    double scale;      ///< of the factor, what is constant
    int before;        ///< number from 1 of the previous sgn whose theta begins alike; 0 when none
} slip_inclusion_element;

typedef struct slip_inclusion {
    int count; ///< dio elements first, then sgn elements, each in the order met
    slip_inclusion_element *elements;
} slip_inclusion;

/// The ODE and, when `found` is not NULL, the table of replacements (in the pool of the ODE).
slip_status slip_inclusion_derive(const slip_model *model, slip_error *error, slip_ode **ode,
                                  slip_inclusion *found);

#endif
