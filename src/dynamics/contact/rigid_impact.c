/// dynamics/contact/rigid_impact.c: impacts of a run: by which laws, and whether another law would have said
/// the same.
#include "dynamics/contact/rigid_impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slipstick/solver.h"
#include "dynamics/dynamics_tolerances.h"

enum {
    MAX_COMPARED_CONTACTS =
        16, // contacts of an impact that is looked at under other laws, where the model names none
    MAX_COMPARED_NAMED_LAW = 64, // the same where it names one
    MAX_COMPARED_IMPACTS =
        20, // impacts that are looked at without a named law, or with more than MAX_COMPARED_CONTACTS
    MAX_ENUMERATED_CONTACTS = 4, // contacts whose solutions are counted
    MAX_SOLUTIONS = 16,          // that are told apart
    MAX_NAMED_CONTACTS = 5       // contacts that a sentence names, with their rates
};

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static void read_laws(const slip_system *system, slip_rigid_impact *s)
{
    s->in_step = true;
    s->asked = false;
    for (int e = 0; e < system->element_count; e++) {
        const slip_contact *c = system->elements[e].contact;
        if (!system->elements[e].has_gap) continue;
        s->in_step = s->in_step && c->impact->in_step;
        s->asked = s->asked || c->impact_given;
    }
}

static size_t count_work(int contacts)
{
    const double none = 0.0;
    slip_problem p = slip_problem_contacts(2, contacts, &none, &none, &none);
    slip_solve_options options = slip_default_solve_options();
    size_t bytes = 0;
    slip_solve_work_size(slip_solver_find("enum"), &p, &options, &bytes);
    return bytes;
}

static int most_compared(const slip_rigid_impact *s)
{
    return s->asked ? MAX_COMPARED_NAMED_LAW : MAX_COMPARED_CONTACTS;
}

void slip_rigid_impact_layout(slip_arena *arena, const slip_system *system, int d, slip_rigid_impact *s)
{
    read_laws(system, s);
    s->asked = s->asked || s->wanted;
    slip_friction_loads_layout(arena, system, &s->loads);
    const int contacts = slip_max_impact_contacts(system), frictions = contacts - system->contact_count,
              few = min_int(system->contact_count, most_compared(s)) + frictions;
    s->hit.d = s->other.d = d;
    s->system = system;
    s->lambda = SLIP_TAKE(arena, double, frictions ? system->constraint_count : 0);
    s->with_limits = SLIP_TAKE(arena, double, frictions ? d *contacts : 0);
    s->hit.spare = SLIP_TAKE(arena, double, frictions ? slip_multi_impact_spare(d, contacts) : 0);
    s->before = SLIP_TAKE(arena, double, d *contacts);
    s->mu = SLIP_TAKE(arena, double, contacts);
    s->e = SLIP_TAKE(arena, double, contacts);
    s->e_t = SLIP_TAKE(arena, double, contacts);
    s->law = SLIP_TAKE(arena, const slip_impact_law *, contacts);
    s->pressed = SLIP_TAKE(arena, bool, contacts);
    s->element = SLIP_TAKE(arena, int, contacts);
    s->hit.impulse = SLIP_TAKE(arena, double, d *contacts);
    s->hit.after = SLIP_TAKE(arena, double, d *contacts);
    s->hit.work = SLIP_TAKE(arena, double, contacts);
    s->hit.path = SLIP_TAKE(arena, unsigned char, contacts);
    s->hit.scratch = SLIP_TAKE(
        arena, double,
        max_int(slip_multi_impact_scratch(d, contacts, s->asked), slip_multi_impact_scratch(d, few, true)));
    s->other.impulse = SLIP_TAKE(arena, double, d *few);
    s->other.after = SLIP_TAKE(arena, double, d *few);
    s->other.work = SLIP_TAKE(arena, double, few);
    s->other.path = SLIP_TAKE(arena, unsigned char, few);
    s->same = SLIP_TAKE(arena, const slip_impact_law *, few);
    if (!s->asked) return;
    s->all = SLIP_TAKE(arena, double, 2 * MAX_ENUMERATED_CONTACTS * MAX_SOLUTIONS);
    s->work = slip_arena_take(
        arena, d == 2 ? count_work(min_int(system->contact_count, MAX_ENUMERATED_CONTACTS)) : 0);
}

