/// simulation/recording/recording.c: records a run in constant memory.
#include "simulation/recording/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "simulation/sim/sim_tolerances.h"

// Frames of an adaptive run start FRAME_OVERSAMPLING times finer than its planned end requires, because it
// may end early. The number of peeks is limited to PEEKS_PER_STEP times the steps taken, plus FREE_PEEKS;
// MIN_FRAMES are taken in any case.
enum { FRAME_OVERSAMPLING = 4, FREE_PEEKS = 512, PEEKS_PER_STEP = 8, MIN_FRAMES = 64 };

// Numbers in all frames together: 8 MB.
enum { FRAME_NUMBERS = 2000000 };

static const char *const energy_name[] = { "kinetic", "potential", "work",     "friction",
                                           "contact", "impact",    "numerical" };
enum { ENERGIES = sizeof energy_name / sizeof *energy_name };

slip_recording_def slip_default_recording_def(void)
{
    return (slip_recording_def){ .points = 8192, .frames = 2000 };
}

slip_status slip_recording_create(const slip_recording_def *def, slip_error *error, slip_recording **out)
{
    slip_recording_def used = def ? *def : slip_default_recording_def();
    *out = NULL;
    if (used.points < 4 || used.frames < 2)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "recording",
                         "needs room for 4 points and 2 frames, got %d and %d", used.points, used.frames);
    slip_recording *r = calloc(1, sizeof *r);
    if (!r) return slip_fail(error, SLIP_NO_MEMORY, "recording", "out of memory");
    r->def = used;
    *out = r;
    return SLIP_OK;
}

static void release_run(slip_recording *r)
{
    slip_pool_destroy(r->names);
    free(r->memory);
    free(r->summary);
    free(r->timeless);
    slip_text_destroy(&r->said);
    *r = (slip_recording){ .base = r->base, .def = r->def };
}

void slip_recording_destroy(slip_recording *r)
{
    if (!r) return;
    release_run(r);
    free(r);
}

long slip_recording_rows(const slip_recording *r)
{
    return r->series.rows;
}
int slip_recording_points(const slip_recording *r)
{
    return slip_decimated_series_points(&r->series);
}
int slip_recording_frames(const slip_recording *r)
{
    return r->frames.count;
}

// ---------------------------------------------------------------------------------------- channels

static const char *keep_name(slip_recording *r, const char *element, const char *quantity)
{
    slip_text name = { 0 };
    slip_text_add(&name, "%s%s%s", element, quantity ? "." : "", quantity ? quantity : "");
    const char *kept = name.failed ? NULL : slip_pool_text(r->names, name.data, name.length);
    slip_text_destroy(&name);
    if (!kept) r->failed = true;
    return kept ? kept : "";
}

static int add_channel(slip_recording *r, const char *name, const char *unit, const char *group)
{
    r->channels[r->channel_count] = (slip_channel){ name, unit, group };
    return r->channel_count++;
}

static const char *group_of_state(const slip_model *m, const char *name, int k)
{
    size_t length = strlen(name);
    int own = m->type == SLIP_INCLUSION ? m->state_count : 2 * m->coordinate_count;
    if (k >= own) return "states";
    if (m->type != SLIP_INCLUSION) return k < m->coordinate_count ? "coordinates" : "rates";
    return length && name[length - 1] == '\'' ? "rates" : "coordinates";
}

// The quantity that a recorded column is; SLIP_QUANTITY_COUNT when it is any other formula.
static slip_quantity quantity_of_record(const slip_model *m, int record, const char **element)
{
    for (int k = 0; k < m->quantity_count; k++)
        if (m->quantities[k].node == slip_model_record(m, record)) {
            *element = m->quantities[k].element_name;
            return m->quantities[k].quantity;
        }
    return SLIP_QUANTITY_COUNT;
}

static slip_recorded_contact *contact_named(slip_recording *r, const char *name)
{
    for (int k = 0; k < r->contact_count; k++)
        if (strcmp(r->contacts[k].name, name) == 0) return &r->contacts[k];
    return NULL;
}

