/// tight.c: the slider-crank once more, as somebody writes it who counts nanoseconds: no tableau, the states
/// of the last contacts first, and all combinations of open, sticking and sliding where these do not fit.
#define _GNU_SOURCE // sincos
#include "dedicated.h"

#include <math.h>

enum { MOST = 4, OPEN = 0, STICK, FORWARD, BACKWARD };
static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 0.052, m1 = 0.038, m2 = 0.038,
                    m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81, mu = 0.01, eps_N = 0.4,
                    eps_T = 0.0;

/// Contacts that touch: unknowns are N and T of each.
typedef struct problem {
    int n;
    double W[2 * MOST][2 * MOST], q[2 * MOST], P[2 * MOST];
} problem;

// x := A^-1 x, without a choice of pivots; 0 when one is as good as zero
static int eliminate(int n, double A[2 * MOST][2 * MOST], double *x)
{
    for (int k = 0; k < n; k++) {
        if (!(fabs(A[k][k]) > 1e-9)) return 0;
        const double by = 1.0 / A[k][k];
        for (int i = k + 1; i < n; i++) {
            const double f = A[i][k] * by;
            for (int j = k + 1; j < n; j++) A[i][j] -= f * A[k][j];
            x[i] -= f * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
    return 1;
}

static double rate(const problem *p, int i)
{
    double xi = p->q[i];
    for (int j = 0; j < 2 * p->n; j++) xi += p->W[i][j] * p->P[j];
    return xi;
}

// whether the impulses obey the law in these states
static int obeys(const problem *p, const int *state)
{
    for (int i = 0; i < p->n; i++) {
        const double N = p->P[2 * i], T = p->P[2 * i + 1];
        if (state[i] == OPEN ? rate(p, 2 * i) < -1e-12 : N < 0.0) return 0;
        if (state[i] == STICK && fabs(T) > mu * N) return 0;
        if (state[i] >= FORWARD && (state[i] == FORWARD ? 1 : -1) * rate(p, 2 * i + 1) < -1e-12) return 0;
    }
    return 1;
}

// impulses of contacts in these states
static int try(problem *p, const int *state)
{
    double A[2 * MOST][2 * MOST], x[2 * MOST];
    int at[2 * MOST], count = 0;
    for (int i = 0; i < p->n; i++) {
        if (state[i] == OPEN) continue;
        at[count++] = 2 * i;
        if (state[i] == STICK) at[count++] = 2 * i + 1;
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            const int s = state[at[j] / 2], slides = s >= FORWARD ? (s == FORWARD ? 1 : -1) : 0;
            A[i][j] = p->W[at[i]][at[j]] - (slides ? slides * mu * p->W[at[i]][at[j] + 1] : 0.0);
        }
        x[i] = -p->q[at[i]];
    }
    if (!eliminate(count, A, x)) return 0;
    for (int i = 0; i < 2 * p->n; i++) p->P[i] = 0.0;
    for (int i = 0; i < count; i++) {
        const int s = state[at[i] / 2];
        p->P[at[i]] = x[i];
        if (s >= FORWARD) p->P[at[i] + 1] = (s == FORWARD ? -mu : mu) * x[i];
    }
    return obeys(p, state);
}

// the states of the last step, newcomers sliding; then every combination
static int solve(problem *p, int *state)
{
    int closed = 0, last = 1 << 2 * p->n;
    for (int i = 0; i < p->n; i++) {
        closed |= p->q[2 * i] < 0.0;
        if (state[i] == OPEN && p->q[2 * i] < 0.0) state[i] = p->q[2 * i + 1] >= 0.0 ? FORWARD : BACKWARD;
    }
    for (int i = 0; i < 2 * p->n; i++) p->P[i] = 0.0;
    if (!closed) {
        for (int i = 0; i < p->n; i++) state[i] = OPEN;
        return 1;
    }
    if (try(p, state)) return 1;
    for (int code = 0; code < last; code++) {
        for (int i = 0; i < p->n; i++) state[i] = code >> 2 * i & 3;
        if (try(p, state)) return 1;
    }
    return 0;
}

static int contact(int n, const int *corner, const double *s, const double *c, const double *inverse,
                   const double *u, const double *free, double *end, int *states)
{
    double w[2 * MOST][3], y[2 * MOST][3];
    problem p = { .n = n };
    int state[MOST];
    for (int i = 0; i < n; i++) {
        const double up = corner[i] < 2 ? -1.0 : 1.0, front = corner[i] % 2 ? 1.0 : -1.0;
        double *N = w[2 * i], *T = w[2 * i + 1];
        N[0] = up * l1 * c[0], N[1] = up * l2 * c[1], N[2] = up * front * a * c[2] + b * s[2];
        T[0] = -l1 * s[0], T[1] = -l2 * s[1], T[2] = -front * a * s[2] + up * b * c[2];
        state[i] = states[corner[i]];
    }
    for (int i = 0; i < 2 * n; i++) {
        y[i][0] = inverse[0] * w[i][0] + inverse[1] * w[i][1];
        y[i][1] = inverse[1] * w[i][0] + inverse[2] * w[i][1];
        y[i][2] = w[i][2] * (1.0 / J3);
        const double eps = i % 2 ? eps_T : eps_N;
        p.q[i] = 0.0;
        for (int k = 0; k < 3; k++) p.q[i] += w[i][k] * (free[k] + eps * u[k]);
        for (int j = 0; j <= i; j++)
            p.W[i][j] = p.W[j][i] = w[j][0] * y[i][0] + w[j][1] * y[i][1] + w[j][2] * y[i][2];
    }
    const int solved = solve(&p, state);
    for (int i = 0; i < 4; i++) states[i] = OPEN;
    for (int i = 0; i < n && solved; i++) states[corner[i]] = state[i];
    for (int i = 0; i < 2 * n && solved; i++)
        for (int k = 0; k < 3; k++) end[k] += y[i][k] * p.P[i];
    return solved;
}

long tight_steps(double *q, double *u, double dt, long steps)
{
    const double k1 = J1 + (m1 / 4 + m2 + m3) * l1 * l1, k2 = J2 + (m2 / 4 + m3) * l2 * l2,
                 k12 = (m2 / 2 + m3) * l1 * l2, g1 = (m1 / 2 + m2 + m3) * g * l1, g2 = (m2 / 2 + m3) * g * l2;
    int states[4] = { OPEN };
    long unsolved = 0;
    for (long step = 0; step < steps; step++) {
        double s[3], c[3], end[3];
        for (int i = 0; i < 3; i++) {
            q[i] += 0.5 * dt * u[i];
            sincos(q[i], &s[i], &c[i]);
        }
        const double cross = k12 * (c[1] * c[0] + s[1] * s[0]), turn = k12 * (s[1] * c[0] - c[1] * s[0]);
        const double by = 1.0 / (k1 * k2 - cross * cross);
        const double inverse[3] = { k2 * by, -cross * by, k1 * by };
        const double h1 = turn * u[1] * u[1] - g1 * c[0], h2 = -turn * u[0] * u[0] - g2 * c[1];
        const double free[3] = { u[0] + dt * (inverse[0] * h1 + inverse[1] * h2),
                                 u[1] + dt * (inverse[1] * h1 + inverse[2] * h2), u[2] };
        for (int i = 0; i < 3; i++) end[i] = free[i];
        const double y3 = l1 * s[0] + l2 * s[1], room = d / 2 - b * c[2], tilt = a * s[2];
        if (fabs(y3) + fabs(tilt) >= room) {
            const double gap[4] = { room - y3 + tilt, room - y3 - tilt, room + y3 - tilt, room + y3 + tilt };
            int corner[4], n = 0;
            for (int i = 0; i < 4; i++)
                if (gap[i] <= 0.0) corner[n++] = i;
            if (n && !contact(n, corner, s, c, inverse, u, free, end, states)) unsolved++;
        }
        for (int i = 0; i < 3; i++) {
            u[i] = end[i];
            q[i] += 0.5 * dt * u[i];
        }
    }
    return unsolved;
}
