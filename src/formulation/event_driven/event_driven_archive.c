/// formulation/event_driven/event_driven_archive.c: an event-driven run, written down between two steps.
#include "formulation/event_driven/event_driven.h"

// x, next and probe change places as steps are taken: which of the three blocks each of them is
static void archive_state_order(slip_event_driven *m, const slip_event_driven *laid, slip_archive *a)
{
    double *const blocks[] = { laid->x, laid->next, laid->probe };
    double **const pointers[] = { &m->x, &m->next, &m->probe, &m->ahead.end };
    for (int k = 0; k < 4; k++) {
        int place = -1;
        for (int i = 0; i < 3; i++)
            if (*pointers[k] == blocks[i]) place = i;
        slip_archive_int(a, "place", &place);
        if (place < (k < 3 ? 0 : -1) || place > 2)
            slip_archive_fail(a, SLIP_BAD_ARGUMENT, "there is no place %d", place);
        if (a->status == SLIP_OK && slip_archive_reads(a)) *pointers[k] = place < 0 ? NULL : blocks[place];
    }
    if (slip_archive_reads(a) && (m->x == m->next || m->x == m->probe || m->next == m->probe))
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "two states in one place");
    if (slip_archive_reads(a)) m->base.state = m->x;
}

static void archive_next_step(slip_next_step *ahead, slip_archive *a)
{
    slip_archive_open(a, "ahead");
    slip_archive_bool(a, "made", &ahead->made);
    slip_archive_double(a, "t", &ahead->t);
    slip_archive_double(a, "h", &ahead->h);
    slip_archive_bool(a, "event", &ahead->event);
    slip_archive_bool(a, "jam", &ahead->jam);
    slip_archive_bytes(a, "outcome", &ahead->outcome, sizeof ahead->outcome);
    slip_archive_bytes(a, "trouble", &ahead->trouble, sizeof ahead->trouble);
    slip_archive_close(a);
}

static void archive_rigid(slip_contact_problem *r, slip_archive *a)
{
    slip_archive_open(a, "rigid");
    slip_archive_int(a, "bilateral_count", &r->bilateral_count);
    slip_archive_int(a, "normal_count", &r->normal_count);
    slip_archive_int(a, "count", &r->count);
    slip_archive_bool(a, "spatial", &r->spatial);
    slip_archive_bool(a, "shared", &r->shared);
    slip_archive_double(a, "scale", &r->scale);
    slip_archive_bool(a, "warm", &r->warm);
    slip_archive_bool(a, "open", &r->open);
    slip_archive_long(a, "stages", &r->stages);
    slip_archive_long(a, "cold", &r->cold);
    slip_archive_close(a);
    if (r->count < 0 || r->count > r->most || r->normal_count < 0 || r->normal_count > r->count ||
        r->bilateral_count < 0 || r->bilateral_count > r->system->constraint_count)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "a contact problem of %d unknowns", r->count);
}

static void archive_progress(slip_event_driven *m, slip_archive *a)
{
    slip_archive_double(a, "next_step", &m->control.next);
    slip_archive_doubles(a, "sample_t", m->sample_t, SLIP_EVENT_STAGE_COUNT);
    slip_archive_long(a, "samples", &m->samples);
    slip_archive_doubles(a, "suspect", m->suspect, 4);
    slip_archive_bool(a, "arrived_warm", &m->arrived.warm);
    slip_archive_bool(a, "here_warm", &m->here.warm);
    slip_archive_bool(a, "elsewhere", &m->elsewhere);
    slip_archive_bool(a, "present", &m->present);
    slip_archive_bool(a, "at_switch", &m->at_switch);
    slip_archive_bool(a, "fresh", &m->fresh);
    slip_archive_bool(a, "started", &m->started);
    slip_archive_double(a, "flight_t", &m->flight_t);
    slip_archive_double(a, "last_change", &m->last_change);
    slip_archive_int(a, "changes", &m->changes);
    slip_archive_double(a, "pile_from", &m->pile_from);
    slip_archive_int(a, "piled", &m->piled);
    slip_archive_int(a, "piled_flips", &m->piled_flips);
    slip_archive_bytes(a, "trouble", &m->trouble, sizeof m->trouble);
    slip_archive_double(a, "reported", &m->reported[0].value);
    slip_log_archive_reference(m->base.log, a, "gain", &m->gain);
    slip_archive_double(a, "shift", &m->shift);
    slip_archive_bool(a, "hopeless", &m->hopeless);
    slip_archive_bool(a, "doubted", &m->doubted);
}

void slip_event_archive(slip_method *method, slip_archive *a)
{
    slip_event_driven *m = (slip_event_driven *)method;
    slip_event_driven laid = *m;
    slip_archive_open(a, "event_driven");
    slip_method_archive(method, m->measures, a);
    slip_event_archive_memory(&laid, a);
    archive_state_order(m, &laid, a);
    archive_next_step(&m->ahead, a);
    archive_rigid(&m->rigid, a);
    archive_progress(m, a);
    slip_rigid_impact_archive(&m->impact_problem.rigid_impact, method->log, a);
    slip_step_scan_archive(&m->scan, a);
    slip_verdict_monitor_archive(m->monitor, m->elements, m->n, a);
    slip_archive_close(a);
    for (int k = 0; k < m->switches && slip_archive_reads(a); k++)
        slip_system_set_side(m->system, k, m->side[k], &m->rigid.terms);
}
