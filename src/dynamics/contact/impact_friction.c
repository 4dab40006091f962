/// dynamics/contact/impact_friction.c: frictions that follow a force, in an impact.
///
/// In an impact forces become impulses, and so do limits that follow them: rolling friction takes at most its
/// arm times the normal impulse, a pin at most mu r times the impulse in the joint. The contact problem of an
/// impact law is solved with limits that are known, again and again until the impulses that it finds are those
/// that the limits were made of (load_dependent_friction.h). Frictions with a limit that is a force have no
/// impulse, since an impact takes no time.
#include <math.h>
#include <string.h>

#include "dynamics/contact/rigid_impact.h"

static bool takes_part(const slip_rigid_impact *s, const slip_element *element, double factor)
{
    const slip_load *load = &element->contact->load;
    if (!element->slip_count || !(factor > 0.0)) return false;
    for (int k = 0; k < s->hit.contacts && load->kind == SLIP_LOAD_CONTACT; k++)
        if (s->element[k] == load->of) return true;
    return load->kind == SLIP_LOAD_JOINT;
}

void slip_rigid_impact_add_frictions(slip_rigid_impact *s, const slip_system *system, const double *friction)
{
    s->hit.frictions = 0;
    for (int i = 0; i < s->loads.count && s->hit.contacts > 0; i++) {
        const int e = s->loads.element[i], k = s->hit.contacts;
        if (!takes_part(s, &system->elements[e], friction[e])) continue;
        s->element[k] = e;
        s->mu[k] = friction[e];
        s->law[k] = s->law[0];
        s->e[k] = s->e_t[k] = 0.0;
        s->pressed[k] = false;
        s->hit.contacts++;
        s->hit.frictions++;
    }
}

static int block_of(const slip_rigid_impact *s, int element)
{
    for (int k = 0; k < s->hit.contacts; k++)
        if (s->element[k] == element) return k;
    return -1;
}

// Impulses of all constraints.
static void find_joint_impulses(slip_rigid_impact *s, const double *r)
{
    const int count = s->system->constraint_count, size = s->hit.d * s->hit.contacts;
    memset(s->lambda, 0, (size_t)count * sizeof *s->lambda);
    for (int i = 0; i < size && s->joint; i++)
        if (r[i] != 0.0) // some unknowns have no row
            for (int a = 0; a < count; a++) s->lambda[a] += r[i] * s->joint[(long)i * count + a];
}

static double followed_impulse(const slip_rigid_impact *s, int element, const double *r)
{
    const slip_load *load = &s->system->elements[element].contact->load;
    if (load->kind == SLIP_LOAD_JOINT) return slip_joint_load(load, s->lambda);
    return fmax(0.0, r[block_of(s, load->of) * s->hit.d]);
}

// What the frictions follow at the impulses r; normals of frictions are no impulses.
static void measure_impulses(slip_rigid_impact *s, double *r)
{
    slip_friction_loads *l = &s->loads;
    const int gaps = slip_rigid_impact_gaps(s);
    for (int k = gaps; k < s->hit.contacts; k++) r[k * s->hit.d] = 0.0;
    find_joint_impulses(s, r);
    for (int i = 0; i < l->count; i++) {
        const int e = l->element[i];
        l->found[i] = block_of(s, e) < gaps ? 0.0 : followed_impulse(s, e, r); // 0: it takes no part
    }
}

double slip_rigid_impact_limit(slip_rigid_impact *s, int k)
{
    find_joint_impulses(s, s->hit.impulse);
    return s->mu[k] * followed_impulse(s, s->element[k], s->hit.impulse);
}

static void set_limits(slip_rigid_impact *s, const double *W, const double *q)
{
    const int d = s->hit.d, size = d * s->hit.contacts;
    memcpy(s->with_limits, q, (size_t)size * sizeof *q);
    for (int i = 0; i < s->loads.count; i++) {
        const int k = block_of(s, s->loads.element[i]);
        if (k >= 0) s->with_limits[k * d] = -W[(long)k * d * (size + 1)] * s->loads.load[i];
    }
}

// The contact problem of an impact with frictions that follow impulses; `impact` is a slip_rigid_impact.
static bool solve_with_impulse_limits(void *impact, int contacts, const double *W, const double *q,
                                      const double *mu, double *r, double *w)
{
    slip_rigid_impact *s = impact;
    slip_friction_loads *l = &s->loads;
    if (s->hit.frictions == 0) return s->solve(s->context, contacts, W, q, mu, r, w);
    memset(l->load, 0, (size_t)l->count * sizeof *l->load);
    for (slip_friction_loads_begin(l);;) {
        set_limits(s, W, q);
        if (!s->solve(s->context, contacts, W, s->with_limits, mu, r, w)) return false;
        measure_impulses(s, r);
        const slip_load_iteration answer = slip_friction_loads_iterate(l);
        if (answer != SLIP_LOADS_ITERATE) return answer == SLIP_LOADS_CONVERGED;
    }
}

void slip_rigid_impact_set_solver(slip_rigid_impact *s, const double *W,
                                  bool (*solve)(void *context, int contacts, const double *W, const double *q,
                                                const double *mu, double *r, double *w),
                                  void *context)
{
    s->hit.W = W;
    s->solve = solve;
    s->context = context;
    s->hit.solve = solve_with_impulse_limits;
    s->hit.context = s;
}
