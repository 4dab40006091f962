/// model/import/robot_rotation.c: turns as quaternions (w, x, y, z) of length 1.
#include "model/import/robot_rotation.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

void slip_rotation_product(const double a[4], const double b[4], double ab[4])
{
    double c[4] = { a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0] };
    memcpy(ab, c, sizeof c);
}

void slip_rotation_about(const double axis[3], double angle, double q[4])
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    q[0] = slip_cos(0.5 * angle);
    for (int k = 0; k < 3; k++) q[1 + k] = slip_sin(0.5 * angle) * axis[k] / length;
}

void slip_rotation_from_rpy(const double rpy[3], double q[4])
{
    static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    double next[4];
    slip_rotation_about(axes[2], rpy[2], q);
    for (int k = 1; k >= 0; k--) {
        slip_rotation_about(axes[k], rpy[k], next);
        slip_rotation_product(q, next, q);
    }
}

static void matrix_of(const double q[4], double R[3][3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double rows[3][3] = { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
                          { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
                          { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } };
    memcpy(R, rows, sizeof rows);
}

void slip_rotation_vector(const double q[4], const double v[3], double turned[3])
{
    double R[3][3], out[3];
    matrix_of(q, R);
    for (int k = 0; k < 3; k++) out[k] = R[k][0] * v[0] + R[k][1] * v[1] + R[k][2] * v[2];
    memcpy(turned, out, sizeof out);
}

void slip_rotation_tensor(const double q[4], const double I[6], double turned[6])
{
    static const int row[6] = { 0, 1, 2, 0, 0, 1 }, column[6] = { 0, 1, 2, 1, 2, 2 };
    double R[3][3], full[3][3];
    matrix_of(q, R);
    for (int k = 0; k < 6; k++) full[row[k]][column[k]] = full[column[k]][row[k]] = I[k];
    for (int k = 0; k < 6; k++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) sum += R[row[k]][i] * full[i][j] * R[column[k]][j];
        turned[k] = sum;
    }
}
