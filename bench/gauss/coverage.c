/// coverage.c: 90 % intervals of mu and b over synthetic repeats: swings of the journal pendulum with
/// Gaussian noise of 0.005 rad, fitted again and again from the truth, on all processors. Every repeat has
/// noise of its own seed, so the number of threads changes nothing.
#include "coverage.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"
#include "slipstick/fit.h"
#include "slipstick/slipstick.h"

enum { ROWS = 60 };

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

static slip_model *read_pendulum(void)
{
    // loads of least norm are not what is fitted
    return bench_model("models/gomez/journal-pendulum.yaml", NULL, "record={}");
}

// the true swing: what a fit of nothing leaves as residuals of zero data
static int true_swing(const slip_model *model, slip_fit_data *data)
{
    const char *names[] = { "mu" };
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    def.model = model, def.free = names, def.free_count = 1, def.max_iterations = 0;
    memset(data->value, 0, ROWS * sizeof *data->value);
    if (slip_fit_run(&def, data, &error, &fit) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 0;
    }
    for (int k = 0; k < ROWS; k++) data->value[k] = -fit->residual[k];
    slip_fit_destroy(fit);
    return 1;
}

typedef struct study {
    const slip_model *model;
    const double *t, *value; // the true swing
    int repeats, next, done, held[2];
    pthread_mutex_t lock;
} study;

static void one_repeat(study *s, int index)
{
    static const char *const names[] = { "mu", "b" };
    static const double truth[] = { 0.115, 1.3 };
    double t[ROWS], noisy[ROWS];
    slip_fit_data data = { .rows = ROWS, .columns = 1, .t = t, .value = noisy };
    slip_fit_def def = slip_default_fit_def();
    slip_fit *fit = NULL;
    unsigned long long seed = (unsigned long long)index * 0x9e3779b97f4a7c15ull + 1;
    for (int k = 0; k < 8; k++) uniform(&seed); // neighbouring seeds begin alike
    snprintf(data.name[0], sizeof data.name[0], "th");
    for (int k = 0; k < ROWS; k++) t[k] = s->t[k], noisy[k] = s->value[k] + 0.005 * gaussian(&seed);
    def.model = s->model, def.free = names, def.free_count = 2, def.max_iterations = 2;
    if (slip_fit_run(&def, &data, NULL, &fit) != SLIP_OK) return;
    pthread_mutex_lock(&s->lock);
    s->done++;
    for (int j = 0; j < 2; j++) s->held[j] += fit->low[j] <= truth[j] && truth[j] <= fit->high[j];
    pthread_mutex_unlock(&s->lock);
    slip_fit_destroy(fit);
}

static void *work(void *context)
{
    study *s = context;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        int index = s->next < s->repeats ? s->next++ : -1;
        pthread_mutex_unlock(&s->lock);
        if (index < 0) return NULL;
        one_repeat(s, index);
    }
}

void bench_coverage(int repeats)
{
    enum { MAX_THREADS = 64 };
    double t[ROWS], value[ROWS];
    slip_fit_data data = { .rows = ROWS, .columns = 1, .t = t, .value = value };
    snprintf(data.name[0], sizeof data.name[0], "th");
    for (int k = 0; k < ROWS; k++) t[k] = 4.0 * (k + 1) / ROWS;
    slip_model *model = read_pendulum();
    if (!true_swing(model, &data)) {
        slip_model_destroy(model);
        return;
    }
    study s = { .model = model, .t = t, .value = value, .repeats = repeats };
    pthread_t threads[MAX_THREADS];
    long made = 0, others = sysconf(_SC_NPROCESSORS_ONLN) - 1;
    pthread_mutex_init(&s.lock, NULL);
    while (made < others && made < MAX_THREADS && pthread_create(&threads[made], NULL, work, &s) == 0) made++;
    work(&s);
    for (long k = 0; k < made; k++) pthread_join(threads[k], NULL);
    pthread_mutex_destroy(&s.lock);
    printf("coverage of 90 %% intervals over %d of %d repeats: mu %.1f %%, b %.1f %%\n", s.done, repeats,
           100.0 * s.held[0] / s.done, 100.0 * s.held[1] / s.done);
    slip_model_destroy(model);
}
