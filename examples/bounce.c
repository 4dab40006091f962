/// bounce.c: a ball dropped on a floor, step by step, in plain C.
///
///     cc bounce.c $(pkg-config --cflags --libs slipstick) -o bounce
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <stdlib.h>

static const char ball[] = "slipstick: 1\n"
                           "name: Ball\n"
                           "coordinates: {y: {start: 1 m}}\n"
                           "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, restitution: 0.8}}\n"
                           "run: {formulation: dai, step: 0.1 ms, until: 2}\n";

int main(void)
{
    // read: all mistakes of the model come at once, with line and caret
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("ball", ball, sizeof ball - 1, NULL, 0, notes, &model) != SLIP_OK) {
        char *text = slip_diagnostics_text(notes);
        fputs(text ? text : "out of memory\n", stderr);
        free(text);
        return 1;
    }

    // simulate: settings as the model says
    slip_sim_def def = slip_default_sim_def();
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }

    // the top of each flight, where the rate turns from up to down: 0.8^2, 0.8^4, 0.8^6 m
    double rate = 0;
    int flight = 0;
    slip_run_outcome outcome;
    do {
        outcome = slip_sim_step(sim);
        double now = slip_sim_get(sim, "y'");
        if (rate > 0 && now <= 0) printf("flight %d: top at %.2f m\n", ++flight, slip_sim_get(sim, "y"));
        rate = now;
    } while (outcome == SLIP_RUNNING);
    printf("%s after %ld steps\n", slip_run_outcome_name(outcome), slip_sim_steps(sim));

    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return outcome == SLIP_DONE ? 0 : 1;
}
