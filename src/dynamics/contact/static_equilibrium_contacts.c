/// dynamics/contact/static_equilibrium_contacts.c: forces of contacts, frictions and constraints for one step
/// of the search, by projected Gauss-Seidel: each row in turn is given the force that its law asks for while
/// the others keep theirs. From time to time the forces of who carries are solved for at once
/// (static_equilibrium_refine.c).
#include <math.h>

#include "base/elementary.h"
#include "dynamics/contact/static_equilibrium_search.h"
#include "dynamics/dynamics_tolerances.h"

enum { MAX_SWEEPS = 4000, MIN_SWEEPS = 50, FIRST_REFINE_SWEEP = 12 };

// fewer for very many rows: the next step of the search goes on with the forces of this one
static int sweeps_for(int rows)
{
    double affordable = 2e8 / ((double)rows * rows + 1.0);
    return affordable > MAX_SWEEPS ? MAX_SWEEPS : affordable < MIN_SWEEPS ? MIN_SWEEPS : (int)affordable;
}

double slip_static_friction_limit(const slip_static_search *r, int e)
{
    const slip_element *element = &r->system->elements[e];
    const slip_contact *c = element->contact;
    double friction = r->terms.friction[e];
    if (slip_element_holds_at_rest(element, friction, r->terms.static_friction[e]))
        friction = r->terms.static_friction[e];
    if (element->has_gap) return friction * r->lambda[element->normal_row];
    if (c->load.kind == SLIP_LOAD_CONTACT)
        return friction * r->lambda[r->system->elements[c->load.of].normal_row];
    if (c->load.kind == SLIP_LOAD_JOINT) {
        double sum = 0.0;
        for (int k = 0; k < c->load.forces; k++) {
            double force = r->lambda[c->load.of + k];
            sum += force * force;
        }
        return friction * sqrt(sum);
    }
    return friction;
}

double slip_static_set_force(slip_static_search *r, int row, double force)
{
    double change = force - r->lambda[row];
    if (change == 0.0) return 0.0;
    r->lambda[row] = force;
    for (int k = 0; k < r->rows; k++) r->y[k] += r->D[k * r->rows + row] * change;
    return fabs(change) * sqrt(r->D[row * r->rows + row]);
}

// a surface that moves under the element drags it with all the friction there is
static bool is_dragged(const slip_static_search *r, const slip_element *element, double *direction)
{
    double speed = 0.0;
    for (int k = 0; k < element->slip_count; k++)
        speed = slip_hypot(speed, direction[k] = r->terms.drift[element->tangent_row + k]);
    for (int k = 0; k < element->slip_count && speed > 0.0; k++) direction[k] /= speed;
    return speed > DRAGGING_SPEED;
}

static double sweep_friction(slip_static_search *r, int e)
{
    const slip_element *element = &r->system->elements[e];
    int first = element->tangent_row, count = element->slip_count;
    double limit = fmax(0.0, slip_static_friction_limit(r, e)), wanted[2] = { 0.0 }, size = 0.0, stiff = 0.0,
           way[2];
    bool dragged = is_dragged(r, element, way);
    for (int k = 0; k < count; k++) stiff = fmax(stiff, r->D[(first + k) * r->rows + first + k]);
    if (!(stiff > 0.0)) return 0.0;
    for (int k = 0; k < count; k++) {
        wanted[k] = dragged ? -limit * way[k] : r->lambda[first + k] - r->y[first + k] / stiff;
        size = slip_hypot(size, wanted[k]);
    }
    double moved = 0.0;
    for (int k = 0; k < count; k++)
        moved = fmax(moved, slip_static_set_force(r, first + k,
                                                  size > limit ? wanted[k] * (limit / size) : wanted[k]));
    return moved;
}

static double sweep_normal(slip_static_search *r, int row, bool unilateral)
{
    double stiff = r->D[row * r->rows + row];
    if (!(stiff > 0.0)) return 0.0;
    double force = r->lambda[row] - r->y[row] / stiff;
    return slip_static_set_force(r, row, unilateral ? fmax(0.0, force) : force);
}

void slip_static_solve_contacts(slip_static_search *r)
{
    const slip_system *s = r->system;
    double size = 0.0;
    for (int row = 0; row < r->rows; row++) // begins with the forces of the last step
        for (int k = 0; k < r->rows; k++) r->y[row] += r->D[row * r->rows + k] * r->lambda[k];
    const int sweeps = sweeps_for(r->rows);
    int polish = FIRST_REFINE_SWEEP;
    for (int sweep = 1; sweep <= sweeps; sweep++) {
        double moved = 0.0;
        for (int row = 0; row < s->constraint_count; row++) moved = fmax(moved, sweep_normal(r, row, false));
        for (int e = 0; e < s->element_count; e++) {
            if (s->elements[e].has_gap) moved = fmax(moved, sweep_normal(r, s->elements[e].normal_row, true));
            if (s->elements[e].slip_count) moved = fmax(moved, sweep_friction(r, e));
        }
        for (int row = 0; row < r->rows; row++)
            size = fmax(size, fabs(r->lambda[row]) * sqrt(r->D[row * r->rows + row]));
        if (moved <= STATIC_SWEEP_CONVERGED * size) return;
        if (sweep == polish) slip_static_refine_forces(r), polish *= 2;
    }
}
