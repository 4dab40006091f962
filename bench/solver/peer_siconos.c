/// peer_siconos.c: driving Siconos numerics 4.
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CSparseMatrix.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <MixedLinearComplementarityProblem.h>
#include <MLCP_Solvers.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <RelayProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>
#include <mlcp_cst.h>
#include <relay_cst.h>

#include "clock.h"
#include "peer.h"

typedef enum storage { DENSE, BLOCKS, SPARSE } storage;

typedef struct peer {
    const char *name;
    int id, local; // local: solver of one contact, 0 for the default
    storage store;
    int most; // most unknowns it is tried on
} peer;

static const peer lcp[] = {
    { "LEMKE", SICONOS_LCP_LEMKE, 0, DENSE, 1200 },
    { "PGS", SICONOS_LCP_PGS, 0, DENSE, 3000 },
    { "RPGS", SICONOS_LCP_RPGS, 0, DENSE, 3000 },
    { "PSOR", SICONOS_LCP_PSOR, 0, DENSE, 3000 },
    { "CPG", SICONOS_LCP_CPG, 0, DENSE, 3000 },
    { "NEWTONMIN", SICONOS_LCP_NEWTONMIN, 0, DENSE, 600 },
    { "NEWTON_FB", SICONOS_LCP_NEWTON_FB_FBLSA, 0, DENSE, 600 },
    { "ENUM", SICONOS_LCP_ENUM, 0, DENSE, 9 },
    { "AVI", SICONOS_LCP_AVI_CAOFERRIS, 0, DENSE, 600 },
    { "PIVOT", SICONOS_LCP_PIVOT, 0, DENSE, 600 },
    { "BARD", SICONOS_LCP_BARD, 0, DENSE, 600 },
    { "MURTY", SICONOS_LCP_MURTY, 0, DENSE, 600 },
};
static const peer mlcp[] = {
    { "PGS", SICONOS_MLCP_PGS, 0, DENSE, 300 },
    { "ENUM", SICONOS_MLCP_ENUM, 0, DENSE, 12 },
    { "FB", SICONOS_MLCP_FB, 0, DENSE, 300 },
    { "LCP_LEMKE", SICONOS_MLCP_LCP_LEMKE, 0, DENSE, 300 },
};
static const peer relay[] = {
    { "PGS", SICONOS_RELAY_PGS, 0, DENSE, 300 },
    { "LEMKE", SICONOS_RELAY_LEMKE, 0, DENSE, 300 },
    { "ENUM", SICONOS_RELAY_ENUM, 0, DENSE, 6 },
    { "AVI", SICONOS_RELAY_AVI_CAOFERRIS, 0, DENSE, 300 },
};
static const peer fc2d[] = {
    { "NSGS", SICONOS_FRICTION_2D_NSGS, 0, BLOCKS, 0 },
    { "NSGS_DENSE", SICONOS_FRICTION_2D_NSGS, 0, DENSE, 800 },
    { "CPG", SICONOS_FRICTION_2D_CPG, 0, DENSE, 800 },
    { "LEMKE", SICONOS_FRICTION_2D_LEMKE, 0, DENSE, 800 },
    { "ENUM", SICONOS_FRICTION_2D_ENUM, 0, DENSE, 6 },
};
static const peer fc3d[] = {
    { "NSGS", SICONOS_FRICTION_3D_NSGS, 0, BLOCKS, 0 },
    { "NSGS_AC", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, BLOCKS, 0 },
    { "NSGS_AC_GP", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, BLOCKS, 0 },
    { "NSGS_P", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
      BLOCKS, 0 },
    { "NSGS_QUARTIC", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, BLOCKS, 0 },
    { "NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 0, SPARSE, 0 },
    { "NSN_AC_TEST", SICONOS_FRICTION_3D_NSN_AC_TEST, 0, SPARSE, 0 },
    { "PROX_NSN", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC, SPARSE, 0 },
    { "ADMM", SICONOS_FRICTION_3D_ADMM, 0, SPARSE, 0 },
    { "DSFP", SICONOS_FRICTION_3D_DSFP, 0, BLOCKS, 0 },
    { "QUARTIC_1C", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, 0, DENSE, 3 },
};

static const peer *peers_of(slip_kind kind, int *count)
{
#define ROWS(table) (*count = (int)(sizeof table / sizeof *table), table)
    switch (kind) {
    case SLIP_KIND_LCP:
        return ROWS(lcp);
    case SLIP_KIND_MLCP:
        return ROWS(mlcp);
    case SLIP_KIND_RELAY:
        return ROWS(relay);
    case SLIP_KIND_FC2D:
        return ROWS(fc2d);
    case SLIP_KIND_FC3D:
        return ROWS(fc3d);
    default:
        *count = 0;
        return NULL;
    }
}

int peer_count(slip_kind kind)
{
    int count;
    peers_of(kind, &count);
    return count;
}

const char *peer_name(slip_kind kind, int k)
{
    int count;
    const peer *all = peers_of(kind, &count);
    return k < count ? all[k].name : "";
}

static double entry_of(const slip_matrix *W, int i, long k, int j)
{
    return W->values[(k * W->block + i) * W->block + j];
}

// the problem's matrix in one of their storages; never freed, the process ends soon
static NumericsMatrix *matrix_of(const slip_matrix *W, storage store)
{
    const int n = W->rows, b = W->block;
    NumericsMatrix *sparse = NM_create(store == DENSE ? NM_DENSE : NM_SPARSE, n, n);
    if (store != DENSE) NM_triplet_alloc(sparse, (CS_INT)W->row_start[n / b] * b * b);
    for (int a = 0; a < n / b; a++)
        for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++)
            for (int i = 0; i < b; i++)
                for (int j = 0; j < b; j++) {
                    const int row = a * b + i, col = W->column[k] * b + j;
                    if (store == DENSE)
                        sparse->matrix0[(long)col * n + row] = entry_of(W, i, k, j);
                    else
                        NM_entry(sparse, row, col, entry_of(W, i, k, j));
                }
    if (store != BLOCKS) return sparse;
    SparseBlockStructuredMatrix *blocks = SBM_new();
    SBM_from_csparse(b, NM_csc(sparse), blocks);
    return NM_new_SBM(n, n, blocks);
}

