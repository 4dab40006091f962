/// simulation/recording/channel_selection.c: selects the states that get a curve.
#include "simulation/recording/recording.h"

// Coordinates of free bodies that get a curve, and as many rates.
enum { MAX_BODY_CURVES = 84 };

// True if a state gets no curve, because a page with the curves of thousands of bodies would be useless.
static bool is_left_out(const slip_model *m, int k, const int *before)
{
    const int n = m->coordinate_count;
    return k < 2 * n && slip_model_is_numeric_body(m, k % n) && before[k / n] >= MAX_BODY_CURVES;
}

// Selects all states, except that of free bodies only the first coordinates and rates are taken.
void slip_recording_select_channels(slip_recording *r, const slip_sim *sim)
{
    const slip_model *m = sim->model;
    int before[2] = { 0, 0 };
    r->kept_count = r->left_out = 0;
    for (int k = 0; k < sim->method->state_count; k++) {
        if (is_left_out(m, k, before)) {
            r->left_out++;
            continue;
        }
        if (k < 2 * m->coordinate_count)
            before[k / m->coordinate_count] += slip_model_is_numeric_body(m, k % m->coordinate_count);
        if (r->kept) r->kept[r->kept_count] = k + 1;
        r->kept_count++;
    }
}
