/// output/report/report_runs.c: one run as JSON (web/data.md).
#include "output/report/report_runs.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "output/report/base64_arrays.h"

// What moves and what was recorded keeps all its digits: it may be subtracted. Energies and forces are looked
// at, and seven digits are half the file.
static void add_values(slip_json *json, const slip_recording *r, int channel, size_t count)
{
    const slip_decimated_series *s = &r->series;
    const double *first = s->point + 1 + channel;
    const char *group = r->channels[channel].group;
    if (channel >= r->first_mode)
        slip_json_bytes(json, "values", first, count, (size_t)s->width);
    else if (strcmp(group, "energy") == 0 || strcmp(group, "contacts") == 0)
        slip_json_floats(json, "values", first, count, (size_t)s->width);
    else
        slip_json_doubles(json, "values", first, count, (size_t)s->width);
}

static void add_channels(slip_json *json, const slip_recording *r)
{
    const slip_decimated_series *s = &r->series;
    size_t count = (size_t)slip_decimated_series_points(s);
    slip_json_integer(json, "samples", s->rows);
    slip_json_integer(json, "shown", (long)count);
    if (r->left_out) slip_json_integer(json, "left_out", r->left_out);
    slip_json_doubles(json, "time", s->point, count, (size_t)s->width);
    slip_json_open(json, "channels", '[');
    for (int k = 0; k < r->channel_count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", r->channels[k].name);
        slip_json_text(json, "unit", r->channels[k].unit);
        slip_json_text(json, "group", r->channels[k].group);
        add_values(json, r, k, count);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static void add_events(slip_json *json, const slip_recording *r)
{
    slip_json_open(json, "events", '[');
    for (int k = 0; k < r->event_count; k++) {
        const slip_event *e = &r->events[k];
        slip_json_open(json, NULL, '{');
        slip_json_number(json, "t", e->t);
        slip_json_text(json, "element", e->element);
        slip_json_text(json, "kind", slip_event_name(e->kind));
        slip_json_text(json, "text", e->text);
        for (int n = 0; slip_event_number_name(n); n++)
            if (!isnan(slip_event_number(e, n)))
                slip_json_number(json, slip_event_number_name(n), slip_event_number(e, n));
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    slip_json_integer(json, "events_total", r->event_total);
}

static void add_span(slip_json *json, double from, double to, const char *verdict)
{
    slip_json_open(json, NULL, '{');
    slip_json_number(json, "from", from);
    slip_json_number(json, "to", to);
    slip_json_text(json, "verdict", verdict);
    slip_json_close(json, '}');
}

// what nothing was said against is trusted
static void add_band(slip_json *json, const slip_recording *r)
{
    if (!r->judged && r->span_count == 0) {
        slip_json_null(json, "band");
        return;
    }
    slip_json_open(json, "band", '[');
    double first = r->span_count ? r->spans[0].from : r->end;
    if (first > 0.0 || r->span_count == 0) add_span(json, 0.0, first, slip_verdict_name(SLIP_TRUSTED));
    for (int k = 0; k < r->span_count; k++)
        add_span(json, r->spans[k].from, k + 1 < r->span_count ? r->spans[k + 1].from : r->end,
                 r->spans[k].verdict);
    slip_json_close(json, ']');
}

static void add_channel_name(slip_json *json, const slip_recording *r, const char *key, int channel)
{
    slip_json_text(json, key, channel >= 0 ? r->channels[channel].name : NULL);
}

static void add_contacts(slip_json *json, const slip_recording *r)
{
    slip_json_open(json, "contacts", '[');
    for (int k = 0; k < r->contact_count; k++) {
        const slip_recorded_contact *c = &r->contacts[k];
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", c->name);
        add_channel_name(json, r, "normal", c->channel[SLIP_QUANTITY_NORMAL]);
        add_channel_name(json, r, "friction", c->channel[SLIP_QUANTITY_FRICTION]);
        add_channel_name(json, r, "friction_y", c->channel[SLIP_QUANTITY_FRICTION_Y]);
        add_channel_name(json, r, "mode", c->mode);
        add_channel_name(json, r, "low", c->channel[SLIP_QUANTITY_NORMAL_MIN]);
        add_channel_name(json, r, "high", c->channel[SLIP_QUANTITY_NORMAL_MAX]);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

// ------------------------------------------------------------------------------------------ drawing

typedef struct bounds {
    int dimensions;
    double low[3], high[3];
} bounds;

static void include_point(bounds *b, const float *place, double around)
{
    for (int k = 0; k < b->dimensions; k++) {
        if (!isfinite(place[k])) continue;
        b->low[k] = fmin(b->low[k], place[k] - around);
        b->high[k] = fmax(b->high[k], place[k] + around);
    }
}

// how far a shape reaches from its place in any attitude
static double reach_of(const slip_drawn_shape *shape, const float *numbers)
{
    const double *size = shape->size;
    switch (shape->kind) {
    case SLIP_DRAWN_CIRCLE:
        return isfinite(numbers[2]) ? numbers[2] : 0.0;
    case SLIP_DRAWN_SPHERE:
    case SLIP_DRAWN_HULL:
        return size[0];
    case SLIP_DRAWN_ELLIPSOID:
        return fmax(fmax(size[0], size[1]), size[2]);
    case SLIP_DRAWN_BOX:
        return 0.5 * slip_hypot(slip_hypot(size[0], size[1]), size[2]);
    case SLIP_DRAWN_CAPSULE:
        return size[0] + 0.5 * size[1];
    case SLIP_DRAWN_CYLINDER:
        return slip_hypot(size[0], 0.5 * size[1]);
    default:
        return 0.0; // points are their own extent, a plane has none that matters
    }
}

static void add_box(slip_json *json, const slip_recording *r)
{
    const slip_drawing *d = &r->drawing;
    bounds b = { d->dimensions, { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (int f = 0; f < r->frames.count; f++)
        for (int k = 0; k < d->shape_count; k++) {
            const slip_drawn_shape *shape = &d->shapes[k];
            const float *numbers = r->frames.value + (size_t)f * (size_t)d->width + shape->at;
            bool points = shape->kind == SLIP_DRAWN_POINTS || shape->kind == SLIP_DRAWN_LINE ||
                          shape->kind == SLIP_DRAWN_POLYGON;
            if (shape->endless) continue;
            for (int p = 0; p < (points ? shape->count : 1); p++)
                include_point(&b, numbers + p * d->dimensions, reach_of(shape, numbers));
        }
    slip_json_open(json, "box", '[');
    for (int k = 0; k < d->dimensions; k++) slip_json_number(json, NULL, b.low[k]);
    for (int k = 0; k < d->dimensions; k++) slip_json_number(json, NULL, b.high[k]);
    slip_json_close(json, ']');
}

static void add_shape(slip_json *json, const slip_drawn_shape *shape)
{
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "kind", slip_drawn_kind_name(shape->kind));
    slip_json_text(json, "name", shape->name);
    slip_json_integer(json, "at", shape->at);
    slip_json_integer(json, "count", shape->count);
    if (shape->size_count) {
        slip_json_open(json, "size", '[');
        for (int k = 0; k < shape->size_count; k++) slip_json_number(json, NULL, shape->size[k]);
        slip_json_close(json, ']');
    }
    if (shape->corner_count) {
        slip_json_open(json, "corners", '[');
        for (int k = 0; k < 3 * shape->corner_count; k++) slip_json_number(json, NULL, shape->corners[k]);
        slip_json_close(json, ']');
    }
    if (shape->fixed) slip_json_bool(json, "fixed", true);
    if (shape->endless) slip_json_bool(json, "endless", true);
    if (shape->style[0]) slip_json_text(json, "style", shape->style);
    slip_json_close(json, '}');
}

static void add_network(slip_json *json, const slip_force_network *n)
{
    if (!n->count || n->first[n->count] == 0) return;
    slip_json_open(json, "network", '{');
    slip_json_doubles(json, "time", n->time, (size_t)n->count, 1);
    slip_json_open(json, "first", '[');
    for (int k = 0; k <= n->count; k++) slip_json_integer(json, NULL, n->first[k]);
    slip_json_close(json, ']');
    slip_json_single(json, "lines", n->value, (size_t)n->first[n->count] * SLIP_FORCE_NETWORK_LINE_NUMBERS);
    slip_json_close(json, '}');
}

static void add_drawing(slip_json *json, const slip_recording *r)
{
    const slip_drawing *d = &r->drawing;
    if (d->width == 0 || r->frames.count == 0) {
        slip_json_null(json, "drawing");
        return;
    }
    slip_json_open(json, "drawing", '{');
    slip_json_integer(json, "dimensions", d->dimensions);
    slip_json_doubles(json, "time", r->frames.time, (size_t)r->frames.count, 1);
    slip_json_integer(json, "width", d->width);
    slip_json_single(json, "values", r->frames.value, (size_t)r->frames.count * (size_t)d->width);
    add_box(json, r);
    slip_json_open(json, "shapes", '[');
    for (int k = 0; k < d->shape_count; k++) add_shape(json, &d->shapes[k]);
    slip_json_close(json, ']');
    slip_json_open(json, "forces", '[');
    for (int k = 0; k < d->force_count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", d->forces[k].name);
        slip_json_integer(json, "at", d->forces[k].at);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    add_network(json, &r->network);
    slip_json_close(json, '}');
}

// ---------------------------------------------------------------------------------------------- all

void slip_run_json(slip_json *json, const slip_recording *r, bool reproducible)
{
    const char *summary = reproducible ? r->timeless : r->summary;
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "name", r->formulation);
    if (summary)
        slip_json_value(json, "summary", summary);
    else
        slip_json_null(json, "summary");
    add_channels(json, r);
    add_events(json, r);
    add_band(json, r);
    add_contacts(json, r);
    add_drawing(json, r);
    slip_json_close(json, '}');
}

void slip_finding_json(slip_json *json, slip_tone tone, const char *before, const char *text, size_t length)
{
    static const char *const word[] = { [SLIP_TONE_PLAIN] = "plain",
                                        [SLIP_TONE_GOOD] = "good",
                                        [SLIP_TONE_WARN] = "warn",
                                        [SLIP_TONE_BAD] = "bad" };
    slip_text all = { 0 };
    slip_text_add(&all, "%s", before);
    slip_text_bytes(&all, text, length);
    if (all.failed) json->text.failed = true;
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "tone", word[tone]);
    slip_json_text(json, "text", all.data);
    slip_json_close(json, '}');
    slip_text_destroy(&all);
}

void slip_run_findings_json(slip_json *json, const slip_recording *r, const char *before)
{
    static const char tones[] = "pgwb"; // in the order of slip_tone
    for (const char *line = r->said.data; line && *line;) {
        size_t length = strcspn(line, "\n");
        const char *tone = strchr(tones, line[0]);
        slip_finding_json(json, tone ? (slip_tone)(tone - tones) : SLIP_TONE_PLAIN, before, line + 1,
                          length - 1);
        line += length + (line[length] == '\n');
    }
}
