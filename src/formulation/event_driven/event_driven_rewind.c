/// formulation/event_driven/event_driven_rewind.c: an event-driven method begins again, from another start.
///
/// Most of what makes a method is the same for all starts of a model. So it is kept as it was made: the
/// method itself, its workspace, and of what stands elsewhere whatever event_driven_archive.c would write down.
#include <stdlib.h>
#include <string.h>

#include "dynamics/redundant_constraints.h"
#include "formulation/event_driven/event_driven.h"
#include "symbolic/compiler/tape_cache.h"

enum { MAX_SNAPSHOT_BYTES = 1 << 20 }; // of a workspace: to copy a larger one takes as long as to make it

struct slip_event_snapshot {
    slip_event_driven method;
    slip_verdict_monitor monitor;
    char memory[];
};

void slip_event_snapshot_save(slip_event_driven *m)
{
    if (!slip_graph_cache(m->system->equations->graph) || m->memory_bytes > MAX_SNAPSHOT_BYTES ||
        slip_log_entry_at(m->base.log, 0))
        return;
    m->image = malloc(sizeof *m->image + m->memory_bytes);
    if (!m->image) return;
    m->image->method = *m;
    m->image->monitor = *m->monitor;
    memcpy(m->image->memory, m->memory, m->memory_bytes);
}

void slip_event_snapshot_destroy(struct slip_event_snapshot *image)
{
    free(image);
}

bool slip_event_rewind(slip_method *method, const slip_model *model, const slip_sim_def *settings)
{
    slip_event_driven *m = (slip_event_driven *)method;
    const struct slip_event_snapshot *image = m->image;
    if (!image || image->method.until != settings->until || image->method.step != settings->step)
        return false;
    *m = image->method;
    slip_verdict_monitor_reset(m->monitor, &image->monitor);
    memcpy(m->memory, image->memory, m->memory_bytes);
    slip_log_reset(m->base.log);
    slip_step_scan_reset(&m->scan);
    slip_graph_take_values(m->system->equations->graph, model->graph);
    return slip_system_find_redundant(m->system, model) &&
           slip_event_read_settings(m, model, settings, NULL) == SLIP_OK &&
           m->rigid.solver == image->method.rigid.solver &&
           slip_event_set_start(m, model, settings, NULL) == SLIP_OK;
}
