/// study/analysis/impact_comparison.c: the impact at the start of a model under every law.
#include "slipstick/impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "dynamics/contact/impact_problem.h"
#include "study/analysis/analysis_tolerances.h"

enum { MAX_ANSWERS = 24 };

struct slip_impacts {
    slip_system *system;
    slip_contact_problem rigid;
    slip_impact_problem strike;
    double *q, *u;
    int count;
    slip_impact_answer answer[MAX_ANSWERS];
    slip_impact_contact *contact; // per answer and contact
    bool differ;
    bool approach; // a contact approaches; else contacts jam, for which the model has to name an impact law
    void *memory;
};

static void impacts_layout(slip_arena *arena, slip_impacts *s)
{
    const slip_system *system = s->system;
    int d = 2;
    for (int e = 0; e < system->element_count; e++)
        if (system->elements[e].slip_count > 1) d = 3;
    slip_contact_problem_layout(arena, system, &s->rigid);
    slip_impact_problem_layout(arena, system, d, &s->strike);
    s->q = SLIP_TAKE(arena, double, system->n);
    s->u = SLIP_TAKE(arena, double, system->n);
    s->contact = SLIP_TAKE(arena, slip_impact_contact, MAX_ANSWERS * system->contact_count);
}

// ---- the impact

// Adds the contacts that are closed and do not separate; false when none of them approaches or jams.
static bool find_impacting_contacts(slip_impacts *s)
{
    const slip_system *system = s->system;
    slip_contact_problem *r = &s->rigid;
    slip_rigid_impact *rigid_impact = &s->strike.rigid_impact;
    double reach = 1.0, speed = 0.0;
    for (int k = 0; k < system->n; k++)
        reach = fmax(reach, fabs(s->q[k])), speed = fmax(speed, fabs(s->u[k]));
    const double small = IMPACT_RATE_ZERO * speed;
    for (int e = 0; e < system->element_count; e++) {
        const slip_element *element = &system->elements[e];
        if (!element->has_gap || !(r->terms.gap[e] <= GAP_CLOSED * reach)) continue;
        const double rate = slip_system_row_rate(system, &r->terms, element->normal_row, s->u);
        if (rate > small) continue;
        const double free_rate = slip_system_row_dot(system, &r->terms, element->normal_row, r->free) +
                                 r->terms.z[element->normal_row];
        slip_rigid_impact_add_contact(rigid_impact, system, e,
                                      element->slip_count ? r->terms.friction[e] : 0.0, false,
                                      free_rate <= slip_contact_problem_zero_tolerance(r));
        s->approach = s->approach || rate < -small;
    }
    rigid_impact->hit.small = small;
    slip_impact_problem_assemble(&s->strike, r, s->u);
    return s->approach || slip_rigid_impact_is_jam(rigid_impact);
}

// ---- the answers

static void store_answer(slip_impacts *s, slip_impact_answer answer)
{
    const slip_rigid_impact *rigid_impact = &s->strike.rigid_impact;
    const slip_multi_impact *c = &rigid_impact->hit;
    slip_impact_contact *to = s->contact + (size_t)s->count * (size_t)s->system->contact_count;
    answer.energy = slip_multi_impact_energy_gain(c);
    answer.turns = c->turns;
    answer.solutions = rigid_impact->solutions;
    for (int k = 0; k < slip_rigid_impact_gaps(rigid_impact); k++) {
        const double *v = c->after + k * c->d, *P = c->impulse + k * c->d;
        to[k] = (slip_impact_contact){
            .gap_rate = v[0], .impulse = P[0], .normal_work = c->work[k], .path = c->path[k]
        };
        for (int t = 0; t < c->d - 1; t++) to[k].slip[t] = v[1 + t], to[k].impulse_t[t] = P[1 + t];
    }
    s->answer[s->count++] = answer;
}

static bool answers_agree(const slip_impacts *s, int a, int b)
{
    const slip_multi_impact *c = &s->strike.rigid_impact.hit;
    double most = 0.0;
    for (int i = 0; i < c->d * c->contacts; i++) most = fmax(most, fabs(s->strike.rigid_impact.before[i]));
    for (int k = 0; k < c->contacts - c->frictions; k++) {
        const slip_impact_contact x = slip_impacts_contact(s, a, k), y = slip_impacts_contact(s, b, k);
        if (fabs(x.gap_rate - y.gap_rate) > IMPACT_RATE_ZERO * most ||
            fabs(x.slip[0] - y.slip[0]) > IMPACT_RATE_ZERO * most ||
            fabs(x.slip[1] - y.slip[1]) > IMPACT_RATE_ZERO * most)
            return false;
    }
    return true;
}

