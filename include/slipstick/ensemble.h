/// ensemble.h: many variations of one model, advanced together.
///
///     const char *names[] = { "mu" };
///     double mu[1000];                                  // one row per member, one column per name
///     for (int k = 0; k < 1000; k++) mu[k] = 0.001 * k;
///     slip_ensemble *ensemble;
///     slip_status status = slip_ensemble_create(model, NULL, names, 1, mu, 1000, &error, &ensemble);
///     slip_ensemble_run(ensemble, INFINITY);
///     slip_ensemble_get(ensemble, "x", ends);           // of all members
///
/// Every member is a simulation with the bits of slip_sim_create and slip_sim_step for that variation alone.
/// Members under formulations that become ODEs (dai, modular, kelvin-voigt, hunt-crossley, tanh) with rk4 or
/// rk4-generalised are advanced 32 at a time with packed arithmetic: SSE2, AVX2 or AVX-512, whichever
/// the processor has, with the same bits. Others, and models with events or controllers of their own, are
/// advanced one after the other. Nothing is allocated by a step. An ensemble belongs to one thread; several
/// may share a model.
#ifndef SLIPSTICK_ENSEMBLE_H
#define SLIPSTICK_ENSEMBLE_H

#include "slipstick/model.h"
#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_ensemble slip_ensemble;

/// One member per row of `values` (count x name_count, row by row): the model with names[k] set to the number
/// in column k. Names are those of slip_model_vary: parameters ("mu"), initial values
/// ("coordinates.x.start"), settings ("run.step"). `def` may be NULL. The model must outlive the ensemble. A
/// row that makes no simulation is a member that failed (slip_ensemble_error); a status other than SLIP_OK
/// says that there is no ensemble.
slip_status slip_ensemble_create(const slip_model *model, const slip_sim_def *def, const char *const *names,
                                 int name_count, const double *values, int count, slip_error *error,
                                 slip_ensemble **ensemble);
void slip_ensemble_destroy(slip_ensemble *ensemble); ///< NULL is fine

int slip_ensemble_count(const slip_ensemble *ensemble); ///< members, those that failed among them

/// One step of every member that runs; returns how many still do.
int slip_ensemble_step(slip_ensemble *ensemble);

/// Steps every member that runs until its time is at least t, or it ends; INFINITY: to the end. Returns how
/// many still run.
int slip_ensemble_run(slip_ensemble *ensemble, double t);

/// How member k stands or ended; SLIP_UNSOLVED when it could not be made.
slip_run_outcome slip_ensemble_outcome(const slip_ensemble *ensemble, int k);

/// Why member k could not be made; NULL when it could.
const slip_error *slip_ensemble_error(const slip_ensemble *ensemble, int k);

/// Member k as a simulation, at its present state: columns, energy, warnings, and whatever else sim.h offers.
/// It may be stepped and changed. NULL when it could not be made. It lives as long as the ensemble.
slip_sim *slip_ensemble_member(slip_ensemble *ensemble, int k);

/// The value of a column (slip_sim_column_name) for every member, into values[count]; NaN where there is
/// none.
void slip_ensemble_get(slip_ensemble *ensemble, const char *column, double *values);

/// How many numbers one instruction takes on this processor: 2, 4 or 8.
int slip_ensemble_width(const slip_ensemble *ensemble);
int slip_ensemble_packed(const slip_ensemble *ensemble); ///< how many members are advanced in this way

#ifdef __cplusplus
}
#endif

#endif
