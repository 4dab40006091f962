/// verdict/contact/indeterminacy.h: is the motion determined where the forces are not?
///
/// Redundant contacts leave open who carries the load. As long as they stick, or slide with the same
/// friction, every distribution gives the same motion. Where they slide with different friction, or in
/// different directions, the load enters the friction and the motion itself is open. With x the solution, Z
/// the unknowns whose rows have rate zero, and B a basis of the null space of D over Z: x + B w solves the
/// contact problem too as long as it keeps to the laws, and the accelerations change by response B w. The
/// directions tried are, for each coordinate, the one in the null space that moves it most, and those of B.
#ifndef SLIP_VERDICT_CONTACT_INDETERMINACY_H
#define SLIP_VERDICT_CONTACT_INDETERMINACY_H

#include "model/model.h"
#include "verdict/contact/uniqueness.h"

typedef struct slip_indeterminacy {
    int dimension;    ///< of the forces that are not determined; -1 when it was not found
    bool motion;      ///< the accelerations are not determined either
    int coordinate;   ///< the one whose acceleration is open by most
    double low, high; ///< its acceleration can be anything in between, at least
    bool two;         ///< not in between, as far as is known: one or the other
} slip_indeterminacy;

/// Looks at an instant with `response` and `a`. `work` has room for slip_indeterminacy_work_size() numbers.
slip_indeterminacy slip_indeterminacy_find(const slip_contact_solution *p, double *work);
size_t slip_indeterminacy_work_size(int most, int coordinates);

/// One sentence on a motion that is open.
void slip_indeterminacy_text(const slip_indeterminacy *o, const slip_model *model, char *text, size_t size);

#endif
