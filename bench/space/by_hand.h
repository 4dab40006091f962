/// by_hand.h: single bodies in space as a person would write them in C, and nothing else.
///
/// A state is [x 3 | q 4 | v 3 | w 3 | states of contacts]: place, attitude as a quaternion, velocity, spin.
/// Spins are along the axes of the body, those of the sphere along the axes of space. The pendulum hangs on
/// its origin: x and v are not used.
#ifndef BENCH_SPACE_BY_HAND_H
#define BENCH_SPACE_BY_HAND_H

typedef enum hand_body { HAND_FREE, HAND_SPHERE, HAND_BOX, HAND_PENDULUM } hand_body;

enum { X = 0, Q = 3, V = 7, W = 10, CONTACTS = 13, HAND_MAX = CONTACTS + 24, CORNERS = 8 };

static const double gravity = 9.81, sphere_mass = 1.0, sphere_inertia = 0.004, radius = 0.1, friction = 0.3,
                    box_mass = 2.0, length = 1.0;
static const double free_inertia[3] = { 1, 2, 3 }, box_inertia[3] = { 0.00193, 0.0069, 0.0083 },
                    box_half[3] = { 0.1, 0.05, 0.02 }, // m, half of its edges
    pendulum_inertia[3] = { 1.02, 1.03, 0.01 };        // about the joint

/// R' (0, 0, 1) and its two companions: the rows of the rotation matrix of a unit quaternion.
static inline void rotation(const double *q, double R[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0][0] = 1 - 2 * (y * y + z * z), R[0][1] = 2 * (x * y - w * z), R[0][2] = 2 * (x * z + w * y);
    R[1][0] = 2 * (x * y + w * z), R[1][1] = 1 - 2 * (x * x + z * z), R[1][2] = 2 * (y * z - w * x);
    R[2][0] = 2 * (x * z - w * y), R[2][1] = 2 * (y * z + w * x), R[2][2] = 1 - 2 * (x * x + y * y);
}

/// q' of a spin along the axes of the body, or along those of space.
static inline void spin(const double *q, const double *w, int in_space, double *rate)
{
    const double s = in_space ? -1.0 : 1.0;
    rate[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    rate[1] = 0.5 * (q[0] * w[0] + s * (q[2] * w[2] - q[3] * w[1]));
    rate[2] = 0.5 * (q[0] * w[1] + s * (q[3] * w[0] - q[1] * w[2]));
    rate[3] = 0.5 * (q[0] * w[2] + s * (q[1] * w[1] - q[2] * w[0]));
}

/// -w x J w
static inline void gyroscopic(const double *J, const double *w, double *h)
{
    h[0] = -(w[1] * (J[2] * w[2]) - w[2] * (J[1] * w[1]));
    h[1] = -(w[2] * (J[0] * w[0]) - w[0] * (J[2] * w[2]));
    h[2] = -(w[0] * (J[1] * w[1]) - w[1] * (J[0] * w[0]));
}

/// Steps of Moreau's midpoint rule, with the velocity of the midpoint by the last acceleration.
void hand_moreau(hand_body body, double *x, double h, long steps);

/// Steps of rk4 under dai, of rk4-generalised under modular.
void hand_dai(hand_body body, double *x, double h, long steps);
void hand_modular(hand_body body, double *x, double h, long steps);

#endif
