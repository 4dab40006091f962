/// model/import/robot_rotation.h: turns as quaternions (w, x, y, z) of length 1.
#ifndef SLIP_MODEL_IMPORT_ROBOT_ROTATION_H
#define SLIP_MODEL_IMPORT_ROBOT_ROTATION_H

#include <stdbool.h>

/// Fixed-axis angles as URDF has them: R = Rz(yaw) Ry(pitch) Rx(roll).
void slip_rotation_from_rpy(const double rpy[3], double q[4]);

void slip_rotation_about(const double axis[3], double angle, double q[4]); ///< axis of any length but 0
void slip_rotation_product(const double a[4], const double b[4], double ab[4]);
void slip_rotation_vector(const double q[4], const double v[3], double turned[3]);

/// R I R': a tensor (xx, yy, zz, xy, xz, yz) in the axes that q turns into.
void slip_rotation_tensor(const double q[4], const double I[6], double turned[6]);

/// The shortest turn that takes z to a direction of any length; and that whose x and y axes are these, of which y is made
/// orthogonal to x. False when there is no direction.
bool slip_rotation_from_z(const double z[3], double q[4]);
bool slip_rotation_from_xy(const double x[3], const double y[3], double q[4]);

#endif
