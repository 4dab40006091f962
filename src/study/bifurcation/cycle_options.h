/// study/bifurcation/cycle_options.h: parses and checks the options of a search against the model.
#ifndef SLIP_STUDY_BIFURCATION_CYCLE_OPTIONS_H
#define SLIP_STUDY_BIFURCATION_CYCLE_OPTIONS_H

#include "base/text.h"
#include "model/model.h"

/// Makes a model whose run is one period long, so that the period is a formula of the parameters like any
/// other.
slip_status slip_cycle_option_period(const slip_model *model, const char *period, slip_error *error,
                                     slip_model **out);

/// Marks the states that are named: "y, phi".
slip_status slip_cycle_option_shifts(const slip_model *model, const char *list, bool *shifts,
                                     slip_error *error);

/// Reads "w=0.5:2": the name of a parameter into `name`, and its range.
slip_status slip_cycle_option_along(const char *along, char *name, size_t size, double *from, double *to,
                                    slip_error *error);

enum { SLIP_TWO_PARAMETER_MAX_VALUES = 1000 };

/// Reads "r=0.6:0.9:13": the same with a number of values.
slip_status slip_cycle_option_two_parameter(const char *plane, char *name, size_t size, double *from,
                                            double *to, int *count, slip_error *error);

/// Lists the names of all states, separated by commas, then `parameters` (NULL: none). False when out of
/// memory.
bool slip_cycle_option_columns(const slip_model *model, const char *parameters, slip_text *list);

/// Marks the states that do not move freely: positions of modal coordinates, and coordinates that are held.
void slip_cycle_option_fixed(const slip_model *model, bool *fixed);

#endif
