/// rigid/rest_search.h: the search behind rest.h.
#ifndef SLIP_RIGID_REST_SEARCH_H
#define SLIP_RIGID_REST_SEARCH_H

#include "rigid/rest.h"
#include "system/system.h"

typedef enum slip_rest_end {
    SLIP_REST_FOUND,
    SLIP_REST_GONE,      ///< it moved beyond all bounds
    SLIP_REST_NOT_FOUND, ///< too many steps
    SLIP_REST_NO_MASS
} slip_rest_end;

typedef struct slip_rest_search {
    slip_system *system;
    slip_terms terms;
    int n, rows;
    double *q, *u;      ///< n; rates are 0 but those of first-order states
    bool *frozen;       ///< coordinates that are not moved: first-order states, lengths of quaternions
    double *M;          ///< n: mass that each coordinate moves, all others free
    double *K, *B;      ///< n x n
    double *h, *dq;     ///< n
    double *force, *to; ///< n, scratch
    double *G, *R;      ///< rows x n: rows, and what they move
    double *D, *y;      ///< rows x rows, rows: displacements
    double *lambda;     ///< rows: forces
    double scale;       ///< m/s^2, of accelerations that forces would give
    int worst;          ///< coordinate that moved most in the last step
    void *memory;
} slip_rest_search;

slip_status slip_rest_search_create(const slip_model *model, slip_error *error, slip_rest_search **search);
void slip_rest_search_destroy(slip_rest_search *r);

/// From r->q on. The place is in r->q, forces in r->lambda.
slip_rest_end slip_rest_search_run(slip_rest_search *r);

/// What holds it there, and whether it would come back.
void slip_rest_search_judge(slip_rest_search *r, slip_rest *rest);

// ------------------------------------------------------------------------------- between rest_*.c

/// Largest friction of an element under the present forces.
double slip_rest_limit(const slip_rest_search *r, int element);

/// Forces of all rows such that displacements y = D lambda + y_free obey the contacts. `y` holds y_free and
/// becomes y.
void slip_rest_contacts(slip_rest_search *r);

#endif
