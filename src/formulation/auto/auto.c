/// formulation/auto/auto.c: rigid while trusted, compliant where not. See auto.h.
#include "formulation/auto/auto.h"
#include "base/elementary.h"
#include "formulation/auto/auto_tolerances.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_rigid(const slip_auto *m)
{
    assert(m->active == &m->rigid->base || m->active == m->soft);
    return m->active == &m->rigid->base;
}

// ------------------------------------------------------------------------------------- what is seen outside

// what impacts of the rigid half created
static void publish_energy_gains(slip_auto *m)
{
    for (int k = SLIP_EVENT_ENERGY_GAINED; k <= SLIP_EVENT_GAIN_COUNT; k++)
        m->measures[3 + k] = m->rigid->measures[k];
}

// state, time, modes and ledger of the half in charge
static void publish_active(slip_auto *m)
{
    slip_method *b = &m->base, *a = m->active, *r = &m->rigid->base;
    bool rigid = is_rigid(m);
    memcpy(m->state, a->state, (size_t)a->state_count * sizeof *m->state);
    for (int k = a->state_count; k < b->state_count; k++)
        m->state[k] = 0.0; // deformations of the compliant half
    b->t = a->t;
    b->planned = a->planned;
    memcpy(b->mode, a->mode, (size_t)m->elements);
    b->work = r->work + m->soft->work;
    b->friction = r->friction + m->soft->friction;
    b->contact = r->contact + m->soft->contact + m->handover_energy;
    b->impact = r->impact;
    b->trust = r->trust;
    if (!rigid) b->trust.since = a->t; // no verdict is needed on a compliant contact
    m->measures[1].value = rigid ? m->compliant : m->compliant + a->t - m->entered;
    publish_energy_gains(m);
}

// ------------------------------------------------------------------------------------------------- the log

// The halves write into one log. That the rigid answer is not to be trusted is not a warning: something is
// done about it.
static void merge_rigid_log(slip_auto *m)
{
    slip_log_destroy(m->rigid->base.log);
    m->rigid->base.log = m->base.log;
    m->rigid->base.trust.resolved = true;
}

// what the compliant half said of its constants when it was made matters once they are in use
static void merge_compliant_log(slip_auto *m)
{
    if (m->soft->log == m->base.log) return;
    slip_log_add_warnings(m->base.log, m->soft->log);
    m->soft->log = m->base.log;
}

// ---------------------------------------------------------------------------------------------- hand-overs

// what a contact that is pressed in to `depth`, and its friction T, store
static double elastic_energy(const slip_compliant_constants *c, double depth, const double *T)
{
    double power = c->law == SLIP_KELVIN_VOIGT ? 2.0 : c->beta + 1.0;
    double shear = c->K_t > 0.0 ? 0.5 * (T[0] * T[0] + T[1] * T[1]) / c->K_t : 0.0;
    return (depth > 0.0 ? c->K * slip_pow(depth, power) / power : 0.0) + shear;
}

static void hand_to_compliant(slip_auto *m)
{
    slip_event_driven *r = m->rigid;
    double *x = m->soft->state, t = r->base.t, elastic = 0.0;
    int count = 0, *element = m->owner;
    double *depth = m->N; // filled anew before it is looked at
    memcpy(m->from, r->base.state, 2 * (size_t)m->n * sizeof *x);
    memcpy(x, m->from, 2 * (size_t)m->n * sizeof *x);
    double before = slip_auto_energy(m, t, x, x + m->n);
    for (int e = 0; e < m->elements; e++) {
        const double *T = m->trusted_T + 2 * (size_t)e;
        for (int c = 0; c < r->system->elements[e].slip_count; c++)
            x[m->delta_at[e] + c] = T[c] / r->compliance[e].K_t;
        m->peak[e] = m->load[e] = m->trusted_N[e];
        m->impulse[e] = 0.0;
        m->stopped[e] = false;
        if (!(m->trusted_N[e] > 0.0)) continue;
        element[count] = e;
        depth[count] = slip_compliant_static_depth(&r->compliance[e], m->trusted_N[e]);
        elastic += elastic_energy(&r->compliance[e], depth[count++], T);
    }
    slip_auto_shift_gaps(m, t, x, x + m->n, count, element, depth);
    double taken = before - slip_auto_energy(m, t, x, x + m->n);
    memcpy(m->to, x, (size_t)m->soft->state_count * sizeof *x);
    m->handover_energy += taken;
    m->soft->t = m->entered = m->last_t = t;
    m->soft->ops->touched(m->soft);
    slip_event_unlock_switches(r); // the rigid half only looks from here on
    publish_active(m);
    m->active = m->soft;
    merge_compliant_log(m);
    m->settled_since = NAN;
    m->measures[0].value += 1.0;
    m->measures[2].value += elastic - taken;
    slip_method_log_event(
        &m->base, slip_event_at(t, "", SLIP_EVENT_VERDICT),
        "compliant from here: energy %+.3g J to the contacts, which store %.3g J; momentum unchanged", taken,
        elastic);
}

