/// solver/body/delassus_operator.h: the Delassus operator of a body problem (body_solver.h): contacts and bodies
/// sorted by island, each contact with its data side by side.
#ifndef SLIP_SOLVER_BODY_DELASSUS_OPERATOR_H
#define SLIP_SOLVER_BODY_DELASSUS_OPERATOR_H

#include "base/arena.h"
#include "solver/body/body_solver.h"

/// Contacts and bodies are renumbered so that those of an island are contiguous. The ground is one more body
/// at the end with zero rows, so that no loop has to ask for it.
typedef struct slip_delassus_operator {
    int d, side, bodies, contacts, islands;
    int *contact, *where;            // original number of the contact or body at a place
    int *place;                      // place of a body
    int *first_contact, *first_body; // of each island; islands + 1 entries
    int *body;                       // two per contact, as places
    int *touch;                      // contacts of each body in ascending order, as 2 place + side
    int *first_touch, *end_touch;    // range of the contacts of a body
    const double *rows;              // the caller's: both blocks of H per contact, by its original number
    double *back;                    // M^-1 H', transposed: d x side each
    double *block, *mean;            // diagonal block of W, and the mean of its diagonal
    double *q, *shift, *mu;          // q = H v_free + shift
    double *r, *u;                   // the solution, sorted
    double *free, *v;                // velocities, including those of the ground
    double *scratch;                 // of the same size, for products
    int *parent;                     // scratch
    int *turn;                       // the order in which islands are solved
    int *behind;                     // per contact: distance to the one it depends on; NULL: all are
                                     // independent
    double *share, *weight;          // of dependent contacts, as in body_solver.h
    double *idle;                    // weight of an absent row of theirs; 0: the row is present
} slip_delassus_operator;

/// Most contacts of a group: an independent one, and those that depend on it.
enum { SLIP_CONTACT_GROUP_MAX = 3 };

/// One island: its contacts and bodies are contiguous.
typedef struct slip_island {
    slip_delassus_operator *all;
    int first, contacts, first_body, bodies;
    slip_thread_pool *thread_pool; // threads that share its loops; NULL: none
} slip_island;

void slip_delassus_operator_layout(slip_arena *a, slip_delassus_operator *s, int d, int side, int bodies,
                                   int contacts);

/// The additional memory for dependent contacts.
void slip_delassus_layout_groups(slip_arena *a, slip_delassus_operator *s, int contacts);

/// Finds the islands, and renumbers contacts and bodies.
void slip_delassus_operator_sort(slip_delassus_operator *s, const slip_body_problem *b);

/// Fills in one island, or all of them; r is in the order of the caller. Islands write to disjoint memory.
void slip_delassus_operator_fill(const slip_island *island, const slip_body_problem *b, const double *r);

/// H of the contact at a place: d x side of its first body, then of its second; the block of the ground must
/// not be read.
static inline const double *slip_delassus_operator_rows(const slip_delassus_operator *s, int at)
{
    return s->rows + 2L * s->contact[at] * s->d * s->side;
}

/// Number of contacts of the group that begins at a place.
static inline int slip_contact_group_size(const slip_delassus_operator *s, int at)
{
    int count = 1;
    while (at + count < s->contacts && s->behind[at + count] == count) count++;
    return count;
}

/// u += L r for the contact at a place. r and u point at the contact, within the arrays of its group.
void slip_delassus_operator_add_coupling(const slip_delassus_operator *s, int at, const double *r, double *u);

slip_island slip_delassus_operator_island(slip_delassus_operator *s, int number);
slip_island slip_delassus_operator_whole(slip_delassus_operator *s);

/// Finds the order in which islands are solved, into s->turn: the one with most contacts first. Raises
/// `largest` to the sizes of the largest island, and of the largest one after the first.
void slip_delassus_operator_order(slip_delassus_operator *s, slip_island_size largest[2]);

/// A loop over the contacts of an island, in ranges that its threads share: task(context, first, end). No
/// contact may read data that another one writes.
typedef void slip_contact_range_task(void *context, int first, int end);
void slip_island_parallel_for(const slip_island *island, slip_contact_range_task *task, void *context);

/// The island as a contact problem given by its products, for the residual and for other solvers. `island` is
/// borrowed.
slip_problem slip_island_problem(slip_island *island);

/// The rows of the island in r and u.
double *slip_island_r(const slip_island *island);
double *slip_island_u(const slip_island *island);

/// v = v_free + M^-1 H' r over the bodies of the island.
void slip_island_velocities(const slip_island *island, const double *r);

/// v = M^-1 H' r and u = H v, where v are the bodies of the island and has room for one more.
void slip_island_scatter(const slip_island *island, const double *r, double *v);
void slip_island_gather(const slip_island *island, const double *v, double *u);

#endif
