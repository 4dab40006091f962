/// formulation/ode/ode_lanes.c: several runs of one model in lanes, step by step.
#include "formulation/ode/ode_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_method.h"
#include "formulation/ode/ode_run.h"
#include "formulation/ode/ode_work.h"
#include "formulation/ode/fused_rk4_work.h"
#include "formulation/ode/ode_tolerances.h"

enum { L = SLIP_LANES };

struct slip_ode_lanes {
    slip_tape_lanes step_tape; // of the first method that was put into a lane
    double *before;            // states before the last step, rows of `count`
    uint64_t *modes;           // bits of the truth values that make modes, rows of `mode_count`
    double t[L], t_before[L];
    double step[L], half[L];
    double decay_limit[L], strain_limit[L]; // above which a run has to be observed; infinite: it was
    double strained_since[L];
    double patience[L];
    int count;  // states and quadratures
    int *value; // register of each
    int time, finite;
    int mode_count, *mode; // registers of truth values
    int decay_count, *decay, strain_count, *strain;
    void *memory;
};

static const slip_ode_run *run_of(const slip_method *method)
{
    return (const slip_ode_run *)method;
}

bool slip_ode_lanes_supports(const slip_method *method)
{
    return slip_ode_method_is(method) && run_of(method)->program && !run_of(method)->touch &&
           !run_of(method)->observer;
}

bool slip_ode_lanes_match(const slip_method *a, const slip_method *b)
{
    const slip_fused_rk4 *p = run_of(a)->program, *q = run_of(b)->program;
    return p->count == q->count && p->time == q->time && p->finite == q->finite &&
           a->element_count == b->element_count && slip_lanes_same_program(p->tape, q->tape) &&
           memcmp(p->value, q->value, (size_t)p->count * sizeof *p->value) == 0;
}

// ------------------------------------------------------------------------------------------- making

// registers of elements that have such an expression
static int registers_of(const slip_ode *ode, bool strain, int *out)
{
    const struct slip_ode_work *w = ode->work;
    int count = 0;
    for (int e = 0; e < ode->element_count; e++) {
        const slip_ode_element *element = &ode->elements[e];
        if ((strain ? element->strain : element->decay) >= 0)
            out[count++] = strain ? w->strain_reg[e] : w->decay_reg[e];
    }
    return count;
}

static void init_lanes(slip_ode_lanes *s, const slip_ode_run *m)
{
    const struct slip_ode_work *w = m->ode->work;
    memcpy(s->value, m->program->value, (size_t)s->count * sizeof *s->value);
    for (int e = 0; e < m->ode->element_count; e++) {
        s->mode[s->mode_count++] = w->closed_reg[e];
        s->mode[s->mode_count++] = w->stick_reg[e];
    }
    s->decay_count = m->ode->has_decay ? registers_of(m->ode, false, s->decay) : 0;
    s->strain_count = m->ode->patience > 0.0 ? registers_of(m->ode, true, s->strain) : 0;
}

slip_ode_lanes *slip_ode_lanes_create(const slip_method *like, slip_simd_width packing)
{
    const slip_ode_run *m = run_of(like);
    const slip_fused_rk4 *p = m->program;
    slip_ode_lanes *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->count = p->count;
    s->time = p->time;
    s->finite = p->finite;
    const bool taken = slip_tape_lanes_create(&s->step_tape, p->tape, packing);
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &s->memory)) {
        s->before = SLIP_TAKE(&arena, double, s->count *L);
        s->modes = SLIP_TAKE(&arena, uint64_t, (2 * like->element_count + 1) * L);
        s->value = SLIP_TAKE(&arena, int, s->count);
        s->mode = SLIP_TAKE(&arena, int, 2 * like->element_count);
        s->decay = SLIP_TAKE(&arena, int, like->element_count);
        s->strain = SLIP_TAKE(&arena, int, like->element_count);
    }
    if (!s->memory || !taken) {
        slip_ode_lanes_destroy(s);
        return NULL;
    }
    init_lanes(s, m);
    return s;
}

void slip_ode_lanes_destroy(slip_ode_lanes *s)
{
    if (!s) return;
    slip_tape_lanes_destroy(&s->step_tape);
    free(s->memory);
    free(s);
}

void slip_ode_lanes_set_packing(slip_ode_lanes *s, slip_simd_width packing)
{
    slip_tape_lanes_set_packing(&s->step_tape, packing);
}

