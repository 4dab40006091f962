/// native.c: the examples of Xiong 2013 in plain C.
#include "native.h"

#include <math.h>
#include <stddef.h>

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}
static inline double sat(double Z, double x)
{
    return x > Z ? Z : x < -Z ? -Z : x;
}

#define RK4(name, n)                                                                                         \
    static void name##_step(double t, double h, double *x)                                                   \
    {                                                                                                        \
        double k1[n], k2[n], k3[n], k4[n], y[n];                                                             \
        name(t, x, k1);                                                                                      \
        for (int i = 0; i < n; i++) y[i] = x[i] + 0.5 * h * k1[i];                                           \
        name(t + 0.5 * h, y, k2);                                                                            \
        for (int i = 0; i < n; i++) y[i] = x[i] + 0.5 * h * k2[i];                                           \
        name(t + 0.5 * h, y, k3);                                                                            \
        for (int i = 0; i < n; i++) y[i] = x[i] + h * k3[i];                                                 \
        name(t + h, y, k4);                                                                                  \
        for (int i = 0; i < n; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);                 \
    }

// figure 3: p, v, a
static void friction_mass(double t, const double *x, double *dx)
{
    const double M = 1, F = 0.5, K = 5e3, beta = 2e-3;
    double f_e = t < 2.0 ? smaller(0.52, 0.8 * t) : 0.336 + 0.144 * cos(100 * t),
           s = sat(F / K, x[2] + beta * x[1]);
    dx[0] = x[1];
    dx[1] = (f_e - K * s) / M;
    dx[2] = (s - x[2]) / beta;
}
RK4(friction_mass, 3)

// figure 5: p, v, e
static void bouncing_mass(double t, const double *x, double *dx)
{
    const double M = 1, K = 1e5, alpha = 7e-3, beta = 1e-2, f_e = -9.8;
    (void)t;
    dx[0] = x[1];
    dx[1] = (f_e + K * larger(0, x[2] - beta * (x[0] + x[2]) / alpha)) / M;
    dx[2] = larger(-x[2] / beta, -(x[0] + x[2]) / alpha);
}
RK4(bouncing_mass, 3)

// Example I: px vx py vy pz vz wx wy wz q0..q3 e ax ay
static void rolling_sphere(double t, const double *x, double *dx)
{
    const double M = 1, R = 0.5, mu = 0.1, g = 9.8, K = 1e5, beta = 4e-3, alpha = 2.8e-3;
    (void)t;
    double e = x[13], psi = x[4] - R, N = K * larger(0, e - beta * (psi + e) / alpha);
    double sx = x[14] + beta * (x[1] - x[7] * R), sy = x[15] + beta * (x[3] + x[6] * R);
    double Z = mu * N / K, size = sqrt(sx * sx + sy * sy);
    if (size > Z) sx *= Z / size, sy *= Z / size;
    double wx = x[6], wy = x[7], wz = x[8], q0 = x[9], q1 = x[10], q2 = x[11], q3 = x[12];
    dx[0] = x[1];
    dx[1] = -K * sx / M;
    dx[2] = x[3];
    dx[3] = -K * sy / M;
    dx[4] = x[5];
    dx[5] = N / M - g;
    dx[6] = -5 / (2 * M * R) * K * sy;
    dx[7] = 5 / (2 * M * R) * K * sx;
    dx[8] = 0;
    dx[9] = (-wx * q1 - wy * q2 - wz * q3) / 2;
    dx[10] = (wx * q0 + wy * q3 - wz * q2) / 2;
    dx[11] = (-wx * q3 + wy * q0 + wz * q1) / 2;
    dx[12] = (wx * q2 - wy * q1 + wz * q0) / 2;
    dx[13] = larger(-e / beta, -(psi + e) / alpha);
    dx[14] = (sx - x[14]) / beta;
    dx[15] = (sy - x[15]) / beta;
}
RK4(rolling_sphere, 16)

// Example II: p1x v1x p1y v1y p2x v2x p2y v2y e1 e2 e3 a1 a2 a3
static void conveyor(double t, const double *x, double *dx)
{
    const double M1 = 0.5, M2 = 1, Ks = 100, mu = 0.5, u = 1, g = 9.8, K = 5e5, beta = 2e-3, alpha = 1.6e-3;
    (void)t;
    const double psi[3] = { x[0], x[4] - x[0], x[6] }, theta[3] = { x[3], x[3] - x[7], x[5] + u };
    double N[3], O[3];
    for (int k = 0; k < 3; k++) {
        double e = x[8 + k], a = x[11 + k];
        N[k] = K * larger(0, e - beta * (psi[k] + e) / alpha);
        dx[8 + k] = larger(-e / beta, -(psi[k] + e) / alpha);
        double s = sat(mu * N[k] / K, a + beta * theta[k]);
        O[k] = K * s;
        dx[11 + k] = (s - a) / beta;
    }
    dx[0] = x[1];
    dx[1] = (N[0] - N[1]) / M1;
    dx[2] = x[3];
    dx[3] = (-O[0] - O[1] - Ks * x[2]) / M1;
    dx[4] = x[5];
    dx[5] = (-O[2] + N[1]) / M2;
    dx[6] = x[7];
    dx[7] = (O[1] + N[2]) / M2 - g;
}
RK4(conveyor, 14)

// Example III: p, w, a
static void stick_slip(double t, const double *x, double *dx)
{
    const double F = 0.2, M = 1, k1 = 1, k2 = 1, u = 1, V = 1, K = 1e5, beta = 0.5;
    (void)t;
    double s = sat(F / (V + fabs(x[1])) / K, x[2] + beta * x[1]);
    dx[0] = u - x[1];
    dx[1] = (k2 * x[0] * x[0] * x[0] - k1 * x[0] - K * s) / M;
    dx[2] = (s - x[2]) / beta;
}
RK4(stick_slip, 3)

static const native_example examples[] = {
    { "friction-mass", 3, { 0 }, 10, 1, friction_mass_step, "p", 0 },
    { "bouncing-mass", 3, { 1 }, 3, 1, bouncing_mass_step, "p", 0 },
    { "rolling-sphere", 16, { [1] = 5.5, [4] = 1.0, [9] = 1.0 }, 5, 2, rolling_sphere_step, "px'", 1 },
    { "two-masses-conveyor", 14, { [2] = 0.25, [4] = 0.05 }, 4, 6, conveyor_step, "p1y", 2 },
    { "stick-slip", 3, { 1.19149 }, 20, 1, stick_slip_step, "p", 0 },
};

const native_example *native_example_at(int k)
{
    return k >= 0 && k < (int)(sizeof examples / sizeof *examples) ? &examples[k] : NULL;
}
