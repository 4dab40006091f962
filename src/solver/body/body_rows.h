/// solver/body/body_rows.h: products with the rows of one contact. Both sizes are constants at the call, 3 rows
/// of 6 velocities in space and 2 of 3 in the plane, so that the loops are unrolled.
#ifndef SLIP_SOLVER_BODY_BODY_ROWS_H
#define SLIP_SOLVER_BODY_BODY_ROWS_H

#include "solver/body/delassus_operator.h"
#include "solver/linalg/fixed_size.h"

// u += H v for one side of a contact.
SLIP_FIXED_SIZE void slip_contact_gather_side(int d, int side, const double *H, const double *v, double *u)
{
    for (int i = 0; i < d; i++) {
        double sum = 0.0;
        for (int k = 0; k < side; k++) sum += H[i * side + k] * v[k];
        u[i] += sum;
    }
}

// u = H v for both sides of a contact; the ground does not move.
SLIP_FIXED_SIZE void slip_contact_gather(const slip_delassus_operator *s, int at, int d, int side,
                                         const double *v, double *u)
{
    const double *H = slip_delassus_operator_rows(s, at);
    for (int i = 0; i < d; i++) u[i] = 0.0;
    for (int which = 0; which < 2; which++) {
        const int body = s->body[2 * at + which];
        if (body != s->bodies)
            slip_contact_gather_side(d, side, H + (long)which * d * side, v + (long)body * side, u);
    }
}

// v += M^-1 H' dr for one side of a contact.
SLIP_FIXED_SIZE void slip_contact_scatter_side(int d, int side, const double *back, const double *dr,
                                               double *v)
{
    for (int k = 0; k < side; k++) {
        double sum = 0.0;
        for (int i = 0; i < d; i++) sum += back[i * side + k] * dr[i];
        v[k] += sum;
    }
}

// The same for both sides. The ground is not written to, since all islands read it.
SLIP_FIXED_SIZE void slip_contact_scatter(const slip_delassus_operator *s, int at, int d, int side,
                                          const double *dr, double *v)
{
    for (int which = 0; which < 2; which++) {
        const int body = s->body[2 * at + which];
        if (body != s->bodies)
            slip_contact_scatter_side(d, side, s->back + (2L * at + which) * d * side, dr,
                                      v + (long)body * side);
    }
}

#endif
