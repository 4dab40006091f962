/// physics/contact/hertz.h: Hertz's contact of two elastic bodies, and the force of an impact on it.
///
/// Johnson, Contact Mechanics, 1985, sections 4.2 and 11.4: two bodies with the moduli E1, E2 and Poisson's ratios
/// that touch in a point where 1/R = 1/R1 + 1/R2 push each other by
///     N = K d^(3/2),  K = 4/3 E* sqrt(R),  1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2
/// and the greatest pressure is p0 = (6 N E*^2/(pi^3 R^2))^(1/3).
#ifndef SLIP_PHYSICS_CONTACT_HERTZ_H
#define SLIP_PHYSICS_CONTACT_HERTZ_H

double slip_hertz_modulus(const double young[2], const double poisson[2]); ///< E*, Pa
double slip_hertz_stiffness(double modulus, double radius);                ///< K, N/m^1.5
double slip_hertz_pressure(double force, double modulus, double radius);   ///< p0, Pa

/// N, greatest force of the elastic impact of a mass at a speed on N = K d^exponent: all kinetic energy is that of
/// the spring.
double slip_elastic_peak_force(double stiffness, double exponent, double mass, double speed);

/// x - log(1 + x), without cancellation for small x: the first integral of an impact on a damped contact, where
/// x = 3/2 alpha v.
double slip_impact_integral(double x);

/// The greatest force of N = K d^exponent (1 + x d'/v) in an impact at the speed v, over that of x = 0.
double slip_damped_peak_ratio(double exponent, double x);

#endif
