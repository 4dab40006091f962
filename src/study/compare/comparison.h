/// study/compare/comparison.h: the internal structure of a comparison.
#ifndef SLIP_STUDY_COMPARE_COMPARISON_H
#define SLIP_STUDY_COMPARE_COMPARISON_H

#include "base/text.h"
#include "slipstick/compare.h"
#include "slipstick/report.h"
#include "slipstick/run.h"

struct slip_comparison {
    int count, coordinate_count;
    slip_compare_row *rows;
    double *ends, *travel; ///< end states of all rows; how far the coordinates moved in each
    char **names;          ///< of the coordinates
    char *model;
    slip_model *plain;           ///< the model as it was read, to which the recordings refer
    slip_recording **recordings; ///< of the runs at the common step, one per row; NULL: none was asked for
    double step, until, accuracy, scale;
    int reference_row;
    bool confirmed; ///< two families agree on the reference
    bool disputed;  ///< they do not
    bool stopped;   ///< from outside, before the end
    int chosen;     ///< row of the formulation that the sentence names; -1: none
    char reference[240], sentence[480];
};

#endif
