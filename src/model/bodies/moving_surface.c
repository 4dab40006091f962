/// model/bodies/moving_surface.c: surfaces that run, of shapes whose contacts are found.
#include <stdlib.h>

#include "model/bodies/shapes.h"
#include "model/detect_model.h"

// whether a node depends on t alone
static bool depends_on_time_alone(slip_reader *r, slip_ref node, bool *known)
{
    slip_partial *partials = NULL;
    const int count = node < 0 ? -1 : slip_graph_gradient(r->model->graph, node, &partials);
    *known = true;
    for (int i = 0; i < count; i++) *known = *known && partials[i].input == 0;
    free(partials);
    return count < 0 ? slip_reader_no_memory(r) : true;
}

// A surface that runs: along the first of the directions in which slip counts, which turns with its body. How
// fast is known: what drives it does not feel what it carries
bool slip_read_moving_surface(slip_reader *r, const slip_body *body, const slip_shape *shape,
                              slip_detect_shape *to)
{
    const slip_surface_feature *s = &shape->surface;
    const bool space = slip_dimensions(r) == 3;
    const slip_vec way = space ? s->across[0] : (slip_vec){ s->cos, s->sin, SLIP_NONE };
    bool known;
    to->runs = true;
    const slip_span where = slip_yaml_find(shape->where, "speed")->key->where;
    if (!depends_on_time_alone(r, s->speed, &known)) return false;
    if (!known) {
        slip_reader_error(r, where, "a formula of t and of parameters",
                          "how fast this surface runs has to be known where contacts are detected");
        return false;
    }
    for (int k = 0; k < 3; k++) {
        to->belt[k] = k < 2 || space ? slip_node_op(r, SLIP_OP_MUL, s->speed, slip_vec_part(way, k))
                                     : slip_node_number(r, 0.0);
        if (!depends_on_time_alone(r, to->belt[k], &known)) return false;
        if (known || !body->crowd) continue;
        slip_reader_error(r, where, "a belt on the ground, on a body with 'motion' or on one with a joint",
                          "a surface that runs cannot lie on a free body whose contacts are detected");
        return false;
    }
    return true;
}
