/// cycle/ask.h: what the settings of a search mean for a model.
#ifndef SLIP_CYCLE_ASK_H
#define SLIP_CYCLE_ASK_H

#include "core/text.h"
#include "model/model.h"

/// The model with its run as long as the period: then that follows from parameters as everything does.
slip_status slip_ask_period(const slip_model *model, const char *period, slip_error *error, slip_model **out);

/// Marks the states that are named: "y, phi".
slip_status slip_ask_shifts(const slip_model *model, const char *list, bool *shifts, slip_error *error);

/// "w=0.5:2": the name of a parameter into `name`, and its range.
slip_status slip_ask_along(const char *along, char *name, size_t size, double *from, double *to,
                           slip_error *error);

enum { SLIP_PLANE_MOST = 1000 };

/// "r=0.6:0.9:13": the same with a count of values.
slip_status slip_ask_plane(const char *plane, char *name, size_t size, double *from, double *to, int *count,
                           slip_error *error);

/// Names of all states by commas, then `parameters` (NULL: none). False when out of memory.
bool slip_ask_columns(const slip_model *model, const char *parameters, slip_text *list);

/// Marks the states that move freely: positions of modes do not, nor what is held for good.
void slip_ask_fixed(const slip_model *model, bool *fixed);

#endif
