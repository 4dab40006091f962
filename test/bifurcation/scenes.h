/// scenes.h: the systems of test/truth/cycles as models.
#ifndef SLIP_TEST_CYCLE_SCENES_H
#define SLIP_TEST_CYCLE_SCENES_H

#include <math.h>

#include "models.h"

static const char oscillator[] = "slipstick: 1\n"
                                 "name: impact oscillator\n"
                                 "parameters: {z: 0.05, F: 1, w: 1.5, c: 0.5, r: 0.8, x0: 0, v0: 0}\n"
                                 "coordinates: {x: {start: x0, rate: v0}}\n"
                                 "energy: {kinetic: x'^2/2, potential: x^2/2}\n"
                                 "forces: {x: F*cos(w*t) - 2*z*x'}\n"
                                 "contacts: {wall: {gap: c - x, restitution: r}}\n"
                                 "run: {until: 200}\n";

static const char table[] =
    "slipstick: 1\n"
    "name: ball on a table\n"
    "parameters: {e: 0.5, w: 62.83185307179586, g: 9.81, Gamma: 1.1, A: Gamma*g/w^2}\n"
    "coordinates: {y: {start: 0.01}}\n"
    "energy: {kinetic: y'^2/2, potential: g*y}\n"
    "contacts: {table: {gap: y - A*sin(w*t), restitution: e}}\n"
    "run: {until: 10}\n";

static const char belt[] = "slipstick: 1\n"
                           "name: belt with constant friction\n"
                           "parameters: {m: 1, k: 1, v: 0.2, Fs: 1, Fk: 0.6}\n"
                           "coordinates: {x: {start: 0.3}}\n"
                           "energy: {kinetic: m*x'^2/2, potential: k*x^2/2}\n"
                           "frictions: {belt: {slip': x' - v, limit: Fk, static: Fs}}\n"
                           "run: {until: 40}\n";

static const char stribeck[] = "slipstick: 1\n"
                               "name: belt with falling friction\n"
                               "parameters: {m: 1, k: 1, c: 0, v: 0.2, Fs: 1, delta: 3}\n"
                               "coordinates: {x: {start: 0.3}}\n"
                               "energy: {kinetic: m*x'^2/2, potential: k*x^2/2}\n"
                               "forces: {x: -c*x'}\n"
                               "frictions: {belt: {slip': x' - v, limit: Fs/(1 + delta*abs(x' - v))}}\n"
                               "run: {until: 60}\n";

static const char hartog[] = "slipstick: 1\n"
                             "name: forced oscillator with dry friction\n"
                             "parameters: {F: 1, f: 0.3, w: 0.8}\n"
                             "coordinates: {x: {start: 0}}\n"
                             "energy: {kinetic: x'^2/2, potential: x^2/2}\n"
                             "forces: {x: F*cos(w*t)}\n"
                             "frictions: {rub: {slip: x, limit: f}}\n"
                             "run: {until: 200}\n";

static const char chain[] =
    "slipstick: 1\n"
    "name: two masses, one strikes a wall\n"
    "parameters: {m1: 1, m2: 1.8, k1: 1, k2: 3.7, d1: 0.04, d2: 0.148, F1: 1, c: 0, r: 0.8, w: 1}\n"
    "coordinates: {x1: {}, x2: {start: -0.1}}\n"
    "energy: {kinetic: (m1*x1'^2 + m2*x2'^2)/2, potential: (k1*x1^2 + k2*(x2 - x1)^2)/2}\n"
    "forces: {x1: F1*cos(w*t) - d1*x1' + d2*(x2' - x1'), x2: -d2*(x2' - x1')}\n"
    "contacts: {wall: {gap: c - x2, restitution: r}}\n"
    "run: {until: 300}\n";

static const char walker[] = "slipstick: 1\n"
                             "name: simplest walking model\n"
                             "parameters: {gamma: 0.009}\n"
                             "coordinates: {theta: {}, phi: {}}\n"
                             "mass: {theta: 1, phi: 1}\n"
                             "forces: {theta: sin(theta - gamma), phi: sin(theta - gamma) + (theta'^2 - "
                             "cos(theta - gamma))*sin(phi)}\n"
                             "when:\n"
                             "  strike:\n"
                             "    condition: phi > 2*theta\n"
                             "    guard: theta < -0.05\n"
                             "    set: {theta: -theta, theta': cos(2*theta)*theta', phi: -2*theta,\n"
                             "          phi': cos(2*theta)*(1 - cos(2*theta))*theta'}\n"
                             "run: {until: 40}\n";

/// One-impact orbits are given by their impact: from the state just behind it the state at t = 0 is found by
/// a short run, so that unstable orbits can be started from too.
static inline void start_at_impact(const char *sets, int n, double w, double phase, double v, double r,
                                   double c, char *start)
{
    char all[200];
    const double pi = acos(-1.0);
    snprintf(all, sizeof all, "%s;x0=%.17g;v0=%.17g;F=0", sets, c, -r * v);
    // the same oscillator with its clock moved: F cos(w t + phase)
    char text[700];
    snprintf(
        text, sizeof text,
        "slipstick: 1\nname: shifted\nparameters: {z: 0.05, F: 1, w: 1.5, c: 0.5, r: 0.8, x0: 0, v0: 0}\n"
        "coordinates: {x: {start: x0, rate: v0}}\nenergy: {kinetic: x'^2/2, potential: x^2/2}\n"
        "forces: {x: cos(w*t + %.17g) - 2*z*x'}\nrun: {until: %.17g, relative: 1e-12, absolute: 1e-13}\n",
        phase, (2.0 * pi * n - phase) / w);
    slip_model *model = read_model("", text, all, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    slip_sim *sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    sprintf(start, "x=%.17g, x'=%.17g", slip_sim_get(sim, "x"), slip_sim_get(sim, "x'"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

/// Launched at the phase of the node, about where it is at t = 0.
static inline void start_on_table(double e, double Gamma, char *start)
{
    const double pi = acos(-1.0), w = 62.83185307179586, g = 9.81, T = 0.1, A = Gamma * g / (w * w);
    double phi = acos(pi * (1.0 - e) / (1.0 + e) / Gamma), flight = (2.0 * pi - phi) / w;
    sprintf(start, "y=%.17g, y'=%.17g", A * sin(phi) + 0.5 * g * T * flight - 0.5 * g * flight * flight,
            0.5 * g * T - g * flight);
}

#endif
