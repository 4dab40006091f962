/// simulation/run/trajectory_hdf5.h: the trajectory as HDF5, when the library was built with it.
#ifndef SLIP_SIMULATION_RUN_TRAJECTORY_HDF5_H
#define SLIP_SIMULATION_RUN_TRAJECTORY_HDF5_H

#include "simulation/sim/sim.h"

typedef struct slip_trajectory_hdf5 slip_trajectory_hdf5;

/// SLIP_UNSUPPORTED when this build has no HDF5. Dataset /trajectory, rows by columns, and attribute
/// `columns` with the names.
slip_status slip_trajectory_hdf5_open(const char *directory, const slip_sim *sim, slip_error *error,
                                      slip_trajectory_hdf5 **file);
void slip_trajectory_hdf5_row(slip_trajectory_hdf5 *file,
                              const double *row); ///< does nothing when file is NULL
bool slip_trajectory_hdf5_failed(const slip_trajectory_hdf5 *file);
bool slip_trajectory_hdf5_close(slip_trajectory_hdf5 *file); ///< false when a write has failed

#endif