static void name_columns(slip_recording *r, const slip_sim *sim)
{
    const slip_model *m = sim->model;
    int states = sim->method->state_count;
    for (int i = 0; i < r->kept_count; i++) {
        const int k = r->kept[i] - 1;
        const char *name = keep_name(r, slip_sim_column_name(sim, k + 1), NULL);
        add_channel(r, name, slip_sim_column_unit(sim, k + 1), group_of_state(m, name, k));
    }
    for (int k = 0; k + 1 + states < sim->column_count; k++) {
        const char *element = NULL;
        slip_quantity quantity =
            k < m->record_count ? quantity_of_record(m, k, &element) : SLIP_QUANTITY_COUNT;
        int channel = add_channel(r, keep_name(r, slip_sim_column_name(sim, k + 1 + states), NULL),
                                  slip_sim_column_unit(sim, k + 1 + states), "recorded");
        slip_recorded_contact *c = element ? contact_named(r, element) : NULL;
        if (c)
            c->channel[quantity] = channel; // limits of a force are recorded only if the model asks for them
    }
    r->has_energy = sim->method->has_energy;
    for (int k = 0; r->has_energy && k < ENERGIES; k++) add_channel(r, energy_name[k], "J", "energy");
}

// Makes a channel for every force that the elements of this formulation have, then one for each mode.
static void name_contacts(slip_recording *r, const slip_sim *sim)
{
    const double *value = sim->row + sim->column_count + r->drawing.width;
    for (int k = 0; k < sim->watched; k++) {
        const slip_element_record *e = &sim->model->element_records[k];
        slip_recorded_contact *c = contact_named(r, e->element);
        bool missing = sim->model->type == SLIP_INCLUSION &&
                       isnan(value[k]); // known only after the formulation has been made
        if (!c || missing) continue;
        const slip_quantity_info *info = &slip_quantity_table[e->quantity];
        r->watched[r->watched_count++] = k;
        c->channel[e->quantity] = add_channel(r, keep_name(r, e->element, info->word), e->unit, "contacts");
    }
    r->first_mode = r->channel_count;
    for (int k = 0; k < r->contact_count; k++) {
        slip_recorded_contact *c = &r->contacts[k];
        c->mode = add_channel(r, keep_name(r, c->name, "mode"), "", "contacts");
        c->has_gap = sim->model->type == SLIP_INCLUSION ? c->channel[SLIP_QUANTITY_NORMAL] >= 0
                                                        : sim->model->contacts[k].has_gap;
    }
}

static void begin_contacts(slip_recording *r, const slip_sim *sim)
{
    const slip_method *method = sim->method;
    for (int k = 0; k < method->element_count; k++) {
        slip_recorded_contact *c = &r->contacts[k];
        *c = (slip_recorded_contact){ .name = keep_name(r, method->element_name[k], NULL), .mode = -1 };
        for (int q = 0; q < SLIP_QUANTITY_COUNT; q++) c->channel[q] = -1;
    }
    r->contact_count = method->element_count;
}

// ------------------------------------------------------------------------------------------- memory

// The largest number of frames; with thousands of bodies it is limited by the memory for all frames.
static int most_frames(const slip_recording *r)
{
    const int room = r->drawing.width > 0 ? FRAME_NUMBERS / r->drawing.width : r->def.frames;
    return room < r->def.frames ? (room > MIN_FRAMES ? room : MIN_FRAMES) : r->def.frames;
}

static void recording_layout(slip_arena *a, slip_recording *r, const slip_sim *sim)
{
    int elements = sim->method->element_count;
    r->kept = SLIP_TAKE(a, int, sim->method->state_count);
    if (!a->base) r->kept = NULL;
    slip_recording_select_channels(r, sim);
    int most = sim->column_count - 1 - r->left_out + ENERGIES + sim->watched + elements;
    r->channels = SLIP_TAKE(a, slip_channel, most);
    r->contacts = SLIP_TAKE(a, slip_recorded_contact, elements);
    r->watched = SLIP_TAKE(a, int, sim->watched);
    r->row = SLIP_TAKE(a, double, most + 1);
    slip_decimated_series_layout(a, most + 1, r->def.points / 4 * 2, &r->series);
    r->frames.width = r->drawing.width;
    r->frames.most = most_frames(r);
    r->frames.time = SLIP_TAKE(a, double, r->frames.most);
    r->ahead = SLIP_TAKE(a, double, (size_t)r->frames.most *(size_t)(sim->method->adaptive ? most + 1 : 0));
    r->frames.value = SLIP_TAKE(a, float, (size_t)r->frames.most *(size_t)r->frames.width);
    slip_force_network_layout(a, sim, &r->network);
    r->events = SLIP_TAKE(a, slip_event, SLIP_RECORDING_MAX_EVENTS);
    r->texts = SLIP_TAKE(a, char, SLIP_RECORDING_MAX_TEXT_BYTES);
    r->spans = SLIP_TAKE(a, slip_verdict_span, SLIP_RECORDING_MAX_SPANS);
}

