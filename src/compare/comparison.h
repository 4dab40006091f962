/// compare/comparison.h: the result of a comparison from inside.
#ifndef SLIP_COMPARE_COMPARISON_H
#define SLIP_COMPARE_COMPARISON_H

#include "core/text.h"
#include "slipstick/compare.h"

struct slip_comparison {
    int count, coordinate_count;
    slip_compare_row *rows;
    double *ends, *travel; ///< end states of all rows; how far the coordinates moved in each
    char **names;          ///< of the coordinates
    char *model;
    double step, until, accuracy, scale;
    int reference_row;
    char reference[120], sentence[480];
};

#endif