typedef struct their_problem {
    FrictionContactProblem fc;
    LinearComplementarityProblem lcp;
    MixedLinearComplementarityProblem *mlcp;
    RelayProblem relay;
} their_problem;

static double *copy(int n, const double *x)
{
    double *y = malloc(sizeof(double) * ((size_t)n + 1));
    memcpy(y, x, sizeof(double) * (size_t)n);
    return y;
}

static MixedLinearComplementarityProblem *mixed(const slip_problem *p, NumericsMatrix *M)
{
    MixedLinearComplementarityProblem *m = mixedLinearComplementarity_new();
    const int n = p->equalities, c = p->size - n, N = p->size;
    m->isStorageType1 = 1;
    m->isStorageType2 = 1;
    m->n = n;
    m->m = c;
    m->M = M;
    m->q = copy(N, p->q);
    m->blocksRows = malloc(3 * sizeof(int));
    m->blocksIsComp = malloc(2 * sizeof(int));
    m->blocksRows[0] = 0, m->blocksRows[1] = n, m->blocksRows[2] = N;
    m->blocksIsComp[0] = 0, m->blocksIsComp[1] = 1;
    m->A = calloc((size_t)(n * n + 1), sizeof(double));
    m->B = calloc((size_t)(c * c + 1), sizeof(double));
    m->C = calloc((size_t)(n * c + 1), sizeof(double));
    m->D = calloc((size_t)(n * c + 1), sizeof(double));
    m->a = copy(n, p->q);
    m->b = copy(c, p->q + n);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double v = M->matrix0[(long)j * N + i];
            if (i < n && j < n)
                m->A[j * n + i] = v;
            else if (i >= n && j >= n)
                m->B[(j - n) * c + i - n] = v;
            else if (i < n)
                m->C[(j - n) * n + i] = v;
            else
                m->D[j * c + i - n] = v;
        }
    return m;
}