void slip_rigid_impact_add_contact(slip_rigid_impact *s, const slip_system *system, int element, double mu,
                                   bool plastic, bool pressed)
{
    const slip_contact *c = system->elements[element].contact;
    const int k = s->hit.contacts++;
    s->element[k] = element;
    s->mu[k] = mu;
    s->law[k] = c->impact;
    s->e[k] = plastic ? 0.0 : c->restitution;
    s->e_t[k] = plastic ? 0.0 : c->restitution_t;
    s->pressed[k] = (c->impact_given || s->wanted) && pressed;
}

static void fill_collision(slip_rigid_impact *s)
{
    s->hit.before = s->before;
    s->hit.mu = s->mu;
    s->hit.e = s->e;
    s->hit.e_t = s->e_t;
    s->hit.law = s->law;
    s->hit.pressed = s->pressed;
}

static bool any_jams(const slip_rigid_impact *s)
{
    for (int k = 0; k < s->hit.contacts; k++)
        if (slip_multi_impact_jams(&s->hit, k, s->before)) return true;
    return false;
}

// A contact that would jam alone need not do so beside others that hold: then the contact problem of all,
// with a small approach, has a small answer, and there are forces that hold them
static void confirm_jams(slip_rigid_impact *s)
{
    slip_multi_impact *c = &s->hit;
    const int d = c->d, size = d * c->contacts;
    double *q = c->scratch, *spare = q + size, most = 0.0;
    fill_collision(s);
    if (c->contacts < 2 || !any_jams(s)) return;
    memcpy(q, c->before, (size_t)size * sizeof *q);
    for (int i = 0; i < size; i++) most = fmax(most, fabs(c->before[i]));
    if (!slip_multi_impact_solve(c, q, c->impulse, c->after, spare)) return;
    for (int k = 0; k < c->contacts; k++)
        if (slip_multi_impact_jams(c, k, c->before) &&
            !(c->impulse[k * d] * c->W[(size_t)(k * d) * (size_t)(size + 1)] >
              JAM_IMPULSE_OF_APPROACH * most))
            s->pressed[k] = false;
}

bool slip_rigid_impact_is_jam(slip_rigid_impact *s)
{
    confirm_jams(s);
    return any_jams(s);
}

// ---- other laws, other orders

static double largest_rate(const slip_multi_impact *c)
{
    double most = 0.0;
    for (int i = 0; i < c->d * c->contacts; i++) most = fmax(most, fabs(c->before[i]));
    return most;
}

// by the given law for all contacts, NULL: by their own; true when the result is another one
static bool result_differs(slip_rigid_impact *s, const slip_impact_law *law, slip_impact_order order)
{
    const slip_multi_impact own = s->other;
    slip_multi_impact *c = &s->other;
    *c = s->hit;
    c->impulse = own.impulse, c->after = own.after, c->work = own.work, c->path = own.path;
    for (int k = 0; k < c->contacts; k++) s->same[k] = law ? law : s->law[k];
    c->law = s->same;
    c->order = order;
    if (!slip_multi_impact_apply(c)) return false;
    const double small = SAME_RATE_TOLERANCE * largest_rate(c);
    for (int i = 0; i < c->d * c->contacts; i++)
        if (fabs(c->after[i] - s->hit.after[i]) > small) return true;
    return false;
}

static bool has_friction(const slip_multi_impact *c)
{
    for (int k = 0; k < c->contacts; k++)
        if (c->mu[k] > 0.0) return true;
    return false;
}

