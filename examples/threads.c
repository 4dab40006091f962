/// threads.c: one model, many simulations at the same time, the same answers every time.
///
///     cc threads.c $(pkg-config --cflags --libs slipstick) -o threads -pthread
///
/// A model is read once and shared; a simulation belongs to one thread. The library keeps no global state.
#include <slipstick/slipstick.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char ball[] = "slipstick: 1\n"
                           "name: Ball\n"
                           "coordinates: {y: {start: 1 m}}\n"
                           "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, restitution: 0.8}}\n"
                           "run: {step: 1 ms, until: 1}\n";

enum { JOBS = 4 };

typedef struct job {
    const slip_model *model;
    const char *formulation;
    double y;
    slip_status status;
} job;

static void *work(void *argument)
{
    job *j = argument;
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    def.formulation = j->formulation;
    j->status = slip_sim_create(j->model, &def, NULL, &sim); // all memory is taken here
    if (j->status != SLIP_OK) return NULL;
    while (slip_sim_step(sim) == SLIP_RUNNING) continue; // and none here
    j->y = slip_sim_get(sim, "y");
    slip_sim_destroy(sim);
    return NULL;
}

int main(void)
{
    static const char *const formulations[JOBS] = { "moreau", "lcp", "dai", "kelvin-voigt" };
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = slip_model_read_text("ball", ball, strlen(ball), NULL, 0, notes, &model);
    slip_diagnostics_destroy(notes);
    if (status != SLIP_OK) return 1;

    double first[JOBS] = { 0 };
    for (int round = 0; round < 2; round++) {
        pthread_t threads[JOBS];
        job jobs[JOBS];
        for (int k = 0; k < JOBS; k++) {
            jobs[k] = (job){ .model = model, .formulation = formulations[k] };
            if (pthread_create(&threads[k], NULL, work, &jobs[k]) != 0) return 1;
        }
        for (int k = 0; k < JOBS; k++) {
            pthread_join(threads[k], NULL);
            if (jobs[k].status != SLIP_OK) return 1;
            if (round == 0)
                printf("%-13s y(1 s) = %.2f m\n", formulations[k], first[k] = jobs[k].y);
            else if (jobs[k].y != first[k])
                return 1;
        }
    }
    printf("the second time: the same bits\n");
    slip_model_destroy(model); // after the last simulation
    return 0;
}
