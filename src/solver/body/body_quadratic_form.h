/// solver/body/body_quadratic_form.h: tests whether a quadratic form over the contacts of an island is positive definite.
///
///     K = (L M^-1 H' + H M^-1 L') / 2 + a small shift,       K_cd = 0 where contacts c and d share no body
/// H are the rows of the contacts in the velocities of the bodies, L other rows with the same pattern. K is
/// factored by Cholesky's method in blocks, one per contact, in the order of ordering.h: it is positive
/// definite if and only if every pivot is.
#ifndef SLIP_SOLVER_BODY_BODY_QUADRATIC_FORM_H
#define SLIP_SOLVER_BODY_BODY_QUADRATIC_FORM_H

#include "base/arena.h"
#include "solver/linalg/ordering.h"

/// The form of one island; contacts and bodies are numbered within it.
typedef struct slip_body_quadratic_form {
    int d, side, bodies, contacts;
    int *body;           // two per contact; -1: the ground
    double *lean, *back; // per contact and body d x side: L, and H M^-1, scaled so that the diagonal of H
                         // M^-1 H' is 1
    bool *idle;          // per row: not an unknown, and zero in both
    int *start, *list;   // contacts of each body, as 2 contact + side
    slip_adjacency graph;
    slip_ordering ordering;
    int *first, *member;   // later neighbours of each position
    double *pivot, *block; // of the factor: d x d per position, and per later neighbour
    void *lists, *factor;  // the memory of both
    size_t lists_size, factor_size;
} slip_body_quadratic_form;

enum {
    SLIP_QUADRATIC_FORM_POSITIVE = -1,
    SLIP_QUADRATIC_FORM_COSTLY = -2,
    SLIP_QUADRATIC_FORM_NO_MEMORY = -3
};

/// Takes memory for an island; body, lean, back and idle are to be filled in by the caller. False when out of
/// memory.
bool slip_body_quadratic_form_begin(slip_body_quadratic_form *f, int d, int side, int bodies, int contacts);

/// Finds the pattern of the factor from `body`. SLIP_QUADRATIC_FORM_POSITIVE means that it may be factored;
/// the other values say why not.
int slip_body_quadratic_form_analyse(slip_body_quadratic_form *f);

/// Factors K; returns SLIP_QUADRATIC_FORM_POSITIVE, or the contact whose pivot is not positive.
int slip_body_quadratic_form_factor(slip_body_quadratic_form *f);

void slip_body_quadratic_form_end(slip_body_quadratic_form *f);

#endif
