/// view.h: pictures of what a run wrote: in a terminal, as SVG, as PNG, and as an animation of the drawing.
///
///     slip_run_table *table = NULL;
///     slip_run_table_read("out", &error, &table);             // out/trajectory.csv, events.csv, summary.json
///     slip_plot_def def = slip_default_plot_def();
///     def.columns = (const char *[]){ "x", "x'" }, def.column_count = 2;
///     slip_plot_write("x.svg", table, &def, &error);      // or x.png
///
/// Nothing is needed beside the library: no fonts, no image library, no Python.
#ifndef SLIPSTICK_PLOT_H
#define SLIPSTICK_PLOT_H

#include <stdbool.h>

#include "slipstick/model.h"
#include "slipstick/sim.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a run wrote, in memory.
typedef struct slip_run_table slip_run_table;

/// `path` is the directory of a run, or a CSV file with a header whose first column is the time. A last line
/// that does not end is left out: the run may still be writing it. Mistakes have their line.
slip_status slip_run_table_read(const char *path, slip_error *error, slip_run_table **table);
void slip_run_table_destroy(slip_run_table *table); ///< NULL is fine

const char *slip_run_table_title(const slip_run_table *table); ///< name of the model, else of the file
int slip_run_table_column_count(const slip_run_table *table);  ///< the time is column 0
const char *slip_run_table_column_name(const slip_run_table *table, int k); ///< NULL past the end
const char *slip_run_table_column_unit(const slip_run_table *table, int k); ///< "" when it is not known
long slip_run_table_row_count(const slip_run_table *table);                 ///< instants
const double *slip_run_table_column(const slip_run_table *table, int k);    ///< row_count numbers
int slip_run_table_event_count(const slip_run_table *table); ///< of events.csv beside it; 0 without one
slip_event slip_run_table_event(const slip_run_table *table,
                                int k); ///< time, element and kind; lives with the table

typedef struct slip_plot_def {
    const char *const *columns; ///< by name; NULL: coordinates and records, six at the most
    int column_count;
    double from, to;   ///< s (all of it)
    bool no_events;    ///< events are not marked (false)
    int width, height; ///< points of SVG and, twice that, pixels of PNG; 0: 800, and as high as needed
} slip_plot_def;

slip_plot_def slip_default_plot_def(void); ///< the defaults in parentheses above

/// As a picture; the end of the path says which: .svg or .png.
slip_status slip_plot_write(const char *path, const slip_run_table *table, const slip_plot_def *def,
                            slip_error *error);

/// In characters (braille) for a terminal of that many columns and lines, with colours when `colour`. To be
/// released with free(); NULL with *error.
char *slip_plot_text(const slip_run_table *table, const slip_plot_def *def, int columns, int lines,
                     bool colour, slip_error *error);

enum { SLIP_RUN_SOURCE_STRINGS = 5 };

/// How the run of a directory was made: enough to make it again. All of it belongs to the record.
typedef struct slip_run_source {
    char *file;  ///< of the model
    char **sets; ///< overrides, "mu=0.2"
    int set_count;
    slip_sim_def def;
    char *words[SLIP_RUN_SOURCE_STRINGS]; ///< that `def` points to
} slip_run_source;

/// Reads it from summary.json of the directory.
slip_status slip_run_source_read(const char *directory, slip_error *error, slip_run_source *source);
void slip_run_source_free(slip_run_source *source); ///< what it holds, not the record itself

typedef struct slip_animation_def {
    double from, to;   ///< s (all of it)
    double seconds;    ///< that the animation lasts (as long as the run, 2 to 20)
    double rate;       ///< frames per second (25)
    int width, height; ///< pixels (640 x 480)
} slip_animation_def;

slip_animation_def slip_default_animation_def(void); ///< the defaults in parentheses above

/// The drawing of a model along a run, as frames at equal distances in time.
typedef struct slip_animation slip_animation;

/// Runs `sim`, which was made with slip_sim_def.draw and is at its start, to the end of the animation. A run that
/// ends early gives a shorter animation; the model must outlive it. SLIP_UNSUPPORTED when it says nothing to draw.
slip_status slip_animation_create(slip_sim *sim, const slip_model *model, const slip_animation_def *def,
                                  slip_error *error, slip_animation **animation);
void slip_animation_destroy(slip_animation *animation); ///< NULL is fine

int slip_animation_frame_count(const slip_animation *animation); ///< at least 1
int slip_animation_width(const slip_animation *animation);       ///< pixels
int slip_animation_height(const slip_animation *animation);      ///< pixels
double slip_animation_rate(const slip_animation *animation);     ///< frames per second

/// As an animated SVG, which browsers play.
slip_status slip_animation_write(const char *path, const slip_animation *animation, slip_error *error);

/// As glTF 2.0 in one file (GLB), which Blender, browsers and game engines read: shapes as meshes, their motion, and arrows of
/// contact forces, green where a contact sticks and orange where it slips. SLIP_UNSUPPORTED beyond 256 MiB.
slip_status slip_animation_write_gltf(const char *path, const slip_animation *animation, slip_error *error);

/// One frame as width x height pixels of red, green, blue, a byte each. False when out of memory.
bool slip_animation_pixels(const slip_animation *animation, int frame, unsigned char *rgb);

#ifdef __cplusplus
}
#endif
#endif
