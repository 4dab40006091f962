/// formulation/many_body/many_body_project.c: overlap is taken out of positions, never out of velocities.
///
/// The least shift, in the metric of the masses, that opens every contact: with W_N the normal rows,
///     0 <= pi  _|_  g_E + W_N' M^-1 W_N pi >= 0          (Acary 2013, "Projected event-capturing", section
///     4)
/// by projected Gauss-Seidel on the bodies themselves; what is left of it is the next step's.
#include <math.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

enum { MAX_SWEEPS = 40 };

// m: overlap that is worth the work
static double overlap_tolerance(const slip_many_body *c, const slip_contact_point *m)
{
    double least = INFINITY;
    for (int s = 0; s < 2; s++) least = fmin(least, c->body[m->body[s]].least);
    return fmax(OVERLAP_OF_FALL * c->pull * c->h * c->h, OVERLAP_OF_EXTENT * least);
}

// the gap at the end of the step, by the velocities of its end
static double gap_after(const slip_many_body *c, const slip_contact_point *m)
{
    return m->gap + 0.5 * c->h * m->after[0];
}

// what strikes or opens parts by itself
static bool is_projected(const slip_contact_point *m)
{
    return m->carries && !m->hits && (m->impulse[0] > 0.0 || m->after[0] <= 0.0);
}

static double gap_change(const slip_many_body *c, const slip_contact_point *m)
{
    double gap = gap_after(c, m);
    for (int s = 0; s < 2; s++) {
        const slip_dynamic_body *b = &c->body[m->body[s]];
        const double by = v3_dot(m->axis[0], b->shift) + v3_dot(slip_contact_point_torque(m, s, 0), b->twist);
        gap += s ? -by : by;
    }
    return gap;
}

static void apply_push(slip_many_body *c, slip_contact_point *m, double by)
{
    m->push += by;
    for (int s = 0; s < 2; s++) {
        slip_dynamic_body *b = &c->body[m->body[s]];
        const double sign = s ? -by : by;
        const slip_v3 turn = slip_contact_point_torque(m, s, 0);
        if (b->jointed) slip_articulation_push(c, m->body[s], m->axis[0], turn, sign);
        if (!slip_dynamic_body_is_free(b)) continue;
        b->shift = v3_add_scaled(b->shift, sign * b->inverse_mass, m->axis[0]);
        b->twist = v3_add_scaled(b->twist, sign, slip_matrix3_multiply(b->inverse, turn));
    }
}

static double compliance_of(const slip_many_body *c, const slip_contact_point *m)
{
    double sum = 0.0;
    for (int s = 0; s < 2; s++) {
        const slip_dynamic_body *b = &c->body[m->body[s]];
        const slip_v3 turn = slip_contact_point_torque(m, s, 0);
        sum += b->inverse_mass + v3_dot(turn, slip_matrix3_multiply(b->inverse, turn));
        if (b->jointed) sum += slip_articulation_mobility(c->articulation, m->body[s], m->axis[0], turn);
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------- islands

static double sweep_island(slip_many_body *c, int island)
{
    double worst = 0.0;
    for (int k = c->start[island]; k < c->start[island + 1]; k++) {
        slip_contact_point *m = &c->next.items[c->order[k]];
        if (!is_projected(m)) continue;
        const double gap = gap_change(c, m), compliance = compliance_of(c, m),
                     by = compliance > 0.0 ? fmax(-m->push, -gap / compliance) : 0.0;
        if (gap < 0.0) worst = fmax(worst, -gap / overlap_tolerance(c, m));
        if (by != 0.0) apply_push(c, m, by);
    }
    return worst;
}

// whether an island has overlap that is worth the work
static bool overlaps(slip_many_body *c, int island)
{
    bool any = false;
    for (int k = c->start[island]; k < c->start[island + 1]; k++) {
        slip_contact_point *m = &c->next.items[c->order[k]];
        m->push = 0.0;
        any = any || (is_projected(m) && gap_after(c, m) < -overlap_tolerance(c, m));
    }
    return any;
}

// the one that holds the bodies of the articulation; -1: none does
static int articulated_island(const slip_many_body *c)
{
    const slip_articulation *a = c->articulation;
    return a && a->frame_count ? c->root[a->frames[0].member] : -1;
}

// Every island as long as it takes by itself: what happens elsewhere must not change its bits
static double project_islands(slip_many_body *c, int first, int end)
{
    const int articulated = articulated_island(c);
    for (int i = first; i < end; i++) {
        bool any = i != articulated && overlaps(c, i);
        for (int k = 0; k < MAX_SWEEPS && any; k++) any = sweep_island(c, i) > 1.0;
    }
    return 0.0;
}

// the articulation with the island that its bodies are in, and its declared contacts
static void project_articulation(slip_many_body *c)
{
    const int island = articulated_island(c);
    bool any = slip_articulation_project_sweep(c, true) > 1.0;
    if (island >= 0 && overlaps(c, island)) any = true;
    for (int k = 0; k < MAX_SWEEPS && any; k++) {
        const double worst = island >= 0 ? sweep_island(c, island) : 0.0;
        any = fmax(worst, slip_articulation_project_sweep(c, false)) > 1.0;
    }
}

void slip_many_body_project(slip_many_body *c)
{
    for (int k = 0; k < c->next.count; k++) {
        const slip_contact_point *m = &c->next.items[k];
        const double gap = is_projected(m) ? gap_after(c, m) : 0.0;
        if (-gap > c->deepest) c->deepest = -gap;
    }
    slip_many_body_parallel_islands(c, project_islands);
    if (c->articulation) project_articulation(c);
}
