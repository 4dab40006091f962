/// event/event_rewind.c: an event-driven method begins again, from another start.
///
/// Most of what makes a method is the same for all starts of a model. So it is kept as it was made: the
/// method itself, its workspace, and of what stands elsewhere whatever event_archive.c would write down.
#include <stdlib.h>
#include <string.h>

#include "event/event_driven.h"
#include "formula/shelf.h"

enum { MOST_BYTES = 1 << 20 }; // of a workspace: to copy a larger one takes as long as to make it

struct slip_event_image {
    slip_event_driven method;
    slip_sentry sentry;
    char memory[];
};

void slip_event_keep_image(slip_event_driven *m)
{
    if (!slip_graph_shelf(m->system->equations->graph) || m->memory_bytes > MOST_BYTES ||
        slip_log_said(m->base.log, 0))
        return;
    m->image = malloc(sizeof *m->image + m->memory_bytes);
    if (!m->image) return;
    m->image->method = *m;
    m->image->sentry = *m->sentry;
    memcpy(m->image->memory, m->memory, m->memory_bytes);
}

void slip_event_image_destroy(struct slip_event_image *image)
{
    free(image);
}

bool slip_event_rewind(slip_method *method, const slip_model *model, const slip_sim_def *settings)
{
    slip_event_driven *m = (slip_event_driven *)method;
    const struct slip_event_image *image = m->image;
    if (!image || image->method.until != settings->until || image->method.step != settings->step)
        return false;
    *m = image->method;
    slip_sentry_rewind(m->sentry, &image->sentry);
    memcpy(m->memory, image->memory, m->memory_bytes);
    slip_log_empty(m->base.log);
    slip_scan_begin(&m->scan);
    slip_graph_take_values(m->system->equations->graph, model->graph);
    return slip_event_choose(m, model, settings, NULL) == SLIP_OK &&
           m->rigid.solver == image->method.rigid.solver &&
           slip_event_take_start(m, model, settings, NULL) == SLIP_OK;
}
