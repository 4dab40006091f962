/// report.c: a run, recorded in constant memory, as one HTML page that opens from disk.
///
///     cc report.c $(pkg-config --cflags --libs slipstick) -o report
///     ./report ball.html
#include <slipstick/slipstick.h>

#include <slipstick/report.h>
#include <stdio.h>
#include <string.h>

static const char ball[] = "slipstick: 1\n"
                           "name: Ball\n"
                           "coordinates: {y: {start: 1 m}}\n"
                           "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, restitution: 0.8}}\n"
                           "run: {formulation: moreau, step: 1 ms, until: 2}\n";

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "ball.html";
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_recording *recording = NULL;
    slip_error error = { 0 };
    slip_status status = slip_model_read_text("ball", ball, strlen(ball), NULL, 0, notes, &model);
    slip_diagnostics_destroy(notes);
    if (status != SLIP_OK || slip_recording_create(NULL, &error, &recording) != SLIP_OK) return 1;

    slip_sim_def settings = slip_default_sim_def();
    settings.draw = true; // forces and frames for the page
    if (slip_sim_create(model, &settings, &error, &sim) != SLIP_OK) return 1;
    slip_run_def run = slip_default_run_def(); // no files
    slip_run_info info;
    run.observer = slip_recording_observer(recording); // sees every step
    if (slip_run(sim, &run, &info, &error) != SLIP_OK) return 1;
    slip_sim_destroy(sim); // the recording does not need it any more
    printf("%s: %ld instants recorded\n", slip_run_outcome_name(info.outcome),
           slip_recording_rows(recording));

    slip_report_def report = slip_default_report_def();
    report.model = model;
    report.runs = &recording;
    report.run_count = 1;
    status = slip_report_write(path, &report, &error);
    if (status == SLIP_UNSUPPORTED)
        fprintf(stderr, "%s\n", error.text); // a library without its page
    else if (status != SLIP_OK)
        return 1;

    slip_recording_destroy(recording);
    slip_model_destroy(model);
    return info.outcome == SLIP_DONE ? 0 : 1;
}
