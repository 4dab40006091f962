/// flores.c: figures 10 and 11 of Flores 2010 (slider-crank with clearance), from the shipped model.
///     flores MODELS 10|11 > picture.svg
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "svg.h"

enum { COLUMNS = 8 };
static const char *const names[COLUMNS] = {
    "th1", "th1'", "th2", "th2'", "slider", "slider_speed", "y1", "y2"
};
enum { TH1, W1, TH2, W2, SLIDER, SLIDER_SPEED, Y1, Y2 };

typedef struct motion {
    double *at[COLUMNS];
    int count;
} motion;

// two turns of the crank
static motion run(const char *directory, const char *set)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/flores/slider-crank.yaml", directory);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    if (slip_model_read_file(path, &set, set ? 1 : 0, notes, &model) != SLIP_OK ||
        slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) {
        char *text = slip_diagnostics_text(notes);
        fprintf(stderr, "%s%s\n", text ? text : "", error.text);
        exit(1);
    }
    motion m = { .count = 0 };
    for (int k = 0; k < COLUMNS; k++)
        if (!(m.at[k] = malloc(sizeof(double) * 20001))) exit(1);
    do {
        for (int k = 0; k < COLUMNS; k++) m.at[k][m.count] = slip_sim_get(sim, names[k]);
        m.count++;
    } while (m.count < 20001 && m.at[TH1][m.count - 1] < 4.0 * acos(-1.0) &&
             slip_sim_step(sim) == SLIP_RUNNING);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return m;
}

static void release(motion *m)
{
    for (int k = 0; k < COLUMNS; k++) free(m->at[k]);
}

static void draw(const motion *m, const svg_axes *axes, int x, double x_scale, int y, double y_scale,
                 const char *style)
{
    svg_curve curve = { 0 };
    for (int k = 0; k < m->count; k++) svg_add(&curve, x_scale * m->at[x][k], y_scale * m->at[y][k]);
    svg_draw_curve(stdout, axes, &curve, style);
    svg_free(&curve);
}

static void figure_10(const char *models)
{
    const double turns = 1.0 / (2.0 * acos(-1.0));
    motion straight = run(models, NULL), tilted = run(models, "w3=-0.01");
    svg_axes top = { 60,
                     92,
                     880,
                     170,
                     0,
                     2,
                     -1.5,
                     1.5,
                     0.25,
                     0.5,
                     "Motion of the slider in its guide",
                     "as in the paper: both corners of a face always touch together",
                     "turns of the crank",
                     "height / clearance" };
    svg_axes bottom = top;
    bottom.top = 370;
    bottom.title = "The same, started tilting at 0.01 rad/s";
    bottom.subtitle = "rear (blue) and front corners (orange) strike in turn before a face lies down";
    svg_begin(stdout, 980, 600, "Slider corners, Flores 2010, figure 10",
              "Height of the slider's corners over two turns of the crank, in units of the clearance: "
              "flights, strikes that "
              "die out, and stretches in contact at plus or minus one.");
    svg_draw_axes(stdout, &top);
    draw(&straight, &top, TH1, turns, Y1, 1.0, "c1");
    svg_draw_axes(stdout, &bottom);
    draw(&tilted, &bottom, TH1, turns, Y2, 1.0, "c2");
    draw(&tilted, &bottom, TH1, turns, Y1, 1.0, "c1");
    svg_end(stdout);
    release(&straight);
    release(&tilted);
}

static void figure_11(const char *models)
{
    const double turns = 1.0 / (2.0 * acos(-1.0));
    motion m = run(models, NULL);
    svg_axes axes[4] = {
        { 60, 92, 390, 180, 0, 2, 40, 160, 0.5, 40, "Crank speed", "", "turns of the crank", "rad/s" },
        { 550, 92, 390, 180, 0, 2, -100, 100, 0.5, 50, "Rod speed", "", "turns of the crank", "rad/s" },
        { 60, 380, 390, 180, -0.8, 0.8, -100, 100, 0.4, 50, "Rod portrait", "", "angle, rad", "rad/s" },
        { 550, 380, 390, 180, 0.1, 0.5, -20, 20, 0.1, 10, "Slider portrait", "", "position, m", "m/s" },
    };
    svg_begin(stdout, 980, 620, "Slider-crank, Flores 2010, figure 11",
              "Crank speed and connecting-rod speed over two turns, portraits of rod and slider; strikes of "
              "the slider in its "
              "guide show as jumps of the rod speed.");
    for (int k = 0; k < 4; k++) svg_draw_axes(stdout, &axes[k]);
    draw(&m, &axes[0], TH1, turns, W1, 1.0, "c1");
    draw(&m, &axes[1], TH1, turns, W2, 1.0, "c1");
    draw(&m, &axes[2], TH2, 1.0, W2, 1.0, "c1");
    draw(&m, &axes[3], SLIDER, 1.0, SLIDER_SPEED, 1.0, "c1");
    svg_end(stdout);
    release(&m);
}

int main(int argc, char **argv)
{
    if (argc != 3 || (strcmp(argv[2], "10") != 0 && strcmp(argv[2], "11") != 0)) {
        fprintf(stderr, "usage: flores MODELS 10|11 > picture.svg\n");
        return 2;
    }
    (strcmp(argv[2], "10") == 0 ? figure_10 : figure_11)(argv[1]);
    return fflush(stdout) != 0;
}