// what happened while the contacts were compliant: an impact without collision stops a slip by load alone
static void warn_jams(slip_auto *m)
{
    for (int e = 0; e < m->elements; e++)
        if (m->stopped[e] && m->peak[e] > JAM_LOAD_RATIO * m->load[e] && m->load[e] > 0.0) {
            slip_event event = slip_event_at(m->soft->t, m->base.element_name[e], SLIP_EVENT_IMPACT);
            event.impulse = m->impulse[e];
            slip_method_log_event(&m->base, event,
                                  "impact without collision (jamming): N reached %.4g N, %.4g N s in %.3g s",
                                  m->peak[e], m->impulse[e], m->soft->t - m->entered);
        }
}

// what the compliant contacts store now, after slip_auto_evaluate_contacts
static double present_elastic_energy(slip_auto *m)
{
    double sum = 0.0;
    for (int e = 0; e < m->elements; e++) {
        const slip_element *element = &m->rigid->system->elements[e];
        const slip_compliant_constants *c = &m->rigid->compliance[e];
        double depth = element->has_gap ? fmax(0.0, -m->rigid->rigid.terms.gap[e]) : 0.0, T[2] = { 0 };
        for (int k = 0; k < element->slip_count; k++) T[k] = c->K_t * m->soft->state[m->delta_at[e] + k];
        sum += elastic_energy(c, depth, T);
    }
    return sum;
}

static void hand_to_rigid(slip_auto *m, int count, const int *element, const bool *sticks)
{
    slip_method *r = &m->rigid->base;
    double *x = r->state, t = m->soft->t, elastic = present_elastic_energy(m);
    memcpy(m->from, m->soft->state, 2 * (size_t)m->n * sizeof *x);
    memcpy(x, m->from, 2 * (size_t)m->n * sizeof *x);
    double before = slip_auto_energy(m, t, x, x + m->n);
    memset(m->N, 0, (size_t)m->elements * sizeof *m->N); // depth 0
    slip_auto_shift_gaps(m, t, x, x + m->n, count, element, m->N);
    double impulse = slip_auto_stop_rates(m, t, x, x + m->n, count, element, sticks);
    double taken = before - slip_auto_energy(m, t, x, x + m->n);
    memcpy(m->to, x, 2 * (size_t)m->n * sizeof *x);
    m->handover_energy += taken;
    warn_jams(m);
    publish_active(m);
    r->t = t;
    r->trust.since = t;
    r->ops->touched(r);
    m->rigid->doubted = false;
    m->rigid->control.next =
        fmax(m->rigid->control.next, m->soft->planned); // it may have ended in tiny steps
    m->measures[2].value -= elastic + taken;
    m->compliant += t - m->entered;
    m->active = r;
    slip_method_log_event(&m->base, slip_event_at(t, "", SLIP_EVENT_VERDICT),
                          "rigid from here: %s, energy %+.3g J, impulse %.3g N s",
                          count ? "the boundary layer has settled" : "nothing touches", -taken, impulse);
}

// ------------------------------------------------------------------------------------------ when to go back

// Closed, or about to be: what comes back within a few times of its bounces has not left. A wall that is far
// away has nothing to do with it
static bool is_closing(slip_auto *m, int e, double clear)
{
    double gap = m->rigid->rigid.terms.gap[e], load;
    if (gap <= clear) return true;
    return m->gap_rate[e] < 0.0 &&
           gap < -m->gap_rate[e] * CLOSING_BOUNCE_PERIODS * slip_auto_contact_time(m, e, &load);
}

// peaks, impulses and stops of a contact since the hand-over
static void follow_contact(slip_auto *m, int e)
{
    m->peak[e] = fmax(m->peak[e], m->N[e]);
    m->impulse[e] += m->N[e] * (m->soft->t - m->last_t);
    if (m->soft->mode[e] & SLIP_MODE_STICK) m->stopped[e] = true;
    if (m->load[e] == 0.0 && m->N[e] > 0.0) slip_auto_contact_time(m, e, &m->load[e]);
}

