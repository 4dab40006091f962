/// formulation/moreau/moreau_archive.c: a time-stepping run, written down between two steps.
#include "formulation/moreau/moreau.h"

// accelerations change places from one internal step to the next; `laid` has them as they were at first
static void archive_history(slip_moreau_history *c, const slip_moreau_history *laid, slip_archive *a)
{
    bool now = c->a != laid->a, then = now;
    slip_archive_bool(a, "turned", &then);
    if (then != now) {
        double *last = c->a;
        c->a = c->a_before;
        c->a_before = last;
    }
    slip_archive_double(a, "warm_length", &c->warm_length);
    slip_archive_double(a, "span", &c->span);
    slip_archive_double(a, "span_before", &c->span_before);
    slip_archive_int(a, "known", &c->known);
    slip_archive_double(a, "pace", &c->substep_length);
    slip_archive_int(a, "calm", &c->calm);
    slip_archive_double(a, "rough", &c->rough);
    slip_archive_int(a, "substeps", &c->substeps);
    slip_archive_int(a, "strikes", &c->strikes);
    slip_archive_int(a, "borders", &c->borders);
}

static void archive_step(slip_moreau_step *s, const slip_moreau *laid, const char *key, slip_archive *a)
{
    const slip_moreau_step *const all[] = { &laid->last, &laid->next, &laid->aside };
    int place = 0;
    while (s->x != all[place]->x) place++;
    slip_archive_open(a, key);
    slip_archive_double(a, "length", &s->length);
    slip_archive_double(a, "work", &s->work);
    slip_archive_double(a, "friction", &s->friction);
    slip_archive_double(a, "impact", &s->impact);
    slip_archive_double(a, "gained", &s->gained);
    slip_archive_double(a, "residual", &s->residual);
    slip_archive_int(a, "rescued", &s->rescued);
    slip_archive_int(a, "jumped", &s->jumped);
    slip_archive_double(a, "deepest", &s->deepest);
    slip_archive_double(a, "projected", &s->projected);
    slip_archive_double(a, "projection", &s->projection);
    slip_archive_bool(a, "idle", &s->idle);
    archive_history(&s->history, &all[place]->history, a);
    slip_archive_close(a);
}

// steps change places: whether the last one is where the next one was at first
static void archive_step_order(slip_moreau *m, const slip_moreau *laid, slip_archive *a)
{
    bool now = m->last.x != laid->last.x, then = now;
    slip_archive_bool(a, "swapped", &then);
    if (then != now) {
        slip_moreau_step last = m->last;
        m->last = m->next;
        m->next = last;
    }
    m->base.state = m->last.x;
    m->base.mode = m->last.mode;
}

static void archive_problem(slip_moreau *m, slip_archive *a)
{
    slip_moreau_problem *p = &m->problem;
    slip_archive_open(a, "problem");
    slip_archive_bytes(a, "law", &p->law, sizeof p->law);
    slip_archive_double(a, "length", &p->length);
    slip_archive_int(a, "blocks", &p->blocks);
    slip_archive_bool(a, "open", &p->open);
    slip_archive_close(a);
    slip_moreau_forget(p); // what they stand for is not archived
    if (p->blocks < 0 || p->blocks > m->most)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "%d contacts", p->blocks);
}

void slip_moreau_archive(slip_method *method, slip_archive *a)
{
    slip_moreau *m = (slip_moreau *)method, laid = *m;
    slip_archive_open(a, "moreau");
    slip_method_archive(method, m->measures, a);
    slip_moreau_archive_memory(&laid, a);
    archive_step_order(m, &laid, a);
    archive_step(&m->last, &laid, "last", a);
    archive_step(&m->next, &laid, "next", a);
    archive_step(&m->aside, &laid, "aside", a);
    archive_problem(m, a);
    slip_archive_bool(a, "fresh", &m->fresh);
    slip_archive_long(a, "finer_steps", &m->base.finer_steps);
    slip_archive_bool(a, "was_active", &m->was_active);
    slip_log_archive_reference(method->log, a, "gain", &m->gain);
    slip_archive_double(a, "unsolved", &m->unsolved);
    slip_archive_bool(a, "due", &m->due);
    slip_archive_bool(a, "jumps", &m->jumps);
    for (int e = 0; e < m->system->element_count; e++)
        slip_log_archive_reference(method->log, a, "not_unique", &m->not_unique[e]);
    slip_rigid_impact_archive(&m->rigid_impact, method->log, a);
    if (m->border.count) slip_step_scan_archive(&m->border.scan, a);
    slip_verdict_monitor_archive(&m->monitor, m->most, m->n, a);
    slip_archive_close(a);
}
