/// watch.c: running a model and reading numbers off the run.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery.h"

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) abort(); // a tool at the desk, not a library
    return memory;
}

// ------------------------------------------------------------------------------------------- facts

static void hear(void *context, const slip_event *event)
{
    show *s = context;
    for (int k = 0; k < MAX_FACTS; k++) {
        const fact *f = s->entry ? &s->entry->facts[k] : NULL;
        measured *m = &s->measured[k];
        if (!f || (f->kind != FACT_EVENT && f->kind != FACT_PERIOD) || m->known) continue;
        bool whose = !f->column[0] || strcmp(f->column, event->element) == 0;
        if (!whose || strcmp(slip_event_name(event->kind), f->other) != 0) continue;
        if (m->seen++ == 0 && f->kind == FACT_PERIOD) m->start = event->t;
        if (m->seen < f->count) continue;
        m->value = f->kind == FACT_PERIOD ? (event->t - m->start) / (f->count - 1) : event->t;
        m->known = true;
    }
}

// where a line from (t0, a) to (t1, b) meets `level`
static double crossing(double t0, double t1, double a, double b, double level)
{
    return a == b ? t1 : t0 + (t1 - t0) * (level - a) / (b - a);
}

static void watch_crossing(const show *s, const fact *f, measured *m, double last)
{
    double t = slip_sim_time(s->sim),
           value = slip_sim_get(s->sim, f->kind == FACT_WHEN ? f->other : f->column);
    double other = f->kind == FACT_WHEN ? slip_sim_get(s->sim, f->column) : t;
    if (last >= f->from && !m->known && (m->before - f->level) * (value - f->level) <= 0.0) {
        double from = f->kind == FACT_WHEN ? m->before_other : last;
        m->value = crossing(from, other, m->before, value, f->level);
        m->known = true;
    }
    m->before = value;
    m->before_other = other;
}

static void watch(show *s, double last)
{
    double t = slip_sim_time(s->sim), near = 1e-9 * (1.0 + t);
    for (int k = 0; k < MAX_FACTS && s->entry; k++) {
        const fact *f = &s->entry->facts[k];
        measured *m = &s->measured[k];
        bool within = t >= f->from - near && t <= f->to + near;
        if (f->kind == FACT_REACH || f->kind == FACT_WHEN) watch_crossing(s, f, m, last);
        if (f->kind == FACT_AT && !m->known && t >= f->from - near) {
            m->value = slip_sim_get(s->sim, f->column);
            m->known = true;
        }
        if ((f->kind == FACT_MAX || f->kind == FACT_MIN) && within) {
            double value = slip_sim_get(s->sim, f->column);
            bool better = f->kind == FACT_MAX ? value > m->value : value < m->value;
            if (!m->known || better) m->value = value;
            m->known = true;
        }
        if (f->kind == FACT_RATE && t >= f->from - near && !m->seen) {
            m->start = slip_sim_get(s->sim, f->column);
            m->before = t;
            m->seen = 1;
        }
        if (f->kind == FACT_RATE && t >= f->to - near && !m->known) {
            m->value = (slip_sim_get(s->sim, f->column) - m->start) / (t - m->before);
            m->known = true;
        }
    }
}

static void watch_end(show *s)
{
    for (int k = 0; k < MAX_FACTS && s->entry; k++) {
        const fact *f = &s->entry->facts[k];
        measured *m = &s->measured[k];
        slip_energy e = slip_sim_energy(s->sim);
        if (f->kind == FACT_GAIN) m->value = e.kinetic + e.potential - e.start;
        if (f->kind == FACT_AT && !m->known) m->value = slip_sim_get(s->sim, f->column);
        if (f->kind == FACT_GAIN || f->kind == FACT_AT) m->known = true;
        const char *verdict = slip_sim_verdict(s->sim, NULL);
        if (f->kind == FACT_VERDICT) snprintf(m->word, sizeof m->word, "%s", verdict ? verdict : "none");
        if (f->kind == FACT_VERDICT) m->known = true;
    }
}

// ------------------------------------------------------------------------------------------ the run

static void fail(const char *name, const char *text)
{
    fprintf(stderr, "gallery: %s: %s\n", name, text);
    exit(1);
}

static void open_run(show *s, const char *root, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/models/%s.yaml", root, name);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_error error = { 0 };
    if (slip_model_read_file(path, NULL, 0, notes, &s->model) != SLIP_OK)
        fail(name, slip_diagnostics_text(notes));
    slip_diagnostics_destroy(notes);
    slip_sim_def def = slip_default_sim_def();
    def.draw = true;
    if (slip_sim_create(s->model, &def, &error, &s->sim) != SLIP_OK) fail(name, error.text);
    s->drawing = slip_model_drawing(s->model);
    s->until = slip_sim_settings(s->sim).until;
    slip_sim_on_event(s->sim, hear, s);
}

static void choose_curves(show *s)
{
    for (int k = 0; k < MAX_CURVES; k++) {
        const char *name = s->entry ? s->entry->curves[k] : NULL;
        if (!name && k == 0) name = slip_sim_column_name(s->sim, 1);
        if (name) s->curve_name[s->curve_count++] = name;
    }
}

// frames that are due up to `t`; those within a step by looking ahead
static void take_frames(show *s, double t, bool ahead)
{
    while (s->frame_count < FRAMES) {
        double due = s->begin + (s->end - s->begin) * s->frame_count / (FRAMES - 1);
        double *frame = s->frames + (size_t)s->frame_count * (size_t)s->drawing.width;
        if (due > t + 1e-12) return;
        if (!ahead)
            slip_sim_draw(s->sim, frame);
        else if (slip_sim_draw_at(s->sim, due, frame) != SLIP_RUNNING)
            return;
        s->times[s->frame_count++] = due;
    }
}

show show_run(const char *root, const char *name, const entry *e)
{
    show s = { .entry = e };
    open_run(&s, root, name);
    choose_curves(&s);
    s.begin = e ? e->begin : 0.0;
    s.end = e && e->end > 0.0 ? e->end : s.until;
    s.times = room(FRAMES, sizeof *s.times);
    s.frames = room((size_t)FRAMES * (size_t)s.drawing.width, sizeof *s.frames);
    slip_run_outcome outcome = SLIP_RUNNING;
    double last = 0.0;
    for (long step = 0; outcome == SLIP_RUNNING; step++) {
        double t = slip_sim_time(s.sim);
        take_frames(&s, t, false);
        for (int k = 0; k < s.curve_count && t <= s.end * (1.0 + 1e-12); k++)
            if (t >= s.begin) svg_add(&s.curves[k], t, slip_sim_get(s.sim, s.curve_name[k]));
        watch(&s, last);
        last = t;
        double reach = slip_sim_draw_reach(s.sim);
        take_frames(&s, reach < s.end ? reach : s.end, true);
        outcome = slip_sim_step(s.sim);
    }
    take_frames(&s, slip_sim_time(s.sim), false);
    for (int k = 0; k < s.curve_count && s.end >= slip_sim_time(s.sim); k++)
        svg_add(&s.curves[k], slip_sim_time(s.sim), slip_sim_get(s.sim, s.curve_name[k]));
    watch(&s, last);
    watch_end(&s);
    snprintf(s.outcome, sizeof s.outcome, "%s", slip_run_outcome_name(outcome));
    return s;
}

void show_free(show *s)
{
    for (int k = 0; k < s->curve_count; k++) svg_free(&s->curves[k]);
    free(s->times);
    free(s->frames);
    slip_sim_destroy(s->sim);
    slip_model_destroy(s->model);
}
