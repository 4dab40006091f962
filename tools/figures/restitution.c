/// restitution.c: restitution of formulation dai over alpha/beta, for several beta w, and how deep it goes.
#include <math.h>
#include <stdio.h>

#include "slipstick/design.h"
#include "svg.h"

static const struct {
    double beta_w;
    const char *style, *label;
} curves[] = {
    { 0.75, "r1", "0.75" }, { 1.5, "r2", "1.5" }, { 3.1622776601683795, "r3", "3.16" }, { 10, "r4", "10" }
};
enum { CURVES = sizeof curves / sizeof curves[0] };

static double restitution(slip_dai_free_impact impact)
{
    return impact.restitution;
}
static double penetration(slip_dai_free_impact impact)
{
    return impact.penetration;
}

static void draw(const svg_axes *axes, double (*quantity)(slip_dai_free_impact), const double *at,
                 const double *shift)
{
    svg_draw_axes(stdout, axes);
    for (int k = 0; k < CURVES; k++) {
        svg_curve curve = { 0 };
        for (double ratio = 0.01; ratio <= 1.0001; ratio += 0.005)
            svg_add(&curve, ratio, quantity(slip_dai_impact(fmin(ratio, 1.0), curves[k].beta_w)));
        svg_draw_curve(stdout, axes, &curve, curves[k].style);
        svg_free(&curve);
    }
    for (int k = 0; k < CURVES; k++)
        svg_draw_text(stdout, axes, at[k], quantity(slip_dai_impact(at[k], curves[k].beta_w)), 0, shift[k],
                      "middle", curves[k].style, curves[k].label);
}

int main(void)
{
    svg_begin(stdout, 980, 372, "Restitution of formulation dai",
              "Left: coefficient of restitution over alpha/beta for four values of beta w; all reach 1 at "
              "alpha = beta. "
              "Right: penetration in units of impact speed over w.");
    svg_axes left = { .left = 66,
                      .top = 92,
                      .width = 400,
                      .height = 224,
                      .x1 = 1,
                      .y1 = 1,
                      .x_tick = 0.2,
                      .y_tick = 0.2,
                      .title = "Restitution",
                      .subtitle = "by alpha/beta, for four values of beta w",
                      .x_label = "alpha/beta",
                      .y_label = "e" };
    svg_axes right = left;
    right.left = 556;
    right.title = "Penetration";
    right.subtitle = "in units of impact speed over w = sqrt(K/m)";
    right.y_label = "w p/v";
    draw(&left, restitution, (const double[]){ 0.06, 0.25, 0.45, 0.3 }, (const double[]){ -8, 20, -10, -8 });
    draw(&right, penetration, (const double[]){ 0.12, 0.12, 0.14, 0.2 }, (const double[]){ -8, -8, -6, 20 });
    svg_end(stdout);
    return fflush(stdout) != 0;
}
