/// by_hand_stages.c: dai under rk4 and modular under rk4-generalised for one body in space.
#include <math.h>

#include "by_hand.h"

static const double K = 1e5, alpha = 4e-3, beta = 4e-3, damping = 100;

/// Force of one contact on the body along the plane and its normal, and rates of its states [e, ax, ay] or
/// [ex, ey].
typedef void law(double gap, const double *v, const double *state, double tau, double *force, double *rate);

static void dai(double gap, const double *v, const double *s, double tau, double *f, double *rate)
{
    (void)tau;
    const double e = s[0], inner = e - beta * (gap + e) / alpha, out = -e / beta, in = -(gap + e) / alpha;
    f[2] = K * (inner > 0 ? inner : 0);
    rate[0] = out > in ? out : in;
    double sx = s[1] + beta * v[0], sy = s[2] + beta * v[1];
    const double Z = friction * f[2] / K, size = sqrt(sx * sx + sy * sy);
    if (size > Z) sx *= Z / size, sy *= Z / size;
    f[0] = -K * sx;
    f[1] = -K * sy;
    rate[1] = (sx - s[1]) / beta;
    rate[2] = (sy - s[2]) / beta;
}

static void modular(double gap, const double *v, const double *s, double tau, double *f, double *rate)
{
    const double push = -(K * gap + damping * v[2]), B = damping + tau * K;
    f[2] = gap < 0 && push > 0 ? push : 0;
    double fx = B * v[0] + K * s[0], fy = B * v[1] + K * s[1];
    const double Z = friction * f[2], size = sqrt(fx * fx + fy * fy);
    if (size > Z) fx *= Z / size, fy *= Z / size;
    f[0] = -fx;
    f[1] = -fy;
    rate[0] = (fx - K * s[0]) / B;
    rate[1] = (fy - K * s[1]) / B;
}

static inline void sphere(law *contact, const double *x, double tau, double *dx)
{
    const double *w = x + W, v[3] = { x[V] - radius * w[1], x[V + 1] + radius * w[0], x[V + 2] };
    double f[3];
    contact(x[X + 2] - radius, v, x + CONTACTS, tau, f, dx + CONTACTS);
    for (int k = 0; k < 3; k++) dx[V + k] = f[k] / sphere_mass;
    dx[W] = radius * f[1] / sphere_inertia;
    dx[W + 1] = -radius * f[0] / sphere_inertia;
    dx[W + 2] = 0;
}

static inline void box(law *contact, int states, const double *x, double tau, double *dx)
{
    double R[3][3], force[3] = { 0 }, torque[3] = { 0 }, h[3];
    const double *w = x + W;
    rotation(x + Q, R);
    for (int c = 0; c < CORNERS; c++) {
        const double b[3] = { (c & 1 ? 1 : -1) * box_half[0], (c & 2 ? 1 : -1) * box_half[1],
                              (c & 4 ? 1 : -1) * box_half[2] };
        const double o[3] = { w[1] * b[2] - w[2] * b[1], w[2] * b[0] - w[0] * b[2],
                              w[0] * b[1] - w[1] * b[0] };
        double v[3], f[3], own[3];
        for (int k = 0; k < 3; k++) v[k] = x[V + k] + R[k][0] * o[0] + R[k][1] * o[1] + R[k][2] * o[2];
        contact(x[X + 2] + R[2][0] * b[0] + R[2][1] * b[1] + R[2][2] * b[2], v, x + CONTACTS + states * c,
                tau, f, dx + CONTACTS + states * c);
        for (int k = 0; k < 3; k++) {
            force[k] += f[k];
            own[k] = R[0][k] * f[0] + R[1][k] * f[1] + R[2][k] * f[2];
        }
        torque[0] += b[1] * own[2] - b[2] * own[1];
        torque[1] += b[2] * own[0] - b[0] * own[2];
        torque[2] += b[0] * own[1] - b[1] * own[0];
    }
    gyroscopic(box_inertia, w, h);
    for (int k = 0; k < 3; k++) {
        dx[V + k] = force[k] / box_mass;
        dx[W + k] = (h[k] + torque[k]) / box_inertia[k];
    }
}

static inline void pendulum(const double *x, double *dx)
{
    double R[3][3], h[3];
    rotation(x + Q, R);
    gyroscopic(pendulum_inertia, x + W, h);
    h[0] += -length * gravity * R[2][1];
    h[1] += length * gravity * R[2][0];
    for (int k = 0; k < 3; k++) dx[W + k] = h[k] / pendulum_inertia[k], dx[V + k] = 0;
}

static inline void rate(hand_body body, law *contact, int states, const double *x, double tau, double *dx)
{
    for (int k = 0; k < 3; k++) dx[X + k] = x[V + k];
    spin(x + Q, x + W, body == HAND_SPHERE, dx + Q);
    if (body == HAND_SPHERE) {
        sphere(contact, x, tau, dx);
    } else if (body == HAND_BOX) {
        box(contact, states, x, tau, dx);
    } else if (body == HAND_PENDULUM) {
        pendulum(x, dx);
        return;
    } else {
        double h[3];
        gyroscopic(free_inertia, x + W, h);
        for (int k = 0; k < 3; k++) dx[V + k] = 0, dx[W + k] = h[k] / free_inertia[k];
    }
    dx[V + 2] -= gravity;
}

static inline void steps_of(hand_body body, law *contact, int states, int generalised, double *x, double h,
                            long steps)
{
    const int n = CONTACTS + (body == HAND_SPHERE ? states : body == HAND_BOX ? CORNERS * states : 0);
    for (long step = 0; step < steps; step++) {
        double k1[HAND_MAX], k2[HAND_MAX], k3[HAND_MAX], k4[HAND_MAX], y[HAND_MAX];
        rate(body, contact, states, x, 0.5 * h, k1);
        for (int i = 0; i < n; i++) y[i] = x[i] + 0.5 * h * k1[i];
        rate(body, contact, states, y, 0.5 * h, k2);
        for (int i = 0; i < n; i++) y[i] = x[i] + 0.5 * h * k2[i];
        rate(body, contact, states, y, generalised ? h : 0, k3);
        for (int i = 0; i < n; i++) y[i] = x[i] + h * k3[i];
        rate(body, contact, states, y, generalised ? h : 0, k4);
        for (int i = 0; i < n; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
}

// one loop per body, so that the compiler sees which it is
#define STEPS(law, states, generalised)                                                                      \
    switch (body) {                                                                                          \
    case HAND_FREE:                                                                                          \
        steps_of(HAND_FREE, law, states, generalised, x, h, steps);                                          \
        break;                                                                                               \
    case HAND_SPHERE:                                                                                        \
        steps_of(HAND_SPHERE, law, states, generalised, x, h, steps);                                        \
        break;                                                                                               \
    case HAND_BOX:                                                                                           \
        steps_of(HAND_BOX, law, states, generalised, x, h, steps);                                           \
        break;                                                                                               \
    case HAND_PENDULUM:                                                                                      \
        steps_of(HAND_PENDULUM, law, states, generalised, x, h, steps);                                      \
        break;                                                                                               \
    }

void hand_dai(hand_body body, double *x, double h, long steps)
{
    STEPS(dai, 3, 0)
}

void hand_modular(hand_body body, double *x, double h, long steps)
{
    STEPS(modular, 2, 1)
}