static void return_if_settled(slip_auto *m)
{
    int count = 0;
    bool *sticks = m->stopped;
    warn_jams(m);
    for (int e = 0; e < m->elements; e++) {
        m->load[e] = 0.0; // its jam, if any, is in the log
        if (!m->rigid->system->elements[e].has_gap || !(m->N[e] > 0.0)) continue;
        sticks[count] = m->soft->mode[e] & SLIP_MODE_STICK;
        m->owner[count++] = e;
    }
    hand_to_rigid(m, count, m->owner, sticks);
}

static void monitor_compliant(slip_auto *m)
{
    const double *q = m->soft->state;
    double t = m->soft->t, clear = GAP_OPEN_TOLERANCE, decay = 0.0;
    bool touches = false, gives = false;
    for (int k = 0; k < m->n; k++) clear = fmax(clear, GAP_OPEN_TOLERANCE * fabs(q[k]));
    slip_auto_evaluate_contacts(m, t, q, q + m->n);
    for (int e = 0; e < m->elements; e++) {
        if (!m->rigid->system->elements[e].has_gap) continue;
        bool near = is_closing(m, e, clear);
        touches = touches || near;
        gives = gives || (near && !(m->N[e] > 0.0));
        follow_contact(m, e);
    }
    m->last_t = t;
    if (!touches && t > m->entered) {
        hand_to_rigid(m, 0, NULL, NULL);
        return;
    }
    if (gives || !slip_auto_follows_rigid(m, t, &decay)) {
        m->settled_since = NAN;
        return;
    }
    if (isnan(m->settled_since)) m->settled_since = t;
    if ((t - m->settled_since) * decay >= SETTLING_TIME_CONSTANTS) return_if_settled(m);
}

// ------------------------------------------------------------------------------------------------- method

static void store_trusted_loads(slip_auto *m)
{
    const slip_contact_problem *r = &m->rigid->rigid;
    if (!is_rigid(m) || m->rigid->doubted || !m->rigid->present) return;
    // loads that grow without bound on the way into the paradox are no longer anybody's
    for (int i = 0; i < r->normal_count; i++)
        if (r->x[i] * r->S[i * r->count + i] > MAX_HANDOVER_LOAD_RATIO * r->scale) return;
    memcpy(m->trusted_N, r->normal, (size_t)m->elements * sizeof *m->trusted_N);
    for (int e = 0; e < m->elements; e++)
        m->trusted_T[2 * e] = r->tangent[e], m->trusted_T[2 * e + 1] = r->tangent_y[e];
}

