/// native.c: the expressions of the benchmark as a C programmer writes them, with the parameters
/// known at compile time as they are on a tape.
#include "native.h"

#include <math.h>

static const double F_c = 1.0, F_s = 1.5, v_s = 0.01, B = 0.4, K = 1e5, A = 3.0;
static const double m1 = 1.0, m2 = 0.7, l1 = 0.8, l2 = 0.5, g = 9.81;

// Stribeck friction with a smooth sign, and a driving force: x, v, t
void native_friction(const double *in, double *out)
{
    double x = in[0], v = in[1], t = in[2];
    double ratio = v / v_s;
    out[0] =
        -(F_c + (F_s - F_c) * exp(-(ratio * ratio))) * tanh(v / 1e-4) - B * v - K * x + A * sin(10.0 * t);
}

// double pendulum, M and h: th1, th2, w1, w2
void native_double_pendulum(const double *in, double *out)
{
    double th1 = in[0], th2 = in[1], w1 = in[2], w2 = in[3];
    double c = cos(th1 - th2), s = sin(th1 - th2);
    out[0] = (m1 + m2) * (l1 * l1);
    out[1] = m2 * l1 * l2 * c;
    out[2] = m2 * (l2 * l2);
    out[3] = -m2 * l1 * l2 * (w2 * w2) * s - (m1 + m2) * g * l1 * sin(th1);
    out[4] = m2 * l1 * l2 * (w1 * w1) * s - m2 * g * l2 * sin(th2);
}

// slider-crank: the four corner gaps of the slider in its guide, their normal and tangential speeds
void native_slider_crank(const double *in, double *out)
{
    const double r1 = 0.153, r2 = 0.306, a = 0.05, b = 0.025, d = 0.052;
    double th1 = in[0], th2 = in[1], th3 = in[2], w1 = in[3], w2 = in[4], w3 = in[5];
    out[0] = d / 2 - r1 * sin(th1) - r2 * sin(th2) + a * sin(th3) - b * cos(th3);
    out[1] = d / 2 - r1 * sin(th1) - r2 * sin(th2) - a * sin(th3) - b * cos(th3);
    out[2] = d / 2 + r1 * sin(th1) + r2 * sin(th2) - a * sin(th3) - b * cos(th3);
    out[3] = d / 2 + r1 * sin(th1) + r2 * sin(th2) + a * sin(th3) - b * cos(th3);
    out[4] = -r1 * cos(th1) * w1 - r2 * cos(th2) * w2 + (a * cos(th3) + b * sin(th3)) * w3;
    out[5] = -r1 * cos(th1) * w1 - r2 * cos(th2) * w2 + (b * sin(th3) - a * cos(th3)) * w3;
    out[6] = -r1 * sin(th1) * w1 - r2 * sin(th2) * w2 + (a * sin(th3) - b * cos(th3)) * w3;
    out[7] = -r1 * sin(th1) * w1 - r2 * sin(th2) * w2 + (b * cos(th3) - a * sin(th3)) * w3;
}

// a contact as Xiong 2013 has it: max, sat, one branch that is rarely taken: p, p', e, a
void native_contact(const double *in, double *out)
{
    const double alpha = 2.8e-3, beta = 4e-3, mu = 0.3;
    double p = in[0], v = in[1], e = in[2], s = in[3];
    double n = K * fmax(0.0, e - beta * (p + e) / alpha);
    double x = s + beta * v, Z = mu * n / K;
    double held = fabs(x) <= Z ? x : x < 0.0 ? -Z : Z;
    out[0] = n - g;
    out[1] = -K * held;
    out[2] = fmax(-e / beta, -(p + e) / alpha);
    out[3] = (held - s) / beta;
}

// plain arithmetic, no function calls: a polynomial force and a sum of squares
void native_polynomial(const double *in, double *out)
{
    double x = in[0], y = in[1], z = in[2], w = in[3];
    out[0] = 3.0 * x * x * x - 2.0 * x * x * y + 4.0 * x * y * y - y * y * y + 0.5 * z * w;
    out[1] = (x - y) * (x - y) + (y - z) * (y - z) + (z - w) * (z - w);
    out[2] = x * y + y * z + z * w + w * x;
    out[3] = (x + y + z + w) / (1.0 + x * x + y * y);
}

// an `if` whose dear branch is not needed most of the time: x, v, t
void native_branch(const double *in, double *out)
{
    double x = in[0], v = in[1], t = in[2];
    out[0] = x > 0.9 ? -K * exp(-x / 0.01) * (1.0 + tanh(v / 0.1)) * sin(3.0 * t) : B * v;
}
