/// campaign.c: random problems by the million, and no solver may claim what is not so.
///
///     solver_campaign [COUNT [SEED [KIND]]]
/// draws problems with integer data (LCP, MLCP, RELAY, FC2D, FC3D, QP; singular, without a solution, with
/// several; mu = 0 among others), puts them into other units by powers of two, which rounds nothing, and
/// solves them with every solver that takes them. exact.c knows all their solutions. A claim is false when
///     converged     there is no solution, the answer is near none, or the law does not hold in long double
///     infeasible    there is a solution
///     unique, not unique, the number of solutions of `enum`    it is another
/// Every false claim is printed with its problem as an NSP file, and the exit code is 1.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exact.h"
#include "slipstick/solver.h"

enum { MOST = 12, SOLVERS = 16 };

// ---- drawing -------------------------------------------------------------------------------------------

static uint64_t seed;

static uint64_t draw_bits(void) // splitmix64
{
    uint64_t x = (seed += 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}
static int draw(int low, int high)
{
    return low + (int)(draw_bits() % (uint64_t)(high - low + 1));
}
static bool chance(int percent)
{
    return draw(1, 100) <= percent;
}

/// A problem with integer data in units of its own: M_ij 2^(row_i + col_j), q_i 2^row_i, z_j 2^-col_j.
typedef struct trial {
    slip_kind kind;
    int size, block, equalities, variables;
    long long M[MOST][MOST], q[MOST], low[MOST], high[MOST];
    bool has_low[MOST], has_high[MOST];
    long long quarters[MOST]; // 4 mu of each contact
    int row[MOST], col[MOST];

    slip_problem p;
    double W[MOST * MOST], c[MOST], mu[MOST], lower[MOST], upper[MOST], A[MOST * MOST], b[MOST];
} trial;

// integer matrices of several kinds, some of them singular
static void draw_matrix(trial *t, int n)
{
    const int type = draw(0, 6), most = chance(20) ? 9 : 3;
    int G[MOST][MOST];
    const int rank = draw(1, n + 1 < MOST ? n + 1 : MOST);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rank; k++) G[i][k] = chance(30) ? 0 : draw(-2, 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long long m = draw(-most, most);
            if (type == 1 && chance(50)) m = 0; // sparse
            if (type == 2 && j < i) m = t->M[j][i];
            if (type >= 3) { // of a Gram matrix, also with a skew part
                m = 0;
                for (int k = 0; k < rank; k++) m += (long long)G[i][k] * G[j][k];
                if (type == 4 && i != j) m = j < i ? -(t->M[j][i] - 2 * m) : m + draw(-most, most);
            }
            t->M[i][j] = m;
        }
    for (int i = 0; i < n; i++) t->q[i] = chance(25) ? 0 : draw(-most, most);
    if (chance(15) && n > 1) { // a row twice
        const int a = draw(0, n - 1), b = draw(0, n - 1);
        for (int j = 0; j < n; j++) t->M[a][j] = t->M[b][j];
    }
}

// Units that the data show: each unknown has its own where it has a diagonal entry to tell it by.
static void draw_units(trial *t)
{
    const int way = draw(0, 7), of_force = draw(-40, 40), of_velocity = draw(-40, 40);
    int far = 20;
    for (int i = 0; i < t->size; i++)
        if (t->M[i][i] == 0) far = 2;
    for (int i = 0; i < t->size; i++) {
        t->row[i] = t->col[i] = 0;
        if (way == 1) t->row[i] = of_velocity, t->col[i] = of_force;
        if (way >= 2 && way <= 3 && t->block == 1) t->row[i] = t->col[i] = draw(-far, far);
        if (way == 4 && t->block == 1) t->row[i] = draw(-3, 3), t->col[i] = draw(-3, 3);
        if (way == 2 && t->block > 1) t->row[i] = t->col[i] = i % t->block ? t->row[i - 1] : draw(-2, 2);
    }
    if (t->kind == SLIP_KIND_QP) // one unit for an unknown and its row, since Q is symmetric
        for (int i = 0; i < t->size; i++) t->col[i] = t->row[i];
}

