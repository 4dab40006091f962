/// simulation/recording/run_findings.c: the main findings about a run, in sentences.
#include <math.h>
#include <string.h>

#include "simulation/recording/recording.h"
#include "verdict/run/run_trust.h"

static const char letter[] = {
    [SLIP_TONE_PLAIN] = 'p', [SLIP_TONE_GOOD] = 'g', [SLIP_TONE_WARN] = 'w', [SLIP_TONE_BAD] = 'b'
};

static void begin_finding(slip_recording *r, slip_tone tone)
{
    slip_text_add(&r->said, "%c", letter[tone]);
}
static void end_finding(slip_recording *r)
{
    slip_text_add(&r->said, "\n");
}

static void say_method(slip_recording *r, const slip_sim *sim)
{
    slip_sim_def used = slip_sim_settings(sim);
    slip_text_add(&r->said, "%s", used.formulation);
    if (used.integrator) slip_text_add(&r->said, " with %s", used.integrator);
    if (used.solver) slip_text_add(&r->said, " with solver %s", used.solver);
    if (sim->method->adaptive)
        slip_text_add(&r->said, ", steps chosen to a relative error of %g", used.relative);
    else
        slip_text_add(&r->said, ", step %g s", used.step);
}

// Whether the run is trusted, and why.
static void say_trust(slip_recording *r, slip_sim *sim)
{
    const char *doubt;
    const slip_trust trust = slip_run_judge(sim, &r->info, &doubt);
    slip_horizon h = slip_run_horizon(sim);
    bool whole = r->outcome == SLIP_DONE || r->outcome == SLIP_PAUSED;
    begin_finding(r, trust == SLIP_TRUST_TRUSTED     ? SLIP_TONE_GOOD
                     : trust == SLIP_TRUST_UNCHECKED ? SLIP_TONE_PLAIN
                     : whole                         ? SLIP_TONE_WARN
                                                     : SLIP_TONE_BAD);
    slip_text_add(&r->said, "%s: %s.", slip_trust_name(r->info.outcome, trust),
                  trust == SLIP_TRUST_TRUSTED ? h.text : doubt);
    end_finding(r);
}

static void say_outcome(slip_recording *r, const slip_sim *sim)
{
    bool done = r->outcome == SLIP_DONE;
    begin_finding(r, done ? SLIP_TONE_PLAIN : SLIP_TONE_BAD);
    if (done)
        slip_text_add(&r->said, "The run reached its end, t = %g s, in %ld steps: ", sim->method->t,
                      sim->steps);
    else
        slip_text_add(&r->said, "The run ended at t = %.9g s of %g s: ", sim->method->t, sim->def.until);
    say_method(r, sim);
    slip_text_add(&r->said, ".");
    end_finding(r);
}

static void say_contacts(slip_recording *r, const slip_sim *sim, const char *doubt)
{
    const char *text = NULL, *verdict = slip_sim_verdict(sim, &text);
    if (!verdict || strstr(doubt, text) || strncmp(doubt, verdict, strlen(verdict)) == 0) return;
    slip_verdict worst = sim->method->trust.worst;
    bool handed = false; // formulation auto has switched to compliant contacts, as the verdict recommends
    for (int k = 0; k < r->span_count; k++) handed = handed || strcmp(r->spans[k].verdict, "compliant") == 0;
    begin_finding(r, worst == SLIP_TRUSTED || worst == SLIP_UNKNOWN_VERDICT || handed ? SLIP_TONE_PLAIN
                                                                                      : SLIP_TONE_WARN);
    bool since = strncmp(text, "from t", 6) == 0;
    slip_text_add(&r->said, "Rigid contacts: ");
    if (worst != SLIP_TRUSTED) slip_text_add(&r->said, "%s%s ", verdict, since ? "" : ",");
    slip_text_add(&r->said, "%s%s", text, text[strlen(text) - 1] == '.' ? "" : ".");
    if (handed)
        slip_text_add(&r->said, " The contacts were compliant where the rigid answer was not to be trusted.");
    end_finding(r);
}

// The first warning of each kind, and the number of further ones. Warnings that earlier sentences mention are
// left out.
static void say_warnings(slip_recording *r, const slip_sim *sim, const char *doubt)
{
    const char *verdict = slip_sim_verdict(sim, NULL);
    long seen[SLIP_WARNING_COUNT] = { 0 };
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)); k++) {
        if (verdict && strcmp(slip_warning_kind_name(w->kind), verdict) == 0) continue;
        if (++seen[w->kind] > 1 || strcmp(w->text, doubt) == 0) continue;
        begin_finding(r, SLIP_TONE_WARN);
        slip_text_add(&r->said, "%s", w->text);
        if (w->count > 1) slip_text_add(&r->said, " (%ld times, last at t = %.6g s)", w->count, w->last);
        slip_text_add(&r->said, ".");
        end_finding(r);
    }
}

static void say_notes(slip_recording *r, const slip_sim *sim)
{
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_note_at(sim, k)); k++) {
        begin_finding(r, SLIP_TONE_PLAIN);
        slip_text_add(&r->said, "%s.", w->text);
        end_finding(r);
    }
}

static void say_events(slip_recording *r)
{
    if (r->event_total == 0) return;
    long counts[SLIP_EVENT_COUNT] = { 0 };
    for (int k = 0; k < r->event_count; k++) counts[r->events[k].kind]++;
    begin_finding(r, SLIP_TONE_PLAIN);
    slip_text_add(&r->said, "%ld event%s", r->event_total, r->event_total == 1 ? "" : "s");
    if (r->event_count < r->event_total)
        slip_text_add(&r->said, ", the first %d of them kept", r->event_count);
    for (int k = 0, shown = 0; k < SLIP_EVENT_COUNT; k++)
        if (counts[k])
            slip_text_add(&r->said, "%s%ld %s", shown++ ? ", " : ": ", counts[k],
                          slip_event_name((slip_event_kind)k));
    slip_text_add(&r->said, ".");
    end_finding(r);
}

static void say_energy(slip_recording *r, slip_sim *sim)
{
    slip_energy e = slip_sim_energy(sim);
    if (!e.known) return;
    double part = slip_run_energy_error(sim);
    begin_finding(r, part <= SLIP_MAX_ENERGY_ERROR ? SLIP_TONE_PLAIN : SLIP_TONE_WARN);
    slip_text_add(&r->said,
                  "Energy: %.4g J at the start, %.4g J at the end; the scheme itself changed it by %.2g %%.",
                  e.start, e.kinetic + e.potential, 100.0 * part);
    end_finding(r);
}

void slip_recording_add_findings(slip_recording *r, slip_sim *sim)
{
    const char *doubt;
    slip_run_trust(sim, &r->info, &doubt);
    say_trust(r, sim);
    say_contacts(r, sim, doubt);
    say_warnings(r, sim, doubt);
    say_notes(r, sim);
    say_outcome(r, sim);
    say_events(r);
    say_energy(r, sim);
}