// Solves the impact with one law for all contacts. Another order of contacts is listed only where it changes
// the answer.
static void try_law(slip_impacts *s, const slip_impact_law *law, slip_impact_order order, bool in_force)
{
    static const char *const orders[] = { "", "first contact first", "last contact first" };
    slip_rigid_impact *rigid_impact = &s->strike.rigid_impact;
    const int before = s->count - 1;
    if (s->count == MAX_ANSWERS) return;
    for (int k = 0; k < rigid_impact->hit.contacts; k++) rigid_impact->law[k] = law;
    const bool found = slip_rigid_impact_solve(rigid_impact, order);
    slip_impact_answer answer = { law->info.name, orders[order], in_force, found, NAN, 0, 0 };
    if (found)
        store_answer(s, answer);
    else if (order == SLIP_ORDER_FASTEST_FIRST)
        s->answer[s->count++] = answer;
    if (order != SLIP_ORDER_FASTEST_FIRST && found && answers_agree(s, s->count - 1, before)) s->count--;
}

static void try_all_laws(slip_impacts *s)
{
    const slip_rigid_impact *rigid_impact = &s->strike.rigid_impact;
    const slip_impact_law *own = rigid_impact->law[0];
    for (int k = 1; k < rigid_impact->hit.contacts; k++)
        if (rigid_impact->law[k] != own) own = NULL;
    if (!s->approach && !s->system->elements[rigid_impact->element[0]].contact->impact_given) own = NULL;
    for (int k = 0; slip_impact_at(k); k++) {
        const slip_impact_law *law = slip_impact_at(k);
        try_law(s, law, SLIP_ORDER_FASTEST_FIRST, law == own);
        if (!law->process || slip_rigid_impact_gaps(rigid_impact) < 2) continue;
        try_law(s, law, SLIP_ORDER_AS_LISTED, false);
        try_law(s, law, SLIP_ORDER_REVERSED, false);
    }
    for (int k = 1; k < s->count; k++)
        if (s->answer[k].found && s->answer[0].found && !answers_agree(s, k, 0)) s->differ = true;
}

static slip_status impacts_fill(slip_impacts *s, const slip_model *model, slip_error *error)
{
    slip_status status = slip_system_create(model, error, &s->system);
    if (status != SLIP_OK) return status;
    s->rigid.solver = slip_solver_find("lemke");
    s->strike.rigid_impact.wanted = true;
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &s->memory)) impacts_layout(&arena, s);
    if (!s->memory) return slip_fail(error, SLIP_NO_MEMORY, "strikes", "out of memory");
    slip_terms_init(s->system, &s->rigid.terms);
    for (int k = 0; k < s->system->n; k++)
        s->q[k] = model->coordinates[k].start, s->u[k] = model->coordinates[k].rate;
    if (!slip_contact_problem_build(&s->rigid, 0.0, s->q, s->u))
        return slip_fail(error, SLIP_BAD_MODEL, "strikes",
                         "the mass matrix is not positive definite at the start");
    if (find_impacting_contacts(s))
        try_all_laws(s);
    else
        s->strike.rigid_impact.hit.contacts = s->strike.rigid_impact.hit.frictions = 0;
    return SLIP_OK;
}

slip_status slip_impacts_create(const slip_model *model, slip_error *error, slip_impacts **out)
{
    *out = NULL;
    if (model->type != SLIP_MECHANICS)
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model), "an inclusion has no impacts");
    slip_impacts *s = calloc(1, sizeof *s);
    if (!s) return slip_fail(error, SLIP_NO_MEMORY, "strikes", "out of memory");
    slip_status status = impacts_fill(s, model, error);
    if (status == SLIP_OK)
        *out = s;
    else
        slip_impacts_destroy(s);
    return status;
}

void slip_impacts_destroy(slip_impacts *s)
{
    if (!s) return;
    slip_system_destroy(s->system);
    free(s->memory);
    free(s);
}

// ---- looking

int slip_impacts_contact_count(const slip_impacts *s)
{
    return slip_rigid_impact_gaps(&s->strike.rigid_impact);
}