static void draw_boxes(trial *t, int n)
{
    t->size = n;
    t->block = 1;
    draw_matrix(t, n);
    t->equalities = t->kind == SLIP_KIND_MLCP ? draw(0, n) : 0;
    for (int i = 0; i < n; i++) {
        t->has_low[i] = i >= t->equalities;
        t->low[i] = 0;
        t->has_high[i] = false;
        if (t->kind != SLIP_KIND_RELAY) continue;
        t->has_low[i] = chance(80);
        t->has_high[i] = chance(80);
        t->low[i] = draw(-3, 1);
        t->high[i] = t->low[i] + draw(0, 3);
    }
}

static void draw_contacts(trial *t, int contacts)
{
    static const int values[] = { 0, 0, 1, 2, 4, 8 };
    t->block = t->kind == SLIP_KIND_FC2D ? 2 : 3;
    t->size = t->block * contacts;
    draw_matrix(t, t->size);
    const bool smooth = t->kind == SLIP_KIND_FC3D && chance(50);
    for (int a = 0; a < contacts; a++) t->quarters[a] = smooth ? 0 : values[draw(0, 5)];
}

// the matrix of the optimality conditions, [Q -A'; A 0]
static void draw_program(trial *t, int n, int m)
{
    t->size = n + m;
    t->block = 1;
    t->variables = n;
    t->equalities = draw(0, m);
    memset(t->M, 0, sizeof t->M);
    const int rank = draw(0, n);
    int G[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rank; k++) G[i][k] = draw(-2, 2);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int k = 0; k < rank; k++) t->M[i][j] += (long long)G[i][k] * G[j][k];
        t->q[i] = chance(40) ? 0 : draw(-3, 3);
        t->has_low[i] = chance(60);
        t->has_high[i] = chance(20);
        t->low[i] = draw(-2, 0);
        t->high[i] = t->low[i] + draw(0, 3);
    }
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) {
            t->M[n + k][i] = draw(-2, 2);
            t->M[i][n + k] = -t->M[n + k][i];
        }
        t->q[n + k] = -draw(-3, 3);
        t->has_low[n + k] = k >= t->equalities;
        t->low[n + k] = 0;
        t->has_high[n + k] = false;
    }
}

static void draw_trial(trial *t, slip_kind kind)
{
    memset(t, 0, sizeof *t);
    t->kind = kind;
    if (kind == SLIP_KIND_QP)
        draw_program(t, draw(1, 3), draw(0, 3));
    else if (kind == SLIP_KIND_FC2D)
        draw_contacts(t, draw(1, chance(20) ? 3 : 2));
    else if (kind == SLIP_KIND_FC3D)
        draw_contacts(t, draw(1, 3));
    else
        draw_boxes(t, draw(1, kind == SLIP_KIND_LCP ? 5 : 4));
    draw_units(t);
}

// ---- in floating point, in their units -----------------------------------------------------------------

static double bound(const trial *t, int i, bool has, long long value, double none)
{
    return has ? ldexp((double)value, -t->col[i]) : none;
}

static void fill_program(trial *t)
{
    const int n = t->variables, m = t->size - n;
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++)
            t->A[k * n + i] = ldexp((double)t->M[n + k][i], t->row[n + k] + t->col[i]);
        t->b[k] = ldexp((double)-t->q[n + k], t->row[n + k]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) t->W[i * n + j] = ldexp((double)t->M[i][j], t->row[i] + t->col[j]);
    t->p = slip_problem_qp(n, t->W, t->c, m, t->A, t->b, t->lower);
    t->p.upper = t->upper;
}

static void fill_trial(trial *t)
{
    const int n = t->size;
    for (int i = 0; i < n; i++) {
        t->c[i] = ldexp((double)t->q[i], t->row[i]);
        t->lower[i] = bound(t, i, t->has_low[i], t->low[i], -INFINITY);
        t->upper[i] = bound(t, i, t->has_high[i], t->high[i], INFINITY);
        t->mu[i] = 0.25 * (double)t->quarters[i];
        for (int j = 0; j < n; j++) t->W[i * n + j] = ldexp((double)t->M[i][j], t->row[i] + t->col[j]);
    }
    if (t->kind == SLIP_KIND_QP) {
        fill_program(t);
    } else {
        t->p = (slip_problem){ .kind = t->kind,
                               .size = n,
                               .contacts = t->block > 1 ? n / t->block : 0,
                               .W = slip_matrix_dense(n, n, t->W),
                               .q = t->c,
                               .mu = t->mu };
        if (t->kind == SLIP_KIND_RELAY) t->p.lower = t->lower, t->p.upper = t->upper;
    }
    t->p.equalities = t->kind == SLIP_KIND_MLCP || t->kind == SLIP_KIND_QP ? t->equalities : 0;
}

