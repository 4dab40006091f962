/// study/bifurcation/special_point.h: the place of a special point, and the way back to it when the model has changed a little.
#ifndef SLIP_STUDY_BIFURCATION_SPECIAL_POINT_H
#define SLIP_STUDY_BIFURCATION_SPECIAL_POINT_H

#include "model/model.h"
#include "slipstick/cycle.h"

/// An orbit at a special point, or, of a border, some way before it.
typedef struct slip_special_point {
    slip_branch_kind kind;
    double value; ///< of the parameter at the special point
    int turn;     ///< of a fold: 1 where the parameter is least, -1 where it is greatest; of doublings and
                  ///< tori: 1 where the multiplier leaves the unit circle as the parameter grows; else 0
    int n, size;  ///< states; unknowns of a follower
    bool forced;
    int periods;             ///< as of the branch
    double phase;            ///< of the point in the period
    double *z;               ///< unknowns
    double *way;             ///< their change along the branch there
    double *scale;           ///< of the states
    bool *shifts;            ///< per state
    const slip_cycle *cycle; ///< the orbit; belongs to the branch
} slip_special_point;

/// How to look: so far from the place, in this sense, with so many points.
typedef struct slip_special_point_search {
    double back;   ///< of borders: how far before them the orbit is, in unit sizes
    double offset; ///< of others: where to begin, in unit sizes
    int sense;     ///< 1: as the branch went, -1: the other way
    int points;
} slip_special_point_search;

/// Whether orbits lead up to a special point without reaching it.
bool slip_is_discontinuity_border(slip_branch_kind kind);

/// The place of point k of a branch. NULL when out of memory.
slip_special_point *slip_special_point_create(const slip_cycle_branch *branch, int k, double back,
                                              double range);
void slip_special_point_destroy(slip_special_point *place); ///< NULL is fine

/// A short branch of `model` from the place on, moved by `shift` (one number per unknown), up to the next
/// point of its kind, whose number goes to `at`; -1: there is none, and its text says why. NULL when out of
/// memory.
slip_cycle_branch *slip_special_point_follow(const slip_special_point *place, const slip_model *model,
                                             const slip_cycle_def *def, const char *along,
                                             const double *shift, const slip_special_point_search *look,
                                             int *at);

#endif
