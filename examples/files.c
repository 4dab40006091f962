/// files.c: a whole run with its files, and where it stands in between.
///
///     cc files.c $(pkg-config --cflags --libs slipstick) -o files
///     ./files DIRECTORY
#include <slipstick/slipstick.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "slipstick: 1\n"
                           "name: Ball\n"
                           "coordinates: {y: {start: 1 m}}\n"
                           "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, restitution: 0.8}}\n"
                           "run: {formulation: lcp, until: 2}\n";

static void on_progress(void *context, double fraction, const slip_sim *sim)
{
    int *calls = context;
    (void)fraction, (void)sim;
    ++*calls;
}

int main(int argc, char **argv)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    slip_status status = slip_model_read_text("ball", ball, strlen(ball), NULL, 0, notes, &model);
    slip_diagnostics_destroy(notes);
    if (status != SLIP_OK || slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) return 1;

    static const double at[] = { 0.5, 1.0, 1.5, 2.0 }; // rows at these times, whatever the steps
    int calls = 0;
    slip_run_def def = slip_default_run_def();
    def.directory = argc > 1 ? argv[1] : NULL; // NULL: no files
    def.at = at;
    def.at_count = 4;
    def.progress = on_progress;
    def.context = &calls;
    slip_run_info info;
    if (slip_run(sim, &def, &info, &error) != SLIP_OK) { // nothing could be started
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    printf("%s: %ld rows, %ld events%s\n", slip_run_outcome_name(info.outcome), info.rows, info.events,
           info.text);

    char *summary = slip_run_summary(sim, &info); // the same as summary.json
    printf("the summary names its %s\n",
           summary && strstr(summary, "\"formulation\": \"lcp\"") ? "formulation" : "nothing");
    free(summary);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return info.outcome == SLIP_DONE ? 0 : 1;
}