static slip_run_outcome auto_observe(slip_method *method)
{
    slip_auto *m = (slip_auto *)method;
    slip_run_outcome outcome = m->active->ops->observe(m->active);
    if (is_rigid(m) && (outcome == SLIP_UNSOLVED || (outcome == SLIP_RUNNING && m->rigid->doubted))) {
        m->rigid->doubted = false;
        hand_to_compliant(m);
        outcome = m->soft->ops->observe(m->soft);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    store_trusted_loads(m);
    publish_active(m);
    return outcome;
}

static slip_run_outcome auto_advance(slip_method *method, double step, double t_after)
{
    slip_auto *m = (slip_auto *)method;
    m->rigid->base.stop = m->soft->stop = method->stop;
    m->soft->loads = method->loads;
    slip_run_outcome outcome = auto_observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    outcome = m->active->ops->advance(m->active, step, t_after);
    if (is_rigid(m) && m->rigid->hopeless) return outcome;
    // forces that grow without bound on the way into the paradox ask for steps without end
    if (is_rigid(m) && (outcome == SLIP_UNSOLVED || outcome == SLIP_STEP_TOO_SMALL)) {
        m->rigid->doubted = false;
        hand_to_compliant(m);
        outcome = m->soft->ops->advance(m->soft, step, t_after);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    if (!is_rigid(m)) {
        outcome = m->soft->ops->observe(m->soft); // modes
        if (outcome == SLIP_RUNNING) monitor_compliant(m);
    }
    publish_active(m);
    return outcome;
}

static slip_run_outcome auto_peek(slip_method *method, double t, double *row)
{
    slip_auto *m = (slip_auto *)method;
    slip_run_outcome outcome = auto_observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    outcome = m->active->ops->peek(m->active, t, m->row);
    if (is_rigid(m) && outcome == SLIP_UNSOLVED &&
        !method->glancing) { // there is no rigid answer on the way there
        hand_to_compliant(m);
        outcome = m->soft->ops->peek(m->soft, t, m->row);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    int own = m->active->state_count, all = method->state_count;
    for (int k = 0; k < all; k++) row[k] = k < own ? m->row[k] : 0.0;
    memcpy(row + all, m->row + own, (size_t)method->record_count * sizeof *row);
    return outcome;
}

static void auto_record(slip_method *method, double *records, double *kinetic, double *potential)
{
    slip_auto *m = (slip_auto *)method;
    m->active->ops->record(m->active, records, kinetic, potential);
    publish_active(m); // after a reset into a closed contact it begins with an impact, which is in the ledger
    method->driven = m->active->driven;
}

static void auto_modes_carried(slip_method *method)
{
    slip_auto *m = (slip_auto *)method;
    memcpy(m->active->state, m->state, (size_t)m->active->state_count * sizeof *m->state);
}

static void auto_state_changed(slip_method *method)
{
    slip_auto *m = (slip_auto *)method;
    auto_modes_carried(method);
    m->active->ops->touched(m->active);
}

static void auto_destroy(slip_method *method)
{
    slip_auto *m = (slip_auto *)method;
    if (m->rigid && m->rigid->base.log == method->log) m->rigid->base.log = NULL; // it is shared
    if (m->rigid) m->rigid->base.ops->destroy(&m->rigid->base);
    if (m->soft) m->soft->ops->destroy(m->soft);
    slip_log_destroy(method->log);
    free(m->memory);
    free(m);
}

static double auto_look_ahead(slip_method *method, double until)
{
    slip_auto *m = (slip_auto *)method;
    if (auto_observe(method) != SLIP_RUNNING) return INFINITY;
    slip_method *active = m->active;
    return active->ops->look_ahead ? active->ops->look_ahead(active, until) : NAN;
}

// what the compliant half adds to the state is 0 while the rigid one is in charge
static bool auto_interpolate(slip_method *method, double t, double *state)
{
    slip_method *active = ((slip_auto *)method)->active;
    for (int k = active->state_count; k < method->state_count; k++) state[k] = 0.0;
    return active->ops->interpolate && active->ops->interpolate(active, t, state);
}

static void auto_slip_heading(const slip_method *method, int e, double direction[2])
{
    const slip_method *active = ((const slip_auto *)method)->active;
    if (active->ops->heading) active->ops->heading(active, e, direction);
}

// ----------------------------------------------------------------------------------------------- creating

static void auto_layout(slip_arena *a, slip_auto *m)
{
    int e = m->elements;
    m->state = SLIP_TAKE(a, double, m->soft->state_count);
    m->row = SLIP_TAKE(a, double, m->soft->state_count + m->soft->record_count);
    m->base.mode = SLIP_TAKE(a, unsigned char, e);
    m->delta_at = SLIP_TAKE(a, int, e);
    double **const each[] = { &m->trusted_N, &m->N, &m->gap_rate, &m->peak, &m->impulse, &m->load };
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) *each[k] = SLIP_TAKE(a, double, e);
    m->trusted_T = SLIP_TAKE(a, double, 2 * e);
    m->slip_rate = SLIP_TAKE(a, double, 2 * e);
    m->from = SLIP_TAKE(a, double, 2 * m->n);
    m->to = SLIP_TAKE(a, double, m->soft->state_count);
    m->stopped = SLIP_TAKE(a, bool, e);
    slip_auto_handover_layout(a, m);
}

// Both halves, and who is in charge. They write into one log from the first hand-over on.
static void auto_archive(slip_method *method, slip_archive *a)
{
    slip_auto *m = (slip_auto *)method, laid = *m;
    bool rigid = m->active == &m->rigid->base, shared = m->soft->log == method->log, taken = shared;
    slip_archive_open(a, "auto");
    slip_archive_bool(a, "shared", &shared);
    if (shared && !taken) m->soft->log = method->log; // whose warnings were read before
    slip_method_archive(method, NULL, a);
    for (int k = 0; k < 3; k++) slip_archive_double(a, "measure", &m->measures[k].value);
    slip_archive_double(a, "measure", &m->compliant);
    slip_arena arena = { .base = m->memory, .archive = a };
    auto_layout(&arena, &laid);
    slip_archive_bool(a, "rigid", &rigid);
    m->active = rigid ? &m->rigid->base : m->soft;
    slip_archive_double(a, "settled_since", &m->settled_since);
    slip_archive_double(a, "entered", &m->entered);
    slip_archive_double(a, "last_t", &m->last_t);
    slip_archive_double(a, "handed", &m->handover_energy);
    m->rigid->base.ops->archive(&m->rigid->base, a);
    m->soft->ops->archive(m->soft, a);
    publish_energy_gains(m);
    slip_archive_close(a);
}

static const slip_method_ops ops = {
    .destroy = auto_destroy,
    .observe = auto_observe,
    .advance = auto_advance,
    .peek = auto_peek,
    .record = auto_record,
    .touched = auto_state_changed,
    .look_ahead = auto_look_ahead,
    .heading = auto_slip_heading,
    .archive = auto_archive,
    .carried = auto_modes_carried,
    .interpolate = auto_interpolate,
};

static slip_status allocate_auto(slip_auto *m)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &m->memory)) auto_layout(&arena, m);
    if (!m->memory) return SLIP_NO_MEMORY;
    for (int e = 0, at = 2 * m->n; e < m->elements; e++) {
        int slips = m->rigid->system->elements[e].slip_count;
        m->delta_at[e] = slips ? at : -1;
        at += slips;
    }
    return SLIP_OK;
}

