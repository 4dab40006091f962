/// model/import/robot_rotation.c: turns as quaternions (w, x, y, z) of length 1.
#include "model/import/robot_rotation.h"
#include "base/elementary.h"
#include "model/model_tolerances.h"

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

bool slip_rotation_from_z(const double z[3], double q[4])
{
    const double length = slip_hypot(slip_hypot(z[0], z[1]), z[2]), across = slip_hypot(z[0], z[1]);
    double axis[3] = { -z[1], z[0], 0.0 };
    if (!(length > 0.0)) return false;
    if (!(across > PARALLEL_DIRECTION * length)) axis[0] = 1.0, axis[1] = 0.0;
    slip_rotation_about(axis, slip_atan2(across, z[2]), q);
    return true;
}

bool slip_rotation_from_xy(const double x[3], const double y[3], double q[4])
{
    const double xx = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], xy = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    if (!(xx > 0.0)) return false;
    double to_x[4], own[3], back[4], second[4];
    static const double e1[3] = { 1, 0, 0 }, e2[3] = { 0, 1, 0 };
    // first z to x, and x itself to z before that, so that x is taken to x; then about x until y fits
    slip_rotation_from_z(x, to_x);
    slip_rotation_about(e2, -0.5 * 3.14159265358979323846, back);
    slip_rotation_product(to_x, back, to_x);
    for (int k = 0; k < 3; k++) own[k] = y[k] - xy / xx * x[k];
    const double inverse[4] = { to_x[0], -to_x[1], -to_x[2], -to_x[3] };
    slip_rotation_vector(inverse, own, own);
    if (!(slip_hypot(own[1], own[2]) > 0.0)) return false;
    slip_rotation_about(e1, slip_atan2(own[2], own[1]), second);
    slip_rotation_product(to_x, second, q);
    return true;
}
