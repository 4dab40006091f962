/// study/bifurcation/cycle_options.h: what the settings of a search mean for a model.
#ifndef SLIP_STUDY_BIFURCATION_CYCLE_OPTIONS_H
#define SLIP_STUDY_BIFURCATION_CYCLE_OPTIONS_H

#include "base/text.h"
#include "model/model.h"

/// The model with its run as long as the period: then that follows from parameters as everything does.
slip_status slip_cycle_option_period(const slip_model *model, const char *period, slip_error *error,
                                     slip_model **out);

/// Marks the states that are named: "y, phi".
slip_status slip_cycle_option_shifts(const slip_model *model, const char *list, bool *shifts,
                                     slip_error *error);

/// "w=0.5:2": the name of a parameter into `name`, and its range.
slip_status slip_cycle_option_along(const char *along, char *name, size_t size, double *from, double *to,
                                    slip_error *error);

enum { SLIP_TWO_PARAMETER_MAX_VALUES = 1000 };

/// "r=0.6:0.9:13": the same with a count of values.
slip_status slip_cycle_option_two_parameter(const char *plane, char *name, size_t size, double *from,
                                            double *to, int *count, slip_error *error);

/// Names of all states by commas, then `parameters` (NULL: none). False when out of memory.
bool slip_cycle_option_columns(const slip_model *model, const char *parameters, slip_text *list);

/// Marks the states that move freely: positions of modes do not, nor what is held for good.
void slip_cycle_option_fixed(const slip_model *model, bool *fixed);

#endif
