/// page.h: a page that sets a paper's figures and printed numbers beside ours.
///
/// Every number is written as the paper prints it and as the program computes it now. A difference that is
/// neither below half a unit of the last printed digit nor explained ends the program with a failure, and so
/// does an explanation of a difference that is not there: a page that was written is a page that holds.
#ifndef SLIPSTICK_TOOLS_PAGE_H
#define SLIPSTICK_TOOLS_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "../figures/svg.h"
#include "slipstick/slipstick.h"

typedef struct page page;

/// The title page of a paper: `name` is the file's ("flores"), `tests` the tests that hold its numbers.
typedef struct page_title {
    const char *name, *short_name, *reference, *models, *tests;
} page_title;

/// `root` is the source tree, from which models are read; files go to `out`.
page *page_create(const page_title *title, const char *root, const char *out);

/// Writes OUT/docs/reproduction/NAME.md. False when something did not hold or could not be written.
bool page_finish(page *p);

/// A paragraph of the page, before the tables.
void page_say(page *p, const char *text);

/// A figure that shows no computed thing: where what it defines is to be found here.
void page_sketch(page *p, const char *figure, const char *shows, const char *here);

/// A figure that cannot be had, and why.
void page_missing(page *p, const char *figure, const char *shows, const char *why);

/// A figure that is drawn: OUT/docs/images/reproduction/NAME-FILE.svg is opened for the SVG, to be closed
/// with fclose(). `text` stands under the picture.
FILE *page_picture(page *p, const char *figure, const char *shows, const char *file, const char *text);

/// The same for a picture that the library writes itself: where it goes, `size` characters at `path`.
void page_picture_path(page *p, const char *figure, const char *shows, const char *file, const char *text,
                       char *path, size_t size);

/// A figure that another page of the documentation draws already: `path` from the page.
void page_drawn(page *p, const char *figure, const char *shows, const char *path, const char *text);

/// A number that the paper prints, as it prints it, and ours. `why` is NULL when they agree; else it begins
/// with "misprint: " or "differs: ".
void page_number(page *p, const char *where, const char *what, const char *printed, const char *unit,
                 double ours, const char *why);

/// The same with a tolerance of its own, for what the paper calls approximate.
void page_about(page *p, const char *where, const char *what, const char *printed, const char *unit,
                double ours, double tolerance, const char *why);

/// A printed number that follows from the data without a run; it is not counted among those that agree.
void page_identity(page *p, const char *where, const char *what, const char *printed, const char *unit,
                   double ours);

/// What the paper gives and a run takes: must be as printed. page_input reads a parameter of a model.
void page_datum(page *p, const char *where, const char *what, const char *printed, const char *unit,
                double ours);
void page_input(page *p, const slip_model *model, const char *where, const char *what, const char *printed,
                const char *unit, const char *parameter);

/// What the paper leaves out: our value.
void page_not_printed(page *p, const char *where, const char *what, const char *unit, double ours,
                      const char *why);

/// A statement in words, and the measurement that decides it; `holds` false needs a `why`.
void page_claim(page *p, const char *where, const char *claim, bool holds, const char *why,
                const char *format, ...) __attribute__((format(printf, 6, 7)));

/// A misprint: what is printed, what is taken, and how one sees that it must be so.
void page_erratum(page *p, const char *where, const char *printed, const char *taken, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/// ---- models and runs; what goes wrong is printed and ends the program -------------------------------

const char *page_root(const page *p);

/// models/NAME.yaml with overrides separated by ';' ("mu=0.2;eps=1e-3"), or NULL.
slip_model *page_model(page *p, const char *name, const char *sets);
/// A model written out in full, called `name` in messages.
slip_model *page_model_text(const char *name, const char *text);
double page_parameter(const slip_model *model, const char *name);

/// A simulation; formulation and integrator NULL, step and until NaN: as the model says.
slip_sim *page_sim(const slip_model *model, const char *formulation, const char *integrator, double step,
                   double until);
void page_close(slip_sim *sim, slip_model *model);

/// Steps to the first time >= t (within a rounding); false when the run ended before.
bool page_step_to(slip_sim *sim, double t);

/// Steps to t, adding (t, column) to each of `count` curves on the way.
void page_trace(slip_sim *sim, double t, const char *const *columns, int count, svg_curve *curves);

/// The contact problem where a planar body starts, in its coordinates x, y, th; slip_analysis_destroy() it.
slip_analysis *page_analyse(const slip_model *model);

/// Panels of a picture, `columns` (1 or 2) side by side: page_begin opens a picture with `rows` of them.
typedef struct page_range {
    double from, to, tick;
} page_range;
void page_begin(FILE *out, int rows, const char *title, const char *description);
svg_axes page_panel(int column, int row, int columns, page_range x, page_range y, const char *title,
                    const char *x_label, const char *y_label);

/// Ends a picture that page_picture opened.
void page_end(FILE *out);

/// A number of the run's summary by its key; NaN when it is not there or null.
double page_summary(slip_sim *sim, const char *key);

/// Draws curves on axes and frees them.
void page_draw(FILE *out, const svg_axes *axes, svg_curve *curves, const char *const *classes, int count);

#endif
