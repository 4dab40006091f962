/// physics/contact/hertz.c: Hertz's contact in closed forms. See hertz.h.
#include "physics/contact/hertz.h"

#include <math.h>

#include "base/elementary.h"
#include "physics/contact/contact_law_tolerances.h"

double slip_hertz_modulus(const double young[2], const double poisson[2])
{
    return 1.0 / ((1.0 - poisson[0] * poisson[0]) / young[0] + (1.0 - poisson[1] * poisson[1]) / young[1]);
}

double slip_hertz_stiffness(double modulus, double radius)
{
    return 4.0 / 3.0 * modulus * sqrt(radius);
}

double slip_hertz_pressure(double force, double modulus, double radius)
{
    const double pi = 3.14159265358979323846;
    return slip_pow(6.0 * force * modulus * modulus / (pi * pi * pi * radius * radius), 1.0 / 3.0);
}

double slip_elastic_peak_force(double K, double n, double mass, double speed)
{
    return K * slip_pow(0.5 * (n + 1.0) * mass * speed * speed / K, n / (n + 1.0));
}

// the force where the speed is w of that at touch-down, over the elastic peak; from the first integral of
// m v dv = -K d^n (1 + x v) dd
static double force_at(double n, double x, double w)
{
    const double energy =
        x > 0.0 ? 2.0 * (slip_impact_integral(x) - slip_impact_integral(x * w)) / (x * x) : 1.0 - w * w;
    return slip_pow(fmax(energy, 0.0), n / (n + 1.0)) * (1.0 + x * w);
}

// the force rises from touch-down to its peak, and falls from there to the turn: one maximum
double slip_damped_peak_ratio(double n, double x)
{
    double low = 0.0, high = 1.0;
    while (high - low > PEAK_SPEED_RESOLUTION) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (force_at(n, x, a) < force_at(n, x, b))
            low = a;
        else
            high = b;
    }
    return force_at(n, x, 0.5 * (low + high));
}
