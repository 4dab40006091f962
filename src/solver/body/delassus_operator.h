/// solver/body/delassus_operator.h: the problem of bodies.h made ready: sorted by island, each contact with all it needs
/// side by side.
#ifndef SLIP_SOLVER_BODY_DELASSUS_OPERATOR_H
#define SLIP_SOLVER_BODY_DELASSUS_OPERATOR_H

#include "base/arena.h"
#include "solver/body/body_solver.h"

/// Contacts and bodies have new places here, those of an island next to one another. The ground is one more
/// body at the end, with zero rows: no step asks for it.
typedef struct slip_delassus_operator {
    int d, side, bodies, contacts, islands;
    int *contact, *where;            // old number of the contact, of the body at a place
    int *place;                      // new place of a body
    int *first_contact, *first_body; // of each island; islands + 1
    int *body;                       // two places per contact
    int *touch;                      // contacts of each body in ascending order: 2 contact + side, places
    int *first_touch, *end_touch;    // where those of a body are
    const double *rows;              // the caller's: per contact, by its old number, both blocks of H
    double *back;                    // M^-1 H', transposed: d x side each
    double *block, *mean;            // diagonal block of W, and the mean of its diagonal
    double *q, *shift, *mu;          // q = H v_free + shift
    double *r, *u;                   // the answer, sorted
    double *free, *v;                // velocities, with those of the ground
    double *scratch;                 // as many, for products
    int *parent;                     // scratch
    int *turn;                       // islands in the order they are solved in
    int *behind;                     // per contact: how far behind the one it follows; NULL: none follows
    double *share, *weight;          // of those that follow, as in bodies.h
    double *idle;                    // the weight of a row that they do not have; 0: they have it
} slip_delassus_operator;

/// Contacts of a group: one, and those that follow it.
enum { SLIP_CONTACT_GROUP_MAX = 3 };

/// One island of it: places of contacts and bodies from the first on.
typedef struct slip_island {
    slip_delassus_operator *all;
    int first, contacts, first_body, bodies;
    slip_thread_pool *thread_pool; // threads that share its loops; NULL: none
} slip_island;

void slip_delassus_operator_layout(slip_arena *a, slip_delassus_operator *s, int d, int side, int bodies,
                                   int contacts);

/// For contacts that follow others, behind the above.
void slip_delassus_layout_groups(slip_arena *a, slip_delassus_operator *s, int contacts);

/// Finds the islands, and the places of contacts and bodies.
void slip_delassus_operator_sort(slip_delassus_operator *s, const slip_body_problem *b);

/// Fills in an island, or all; r in the order of the caller. Islands do not touch what others have.
void slip_delassus_operator_fill(const slip_island *island, const slip_body_problem *b, const double *r);

/// H of the contact at a place: d x side of its first body, then of its second; that of the ground is not to
/// be looked at.
static inline const double *slip_delassus_operator_rows(const slip_delassus_operator *s, int at)
{
    return s->rows + 2L * s->contact[at] * s->d * s->side;
}

/// How many contacts the group has that begins at a place.
static inline int slip_contact_group_size(const slip_delassus_operator *s, int at)
{
    int count = 1;
    while (at + count < s->contacts && s->behind[at + count] == count) count++;
    return count;
}

/// u += L r of the contact at a place: r and u are those of the contact, within all of its group's.
void slip_delassus_operator_add_coupling(const slip_delassus_operator *s, int at, const double *r, double *u);

slip_island slip_delassus_operator_island(slip_delassus_operator *s, int number);
slip_island slip_delassus_operator_whole(slip_delassus_operator *s);

/// The order in which islands are solved, into s->turn: that with most contacts first. Widens `largest` to
/// the largest of all, and of those behind the first.
void slip_delassus_operator_order(slip_delassus_operator *s, slip_island_size largest[2]);

/// A loop over the contacts of an island, in parts that its threads share: task(context, first, end). No
/// contact may read what another one writes.
typedef void slip_contact_range_task(void *context, int first, int end);
void slip_island_parallel_for(const slip_island *island, slip_contact_range_task *task, void *context);

/// The island as a contact problem known by its products, for the judge and for other solvers. `island` is
/// borrowed.
slip_problem slip_island_problem(slip_island *island);

/// Its rows of r and u.
double *slip_island_r(const slip_island *island);
double *slip_island_u(const slip_island *island);

/// v = v_free + M^-1 H' r over the bodies of the island.
void slip_island_velocities(const slip_island *island, const double *r);

/// v = M^-1 H' r and u = H v; here v is of the bodies of the island, with room for one more behind.
void slip_island_scatter(const slip_island *island, const double *r, double *v);
void slip_island_gather(const slip_island *island, const double *v, double *u);

#endif
