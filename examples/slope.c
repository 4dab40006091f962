/// slope.c: a block on a slope: own loop, events as they happen, the energy ledger.
///
///     cc slope.c $(pkg-config --cflags --libs slipstick) -o slope
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <stdlib.h>

static const char block[] = "slipstick: 1\n"
                            "name: Block on a slope\n"
                            "parameters: {m: 1 kg, g: 9.81, slope: 10 deg, mu: 0.3}\n"
                            "coordinates: {x: {rate: 1.5 m/s}, y: 0}\n"
                            "energy:\n"
                            "  kinetic: 0.5*m*(x'^2 + y'^2)\n"
                            "  potential: m*g*(y*cos(slope) - x*sin(slope))\n"
                            "contacts: {ground: {gap: y, slip: x, friction: mu}}\n"
                            "record: {load: ground.normal}\n"
                            "run: {formulation: moreau, step: 1 ms, until: 3}\n";

// called within slip_sim_step; the strings live as long as the simulation
static void on_event(void *context, const slip_event *event)
{
    int *count = context;
    ++*count;
    printf("%.3f s: %s: %s\n", event->t, event->element, slip_event_name(event->kind));
}

int main(void)
{
    const char *const sets[] = { "mu=0.25" }; // as after --set
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    int events = 0;
    if (slip_model_read_text("block", block, sizeof block - 1, sets, 1, notes, &model) != SLIP_OK) {
        char *text = slip_diagnostics_text(notes);
        fputs(text ? text : "out of memory\n", stderr);
        free(text);
        return 1;
    }
    if (slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) { // NULL: settings as the model says
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    slip_sim_on_event(sim, on_event, &events);

    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) {
        outcome = slip_sim_step(sim);
        if (slip_sim_steps(sim) % 1000 == 0)
            printf("%.0f s: x = %.3f m, x' = %.3f m/s, load %.3f N\n", slip_sim_time(sim),
                   slip_sim_get(sim, "x"), slip_sim_get(sim, "x'"), slip_sim_get(sim, "load"));
    }
    const slip_energy e = slip_sim_energy(sim);
    printf("%s with %d events; friction took %.3f J, the scheme itself %s\n", slip_run_outcome_name(outcome),
           events, e.friction, e.numerical < 1e-9 && e.numerical > -1e-9 ? "nothing" : "something");
    for (int k = 0; slip_sim_warning(sim, k); k++) printf("warning: %s\n", slip_sim_warning(sim, k));

    slip_sim_destroy(sim); // before its model
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return outcome == SLIP_DONE ? 0 : 1;
}
