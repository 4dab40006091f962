/// calibrate.c: friction from a slide that was measured, with its uncertainty, as numbers and as JSON.
///
///     cc calibrate.c $(pkg-config --cflags --libs slipstick) -o calibrate
#include <slipstick/slipstick.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char block[] = "slipstick: 1\n"
                            "name: Block on a table\n"
                            "parameters: {g: 9.81, mu: 0.2, v0: 2 m/s}\n"
                            "coordinates: {x: {rate: v0}, y: 0}\n"
                            "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: g*y}\n"
                            "contacts: {table: {gap: y, slip: x, friction: mu}}\n"
                            "run: {formulation: lcp}\n";

enum { ROWS = 12 };

// v0 = 2.5 m/s and mu = 0.3, read off to a millimetre
static void measure(double *t, double *x)
{
    for (int k = 0; k < ROWS; k++) {
        t[k] = 0.05 * (k + 1);
        x[k] = round(1000.0 * (2.5 * t[k] - 0.5 * 0.3 * 9.81 * t[k] * t[k])) / 1000.0;
    }
}

int main(void)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("block", block, sizeof block - 1, NULL, 0, notes, &model) != SLIP_OK) return 1;

    double t[ROWS], x[ROWS];
    slip_fit_data data = { .rows = ROWS, .columns = 1, .name = { "x" }, .t = t, .value = x };
    measure(t, x);
    const char *const names[] = { "mu", "v0" };
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    def.model = model, def.free = names, def.free_count = 2;
    if (slip_fit_run(&def, &data, &error, &fit) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    for (int k = 0; k < fit->free_count; k++)
        printf("%s = %.3f, between %.3f and %.3f\n", fit->names[k], fit->value[k], fit->low[k], fit->high[k]);

    char *json = slip_fit_json(fit, NULL); // as `slipstick fit --json` prints it
    printf("%s\n", json && strstr(json, "\"converged\": true") ? "converged" : "not converged");
    free(json);

    slip_model *fitted = NULL; // for going on: how far will it slide?
    if (slip_fit_model(&def, fit, &error, &fitted) == SLIP_OK) {
        slip_sim *sim = NULL;
        slip_sim_def settings = slip_default_sim_def();
        settings.until = 2.0;
        if (slip_sim_create(fitted, &settings, &error, &sim) != SLIP_OK) return 1;
        while (slip_sim_step(sim) == SLIP_RUNNING) continue;
        printf("it will slide %.2f m\n", slip_sim_get(sim, "x"));
        slip_sim_destroy(sim);
    }
    slip_model_destroy(fitted);
    slip_fit_destroy(fit);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return 0;
}
