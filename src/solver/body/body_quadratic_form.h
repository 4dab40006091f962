/// solver/body/body_quadratic_form.h: whether a quadratic form over the contacts of an island is positive.
///
///     K = (L M^-1 H' + H M^-1 L') / 2 + a little,       K_cd = 0 where contacts c and d share no body
/// H are rows of contacts in the velocities of bodies, L others in the same places. K is factored in blocks,
/// one per contact, in the order of ordering.h (Cholesky): it is positive if and only if every pivot is.
#ifndef SLIP_SOLVER_BODY_BODY_QUADRATIC_FORM_H
#define SLIP_SOLVER_BODY_BODY_QUADRATIC_FORM_H

#include "base/arena.h"
#include "solver/linalg/ordering.h"

/// Of an island, by places within it.
typedef struct slip_body_quadratic_form {
    int d, side, bodies, contacts;
    int *body;           // two per contact; -1: what does not move
    double *lean, *back; // per contact and body d x side: L, and H M^-1; rows of a unit diagonal of H M^-1 H'
    bool *idle;          // per row: it is no unknown, and both have zeros
    int *start, *list;   // contacts of each body, twice the number with the side in the last bit
    slip_adjacency graph;
    slip_ordering ordering;
    int *first, *member;   // later neighbours of each position
    double *pivot, *block; // of the factor: d x d per position, and per later neighbour
    void *lists, *factor;  // memory
    size_t lists_size, factor_size;
} slip_body_quadratic_form;

enum {
    SLIP_QUADRATIC_FORM_POSITIVE = -1,
    SLIP_QUADRATIC_FORM_COSTLY = -2,
    SLIP_QUADRATIC_FORM_NO_MEMORY = -3
};

/// Room for an island: body, lean, back and idle are to be filled in. False when out of memory.
bool slip_body_quadratic_form_begin(slip_body_quadratic_form *f, int d, int side, int bodies, int contacts);

/// The pattern of the factor, from `body`. SLIP_QUADRATIC_FORM_POSITIVE: it may be factored; or one of the others.
int slip_body_quadratic_form_analyse(slip_body_quadratic_form *f);

/// Factors K; SLIP_QUADRATIC_FORM_POSITIVE, or the contact at which it is not.
int slip_body_quadratic_form_factor(slip_body_quadratic_form *f);

void slip_body_quadratic_form_end(slip_body_quadratic_form *f);

#endif