// "; poisson 0.2 [-0.1], 0.3 [0]": rates of gaps, and of slips where something rubs
static void list_rates(const slip_multi_impact *c, const char *label, char *text, size_t size)
{
    size_t at = strlen(text);
    const int gaps = c->contacts - c->frictions, count = min_int(gaps, MAX_NAMED_CONTACTS);
    const double small = SAME_RATE_TOLERANCE * largest_rate(c);
    at += (size_t)snprintf(text + at, size - at, "%s%s", at ? "; " : "", label);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < (has_friction(c) ? c->d : 1) && at < size; i++) {
            const double rate = c->after[k * c->d + i];
            at += (size_t)snprintf(text + at, size - at, "%s%.4g%s",
                                   i == 1   ? " ["
                                   : i || k ? ", "
                                            : " ",
                                   fabs(rate) > small ? rate : 0.0, i == c->d - 1 ? "]" : "");
        }
    if (count < gaps && at < size) snprintf(text + at, size - at, " ...");
}

// "'a', 'b'"
static void list_names(const slip_rigid_impact *s, const slip_system *system, char *text, size_t size)
{
    const int gaps = slip_rigid_impact_gaps(s), count = min_int(gaps, MAX_NAMED_CONTACTS);
    size_t at = 0;
    for (int k = 0; k < count && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s'%s'", k ? ", " : "",
                               system->elements[s->element[k]].name);
    if (count < gaps && at < size) snprintf(text + at, size - at, " and %d more", gaps - count);
}

// results of other orders and laws that are not the one in hand; false when there are none
static bool list_others(slip_rigid_impact *s, char *text, size_t size)
{
    const bool sequence = s->hit.turns > 0;
    text[0] = '\0';
    for (int order = SLIP_ORDER_AS_LISTED; order <= SLIP_ORDER_REVERSED && sequence; order++)
        if (result_differs(s, NULL, (slip_impact_order)order))
            list_rates(&s->other,
                       order == SLIP_ORDER_AS_LISTED ? "first contact first" : "last contact first", text,
                       size);
    for (int k = 0; slip_impact_at(k); k++)
        if (result_differs(s, slip_impact_at(k), SLIP_ORDER_FASTEST_FIRST))
            list_rates(&s->other, slip_impact_at(k)->info.name, text, size);
    return text[0] != '\0';
}

bool slip_rigid_impact_may_compare(const slip_rigid_impact *s, const slip_method *method, int contacts)
{
    const bool few = contacts <= MAX_COMPARED_CONTACTS;
    return contacts > 1 && !s->open && !method->log->muted &&
           (contacts <= most_compared(s) ? (s->asked && few) || s->looks < MAX_COMPARED_IMPACTS : !s->crowd);
}

void slip_rigid_impact_compare_laws(slip_rigid_impact *s, slip_method *method, const slip_system *system)
{
    char own[120] = "", others[700], names[300] = "";
    int struck = 0;
    fill_collision(s);
    for (int k = 0; k < s->hit.contacts; k++) struck += s->hit.impulse[k * s->hit.d] > 0.0;
    if (struck < 2) return;
    if (slip_rigid_impact_gaps(s) > most_compared(s)) {
        s->crowd = slip_method_warn(method, SLIP_WARNING_IMPACT_LAW, "",
                                    "%d contacts strike at once at t = %.9g s: whether another impact law or "
                                    "another order gives other rates is looked at for up to %d",
                                    struck, method->t, most_compared(s));
        return;
    }
    s->looks++;
    if (!list_others(s, others, sizeof others)) return;
    list_rates(&s->hit, "", own, sizeof own);
    list_names(s, system, names, sizeof names);
    s->open =
        slip_method_warn(method, s->asked ? SLIP_WARNING_NOT_UNIQUE : SLIP_WARNING_IMPACT_LAW, "",
                         "contacts %s strike at once at t = %.9g s, and the result depends on the impact law "
                         "or on the order: gap rates%s after it are%s m/s by %s%s; %s",
                         names, method->t, has_friction(&s->hit) ? " [and slips]" : "", own,
                         s->law[0]->info.name, s->asked ? "" : " (the default)", others);
}

