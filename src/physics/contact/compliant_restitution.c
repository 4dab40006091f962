/// physics/contact/compliant_restitution.c: restitution of compliant contacts in a free impact, in
/// closed form.
///
/// kelvin-voigt, time in units of sqrt(m/K), phi = acos(zeta), w = sin(phi):
///     d = e^(-zeta t) sin(w t)/w,  d'' = e^(-zeta t) sin(w t - 2 phi)/w
/// The force ends at d'' = 0, that is w t = 2 phi, and there d' = -e^(-2 zeta phi/w): the rest of the way
/// out, d > 0 without force, changes nothing.
/// hunt-crossley: v dv/(1 + a v) = -(K/m) d^beta dd with a = 3/2 alpha has the first integral
/// a v - log(1 + a v), which is the same at both ends of the impact, where d = 0.
#include <math.h>

#include "base/elementary.h"
#include "physics/contact/hertz.h"
#include "slipstick/design.h"
#include "physics/contact/contact_law_tolerances.h"

double slip_kelvin_voigt_restitution(double zeta)
{
    if (!(zeta >= 0.0)) return NAN;
    if (zeta < 1.0) {
        double w = sqrt((1.0 - zeta) * (1.0 + zeta));
        return slip_exp(-2.0 * zeta * (w < CRITICAL_FREQUENCY ? 1.0 + w * w / 6.0 : slip_acos(zeta) / w));
    }
    double w = sqrt((zeta - 1.0) * (zeta + 1.0));
    return slip_exp(-2.0 * zeta * (w < CRITICAL_FREQUENCY ? 1.0 - w * w / 6.0 : slip_ln(zeta + w) / w));
}

static double log_of_one_and(double x)
{
    const double sum = 1.0 + x;
    return slip_ln(sum) + (x - (sum - 1.0)) / sum;
}

double slip_impact_integral(double x)
{
    if (fabs(x) > LOGARITHM_SERIES_BELOW) return x - log_of_one_and(x);
    double sum = 0.0, power = x * x;
    for (int k = 2; k <= 14; k++, power *= -x) sum += power / k;
    return sum;
}

double slip_hunt_crossley_restitution(double x)
{
    if (!(x >= 0.0)) return NAN;
    if (x == 0.0) return 1.0;
    double target = slip_impact_integral(x), low = 0.0,
           high = x < 1.0 ? 1.0 : 1.0 / x; // integral(-e x) rises with e
    for (int k = 0; k < 200 && high - low > BISECTION_DONE; k++) {
        double middle = 0.5 * (low + high);
        *(slip_impact_integral(-middle * x) < target ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// the argument at which a falling function has this value
static double invert_decreasing(double (*f)(double), double value)
{
    if (!(value > 0.0 && value <= 1.0)) return NAN;
    double low = 0.0, high = 1.0;
    while (f(high) > value && high < BISECTION_MAX_ARGUMENT) high *= 2.0;
    for (int k = 0; k < 200 && high - low > BISECTION_DONE * high; k++) {
        double middle = 0.5 * (low + high);
        *(f(middle) > value ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// the last answer is remembered: contacts of one model, and the runs of a sweep, mostly ask for the same
double slip_kelvin_voigt_zeta(double restitution)
{
    static _Thread_local double asked = NAN, zeta = NAN;
    if (restitution != asked) {
        zeta = invert_decreasing(slip_kelvin_voigt_restitution, restitution);
        asked = restitution;
    }
    return zeta;
}

double slip_hunt_crossley_x(double restitution)
{
    return invert_decreasing(slip_hunt_crossley_restitution, restitution);
}
