/// slipstick.h: machines that stick, slip and strike. Includes the whole public interface:
///
///   status.h       how a call and a solve end
///   diagnostics.h  errors and warnings of a file, with line, column and caret
///   model.h        reading a model
///   parts.h        formulations, integrators, solvers, laws by name
///   derive.h       the equations of a model, as text or LaTeX
///   design.h       contact constants for a given restitution
///   law.h          friction laws as numbers
///   net.h          networks of components in C
///   problem.h      complementarity and friction problems, and the residual of an answer
///   solver.h       solvers for them
///   analysis.h     the contact problem at one state, and whether to trust it
///   impact.h       impact laws side by side
///   domain_map.h   domains of behaviour over two states
///   warning.h      warnings and notes of a run
///   sim.h          a model under one formulation, step by step
///   sensitivity.h  derivatives of a motion to parameters and initial values
///   cycle.h        periodic motions and their stability
///   branch.h       special points along a branch of periodic motions or equilibria
///   two_parameter.h  special points of periodic motions as curves over two parameters
///   equilibrium.h  equilibria: points, and sets that friction holds
///   linearize.h    natural frequencies, state-space matrices, frequency response about an equilibrium
///   lyapunov.h     exponents of Lyapunov: periodic, quasi-periodic or chaotic
///   draw.h         drawings of a model, frame by frame
///   compare.h      one model under every formulation, and which to use
///   ensemble.h     many variations of one model, advanced together in one thread
///   sweep.h        many variations of one model, on all processors
///   basin.h        basins of attraction over two initial values
///   optimize.h     parameters that minimise a value of the motion
///   fit.h          parameters from measured data, with their uncertainty
///   encoder.h      from a two-channel encoder signal to an angle
///   loads.h        loads of contacts, frictions and joints along a run: peaks, impulses, work
///   run.h          a whole run with its files and its JSON summary
///   report.h       recordings of runs, and one HTML page about them
///   lab.h          the laboratory: models alive in one HTML page
///   export.h       a model as a program of its own: C99, or an FMU
///   import.h       models from robot descriptions
///   plot.h         pictures of a run: in a terminal, SVG, PNG, animations
#ifndef SLIPSTICK_H
#define SLIPSTICK_H

#include "slipstick/analysis.h"
#include "slipstick/domain_map.h"
#include "slipstick/branch.h"
#include "slipstick/compare.h"
#include "slipstick/cycle.h"
#include "slipstick/encoder.h"
#include "slipstick/derive.h"
#include "slipstick/design.h"
#include "slipstick/diagnostics.h"
#include "slipstick/draw.h"
#include "slipstick/ensemble.h"
#include "slipstick/equilibrium.h"
#include "slipstick/linearize.h"
#include "slipstick/export.h"
#include "slipstick/fit.h"
#include "slipstick/import.h"
#include "slipstick/lab.h"
#include "slipstick/law.h"
#include "slipstick/loads.h"
#include "slipstick/lyapunov.h"
#include "slipstick/model.h"
#include "slipstick/net.h"
#include "slipstick/optimize.h"
#include "slipstick/parts.h"
#include "slipstick/two_parameter.h"
#include "slipstick/problem.h"
#include "slipstick/report.h"
#include "slipstick/run.h"
#include "slipstick/sensitivity.h"
#include "slipstick/sim.h"
#include "slipstick/solver.h"
#include "slipstick/status.h"
#include "slipstick/impact.h"
#include "slipstick/sweep.h"
#include "slipstick/basin.h"
#include "slipstick/plot.h"
#include "slipstick/warning.h"

#endif
