/// component.c: a network with components of our own: a pendulum that strikes a rubber stop.
///
///     cc component.c $(pkg-config --cflags --libs slipstick) -o component -lm
///
/// What moves takes forces and gives motion, what pushes takes motion and gives forces; each is a table with
/// one function. Friction in the pivot is a law of the library.
#include <slipstick/slipstick.h>

#include <math.h>
#include <stdio.h>

typedef struct pendulum {
    double inertia, weight; ///< kg m^2, N m
} pendulum;

static bool pendulum_rate(void *self, double t, const double *x, const double *force, double *xdot)
{
    const pendulum *p = self;
    (void)t;
    xdot[0] = x[1];
    xdot[1] = (force[0] - p->weight * sin(x[0])) / p->inertia;
    return true;
}

// states th, th' are also what its ports show
static const slip_admittance pendulum_type = {
    .name = "pendulum", .states = 2, .forces = 1, .motions = 2, .rate = pendulum_rate
};

typedef struct stop {
    double at, K, B; ///< rad, N m/rad, N m s/rad
} stop;

static void stop_force(void *self, double t, double tau, const double *motion, const double *y, double *force,
                       double *ydot)
{
    const stop *s = self;
    const double depth = motion[0] - s->at, push = s->K * depth + s->B * motion[1];
    (void)t, (void)tau, (void)y, (void)ydot;
    force[0] = depth > 0 && push > 0 ? -push : 0; // rubber does not pull
}

static const slip_impedance stop_type = {
    .name = "stop", .states = 0, .motions = 2, .forces = 1, .force = stop_force
};

int main(void)
{
    pendulum arm = { 0.1, 2.0 };
    stop rubber = { 0.2, 200, 0.5 };
    const double start[2] = { -1.0, 0.0 };
    const slip_law_value values[] = { { "stiffness", 500 }, { "damping", 1 } };
    slip_friction_law *law = NULL;
    slip_error error = { 0 };
    slip_net *net = slip_net_create();
    if (!net || slip_law_create("kikuuwe", 0.05, 1, values, 2, &error, &law) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    const int moves = slip_net_add_admittance(net, &pendulum_type, &arm, start),
              pushes = slip_net_add_impedance(net, &stop_type, &rubber, NULL),
              rubs = slip_net_add_law(net, law);
    slip_net_wire(net, moves, 0, pushes, 0, 1.0); // angle and rate to the stop
    slip_net_wire(net, moves, 1, pushes, 1, 1.0);
    slip_net_wire(net, pushes, 0, moves, 0, 1.0); // its torque back
    slip_net_wire(net, moves, 1, rubs, 0, 1.0);   // friction carries the sign of the velocity ...
    slip_net_wire(net, rubs, 0, moves, 0, -1.0);  // ... and is subtracted
    slip_net_def def = slip_default_net_def();
    def.step = 1e-4;
    if (slip_net_ready(net, &def, &error) != SLIP_OK) { // mistakes in the wiring are told here
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }

    const double *x = slip_net_state(net, moves);
    double rate = 0, deepest = 0;
    int strikes = 0;
    for (int k = 0; k < 100000; k++) {
        const bool before = x[0] > rubber.at;
        rate = x[1];
        if (slip_net_step(net) != SLIP_RUNNING) return 1;
        deepest = fmax(deepest, x[0] - rubber.at);
        if (!before && x[0] > rubber.at && ++strikes <= 3) printf("strike %d at %.2f rad/s\n", strikes, rate);
    }
    printf("%d strikes, %.1f mrad deep at most; at rest at %.3f rad, held by friction\n", strikes,
           1e3 * deepest, x[0]);
    const bool rests = fabs(x[1]) < 1e-6;
    slip_net_destroy(net); // x was its memory
    slip_law_destroy(law);
    return rests ? 0 : 1;
}