static slip_status recording_allocate(slip_recording *r, const slip_sim *sim)
{
    slip_arena count = { 0 };
    recording_layout(&count, r, sim);
    // most of this memory is for long runs; calloc costs a short run nothing, because untouched pages are not
    // mapped
    slip_arena real = { .base = calloc(1, count.used + 64) };
    r->names = slip_pool_create();
    r->memory = real.base;
    if (!real.base || !r->names) return SLIP_NO_MEMORY;
    real.base += 64 - (size_t)real.base % 64;
    recording_layout(&real, r, sim);
    return SLIP_OK;
}

static slip_status on_begin(slip_run_observer *observer, slip_sim *sim, slip_error *error)
{
    slip_recording *r = (slip_recording *)observer;
    release_run(r);
    if (!sim->def.draw)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "recording", "the simulation must be made with `draw`");
    r->model = sim->model;
    r->drawing = slip_model_drawing(sim->model);
    slip_status status = recording_allocate(r, sim);
    if (status == SLIP_OK) {
        slip_sim_evaluate_row(sim, NULL);
        begin_contacts(r, sim);
        name_columns(r, sim);
        name_contacts(r, sim);
        r->series.width = 1 + r->channel_count; // elements that turned out to be no contacts need no channels
        if (r->failed) status = SLIP_NO_MEMORY;
    }
    if (status != SLIP_OK) {
        release_run(r);
        return slip_fail(error, status, "recording", "out of memory");
    }
    r->frames.stride = 1;
    r->frames.distance = sim->method->adaptive ? sim->def.until / r->def.frames / FRAME_OVERSAMPLING : 0.0;
    r->last_step = -1;
    r->outcome = SLIP_RUNNING;
    return SLIP_OK;
}

// --------------------------------------------------------------------------------------------- rows

static double mode_value(const slip_recorded_contact *c, unsigned char bits)
{
    bool touches = !c->has_gap || (bits & SLIP_MODE_CLOSED);
    return !touches ? 0.0 : bits & SLIP_MODE_STICK ? 1.0 : 2.0;
}

// Fills a row from sim->row, which has the columns, the frame and the watched forces; `energy` is NULL where
// the ledger is not known.
static void fill_row(const slip_recording *r, const slip_sim *sim, const slip_energy *energy, double *row)
{
    const int columns = sim->column_count, states = sim->method->state_count;
    int at = 1;
    row[0] = sim->row[0];
    for (int k = 0; k < r->kept_count; k++) row[at++] = sim->row[r->kept[k]];
    for (int k = 1 + states; k < columns; k++) row[at++] = sim->row[k];
    if (r->has_energy) {
        slip_energy e = { .kinetic = NAN,
                          .potential = NAN,
                          .work = NAN,
                          .friction = NAN,
                          .contact = NAN,
                          .impact = NAN,
                          .numerical = NAN };
        if (energy) e = *energy;
        const double all[ENERGIES] = { e.kinetic, e.potential, e.work,     e.friction,
                                       e.contact, e.impact,    e.numerical };
        memcpy(row + at, all, sizeof all);
        at += ENERGIES;
    }
    const double *force = sim->row + columns + r->frames.width;
    for (int k = 0; k < r->watched_count; k++) row[at++] = force[r->watched[k]];
    for (int k = 0; k < r->contact_count; k++) row[at++] = mode_value(&r->contacts[k], sim->method->mode[k]);
}

static double *row_ahead(const slip_recording *r, int frame)
{
    return r->ahead + (size_t)(frame - r->frames.certain) * (size_t)r->series.width;
}

