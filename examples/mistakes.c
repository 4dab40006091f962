/// mistakes.c: the three ways in which a call can fail, and what is known then.
///
///     cc mistakes.c $(pkg-config --cflags --libs slipstick) -o mistakes
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <string.h>

static const char wrong[] = "slipstick: 1\n"
                            "name: Ball\n"
                            "coordinates: {y: {start: 1 m}}\n"
                            "energy: {kinetic: 0.5*m*y'^2, potential: 9.81*y}\n"
                            "contacts: {floor: {gap: y, restitutoin: 0.8}}\n";
static const char ball[] = "slipstick: 1\n"
                           "name: Ball\n"
                           "coordinates: {y: {start: 1 m}}\n"
                           "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, restitution: 0.8}}\n"
                           "forces: {y: if(t < 0.5, 0, 1/0)}\n"
                           "run: {formulation: dai, step: 1 ms}\n";

int main(void)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };

    // a file: every mistake at once, with its place; *model stays NULL
    slip_status status = slip_model_read_text("wrong.yaml", wrong, strlen(wrong), NULL, 0, notes, &model);
    printf("%s, %d mistakes\n", slip_status_text(status), slip_diagnostics_error_count(notes));
    for (int k = 0; k < slip_diagnostics_count(notes); k++) {
        const slip_diagnostic d = slip_diagnostics_get(notes, k);
        printf("  line %d, column %d: %s; %s\n", d.line, d.column, d.text, d.hint);
    }
    slip_diagnostics_destroy(notes);

    // a call: a status, a place and a sentence
    notes = slip_diagnostics_create();
    status = slip_model_read_text("ball.yaml", ball, strlen(ball), NULL, 0, notes, &model);
    slip_diagnostics_destroy(notes);
    if (status != SLIP_OK) return 1;
    slip_sim_def def = slip_default_sim_def();
    def.step = -1;
    status = slip_sim_create(model, &def, &error, &sim);
    printf("%s: %s: %s\n", slip_status_text(status), error.where, error.text);

    // a run: an outcome, which is data; the simulation keeps its last good state
    def = slip_default_sim_def();
    def.formulation = "moreau";
    status = slip_sim_create(model, &def, &error, &sim);
    if (status != SLIP_OK) return 1;
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    printf("%s at %.3f s with y = %.4f: %s\n", slip_run_outcome_name(outcome), slip_sim_time(sim),
           slip_sim_get(sim, "y"), slip_run_outcome_text(outcome));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return outcome == SLIP_UNSOLVED ? 0 : 1;
}
