/// formulation/many_body/many_body_verdict.c: the verdict on a step, from its proof (many_body_uniqueness.c)
/// and from its impacts.
#include <stdio.h>

#include "formulation/many_body/many_body.h"

static const char PROVED[] =
    "one motion, proved for every step; whether compliant contacts would settle on it "
    "was not asked";

// ------------------------------------------------------------------------------------- several strikes

// a contact that a strike elsewhere has struck: taken one after the other it would rebound
static bool is_struck_through_contact(const slip_many_body *c, const slip_contact_point *m)
{
    double gives = 0.0;
    if (m->hits || !(m->e > 0.0) || !(m->impulse[0] > 0.0)) return false;
    for (int s = 0; s < 2; s++) {
        const slip_dynamic_body *b = &c->body[m->body[s]];
        gives += b->jointed ? slip_articulation_mobility(c->articulation, m->body[s], m->axis[0],
                                                         slip_contact_point_torque(m, s, 0))
                            : b->inverse_mass;
    }
    return m->impulse[0] * gives > 2.0 * SLIP_MANY_BODY_IMPACT_THRESHOLD * c->pull * c->h;
}

static void warn_simultaneous(slip_many_body *c, int count)
{
    slip_many_body_uniqueness *p = &c->proof;
    if (p->said_together || c->base.log->muted) return;
    p->said_together = slip_method_warn(
        &c->base, SLIP_WARNING_IMPACT_LAW, "",
        "%d contacts that hang together strike at once in the step from t = %.9g s: Newton's impact law "
        "takes them together, and another law, or one after the other, may give other velocities",
        count, c->base.t);
}

// Newton's law is one for all that strikes in a step, and what touches already has no rebound in it
void slip_many_body_check_impacts(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    for (int i = 0; i < c->island_count; i++) {
        const slip_contact_point *struck = NULL;
        int hits = 0;
        for (int k = c->start[i]; k < c->start[i + 1]; k++) {
            const slip_contact_point *m = &c->next.items[c->order[k]];
            hits += m->hits && m->impulse[0] > 0.0;
            if (!struck && is_struck_through_contact(c, m)) struck = m;
        }
        if (hits > 1) warn_simultaneous(c, hits);
        if (!hits || !struck) continue;
        p->spread = true;
        p->element = -1;
        for (int s = 0; s < 2; s++) p->pair[s] = struck->body[s];
    }
}

// -------------------------------------------------------------------------------------------- verdict

static void name_place(const slip_many_body *c, char *text, size_t size)
{
    const slip_many_body_uniqueness *p = &c->proof;
    if (p->element >= 0)
        snprintf(text, size, "at '%.60s'", c->model->contacts[p->element].name);
    else
        snprintf(text, size, "between '%.60s' and '%.60s'", c->crowd->bodies[p->pair[0]].name,
                 c->crowd->bodies[p->pair[1]].name);
}

// both motions, where they differ most
static void describe_two(const slip_many_body_uniqueness *p, const char *place, char *text, size_t size)
{
    const char *does = p->direction ? "slip" : "part";
    snprintf(text, size,
             "the contacts of the step have two solutions: the bodies %s %s at %.4g m/s in the one that was "
             "taken, "
             "and at %.4g m/s in another one",
             place, does, p->velocity[0], p->velocity[1]);
}

static const char SPREADS[] = "a strike goes on to bodies that touch already";
static const char SPREAD_MEANS[] = "they rebound or not by the impact law, Newton's takes all of them "
                                   "together, and one after the other would "
                                   "give other velocities";

static const char PARADOX[] = "Painleve's paradox";

// why a step is open
static void describe_doubt(const slip_many_body *c, char *text, size_t size)
{
    const slip_many_body_uniqueness *p = &c->proof;
    char place[160];
    name_place(c, place, sizeof place);
    if (p->two)
        describe_two(p, place, text, size);
    else if (p->spread)
        snprintf(text, size, "%s, %s: %s", SPREADS, place, SPREAD_MEANS);
    else if (p->paradox)
        snprintf(text, size,
                 "the contact %s has so much friction that it can have two motions by itself (%s)", place,
                 PARADOX);
    else
        snprintf(
            text, size,
            "friction and redundant contacts %s leave room for another motion: no proof was found that there "
            "is none, and no search for one has ended",
            place);
}

static const char *plural(long count)
{
    return count == 1 ? "" : "s";
}

// the run in doubt so far
static void describe_run(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    if (p->steps_spread)
        snprintf(p->text, sizeof p->text, "from t = %.6g s: in %ld step%s %s, first %s: %s", p->first,
                 p->steps_spread, plural(p->steps_spread), SPREADS, p->where, SPREAD_MEANS);
    else if (p->paradox)
        snprintf(p->text, sizeof p->text,
                 "from t = %.6g s: in %ld step%s friction is so large that a contact can have two motions by "
                 "itself (%s), first %s",
                 p->first, p->steps_open, plural(p->steps_open), PARADOX, p->where);
    else
        snprintf(p->text, sizeof p->text,
                 "from t = %.6g s: no proof that there is one motion in %ld step%s, first %s, and %ld of %ld "
                 "searches for another one ended",
                 p->first, p->steps_open, plural(p->steps_open), p->where, p->ended, p->starts);
    c->base.trust.text = p->text;
}

static void set_doubtful(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    slip_verdict_record *trust = &c->base.trust;
    const slip_verdict verdict = p->two ? SLIP_AMBIGUOUS : SLIP_UNKNOWN_VERDICT;
    char text[400] = "";
    if (!p->where[0]) p->first = c->base.t, name_place(c, p->where, sizeof p->where);
    if (!trust->judged || trust->now != verdict) describe_doubt(c, text, sizeof text);
    slip_method_set_verdict(&c->base, verdict, text);
    if (trust->worst == SLIP_UNKNOWN_VERDICT) describe_run(c);
}

// a note on a run that nothing speaks against: which of its steps are proved, and what was searched in the others
static void describe_trusted(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    slip_verdict_record *trust = &c->base.trust;
    if (p->steps_open)
        snprintf(p->text, sizeof p->text,
                 "no proof that there is one motion in %ld of %ld steps; there %ld searches from %d kinds of "
                 "starts, "
                 "%ld of which ended in a solution, found no second one",
                 p->steps_open, p->steps, p->starts, SLIP_SEARCH_START_KINDS, p->ended);
    trust->text = p->steps_open ? p->text : PROVED;
}

// what sleeps is as open as it was when it fell asleep, and was searched then
static bool is_open(const slip_many_body *c)
{
    bool open = c->proof.open;
    for (int k = 0; k < c->crowd->body_count && !open; k++) open = c->body[k].group && c->body[k].doubted;
    return open;
}

void slip_many_body_set_verdict(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    const slip_verdict_level level = c->model->run.verdict;
    if (level == SLIP_JUDGE_NONE || (level == SLIP_JUDGE_SOME && !p->looked)) return; // as before
    const bool loads = c->articulation && slip_articulation_check_loads(c), open = is_open(c);
    const bool doubtful = p->two || p->spread || (open && !p->covered);
    p->steps++;
    p->steps_open += loads || open || p->spread;
    p->steps_spread += p->spread;
    p->unsearched += p->open;
    if (doubtful && !loads) set_doubtful(c);
    if (!doubtful && !loads) slip_method_set_verdict(&c->base, SLIP_TRUSTED, NULL);
    if (c->base.trust.worst == SLIP_TRUSTED &&
        (c->most || (c->articulation && slip_articulation_is_unproved(c->articulation))))
        describe_trusted(c);
    p->open = p->two = p->spread = p->looked = false;
}
