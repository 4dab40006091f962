/// dynamics/contact/static_equilibrium.h: a place where a model can stay, with the contact forces that hold it.
///
///     h(q) + sum over rows of w' lambda = 0,   0 <= N _|_ g_N >= 0,   |T| <= mu N,   g = 0
///
/// at t = 0 without motion. It is found by letting go of the model where it starts, in a fluid so thick that
/// only forces matter: (K + s m) dq = h + w' lambda with displacements dq in place of velocities, K the
/// stiffness of all forces and m the masses of single coordinates. s is how thick the fluid is; it is taken
/// back from step to step until the steps are Newton's (pseudo-transient continuation; Kelley and Keyes
/// 1998). Friction holds what it can hold, so what may stay where it is does so, and what slides ends where
/// friction first holds it.
#ifndef SLIP_DYNAMICS_CONTACT_STATIC_EQUILIBRIUM_H
#define SLIP_DYNAMICS_CONTACT_STATIC_EQUILIBRIUM_H

#include "model/model.h"

enum { SLIP_STATIC_TEXT_LENGTH = 240 };

/// What is known about the equilibrium that was found.
typedef struct slip_static_equilibrium {
    bool held;     ///< by friction that has more to give: places around it are at rest too
    bool neutral;  ///< nothing draws it back to where it is along some direction
    bool unstable; ///< the smallest disturbance moves it away
    int others;    ///< further equilibria that were met from other starts nearby
    char text[SLIP_STATIC_TEXT_LENGTH]; ///< the same in words
} slip_static_equilibrium;

/// Where the coordinates are at rest, coordinate_count numbers into `q`. SLIP_BAD_MODEL when there is no such
/// place, or none was found: `error` says what keeps moving.
slip_status slip_static_equilibrium_find(const slip_model *model, double *q, slip_static_equilibrium *rest,
                                         slip_error *error);

/// A model that starts there, and shares everything but its coordinates with `model`, which must outlive it.
/// To be released with free().
slip_status slip_static_equilibrium_model(const slip_model *model, slip_static_equilibrium *rest,
                                          slip_error *error, slip_model **rested);

#endif
