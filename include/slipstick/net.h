/// net.h: a mechanical system as a network of components that move and components that push.
///
/// After Kikuuwe and Yamamoto 2008, eqs (6), (9), (13), (22):
///     admittance   x' = A(t, x, force)                        what moves: forces in, motion out
///     impedance    [force, y'] = I(t, motion, y; tau)         what pushes: motion in, forces out
/// Wires carry motion from admittances to impedances and forces back, each times a factor, and add up where
/// they meet; inputs carry what comes from outside: a device, a controller, a measurement.
///
///     double M = 0.3;
///     slip_net *net = slip_net_create();
///     int mass = slip_net_add_admittance(net, slip_net_mass(1), &M, NULL);
///     int rub = slip_net_add_law(net, law);                       // law.h
///     int hand = slip_net_add_input(net, 0.0);
///     slip_net_wire(net, mass, 1, rub, 0, 1.0);                   // its velocity rubs ...
///     slip_net_wire(net, rub, 0, mass, 0, -1.0);                  // ... and is opposed
///     slip_net_wire(net, hand, 0, mass, 0, 1.0);
///     slip_net_def def = slip_default_net_def();
///     if (slip_net_ready(net, &def, &error) != SLIP_OK) ...
///     for (;;) { slip_net_set_input(net, hand, measured()); slip_net_step(net); ... }
///
/// Mistakes while building are kept and reported by slip_net_ready. A step allocates nothing, makes a fixed
/// number of calls and gives the same bits every time, also when the loops over components run in parallel:
/// no component sees another one but through its wires, whose sums have one fixed order.
#ifndef SLIPSTICK_NET_H
#define SLIPSTICK_NET_H

#include <stdbool.h>

#include "slipstick/law.h"
#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_net slip_net;

/// A kind of component that moves. `self` is the user's data of one component, given when it is added.
typedef struct slip_admittance {
    const char *name;
    int states;  ///< x
    int forces;  ///< ports in
    int motions; ///< ports out
    /// xdot from x and the sums of forces at its ports. False when it cannot be had; the step then fails.
    bool (*rate)(void *self, double t, const double *x, const double *force, double *xdot);
    /// What its ports show; NULL: the states themselves, one by one.
    void (*motion)(void *self, const double *x, double *motion);
} slip_admittance;

/// A kind of component that pushes.
typedef struct slip_impedance {
    const char *name;
    int states;  ///< y
    int motions; ///< ports in
    int forces;  ///< ports out
    /// Forces and ydot. tau is the step that the stage stands for, T_r of eq (21); 0 under plain rk4.
    void (*force)(void *self, double t, double tau, const double *motion, const double *y, double *force,
                  double *ydot);
} slip_impedance;

// ------------------------------------------------------------------------------------------ building

slip_net *slip_net_create(void);      ///< NULL when out of memory
void slip_net_destroy(slip_net *net); ///< types, laws and `self` stay the caller's

/// Each gives the number of the component, or -1 after a mistake. `type` and `self` must outlive the net;
/// `start` has one number per state, NULL for all 0.
int slip_net_add_admittance(slip_net *net, const slip_admittance *type, void *self, const double *start);

/// The same for a component that pushes.
int slip_net_add_impedance(slip_net *net, const slip_impedance *type, void *self, const double *start);

/// Friction by a law of the library as an impedance: its ports are the components of velocity and force.
int slip_net_add_law(slip_net *net, slip_friction_law *law);

/// A number that is set from outside; one port out.
int slip_net_add_input(slip_net *net, double value);

/// Adds `factor` times an output of one component to an input of another: motion of an admittance to an
/// impedance, force of an impedance to an admittance, an input to either. Any number may meet at a port.
void slip_net_wire(slip_net *net, int from, int output, int to, int input, double factor);

/// Runs body(argument, k) for k = 0 .. count - 1, in any order, on any number of threads, and returns when
/// all are done.
typedef void slip_net_loop(void *context, int count, void (*body)(void *argument, int k), void *argument);

typedef struct slip_net_def {
    const char *integrator; ///< rk4 or rk4-generalised: fixed step, bounded time (rk4-generalised)
    double step;            ///< s (1e-3)
    slip_net_loop *loop;    ///< how components are run; NULL: one after the other (NULL)
    void *context;          ///< for loop
} slip_net_def;

slip_net_def slip_default_net_def(void); ///< the defaults in parentheses above

/// Checks the network and takes its memory. Once; nothing can be added afterwards.
slip_status slip_net_ready(slip_net *net, const slip_net_def *def, slip_error *error);

// ------------------------------------------------------------------------------------------- running

/// The value of an input from now on.
void slip_net_set_input(slip_net *net, int input, double value);

/// One step. SLIP_RUNNING, or SLIP_BLOWN_UP when a state would not be finite or a rate cannot be had: the
/// state is then the one before the step.
slip_run_outcome slip_net_step(slip_net *net);

double slip_net_time(const slip_net *net); ///< number of steps times step

/// States of a component: an address that holds for the life of the network.
const double *slip_net_state(const slip_net *net, int component);

/// Changes a state from outside.
void slip_net_set_state(slip_net *net, int component, int state, double value);

/// Output `port` of a component at the present time: a motion, a force or an input. Evaluates the network
/// when that has not happened since the last step or change.
double slip_net_output(slip_net *net, int component, int port);

// -------------------------------------------------------------------------------- ready-made components

/// Eq (7): a point mass; `self` is a double, its mass. States and motions p, v; one force per dimension.
/// NULL unless 1 <= dimensions <= 3.
const slip_admittance *slip_net_mass(int dimensions);

/// Eqs (25), (26): a rigid body. States and motions: p (3), v (3), q (4, scalar first), w (3, fixed frame);
/// forces: force (3), moment about the centre (3), fixed frame. q' = (0, w) q/2; q is not renormalised, its
/// length only drifts with the order of the scheme and does not enter the motion.
typedef struct slip_rigid_body {
    double mass;
    double inertia[3]; ///< principal, in the frame of the body
} slip_rigid_body;
const slip_admittance *slip_net_rigid(void); ///< the type of a rigid body; `self` is a slip_rigid_body

/// Eq (10): f = K p + B v. Motions p, v; one force per dimension, to be wired with factor -1 to what moves.
typedef struct slip_spring_damper {
    double K, B;
} slip_spring_damper;

/// The type of a spring and damper; `self` is a slip_spring_damper. NULL unless 1 <= dimensions <= 3.
const slip_impedance *slip_net_spring_damper(int dimensions);

/// fricK, eq (19), for one to three components: force and rate of e from v and e, both over one stage of step
/// tau. The force has the sign of v. K, B > 0, F >= 0.
void slip_frick(int components, double K, double B, double F, const double *v, const double *e, double tau,
                double *force, double *rate);

/// fricKN, eq (23): contact with the plane z = 0 and friction on it. Motions p_z, v_x, v_y, v_z; states e_x,
/// e_y; forces f_x, f_y, f_z by the body on the plane, to be wired with factor -1. The radius of friction is
/// never negative (erratum); a contact that may pull does so while it is leaving fast, as printed.
typedef struct slip_plane_contact {
    double K, B; ///< N/m, N s/m
    double mu;
    bool may_pull; ///< (false)
} slip_plane_contact;

/// The type of a contact with the plane; `self` is a slip_plane_contact.
const slip_impedance *slip_net_plane_contact(void);

#ifdef __cplusplus
}
#endif
#endif
