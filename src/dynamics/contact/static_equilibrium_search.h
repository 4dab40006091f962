/// dynamics/contact/static_equilibrium_search.h: the search behind static_equilibrium.h.
#ifndef SLIP_DYNAMICS_CONTACT_STATIC_EQUILIBRIUM_SEARCH_H
#define SLIP_DYNAMICS_CONTACT_STATIC_EQUILIBRIUM_SEARCH_H

#include "dynamics/contact/static_equilibrium.h"
#include "dynamics/system.h"

typedef enum slip_static_search_outcome {
    SLIP_STATIC_FOUND,
    SLIP_STATIC_DIVERGED,      ///< it moved beyond all bounds
    SLIP_STATIC_NOT_CONVERGED, ///< too many steps
    SLIP_STATIC_SINGULAR_MASS
} slip_static_search_outcome;

typedef struct slip_static_search {
    slip_system *system;
    slip_terms terms;
    int n, rows;
    double *q, *u;      ///< n; rates are 0 but those of first-order states
    bool *frozen;       ///< coordinates that are not moved: first-order states, lengths of quaternions
    double *M;          ///< n: mass that each coordinate moves, all others free
    double *K, *L;      ///< n x n: stiffness of the forces of the model, and of those of the rows
    double *B;          ///< n x n: of a step
    double *h, *dq;     ///< n
    double *force, *to; ///< n, scratch
    double *G, *R;      ///< rows x n: rows, and what they move
    double *D, *y;      ///< rows x rows, rows: displacements
    double *lambda;     ///< rows: forces
    double *P, *column, *spare, *kept; ///< scratch of slip_static_refine_forces
    int *list, *pivot;                 ///< the same
    double scale;                      ///< m/s^2, of accelerations that forces would give
    int worst;                         ///< coordinate that moved most in the last step
    void *memory;
} slip_static_search;

slip_status slip_static_search_create(const slip_model *model, slip_error *error,
                                      slip_static_search **search);
void slip_static_search_destroy(slip_static_search *r);

/// From r->q on. The place is in r->q, forces in r->lambda.
slip_static_search_outcome slip_static_search_run(slip_static_search *r);

/// What holds it there, and whether it would come back.
void slip_static_search_classify(slip_static_search *r, slip_static_equilibrium *rest);

// ------------------------------------------------------------------------------- between rest_*.c

/// Largest friction of an element under the present forces.
double slip_static_friction_limit(const slip_static_search *r, int element);

/// Gives a row its force, and all rows what that does to them; how much it did, in the measure of the row.
double slip_static_set_force(slip_static_search *r, int row, double force);

/// Forces of what carries and sticks at present, so that it keeps its place; as they are where that is not
/// lawful.
void slip_static_refine_forces(slip_static_search *r);

/// Forces of all rows such that displacements y = D lambda + y_free obey the contacts. `y` holds y_free and
/// becomes y.
void slip_static_solve_contacts(slip_static_search *r);

#endif
