/// output/plot/chart.h: two axes with a legend above them, and how special points are drawn on them.
#ifndef SLIP_OUTPUT_PLOT_CHART_H
#define SLIP_OUTPUT_PLOT_CHART_H

#include "output/plot/picture.h"

typedef struct slip_chart {
    slip_picture *picture;
    double top; ///< of the axes, below the lines of the legend
    int lines;  ///< of the legend
    double low[2], high[2];
} slip_chart;

/// Size and title; then lines of the legend, then axes.
void slip_chart_begin(slip_chart *chart, slip_picture *picture, const char *title);
void slip_chart_legend(slip_chart *chart, slip_pen pen, bool dot, const char *text);
void slip_chart_range(slip_chart *chart, int axis, double a, double b); ///< with some air
void slip_chart_axis(const slip_chart *chart, int axis, const char *name);

double slip_chart_x(const slip_chart *chart, double value);
double slip_chart_y(const slip_chart *chart, double value);

/// How what is special is drawn: the contact problem in dashes, what belongs to motions in whole lines.
typedef struct slip_special_point_style {
    const char *kind, *text;
    slip_pen pen;
} slip_special_point_style;

enum { SLIP_SPECIAL_POINT_STYLES = 12 };
const slip_special_point_style *slip_special_point_style_at(int k);
int slip_special_point_style_of(const char *kind); ///< its number

#endif