// Drops every second frame, with the rows of those that lie within the next step.
static void halve_frames(slip_recording *r)
{
    slip_frames *f = &r->frames;
    int certain = (f->certain + 1) / 2;
    for (int k = 1; 2 * k < f->count; k++) {
        f->time[k] = f->time[2 * k];
        memcpy(f->value + (size_t)k * (size_t)f->width, f->value + 2 * (size_t)k * (size_t)f->width,
               (size_t)f->width * sizeof *f->value);
    }
    for (int k = certain; 2 * k < f->count; k++)
        memmove(r->ahead + (size_t)(k - certain) * (size_t)r->series.width, row_ahead(r, 2 * k),
                (size_t)r->series.width * sizeof *r->ahead);
    f->count = (f->count + 1) / 2;
    f->certain = certain;
    f->stride *= 2;
    f->distance *= 2.0;
}

// Adds the frame that follows the columns in sim->row.
static void add_frame(slip_recording *r, const slip_sim *sim)
{
    slip_frames *f = &r->frames;
    const double *from = sim->row + sim->column_count;
    float *to = f->value + (size_t)f->count * (size_t)f->width;
    f->time[f->count++] = sim->row[0];
    for (int k = 0; k < f->width; k++) to[k] = (float)from[k];
}

// Adds a frame if one is due at this step; when the memory is full, every second frame is dropped first.
static void frame_of_step(slip_recording *r, const slip_sim *sim)
{
    if (sim->steps % r->frames.stride) return;
    if (r->frames.count == r->frames.most) halve_frames(r);
    if (sim->steps % r->frames.stride == 0) add_frame(r, sim);
    r->frames.certain = r->frames.count;
}

// Takes the frames up to the latest possible end of the next step by peeks, which are rows too. They are
// provisional until the step has been taken, because an event may end it earlier. Where a peek is not
// possible, the present state is used, with its own time.
static void frames_ahead(slip_recording *r, slip_sim *sim)
{
    slip_frames *f = &r->frames;
    double t = sim->method->t, near = SAME_TIME * fmin(sim->def.step, sim->def.until);
    double reach = sim->outcome == SLIP_RUNNING
                       ? slip_sim_next_step_end(sim)
                       : t + 2.0 * near; // at the end of the run, only its last frame
    for (;;) {
        double next = f->count * f->distance;
        if (next >= reach - near) return;
        double wanted = (reach - next) / f->distance,
               allowed = FREE_PEEKS * (reach / sim->def.until) + PEEKS_PER_STEP * (double)(sim->steps + 1);
        bool costly = (double)r->peeks + wanted > allowed && f->distance * MIN_FRAMES < sim->def.until;
        if (f->count == f->most || costly) {
            halve_frames(r);
            continue;
        }
        r->peeks++;
        double *row = row_ahead(r, f->count);
        bool ahead = next > t + near && slip_sim_peek_row(sim, next) == SLIP_RUNNING;
        if (ahead) {
            fill_row(r, sim, NULL, row);
        } else {
            slip_sim_evaluate_row(sim, NULL);
            row[0] = NAN; // the present state has been recorded already
        }
        add_frame(r, sim);
    }
}

// The step has been taken, up to t: provisional frames beyond t are dropped and taken again.
static void keep_frames(slip_recording *r, double t)
{
    slip_frames *f = &r->frames;
    int k = f->certain;
    for (; k < f->count && f->time[k] <= t; k++)
        if (!isnan(row_ahead(r, k)[0])) slip_decimated_series_add(&r->series, row_ahead(r, k));
    f->certain = f->count = k;
}

static void on_state(slip_run_observer *observer, slip_sim *sim)
{
    slip_recording *r = (slip_recording *)observer;
    if (sim->steps == r->last_step) return; // after a failed step the state is still the recorded one
    slip_energy energy;
    keep_frames(r, sim->method->t);
    slip_sim_evaluate_row(sim, &energy);
    fill_row(r, sim, energy.known ? &energy : NULL, r->row);
    slip_decimated_series_add(&r->series, r->row);
    r->last_step = sim->steps;
    r->end = sim->method->t;
    r->judged = sim->method->trust.judged;
    slip_force_network_add(&r->network, sim);
    if (r->frames.distance == 0.0)
        frame_of_step(r, sim);
    else
        frames_ahead(r, sim);
}