// ------------------------------------------------------------------------------------ in and out

void slip_ode_lanes_observed(slip_ode_lanes *s, int lane, const slip_method *method)
{
    const slip_ode_run *m = run_of(method);
    s->decay_limit[lane] = m->decay_warned ? INFINITY : RK4_REAL_STABILITY;
    s->strain_limit[lane] = m->strain_warned ? INFINITY : SLIP_STRAIN_TOO_DEEP;
    s->patience[lane] = m->strain_warned ? INFINITY : m->ode->patience;
    s->strained_since[lane] = m->strained_since;
}

// a truth value that is neither 0 nor 1 only means that its run is looked at once more
static void store_modes(slip_ode_lanes *s, int lane, const unsigned char *modes)
{
    for (int k = 0; k < s->mode_count; k++) {
        const double holds = modes[k / 2] & (k % 2 ? SLIP_MODE_STICK : SLIP_MODE_CLOSED) ? 1.0 : 0.0;
        memcpy(&s->modes[k * L + lane], &holds, sizeof holds);
    }
}

bool slip_ode_lanes_put(slip_ode_lanes *s, int lane, slip_method *method)
{
    slip_ode_run *m = (slip_ode_run *)method;
    const slip_fused_rk4 *p = m->program;
    if (slip_tape_registers(p->tape) != slip_tape_registers(s->step_tape.tape))
        return false; // made while memory was short: it runs alone
    if (!slip_ode_run_load(m)) return false;
    slip_tape_lanes_load(&s->step_tape, lane, p->reg);
    s->t[lane] = method->t;
    s->step[lane] = p->whole;
    s->half[lane] = p->half;
    slip_ode_lanes_observed(s, lane, method);
    store_modes(s, lane, method->mode);
    return true;
}

// as slip_ode_run_advance leaves it
void slip_ode_lanes_store(const slip_ode_lanes *s, int lane, slip_method *method)
{
    slip_ode_run *m = (slip_ode_run *)method;
    for (int i = 0; i < s->count; i++) {
        m->x[i] = s->before[i * L + lane];
        m->next[i] = slip_tape_lanes_row(&s->step_tape, s->value[i])[lane];
    }
    m->base.t = s->t_before[lane];
    m->strained_since = s->strained_since[lane];
    slip_ode_run_accept(m, s->t[lane]);
    m->behind = true;
    slip_fused_rk4_adopt(m->program, s->t[lane], s->step_tape.rows + lane, L);
}

void slip_ode_lanes_undo(const slip_ode_lanes *s, int lane, slip_method *method)
{
    slip_ode_run *m = (slip_ode_run *)method;
    for (int i = 0; i < s->count; i++) m->next[i] = s->before[i * L + lane];
    slip_ode_run_accept(m, s->t_before[lane]);
    m->before = NAN;
    m->behind = false;
    slip_fused_rk4_invalidate(m->program);
}

const double *slip_ode_lanes_state(const slip_ode_lanes *s, int state)
{
    return slip_tape_lanes_row(&s->step_tape, s->value[state]);
}

const double *slip_ode_lanes_time(const slip_ode_lanes *s)
{
    return s->t;
}

// ------------------------------------------------------------------------------------------- stepping

// The same code for each packing (ROWS below), so that a row is a few instructions.
#define INLINE static inline __attribute__((always_inline))

INLINE void begin_rows(slip_ode_lanes *s, const double *t_after)
{
    for (int i = 0; i < s->count; i++) {
        const double *now = slip_tape_lanes_row(&s->step_tape, s->value[i]);
        double *before = s->before + (long)i * L;
        for (int j = 0; j < L; j++) before[j] = now[j];
    }
    double *now = s->step_tape.rows, *middle = slip_tape_lanes_row(&s->step_tape, s->time), *end = middle + L;
    for (int j = 0; j < L; j++) {
        s->t_before[j] = s->t[j];
        now[j] = t_after[j];
        middle[j] = s->t[j] + s->half[j];
        end[j] = s->t[j] + s->step[j];
        s->t[j] = t_after[j];
    }
}

