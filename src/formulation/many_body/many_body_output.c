/// formulation/many_body/many_body_output.c: contact output: resultants per contact set, and each
/// load-bearing contact.
#include <math.h>
#include <stdio.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

// ------------------------------------------------------------------------------------------- as elements

// what a set looks like after a step
typedef struct sums {
    double gap, normal, friction, limit, slip, count;
    bool closed, stick;
} sums;

static void add_contact_sums(const slip_contact_cache *meets, int set, sums *s)
{
    for (int k = 0; k < meets->count; k++) {
        const slip_cached_contact *m = &meets->items[k];
        if (m->set != set) continue;
        const double along = sqrt(m->impulse[1] * m->impulse[1] + m->impulse[2] * m->impulse[2]);
        s->gap = fmin(s->gap, m->gap);
        if (!(m->impulse[0] > 0.0)) continue;
        s->closed = true;
        s->count += 1.0;
        s->normal += m->impulse[0];
        s->friction += along;
        s->limit += m->mu * m->impulse[0];
        s->slip = fmax(s->slip, m->group ? 0.0 : sqrt(m->after[1] * m->after[1] + m->after[2] * m->after[2]));
        s->stick = s->stick && (m->group || along < m->mu * m->impulse[0] * (1.0 - STICK_MARGIN));
    }
}

static sums sums_of(const slip_many_body *c, int set)
{
    sums s = { .gap = INFINITY, .stick = true };
    add_contact_sums(&c->last, set, &s);
    add_contact_sums(&c->resting, set, &s);
    return s;
}

void slip_many_body_read_quantities(void *context, int e, unsigned wanted, double *value)
{
    const slip_many_body *c = context;
    int set = 0;
    (void)wanted;
    if (!c->model->contacts[e].found) {
        slip_articulation_read_quantities(c, e, value);
        return;
    }
    while (c->crowd->element[set] != e) set++;
    const sums s = sums_of(c, set);
    const double rate = c->h > 0.0 ? 1.0 / c->h : 0.0;
    value[SLIP_QUANTITY_GAP] = isfinite(s.gap) ? s.gap : NAN;
    value[SLIP_QUANTITY_NORMAL] = rate * s.normal;
    value[SLIP_QUANTITY_FRICTION] = rate * s.friction;
    value[SLIP_QUANTITY_LIMIT] = rate * s.limit;
    value[SLIP_QUANTITY_SLIP] = s.slip;
    value[SLIP_QUANTITY_NUMBER] = s.count;
    value[SLIP_QUANTITY_CLOSED] = s.closed;
    value[SLIP_QUANTITY_STICK] = s.closed && s.stick;
}

void slip_many_body_modes(slip_many_body *c)
{
    for (int k = 0; k < c->crowd->set_count; k++) {
        const sums s = sums_of(c, k);
        c->mode[c->crowd->element[k]] =
            (unsigned char)(s.closed ? SLIP_MODE_CLOSED | (s.stick ? SLIP_MODE_STICK : 0) : 0);
    }
    if (c->articulation) slip_articulation_modes(c);
}

// ------------------------------------------------------------------------------------------- one by one

static int body_of_side(const slip_many_body *c, const slip_cached_contact *m, int side)
{
    return c->crowd->shapes[m->shape[side]].body;
}

static void describe_contact(const slip_many_body *c, const slip_cached_contact *m, slip_detected_contact *to)
{
    const double rate = c->h > 0.0 ? 1.0 / c->h : 0.0;
    const slip_v3 normal = v3_cross(m->tangent[0], m->tangent[1]),
                  point = v3_add(c->body[body_of_side(c, m, 0)].x, m->arm);
    slip_v3 force = v3_scale(rate * m->impulse[0], normal);
    for (int k = 1; k < 3; k++) force = v3_add_scaled(force, rate * m->impulse[k], m->tangent[k - 1]);
    *to = (slip_detected_contact){ .element = c->model->contacts[c->crowd->element[m->set]].name };
    v3_into(point, to->point);
    v3_into(normal, to->normal);
    v3_into(force, to->force);
    for (int s = 0; s < 2; s++) {
        const slip_dynamic_body *b = &c->body[body_of_side(c, m, s)];
        to->body[s] = c->crowd->bodies[body_of_side(c, m, s)].name;
        v3_into(slip_dynamic_body_is_free(b) ? b->x : point, to->centre[s]);
    }
}

static int list_contacts(const slip_many_body *c, const slip_contact_cache *meets,
                         slip_detected_contact *list, int most, int count)
{
    for (int k = 0; k < meets->count; k++) {
        const slip_cached_contact *m = &meets->items[k];
        if (!(m->impulse[0] > 0.0)) continue;
        if (count < most) describe_contact(c, m, &list[count]);
        count++;
    }
    return count;
}

int slip_many_body_list_contacts(const slip_method *method, slip_detected_contact *list, int most)
{
    const slip_many_body *c = (const slip_many_body *)method;
    const int count = list_contacts(c, &c->last, list, most, 0);
    return list_contacts(c, &c->resting, list, most, count);
}

// ------------------------------------------------------------------------------------------- the start

void slip_many_body_check_start_overlap(slip_many_body *c)
{
    const slip_contact_point *worst = NULL;
    double most = REPORTED_START_OVERLAP;
    int others = -1;
    for (int k = 0; k < c->next.count; k++) {
        const slip_contact_point *m = &c->next.items[k];
        const double inside = 0.5 * c->h * m->before[0] - m->gap; // the gap is that of the midpoint
        others += inside > REPORTED_START_OVERLAP;
        if (inside > most) most = inside, worst = m;
    }
    if (!worst) return;
    char more[60] = "";
    if (others) snprintf(more, sizeof more, ", and so do %d other contacts", others);
    slip_warning *w = slip_method_warn(
        &c->base, SLIP_WARNING_BAD_START, c->model->contacts[c->crowd->element[worst->set]].name,
        "bodies '%s' and '%s' start %.6g m inside each other%s: no motion of rigid bodies begins like that; "
        "move them apart",
        c->crowd->bodies[worst->body[0]].name, c->crowd->bodies[worst->body[1]].name, most, more);
    slip_warning_value(w, "depth", most, "m");
}
