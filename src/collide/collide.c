/// collide.c: the touches of a pair: who knows it, and which of the touches found are handed out.
#include "collide/pairs.h"

#include <assert.h>
#include <stddef.h>

slip_placed slip_placed_at(const slip_solid *solid, const slip_pose *pose, slip_v3 origin)
{
    slip_axes body = slip_frame_of(pose->x, pose->q);
    const double *at = solid->local.x, *q = solid->local.q;
    if (q[0] == 1.0 && at[0] == 0.0 && at[1] == 0.0 && at[2] == 0.0) { // as most are
        body.at = v3_sub(body.at, origin);
        return (slip_placed){ solid, body };
    }
    const slip_axes local = slip_frame_of(solid->local.x, solid->local.q);
    return (slip_placed){ solid,
                          { v3_out(&body, local.x), v3_out(&body, local.y), v3_out(&body, local.z),
                            v3_add(v3_sub(body.at, origin), v3_out(&body, local.at)) } };
}

void slip_found_take(slip_found *found, const slip_touch *touch)
{
    if (!(touch->gap <= found->margin)) return;
    int k = 0;
    while (k < found->count && found->touch[k].id != touch->id) k++;
    if (k < found->count && found->touch[k].gap <= touch->gap) return;
    if (k == SLIP_FOUND_MAX) // full: in place of the one that is farthest away
        for (int i = k = 0; i < found->count; i++)
            if (found->touch[i].gap > found->touch[k].gap) k = i;
    if (k < found->count && found->touch[k].gap <= touch->gap) return;
    found->touch[k] = *touch;
    if (k == found->count) found->count++;
}

void slip_found_add(slip_found *found, uint64_t id, slip_v3 point, slip_v3 normal, double gap)
{
    slip_touch touch = { .id = id, .a = -1, .b = -1, .gap = gap };
    v3_into(point, touch.point);
    v3_into(normal, touch.normal);
    slip_found_take(found, &touch);
}

const slip_touch *slip_found_nearest(const slip_found *found)
{
    const slip_touch *nearest = NULL;
    for (int k = 0; k < found->count; k++)
        if (!nearest || found->touch[k].gap < nearest->gap) nearest = &found->touch[k];
    return nearest;
}

bool slip_found_tells(slip_found *found, slip_v3 n, double gap)
{
    bool told = false;
    int kept = 0;
    for (int k = 0; k < found->count; k++) {
        const slip_touch *t = &found->touch[k];
        const bool along = v3_norm(v3_sub(v3_of(t->normal), n)) < 1e-6, deep = t->gap <= gap;
        told = told || (along && deep);
        if (along || !deep) found->touch[kept++] = *t;
    }
    found->count = kept;
    return told;
}

// ------------------------------------------------------------------------------- choosing among many

static double distance2(const slip_touch *s, const slip_touch *t)
{
    const slip_v3 d = v3_sub(v3_of(s->point), v3_of(t->point));
    return v3_dot(d, d);
}

// The deepest first, then always the one farthest from those chosen: they span the patch. Ties go to what
// came first, and it takes more than rounding to break them, so that the choice lasts.
static int choose(slip_found *found)
{
    const double tie = 1.0 + 1e-9;
    double near2[SLIP_FOUND_MAX];
    int best = 0;
    for (int k = 0; k < found->count; k++) {
        if (found->touch[k].gap < found->touch[best].gap) best = k;
        near2[k] = HUGE_VAL;
    }
    for (int chosen = 0; chosen < SLIP_TOUCH_MAX; chosen++) {
        const slip_touch pick = found->touch[best];
        found->touch[best] = found->touch[chosen], near2[best] = near2[chosen];
        found->touch[chosen] = pick;
        best = chosen + 1;
        for (int k = chosen + 1; k < found->count; k++) {
            near2[k] = fmin(near2[k], distance2(&found->touch[k], &pick));
            if (near2[k] > near2[best] * tie) best = k;
        }
    }
    return SLIP_TOUCH_MAX;
}

// ------------------------------------------------------------------------------------- whose pair it is

// of a pair in order, by the kind of the second
static slip_pair_touches *handler(slip_solid_kind b)
{
    if (b == SLIP_SOLID_HALFSPACE) return slip_touch_halfspace;
    if (b <= SLIP_SOLID_CAPSULE) return slip_touch_round;
    if (b <= SLIP_SOLID_HULL) return slip_touch_polytopes;
    return b <= SLIP_SOLID_ELLIPSOID ? slip_touch_curved : slip_touch_flat;
}

// half-spaces last, else in the order of SLIP_SOLIDS
static bool in_order(slip_solid_kind a, slip_solid_kind b)
{
    if (a == SLIP_SOLID_HALFSPACE || b == SLIP_SOLID_HALFSPACE) return b == SLIP_SOLID_HALFSPACE;
    return a <= b;
}

static void turn_round(slip_touch *t)
{
    t->id = t->id << 32 | t->id >> 32;
    for (int i = 0; i < 3; i++) t->normal[i] = -t->normal[i];
}

int slip_collide(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                 double margin, slip_touch touch[SLIP_TOUCH_MAX])
{
    assert(slip_solid_meets(a->kind, b->kind));
    const slip_v3 origin = v3_of(pa->x);
    const slip_placed A = slip_placed_at(a, pa, origin), B = slip_placed_at(b, pb, origin);
    const bool straight = in_order(a->kind, b->kind);
    const slip_placed *first = straight ? &A : &B, *second = straight ? &B : &A;
    slip_found found;
    found.margin = margin;
    found.count = 0;
    handler(second->solid->kind)(first, second, &found);
    const int count = found.count > SLIP_TOUCH_MAX ? choose(&found) : found.count;
    for (int k = 0; k < count; k++) {
        touch[k] = found.touch[k];
        if (!straight) turn_round(&touch[k]);
        v3_into(v3_add(v3_of(touch[k].point), origin), touch[k].point);
    }
    return count;
}