static their_problem translate(const slip_problem *p, storage store)
{
    NumericsMatrix *M = matrix_of(&p->W, store);
    their_problem t = { 0 };
    t.fc = (FrictionContactProblem){ slip_problem_block(p), p->contacts, M, copy(p->size, p->q),
                                     p->mu ? copy(p->contacts, p->mu) : NULL };
    t.lcp = (LinearComplementarityProblem){ p->size, M, copy(p->size, p->q) };
    if (p->kind == SLIP_KIND_MLCP) t.mlcp = mixed(p, M);
    if (p->kind == SLIP_KIND_RELAY)
        t.relay = (RelayProblem){ p->size, M, copy(p->size, p->q), copy(p->size, p->lower),
                                  copy(p->size, p->upper) };
    return t;
}

static void drive(const slip_problem *p, their_problem *t, SolverOptions *o, double *z, double *w)
{
    switch (p->kind) {
    case SLIP_KIND_LCP:
        linearComplementarity_driver(&t->lcp, z, w, o);
        break;
    case SLIP_KIND_MLCP:
        mlcp_driver_init(t->mlcp, o);
        mlcp_driver(t->mlcp, z, w, o);
        mlcp_driver_reset(t->mlcp, o);
        break;
    case SLIP_KIND_RELAY:
        relay_driver(&t->relay, z, w, o);
        break;
    case SLIP_KIND_FC2D:
        fc2d_driver(&t->fc, z, w, o);
        break;
    default:
        fc3d_driver(&t->fc, z, w, o);
        break;
    }
}

// one run at one tolerance of theirs; only the driver call is timed
static double run_once(const slip_problem *p, const peer *s, double tolerance, their_problem *t,
                       const double *guess, double *z, double *w)
{
    SolverOptions *o = solver_options_create(s->id);
    if (s->local) solver_options_update_internal(o, 0, s->local);
    o->dparam[SICONOS_DPARAM_TOL] = tolerance;
    if (o->iparam[SICONOS_IPARAM_MAX_ITER] < 100000 && s->id != SICONOS_LCP_LEMKE)
        o->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    if (guess)
        memcpy(z, guess, sizeof(double) * (size_t)p->size);
    else
        memset(z, 0, sizeof(double) * (size_t)p->size);
    memset(w, 0, sizeof(double) * (size_t)p->size);
    const double start = processor_time();
    drive(p, t, o, z, w);
    const double seconds = processor_time() - start;
    solver_options_delete(o);
    return seconds;
}

static peer_result run_to(const slip_problem *p, const peer *s, double tolerance, const double *guess)
{
    peer_result r = { .residual = INFINITY, .standard = INFINITY };
    double *z = malloc(sizeof(double) * ((size_t)p->size + 1)),
           *w = malloc(sizeof(double) * ((size_t)p->size + 1));
    their_problem t = translate(p, s->store);
    for (double own = tolerance; own > 1e-17 && !r.solved; own *= 1e-2) {
        r.seconds = run_once(p, s, own, &t, guess, z, w);
        const slip_residuals e = slip_residual(p, z, w);
        r.residual = e.invariant;
        r.standard = e.standard;
        r.solved = e.invariant <= tolerance;
        const double begun = processor_time();
        while (r.solved && processor_time() - begun < 0.02) // repeated as long as ours are
            r.seconds = fmin(r.seconds, run_once(p, s, own, &t, guess, z, w));
    }
    return r;
}

peer_result peer_solve(const slip_problem *p, int k, double tolerance, double limit, const double *guess)
{
    int count, ends[2];
    const peer *s = peers_of(p->kind, &count) + k;
    peer_result r = { .residual = INFINITY, .standard = INFINITY };
    if ((s->most > 0 && p->size > s->most) || pipe(ends) != 0) return r;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
        const peer_result mine = run_to(p, s, tolerance, guess);
        if (write(ends[1], &mine, sizeof mine) != sizeof mine) _exit(1);
        _exit(0);
    }
    close(ends[1]);
    struct pollfd wait = { .fd = ends[0], .events = POLLIN };
    if (child > 0 && poll(&wait, 1, (int)(1000.0 * limit) + 1) > 0 && read(ends[0], &r, sizeof r) != sizeof r)
        r = (peer_result){ .residual = INFINITY, .standard = INFINITY };
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return r;
}