// ---- the judges ----------------------------------------------------------------------------------------

// false when exact.c does not take it: friction in space
static bool solve_exactly(const trial *t, exact_answer *a)
{
    exact_problem e = { .size = t->size };
    const int step = t->kind == SLIP_KIND_FC3D ? 3 : 1;
    for (int k = 0; step == 3 && k < t->size / 3; k++)
        if (t->quarters[k]) return false;
    if (step == 3) e.size = t->size / 3; // without friction the normals are an LCP
    for (int i = 0; i < e.size; i++) {
        for (int j = 0; j < e.size; j++) e.M[i][j] = t->M[step * i][step * j];
        e.q[i] = t->q[step * i];
        e.has_low[i] = t->has_low[i] || step == 3;
        e.has_high[i] = t->has_high[i];
        e.low[i] = t->low[i];
        e.high[i] = t->high[i];
        e.law[i] = t->kind == SLIP_KIND_FC2D && i % 2 == 0 ? EXACT_CONTACT : EXACT_BOX;
        if (t->kind == SLIP_KIND_FC2D && i % 2 == 0) e.quarters[i] = t->quarters[i / 2];
    }
    *a = exact_solve(&e);
    return a->judged;
}

static long double larger(long double a, long double b)
{
    return a > b ? a : b;
}

// by how much r and u break Coulomb's law; forces weighed with the largest entry of the row
static long double contact_violation(const trial *t, int a, const long double *z, const long double *w,
                                     long double weight)
{
    const int d = t->block;
    const long double *r = z + a * d, *u = w + a * d, mu = 0.25L * (long double)t->quarters[a];
    long double rt = 0, ut = 0, along = 0;
    for (int i = 1; i < d; i++) rt += r[i] * r[i], ut += u[i] * u[i], along += r[i] * u[i];
    rt = sqrtl(rt), ut = sqrtl(ut);
    long double off = larger(-u[0], -r[0] * weight);
    off = larger(off, fminl(fabsl(u[0]), fabsl(r[0] * weight)));
    off = larger(off, (rt - mu * r[0]) * weight);
    off = larger(off, fminl(ut, fabsl(mu * r[0] - rt) * weight));       // slips at the limit only
    if (rt > 0) off = larger(off, fminl(ut + along / rt, rt * weight)); // and against the slip
    return off;
}

// the law in long double, in the units of the integers
static long double violation(const trial *t, const double *answer)
{
    long double z[MOST], w[MOST], scale = 0, terms = 0, off = 0;
    for (int i = 0; i < t->size; i++) {
        z[i] = ldexpl((long double)answer[i], t->col[i]);
        scale = larger(scale, fabsl((long double)t->q[i]));
    }
    for (int i = 0; i < t->size; i++) {
        long double size = 0;
        w[i] = (long double)t->q[i];
        for (int j = 0; j < t->size; j++) {
            w[i] += (long double)t->M[i][j] * z[j];
            size += fabsl((long double)t->M[i][j] * z[j]);
        }
        terms = larger(terms, size);
        if (t->has_low[i]) scale = larger(scale, fabsl((long double)t->low[i]));
        if (t->has_high[i]) scale = larger(scale, fabsl((long double)t->high[i]));
    }
    if (scale == 0) scale = terms > 0 ? terms : 1;
    for (int i = 0; i < t->size; i++) {
        long double weight = 0;
        for (int j = 0; j < t->size; j++) weight = larger(weight, fabsl((long double)t->M[i][j]));
        if (weight == 0) weight = 1;
        if (t->block > 1) {
            if (i % t->block == 0) off = larger(off, contact_violation(t, i / t->block, z, w, weight));
            continue;
        }
        const long double down = t->has_low[i] ? (z[i] - (long double)t->low[i]) * weight : INFINITY,
                          up = t->has_high[i] ? (z[i] - (long double)t->high[i]) * weight : -INFINITY;
        off = larger(off, fabsl(w[i] < up ? up : w[i] > down ? down : w[i]));
    }
    return (off - 1e-18L * terms) / scale; // less the rounding of long double
}

