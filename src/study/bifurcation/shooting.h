/// study/bifurcation/shooting.h: multiple shooting: Newton's method on the gaps between the segments of a
/// periodic orbit.
#ifndef SLIP_STUDY_BIFURCATION_SHOOTING_H
#define SLIP_STUDY_BIFURCATION_SHOOTING_H

#include "study/bifurcation/flow_map.h"
#include "base/linalg/lu_complete.h"

enum { SLIP_CYCLE_MAX_SEGMENTS = 50 };

/// The unknowns are the states at the nodes, where the segments begin, and the period where it is not known.
typedef struct slip_shooting {
    slip_flow_map *shot;
    int states, segments;
    bool forced;
    double period;
    double phase;  ///< of a forced motion: position of the first node, as a fraction of the period
    bool *fixed;   ///< per state: it is not an unknown (slip_cycle_option_fixed)
    bool *shifts;  ///< per state: it may advance from period to period
    double *scale; ///< per state: size of the motion

    double *node;               ///< states at each node
    double *J, *end, *rate_end; ///< derivatives, states and rates at the end of each segment
    double *rate_start;         ///< rates at the first node
    double *M, *R, *F;          ///< all segments condensed: dx_N = M dx_0 + R + F dT; M by columns
    double *step, *trial, *column;
    slip_lu_complete system;
    double residual;
    int iterations;
    void *memory;
} slip_shooting;

slip_status slip_shooting_create(slip_flow_map *shot, int segments, bool forced, slip_error *error,
                                 slip_shooting **search);
void slip_shooting_destroy(slip_shooting *search);

/// The time at which segment k begins.
double slip_shooting_time(const slip_shooting *shooting, int k);

/// Fills all nodes from one motion that starts at the first. False with a reason in search->shot.
bool slip_shooting_fill_nodes(slip_shooting *search);

/// Runs all segments and condenses their derivatives.
bool slip_shooting_evaluate(slip_shooting *search);

/// Runs each segment in `each` pieces and stores the derivatives of all pieces in J, laid out like search->J.
/// False with a reason in search->shot.
bool slip_shooting_subdivide(slip_shooting *search, int each, double *J);

/// Factors the system (M - I) dx + F dT = b for the present M and F. States that may advance are pinned, and
/// a free period comes with a phase condition.
void slip_shooting_factor(slip_shooting *search);

/// Solves this system for dx and dT; dT is 0 for a forced motion.
void slip_shooting_solve(slip_shooting *search, const double *b, double *dx, double *dT);

/// Derivative of the end of a motion in one segment with respect to parameter p, per state. It includes the
/// effect of a forcing period that depends on p, which moves the times of both ends.
void slip_shooting_parameter(const slip_shooting *shooting, int p, double *to);

/// Newton's method from the present nodes. False with a reason.
bool slip_shooting_run(slip_shooting *search, char *reason, size_t size);

#endif
