/// study/sweep/run_record.c: a run as the bytes of a record.
#include <stdlib.h>
#include <string.h>

#include "study/sweep/sweep.h"

// before the values, the points and the text
typedef struct fixed {
    int64_t run, warnings, point_count;
    double t, horizon;
    uint32_t outcome, trust, refused, text_length;
} fixed;

void slip_sweep_pack(const slip_sweep *sweep, long run, const slip_sweep_run_record *r, const double *values,
                     slip_text *bytes)
{
    const size_t length = r->text ? strlen(r->text) : 0;
    const fixed f = { .run = run,
                      .warnings = r->warnings,
                      .point_count = r->point_count,
                      .t = r->t,
                      .horizon = r->horizon,
                      .outcome = (uint32_t)r->outcome,
                      .trust = (uint32_t)r->trust,
                      .refused = r->refused,
                      .text_length = (uint32_t)length };
    slip_text_bytes(bytes, (const char *)&f, sizeof f);
    slip_text_bytes(bytes, (const char *)values, (size_t)sweep->width * sizeof *values);
    slip_text_bytes(bytes, (const char *)r->points,
                    (size_t)(r->point_count * sweep->columns) * sizeof *r->points);
    slip_text_bytes(bytes, r->text, length);
}

static bool has_form(const slip_sweep *s, const fixed *f, size_t count)
{
    if (f->run < 0 || f->run >= s->plan.count || f->outcome >= SLIP_RUN_OUTCOME_COUNT) return false;
    if (f->trust > SLIP_TRUST_UNCHECKED) return false;
    const int64_t most = (int64_t)(count / sizeof(double)) / (s->columns ? s->columns : 1);
    if (f->point_count < 0 || f->point_count > most) return false;
    const size_t numbers = (size_t)s->width + (size_t)f->point_count * (size_t)s->columns;
    return count == sizeof *f + numbers * sizeof(double) + f->text_length;
}

slip_status slip_sweep_unpack(void *context, const char *bytes, size_t count)
{
    slip_sweep *s = context;
    fixed f;
    if (count < sizeof f) return SLIP_BAD_FILE;
    memcpy(&f, bytes, sizeof f);
    if (!has_form(s, &f, count)) return SLIP_BAD_FILE;
    slip_sweep_run_record *r = &s->records[f.run];
    if (r->done) return SLIP_OK;
    const size_t width = (size_t)s->width * sizeof *s->values;
    const size_t size = (size_t)(f.point_count * s->columns) * sizeof *r->points;
    r->points = size ? malloc(size) : NULL;
    r->text = f.text_length ? malloc((size_t)f.text_length + 1) : NULL;
    if ((size && !r->points) || (f.text_length && !r->text)) return SLIP_NO_MEMORY;
    bytes += sizeof f;
    memcpy(s->values + f.run * s->width, bytes, width);
    if (size) memcpy(r->points, bytes + width, size);
    if (r->text) memcpy(r->text, bytes + width + size, f.text_length), r->text[f.text_length] = '\0';
    r->done = true, r->trust = (slip_trust)f.trust, r->refused = f.refused;
    r->outcome = (slip_run_outcome)f.outcome;
    r->t = f.t, r->horizon = f.horizon;
    r->warnings = (long)f.warnings, r->point_count = (long)f.point_count;
    s->done_count++;
    return SLIP_OK;
}
