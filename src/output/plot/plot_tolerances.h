/// output/plot/plot_tolerances.h: the tolerances of pictures.
#ifndef SLIP_OUTPUT_PLOT_TOLERANCES_H
#define SLIP_OUTPUT_PLOT_TOLERANCES_H

/// A range below this (absolute) gets no ticks: a power of ten for their distance would underflow.
static const double LEAST_TICK_RANGE = 1e-290;

/// Slack of a quotient or logarithm that is rounded to a whole number of ticks or digits.
static const double TICK_ROUNDING = 1e-9;

/// Numbers outside these limits (absolute) are labelled with a common power of ten.
static const double LARGE_LABEL = 1e5;
static const double SMALL_LABEL = 1e-2;

/// A curve that varies by less than this, relative to its value, is drawn as constant: the rest is rounding.
static const double CONSTANT_CURVE = 1e-9;

/// Margins around a curve: relative to its range, or to its value where it is constant.
static const double MARGIN_OF_RANGE = 0.06;
static const double MARGIN_OF_VALUE = 0.1;

/// The same for charts with axes.
static const double CHART_MARGIN_OF_RANGE = 0.04;

/// Least progress along a dashed line, in pixels: rounding must not let it stand still.
static const double LEAST_DASH = 1e-6;

/// Least extent of a scene (m, absolute), so that its scale is finite.
static const double LEAST_SCENE = 1e-9;

/// Parts of a scene in space that are not there at a time are this small, relative to the scene: a scale of 0 has no inverse.
static const double VANISHING_PART = 1e-6;

/// Thickness of lines in space, relative to the scene: like that of a pen in its picture.
static const double LINE_THICKNESS = 0.003;

/// A scale shorter than this (m, absolute) is labelled in millimetres.
static const double SHORT_SCALE = 0.01;

#endif
