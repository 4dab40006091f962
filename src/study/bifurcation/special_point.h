/// study/bifurcation/special_point.h: a special point of one model, and how to find the corresponding point
/// of a slightly different model.
#ifndef SLIP_STUDY_BIFURCATION_SPECIAL_POINT_H
#define SLIP_STUDY_BIFURCATION_SPECIAL_POINT_H

#include "model/model.h"
#include "slipstick/cycle.h"

/// The orbit at a special point, or, for a border that orbits do not reach, some distance before it.
typedef struct slip_special_point {
    slip_branch_kind kind;
    double value; ///< value of the parameter at the special point
    int turn;    ///< of a fold: 1 at a minimum of the parameter, -1 at a maximum; of doublings and tori: 1 if
                 ///< the multiplier leaves the unit circle as the parameter grows, -1 if it enters; else 0
    int n, size; ///< number of states; of unknowns of a continuation
    bool forced;
    int periods;             ///< as in slip_cycle_branch
    double phase;            ///< phase of the section, as a fraction of the period
    double *z;               ///< unknowns
    double *way;             ///< direction of the branch: the secant through the neighbouring points
    double *scale;           ///< size of each state
    bool *shifts;            ///< per state: it may advance from period to period
    const slip_cycle *cycle; ///< the orbit; owned by the branch
} slip_special_point;

/// Where a search for the corresponding point begins, in which direction it goes, and how many points it may
/// take.
typedef struct slip_special_point_search {
    double back;   ///< for borders: distance of the first orbit before the border, in scaled units
    double offset; ///< for other points: distance at which to begin, in scaled units
    int sense;     ///< 1: in the direction of the branch, -1: against it
    int points;    ///< largest number of points of the short branch
} slip_special_point_search;

/// True for special points that the orbits of a branch approach but do not reach, because their events change
/// there.
bool slip_is_discontinuity_border(slip_branch_kind kind);

/// Point k of a branch. NULL when out of memory.
slip_special_point *slip_special_point_create(const slip_cycle_branch *branch, int k, double back,
                                              double range);
void slip_special_point_destroy(slip_special_point *place); ///< NULL is fine

/// Follows a short branch of `model`, starting near the point moved by `shift` (one number per unknown), up
/// to the next point of the same kind. The index of this point goes to `at`; -1: there is none, and the text
/// of the branch says why. NULL when out of memory.
slip_cycle_branch *slip_special_point_follow(const slip_special_point *place, const slip_model *model,
                                             const slip_cycle_def *def, const char *along,
                                             const double *shift, const slip_special_point_search *look,
                                             int *at);

#endif