// lanes whose flag is not 0; mostly there is none
INLINE uint32_t lanes_of(const uint64_t *flag)
{
    uint64_t any = 0;
    uint32_t bits = 0;
    for (int j = 0; j < L; j++) any |= flag[j];
    if (any == 0) return 0;
    for (int j = 0; j < L; j++) bits |= (uint32_t)(flag[j] != 0) << j;
    return bits;
}

typedef uint64_t row_bits __attribute__((may_alias));

INLINE uint32_t changed_modes(slip_ode_lanes *s)
{
    uint64_t changed[L] = { 0 };
    for (int k = 0; k < s->mode_count; k++) {
        // cppcheck-suppress invalidPointerCast  // bits are compared, and may_alias allows it
        const row_bits *now = (const row_bits *)(slip_tape_lanes_row(&s->step_tape, s->mode[k])),
                       *kept = s->modes + k * L;
        for (int j = 0; j < L; j++) changed[j] |= now[j] ^ kept[j];
    }
    const uint32_t bits = lanes_of(changed);
    for (int k = 0; k < s->mode_count && bits; k++)
        memcpy(s->modes + k * L, slip_tape_lanes_row(&s->step_tape, s->mode[k]), L * sizeof *s->modes);
    return bits;
}

// a step that met what is not finite left NaN there
INLINE uint32_t not_finite(const slip_ode_lanes *s)
{
    const double *finite = slip_tape_lanes_row(&s->step_tape, s->finite);
    uint64_t flag[L];
    for (int j = 0; j < L; j++) flag[j] = finite[j] != 0.0;
    return lanes_of(flag);
}

INLINE void largest_of(const slip_ode_lanes *s, const int *registers, int count, double *largest)
{
    for (int j = 0; j < L; j++) largest[j] = 0.0;
    for (int k = 0; k < count; k++) {
        const double *row = slip_tape_lanes_row(&s->step_tape, registers[k]);
        for (int j = 0; j < L; j++) largest[j] = row[j] > largest[j] ? row[j] : largest[j];
    }
}

INLINE uint32_t fast_decays(const slip_ode_lanes *s)
{
    double decay[L];
    uint64_t flag[L];
    largest_of(s, s->decay, s->decay_count, decay);
    for (int j = 0; j < L; j++) flag[j] = decay[j] * s->step[j] > s->decay_limit[j];
    return lanes_of(flag);
}

INLINE uint32_t soft_contacts(slip_ode_lanes *s)
{
    double strain[L];
    uint64_t flag[L];
    largest_of(s, s->strain, s->strain_count, strain);
    for (int j = 0; j < L; j++) {
        const double since = strain[j] > 1.0 ? s->strained_since[j] : s->t[j];
        s->strained_since[j] = since;
        flag[j] = (s->t[j] - since >= s->patience[j]) | (strain[j] > s->strain_limit[j]);
    }
    return lanes_of(flag);
}

INLINE uint32_t end_rows(slip_ode_lanes *s, uint32_t *failed)
{
    *failed = not_finite(s);
    uint32_t bits = changed_modes(s);
    if (s->decay_count) bits |= fast_decays(s);
    if (s->strain_count) bits |= soft_contacts(s);
    return bits & ~*failed;
}

#define ROWS(width, target)                                                                                  \
    target static void begin_##width(slip_ode_lanes *s, const double *t_after)                               \
    {                                                                                                        \
        begin_rows(s, t_after);                                                                              \
    }                                                                                                        \
    target static uint32_t end_##width(slip_ode_lanes *s, uint32_t *failed)                                  \
    {                                                                                                        \
        return end_rows(s, failed);                                                                          \
    }
ROWS(2, )
#ifdef SLIP_LANES_X86
ROWS(4, __attribute__((target("avx2"))))
ROWS(8, __attribute__((target("avx512f,avx512dq"))))
#else
#define begin_4 begin_2
#define begin_8 begin_2
#define end_4   end_2
#define end_8   end_2
#endif

uint32_t slip_ode_lanes_step(slip_ode_lanes *s, const double *t_after, uint32_t *failed)
{
    static void (*const begin[])(slip_ode_lanes *, const double *) = { begin_2, begin_4, begin_8 };
    static uint32_t (*const end[])(slip_ode_lanes *, uint32_t *) = { end_2, end_4, end_8 };
    begin[s->step_tape.packing](s, t_after);
    slip_tape_lanes_run(&s->step_tape);
    return end[s->step_tape.packing](s, failed);
}
