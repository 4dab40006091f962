/// sliding.c: see sliding.h. Constants are those that the model has; that of Hunt and Crossley's damping is
/// the one that the program derives from the damping at the speed of the first impact.
#include "sliding.h"

#include <math.h>
#include <string.h>

enum { N = SLIDING_STATES };

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double sat(double Z, double x)
{
    return x > Z ? Z : x < -Z ? -Z : x;
}

static const double M = 2, MU = 0.3, K = 1e5, D = 100, KT = 5e4, DT = 50, W = 19.62;

// Song 2001, eqs 10-18
static inline void kelvin_voigt(const double *x, double tau, double *dx)
{
    (void)tau;
    double n = x[1] < 0 ? larger(0, -K * x[1] - D * x[3]) : 0;
    double t = sat(MU * n, KT * x[4] - DT * x[2]);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (-40 * x[0] + t) / M;
    dx[3] = (n - W) / M;
    dx[4] = (t - KT * x[4]) / DT;
}

// the same with Song 2001, eqs 41-42, along the normal
static inline void hunt_crossley(const double *x, double tau, double *dx)
{
    (void)tau;
    double depth = larger(0, -x[1]);
    double n = larger(0, K * depth * sqrt(depth) * (1 - 4.9191667157907855 * x[3]));
    double t = sat(MU * n, KT * x[4] - DT * x[2]);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (-40 * x[0] + t) / M;
    dx[3] = (n - W) / M;
    dx[4] = (t - KT * x[4]) / DT;
}

// Kikuuwe 2008, eqs 19 and 23: friction knows the step of its stage
static inline void modular(const double *x, double tau, double *dx)
{
    double n = x[1] < 0 ? larger(0, -(K * x[1] + D * x[3])) : 0;
    double b = KT * tau + DT, t = sat(MU * n, KT * x[4] + b * x[2]);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (-40 * x[0] - t) / M;
    dx[3] = (n - W) / M;
    dx[4] = (t - KT * x[4]) / b;
}

#define STEPS(name)                                                                                          \
    void sliding_##name(double *x, double h, long steps)                                                     \
    {                                                                                                        \
        const double start[N] = { 0, 0.05, 2, 0, 0 };                                                        \
        memcpy(x, start, sizeof start);                                                                      \
        for (long k = 0; k < steps; k++) {                                                                   \
            double k1[N], k2[N], k3[N], k4[N], y[N];                                                         \
            name(x, 0.5 * h, k1);                                                                            \
            for (int i = 0; i < N; i++) y[i] = x[i] + 0.5 * h * k1[i];                                       \
            name(y, 0.5 * h, k2);                                                                            \
            for (int i = 0; i < N; i++) y[i] = x[i] + 0.5 * h * k2[i];                                       \
            name(y, h, k3);                                                                                  \
            for (int i = 0; i < N; i++) y[i] = x[i] + h * k3[i];                                             \
            name(y, h, k4);                                                                                  \
            for (int i = 0; i < N; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);             \
        }                                                                                                    \
    }
STEPS(kelvin_voigt)
STEPS(hunt_crossley)
STEPS(modular)
