/// ode/together.c: what impacts of compliant contacts amount to. See together.h.
#include "ode/together.h"

#include <math.h>
#include <stdlib.h>

#include "model/model.h"

// A restitution may be off by this, and by this share of it
static const double TOLERATED = 0.01, TOLERATED_SHARE = 0.01;
// of the speed at which a contact creeps under its load: forces do little to a faster impact
static const double FAST = 1e4;

struct slip_together {
    const slip_ode *ode;
    int count;
    const int *element;
    double *speed;         // m/s, with which an impact that lasts began; 0: there is none
    unsigned char *shared; // another contact was closed meanwhile
    bool paused, told;
    int off; // the first that was, -1: none
    double off_speed, made;
};

slip_together *slip_together_create(const slip_ode *ode, int count, const int *element)
{
    slip_together *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (slip_together){ .ode = ode, .count = count, .element = element, .off = -1 };
    s->speed = calloc((size_t)count + 1, sizeof *s->speed);
    s->shared = calloc((size_t)count + 1, sizeof *s->shared);
    if (s->speed && s->shared) return s;
    slip_together_destroy(s);
    return NULL;
}

void slip_together_destroy(slip_together *s)
{
    if (!s) return;
    free(s->speed);
    free(s->shared);
    free(s);
}

void slip_together_archive(slip_together *s, slip_archive *a)
{
    slip_archive_doubles(a, "strike_speed", s->speed, (size_t)s->count);
    slip_archive_bytes(a, "strike_shared", s->shared, (size_t)s->count);
    slip_archive_bool(a, "strikes_told", &s->told);
}

void slip_together_pause(slip_together *s, bool paused)
{
    s->paused = paused;
}

void slip_together_begin(slip_together *s, int k, double speed, const double *gap)
{
    if (s->paused || s->told) return;
    s->speed[k] = fmax(0.0, speed);
    s->shared[k] = 0;
    for (int j = 0; j < s->count; j++) {
        if (j == k || (gap[j] > 0.0 && s->speed[j] == 0.0)) continue;
        s->shared[k] = s->shared[j] = 1;
    }
}

// what the constants were chosen for; NaN where the model gives them
static double wanted(const slip_together *s, int k)
{
    const slip_contact *c = s->ode->equations->elements[s->element[k]].contact;
    return c->restitution_given ? c->restitution : NAN;
}

void slip_together_end(slip_together *s, int k, double speed)
{
    if (s->paused || s->told) return;
    double began = s->speed[k], e = wanted(s, k);
    s->speed[k] = 0.0;
    if (!s->shared[k] || !(began > FAST * s->ode->creep) || s->off >= 0) return;
    if (!(fabs(speed / began - e) > TOLERATED + TOLERATED_SHARE * e)) return;
    s->off = k;
    s->off_speed = began;
    s->made = speed / began;
}

void slip_together_tell(slip_together *s, slip_method *method)
{
    if (s->off < 0 || s->told) return;
    s->told = true;
    const char *name = s->ode->elements[s->element[s->off]].name;
    double e = wanted(s, s->off);
    slip_warning *w = slip_method_warn(
        method, SLIP_WARNING_RESTITUTION, name,
        "contact %s: it struck at %.3g m/s while others were closed, and came off with a restitution of "
        "%.3g, not %.3g: damping is chosen for impacts one by one, and together they share the mass. Rigid "
        "formulations (lcp, moreau) have what is stated",
        name, s->off_speed, s->made, e);
    slip_warning_value(w, "restitution", s->made, "");
    slip_warning_value(w, "stated restitution", e, "");
    slip_warning_value(w, "impact speed", s->off_speed, "m/s");
}
