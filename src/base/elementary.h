/// base/elementary.h: sin, exp, pow and the like, with the same bits on every machine.
///
/// The C library's functions differ in their last bit from one version to the next, and from one processor to
/// the next where it picks a variant at run time. Trajectories pass through these instead: nothing but IEEE
/// additions, multiplications, divisions and square roots, in one order. All errors are below 1 ulp (test
/// unit.elementary measures them against MPFR); special values are those of C17, Annex F. The kernels
/// (elementary_kernel.h) also run packed, with the same bits.
#ifndef SLIP_BASE_ELEMENTARY_H
#define SLIP_BASE_ELEMENTARY_H

double slip_exp(double x);
double slip_ln(double x);
double slip_pow(double x, double y);
double slip_sinh(double x);
double slip_cosh(double x);
double slip_tanh(double x);

double slip_sin(double x);
double slip_cos(double x);
double slip_tan(double x);
double slip_asin(double x);
double slip_acos(double x);
double slip_atan(double x);
double slip_atan2(double y, double x);

/// Both from one reduction of the angle: the bits of slip_sin and slip_cos.
void slip_sincos(double x, double *sine, double *cosine);

/// sqrt(x^2 + y^2) without overflow or underflow on the way.
double slip_hypot(double x, double y);

/// Logarithms to base 2 and 10, and 10^k; of whole powers the nearest double, for 10 up to |k| = 22.
double slip_log2(double x);
double slip_log10(double x);
double slip_pow10(int k);

/// x = (quadrant) pi/2 + hi + lo with |hi| <= pi/4, for |x| above SLIP_ANGLE_REDUCE_ABOVE; returns the quadrant, 0
/// to
/// 3. Infinities give NaN.
#define SLIP_ANGLE_REDUCE_ABOVE 0x1p20
int slip_angle_reduce(double x, double *hi, double *lo);

#endif
