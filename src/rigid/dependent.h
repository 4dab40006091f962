/// rigid/dependent.h: combinations of modes whose rows depend on one another, inside rigid/stability.c.
#ifndef SLIP_RIGID_DEPENDENT_H
#define SLIP_RIGID_DEPENDENT_H

#include "rigid/stability.h"

typedef enum slip_dependence {
    SLIP_DEPENDS_NOWHERE, ///< no forces solve it
    SLIP_DEPENDS_ON_ONE,  ///< they do, and all of them give one motion
    SLIP_DEPENDS_UNSURE   ///< they may give several motions
} slip_dependence;

/// Looks for forces of the combination s->mode, inside its inequalities if there are such, and fills s.
slip_dependence slip_mode_dependent(const slip_contact_set *set, slip_branch *s);

/// Direction of a sliding mode.
int slip_mode_direction(unsigned char mode);

/// Unknown forces of a combination, 2 i for N and 2 i + 1 for T of a sticking element; returns their number.
int slip_mode_unknowns(const slip_contact_set *set, const unsigned char *mode, int *at);

/// What one unit of an unknown does to row r: a sliding normal drags its friction along.
double slip_mode_response(const slip_contact_set *set, const unsigned char *mode, int r, int unknown);

/// Acceleration of a row when the unknown forces vanish.
double slip_mode_offset(const slip_contact_set *set, const unsigned char *mode, int r);

/// Forces and accelerations of a combination from its unknowns.
void slip_mode_spread(const slip_contact_set *set, int m, const int *at, const double *x, slip_branch *s);

#endif
