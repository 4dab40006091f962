/// simulation/sim/event_kinematics.c: approach, slip and direction of elements at events.
#include "simulation/sim/event_kinematics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct slip_event_kinematics {
    const slip_equations *equations;
    slip_tape *tape; // per element: rate of the gap, then of each slip
    int *first;      // index of each element's first result of the tape
    double *reg;
};

static int collect_rates(slip_event_kinematics *m, slip_ref *roots)
{
    int count = 0;
    for (int e = 0; e < m->equations->element_count; e++) {
        const slip_element *element = &m->equations->elements[e];
        m->first[e] = count;
        if (element->has_gap) roots[count++] = element->normal.rate;
        for (int c = 0; c < element->slip_count; c++) roots[count++] = element->tangent[c].rate;
    }
    return count;
}

slip_event_kinematics *slip_event_kinematics_create(const slip_equations *equations)
{
    size_t elements = (size_t)equations->element_count;
    slip_event_kinematics *m = calloc(1, sizeof *m);
    slip_ref *roots = malloc((3 * elements + 1) * sizeof *roots);
    bool fine = m && roots && (m->first = calloc(elements + 1, sizeof *m->first)) != NULL;
    if (fine) {
        m->equations = equations;
        m->tape = slip_tape_create(equations->graph, roots, collect_rates(m, roots));
        m->reg = m->tape ? calloc((size_t)slip_tape_registers(m->tape) + 1, sizeof *m->reg) : NULL;
        if (m->reg) slip_tape_start(m->tape, m->reg);
    }
    free(roots);
    if (fine && m->reg) return m;
    slip_event_kinematics_destroy(m);
    return NULL;
}

void slip_event_kinematics_destroy(slip_event_kinematics *m)
{
    if (!m) return;
    slip_tape_destroy(m->tape);
    free(m->first);
    free(m->reg);
    free(m);
}

void slip_event_kinematics_fill(slip_event_kinematics *m, const slip_method *method, int e, slip_event *event)
{
    const slip_element *element = &m->equations->elements[e];
    int root = m->first[e];
    m->reg[0] = method->t;
    memcpy(m->reg + 1, method->state, 2 * (size_t)m->equations->n * sizeof *m->reg);
    slip_tape_run(m->tape, m->reg);
    if (element->has_gap) event->approach = -m->reg[slip_tape_result(m->tape, root++)];
    for (int c = 0; c < element->slip_count; c++) event->slip[c] = m->reg[slip_tape_result(m->tape, root++)];
    if (event->kind == SLIP_EVENT_RELEASE) return; // the contact has opened, so it has no slip
    bool sticks = method->mode[e] & SLIP_MODE_STICK;
    slip_event_set_direction(event, element->slip_count, event->slip, sticks ? INFINITY : 0.0);
    if (!sticks && element->slip_count && method->ops->heading)
        method->ops->heading(method, e, event->direction);
    if (element->slip_count < 2) event->direction[1] = NAN;
}