// relative distance from the answer to the nearest exact solution
static double distance(const trial *t, const exact_answer *a, const double *answer)
{
    const int step = t->kind == SLIP_KIND_FC3D ? 3 : 1;
    const int size = t->kind == SLIP_KIND_QP ? t->variables : t->size; // multipliers may vary
    double nearest = INFINITY;
    for (int k = 0; k < a->points; k++) {
        double apart = 0.0, largest = 1.0;
        for (int i = 0; i < size; i++) {
            const double exact = i % step ? 0.0 : a->z[k][i / step];
            apart = fmax(apart, fabs(ldexp(answer[i], t->col[i]) - exact));
            largest = fmax(largest, fabs(exact));
        }
        nearest = fmin(nearest, apart / largest);
    }
    return nearest;
}

// ---- counting ------------------------------------------------------------------------------------------

typedef struct tally {
    long problems, judged, solvable, several, continua, none;
    long converged[SOLVERS], infeasible[SOLVERS], missed[SOLVERS];
    long outdone; // auto gave up, another solver did not
} tally;

static long false_claims;

static void print_problem(const trial *t)
{
    const int n = t->p.W.rows;
    printf("NSP 1\nname campaign\nkind %s\nsize %d\n", slip_kind_name(t->kind), t->size);
    if (t->p.contacts) printf("contacts %d\n", t->p.contacts);
    if (t->kind == SLIP_KIND_MLCP) printf("equalities %d\n", t->p.equalities);
    int count = 0;
    for (int i = 0; i < n * n; i++) count += t->W[i] != 0.0;
    printf("matrix %s %d %d %d\n", t->p.contacts ? "W" : "M", n, n, count);
    for (int i = 0; i < n * n; i++)
        if (t->W[i] != 0.0) printf("%d %d %.17g\n", i / n, i % n, t->W[i]);
    printf("vector q %d\n", n);
    for (int i = 0; i < n; i++) printf("%.17g\n", t->c[i]);
    if (t->p.contacts) printf("vector mu %d\n", t->p.contacts);
    for (int i = 0; i < t->p.contacts; i++) printf("%.17g\n", t->mu[i]);
    for (int side = 0; t->kind == SLIP_KIND_RELAY && side < 2; side++) {
        printf("vector %s %d\n", side ? "ub" : "lb", n);
        for (int i = 0; i < n; i++) printf("%.17g\n", side ? t->upper[i] : t->lower[i]);
    }
    if (t->kind == SLIP_KIND_QP) {
        printf("# equalities %d; A, b, lower, upper\n", t->p.equalities);
        for (int k = 0; k < t->size - n; k++) {
            printf("#");
            for (int i = 0; i < n; i++) printf(" %.17g", t->A[k * n + i]);
            printf(" >= %.17g\n", t->b[k]);
        }
        for (int i = 0; i < n; i++) printf("# %.17g .. %.17g\n", t->lower[i], t->upper[i]);
    }
    printf("end\n");
}

static void accuse(const trial *t, const char *solver, const char *claim, const exact_answer *a,
                   double number, const double *z)
{
    false_claims++;
    printf("\nFALSE: %s says %s (%g); exactly %d points%s\nz =", solver, claim, number, a ? a->points : -1,
           a && a->continuum ? " and a continuum" : "");
    for (int i = 0; i < t->size; i++) printf(" %.17g", z[i]);
    printf("\n");
    print_problem(t);
    fflush(stdout);
}

static void check_count(const trial *t, const char *name, const slip_solve_info *info, const exact_answer *a,
                        const double *z)
{
    const bool one = a->points == 1 && !a->continuum;
    if (info->uniqueness == SLIP_UNIQUE && !one) accuse(t, name, "unique", a, 0.0, z);
    if (info->uniqueness == SLIP_NOT_UNIQUE && one) accuse(t, name, "not unique", a, 0.0, z);
    if (info->solutions >= 0 && !a->continuum && info->solutions != a->points)
        accuse(t, name, "number of solutions", a, info->solutions, z);
}

