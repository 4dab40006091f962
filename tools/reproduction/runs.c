/// runs.c: models, simulations and curves for the pages.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

_Noreturn static void die(const char *what, const char *text)
{
    fprintf(stderr, "reproduction: %s: %s\n", what, text ? text : "");
    exit(1);
}

slip_model *page_model(page *p, const char *name, const char *sets)
{
    enum { MAX_SETS = 16 };
    char path[4096], text[1024];
    const char *list[MAX_SETS];
    int count = 0;
    snprintf(path, sizeof path, "%s/models/%s.yaml", page_root(p), name);
    snprintf(text, sizeof text, "%s", sets ? sets : "");
    for (char *word = strtok(text, ";"); word && count < MAX_SETS; word = strtok(NULL, ";"))
        list[count++] = word;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_file(path, list, count, notes, &model) != SLIP_OK)
        die(name, slip_diagnostics_text(notes));
    slip_diagnostics_destroy(notes);
    return model;
}

slip_model *page_model_text(const char *name, const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text(name, text, strlen(text), NULL, 0, notes, &model) != SLIP_OK)
        die(name, slip_diagnostics_text(notes));
    slip_diagnostics_destroy(notes);
    return model;
}

double page_parameter(const slip_model *model, const char *name)
{
    for (int k = 0; k < slip_model_parameter_count(model); k++)
        if (strcmp(slip_model_parameter_name(model, k), name) == 0)
            return slip_model_parameter_value(model, k);
    die(name, "is no parameter of the model");
}

slip_sim *page_sim(const slip_model *model, const char *formulation, const char *integrator, double step,
                   double until)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = formulation;
    def.integrator = integrator;
    def.step = step;
    def.until = until;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) die(error.where, error.text);
    return sim;
}

void page_close(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

bool page_step_to(slip_sim *sim, double t)
{
    while (slip_sim_time(sim) < t * (1 - 1e-12)) {
        slip_run_outcome outcome = slip_sim_step(sim);
        if (outcome != SLIP_RUNNING) return outcome == SLIP_DONE && slip_sim_time(sim) >= t * (1 - 1e-12);
    }
    return true;
}

void page_trace(slip_sim *sim, double t, const char *const *columns, int count, svg_curve *curves)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    for (;;) {
        for (int k = 0; k < count; k++)
            svg_add(&curves[k], slip_sim_time(sim), slip_sim_get(sim, columns[k]));
        if (outcome != SLIP_RUNNING || slip_sim_time(sim) >= t * (1 - 1e-12)) return;
        outcome = slip_sim_step(sim);
    }
}

void page_begin(FILE *out, int rows, const char *title, const char *description)
{
    svg_begin(out, 980, 40 + 288 * rows, title, description);
}

svg_axes page_panel(int column, int row, int columns, page_range x, page_range y, const char *title,
                    const char *x_label, const char *y_label)
{
    return (svg_axes){ .left = 64 + 490.0 * column,
                       .top = 84 + 288.0 * row,
                       .width = columns == 1 ? 880 : 386,
                       .height = 186,
                       .x0 = x.from,
                       .x1 = x.to,
                       .x_tick = x.tick,
                       .y0 = y.from,
                       .y1 = y.to,
                       .y_tick = y.tick,
                       .title = title,
                       .subtitle = "",
                       .x_label = x_label,
                       .y_label = y_label };
}

void page_end(FILE *out)
{
    svg_end(out);
    if (fclose(out) != 0) die("a picture", "cannot be written");
}

double page_summary(slip_sim *sim, const char *key)
{
    const slip_run_info info = { .outcome = SLIP_DONE };
    char word[128], *text = slip_run_summary(sim, &info);
    snprintf(word, sizeof word, "\"%s\":", key);
    const char *at = text ? strstr(text, word) : NULL;
    const double value =
        at && strncmp(at + strlen(word), "null", 4) != 0 ? strtod(at + strlen(word), NULL) : NAN;
    free(text);
    return value;
}

void page_draw(FILE *out, const svg_axes *axes, svg_curve *curves, const char *const *classes, int count)
{
    svg_draw_axes(out, axes);
    for (int k = 0; k < count; k++) {
        svg_draw_curve(out, axes, &curves[k], classes[k]);
        svg_free(&curves[k]);
    }
}

slip_analysis *page_analyse(const slip_model *model)
{
    slip_error error = { 0 };
    slip_analysis *a = NULL;
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    const double q[] = { slip_sim_get(sim, "x"), slip_sim_get(sim, "y"), slip_sim_get(sim, "th") },
                 u[] = { slip_sim_get(sim, "x'"), slip_sim_get(sim, "y'"), slip_sim_get(sim, "th'") };
    if (slip_analysis_create(model, NULL, &error, &a) != SLIP_OK ||
        slip_analysis_at(a, 0, q, u, &error) != SLIP_OK)
        die("analysis", error.text);
    slip_sim_destroy(sim);
    return a;
}
