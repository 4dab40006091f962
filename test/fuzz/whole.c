/// whole.c: whatever a model file holds, the whole way ends: reading, equations in print, a simulation under
/// one formulation, fifty steps with records, drawing and events, the summary and the report page.
///
/// Which formulation takes a model follows from the bytes of its text, so that each input means one thing and
/// neighbours of an input meet the others.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "slipstick/slipstick.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 50 };

// a recording that ends the run after some steps
typedef struct short_look {
    slip_run_observer as_observer;
    slip_run_observer *recording;
    volatile sig_atomic_t stop;
    int left;
} short_look;

static slip_status begin(slip_run_observer *observer, slip_sim *sim, slip_error *error)
{
    slip_run_observer *r = ((short_look *)observer)->recording;
    return r->begin(r, sim, error);
}

static void look(slip_run_observer *observer, slip_sim *sim)
{
    short_look *s = (short_look *)observer;
    s->recording->look(s->recording, sim);
    if (--s->left <= 0) s->stop = 1;
}

static void event(slip_run_observer *observer, const slip_event *what)
{
    slip_run_observer *r = ((short_look *)observer)->recording;
    r->event(r, what);
}

static void end(slip_run_observer *observer, slip_sim *sim, const slip_run_info *info)
{
    slip_run_observer *r = ((short_look *)observer)->recording;
    r->end(r, sim, info);
}

static void report(const slip_model *model, slip_recording *recording)
{
    slip_report_def def = slip_default_report_def();
    slip_error error = { 0 };
    def.model = model;
    def.runs = &recording, def.run_count = 1;
    def.page = "<html>\n<!--slipstick-data-->\n</html>\n";
    if (slip_report_write("/dev/null", &def, &error) != SLIP_OK && !error.text[0]) abort();
}

static void run(const slip_model *model, slip_sim *sim)
{
    slip_recording_def small = { .points = 64, .frames = 16 };
    slip_recording *recording = NULL;
    slip_error error = { 0 };
    if (slip_recording_create(&small, &error, &recording) != SLIP_OK) abort();
    short_look observer = { { begin, look, event, end }, slip_recording_observer(recording), 0, STEPS };
    slip_run_def def = slip_default_run_def();
    def.observer = &observer.as_observer;
    def.stop = &observer.stop;
    slip_run_info info;
    const slip_status status = slip_run(sim, &def, &info, &error);
    if (status != SLIP_OK && !error.text[0]) abort();
    // how a run ended is never "running", and an end before the end has a reason
    if (status == SLIP_OK && info.outcome == SLIP_RUNNING) abort();
    if (status == SLIP_OK && info.outcome != SLIP_DONE && !info.text[0]) abort();
    if (status == SLIP_OK) {
        free(slip_run_summary(sim, &info));
        report(model, recording);
    }
    slip_recording_destroy(recording);
}

static void simulate(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = formulation;
    def.draw = true;
    const slip_status status = slip_sim_create(model, &def, &error, &sim);
    // an answer is a simulation or a reason
    if ((status == SLIP_OK) != (sim != NULL)) abort();
    if (status != SLIP_OK && !error.text[0]) abort();
    if (sim) run(model, sim);
    slip_sim_destroy(sim);
}

static void print(const slip_model *model)
{
    slip_error error = { 0 };
    char *text = NULL;
    if (slip_model_describe(model, &error, &text) != SLIP_OK && !error.text[0]) abort();
    free(slip_model_json(model, text));
    free(text);
    text = NULL;
    if (slip_model_derive(model, false, &error, &text) != SLIP_OK && !error.text[0]) abort();
    free(text);
}

// the formulation that the bytes of a text name (FNV-1a); NULL, once in a while: the one that the program
// chooses
static const char *pick_formulation(const uint8_t *data, size_t size)
{
    slip_part_info part;
    unsigned count = 0, hash = 2166136261u;
    for (size_t k = 0; k < size; k++) hash = (hash ^ data[k]) * 16777619u;
    while (slip_part(SLIP_FORMULATIONS, (int)count, &part)) count++;
    return slip_part(SLIP_FORMULATIONS, (int)((hash >> 8) % (count + 1)), &part) ? part.name : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("fuzz.yaml", (const char *)data, size, NULL, 0, notes, &model) == SLIP_OK) {
        print(model);
        simulate(model, pick_formulation(data, size));
    }
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return 0;
}
