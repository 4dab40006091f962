/// haptic.h: a plate with ten rubber feet that a hand drags over a table, as a network of components.
///
/// The hand is known by its measured position alone; it holds the plate through a spring and damper (a
/// virtual coupling). Every foot is a component of its own, written here in plain C.
#ifndef HAPTIC_H
#define HAPTIC_H

#include <slipstick/slipstick.h>

enum { FEET = 10 };

/// One foot: where it is on the plate, and the table under it.
typedef struct foot {
    double at[3];    ///< m, in the frame of the plate
    double K, B, mu; ///< N/m, N s/m
} foot;

typedef struct plate {
    slip_rigid_body body;
    foot feet[FEET];
    slip_spring_damper grip;
    slip_net *net;
    int number, foot[FEET], coupling;
    int hand[3], hand_rate[3]; ///< inputs: measured position and velocity
} plate;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Motion in: the 13 states of the plate. Forces out: force and moment on the plate.
static inline void foot_force(void *self, double t, double tau, const double *x, const double *e,
                              double *force, double *rate)
{
    (void)t;
    const foot *f = self;
    const double *q = x + 6;
    double a[3], arm[3], turn[3], v[3], rub[2];
    // arm = at + 2 q x (q x at + q0 at): the foot seen from the centre, in the fixed frame
    cross(q + 1, f->at, a);
    for (int k = 0; k < 3; k++) a[k] += q[0] * f->at[k];
    cross(q + 1, a, arm);
    for (int k = 0; k < 3; k++) arm[k] = f->at[k] + 2.0 * arm[k];
    cross(x + 10, arm, turn);
    for (int k = 0; k < 3; k++) v[k] = x[3 + k] + turn[k];
    double depth = -(x[2] + arm[2]), load = depth > 0.0 ? larger(0.0, f->K * depth - f->B * v[2]) : 0.0;
    slip_frick(2, f->K, f->B, f->mu * load, v, e, tau, rub, rate);
    force[0] = -rub[0];
    force[1] = -rub[1];
    force[2] = load;
    cross(arm, force, force + 3);
}

static const slip_impedance foot_type = { "foot", 2, 13, 6, foot_force };

/// A plate of 0.5 kg, 30 cm by 12 cm, with two rows of five feet, standing on the table.
static inline slip_status make_plate(plate *p, double K, double B, double step, slip_error *error)
{
    const double M = 0.5, g = 9.81, mu = 0.6;
    p->body = (slip_rigid_body){ M, { M * 0.0012, M * 0.0075, M * 0.0087 } };
    p->grip = (slip_spring_damper){ 400, 10 };
    p->net = slip_net_create();
    if (!p->net) return SLIP_NO_MEMORY;
    const double start[13] = { [2] = 0.01 - M * g / (FEET * K), [6] = 1 };
    p->number = slip_net_add_admittance(p->net, slip_net_rigid(), &p->body, start);
    for (int k = 0; k < FEET; k++) {
        p->feet[k] = (foot){ { 0.06 * (k % 5 - 2), k < 5 ? -0.05 : 0.05, -0.01 }, K, B, mu };
        p->foot[k] = slip_net_add_impedance(p->net, &foot_type, &p->feet[k], NULL);
        for (int i = 0; i < 13; i++) slip_net_wire(p->net, p->number, i, p->foot[k], i, 1);
        for (int i = 0; i < 6; i++) slip_net_wire(p->net, p->foot[k], i, p->number, i, 1);
    }
    int weight = slip_net_add_input(p->net, -M * g);
    slip_net_wire(p->net, weight, 0, p->number, 2, 1);
    p->coupling = slip_net_add_impedance(p->net, slip_net_spring_damper(3), &p->grip, NULL);
    for (int i = 0; i < 3; i++) {
        p->hand[i] = slip_net_add_input(p->net, start[i]);
        p->hand_rate[i] = slip_net_add_input(p->net, 0);
        slip_net_wire(p->net, p->hand[i], 0, p->coupling, i, 1);
        slip_net_wire(p->net, p->number, i, p->coupling, i, -1);
        slip_net_wire(p->net, p->hand_rate[i], 0, p->coupling, 3 + i, 1);
        slip_net_wire(p->net, p->number, 3 + i, p->coupling, 3 + i, -1);
        slip_net_wire(p->net, p->coupling, i, p->number, i, 1);
    }
    slip_net_def def = slip_default_net_def();
    def.step = step;
    return slip_net_ready(p->net, &def, error);
}

/// Where the hand is: it presses, drags the plate 10 cm along the table within a second, and holds still.
static inline void move_hand(plate *p, double t)
{
    double s = smaller(larger(t - 0.5, 0.0), 1.0), along = 0.1 * s * s * (3 - 2 * s),
           speed = 0.6 * s * (1 - s);
    slip_net_set_input(p->net, p->hand[0], along);
    slip_net_set_input(p->net, p->hand_rate[0], speed);
    slip_net_set_input(p->net, p->hand[2], -0.002);
}

#endif
