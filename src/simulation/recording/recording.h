/// simulation/recording/recording.h: the internal structure of a recording.
#ifndef SLIP_SIMULATION_RECORDING_RECORDING_H
#define SLIP_SIMULATION_RECORDING_RECORDING_H

#include "base/text.h"
#include "simulation/recording/force_network.h"
#include "simulation/recording/decimated_series.h"
#include "simulation/sim/sim.h"
#include "slipstick/draw.h"
#include "slipstick/report.h"
#include "slipstick/run.h"

/// Largest number of events, of bytes for their texts, and of changes of verdict; beyond it neighbours are
/// merged.
enum {
    SLIP_RECORDING_MAX_EVENTS = 5000,
    SLIP_RECORDING_MAX_TEXT_BYTES = 1 << 20,
    SLIP_RECORDING_MAX_SPANS = 1024
};

typedef struct slip_channel {
    const char *name, *unit, *group;
} slip_channel;

/// An element and its channels; -1 where there is none.
typedef struct slip_recorded_contact {
    const char *name;
    int channel[SLIP_QUANTITY_COUNT], mode;
    bool has_gap;
} slip_recorded_contact;

/// A verdict and the time from which it holds.
typedef struct slip_verdict_span {
    double from;
    const char *verdict;
} slip_verdict_span;

/// Frames at equal distances: at every stride-th step, or by peeks every `distance` seconds.
typedef struct slip_frames {
    int width, most, count;
    int certain;     ///< number of frames that the run has passed; the others lie within its next step
    long stride;     ///< steps between two frames
    double distance; ///< s, for methods that choose their steps; else 0
    double *time;
    float *value; ///< most x width
} slip_frames;

struct slip_recording {
    slip_run_observer base; ///< the interface that a run uses
    slip_recording_def def;
    const slip_model *model; ///< of the run; NULL before it
    slip_pool *names;
    int kept_count, left_out; ///< number of states with a channel, and without: those of many free bodies
    int *kept;                ///< columns of the simulation with a channel
    int channel_count, first_mode; ///< the modes are the last channels
    slip_channel *channels;
    int contact_count;
    slip_recorded_contact *contacts;
    int watched_count;
    int *watched; ///< the watched forces that have a channel
    bool has_energy;

    slip_decimated_series series;
    double *row;   ///< t and one number per channel
    double *ahead; ///< rows of the frames within the next step
    slip_frames frames;
    slip_force_network network;
    slip_drawing drawing;
    long peeks;     ///< number of peeks for frames so far
    long last_step; ///< number of the last step that was recorded
    double end;     ///< s, time that the run has reached

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
    char *summary, *timeless; ///< JSON of the run, with and without timings
    slip_text said;           ///< findings, one line each; the first letter is the tone
    bool failed;              ///< out of memory: the recording is incomplete
    void *memory;
};

/// Selects the columns that get a channel, into `kept` unless that is NULL, and counts the others
/// (channel_selection.c).
void slip_recording_select_channels(slip_recording *recording, const slip_sim *sim);

/// Adds the main findings about the run to recording->said (run_findings.c).
void slip_recording_add_findings(slip_recording *recording, slip_sim *sim);

#endif