// ------------------------------------------------------------------------------------------- events

static const char *keep_text(slip_recording *r, const char *text)
{
    if (!text[0]) return "";
    size_t size = strlen(text) + 1;
    if (size > SLIP_RECORDING_MAX_TEXT_BYTES - r->text_used) return NULL;
    char *kept = memcpy(r->texts + r->text_used, text, size);
    r->text_used += size;
    return kept;
}

// The severity of a verdict; merged spans keep the more severe one.
static int verdict_severity(const char *verdict)
{
    static const char *const order[] = { "trusted",   "compliant", "unknown",
                                         "ambiguous", "unstable",  "inconsistent" };
    int k = 0;
    while (k < (int)(sizeof order / sizeof *order) - 1 && strcmp(order[k], verdict) != 0) k++;
    return k;
}

static void begin_span(slip_recording *r, double t, const char *verdict)
{
    slip_verdict_span *last = r->span_count ? &r->spans[r->span_count - 1] : NULL;
    if (last && strcmp(last->verdict, verdict) == 0) return;
    if (last && last->from == t) {
        last->verdict = verdict;
        return;
    }
    if (r->span_count == SLIP_RECORDING_MAX_SPANS) {
        for (int k = 0; k < SLIP_RECORDING_MAX_SPANS / 2; k++) {
            const slip_verdict_span *a = &r->spans[2 * k], *b = a + 1;
            r->spans[k] = (slip_verdict_span){
                a->from, verdict_severity(b->verdict) > verdict_severity(a->verdict) ? b->verdict : a->verdict
            };
        }
        r->span_count = SLIP_RECORDING_MAX_SPANS / 2;
    }
    r->spans[r->span_count++] = (slip_verdict_span){ t, verdict };
}

// Adds a verdict such as "ambiguous: three solutions". Formulation auto also reports when it switches:
// "compliant from here", "rigid from here".
static void add_verdict(slip_recording *r, const slip_event *event)
{
    size_t length = strcspn(event->text, ": ");
    const char *word = NULL;
    for (int k = 0; k < SLIP_VERDICT_COUNT; k++) {
        const char *name = slip_verdict_name((slip_verdict)k);
        if (strlen(name) == length && strncmp(name, event->text, length) == 0) word = name;
    }
    if (strncmp(event->text, "compliant ", 10) == 0) word = "compliant";
    if (strncmp(event->text, "rigid ", 6) == 0) word = "trusted";
    if (word) begin_span(r, event->t, word);
}

static void on_event(slip_run_observer *observer, const slip_event *event)
{
    slip_recording *r = (slip_recording *)observer;
    r->event_total++;
    if (event->kind == SLIP_EVENT_VERDICT) add_verdict(r, event);
    if (r->event_count < r->event_total - 1 || r->event_count == SLIP_RECORDING_MAX_EVENTS)
        return; // only the first events are kept, without gaps
    const char *element = keep_text(r, event->element), *text = keep_text(r, event->text);
    if (!element || !text) return;
    slip_event *kept = &r->events[r->event_count++];
    *kept = *event;
    kept->element = element;
    kept->text = text;
}

// ---------------------------------------------------------------------------------------------- end

static void on_end(slip_run_observer *observer, slip_sim *sim, const slip_run_info *info)
{
    slip_recording *r = (slip_recording *)observer;
    on_state(observer, sim);
    keep_frames(r, sim->method->t);
    r->end = sim->method->t;
    r->formulation = sim->formulation->info.name;
    r->outcome = info->outcome;
    r->info = *info;
    slip_run_info timeless = *info;
    timeless.wall_seconds = timeless.peak_bytes = NAN;
    r->summary = slip_run_summary(sim, info);
    r->timeless = slip_run_summary(sim, &timeless);
    slip_recording_add_findings(r, sim);
    if (!r->summary || !r->timeless || r->said.failed) r->failed = true;
}

slip_run_observer *slip_recording_observer(slip_recording *r)
{
    if (!r) return NULL;
    r->base = (slip_run_observer){ on_begin, on_state, on_event, on_end };
    return &r->base;
}
