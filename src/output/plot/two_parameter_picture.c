/// output/plot/two_parameter_picture.c: what is special over two parameters: curves in the colours of their kinds.
#include "slipstick/two_parameter.h"
#include "output/plot/chart.h"

// its line, and its points, so that one that is alone is seen too
static void draw_curve(const slip_chart *on, const slip_two_parameter_curve *c)
{
    const slip_pen pen = slip_special_point_style_at(slip_special_point_style_of(c->kind))->pen;
    slip_picture_begin(on->picture, pen, false);
    for (int k = 0; k < c->point_count; k++)
        slip_picture_point(on->picture, slip_chart_x(on, c->points[k].along),
                           slip_chart_y(on, c->points[k].across));
    for (int k = 0; k < c->point_count; k++)
        slip_picture_circle(on->picture, (slip_pen){ .fill = pen.stroke },
                            slip_chart_x(on, c->points[k].along), slip_chart_y(on, c->points[k].across), 2.2);
}

static void draw_legend(slip_chart *on, const slip_two_parameter_diagram *plane)
{
    bool shown[SLIP_SPECIAL_POINT_STYLES] = { false };
    for (int k = 0; k < plane->curve_count; k++)
        shown[slip_special_point_style_of(plane->curves[k].kind)] = true;
    for (int k = 0; k < SLIP_SPECIAL_POINT_STYLES; k++)
        if (shown[k])
            slip_chart_legend(on, slip_special_point_style_at(k)->pen, false,
                              slip_special_point_style_at(k)->text);
}

slip_status slip_two_parameter_picture(const char *path, const slip_two_parameter_diagram *plane,
                                       const char *title, slip_error *error)
{
    slip_status status = slip_picture_check_name(path, error);
    if (status != SLIP_OK) return status;
    slip_picture p = { 0 };
    slip_chart on;
    slip_chart_begin(&on, &p, title);
    draw_legend(&on, plane);
    slip_chart_range(&on, 0, plane->from, plane->to);
    slip_chart_range(&on, 1, plane->rows[0], plane->rows[plane->row_count - 1]);
    slip_chart_axis(&on, 0, plane->along);
    slip_chart_axis(&on, 1, plane->across);
    for (int k = 0; k < plane->curve_count; k++) draw_curve(&on, &plane->curves[k]);
    status = slip_picture_write(path, &p, title, error);
    slip_picture_destroy(&p);
    return status;
}
