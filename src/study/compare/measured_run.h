/// study/compare/measured_run.h: one run, measured step by step: penetration, creep, violation of the
/// friction cone, energy error.
#ifndef SLIP_STUDY_COMPARE_MEASURED_RUN_H
#define SLIP_STUDY_COMPARE_MEASURED_RUN_H

#include "model/model.h"
#include "slipstick/compare.h"

/// A model that also records the quantities of its elements that a comparison needs.
typedef struct slip_measured_model {
    slip_model *model;
    slip_model *plain;    ///< as it was given
    int coordinate_count; ///< states that are compared: coordinates, or all states of an inclusion
    int element_count;
    int first_record; ///< number of the first of ours; SLIP_WATCHES per element, NaN where it has none
    bool *has_gap, *has_slip;
} slip_measured_model;

/// Makes the model with one more recorded quantity per measured quantity of every element.
slip_status slip_measured_model_create(const slip_model *model, slip_error *error,
                                       slip_measured_model *watched);
void slip_measured_model_destroy(slip_measured_model *watched);

/// The measurements of a run.
typedef struct slip_measured {
    slip_status status; ///< other than SLIP_OK: it could not be started
    slip_run_outcome outcome;
    char text[480]; ///< why not, or the first warning
    bool warned;
    long steps;
    double seconds, energy_error, penetration, creep, cone_violation;
    double travel; ///< how far the coordinate that moves most has moved
} slip_measured;

/// Runs `formulation` with this step to `until` and writes the compared states to `end`. Without `closely`
/// the elements are not measured, so that the time of the run is that of the formulation.
slip_measured slip_measure_run(const slip_measured_model *watched, const char *formulation, double step,
                               double until, bool closely, const volatile sig_atomic_t *stop, double *end);

#endif
