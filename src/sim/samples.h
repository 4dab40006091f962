/// sim/samples.h: controllers that act at sample times and hold their outputs in between.
#ifndef SLIP_SIM_SAMPLES_H
#define SLIP_SIM_SAMPLES_H

#include "method/method.h"

typedef struct slip_samples slip_samples;
struct slip_derivatives;

/// False when out of memory. *samples is NULL when the model has no controllers.
bool slip_samples_create(const slip_model *model, slip_samples **samples);
void slip_samples_destroy(slip_samples *samples);

/// Derivatives that go along; they must outlive the samples.
void slip_samples_take_derivatives(slip_samples *samples, struct slip_derivatives *derivatives);

/// What was sampled and is not put out yet, and when the next samples are due.
void slip_samples_archive(slip_samples *samples, slip_archive *archive);

/// The end of a step that leads to `reach` if nobody samples: not after the next sample or output. Steps of
/// fixed length are `step` long; NaN: any length will do.
double slip_samples_limit(const slip_samples *samples, double reach, double step);

/// What is due at the present time. *changed: something was. SLIP_UNSOLVED: an output has no value.
slip_run_outcome slip_samples_pass(slip_samples *samples, slip_method *method, bool *changed);

#endif
