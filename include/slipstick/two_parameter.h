/// plane.h: special points of periodic motions as curves in the plane of two parameters.
///
///     slip_cycle_along along = slip_default_cycle_along();
///     along.along = "w=1.7:2";
///     slip_two_parameter_diagram *plane = NULL;
///     if (slip_cycle_two_parameter(model, &def, &along, "r=0.6:0.9:13", &error, &plane) != SLIP_OK) ...
///     for (int k = 0; k < plane->curve_count; k++) puts(plane->curves[k].kind);
///     slip_two_parameter_destroy(plane);
///
/// In the same plane: where the rigid contact problem at the start of the model loses its solution, or has
/// more than one (slip_find_critical() of analyze.h along the first parameter).
#ifndef SLIPSTICK_TWO_PARAMETER_H
#define SLIPSTICK_TWO_PARAMETER_H

#include "slipstick/cycle.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of curves that are not those of a branch (slip_branch_kind_name()).
#define SLIP_TWO_PARAMETER_INCONSISTENT "inconsistent" ///< on one side the contact problem has no solution
#define SLIP_TWO_PARAMETER_AMBIGUOUS    "ambiguous"    ///< on one side it has several

typedef struct slip_two_parameter_point {
    double along, across; ///< values of the first and of the second parameter
    double period;        ///< s, of the orbit there; at a border of the nearest one; NaN where there is none
} slip_two_parameter_point;

/// One special point, followed from value to value of the second parameter.
typedef struct slip_two_parameter_curve {
    const char *kind; ///< "fold", ...: a word that lasts
    int first;        ///< the number of its first value of the second parameter
    int point_count;
    slip_two_parameter_point *points; ///< without gaps
    char *events;                     ///< of the orbits, as in slip_cycle.signature; "" of contact problems
    char begin[400];                  ///< why there is nothing before its first point; "" at the first value
    char end[400];                    ///< why it ends at its last point; "" at the last value
} slip_two_parameter_curve;

typedef struct slip_two_parameter_diagram {
    char along[80], across[80]; ///< parameters
    double from, to;            ///< of the first
    int row_count;
    double *rows; ///< values of the second
    int curve_count;
    slip_two_parameter_curve *curves;
    char text[480];     ///< how the branch at the first value ended, or why there is none
    char critical[320]; ///< what the contact problem at the start says
    int whole;          ///< branches that were followed from end to end; the others are short ones
} slip_two_parameter_diagram;

/// Special points of the branches of slip_cycle_follow() along the first parameter for every value of the
/// second, "r=0.6:0.9:13", joined to curves. The next value is searched by a short branch from the
/// orbit at the last special point, and if that fails by a whole branch. Points are located as on a branch.
slip_status slip_cycle_two_parameter(const slip_model *model, const slip_cycle_def *def,
                                     const slip_cycle_along *along, const char *plane, slip_error *error,
                                     slip_two_parameter_diagram **out);
void slip_two_parameter_destroy(slip_two_parameter_diagram *plane); ///< NULL is fine

/// As one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_two_parameter_json(const slip_two_parameter_diagram *plane);

/// The curves over both parameters, a colour for each kind; the path ends in .svg or .png.
slip_status slip_two_parameter_picture(const char *path, const slip_two_parameter_diagram *plane,
                                       const char *title, slip_error *error);

#ifdef __cplusplus
}
#endif
#endif