static void count_solutions(slip_rigid_impact *s)
{
    const slip_multi_impact *c = &s->hit;
    s->solutions = 0;
    if (c->turns > 0) s->solutions = 1;
    if (c->turns > 0 || c->d > 2 || c->contacts > MAX_ENUMERATED_CONTACTS || c->frictions || !s->asked)
        return;
    double *q = c->scratch;
    for (int i = 0; i < c->d * c->contacts; i++)
        q[i] = c->before[i] * (1.0 + (s->law[0]->in_step ? (i % c->d ? c->e_t : c->e)[i / c->d] : 0.0));
    slip_problem p = slip_problem_contacts(2, c->contacts, c->W, q, c->mu);
    slip_solve_options options = slip_default_solve_options();
    bool continuum = false;
    const int count = slip_solutions(&p, &options, s->all, MAX_SOLUTIONS, &continuum, s->work);
    if (count > 0) s->solutions = count + continuum;
}

bool slip_rigid_impact_solve(slip_rigid_impact *s, slip_impact_order order)
{
    confirm_jams(s);
    s->hit.order = order;
    if (!slip_multi_impact_apply(&s->hit)) return false;
    count_solutions(s);
    return true;
}

bool slip_rigid_impact_solve_and_report(slip_rigid_impact *s, slip_method *method, const slip_system *system)
{
    if (!slip_rigid_impact_solve(s, SLIP_ORDER_FASTEST_FIRST)) return false;
    if (s->hit.unfinished && s->endless)
        slip_log_repeat(method->log, s->endless, method->t);
    else if (s->hit.unfinished)
        s->endless = slip_method_warn(
            method, SLIP_WARNING_RESTITUTION, "",
            "a sequence of impacts at t = %.9g s came to no end: what was left was taken without restitution",
            method->t);
    if (slip_rigid_impact_may_compare(s, method, slip_rigid_impact_gaps(s)))
        slip_rigid_impact_compare_laws(s, method, system);
    return true;
}

// ---- what is said

const char *slip_rigid_impact_describe(const slip_rigid_impact *s, int k, slip_event *event)
{
    static const char *const words[] = {
        "", "; slides", "; sticks", "; stops and sticks", "; slides back", "; slides back"
    };
    event->normal_work = s->hit.work[k];
    event->path = s->hit.path[k];
    event->solutions = s->solutions > 0 ? (double)s->solutions : (double)NAN;
    if (s->in_step) return "";
    if (s->hit.path[k] & SLIP_PATH_JAMMED) return "; jams";
    return words[s->hit.path[k] < 6 ? s->hit.path[k] : 0];
}

const char *slip_rigid_impact_gaining_law(const slip_rigid_impact *s)
{
    const bool newton = s->hit.contacts == 0 || s->law[0]->tangential || s->law[0]->process;
    return newton ? "Newton's law with friction" : "Poisson's law with friction and different restitutions";
}

void slip_rigid_impact_warn_energy_gain(const slip_rigid_impact *s, slip_method *method, double gained,
                                        slip_warning **said)
{
    if (*said) {
        slip_log_repeat(method->log, *said, method->t);
        return;
    }
    *said = slip_method_warn(method, SLIP_WARNING_ENERGY_CREATED, "",
                             "the impact law created energy: %.3g J at t = %.9g s. %s allows it; "
                             "measures.energy_gained has the sum",
                             gained, method->t, slip_rigid_impact_gaining_law(s));
    slip_warning_value(*said, "energy", gained, "J");
    if (!s->asked) return;
    slip_warning_advise_word(*said, "impact", "energetic");
}

void slip_rigid_impact_archive(slip_rigid_impact *s, slip_log *log, slip_archive *a)
{
    slip_archive_open(a, "striker");
    slip_archive_int(a, "solutions", &s->solutions);
    slip_archive_int(a, "looks", &s->looks);
    slip_log_archive_reference(log, a, "open", &s->open);
    slip_log_archive_reference(log, a, "endless", &s->endless);
    slip_log_archive_reference(log, a, "crowd", &s->crowd);
    slip_archive_close(a);
}
