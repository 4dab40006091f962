/// simulation/recording/recording.h: a recording from inside.
#ifndef SLIP_SIMULATION_RECORDING_RECORDING_H
#define SLIP_SIMULATION_RECORDING_RECORDING_H

#include "base/text.h"
#include "simulation/recording/force_network.h"
#include "simulation/recording/decimated_series.h"
#include "simulation/sim/sim.h"
#include "slipstick/draw.h"
#include "slipstick/report.h"
#include "slipstick/run.h"

/// Events that are kept, bytes for their texts, changes of verdict before neighbours merge.
enum {
    SLIP_RECORDING_MAX_EVENTS = 5000,
    SLIP_RECORDING_MAX_TEXT_BYTES = 1 << 20,
    SLIP_RECORDING_MAX_SPANS = 1024
};

typedef struct slip_channel {
    const char *name, *unit, *group;
} slip_channel;

/// An element and the channels that tell of it; -1 where there is none.
typedef struct slip_recorded_contact {
    const char *name;
    int channel[SLIP_QUANTITY_COUNT], mode;
    bool has_gap;
} slip_recorded_contact;

/// A verdict and since when.
typedef struct slip_verdict_span {
    double from;
    const char *verdict;
} slip_verdict_span;

/// Frames at equal distances: every stride-th step, or by peeks once in `distance` seconds.
typedef struct slip_frames {
    int width, most, count;
    int certain;     ///< of them that the run has reached; the others are ahead of its last step
    long stride;     ///< steps from one to the next
    double distance; ///< s, for methods that choose their steps; else 0
    double *time;
    float *value; ///< most x width
} slip_frames;

struct slip_recording {
    slip_run_observer base; ///< as a run sees it
    slip_recording_def def;
    const slip_model *model; ///< of the run; NULL before it
    slip_pool *names;
    int kept_count, left_out; ///< states that have a channel, and that have none: of many free bodies some
    int *kept;                ///< columns of the simulation that have one
    int channel_count, first_mode; ///< modes are the last channels
    slip_channel *channels;
    int contact_count;
    slip_recorded_contact *contacts;
    int watched_count;
    int *watched; ///< which of the watched forces have a channel
    bool has_energy;

    slip_decimated_series series;
    double *row;   ///< t and a number per channel
    double *ahead; ///< rows of the frames ahead
    slip_frames frames;
    slip_force_network network;
    slip_drawing drawing;
    long peeks;     ///< that frames took so far
    long last_step; ///< number of the step that was looked at last
    double end;     ///< s, of the run so far

    slip_event *events;
    long event_total;
    int event_count;
    char *texts; ///< of the events, SLIP_RECORDING_MAX_TEXT_BYTES bytes
    size_t text_used;
    slip_verdict_span *spans;
    int span_count;
    bool judged;

    const char *formulation;
    slip_run_outcome outcome;
    slip_run_info info;
    char *summary, *timeless; ///< JSON of the run, with and without what the clock said
    slip_text said;           ///< findings, one line each; the tone is its first letter
    bool failed;              ///< something could not be kept for lack of memory
    void *memory;
};

/// Which columns have a channel, into `kept` unless that is NULL, and how many have none (columns.c).
void slip_recording_select_channels(slip_recording *recording, const slip_sim *sim);

/// What is worth saying first about the run, into recording->said (findings.c).
void slip_recording_add_findings(slip_recording *recording, slip_sim *sim);

#endif
