/// slipstick.h: machines that stick, slip and strike. Includes the whole public interface:
///
///   status.h       how a call and a solve end
///   diagnostics.h  what is wrong with a file, all of it, with carets
///   model.h        reading a model
///   parts.h        formulations, integrators, solvers, laws by name
///   derive.h       the equations made of a model, as text or LaTeX
///   design.h       from a wanted restitution to constants of formulation dai
///   law.h          friction laws in numbers
///   net.h          a system as a network of components that move and components that push
///   problem.h      complementarity and friction problems, and how wrong an answer is
///   solver.h       their solvers
///   analysis.h     the contact problem at one state, and whether to believe it
///   strike.h       laws of impact side by side
///   analyze.h      domains of behaviour over two states
///   warning.h      what a run has to say about its own answer
///   sim.h          a model under one formulation, step by step
///   sensitivity.h  derivatives of a motion to parameters and to where it starts
///   cycle.h        motions that repeat, and whether they are stable
///   plane.h        what is special about them, as curves over two parameters
///   branch.h       what is special along a branch of motions or places
///   equilibrium.h  equilibria: points, and sets that friction holds
///   lyapunov.h     Lyapunov exponents: periodic, quasi-periodic, chaotic
///   draw.h         what a model looks like, frame by frame
///   compare.h      one model under every formulation, and which to use
///   ensemble.h     many variations of one model, advanced together in one thread
///   sweep.h        one model, many variations of it
///   basin.h        where motions end, over two of their starts
///   sensitivity.h  derivatives of the motion to parameters and starts
///   optimize.h     parameters for which a value of the motion is least
///   fit.h          parameters from data, and how certain they are
///   decode.h       a two-channel encoder to an angle
///   run.h          a whole run with its files and its JSON summary
///   report.h       what runs did, and one HTML page about it
///   import.h       a model of a robot description
///   view.h         pictures of what a run wrote: in a terminal, SVG, PNG, films
#ifndef SLIPSTICK_H
#define SLIPSTICK_H

#include "slipstick/analysis.h"
#include "slipstick/analyze.h"
#include "slipstick/branch.h"
#include "slipstick/compare.h"
#include "slipstick/cycle.h"
#include "slipstick/decode.h"
#include "slipstick/derive.h"
#include "slipstick/design.h"
#include "slipstick/diagnostics.h"
#include "slipstick/draw.h"
#include "slipstick/ensemble.h"
#include "slipstick/equilibrium.h"
#include "slipstick/fit.h"
#include "slipstick/import.h"
#include "slipstick/law.h"
#include "slipstick/lyapunov.h"
#include "slipstick/model.h"
#include "slipstick/net.h"
#include "slipstick/optimize.h"
#include "slipstick/parts.h"
#include "slipstick/plane.h"
#include "slipstick/problem.h"
#include "slipstick/report.h"
#include "slipstick/run.h"
#include "slipstick/sensitivity.h"
#include "slipstick/sim.h"
#include "slipstick/solver.h"
#include "slipstick/status.h"
#include "slipstick/strike.h"
#include "slipstick/sweep.h"
#include "slipstick/basin.h"
#include "slipstick/view.h"
#include "slipstick/warning.h"

#endif
