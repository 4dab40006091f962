/// contact.c: one contact problem without any model: a block with two corners on the floor, pushed sideways.
///
///     cc contact.c $(pkg-config --cflags --libs slipstick) -o contact
///
/// Find impulses r and velocities u = W r + q with no penetration, no pull and Coulomb friction; two numbers
/// per contact, normal first. W = G M^-1 G' with m = 2 kg, corners at (-1, -1) and (1, -1) m, J = 4/3 kg m^2.
#define _ISOC11_SOURCE // aligned_alloc
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <stdlib.h>

enum { CONTACTS = 2, SIZE = 2 * CONTACTS };

int main(void)
{
    // rows of G: normal and tangent of each corner in (x', y', th')
    static const double G[SIZE][3] = { { 0, 1, -1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 0, 1 } },
                        inverse[3] = { 0.5, 0.5, 0.75 };
    double W[SIZE * SIZE], q[SIZE], mu[CONTACTS] = { 0.5, 0.5 }, z[SIZE] = { 0 }, w[SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            W[SIZE * i + j] = 0;
            for (int k = 0; k < 3; k++) W[SIZE * i + j] += G[i][k] * inverse[k] * G[j][k];
        }
    // velocity after 10 ms of free motion, sliding to the left at 1 m/s
    const double free_motion[3] = { -1, -9.81e-2, 0 };
    for (int i = 0; i < SIZE; i++) {
        q[i] = 0;
        for (int k = 0; k < 3; k++) q[i] += G[i][k] * free_motion[k];
    }

    slip_problem problem = slip_problem_contacts(2, CONTACTS, W, q, mu);
    slip_error error = { 0 };
    if (slip_problem_check(&problem, &error) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    static const char *const names[] = { "lemke", "nsgs", "newton" };
    for (int s = 0; s < 3; s++) {
        const slip_solver *solver = slip_solver_find(names[s]);
        slip_solve_options options = slip_default_solve_options();
        slip_solve_info info;
        size_t bytes; // measure once, take once
        if (slip_solve_work_size(solver, &problem, &options, &bytes) != SLIP_OK) return 1;
        void *work = aligned_alloc(64, bytes);
        if (!work) return 1;
        for (int k = 0; k < SIZE; k++) z[k] = 0;
        slip_outcome outcome = slip_solve(solver, &problem, &options, z, w, work, &info);
        printf("%-6s %s, residual %s 1e-8: left (%.3f, %.3f), right (%.3f, %.3f) N s\n", names[s],
               slip_outcome_name(outcome), info.residual <= 1e-8 ? "below" : "above", z[0], z[1], z[2], z[3]);
        free(work);
        if (outcome != SLIP_CONVERGED) return 1;
    }
    printf("both slide on at %.4f m/s; friction is mu times the load, against the motion\n", w[1]);
    return 0;
}
