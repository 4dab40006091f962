/// pile.c: cost per iteration on a generated pile, 10^2 to 10^5 contacts.
///
///     bench_solver_pile [MOST]
/// Unit spheres on a cubic lattice, each touching its neighbours and the floor, one step under gravity
/// with a random shove. The operator is used in both storages: assembled blocks, and G with M^-1. What is
/// shown is the time of one iteration over the nonzeros it touches: linear cost is a constant column.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "slipstick/solver.h"

typedef struct pile {
    int bodies, contacts;
    int *start, *column, *body_start;
    double *values, *inverse, *scratch, *q, *mu;
    slip_matrix G;
} pile;

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

// rows of one contact for one sphere: normal n, tangents t1 t2, lever -+n times the radius
static void add_rows(pile *p, int row[3], int body, const double frame[3][3], double sign)
{
    for (int i = 0; i < 3; i++) {
        const double *e = frame[i], *n = frame[0];
        const double turn[3] = { n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2],
                                 n[0] * e[1] - n[1] * e[0] };
        for (int k = 0; k < 6; k++) {
            const double g = k < 3 ? sign * e[k] : -turn[k - 3]; // the lever is -sign n, the force sign e
            p->column[row[i]] = 6 * body + k;
            p->values[row[i]++] = g;
        }
    }
}

static void add_contact(pile *p, int a, int b, int axis)
{
    double frame[3][3] = { { 0 } };
    for (int i = 0; i < 3; i++) frame[i][(axis + i) % 3] = 1.0;
    int row[3], width = b >= 0 ? 12 : 6, at = p->start[3 * p->contacts];
    for (int i = 0; i < 3; i++) {
        row[i] = at + i * width;
        p->start[3 * p->contacts + i + 1] = at + (i + 1) * width;
    }
    // the lower body first, so that columns ascend; b pushes up on a, a down on b
    if (b >= 0) add_rows(p, row, b, (const double(*)[3])frame, -1.0);
    add_rows(p, row, a, (const double(*)[3])frame, 1.0);
    p->mu[p->contacts++] = 0.4;
}

static void fill_free_velocity(pile *p)
{
    uint64_t seed = 1;
    double *v = malloc(sizeof(double) * 6 * (size_t)p->bodies);
    for (int i = 0; i < 6 * p->bodies; i++) v[i] = 0.02 * (draw(&seed) - 0.5) - (i % 6 == 2 ? 0.01 : 0.0);
    for (int i = 0; i < 3 * p->contacts; i++) {
        p->q[i] = 0.0;
        for (int k = p->start[i]; k < p->start[i + 1]; k++) p->q[i] += p->values[k] * v[p->column[k]];
    }
    free(v);
}

static pile make_pile(int side, int height)
{
    pile p = { .bodies = side * side * height };
    const size_t most = 3 * (size_t)p.bodies;
    p.start = calloc(3 * most + 1, sizeof(int));
    p.column = calloc(36 * most, sizeof(int));
    p.values = calloc(36 * most, sizeof(double));
    p.body_start = calloc((size_t)p.bodies + 1, sizeof(int));
    p.inverse = calloc(36 * (size_t)p.bodies, sizeof(double));
    p.scratch = calloc(12 * (size_t)p.bodies, sizeof(double));
    p.q = calloc(3 * most, sizeof(double));
    p.mu = calloc(most, sizeof(double));
    for (int z = 0; z < height; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const int a = (z * side + y) * side + x;
                add_contact(&p, a, z > 0 ? a - side * side : -1, 2);
                if (y > 0) add_contact(&p, a, a - side, 1);
                if (x > 0) add_contact(&p, a, a - 1, 0);
                p.body_start[a + 1] = 6 * (a + 1);
                for (int k = 0; k < 6; k++) p.inverse[36 * a + 7 * k] = k < 3 ? 1.0 : 2.5; // solid sphere
            }
    fill_free_velocity(&p);
    p.G = slip_matrix_sparse(3 * p.contacts, 6 * p.bodies, 1, p.start, p.column, p.values);
    return p;
}

// the contact problem with its operator never formed
static slip_problem problem_of(pile *p)
{
    const int n = 3 * p->contacts;
    return (slip_problem){ .kind = SLIP_KIND_FC3D,
                           .size = n,
                           .contacts = p->contacts,
                           .W = { .form = SLIP_DELASSUS,
                                  .rows = n,
                                  .cols = n,
                                  .G = &p->G,
                                  .body_count = p->bodies,
                                  .body_start = p->body_start,
                                  .body_inverse = p->inverse,
                                  .scratch = p->scratch },
                           .q = p->q,
                           .mu = p->mu,
                           .name = "pile" };
}

static void free_pile(pile *p)
{
    void *all[] = { p->start, p->column, p->values, p->body_start, p->inverse, p->scratch, p->q, p->mu };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

// time per iteration over the nonzeros, and what was reached after `iterations`
static void measure(const char *name, const slip_problem *p, long nonzeros, const char *storage,
                    int iterations)
{
    const slip_solver *solver = slip_solver_find(name);
    slip_solve_options o = slip_default_solve_options();
    slip_solve_info info;
    o.max_iterations = iterations;
    size_t bytes = 0;
    slip_solve_work_size(solver, p, &o, &bytes);
    double *z = calloc((size_t)p->size, sizeof *z), *w = calloc((size_t)p->size, sizeof *w);
    void *work = aligned_alloc(64, bytes);
    const double start = wall_time();
    slip_solve(solver, p, &o, z, w, work, &info);
    const double each = (wall_time() - start) / (info.iterations > 0 ? info.iterations : 1);
    printf("%9d %-6s %-9s %11ld %12.3e s %9.2f ns  %.1e\n", p->contacts, name, storage, nonzeros, each,
           1e9 * each / (double)nonzeros, info.residual);
    fflush(stdout);
    free(z);
    free(w);
    free(work);
}

int main(int argc, char **argv)
{
    const double most = argc > 1 ? atof(argv[1]) : 1e5;
    static const int sides[][2] = { { 4, 3 }, { 9, 5 }, { 20, 9 }, { 30, 13 }, { 44, 18 } };
    printf("%9s %-6s %-9s %11s %14s %12s  %s\n", "contacts", "solver", "storage", "nonzeros", "per iteration",
           "per nonzero", "residual after 50");
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        pile p = make_pile(sides[k][0], sides[k][1]);
        const slip_problem free_form = problem_of(&p);
        slip_problem *stored;
        slip_error error = { 0 };
        if (p.contacts <= most * 1.1) {
            if (slip_problem_condense(&free_form, &error, &stored) != SLIP_OK) {
                fprintf(stderr, "%s: %s\n", error.where, error.text);
                return 1;
            }
            const long blocks = 9L * stored->W.row_start[stored->contacts], rows = p.start[3 * p.contacts];
            static const char *const solvers[] = { "nsgs", "pgs", "ala" };
            for (int s = 0; s < 3; s++) {
                measure(solvers[s], stored, blocks, "blocks", 50);
                measure(solvers[s], &free_form, rows, "G, M^-1", 50);
            }
            slip_problem_destroy(stored);
        }
        free_pile(&p);
    }
    return 0;
}
