/// verdict/contact/redundant_modes.h: combinations of modes whose rows depend on one another, inside verdict/contact/contact_stability.c.
#ifndef SLIP_VERDICT_CONTACT_REDUNDANT_MODES_H
#define SLIP_VERDICT_CONTACT_REDUNDANT_MODES_H

#include "verdict/contact/contact_stability.h"

typedef enum slip_redundancy {
    SLIP_REDUNDANT_INFEASIBLE, ///< no forces solve it
    SLIP_REDUNDANT_ONE_MOTION, ///< they do, and all of them give one motion
    SLIP_REDUNDANT_UNDECIDED   ///< they may give several motions
} slip_redundancy;

/// Looks for forces of the combination s->mode, inside its inequalities if there are such, and fills s.
slip_redundancy slip_mode_solve_redundant(const slip_contact_set *set, slip_contact_branch *s);

/// Direction of a sliding mode.
int slip_mode_direction(unsigned char mode);

/// Unknown forces of a combination, 2 i for N and 2 i + 1 for T of a sticking element; returns their number.
int slip_mode_unknowns(const slip_contact_set *set, const unsigned char *mode, int *at);

/// What one unit of an unknown does to row r: a sliding normal drags its friction along.
double slip_mode_response(const slip_contact_set *set, const unsigned char *mode, int r, int unknown);

/// Acceleration of a row when the unknown forces vanish.
double slip_mode_offset(const slip_contact_set *set, const unsigned char *mode, int r);

/// Forces and accelerations of a combination from its unknowns.
void slip_mode_distribute(const slip_contact_set *set, int m, const int *at, const double *x,
                          slip_contact_branch *s);

#endif
