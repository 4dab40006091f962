/// output/plot/picture.h: a picture as a list of lines, areas and texts, and what can be made of it.
///
/// Points are those of SVG: x to the right, y down. Colours have names, so that one picture is readable on
/// light and on dark paper.
#ifndef SLIP_OUTPUT_PLOT_PICTURE_H
#define SLIP_OUTPUT_PLOT_PICTURE_H

#include <stdbool.h>

#include "base/text.h"

/// name, on light paper, on dark paper. The lines are Okabe and Ito's palette, which colour-blind readers can
/// distinguish; its yellow is left to dark paper.
#define SLIP_INKS(X)                                                                                         \
    X(NONE, "none", "none")                                                                                  \
    X(PAPER, "#ffffff", "#14171c")                                                                           \
    X(INK, "#1c2127", "#e7eaee")                                                                             \
    X(MUTED, "#5d6670", "#9aa4ae")                                                                           \
    X(GRID, "#e3e6ea", "#2b3038")                                                                            \
    X(LINE_1, "#0072b2", "#56b4e9")                                                                          \
    X(LINE_2, "#d55e00", "#f08a4b")                                                                          \
    X(LINE_3, "#009e73", "#2bc29a")                                                                          \
    X(LINE_4, "#cc79a7", "#e2a3c7")                                                                          \
    X(LINE_5, "#8a6d00", "#f0e442")                                                                          \
    X(LINE_6, "#444444", "#cccccc")                                                                          \
    X(GROUND, "#8b949e", "#7d8690")                                                                          \
    X(GROUND_FILL, "#eef0f2", "#22272e")                                                                     \
    X(BODY, "#24527a", "#8fc1ea")                                                                            \
    X(BODY_FILL, "#dbe9f5", "#213447")                                                                       \
    X(ACCENT, "#b45309", "#f3b36a")                                                                          \
    X(ACCENT_FILL, "#fbe9d3", "#463018")

#define SLIP_INK_AS_ENUM(name, light, dark) SLIP_INK_##name,
typedef enum slip_ink { SLIP_INKS(SLIP_INK_AS_ENUM) SLIP_INK_COUNT } slip_ink;

enum { SLIP_LINE_INKS = 6 };

typedef struct slip_pen {
    slip_ink stroke, fill;
    double width;
    double dash; ///< length of a dash; 0: a whole line
} slip_pen;

typedef enum slip_mark_kind { SLIP_MARK_PATH, SLIP_MARK_CIRCLE, SLIP_MARK_TEXT } slip_mark_kind;

typedef struct slip_mark {
    slip_mark_kind kind;
    slip_pen pen;
    bool closed;      ///< a path returns to its start
    int anchor;       ///< of a text: -1 begins, 0 is centred, 1 ends at its point
    int turned;       ///< of a text: 1 reads upwards
    double size;      ///< of a text, points
    int first, count; ///< its points in slip_picture.xy; a circle has one, and its radius behind it
    size_t text;      ///< place in slip_picture.text
} slip_mark;

typedef struct slip_picture {
    double width, height;
    slip_mark *marks;
    int mark_count, mark_room;
    double *xy; ///< x y x y ...
    int point_count, point_room;
    slip_text text; ///< one after another, each with its NUL
    bool failed;    ///< out of memory
} slip_picture;

void slip_picture_destroy(slip_picture *picture);

/// A path through points that are added next, one by one; not-a-number begins a new path.
void slip_picture_begin(slip_picture *picture, slip_pen pen, bool closed);
void slip_picture_point(slip_picture *picture, double x, double y);

void slip_picture_line(slip_picture *picture, slip_pen pen, double x0, double y0, double x1, double y1);
void slip_picture_circle(slip_picture *picture, slip_pen pen, double x, double y, double radius);
void slip_picture_label(slip_picture *picture, slip_ink ink, double size, int anchor, int turned, double x,
                        double y, const char *format, ...) SLIP_PRINTF(8, 9);

// ---- svg.c

/// "<svg ...>" with its styles, up to the first mark; the caller adds "</svg>".
void slip_svg_begin(slip_text *out, double width, double height, const char *title);
void slip_svg_path(slip_text *out, const slip_picture *picture, const slip_mark *mark); ///< value of d=""
void slip_svg_pen(slip_text *out, const slip_pen *pen);                                 ///< attributes
void slip_svg_mark(slip_text *out, const slip_picture *picture, const slip_mark *mark);
void slip_svg(slip_text *out, const slip_picture *picture, const char *title); ///< all of it

// ---- raster.c, png.c

/// On light paper, `scale` pixels per point: width * scale times height * scale times three bytes. False when
/// out of memory.
bool slip_raster(const slip_picture *picture, double scale, unsigned char *rgb, int width, int height);

/// A PNG file of it.
void slip_png(slip_text *out, const unsigned char *rgb, int width, int height);

// ---- picture_file.c

/// The end of the path says what a picture is written as: .svg or .png.
slip_status slip_picture_check_name(const char *path, slip_error *error);
slip_status slip_picture_write(const char *path, const slip_picture *picture, const char *title,
                               slip_error *error);

#endif
