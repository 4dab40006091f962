/// vary.c: one model, many numbers: how far a block slides, over its friction.
///
///     cc vary.c $(pkg-config --cflags --libs slipstick) -o vary
///
/// Each model shares everything but its numbers with the first one: nothing is read again.
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <stdlib.h>

static const char block[] = "slipstick: 1\n"
                            "name: Block on a table\n"
                            "parameters: {m: 1 kg, g: 9.81, mu: 0.3, v0: 2 m/s}\n"
                            "coordinates: {x: {rate: v0}, y: 0}\n"
                            "energy: {kinetic: 0.5*m*(x'^2 + y'^2), potential: m*g*y}\n"
                            "contacts: {table: {gap: y, slip: x, friction: mu}}\n"
                            "run: {formulation: lcp, until: 5}\n";

static int complain(slip_diagnostics *notes)
{
    char *text = slip_diagnostics_text(notes);
    fputs(text ? text : "out of memory\n", stderr);
    free(text);
    return 1;
}

// where the block comes to rest; below 0 when it does not
static double slide(const slip_model *model)
{
    slip_sim *sim = NULL;
    double x = -1.0;
    if (slip_sim_create(model, NULL, NULL, &sim) != SLIP_OK) return x;
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    x = slip_sim_get(sim, "x");
    slip_sim_destroy(sim);
    return x;
}

int main(void)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("block", block, sizeof block - 1, NULL, 0, notes, &model) != SLIP_OK)
        return complain(notes);
    for (int k = 1; k <= 4; k++) {
        char mu[40];
        slip_model *varied = NULL;
        snprintf(mu, sizeof mu, "mu=%.17g", 0.1 * k);
        const char *const changes[] = { mu, "coordinates.x.rate=3" };
        if (slip_model_vary(model, changes, 2, notes, &varied) != SLIP_OK) return complain(notes);
        printf("mu %.1f: %.4f m, by hand %.4f m\n", 0.1 * k, slide(varied),
               3.0 * 3.0 / (2.0 * 0.1 * k * 9.81));
        slip_model_destroy(varied);
    }

    // a mistake in a change has its place, like one in a file
    slip_model *varied = NULL;
    const char *const wrong[] = { "run.until=-1" };
    if (slip_model_vary(model, wrong, 1, notes, &varied) != SLIP_OK) {
        slip_diagnostic d = slip_diagnostics_get(notes, 0);
        printf("%s, character %d: %s\n", d.source, d.column, d.text);
    }
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return 0;
}
