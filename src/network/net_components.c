/// network/net_components.c: ready-made components of a network (Kikuuwe 2008, eqs 7, 10, 19, 23, 26).
#include <math.h>
#include <string.h>

#include "slipstick/net.h"

// ------------------------------------------------------------------------------------- what moves

// (7): p' = v, v' = f/M
static bool mass_rate(int n, double mass, const double *x, const double *force, double *xdot)
{
    for (int k = 0; k < n; k++) {
        xdot[k] = x[n + k];
        xdot[n + k] = force[k] / mass;
    }
    return true;
}

#define MASS(n)                                                                                              \
    static bool mass_rate_##n(void *self, double t, const double *x, const double *force, double *xdot)      \
    {                                                                                                        \
        (void)t;                                                                                             \
        return mass_rate(n, *(const double *)self, x, force, xdot);                                          \
    }
MASS(1)
MASS(2)
MASS(3)

const slip_admittance *slip_net_mass(int dimensions)
{
    static const slip_admittance types[] = { { "mass", 2, 1, 2, mass_rate_1, NULL },
                                             { "mass", 4, 2, 4, mass_rate_2, NULL },
                                             { "mass", 6, 3, 6, mass_rate_3, NULL } };
    return dimensions >= 1 && dimensions <= 3 ? &types[dimensions - 1] : NULL;
}

static void cross_product(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// rotation of q/|q|, so that a drift of |q| does not enter the motion
static void rotation_matrix(const double *q, double R[3][3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3], s = 2.0 / (w * w + x * x + y * y + z * z);
    R[0][0] = 1.0 - s * (y * y + z * z), R[0][1] = s * (x * y - w * z), R[0][2] = s * (x * z + w * y);
    R[1][0] = s * (x * y + w * z), R[1][1] = 1.0 - s * (x * x + z * z), R[1][2] = s * (y * z - w * x);
    R[2][0] = s * (x * z - w * y), R[2][1] = s * (y * z + w * x), R[2][2] = 1.0 - s * (x * x + y * y);
}

static void to_body(double R[3][3], const double *v, double *out)
{
    for (int k = 0; k < 3; k++) out[k] = R[0][k] * v[0] + R[1][k] * v[1] + R[2][k] * v[2];
}

// w' in the fixed frame; Euler's equations in the frame of the body, where J is diagonal
static void angular_acceleration(const slip_rigid_body *body, const double *q, const double *w,
                                 const double *moment, double *wdot)
{
    double R[3][3], wb[3], mb[3], momentum[3], gyro[3];
    rotation_matrix(q, R);
    to_body(R, w, wb);
    to_body(R, moment, mb);
    for (int k = 0; k < 3; k++) momentum[k] = body->inertia[k] * wb[k];
    cross_product(wb, momentum, gyro);
    for (int k = 0; k < 3; k++) mb[k] = (mb[k] - gyro[k]) / body->inertia[k];
    for (int k = 0; k < 3; k++) wdot[k] = R[k][0] * mb[0] + R[k][1] * mb[1] + R[k][2] * mb[2];
}

static bool rigid_rate(void *self, double t, const double *x, const double *force, double *xdot)
{
    (void)t;
    const slip_rigid_body *body = self;
    const double *v = x + 3, *q = x + 6, *w = x + 10;
    for (int k = 0; k < 3; k++) {
        xdot[k] = v[k];
        xdot[3 + k] = force[k] / body->mass;
    }
    // q' = (0, w) q / 2
    xdot[6] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
    xdot[7] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    xdot[8] = 0.5 * (-w[0] * q[3] + w[1] * q[0] + w[2] * q[1]);
    xdot[9] = 0.5 * (w[0] * q[2] - w[1] * q[1] + w[2] * q[0]);
    angular_acceleration(body, q, w, force + 3, xdot + 10);
    return true;
}

const slip_admittance *slip_net_rigid(void)
{
    static const slip_admittance type = { "rigid", 13, 6, 13, rigid_rate, NULL };
    return &type;
}

// ------------------------------------------------------------------------------------- what pushes

static void spring_damper(int n, const slip_spring_damper *s, const double *motion, double *force)
{
    for (int k = 0; k < n; k++) force[k] = s->K * motion[k] + s->B * motion[n + k];
}

#define SPRING_DAMPER(n)                                                                                     \
    static void spring_damper_##n(void *self, double t, double tau, const double *motion, const double *y,   \
                                  double *force, double *ydot)                                               \
    {                                                                                                        \
        (void)t, (void)tau, (void)y, (void)ydot;                                                             \
        spring_damper(n, self, motion, force);                                                               \
    }
SPRING_DAMPER(1)
SPRING_DAMPER(2)
SPRING_DAMPER(3)

const slip_impedance *slip_net_spring_damper(int dimensions)
{
    static const slip_impedance types[] = { { "spring-damper", 0, 2, 1, spring_damper_1 },
                                            { "spring-damper", 0, 4, 2, spring_damper_2 },
                                            { "spring-damper", 0, 6, 3, spring_damper_3 } };
    return dimensions >= 1 && dimensions <= 3 ? &types[dimensions - 1] : NULL;
}

void slip_frick(int n, double K, double B, double F, const double *v, const double *e, double tau,
                double *force, double *rate)
{
    double gain = B + tau * K, square = 0.0;
    for (int k = 0; k < n; k++) {
        force[k] = gain * v[k] + K * e[k]; // (19b), before gsat
        square += force[k] * force[k];
    }
    double size = n == 1 ? fabs(force[0]) : sqrt(square);
    for (int k = 0; k < n; k++) {
        if (size > F) force[k] = n == 1 ? copysign(F, force[k]) : F * force[k] / size; // (15)
        rate[k] = (force[k] - K * e[k]) / gain;                                        // (19c)
    }
}

static void plane_contact(void *self, double t, double tau, const double *motion, const double *y,
                          double *force, double *ydot)
{
    (void)t;
    const slip_plane_contact *c = self;
    double fz = motion[0] < 0.0 ? c->K * motion[0] + c->B * motion[3] : 0.0; // (23a): fz < 0 pushes the body
    if (fz > 0.0 && !c->may_pull) fz = 0.0;
    slip_frick(2, c->K, c->B, fmax(0.0, -c->mu * fz), motion + 1, y, tau, force, ydot); // (23b) .. (23d)
    force[2] = fz;
}

const slip_impedance *slip_net_plane_contact(void)
{
    static const slip_impedance type = { "plane-contact", 2, 4, 3, plane_contact };
    return &type;
}
