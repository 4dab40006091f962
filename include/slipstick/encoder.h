/// decode.h: a two-channel encoder to an angle.
///
/// The channels run through 00 10 11 01 as the angle falls, and back as it rises; every change of one channel
/// is an edge, half a tick from where the state is in the middle. Direction is decoded from the order, a
/// change of direction shows as the same edge twice, and no edge is dropped. When both channels change
/// between two samples an edge was missed: that is counted, and the motion is taken to have gone on in its
/// direction.
#ifndef SLIPSTICK_ENCODER_H
#define SLIPSTICK_ENCODER_H

#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_encoder_edge {
    double t, angle;
} slip_encoder_edge;

typedef struct slip_encoder_angle {
    int count; ///< edges
    slip_encoder_edge *edges;
    long samples;
    int reversals;   ///< changes of direction
    int missed;      ///< samples at which both channels had changed
    long unfinished; ///< number of the last line of a file when it has no end and was left out, since a level
                     ///< may be cut off; else 0
} slip_encoder_angle;

/// `samples` pairs of levels, 0 or not, taken `rate` times per second from t = 0; `tick` is the angle between
/// two edges. To be released with slip_encoder_angle_destroy().
slip_status slip_encoder_decode(const unsigned char *channels, long samples, double rate, double tick,
                                slip_error *error, slip_encoder_angle *decoding);

/// The same from a file of two columns (comma or blank between them, # comments and a header line allowed).
slip_status slip_encoder_decode_file(const char *path, double rate, double tick, slip_error *error,
                                     slip_encoder_angle *decoding);

/// Releases the edges; the structure itself is the caller's.
void slip_encoder_angle_destroy(slip_encoder_angle *decoding);

/// Edges as CSV, t and theta.
slip_status slip_encoder_angle_write_csv(const slip_encoder_angle *decoding, const char *path,
                                         slip_error *error);

/// Counts as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_encoder_angle_json(const slip_encoder_angle *decoding);

#ifdef __cplusplus
}
#endif
#endif
