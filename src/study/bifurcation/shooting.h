/// study/bifurcation/shooting.h: Newton's method on the ends of segments of a periodic motion.
#ifndef SLIP_STUDY_BIFURCATION_SHOOTING_H
#define SLIP_STUDY_BIFURCATION_SHOOTING_H

#include "study/bifurcation/flow_map.h"
#include "base/linalg/lu_complete.h"

enum { SLIP_CYCLE_MAX_SEGMENTS = 50 };

/// Unknowns are the states of the nodes at the beginning of each segment, and the period where it is not
/// known.
typedef struct slip_shooting {
    slip_flow_map *shot;
    int states, segments;
    bool forced;
    double period;
    double phase;  ///< of a forced motion: the first node is at this part of the period
    bool *fixed;   ///< per state: it does not take part, as modes do not
    bool *shifts;  ///< per state: it may advance
    double *scale; ///< per state: size of the motion

    double *node;               ///< states of each node
    double *J, *end, *rate_end; ///< of each segment
    double *rate_start;         ///< at the first node
    double *M, *R, *F; ///< dx_N = M dx_0 + R + F dT: all segments together; M columns one behind the other
    double *step, *trial, *column;
    slip_lu_complete system;
    double residual;
    int iterations;
    void *memory;
} slip_shooting;

slip_status slip_shooting_create(slip_flow_map *shot, int segments, bool forced, slip_error *error,
                                 slip_shooting **search);
void slip_shooting_destroy(slip_shooting *search);

/// When segment k begins.
double slip_shooting_time(const slip_shooting *shooting, int k);

/// Fills all nodes from the first, by one motion. False with a reason in search->shot.
bool slip_shooting_fill_nodes(slip_shooting *search);

/// Runs all segments and puts their derivatives together.
bool slip_shooting_evaluate(slip_shooting *search);

/// Runs every segment in `each` pieces; J takes the derivatives of all of them, as search->J has those of the
/// segments. False with a reason in search->shot.
bool slip_shooting_subdivide(slip_shooting *search, int each, double *J);

/// The system (M - I) dx + F dT = b of the present M and F, with conditions on what shifts and on the phase.
void slip_shooting_factor(slip_shooting *search);

/// Solves it: b per state; dx per state, and dT, which is 0 of forced motions.
void slip_shooting_solve(slip_shooting *search, const double *b, double *dx, double *dT);

/// What parameter number p does to the end of a motion in one segment, its own effect on the times of both
/// ends included; per state.
void slip_shooting_parameter(const slip_shooting *shooting, int p, double *to);

/// Newton's method from the present nodes. False with a reason.
bool slip_shooting_run(slip_shooting *search, char *reason, size_t size);

#endif
