/// collision/narrow_phase.c: chooses the algorithm for a pair of solids, and the contact points that are returned.
#include "collision/narrow_phase.h"

#include <assert.h>
#include <stddef.h>

#include "collision/collision_tolerances.h"

slip_placed_solid slip_placed_solid_at(const slip_solid *solid, const slip_pose *pose, slip_v3 origin)
{
    slip_axes body = slip_axes_from_pose(pose->x, pose->q);
    const double *at = solid->local.x, *q = solid->local.q;
    if (q[0] == 1.0 && at[0] == 0.0 && at[1] == 0.0 && at[2] == 0.0) { // as most are
        body.at = v3_sub(body.at, origin);
        return (slip_placed_solid){ solid, body };
    }
    const slip_axes local = slip_axes_from_pose(solid->local.x, solid->local.q);
    return (slip_placed_solid){ solid,
                                { v3_to_world(&body, local.x), v3_to_world(&body, local.y),
                                  v3_to_world(&body, local.z),
                                  v3_add(v3_sub(body.at, origin), v3_to_world(&body, local.at)) } };
}

void slip_manifold_add_point(slip_manifold *found, const slip_manifold_point *touch)
{
    if (!(touch->gap <= found->margin)) return;
    int k = 0;
    while (k < found->count && found->touch[k].id != touch->id) k++;
    if (k < found->count && found->touch[k].gap <= touch->gap) return;
    if (k == SLIP_MANIFOLD_MAX_CANDIDATES) // full: replaces the farthest one
        for (int i = k = 0; i < found->count; i++)
            if (found->touch[i].gap > found->touch[k].gap) k = i;
    if (k < found->count && found->touch[k].gap <= touch->gap) return;
    found->touch[k] = *touch;
    if (k == found->count) found->count++;
}

void slip_manifold_add(slip_manifold *found, uint64_t id, slip_v3 point, slip_v3 normal, double gap)
{
    slip_manifold_point touch = { .id = id, .a = -1, .b = -1, .gap = gap };
    v3_into(point, touch.point);
    v3_into(normal, touch.normal);
    slip_manifold_add_point(found, &touch);
}

const slip_manifold_point *slip_manifold_nearest(const slip_manifold *found)
{
    const slip_manifold_point *nearest = NULL;
    for (int k = 0; k < found->count; k++)
        if (!nearest || found->touch[k].gap < nearest->gap) nearest = &found->touch[k];
    return nearest;
}

bool slip_manifold_confirms_depth(slip_manifold *found, slip_v3 n, double gap)
{
    bool told = false;
    int kept = 0;
    for (int k = 0; k < found->count; k++) {
        const slip_manifold_point *t = &found->touch[k];
        const bool along = v3_norm(v3_sub(v3_of(t->normal), n)) < SAME_NORMAL, deep = t->gap <= gap;
        told = told || (along && deep);
        if (along || !deep) found->touch[kept++] = *t;
    }
    found->count = kept;
    return told;
}

// ------------------------------------------------------------------------------- choosing among many

static double squared_distance(const slip_manifold_point *s, const slip_manifold_point *t)
{
    const slip_v3 d = v3_sub(v3_of(s->point), v3_of(t->point));
    return v3_dot(d, d);
}

// The deepest point first, then always the one farthest from those chosen, so that they span the contact
// patch. Ties go to the earlier point, and only a difference above rounding breaks them, so that the choice
// is stable.
static int choose_spread_points(slip_manifold *found)
{
    const double tie = 1.0 + SPREAD_TIE_RELATIVE;
    double near2[SLIP_MANIFOLD_MAX_CANDIDATES];
    int best = 0;
    for (int k = 0; k < found->count; k++) {
        if (found->touch[k].gap < found->touch[best].gap) best = k;
        near2[k] = HUGE_VAL;
    }
    for (int chosen = 0; chosen < SLIP_MANIFOLD_MAX_POINTS; chosen++) {
        const slip_manifold_point pick = found->touch[best];
        found->touch[best] = found->touch[chosen], near2[best] = near2[chosen];
        found->touch[chosen] = pick;
        best = chosen + 1;
        for (int k = chosen + 1; k < found->count; k++) {
            near2[k] = fmin(near2[k], squared_distance(&found->touch[k], &pick));
            if (near2[k] > near2[best] * tie) best = k;
        }
    }
    return SLIP_MANIFOLD_MAX_POINTS;
}

// ------------------------------------------------------------------------------------- whose pair it is

// The algorithm for a pair in canonical order, by the kind of the second solid.
static slip_pair_collider *collider_of(slip_solid_kind b)
{
    if (b == SLIP_SOLID_HALFSPACE) return slip_collide_halfspace;
    if (b <= SLIP_SOLID_CAPSULE) return slip_collide_sphere_capsule;
    if (b <= SLIP_SOLID_HULL) return slip_collide_polytopes;
    return b <= SLIP_SOLID_ELLIPSOID ? slip_collide_cylinder_ellipsoid : slip_collide_polygon2d;
}

// Half-spaces last, otherwise in the order of SLIP_SOLIDS.
static bool is_canonical_order(slip_solid_kind a, slip_solid_kind b)
{
    if (a == SLIP_SOLID_HALFSPACE || b == SLIP_SOLID_HALFSPACE) return b == SLIP_SOLID_HALFSPACE;
    return a <= b;
}

static void swap_point_sides(slip_manifold_point *t)
{
    t->id = t->id << 32 | t->id >> 32;
    for (int i = 0; i < 3; i++) t->normal[i] = -t->normal[i];
}

int slip_collide(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                 double margin, slip_manifold_point touch[SLIP_MANIFOLD_MAX_POINTS])
{
    assert(slip_solid_can_collide(a->kind, b->kind));
    const slip_v3 origin = v3_of(pa->x);
    const slip_placed_solid A = slip_placed_solid_at(a, pa, origin), B = slip_placed_solid_at(b, pb, origin);
    const bool straight = is_canonical_order(a->kind, b->kind);
    const slip_placed_solid *first = straight ? &A : &B, *second = straight ? &B : &A;
    slip_manifold found;
    found.margin = margin;
    found.count = 0;
    collider_of(second->solid->kind)(first, second, &found);
    const int count = found.count > SLIP_MANIFOLD_MAX_POINTS ? choose_spread_points(&found) : found.count;
    for (int k = 0; k < count; k++) {
        touch[k] = found.touch[k];
        if (!straight) swap_point_sides(&touch[k]);
        v3_into(v3_add(v3_of(touch[k].point), origin), touch[k].point);
    }
    return count;
}
