/// design.h: from physical wishes to the constants of a formulation.
///
/// Formulation dai (Xiong 2013) has no coefficient of restitution; it has K, alpha and beta, and the
/// paper leaves their choice to trial and error. In a free impact of mass m the motion in contact is
/// linear, so everything follows from two groups, with w = sqrt(K/m):
///     a = alpha w,  b = beta w
/// and nothing depends on the speed: restitution, and in units of 1/w the contact time, of
/// (impact speed)/w the penetration, of (impact speed) sqrt(K m) the peak force.
#ifndef SLIPSTICK_DESIGN_H
#define SLIPSTICK_DESIGN_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A free impact under dai, in the units above.
typedef struct slip_dai_free_impact {
    double restitution; ///< speed after / speed before
    double duration;    ///< w t from touch to release
    double penetration; ///< w |p| / v
    double peak_force;  ///< f / (v sqrt(K m))
    double release;     ///< w |p| / v where the contact ends
} slip_dai_free_impact;

/// Exact (to about 1e-12) for alpha/beta in (0, 1] and beta w in (0, 1000]; NaN outside, and for
/// alpha w below 1e-4.
slip_dai_free_impact slip_dai_impact(double alpha_over_beta, double beta_w);

/// The inverse: alpha/beta that gives the wanted restitution at this beta w. Restitution rises with
/// alpha/beta up to 1 at alpha = beta. Below what is reachable: NaN.
double slip_dai_ratio(double restitution, double beta_w);

/// The constants for a wanted restitution, mass and step. As stiff as an explicit step of that length
/// resolves: in a free impact under rk4 the restitution is met within 0.25 % from 0.3 up, whatever the
/// phase of touchdown within a step, the mass and the speed. A force f that acts meanwhile, such as
/// gravity, takes release f/(m v) of it: up to 2.4 T f/(m v) at 0.3 and nothing at 1. A wish below 0.133 gets
/// that. NaN where an argument makes no sense.
typedef struct slip_dai_design {
    double K, alpha, beta; ///< of the contact
    double K_t, beta_t;    ///< of friction on the same mass
    double restitution;    ///< that these constants give
    bool reachable;        ///< false: the wish was below the range and `restitution` is the nearest value
    double contact_time;   ///< s
    double penetration;    ///< m per m/s of impact speed
    double peak_force;     ///< N per m/s of impact speed
    double release;        ///< m per m/s of impact speed: how deep the contact ends
} slip_dai_design;

/// The constants; see slip_dai_design.
slip_dai_design slip_design_dai(double restitution, double mass, double step);

/// The same for an integrator that takes any stiffness: w = 1/tau, and restitutions down to 0.005.
slip_dai_design slip_design_dai_stiff(double restitution, double mass, double tau);

/// The design as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_dai_design_json(const slip_dai_design *design);

/// K and beta for friction alone on this mass.
void slip_design_dai_friction(double mass, double step, double *K_t, double *beta_t);

/// Free impacts of compliant contacts (Song 2001, eqs 10 and 11, without suction): speed after / speed
/// before. kelvin-voigt: for zeta = C/(2 sqrt(K m)) it is exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)), whatever
/// the speed.
double slip_kelvin_voigt_restitution(double zeta);

/// hunt-crossley: x - log(1 + x) = -e x - log(1 - e x) for x = 3/2 alpha (impact speed), whatever K and
/// exponent.
double slip_hunt_crossley_restitution(double x);

/// The inverse, for 0 < e <= 1; NaN outside.
double slip_kelvin_voigt_zeta(double restitution);

/// The inverse, for 0 < e <= 1; NaN outside.
double slip_hunt_crossley_x(double restitution);

#ifdef __cplusplus
}
#endif
#endif
