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
    double *K, *L;      ///< n x n: stiffness of the forces of the model, and of those of the rows
    double *B;          ///< n x n: of a step
    double *h, *dq;     ///< n
    double *force, *to; ///< n, scratch
    double *G, *R;      ///< rows x n: rows, and what they move
    double *D, *y;      ///< rows x rows, rows: displacements
    double *lambda;     ///< rows: forces
    double *P, *column, *spare, *kept; ///< scratch of slip_rest_polish
    int *list, *pivot;                 ///< the same
    double scale;                      ///< m/s^2, of accelerations that forces would give
    int worst;                         ///< coordinate that moved most in the last step
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

/// Gives a row its force, and all rows what that does to them; how much it did, in the measure of the row.
double slip_rest_set_force(slip_rest_search *r, int row, double force);

enum { SLIP_REST_SPARE = 40 }; ///< numbers of scratch per row for LAPACK

/// Forces of what carries and sticks at present, so that it keeps its place; as they are where that is not
/// lawful.
void slip_rest_polish(slip_rest_search *r);

/// Forces of all rows such that displacements y = D lambda + y_free obey the contacts. `y` holds y_free and
/// becomes y.
void slip_rest_contacts(slip_rest_search *r);

#endif