static const slip_element *element_of(const slip_impacts *s, int c)
{
    return c >= 0 && c < slip_impacts_contact_count(s)
               ? &s->system->elements[s->strike.rigid_impact.element[c]]
               : NULL;
}

const char *slip_impacts_contact_name(const slip_impacts *s, int c)
{
    return element_of(s, c) ? element_of(s, c)->name : NULL;
}

double slip_impacts_approach(const slip_impacts *s, int c)
{
    return element_of(s, c) ? 0.0 - s->strike.rigid_impact.before[c * s->strike.rigid_impact.hit.d] : NAN;
}

int slip_impacts_slip_count(const slip_impacts *s, int c)
{
    return element_of(s, c) ? element_of(s, c)->slip_count : 0;
}

double slip_impacts_slip(const slip_impacts *s, int c, int k)
{
    const bool known = k >= 0 && k < slip_impacts_slip_count(s, c);
    return known ? s->strike.rigid_impact.before[c * s->strike.rigid_impact.hit.d + 1 + k] : NAN;
}

int slip_impacts_count(const slip_impacts *s)
{
    return s->count;
}

slip_impact_answer slip_impacts_answer(const slip_impacts *s, int k)
{
    return k >= 0 && k < s->count ? s->answer[k] : (slip_impact_answer){ "", "", false, false, NAN, 0, 0 };
}

slip_impact_contact slip_impacts_contact(const slip_impacts *s, int k, int c)
{
    const bool known = k >= 0 && k < s->count && s->answer[k].found && element_of(s, c);
    return known ? s->contact[(size_t)k * (size_t)s->system->contact_count + (size_t)c]
                 : (slip_impact_contact){ 0 };
}

bool slip_impacts_differ(const slip_impacts *s)
{
    return s->differ;
}

// ---- JSON

static void add_vector(slip_json *json, const char *name, int count, const double *x)
{
    slip_json_open(json, name, '[');
    for (int k = 0; k < count; k++) slip_json_number(json, NULL, x[k]);
    slip_json_close(json, ']');
}

static void add_contact(slip_json *json, const slip_impacts *s, int k, int c)
{
    const slip_impact_contact x = slip_impacts_contact(s, k, c);
    slip_json_open(json, slip_impacts_contact_name(s, c), '{');
    slip_json_number(json, "gap_rate", x.gap_rate);
    add_vector(json, "slip", slip_impacts_slip_count(s, c), x.slip);
    slip_json_number(json, "impulse", x.impulse);
    add_vector(json, "impulse_t", slip_impacts_slip_count(s, c), x.impulse_t);
    slip_json_number(json, "normal_work", x.normal_work);
    slip_json_number(json, "path", x.path);
    slip_json_close(json, '}');
}

static void add_answer(slip_json *json, const slip_impacts *s, int k)
{
    const slip_impact_answer a = slip_impacts_answer(s, k);
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "law", a.law);
    slip_json_text(json, "order", a.order);
    slip_json_bool(json, "in_force", a.in_force);
    slip_json_bool(json, "found", a.found);
    slip_json_number(json, "energy", a.energy);
    slip_json_number(json, "turns", a.turns);
    slip_json_number(json, "solutions", a.solutions > 0 ? (double)a.solutions : (double)NAN);
    slip_json_open(json, "contacts", '{');
    for (int c = 0; c < slip_impacts_contact_count(s) && a.found; c++) add_contact(json, s, k, c);
    slip_json_close(json, '}');
    slip_json_close(json, '}');
}

char *slip_impacts_json(const slip_impacts *s)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_bool(&json, "differ", s->differ);
    slip_json_open(&json, "before", '{');
    for (int c = 0; c < slip_impacts_contact_count(s); c++) {
        double slip[2] = { slip_impacts_slip(s, c, 0), slip_impacts_slip(s, c, 1) };
        slip_json_open(&json, slip_impacts_contact_name(s, c), '{');
        slip_json_number(&json, "approach", slip_impacts_approach(s, c));
        add_vector(&json, "slip", slip_impacts_slip_count(s, c), slip);
        slip_json_close(&json, '}');
    }
    slip_json_close(&json, '}');
    slip_json_open(&json, "laws", '[');
    for (int k = 0; k < s->count; k++) add_answer(&json, s, k);
    slip_json_close(&json, ']');
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
