/// physics/impact/poisson.c: Poisson's law for any number of contacts as two complementarity problems.
///
///     compression   0 <= C_n         _|_  v_nC >= 0    C_t in -mu C_n Sgn(v_tC)
///     expansion     0 <= E_n - e C_n  _|_  v_nE >= 0    E_t in -mu E_n Sgn(v_tE)
/// (Glocker, Pfeiffer 1995, without tangential restitution.) In the expansion a contact either opens with E_n
/// = e C_n, which is known, so that its friction has a known limit, or it stays closed. The set of closed
/// contacts is found by exchanging one contact at a time.
#include <math.h>
#include <string.h>

#include "physics/impact/impact_law.h"
#include "physics/impact/impact_tolerances.h"

// Arrays in the scratch of an impact.
typedef struct expansion {
    double *q, *w, *r, *start, *C; // start: velocities after compression
    double *closed;                // per contact: 1 when it stays closed
    double *K;                     // matrix
} expansion;

static expansion expansion_layout(const slip_multi_impact *c)
{
    const int size = c->d * c->contacts;
    double *at = c->scratch;
    return (expansion){ at,
                        at + size,
                        at + 2L * size,
                        at + 3L * size,
                        at + 4L * size,
                        at + 5L * size,
                        at + 5L * size + c->contacts };
}

// The problem in which an opening contact has an uncoupled normal that carries exactly e C_n.
static void assemble_expansion(const slip_multi_impact *c, expansion *x)
{
    const int d = c->d, size = d * c->contacts;
    memcpy(x->K, c->W, sizeof(double) * (size_t)size * (size_t)size);
    memcpy(x->q, x->start, sizeof(double) * (size_t)size);
    for (int k = 0; k < c->contacts; k++) {
        const int n = k * d;
        if (x->closed[k] != 0.0) continue;
        for (int i = 0; i < size; i++) {
            x->q[i] += c->W[(long)i * size + n] * c->e[k] * x->C[n];
            if (i != n) x->K[(long)i * size + n] = x->K[(long)n * size + i] = 0.0;
        }
    }
    for (int k = 0; k < c->contacts; k++)
        if (x->closed[k] == 0.0) x->q[k * d] = -c->W[(long)k * d * (size + 1)] * c->e[k] * x->C[k * d];
}

// Velocities at the end, into x->w.
static void find_rates(const slip_multi_impact *c, expansion *x)
{
    const int size = c->d * c->contacts;
    for (int i = 0; i < size; i++) {
        x->w[i] = x->start[i];
        for (int j = 0; j < size; j++) x->w[i] += c->W[(long)i * size + j] * x->r[j];
    }
}

// The contact with the largest violation of its condition, in terms of a velocity; -1 if none is violated.
static int worst_violation(const slip_multi_impact *c, const expansion *x)
{
    const int d = c->d, size = d * c->contacts;
    double most = 0.0;
    int at = -1;
    for (int i = 0; i < size; i++) most = fmax(most, VELOCITY_ROUNDING_RELATIVE * fabs(c->before[i]));
    for (int k = 0; k < c->contacts; k++) {
        const int n = k * d;
        const double off =
            x->closed[k] != 0.0 ? (c->e[k] * x->C[n] - x->r[n]) * c->W[(long)n * size + n] : -x->w[n];
        if (off > most) most = off, at = k;
    }
    return at;
}

static bool solve_expansion(slip_multi_impact *c, expansion *x)
{
    memset(x->closed, 0, sizeof(double) * (size_t)c->contacts);
    for (int round = 0; round < 4 * c->contacts + 4; round++) {
        assemble_expansion(c, x);
        if (!c->solve(c->context, c->contacts, x->K, x->q, c->mu, x->r, x->w)) return false;
        for (int k = 0; k < c->contacts; k++)
            if (x->closed[k] == 0.0) x->r[k * c->d] = c->e[k] * x->C[k * c->d];
        find_rates(c, x);
        const int k = worst_violation(c, x);
        if (k < 0) return true;
        x->closed[k] = x->closed[k] == 0.0;
    }
    return false;
}

static bool poisson_strike(slip_multi_impact *c)
{
    const int d = c->d, size = d * c->contacts;
    expansion x = expansion_layout(c);
    memcpy(x.q, c->before, sizeof(double) * (size_t)size);
    if (!slip_multi_impact_solve(c, x.q, x.C, x.start, x.r)) return false;
    if (!solve_expansion(c, &x)) return false;
    for (int i = 0; i < size; i++) c->impulse[i] = x.C[i] + x.r[i];
    slip_multi_impact_finish(c);
    for (int k = 0; k < c->contacts; k++) {
        const int n = k * d;
        c->work[k] = 0.5 * (x.C[n] * (c->before[n] + x.start[n]) + x.r[n] * (x.start[n] + c->after[n]));
    }
    return true;
}

const slip_impact_law slip_impact_poisson = {
    .info = { "poisson",
              "expansion gives back e times the impulse of compression; friction follows the slip at the end "
              "of each",
              "any number of contacts", "Glocker, Pfeiffer 1995" },
    .strike = poisson_strike,
};
