/// model/bodies/body_symbols.c: what formulas call bodies, their points and how they move.
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"

// x, y, z, th, s of a body and how it turns; false when the name is none of these
static bool axis_in_formula(slip_reader *r, slip_body *body, const char *name, bool rate, slip_value *value,
                            unsigned *uses)
{
    slip_ref ref = SLIP_NONE;
    bool space = slip_dimensions(r) == 3, moves = rate;
    slip_symbol *own = NULL;
    int axis = 0;
    while (axis < SLIP_AXIS_COUNT && strcmp(name, slip_axis_names[axis]) != 0) axis++;
    if (axis == SLIP_AXIS_S || (axis == SLIP_AXIS_TH && space)) own = body->axis[axis];
    if (axis == SLIP_AXIS_X || axis == SLIP_AXIS_Y || (axis == SLIP_AXIS_Z && space))
        ref = slip_vec_part(rate ? body->velocity : body->at, axis);
    else if (axis == SLIP_AXIS_TH && !space)
        ref = rate ? body->spin : body->th;
    else if (axis == SLIP_AXIS_TH && slip_body_turns(body))
        ref = rate ? slip_time_derivative(r, body->th) : body->th;
    else if (own)
        ref = rate ? own->rate : own->value.part[0];
    else if (!space || !slip_attitude_in_formula(r, body, name, rate, &ref, &moves))
        return false;
    *uses = !body->moves ? 0 : moves ? SLIP_USES_MECHANICS : SLIP_USES_POSITION;
    *value = slip_scalar(ref);
    if (axis < SLIP_AXIS_COUNT)
        value->dimension = slip_dimension_read(
            axis == SLIP_AXIS_TH ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m"), SLIP_ASSUMED_UNIT);
    if (ref == SLIP_NONE) slip_reader_no_memory(r);
    return true;
}

// "tip" has two components in the plane; in space "tip.x", "tip.y" and "tip.z" are asked for one by one
static slip_body_search point_in_formula(slip_reader *r, slip_body *body, const char *name, bool rate,
                                         slip_value *value)
{
    char point[200];
    size_t length = strlen(name);
    int part = -1;
    if (slip_dimensions(r) == 3) {
        if (length < 3 || length >= sizeof point || name[length - 2] != '.') return SLIP_NOT_IN_BODY;
        part = name[length - 1] - 'x';
        if (part < 0 || part > 2) return SLIP_NOT_IN_BODY;
        length -= 2;
    }
    snprintf(point, sizeof point, "%.*s", (int)(length < sizeof point ? length : sizeof point - 1), name);
    slip_vec local, at;
    if (!slip_local_point(r, body, point, &local)) return SLIP_NOT_IN_BODY;
    *value = (slip_value){ .count = part < 0 ? 2 : 1,
                           .part = { r->t, r->t } }; // stands in for a point that is wrong
    if (!slip_vec_is_complete(r, local)) return SLIP_BODY_FAILED;
    if (part >= 0 && rate) {
        at = slip_body_velocity(r, body, slip_body_rotate(r, body, local));
    } else {
        at = slip_body_point(r, body, local);
        if (rate) at = slip_vec_rate(r, at);
    }
    *value = part < 0 ? slip_pair(at.x, at.y) : slip_scalar(slip_vec_part(at, part));
    value->dimension = slip_dimension_read(rate ? "m/s" : "m", SLIP_ASSUMED_UNIT);
    return SLIP_IN_BODY;
}

slip_body_search slip_find_in_body(slip_reader *r, const char *name, int primes, slip_value *value,
                                   unsigned *uses)
{
    size_t length = strcspn(name, ".");
    slip_body *body = slip_known_body(r, name, length);
    if (!body || name[length] != '.' || primes > 1) return SLIP_NOT_IN_BODY;
    if (body->stage == SLIP_STAGE_FAILED) return SLIP_BODY_FAILED;
    if (body->stage != SLIP_STAGE_DONE) return SLIP_BODY_NOT_PLACED;
    if (axis_in_formula(r, body, name + length + 1, primes == 1, value, uses)) return SLIP_IN_BODY;
    *uses = !body->moves ? 0 : primes ? SLIP_USES_MECHANICS : SLIP_USES_POSITION;
    if (r->bodies->in_place) return SLIP_BODY_NOT_PLACED;
    return point_in_formula(r, body, name + length + 1, primes == 1, value);
}

// enough to be helpful, few enough to be quick
enum { MAX_SUGGESTIONS = 600 };

static bool add_suggestion(slip_reader *r, const char *body, const char *point, const char *axis)
{
    slip_bodies *b = r->bodies;
    char name[200];
    snprintf(name, sizeof name, "%.80s.%.80s%s%s", body, point, point[0] ? "." : "", axis);
    const char *kept = slip_pool_text(r->scratch, name, strlen(name));
    if (!kept) return slip_reader_no_memory(r);
    b->suggestions[b->suggestion_count++] = kept;
    return true;
}

// where a body is and how it is turned
static void suggest_motion(slip_reader *r, const slip_body *body)
{
    static const char *const turning[] = { "wx", "wy", "wz", "w1", "w2", "w3", "qw", "qx", "qy", "qz" };
    bool space = slip_dimensions(r) == 3;
    for (int axis = 0; axis < SLIP_AXIS_S; axis++) {
        bool there = axis < slip_dimensions(r);
        if (axis == SLIP_AXIS_TH) there = !space || slip_body_turns(body);
        if (there) add_suggestion(r, body->name, "", slip_axis_names[axis]);
    }
    for (int k = 0; k < 10 && space; k++) add_suggestion(r, body->name, "", turning[k]);
}

int slip_count_in_bodies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    if (!b || b->suggestions) return b ? b->suggestion_count : 0;
    b->suggestions = SLIP_POOL_NEW(r->scratch, const char *, MAX_SUGGESTIONS + 16);
    if (!b->suggestions) slip_reader_no_memory(r);
    for (int k = 1; k < b->count && r->status == SLIP_OK && b->suggestion_count < MAX_SUGGESTIONS; k++) {
        const slip_body *body = &b->items[k];
        suggest_motion(r, body);
        slip_yaml *points = slip_reader_map(body->node, "points");
        for (slip_yaml *node = points ? points->first : NULL; node && b->suggestion_count < MAX_SUGGESTIONS;
             node = node->next)
            for (int axis = 0; axis < slip_dimensions(r); axis++)
                add_suggestion(r, body->name, node->key->text, slip_axis_names[axis]);
    }
    return b->suggestion_count;
}

const char *slip_suggest_in_body(slip_reader *r, int k)
{
    return r->bodies->suggestions[k];
}
