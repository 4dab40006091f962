/// readme.c: the picture on top of the README, from shipped models and the public interface.
///     readme MODELS > picture.svg
#include <stdio.h>
#include <stdlib.h>

#include "slipstick/slipstick.h"
#include "svg.h"

// runs a model with one override and keeps one column, in mm or m as `scale` says
static svg_curve run(const char *directory, const char *name, const char *set, double until,
                     const char *column, double scale)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.yaml", directory, name);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_file(path, &set, set ? 1 : 0, notes, &model) != SLIP_OK) {
        char *text = slip_diagnostics_text(notes);
        fputs(text ? text : "out of memory\n", stderr);
        exit(1);
    }
    slip_sim_def def = slip_default_sim_def();
    def.until = until;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(1);
    }
    svg_curve curve = { 0 };
    do {
        svg_add(&curve, slip_sim_time(sim), scale * slip_sim_get(sim, column));
    } while (slip_sim_step(sim) == SLIP_RUNNING);
    svg_add(&curve, slip_sim_time(sim), scale * slip_sim_get(sim, column));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return curve;
}

static void draw_stick(FILE *out, const char *models)
{
    svg_axes axes = { 60,          92,
                      400,         224,
                      0,           8,
                      0,           40,
                      2,           10,
                      "It sticks", "Pushed until it slides, then shaken below its friction limit",
                      "time, s",   "position, mm" };
    svg_curve held = run(models, "xiong/friction-mass", NULL, 8, "p", 1e3),
              creeps = run(models, "xiong/friction-mass-lugre", NULL, 8, "p", 1e3);
    svg_draw_axes(out, &axes);
    svg_draw_curve(out, &axes, &creeps, "c2");
    svg_draw_curve(out, &axes, &held, "c1");
    svg_draw_text(out, &axes, 8, creeps.y[creeps.count - 1], -4, -12, "end", "c2", "LuGre creeps");
    svg_draw_text(out, &axes, 8, held.y[held.count - 1], -4, 20, "end", "c1", "slipstick holds");
    svg_free(&held);
    svg_free(&creeps);
}

static void draw_strike(FILE *out, const char *models)
{
    static const struct {
        const char *set, *style, *label;
        double t, y; // where the label stands: above the first top, or beside it
        double up;
        const char *anchor;
    } cases[] = { { "alpha=0.001", "r1", "0.29", 0.76, 0.06, 0, "start" },
                  { "alpha=0.005", "r2", "0.77", 0.80, 0.594, 8, "middle" },
                  { "alpha=0.007", "r3", "0.88", 0.85, 0.776, 8, "middle" },
                  { "alpha=0.01", "r4", "e = 1", 0.90, 1, 8, "middle" } };
    svg_axes axes = { 556,
                      92,
                      400,
                      224,
                      0,
                      3,
                      0,
                      1.25,
                      0.5,
                      0.25,
                      "It strikes",
                      "Four coefficients of restitution, one ODE, a fixed step of 1 ms",
                      "time, s",
                      "height, m" };
    svg_draw_axes(out, &axes);
    for (int k = 0; k < 4; k++) {
        svg_curve curve = run(models, "xiong/bouncing-mass", cases[k].set, 3, "p", 1);
        svg_draw_curve(out, &axes, &curve, cases[k].style);
        svg_free(&curve);
    }
    for (int k = 0; k < 4; k++)
        svg_draw_text(out, &axes, cases[k].t, cases[k].y, 0, -cases[k].up, cases[k].anchor, cases[k].style,
                      cases[k].label);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: readme MODELS > picture.svg\n");
        return 2;
    }
    svg_begin(stdout, 980, 372, "slipstick: it sticks, it strikes",
              "Left: position of a mass on dry friction; with slipstick it comes to rest, with LuGre "
              "friction it creeps on. "
              "Right: a mass dropped on a floor bounces with four coefficients of restitution.");
    draw_stick(stdout, argv[1]);
    draw_strike(stdout, argv[1]);
    svg_end(stdout);
    return fflush(stdout) != 0;
}
