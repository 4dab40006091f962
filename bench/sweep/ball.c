/// ball.c: a ball that bounces, as a person would write it for this one case.
#include <math.h>

#include "bench_sweep.h"

static const double g = 9.81;

static void rate(const double *x, double *k)
{
    k[0] = x[1];
    k[1] = -g;
}

// one step of Cash and Karp's pair; the scaled error of the embedded one
static double attempt(const double *x, const double *k1, double h, double *out)
{
    static const double b[6][5] = {
        { 0 },
        { 1 / 5.0 },
        { 3 / 40.0, 9 / 40.0 },
        { 3 / 10.0, -9 / 10.0, 6 / 5.0 },
        { -11 / 54.0, 5 / 2.0, -70 / 27.0, 35 / 27.0 },
        { 1631 / 55296.0, 175 / 512.0, 575 / 13824.0, 44275 / 110592.0, 253 / 4096.0 },
    };
    static const double c5[6] = { 37 / 378.0, 0, 250 / 621.0, 125 / 594.0, 0, 512 / 1771.0 };
    static const double c4[6] = {
        2825 / 27648.0, 0, 18575 / 48384.0, 13525 / 55296.0, 277 / 14336.0, 1 / 4.0
    };
    double k[6][2] = { { k1[0], k1[1] } }, error = 0.0;
    for (int s = 1; s < 6; s++) {
        double y[2];
        for (int i = 0; i < 2; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += b[s][j] * k[j][i];
            y[i] = x[i] + h * sum;
        }
        rate(y, k[s]);
    }
    for (int i = 0; i < 2; i++) {
        double high = 0.0, low = 0.0;
        for (int j = 0; j < 6; j++) high += c5[j] * k[j][i], low += c4[j] * k[j][i];
        out[i] = x[i] + h * high;
        const double e = h * (high - low) / (1e-9 + 1e-6 * fmax(fabs(x[i]), fabs(out[i])));
        error += e * e;
    }
    return sqrt(0.5 * error);
}

// the step that ends on the floor
static double locate(const double *x, const double *k, double h, double *end)
{
    double a = 0.0, b = h, fa = x[0], fb = end[0];
    int run = 0;
    while (b - a > 2e-13) {
        double s = a + (b - a) * fa / (fa - fb);
        s = fmin(fmax(s, a + 0.8e-13), b - 0.8e-13);
        attempt(x, k, s, end);
        if (end[0] > 0.0) {
            a = s, fa = end[0];
            run = run > 0 ? run + 1 : 1;
            if (run > 1) fb *= 0.5;
        } else {
            b = s, fb = end[0];
            run = run < 0 ? run - 1 : -1;
            if (run < -1) fa *= 0.5;
        }
    }
    attempt(x, k, b, end);
    return b;
}

long native_ball(double height, double restitution, double until, double *y)
{
    double t = 0.0, x[2] = { height, 0.0 }, next = 1e-3, end[2], k[2];
    const double longest = until / 50.0;
    long steps = 0;
    while (t < until - 1e-12) {
        double h = fmin(fmin(next, longest), until - t);
        rate(x, k);
        const double error = attempt(x, k, h, end);
        next = h * fmin(5.0, fmax(0.1, 0.75 * pow(error + 1e-300, -0.2)));
        if (error > 1.0) continue;
        steps++;
        const int strikes = end[0] <= 0.0;
        if (strikes) h = locate(x, k, h, end);
        t += h;
        x[0] = strikes ? 0.0 : end[0];
        x[1] = strikes ? -restitution * end[1] : end[1];
    }
    *y = x[0];
    return steps;
}
