/// study/fit/fit_tolerances.h: the tolerances of a fit.
#ifndef SLIP_STUDY_FIT_TOLERANCES_H
#define SLIP_STUDY_FIT_TOLERANCES_H

/// Size of a change of a parameter that counts as large: the parameter itself, or at least this fraction of
/// its bounds, or this fraction of the record for a shift of the clock.
static const double SCALE_OF_BOUNDS = 0.1;
static const double SCALE_OF_RECORD = 0.01;

/// Step of a difference quotient, relative to that size: the error control of a run leaves noise of about
/// 1e-6, which is divided by this step.
static const double FIT_DIFFERENCE_STEP = 1e-3;

/// Levenberg-Marquardt ends when the sum of squares is predicted to change, and changes, by less than the
/// first (relative), or when the parameters change by less than the second (relative).
static const double SUM_CONVERGED = 1e-10;
static const double PARAMETERS_CONVERGED = 1e-6;

/// First trust region, relative to the scaled parameters (MINPACK recommends 0.1 to 100), and the most
/// evaluations.
static const double FIRST_TRUST_REGION = 10.0;
enum { MAX_EVALUATIONS = 1000 };

/// Residual of each row of a run that fails: larger than any real one, while its square is still finite.
static const double FAILED_RESIDUAL = 1e100;

/// A run extends beyond the last row of the data by this fraction of its length and by this time (s,
/// absolute), so that the last row lies inside the run.
static const double RUN_MARGIN = 1e-9;

/// The first window of the data that is fitted alone, as a fraction of the record, and its rows per parameter.
static const double FIRST_WINDOW = 1.0 / 16.0;
enum { WINDOW_ROWS = 4 };

/// Searches by default, and how many of them are made before it is asked whether one has reached the noise.
enum { DEFAULT_STARTS = 13, STARTS_AT_ONCE = 4 };

/// So many searches that end at the same sum of squares are enough.
enum { STARTS_AGREED = 4 };

/// Where a parameter has no bounds, starts lie between its guess divided and multiplied by this factor.
static const double START_FACTOR = 4.0;

/// A search agrees with the best one when its root mean square is at most this fraction larger.
static const double SEARCH_AGREES = 1e-3;

/// The border of a profile is located to this fraction of its distance, or until the sum of squares is this
/// close to its level, relative to the rise.
static const double BORDER_DISTANCE = 0.01;
static const double BORDER_LEVEL = 1e-3;

/// First distance of the border that is tried, in standard errors, and how close an estimate may come to both
/// ends of its bracket, as fractions of it.
static const double FIRST_BORDER = 1.3;
static const double BORDER_INSET_LOW = 0.1;
static const double BORDER_INSET_HIGH = 0.9;

/// Least share of white noise, of the variance: it keeps the Kalman filter regular.
static const double MIN_WHITE_SHARE = 1e-6;

/// Longest memory of smooth noise, as a fraction of the record: a shorter record cannot show it. Shortest
/// memory of rough noise, in rows.
static const double MAX_SMOOTH_MEMORY = 0.2;
static const double MIN_ROUGH_MEMORY = 0.7;

/// Prior weights of white noise, and of each kind of correlated noise.
static const double PRIOR_WHITE = 0.5;
static const double PRIOR_CORRELATED = 0.25;

/// Terms of the mixture with less weight than this do not change an interval.
static const double NEGLIGIBLE_WEIGHT = 1e-12;

/// A direction of the parameters is undetermined when it changes the data by less than this, relative to the
/// direction that changes them most, each parameter scaled to the same effect: derivatives that ride along
/// with a run have its error, those by differences its noise of about 1e-6 over a step of 1e-3.
static const double UNDETERMINED_EXACT = 1e-4;
static const double UNDETERMINED_DIFFERENCES = 3e-3;

/// A parameter takes part in such a direction, a vector of length 1, when its entry is larger.
static const double TAKES_PART = 1e-3;

/// How far the probe goes along such a direction, as a fraction of the size of the parameter that moves most.
static const double PROBE_ALONG_NULL = 0.2;

/// Products are preferred to sums when the sum of squares along them grows no more, up to this fraction of it: in
/// proportion, both are left alone.
static const double PRODUCT_PREFERRED = 1e-3;

/// An exponent this close to a multiple of 1, 1/2 or 1/3 is taken for it: the direction is not known better.
static const double EXPONENT_IS_RATIONAL = 0.01;

/// A parameter is preferred to those before it as the one that others are divided by when its part in the
/// direction is larger by this factor.
static const double PIVOT_LEAD = 1.01;

/// Median of the absolute value of a normal variable of variance 1.
static const double MEDIAN_OF_NORMAL = 0.6744897501960817;

/// Residuals are no larger than the noise of the data up to this factor, which allows for the error of a
/// median over differences that overlap, and so many standard deviations of a root mean square.
static const double NOISE_MARGIN = 1.1;
static const double NOISE_DEVIATIONS = 3.0;

/// Residuals that small, relative to the range of the data, are those of the integration of the model.
static const double RESIDUAL_RESOLUTION = 1e-6;

/// Innovations are not white when Kolmogorov and Smirnov's statistic is larger: a probability of 0.001.
static const double SPECTRUM_NOT_WHITE = 1.949;

/// Fewer rows have no spectrum; residuals with fewer runs of equal sign are not noise then, in standard
/// deviations from the number expected.
enum { SPECTRUM_ROWS = 30 };
static const double FEW_RUNS = -3.0;

/// Smooth residuals with a memory of more than this fraction of the record are taken for a term that the model
/// leaves out: a record this short cannot show that they come and go at random.
static const double NOISE_MEMORY_SHOWN = 0.1;

#endif
