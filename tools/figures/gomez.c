/// gomez.c: the load around the journal of a pendulum, Figs 4.16 to 4.18 of Gomez 2008, from the shipped
/// model.
///     gomez MODELS > picture.svg
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "slipstick/slipstick.h"
#include "svg.h"

enum { POINTS = 16, MAX_SETS = 5 };
static const double radius = 34, unit = 46; // pixels: of the journal, of the weight m g

typedef struct load {
    double t, th, rate;
    double N[POINTS]; // in weights
} load;

static load run_until(const char *models, const char *const *sets, int count, double until)
{
    char path[4096], name[16];
    snprintf(path, sizeof path, "%s/gomez/journal-pendulum.yaml", models);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    slip_sim_def def = slip_default_sim_def();
    def.until = until;
    if (slip_model_read_file(path, sets, count, notes, &model) != SLIP_OK ||
        slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        char *text = slip_diagnostics_text(notes);
        fprintf(stderr, "%s%s\n", text ? text : "", error.text);
        exit(1);
    }
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    load l = { .t = until, .th = slip_sim_get(sim, "th"), .rate = slip_sim_get(sim, "th'") };
    for (int k = 0; k < POINTS; k++) {
        snprintf(name, sizeof name, "N%d", k + 1);
        l.N[k] = slip_sim_get(sim, name);
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return l;
}

// where the first swing passes an angle: Newton's method on the time
static load run_to_angle(const char *models, const char *const *sets, int count, double th)
{
    double t = 0.18 + 0.06 * (-th - 0.785);
    load l = run_until(models, sets, count, t);
    for (int k = 0; k < 12 && fabs(l.th - th) > 1e-9; k++) {
        t -= (l.th - th) / l.rate;
        l = run_until(models, sets, count, t);
    }
    return l;
}

static void draw_arrow(double x, double y, double c, double s, double length)
{
    double tail = radius + length, head = fmin(6, length);
    printf("<polyline class=\"c1\" points=\"%.1f,%.1f %.1f,%.1f\"/>\n", x + tail * c, y - tail * s,
           x + radius * c, y - radius * s);
    printf("<polyline class=\"c1\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
           x + (radius + head) * c - 0.5 * head * s, y - (radius + head) * s - 0.5 * head * c, x + radius * c,
           y - radius * s, x + (radius + head) * c + 0.5 * head * s,
           y - (radius + head) * s + 0.5 * head * c);
}

// the journal with its rod; arrows push on it from the bearing
static void draw(const load *l, double x, double y, const char *text)
{
    const double pi = acos(-1.0);
    double most = 0.0;
    printf("<circle class=\"axis\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\"/>\n", x, y, radius);
    printf("<line class=\"axis\" stroke-width=\"7\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x,
           y, x + (radius - 4) * cos(l->th), y - (radius - 4) * sin(l->th));
    for (int k = 0; k < POINTS; k++) {
        double angle = l->th + 2 * pi * k / POINTS;
        most = fmax(most, l->N[k]);
        if (l->N[k] > 1e-3) draw_arrow(x, y, cos(angle), sin(angle), unit * l->N[k]);
    }
    printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x, y - 54, text);
    printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">most %.2f m g</text>\n", x, y + 112, most);
}

static void draw_swing(const char *models, const char *const *sets, int count, double y)
{
    static const char *const names[] = { "release", "45 degrees", "bottom", "135 degrees" };
    const double pi = acos(-1.0);
    for (int k = 0; k < 4; k++) {
        load l = k ? run_to_angle(models, sets, count, -0.25 * pi * k) : run_until(models, sets, count, 1e-3);
        draw(&l, 300 + 190 * k, y, names[k]);
    }
}

static void title(double y, double x, const char *first, const char *second)
{
    printf("<text class=\"title\" x=\"%.0f\" y=\"%.0f\">%s</text>\n<text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
           x, y, first, x, y + 20, second);
}

int main(int argc, char **argv)
{
    static const char *const still[MAX_SETS] = { "mu=0", "b=0", "coordinates.th.start=-90 deg",
                                                 "coordinates.x.start=0", "coordinates.y.start=-l" };
    if (argc != 2) {
        fprintf(stderr, "usage: gomez MODELS > picture.svg\n");
        return 2;
    }
    svg_begin(
        stdout, 980, 540, "Load around the journal of a pendulum",
        "Normal forces on sixteen points of a journal. Without friction they spread over the loaded half; "
        "with friction two neighbouring points carry everything, behind the rod.");
    title(34, 26, "At rest", "no friction");
    title(34, 230, "First swing without friction", "least norm of all forces that give this motion");
    title(300, 230, "First swing with friction",
          "mu = 0.115, b = 1.3 s/m: the only forces of least constraint");
    load rest = run_until(argv[1], still, MAX_SETS, 1e-3);
    draw(&rest, 100, 140, "hanging");
    draw_swing(argv[1], still, 2, 140);
    draw_swing(argv[1], NULL, 0, 406);
    svg_end(stdout);
    return fflush(stdout) != 0;
}
