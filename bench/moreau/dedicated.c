/// dedicated.c: the slider-crank as one would write it in an afternoon: closed forms, fixed arrays, Lemke.
#include "dedicated.h"

#include <math.h>
#include <string.h>

enum { MOST = 12 };
static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 0.052, m1 = 0.038, m2 = 0.038,
                    m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81, mu = 0.01, eps_N = 0.4,
                    eps_T = 0.0;

// y = A x + b, 0 <= x _|_ y >= 0: covering vector of ones, smallest ratio, no care for ties
static int lemke(int n, const double *A, const double *rhs, double *x)
{
    double T[MOST][2 * MOST + 2];
    int basis[MOST], width = 2 * n + 2, row = 0, enter = 2 * n;
    for (int i = 0; i < n; i++) {
        memset(T[i], 0, sizeof T[i]);
        T[i][i] = 1.0;
        for (int j = 0; j < n; j++) T[i][n + j] = -A[i * n + j];
        T[i][2 * n] = -1.0;
        T[i][2 * n + 1] = rhs[i];
        basis[i] = i;
        if (rhs[i] < rhs[row]) row = i;
    }
    for (int i = 0; i < n; i++) x[i] = 0.0;
    if (rhs[row] >= 0.0) return 1;
    for (int pivots = 0; pivots < 100; pivots++) {
        const double inverse = 1.0 / T[row][enter];
        for (int j = 0; j < width; j++) T[row][j] *= inverse;
        for (int i = 0; i < n; i++) {
            const double f = T[i][enter];
            if (i == row || f == 0.0) continue;
            for (int j = 0; j < width; j++) T[i][j] -= f * T[row][j];
        }
        const int left = basis[row];
        basis[row] = enter;
        if (left == 2 * n) {
            for (int i = 0; i < n; i++)
                if (basis[i] >= n) x[basis[i] - n] = T[i][2 * n + 1];
            return 1;
        }
        enter = left < n ? left + n : left - n;
        double best = INFINITY;
        row = -1;
        for (int i = 0; i < n; i++)
            if (T[i][enter] > 1e-12) {
                const double ratio = T[i][2 * n + 1] / T[i][enter];
                if (ratio < best || (ratio == best && basis[i] == 2 * n)) best = ratio, row = i;
            }
        if (row < 0) return 0;
    }
    return 0;
}

static void solve_mass(const double *M, const double *f, double *x)
{
    const double det = M[0] * M[2] - M[1] * M[1];
    x[0] = (M[2] * f[0] - M[1] * f[1]) / det;
    x[1] = (M[0] * f[1] - M[1] * f[0]) / det;
    x[2] = f[2] / J3;
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static int contact(int n, const int *corner, const double *s, const double *c, const double *M,
                   const double *u, const double *free, double *end)
{
    double w[8][3], y[8][3], A[MOST * MOST] = { 0 }, rhs[MOST], x[MOST];
    for (int i = 0; i < n; i++) {
        const double up = corner[i] < 2 ? -1.0 : 1.0, front = corner[i] % 2 ? 1.0 : -1.0;
        const double N[3] = { up * l1 * c[0], up * l2 * c[1], up * front * a * c[2] + b * s[2] };
        const double T[3] = { -l1 * s[0], -l2 * s[1], -front * a * s[2] + up * b * c[2] };
        memcpy(w[i], N, sizeof N);
        memcpy(w[n + i], T, sizeof T);
    }
    for (int i = 0; i < 2 * n; i++) solve_mass(M, w[i], y[i]);
    const int size = 3 * n;
    for (int i = 0; i < 2 * n; i++) {
        for (int j = 0; j < n; j++) {
            const double t = dot(w[i], y[n + j]);
            A[i * size + j] = dot(w[i], y[j]) - mu * t;
            A[i * size + n + j] = t;
        }
        rhs[i] = dot(w[i], free) + (i < n ? eps_N : eps_T) * dot(w[i], u);
    }
    for (int i = 0; i < n; i++) {
        A[(n + i) * size + 2 * n + i] = 1.0;
        A[(2 * n + i) * size + i] = 2.0 * mu;
        A[(2 * n + i) * size + n + i] = -1.0;
        rhs[2 * n + i] = 0.0;
    }
    if (!lemke(size, A, rhs, x)) return 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) end[k] += y[i][k] * x[i] + y[n + i][k] * (x[n + i] - mu * x[i]);
    return 1;
}

long dedicated_steps(double *q, double *u, double dt, long steps)
{
    long rays = 0;
    for (long k = 0; k < steps; k++) {
        double s[3], c[3];
        for (int i = 0; i < 3; i++) {
            q[i] += 0.5 * dt * u[i];
            s[i] = sin(q[i]);
            c[i] = cos(q[i]);
        }
        const double cross = c[1] * c[0] + s[1] * s[0],
                     turn = s[1] * c[0] - c[1] * s[0]; // cos, sin of q1 - q0
        const double M[3] = { J1 + (m1 / 4 + m2 + m3) * l1 * l1, (m2 / 2 + m3) * l1 * l2 * cross,
                              J2 + (m2 / 4 + m3) * l2 * l2 };
        const double k12 = (m2 / 2 + m3) * l1 * l2 * turn;
        const double h[3] = { k12 * u[1] * u[1] - (m1 / 2 + m2 + m3) * g * l1 * c[0],
                              -k12 * u[0] * u[0] - (m2 / 2 + m3) * g * l2 * c[1], 0.0 };
        double free[3], end[3];
        solve_mass(M, h, free);
        for (int i = 0; i < 3; i++) end[i] = free[i] = u[i] + dt * free[i];
        const double y3 = l1 * s[0] + l2 * s[1], room = d / 2 - b * c[2], tilt = a * s[2];
        const double gap[4] = { room - y3 + tilt, room - y3 - tilt, room + y3 - tilt, room + y3 + tilt };
        int corner[4], n = 0;
        for (int i = 0; i < 4; i++)
            if (gap[i] <= 0.0) corner[n++] = i;
        if (n && !contact(n, corner, s, c, M, u, free, end)) rays++;
        for (int i = 0; i < 3; i++) {
            u[i] = end[i];
            q[i] += 0.5 * dt * u[i];
        }
    }
    return rays;
}
