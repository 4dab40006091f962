/// output/plot/projected_solids.h: shapes of a drawing as they are seen on paper.
#ifndef SLIP_OUTPUT_PLOT_PROJECTED_SOLIDS_H
#define SLIP_OUTPUT_PLOT_PROJECTED_SOLIDS_H

#include "slipstick/draw.h"

enum { SLIP_OUTLINE_POINTS = 64 };

/// From metres to the plane of the picture, x to the right and y up: as it is in the plane, from above and
/// aside in space.
void slip_project_point(int dimensions, const double *place, double *xy);

/// The outline of a solid in space at a place and attitude of its frame: points in the plane of the picture,
/// in order. Returns how many.
int slip_project_outline(const slip_drawn_shape *shape, const double *frame, double *xy);

/// The three edges of a box that meet in the corner nearest to the eye: that corner, then the other end of
/// each.
void slip_project_box_edges(const slip_drawn_shape *shape, const double *frame, double xy[8]);

#endif
