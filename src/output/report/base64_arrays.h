/// output/report/base64_arrays.h: arrays of numbers in JSON, as base64.
#ifndef SLIP_OUTPUT_REPORT_BASE64_ARRAYS_H
#define SLIP_OUTPUT_REPORT_BASE64_ARRAYS_H

#include "base/json.h"

/// Members {"f64": "..."}, {"f32": "..."} and {"u8": "..."}: little-endian, whatever this machine is.
/// Infinities become NaN, which is how an array says null. `stride` is the distance of the values from one
/// another.
void slip_json_doubles(slip_json *json, const char *key, const double *values, size_t count, size_t stride);
void slip_json_floats(slip_json *json, const char *key, const double *values, size_t count, size_t stride);
void slip_json_bytes(slip_json *json, const char *key, const double *values, size_t count,
                     size_t stride); ///< 0 .. 255
void slip_json_single(slip_json *json, const char *key, const float *values,
                      size_t count); ///< the same as f32

#endif
