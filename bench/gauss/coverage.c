/// coverage.c: 90 % intervals of mu and b over synthetic repeats: swings of the journal pendulum with
/// Gaussian noise of 0.005 rad, fitted again and again from the truth.
#include "coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/fit.h"
#include "slipstick/slipstick.h"

enum { ROWS = 120 };
static const char path[] = "models/gomez/journal-pendulum.yaml";
static const char *const overrides[] = { "record={}" }; // loads of least norm are not what is fitted

static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static double gaussian(unsigned long long *state)
{
    double u = uniform(state), v = uniform(state);
    return sqrt(-2.0 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

// the true swing: what a fit of nothing leaves as residuals of zero data
static int true_swing(slip_fit_data *data)
{
    const char *names[] = { "mu" };
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    def.model = path, def.overrides = overrides, def.override_count = 1;
    def.free = names, def.free_count = 1, def.max_iterations = 0;
    memset(data->value, 0, ROWS * sizeof *data->value);
    if (slip_fit_run(&def, data, &error, &fit) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 0;
    }
    for (int k = 0; k < ROWS; k++) data->value[k] = -fit->residual[k];
    slip_fit_free(fit);
    return 1;
}

void bench_coverage(int repeats)
{
    double t[ROWS], value[ROWS], noisy[ROWS];
    slip_fit_data data = { .rows = ROWS, .columns = 1, .t = t, .value = value };
    snprintf(data.name[0], sizeof data.name[0], "th");
    for (int k = 0; k < ROWS; k++) t[k] = 4.0 * (k + 1) / ROWS;
    if (!true_swing(&data)) return;
    const char *names[] = { "mu", "b" };
    const double truth[] = { 0.115, 1.3 };
    unsigned long long seed = 1;
    int held[2] = { 0 }, done = 0;
    data.value = noisy;
    for (int n = 0; n < repeats; n++) {
        slip_fit_def def = slip_default_fit_def();
        slip_fit *fit = NULL;
        for (int k = 0; k < ROWS; k++) noisy[k] = value[k] + 0.005 * gaussian(&seed);
        def.model = path, def.overrides = overrides, def.override_count = 1;
        def.free = names, def.free_count = 2, def.max_iterations = 2;
        if (slip_fit_run(&def, &data, NULL, &fit) != SLIP_OK) continue;
        done++;
        for (int j = 0; j < 2; j++) held[j] += fit->low[j] <= truth[j] && truth[j] <= fit->high[j];
        slip_fit_free(fit);
    }
    printf("coverage of 90 %% intervals over %d repeats: mu %.1f %%, b %.1f %%\n", done,
           100.0 * held[0] / done, 100.0 * held[1] / done);
}
