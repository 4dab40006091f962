/// simulation/sim/draw_frames.c: frames of a simulation that draws.
///
/// The numbers of a frame follow the recorded quantities of the method, see slip_sim_create.
#include <math.h>
#include <string.h>

#include "simulation/sim/sim.h"

const char *slip_drawn_kind_name(slip_drawn_kind kind)
{
#define SLIP_DRAWN_AS_TEXT(name, word) word,
    static const char *const names[] = { SLIP_DRAWN(SLIP_DRAWN_AS_TEXT) };
    return kind >= 0 && kind < SLIP_DRAWN_COUNT ? names[kind] : "";
}

slip_drawing slip_model_drawing(const slip_model *model)
{
    return model->drawing;
}

static void take_frame(const slip_sim *sim, double *frame)
{
    int width = sim->model->drawing.width;
    for (int k = 0; k < width; k++) frame[k] = sim->drawn ? sim->row[sim->column_count + k] : NAN;
}

void slip_sim_draw(slip_sim *sim, double *frame)
{
    slip_sim_columns(sim, sim->row);
    take_frame(sim, frame);
}

slip_run_outcome slip_sim_draw_at(slip_sim *sim, double t, double *frame)
{
    slip_run_outcome outcome = slip_sim_peek(sim, t, sim->row);
    if (outcome == SLIP_RUNNING) take_frame(sim, frame);
    return outcome;
}

double slip_sim_draw_reach(slip_sim *sim)
{
    return slip_sim_next_step_end(sim);
}
