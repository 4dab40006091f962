/// study/sweep/sweep_tolerances.h: the tolerances of sweeps, their statistics and basins.
#ifndef SLIP_STUDY_SWEEP_TOLERANCES_H
#define SLIP_STUDY_SWEEP_TOLERANCES_H

// ---- basins

/// Defaults: the last fraction of a run in which it is observed, and the difference at which two ends are the
/// same, relative to the size of the motion.
static const double DEFAULT_TAIL = 0.2;
static const double DEFAULT_END_TOLERANCE = 0.05;

/// Extent of a state (SI units, absolute) up to which no run moves: its scale is then 1.
static const double NO_EXTENT = 1e-9;

/// A resting value below this fraction of the scale is shown as 0.
static const double SHOWN_AS_ZERO = 1e-6;

// ---- statistics

/// Crossings of a section are bisected to this, relative to the time: two units in the last place. The second
/// number keeps the bound positive at t = 0.
static const double SECTION_TIME = 4e-16;
static const double SECTION_TIME_LEAST = 1e-300;

/// The quotient of two times may miss a whole number by this much, by rounding, and still count as that
/// number.
static const double STROBE_ROUNDING = 1e-12;

/// Two points of a section are the same within this fraction of the range of a column over all runs. A column
/// whose range is below the second, relative to the largest one, is constant up to rounding, as the column
/// that defines the section is.
static const double POINTS_EQUAL = 1e-3;
static const double NEGLIGIBLE_RANGE = 1e-9;

// ---- lanes

/// A row is at the end of a step if its time differs from it by less than this fraction of a step: half of
/// the tolerance of the recorder (SAME_TIME), so that both agree.
static const double ROW_AT_STEP = 0.5e-9;

/// The interval between rows is a whole number of steps within this much: rounding of the quotient.
static const double WHOLE_INTERVAL = 1e-10;

// ---- processes

/// A rank that has not answered for the first time (s), or for the second factor of the longest part so far,
/// is lost.
static const double DEFAULT_TIMEOUT = 10.0;
static const double TIMEOUT_FACTOR = 5.0;

/// Least duration of a part (s), while there are enough lines left: it makes messages negligible.
static const double MIN_PART_SECONDS = 4e-3;

/// Interval between two reports of progress, s.
static const double SWEEP_PROGRESS_INTERVAL = 0.1;

/// Pauses (s, absolute) of a sweep over several ranks, none of which decides what is computed: between two
/// looks of a thread that waits for work, of a rank without workers of its own, and before a rank asks again
/// for lines that there are not yet. All are short beside a run, and long beside a message.
static const double SCHEDULER_PAUSE = 2e-4;
static const double IDLE_RANK_PAUSE = 2e-5;
static const double NO_WORK_PAUSE = 2e-3;

#endif
