/// scaling.c: reading, deriving and stepping n independent contacts.
#include "scaling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

// n blocks, each thrown on a floor of its own
static char *blocks(int n)
{
    size_t size = 200 + 260 * (size_t)n;
    char *text = malloc(size);
    if (!text) return NULL;
    size_t at = (size_t)snprintf(text, size, "slipstick: 1\nname: blocks\ncoordinates:\n");
    for (int k = 0; k < n; k++)
        at += (size_t)snprintf(text + at, size - at, "  x%d: {rate: 1}\n  y%d: {start: 0.01}\n", k, k);
    at += (size_t)snprintf(text + at, size - at, "mass:\n");
    for (int k = 0; k < n; k++) at += (size_t)snprintf(text + at, size - at, "  x%d: 1\n  y%d: 1\n", k, k);
    at += (size_t)snprintf(text + at, size - at, "forces:\n");
    for (int k = 0; k < n; k++) at += (size_t)snprintf(text + at, size - at, "  y%d: -9.81\n", k);
    at += (size_t)snprintf(text + at, size - at, "contacts:\n");
    for (int k = 0; k < n; k++)
        at += (size_t)snprintf(text + at, size - at,
                               "  c%d: {gap: y%d, slip: x%d, friction: 0.3, restitution: 0.5}\n", k, k, k);
    return text;
}

static void measure(int n)
{
    char *text = blocks(n);
    if (!text) return;
    double t0 = processor_time();
    slip_model *model = bench_model("bench.yaml", text, NULL);
    double t1 = processor_time();
    free(text);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "dai";
    def.integrator = "rk4";
    def.step = 1e-3;
    def.until = 0.2;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%d contacts: %s\n", n, error.text);
        slip_model_destroy(model);
        return;
    }
    double t2 = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    double t3 = processor_time(), per = 1.0 / n;
    printf("%8d %12.1f %12.1f %14.1f %14.1f\n", n, 1e6 * (t1 - t0) * per, 1e6 * (t2 - t1) * per,
           1e6 * (t3 - t2) / (double)slip_sim_steps(sim),
           1e9 * (t3 - t2) * per / (double)slip_sim_steps(sim));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

void bench_scaling(int most)
{
    printf("independent contacts with friction: us per contact to read and to derive, then one rk4 step\n");
    printf("%8s %12s %12s %14s %14s\n", "contacts", "read", "derive", "step, us", "ns per contact");
    for (int n = 10; n <= most; n *= 10) measure(n);
}
