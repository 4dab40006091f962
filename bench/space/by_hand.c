/// by_hand.c: Moreau's midpoint rule for one body in space.
#include "by_hand.h"

#include <math.h>
#include <string.h>

// q + s q', as long as before
static void turn(const double *q, double s, const double *w, int in_space, double *out)
{
    double rate[4], before = 0, after = 0;
    spin(q, w, in_space, rate);
    for (int k = 0; k < 4; k++) {
        before += q[k] * q[k];
        out[k] = q[k] + s * rate[k];
        after += out[k] * out[k];
    }
    const double back = sqrt(before / after);
    for (int k = 0; k < 4; k++) out[k] *= back;
}

// u' without contacts at attitude q with spin w
static void accelerate(hand_body body, const double *q, const double *w, double *a)
{
    double h[3];
    a[0] = a[1] = 0, a[2] = -gravity;
    if (body == HAND_SPHERE) {
        a[3] = a[4] = a[5] = 0;
        return;
    }
    const double *J = body == HAND_FREE ? free_inertia : body == HAND_BOX ? box_inertia : pendulum_inertia;
    gyroscopic(J, w, h);
    if (body == HAND_PENDULUM) { // (0, 0, -l) x R' (0, 0, -m g)
        double R[3][3];
        rotation(q, R);
        h[0] += -length * gravity * R[2][1];
        h[1] += length * gravity * R[2][0];
    }
    for (int k = 0; k < 3; k++) a[3 + k] = h[k] / J[k];
}

// a sphere that touches the plane: one block, whose components do not see each other
static void touch_sphere(double *u)
{
    const double across = 1 / sphere_mass + radius * radius / sphere_inertia;
    const double N = u[2] < 0 ? -u[2] * sphere_mass : 0, sx = u[0] - radius * u[4], sy = u[1] + radius * u[3];
    double fx = -sx / across, fy = -sy / across;
    const double size = sqrt(fx * fx + fy * fy);
    if (size > friction * N) fx *= friction * N / size, fy *= friction * N / size;
    u[0] += fx / sphere_mass;
    u[1] += fy / sphere_mass;
    u[2] += N / sphere_mass;
    u[3] += radius * fy / sphere_inertia;
    u[4] -= radius * fx / sphere_inertia;
}

// The corners that touch, by sweeps over them with the last impulses to begin with. Rows are n, x, y.
static void touch_box(const double *x, const double *q, double *u, double P[CORNERS][3])
{
    double R[3][3], row[CORNERS][3][3], by[CORNERS][3][3], weight[CORNERS][3];
    int list[CORNERS], count = 0;
    rotation(q, R);
    for (int c = 0; c < CORNERS; c++) {
        const double b[3] = { (c & 1 ? 1 : -1) * box_half[0], (c & 2 ? 1 : -1) * box_half[1],
                              (c & 4 ? 1 : -1) * box_half[2] };
        const double gap = x[2] + R[2][0] * b[0] + R[2][1] * b[1] + R[2][2] * b[2];
        if (gap > 1e-9) {
            P[c][0] = P[c][1] = P[c][2] = 0;
            continue;
        }
        list[count++] = c;
        for (int d = 0; d < 3; d++) { // velocity of the corner along an axis of space: v + R (w x b)
            const double *axis = R[(d + 2) % 3];
            row[c][d][0] = b[1] * axis[2] - b[2] * axis[1];
            row[c][d][1] = b[2] * axis[0] - b[0] * axis[2];
            row[c][d][2] = b[0] * axis[1] - b[1] * axis[0];
            weight[c][d] = 1 / box_mass;
            u[(d + 2) % 3] += P[c][d] / box_mass;
            for (int k = 0; k < 3; k++) {
                by[c][d][k] = row[c][d][k] / box_inertia[k];
                weight[c][d] += row[c][d][k] * by[c][d][k];
                u[3 + k] += by[c][d][k] * P[c][d];
            }
        }
    }
    for (int sweep = 0; sweep < 100; sweep++) {
        double most = 0;
        for (int i = 0; i < count; i++) {
            const int c = list[i];
            double next[3];
            for (int d = 0; d < 3; d++) {
                const double *r = row[c][d];
                next[d] = P[c][d] - (u[(d + 2) % 3] + r[0] * u[3] + r[1] * u[4] + r[2] * u[5]) / weight[c][d];
                if (d == 0) next[0] = next[0] > 0 ? next[0] : 0;
                if (d < 2) continue;
                const double limit = friction * next[0], size = sqrt(next[1] * next[1] + next[2] * next[2]);
                if (size > limit) next[1] *= limit / size, next[2] *= limit / size;
            }
            for (int d = 0; d < 3; d++) {
                const double change = next[d] - P[c][d];
                most = fabs(change) > most ? fabs(change) : most;
                P[c][d] = next[d];
                u[(d + 2) % 3] += change / box_mass;
                for (int k = 0; k < 3; k++) u[3 + k] += by[c][d][k] * change;
            }
        }
        if (most < 1e-12) break;
    }
}

void hand_moreau(hand_body body, double *x, double h, long steps)
{
    const int in_space = body == HAND_SPHERE;
    double *u = x + V, a[6], last[6] = { 0 }, P[CORNERS][3] = { { 0 } };
    for (long step = 0; step < steps; step++)
        for (int again = step == 0; again >= 0; again--) { // the first has no acceleration to go on from
            double middle[3], q[4], w[3], end[6];
            for (int k = 0; k < 3; k++) middle[k] = x[X + k] + 0.5 * h * u[k];
            for (int k = 0; k < 3; k++) w[k] = u[3 + k] + 0.5 * h * last[3 + k];
            turn(x + Q, 0.5 * h, u + 3, in_space, q);
            accelerate(body, q, w, a);
            for (int k = 0; k < 6; k++) end[k] = u[k] + h * a[k];
            if (body == HAND_SPHERE && middle[2] <= radius + 1e-9) touch_sphere(end);
            if (body == HAND_BOX) touch_box(middle, q, end, P);
            for (int k = 0; k < 6; k++) last[k] = (end[k] - u[k]) / h;
            if (again) continue;
            memcpy(u, end, sizeof end);
            for (int k = 0; k < 3; k++) x[X + k] = middle[k] + 0.5 * h * u[k];
            turn(q, 0.5 * h, u + 3, in_space, x + Q);
        }
}
