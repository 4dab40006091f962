/// integrator/esdirk4.c: the L-stable ESDIRK method of order 4(3) of Kennedy and Carpenter (Additive
/// Runge-Kutta schemes for convection-diffusion-reaction equations, Applied Numerical Mathematics 44, 2003:
/// the implicit half of ARK4(3)6L[2]SA), gamma = 1/4, with error control.
///
/// Its first stage is explicit, which makes the others exact to second order (stage order 2). A stiff contact
/// on a curved surface requires this: a stage of first order ends on the surface, but with the velocity of
/// the chord instead of the tangent, an error of h v^2/R normal to the surface that no stiffness removes.
/// With stages of second order, and estimates from which stiff modes are removed twice (once would turn an
/// error of position e into one of velocity e/h), steps are as long as the motion along the surface allows.
#include "integrator/dirk.h"

static const slip_dirk method = {
    .gamma = 1 / 4.0,
    .node = { 0.0, 1 / 2.0, 83 / 250.0, 31 / 50.0, 17 / 20.0, 1.0 },
    .a = { { 0.0 },
           { 1 / 4.0, 1 / 4.0 },
           { 8611 / 62500.0, -1743 / 31250.0, 1 / 4.0 },
           { 5012029 / 34652500.0, -654441 / 2922500.0, 174375 / 388108.0, 1 / 4.0 },
           { 15267082809 / 155376265600.0, -71443401 / 120774400.0, 730878875 / 902184768.0,
             2285395 / 8070912.0, 1 / 4.0 },
           { 82889 / 524892.0, 0.0, 15625 / 83664.0, 69875 / 102672.0, -2260 / 8211.0, 1 / 4.0 } },
    // the last row of a minus the embedded weights
    .estimates = 1,
    .error = { { 82889 / 524892.0 - 4586570599 / 29645900160.0, 0.0,
                 15625 / 83664.0 - 178811875 / 945068544.0, 69875 / 102672.0 - 814220225 / 1159782912.0,
                 -2260 / 8211.0 + 3700637 / 11593932.0, 1 / 4.0 - 61727 / 225920.0 } },
    .filters = 2,
    .leftover = 0.01,
    .thrifty = true,
};

static slip_run_outcome esdirk4_step(const slip_ode_problem *p, slip_step_control *control, double t,
                                     const double *x, double most, slip_integrator_work *w, double *out,
                                     double *taken)
{
    return slip_dirk_step(&method, p, control, t, x, most, w, out, taken);
}

static void esdirk4_tableau(slip_tableau *t)
{
    slip_dirk_tableau(&method, t);
}

const slip_integrator slip_integrator_esdirk4 = {
    .info = { "esdirk4",
              "implicit Runge-Kutta 4(3), L-stable, stages of order 2: for stiff contacts on curved surfaces",
              "", "Kennedy and Carpenter 2003, ARK4(3)6L[2]SA" },
    .adaptive = true,
    .implicit = true,
    .any_stiffness = true,
    .layout = slip_dirk_layout,
    .tableau = esdirk4_tableau,
    .step = esdirk4_step,
};
