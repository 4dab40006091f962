/// drive.c: a network drives an input of a model, and the model the network: a motor with dry friction.
///
///     cc drive.c $(pkg-config --cflags --libs slipstick) -o drive -lm
///
/// The winding is a component, L i' = U - k w - R i; the rotor is a model. Once in a millisecond they
/// exchange torque and speed. The motor comes to the speed at which k i carries the friction: w = (U - R
/// T/k)/k.
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <string.h>

static const char ROTOR[] = "slipstick: 1\nname: Rotor\n"
                            "parameters: {J: 2e-4 kg m^2, T: 0.02 N m}\n"
                            "coordinates: {th: 0 rad}\nmass: {th: J}\n"
                            "inputs: {torque: 0 N m}\nforces: {th: torque}\n"
                            "frictions: {bearing: {slip: th, limit: T}}\n"
                            "run: {formulation: lcp, until: 10 s}\n";

typedef struct winding {
    double R, L; ///< ohm, V s/A
} winding;

static bool current_rate(void *self, double t, const double *x, const double *force, double *xdot)
{
    const winding *w = self;
    (void)t;
    xdot[0] = (force[0] - w->R * x[0]) / w->L;
    return true;
}

static const slip_admittance winding_type = {
    .name = "winding", .states = 1, .forces = 1, .motions = 1, .rate = current_rate
};

int main(void)
{
    const double k = 0.05, U = 12.0; // V s, V
    winding coil = { 1.0, 1e-2 };
    slip_error error = { 0 };
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *rotor = NULL;
    slip_net *net = slip_net_create();
    const int current = slip_net_add_admittance(net, &winding_type, &coil, NULL),
              supply = slip_net_add_input(net, U), back = slip_net_add_input(net, 0.0);
    slip_net_wire(net, supply, 0, current, 0, 1.0);
    slip_net_wire(net, back, 0, current, 0, 1.0);
    slip_net_def def = slip_default_net_def();
    if (slip_model_read_text("rotor.yaml", ROTOR, strlen(ROTOR), NULL, 0, notes, &model) != SLIP_OK ||
        slip_sim_create(model, NULL, &error, &rotor) != SLIP_OK ||
        slip_net_ready(net, &def, &error) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    for (int n = 1; n <= 2000; n++) {
        slip_sim_set_input(rotor, "torque", k * slip_net_output(net, current, 0), &error);
        slip_sim_step_to(rotor, slip_net_time(net) + def.step);
        slip_net_set_input(net, back, -k * slip_sim_get(rotor, "th'"));
        slip_net_step(net);
        if (n == 4 || n == 5 || n % 500 == 0)
            printf("%6.3f s  %7.4f A  %8.3f rad/s\n", slip_net_time(net), slip_net_output(net, current, 0),
                   slip_sim_get(rotor, "th'"));
    }
    printf("steady state: %.4f A, %.3f rad/s\n", 0.02 / k, (U - coil.R * 0.02 / k) / k);
    slip_net_destroy(net);
    slip_sim_destroy(rotor);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return 0;
}
