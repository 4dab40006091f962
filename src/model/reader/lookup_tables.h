/// model/reader/lookup_tables.h: functions by their values at points.
#ifndef SLIP_MODEL_READER_LOOKUP_TABLES_H
#define SLIP_MODEL_READER_LOOKUP_TABLES_H

#include "model/reader/reader.h"

typedef enum slip_interpolation { SLIP_STEPS, SLIP_LINEAR, SLIP_SPLINE } slip_interpolation;

/// Knots along one or two axes, increasing, and the values there: value[i * count[1] + j] at x_i, y_j.
typedef struct slip_table_data {
    int axes, count[2];
    const double *knot[2], *value;
    slip_interpolation interpolation;
    bool extends; ///< beyond the ends, by the last piece; else the value of the end holds
    slip_dimension argument[2], result;
} slip_table_data;

enum { SLIP_MAX_KNOTS = 10000 };

/// The table at these arguments, as a tree of `if` whose leaves are the pieces: derivatives are those of the
/// pieces, and the knots are found as switches. SLIP_NONE when out of memory.
slip_ref slip_table_node(slip_reader *r, const slip_table_data *table, const slip_ref *argument);

/// Columns of numbers from a file of comma-separated values.
typedef struct slip_csv {
    const slip_source *file;
    int rows;
    const double *value[3];
    const long *place[3], *length; ///< where each number stands, for messages
} slip_csv;

/// The columns that `names` names, 3 at the most; NULL: stands for "t". False when there was a mistake.
bool slip_csv_read(slip_reader *r, const slip_yaml *file, const slip_yaml *const *names, int count,
                   slip_csv *csv);

/// Reads `interpolation` and `outside` of a map.
void slip_read_interpolation(slip_reader *r, const slip_yaml *map, slip_table_data *table);

/// The numbers of a list; NULL when there was a mistake.
const double *slip_read_numbers(slip_reader *r, slip_yaml *list, const char *what, slip_dimension *dimension);

/// Whether knots increase; else a mistake.
bool slip_check_knots(slip_reader *r, const double *knot, int count, const slip_yaml *list,
                      const slip_csv *csv, const char *what);

#endif