static slip_outcome try_solver(const trial *t, int s, const exact_answer *a, tally *sum)
{
    const slip_solver *solver = slip_solver_get(s);
    slip_solve_options o = slip_default_solve_options();
    slip_solve_info info;
    double z[MOST] = { 0 }, w[MOST];
    size_t bytes;
    if (slip_solve_work_size(solver, &t->p, &o, &bytes) != SLIP_OK) return SLIP_UNSUITED;
    if (solver != slip_solver_find("auto")) o.max_iterations = 300;
    void *work = slip_arena_memory(bytes);
    const slip_outcome outcome = slip_solve(solver, &t->p, &o, z, w, work, &info);
    free(work);
    const bool solvable = a && (a->points > 0 || a->continuum);
    sum->converged[s] += outcome == SLIP_CONVERGED;
    sum->infeasible[s] += outcome == SLIP_INFEASIBLE;
    sum->missed[s] += solvable && outcome != SLIP_CONVERGED;
    if (outcome == SLIP_CONVERGED) {
        const double off = (double)violation(t, z);
        if (a && !solvable)
            accuse(t, solver->name, "converged, and there is no solution", a, info.residual, z);
        if (off > 1e-5) accuse(t, solver->name, "converged, and the law is broken by", a, off, z);
        if (a && !a->continuum && a->points > 0 && distance(t, a, z) > 1e-2)
            accuse(t, solver->name, "converged, and is far from every solution", a, distance(t, a, z), z);
    }
    if (outcome == SLIP_INFEASIBLE && solvable) accuse(t, solver->name, "infeasible", a, 0.0, z);
    if (a && t->kind != SLIP_KIND_QP) check_count(t, solver->name, &info, a, z);
    return outcome;
}

static void run_trial(slip_kind kind, tally *sum)
{
    static trial t;
    exact_answer a;
    draw_trial(&t, kind);
    fill_trial(&t);
    const bool judged = solve_exactly(&t, &a);
    sum->problems++;
    sum->judged += judged;
    sum->solvable += judged && (a.points > 0 || a.continuum);
    sum->several += judged && a.points > 1;
    sum->continua += judged && a.continuum;
    sum->none += judged && a.points == 0 && !a.continuum;
    bool by_auto = false, by_another = false;
    for (int s = 0; s < slip_solver_count(); s++) {
        const slip_solver *solver = slip_solver_get(s);
        if (!slip_solver_accepts(solver, &t.p)) continue;
        const bool solved = try_solver(&t, s, judged ? &a : NULL, sum) == SLIP_CONVERGED;
        if (solver == slip_solver_find("auto"))
            by_auto = solved;
        else
            by_another = by_another || solved;
    }
    sum->outdone += by_another && !by_auto;
}

int main(int argc, char **argv)
{
    static const slip_kind kinds[] = { SLIP_KIND_LCP,  SLIP_KIND_MLCP, SLIP_KIND_RELAY,
                                       SLIP_KIND_FC2D, SLIP_KIND_FC3D, SLIP_KIND_QP };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static tally sums[KINDS];
    const long count = argc > 1 ? atol(argv[1]) : 3000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (long k = 0; k < count; k++) {
        const int which = (int)(k % KINDS);
        if (argc > 3 && strcmp(argv[3], slip_kind_name(kinds[which])) != 0) continue;
        run_trial(kinds[which], &sums[which]);
    }
    for (int k = 0; k < KINDS; k++) {
        const tally *t = &sums[k];
        printf("%s: %ld problems, %ld judged exactly: %ld solvable, %ld with several points, %ld with a "
               "continuum, %ld "
               "without solution\n",
               slip_kind_name(kinds[k]), t->problems, t->judged, t->solvable, t->several, t->continua,
               t->none);
        if (t->outdone) printf("  auto gave up %ld that another solver solved\n", t->outdone);
        for (int s = 0; s < slip_solver_count(); s++)
            if (t->converged[s] || t->infeasible[s])
                printf("  %-7s converged %ld, infeasible %ld, missed %ld\n", slip_solver_get(s)->name,
                       t->converged[s], t->infeasible[s], t->missed[s]);
    }
    printf("%ld false claims\n", false_claims);
    return false_claims > 0;
}