static void fill_method(slip_auto *m)
{
    slip_method *b = &m->base, *s = m->soft;
    b->ops = &ops;
    b->equations = m->rigid->system->equations;
    b->state_count = s->state_count;
    b->state_name = s->state_name;
    b->state = m->state;
    b->record_count = s->record_count;
    b->record_name = s->record_name;
    b->element_count = s->element_count;
    b->element_name = s->element_name;
    b->has_energy = b->adaptive = true;
    b->largest_stable_step = INFINITY;
    b->constant_count = s->constant_count;
    b->constants = s->constants;
    m->active = &m->rigid->base;
    memcpy(m->state, m->rigid->base.state, 2 * (size_t)m->n * sizeof *m->state);
    m->measures[0].name = "handovers_to_compliant";
    m->measures[1].name = "compliant_seconds";
    m->measures[2].name = "handover_energy_made";
    publish_energy_gains(m);
    b->measures = m->measures;
    b->measure_count = 5;
}

static slip_status auto_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                               slip_method **out)
{
    *out = NULL;
    slip_auto *m = calloc(1, sizeof *m);
    if (!m) return slip_fail(error, SLIP_NO_MEMORY, "formulation auto", "out of memory");
    slip_sim_def own = *settings;
    own.integrator = "cash-karp";
    slip_method *rigid = NULL;
    m->base.log = slip_log_create();
    slip_status status = m->base.log
                             ? slip_event_driven_create(model, &own, SLIP_PRINCIPLE_LCP, error, &rigid)
                             : slip_fail(error, SLIP_NO_MEMORY, "formulation auto", "out of memory");
    m->rigid = (slip_event_driven *)rigid;
    if (m->rigid) m->rigid->monitor->level = SLIP_JUDGE_ALL; // it lives by the verdict
    if (status == SLIP_OK)
        status = slip_compliant_method(model, &own, SLIP_NORMAL_LAW_AS_GIVEN, false, error, &m->soft);
    if (status == SLIP_OK) {
        m->n = m->rigid->n;
        m->elements = m->rigid->elements;
        status = allocate_auto(m) == SLIP_OK
                     ? SLIP_OK
                     : slip_fail(error, SLIP_NO_MEMORY, "formulation auto", "out of memory");
    }
    if (status != SLIP_OK) {
        auto_destroy(&m->base);
        return status;
    }
    fill_method(m);
    merge_rigid_log(m);
    *out = &m->base;
    return SLIP_OK;
}

const slip_formulation slip_formulation_auto = {
    .info = { "auto", "lcp while its answer can be trusted, compliant contacts where not",
              "mechanics; Coulomb friction, independent constraints", "Song 2001, section 8" },
    .mechanics = true,
    .family = SLIP_FAMILY_EVENT_DRIVEN,
    .chosen_for = SLIP_FOR_CONTACTS,
    .takes_static = true,
    .takes_constraints = true,
    .create = auto_create,
};
