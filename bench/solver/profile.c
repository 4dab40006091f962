/// profile.c: fraction of problems solved within a factor of the fastest, one curve per solver.
#include "profile.h"

#include <math.h>
#include <stdio.h>

static double fastest(const profile *p, int problem)
{
    double least = INFINITY;
    for (int c = 0; c < p->curves; c++) least = fmin(least, p->seconds[c][problem]);
    return least;
}

double profile_part(const profile *p, int curve, double factor)
{
    int solved = 0, all = 0;
    for (int k = 0; k < p->problems; k++) {
        const double least = fastest(p, k);
        if (isinf(least)) continue;
        all++;
        solved += p->seconds[curve][k] <= factor * least;
    }
    return all ? (double)solved / all : 0.0;
}

enum { LEFT = 60, TOP = 50, WIDTH = 560, HEIGHT = 320, RIGHT = 170, DECADES = 4 };

static double x_of(double factor)
{
    return LEFT + WIDTH * log10(factor) / DECADES;
}
static double y_of(double part)
{
    return TOP + HEIGHT * (1.0 - part);
}

static void draw_axes(FILE *f)
{
    fprintf(f, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>\n", LEFT, TOP, WIDTH,
            HEIGHT);
    for (int d = 0; d <= DECADES; d++)
        fprintf(f,
                "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='#ddd'/><text x='%.1f' y='%d' "
                "text-anchor='middle'>%g</text>\n",
                x_of(pow(10, d)), x_of(pow(10, d)), TOP, TOP + HEIGHT, x_of(pow(10, d)), TOP + HEIGHT + 18,
                pow(10, d));
    for (int k = 0; k <= 5; k++)
        fprintf(f,
                "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#ddd'/><text x='%d' y='%.1f' "
                "text-anchor='end'>%g</text>\n",
                LEFT, LEFT + WIDTH, y_of(0.2 * k), y_of(0.2 * k), LEFT - 6, y_of(0.2 * k) + 4, 0.2 * k);
    fprintf(f, "<text x='%d' y='%d' text-anchor='middle'>time over that of the fastest</text>\n",
            LEFT + WIDTH / 2, TOP + HEIGHT + 40);
    fprintf(f,
            "<text transform='translate(16,%d) rotate(-90)' text-anchor='middle'>part of the problems "
            "solved</text>\n",
            TOP + HEIGHT / 2);
}

bool profile_write(const profile *p, const char *title, const char *path)
{
    static const char *const colours[PROFILE_CURVES] = { "#c00000", "#0050b0", "#008040", "#a05000",
                                                         "#7030a0", "#008080", "#d07000", "#606060",
                                                         "#b000b0", "#4060ff", "#60a000", "#000000" };
    FILE *f = fopen(path, "w");
    if (!f) return false;
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' "
            "font-size='12'>\n",
            LEFT + WIDTH + RIGHT, TOP + HEIGHT + 60);
    fprintf(f,
            "<rect width='100%%' height='100%%' fill='white'/><text x='%d' y='28' font-size='15'>%s</text>\n",
            LEFT, title);
    draw_axes(f);
    for (int c = 0; c < p->curves; c++) {
        fprintf(f, "<polyline fill='none' stroke='%s' stroke-width='%s' points='", colours[c],
                c == 0 ? "3" : "1.5");
        for (int k = 0; k <= 40 * DECADES; k++) {
            const double factor = pow(10.0, k / 40.0);
            fprintf(f, "%.1f,%.1f ", x_of(factor), y_of(profile_part(p, c, factor)));
        }
        fprintf(f, "'/>\n<text x='%d' y='%d' fill='%s'>%s</text>\n", LEFT + WIDTH + 10, TOP + 14 + 18 * c,
                colours[c], p->names[c]);
    }
    fprintf(f, "</svg>\n");
    return fclose(f) == 0;
}
