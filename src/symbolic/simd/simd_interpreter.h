/// symbolic/simd/simd_interpreter.h: runs the instructions of a tape for all lanes, WIDTH numbers at a time.
///
/// Before it is included: WIDTH, V root(V), and, where there is one, V multiply_subtract(V a, V b, V c), a b
/// - c with one rounding: then what a product lost is had with it instead of by halves, which is exact too.
// no include guard: one width per file that includes it
#include <math.h>
#include <string.h>

#include "base/elementary.h"

static inline V each(double x)
{
    return x - (V){ 0 }; // exact, -0 too
}

static inline U bits(V x)
{
    return (U)x;
}

static inline V real(U u)
{
    return (V)u;
}

static inline V pick(M which, V a, V b)
{
    return (V)(((M)a & which) | ((M)b & ~which));
}

static inline M odd(U u)
{
    return (M)(0 - (u & 1));
}

static inline bool any(M m)
{
    int64_t sum = 0;
    for (int k = 0; k < WIDTH; k++) sum |= m[k];
    return sum != 0;
}

static inline V magnitude(V x)
{
    return real(bits(x) & 0x7fffffffffffffff);
}

static inline V with_sign(V x, V sign)
{
    return real(bits(magnitude(x)) | (bits(sign) & 0x8000000000000000));
}

static inline void reduce_large(V x, M which, V *hi, V *lo, U *quadrant)
{
    for (int k = 0; k < WIDTH; k++) {
        if (!which[k]) continue;
        double h, l;
        (*quadrant)[k] = (uint64_t)slip_angle_reduce(x[k], &h, &l);
        (*hi)[k] = h;
        (*lo)[k] = l;
    }
}

#include "base/elementary_kernel.h"

enum {
    VECTORS_PER_ROW = SLIP_LANES / WIDTH,
    MAX_REGION_NESTING = 64
}; // regions of a tape are not nested deeper

// --------------------------------------------------------------------------------- operations by rows

static inline V truth(M m)
{
    return (V)(m & (M)each(1.0));
}

static inline V lesser(V a, V b) // slip_min
{
    return pick(a != a, a, pick(a < b, a, b)); // NOLINT(misc-redundant-expression): NaN
}

static inline V greater(V a, V b) // slip_max
{
    return pick(a != a, a, pick(a > b, a, b)); // NOLINT(misc-redundant-expression): NaN
}

static inline V saturated(V Z, V x) // slip_sat
{
    V raised = pick(x < -Z, -Z, x), held = pick(raised > Z, Z, raised);
    return pick(Z != Z, Z, held); // NOLINT(misc-redundant-expression): NaN
}

// whether all lanes ask for the same, as where it depends on the time alone: then one part is enough
static inline bool is_uniform(const V *a)
{
    M first = (M)each(a[0][0]), differs = first ^ (M)a[0];
    for (int j = 1; j < VECTORS_PER_ROW; j++) differs |= first ^ (M)a[j];
    return !any(differs);
}

static inline void repeat_first(V *out, int parts)
{
    for (int j = parts; j < VECTORS_PER_ROW; j++) out[j] = out[0];
}

#define ROW_OF_ONE(name)                                                                                     \
    static __attribute__((noinline)) void row_##name(V *out, const V *a)                                     \
    {                                                                                                        \
        const int parts = is_uniform(a) ? 1 : VECTORS_PER_ROW;                                               \
        for (int j = 0; j < parts; j++) out[j] = kernel_##name(a[j]);                                        \
        repeat_first(out, parts);                                                                            \
    }
ROW_OF_ONE(exp)
ROW_OF_ONE(log)
ROW_OF_ONE(sin)
ROW_OF_ONE(cos)
ROW_OF_ONE(tan)
ROW_OF_ONE(asin)
ROW_OF_ONE(acos)
ROW_OF_ONE(atan)
ROW_OF_ONE(sinh)
ROW_OF_ONE(cosh)
ROW_OF_ONE(tanh)

static __attribute__((noinline)) void row_atan2(V *out, const V *a, const V *b)
{
    for (int j = 0; j < VECTORS_PER_ROW; j++) out[j] = kernel_atan2(a[j], b[j]);
}

static __attribute__((noinline)) void row_sincos(V *sine, V *cosine, const V *a)
{
    const int parts = is_uniform(a) ? 1 : VECTORS_PER_ROW;
    for (int j = 0; j < parts; j++) sine[j] = kernel_sincos(a[j], &cosine[j]);
    repeat_first(sine, parts);
    repeat_first(cosine, parts);
}

// exponents that are whole or half numbers are products, as in slip_power
static __attribute__((noinline)) void row_pow(V *out, const V *a, const V *b)
{
    for (int j = 0; j < VECTORS_PER_ROW; j++) {
        bool plain = true;
        int n;
        for (int k = 0; k < WIDTH; k++)
            plain = plain && !slip_power_is_chain(b[j][k], &n) && !slip_power_is_root(b[j][k], &n);
        if (plain) {
            out[j] = kernel_pow(a[j], b[j]);
            continue;
        }
        for (int k = 0; k < WIDTH; k++) out[j][k] = slip_power(a[j][k], b[j][k]);
    }
}

static __attribute__((noinline)) void row_call(const slip_function *f, V *out, const V *a, const V *b,
                                               const V *c)
{
    for (int j = 0; j < VECTORS_PER_ROW; j++)
        for (int k = 0; k < WIDTH; k++) out[j][k] = slip_function_value(f, a[j][k], b[j][k], c[j][k]);
}

static void call_row(slip_tape_op op, V *out, const V *a, const V *b, const V *c)
{
#define CASE(NAME, name)                                                                                     \
    case SLIP_OP_##NAME:                                                                                     \
        row_##name(out, a);                                                                                  \
        return;
    switch ((slip_op)(SLIP_OPERATOR_COUNT + (op - SLIP_TAPE_CALL))) {
        CASE(EXP, exp)
        CASE(LOG, log)
        CASE(SIN, sin)
        CASE(COS, cos)
        CASE(TAN, tan)
        CASE(ASIN, asin)
        CASE(ACOS, acos)
        CASE(ATAN, atan)
        CASE(SINH, sinh)
        CASE(COSH, cosh)
        CASE(TANH, tanh)
    case SLIP_OP_ATAN2:
        row_atan2(out, a, b);
        return;
    default:
        row_call(slip_tape_called(op), out, a, b, c);
    }
#undef CASE
}

// -------------------------------------------------------------------------------------------- masks

/// An `if` that lanes do not agree on: its first branch is run for those that take it, then the second.
typedef struct divergence {
    M now[VECTORS_PER_ROW], other[VECTORS_PER_ROW];
    const slip_instruction *turn, *end; // the jump behind the first branch; where both meet
} divergence;

/// The forks that the present instruction is in, the innermost last. At depth 0 everything is for all.
typedef struct divergence_stack {
    int depth;
    divergence forks[MAX_REGION_NESTING + 1];
} divergence_stack;

static bool any_lane(const M *m)
{
    M sum = m[0];
    for (int j = 1; j < VECTORS_PER_ROW; j++) sum |= m[j];
    return any(sum);
}

// where to go on at a conditional jump: `taken` says which lanes go straight on
static const slip_instruction *diverge(divergence_stack *x, const slip_instruction *code,
                                       const slip_instruction *i, const M *taken)
{
    if (x->depth == 0) { // mostly all agree
        M all = taken[0], one = taken[0];
        for (int j = 1; j < VECTORS_PER_ROW; j++) all &= taken[j], one |= taken[j];
        if (!any(one)) return code + i->c;
        if (!any(~all)) return i + 1;
    }
    divergence *f = &x->forks[x->depth + 1];
    for (int j = 0; j < VECTORS_PER_ROW; j++) {
        M here = x->depth ? x->forks[x->depth].now[j] : (M)(V){ 0 } == (M)(V){ 0 };
        f->now[j] = here & taken[j];
        f->other[j] = here & ~taken[j];
    }
    if (!any_lane(f->other)) return i + 1;
    if (!any_lane(f->now)) return code + i->c;
    f->turn = code + i->c - 1;
    f->end = code + f->turn->c;
    x->depth++;
    return i + 1;
}

// at the jump behind a first branch
static const slip_instruction *switch_branch(divergence_stack *x, const slip_instruction *code,
                                             const slip_instruction *i)
{
    divergence *f = &x->forks[x->depth];
    if (x->depth == 0 || f->turn != i) return code + i->c;
    memcpy(f->now, f->other, sizeof f->now);
    return i + 1;
}

static inline void reconverge(divergence_stack *x, const slip_instruction *i)
{
    while (x->depth && x->forks[x->depth].end == i) x->depth--;
}

static void blend_lanes(const divergence_stack *x, V *to, const V *from)
{
    for (int j = 0; j < VECTORS_PER_ROW; j++) to[j] = pick(x->forks[x->depth].now[j], from[j], to[j]);
}

// ---------------------------------------------------------------------------------------- interpreter

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpedantic" // labels as values, ranges of a table
#endif

#define A a[j]
#define B b[j]
#define C c[j]

// clang-format off
#define LANE_VALUES(X)                                                                                   \
    X(ADD, A + B) X(SUB, A - B) X(MUL, A * B) X(DIV, A / B) X(NEG, -A)                                   \
    X(LT, truth(A < B)) X(LE, truth(A <= B)) X(EQ, truth(A == B)) X(NE, truth(A != B))                   \
    X(AND, truth((A != 0.0) & (B != 0.0))) X(OR, truth((A != 0.0) | (B != 0.0))) X(NOT, truth(A == 0.0)) \
    X(IF, pick(A != 0.0, B, C)) X(MIN, lesser(A, B)) X(MAX, greater(A, B)) X(ABS, magnitude(A))          \
    X(SQRT, root(A)) X(SAT, saturated(A, B)) X(MOVE, A)                                                  \
    X(ADD_ADD, (A + B) + C) X(SUB_ADD, (A - B) + C) X(MUL_ADD, (A * B) + C)                              \
    X(ADD_SUB, (A + B) - C) X(SUB_SUB, (A - B) - C) X(MUL_SUB, (A * B) - C)                              \
    X(SUB_OF_ADD, C - (A + B)) X(SUB_OF_SUB, C - (A - B)) X(SUB_OF_MUL, C - (A * B))                     \
    X(ADD_MUL, (A + B) * C) X(SUB_MUL, (A - B) * C) X(MUL_MUL, (A * B) * C)                              \
    X(ADD_DIV, (A + B) / C) X(SUB_DIV, (A - B) / C) X(MUL_DIV, (A * B) / C)                              \
    X(DIV_BY_ADD, C / (A + B)) X(DIV_BY_SUB, C / (A - B)) X(DIV_BY_MUL, C / (A * B))
// clang-format on

// one operation of one row; operands are fetched before the result is stored, which may be one of them
#define OPERANDS const V *a = r[i->a], *b = r[i->b], *c = r[i->c]
#define CASE_OF(name, value)                                                                                 \
    case SLIP_TAPE_##name:                                                                                   \
        for (int j = 0; j < VECTORS_PER_ROW; j++) out[j] = value;                                            \
        return;

static __attribute__((noinline)) void run_one(const slip_instruction *i, V (*r)[VECTORS_PER_ROW], V *out)
{
    OPERANDS;
    switch ((slip_tape_op)i->op) {
        LANE_VALUES(CASE_OF)
    case SLIP_TAPE_POW:
        row_pow(out, a, b);
        return;
    default:
        call_row((slip_tape_op)i->op, out, a, b, c);
    }
}

#define LABEL(name, value)  [SLIP_TAPE_##name] = &&run_##name,
#define MASKED(name, value) [SLIP_TAPE_##name] = &&run_masked,
#define GO                  goto *(x.depth ? masked : labels)[i->op]
#define NEXT                                                                                                 \
    i++;                                                                                                     \
    goto *labels[i->op]
#define RUN(name, value)                                                                                     \
    run_##name:                                                                                              \
    {                                                                                                        \
        OPERANDS;                                                                                            \
        V *out = r[i->to];                                                                                   \
        for (int j = 0; j < VECTORS_PER_ROW; j++) out[j] = value;                                            \
        (void)b, (void)c;                                                                                    \
        NEXT;                                                                                                \
    }
#define RUN_JUMP(name, straight)                                                                             \
    run_##name:                                                                                              \
    {                                                                                                        \
        OPERANDS;                                                                                            \
        M taken[VECTORS_PER_ROW];                                                                            \
        for (int j = 0; j < VECTORS_PER_ROW; j++) taken[j] = straight;                                       \
        (void)b, (void)c;                                                                                    \
        i = diverge(&x, code, i, taken);                                                                     \
        reconverge(&x, i);                                                                                   \
        GO;                                                                                                  \
    }

// Two tables: for instructions that all lanes run, and for those within a divergence.
void RUN_LANES(const slip_tape *t, const slip_lanes_code *native, double *rows)
{
    static const void *const labels[256] = { LANE_VALUES(LABEL)[SLIP_TAPE_POW] = &&run_CALL,
                                             [SLIP_TAPE_SINCOS] = &&run_SINCOS,
                                             [SLIP_TAPE_JUMP] = &&run_JUMP,
                                             [SLIP_TAPE_UNLESS] = &&run_UNLESS,
                                             [SLIP_TAPE_UNLESS_LT] = &&run_UNLESS_LT,
                                             [SLIP_TAPE_UNLESS_LE] = &&run_UNLESS_LE,
                                             [SLIP_TAPE_END] = &&run_END,
                                             [SLIP_TAPE_CALL... 254] = &&run_CALL,
                                             [SLIP_TAPE_BLOCK] = &&run_STRETCH };
    static const void *const masked[256] = { LANE_VALUES(MASKED)[SLIP_TAPE_POW] = &&run_masked,
                                             [SLIP_TAPE_SINCOS] = &&run_SINCOS,
                                             [SLIP_TAPE_JUMP] = &&run_JUMP,
                                             [SLIP_TAPE_UNLESS] = &&run_UNLESS,
                                             [SLIP_TAPE_UNLESS_LT] = &&run_UNLESS_LT,
                                             [SLIP_TAPE_UNLESS_LE] = &&run_UNLESS_LE,
                                             [SLIP_TAPE_END] = &&run_END,
                                             [SLIP_TAPE_CALL... 254] = &&run_masked,
                                             [SLIP_TAPE_BLOCK] = &&run_masked_STRETCH };
    V(*r)[VECTORS_PER_ROW] = (V(*)[VECTORS_PER_ROW])rows;
    V scratch[VECTORS_PER_ROW], second[VECTORS_PER_ROW];
    divergence_stack x;
    x.depth = 0;
    const slip_instruction *const code = native ? native->code : t->code, *i = code;
    GO;
    LANE_VALUES(RUN)
run_CALL:
    run_one(i, r, r[i->to]);
    NEXT;
run_masked:
    run_one(i, r, scratch);
    blend_lanes(&x, r[i->to], scratch);
    reconverge(&x, ++i);
    GO;
run_STRETCH:
    native->run[i->a](rows, native->slots);
    i = code + i->c;
    goto *labels[i->op];
run_masked_STRETCH:
    for (const slip_instruction *k = t->code + (i - code); k < t->code + i->c; k++) {
        run_one(k, r, scratch);
        blend_lanes(&x, r[k->to], scratch);
    }
    i = code + i->c;
    reconverge(&x, i);
    GO;
run_SINCOS:
    row_sincos(scratch, second, r[i->a]);
    if (x.depth) {
        blend_lanes(&x, r[i->c], second);
        blend_lanes(&x, r[i->to], scratch);
        reconverge(&x, ++i);
        GO;
    }
    memcpy(r[i->c], second, sizeof second);
    memcpy(r[i->to], scratch, sizeof scratch);
    NEXT;
    RUN_JUMP(UNLESS, A != 0.0)
    RUN_JUMP(UNLESS_LT, A < B)
    RUN_JUMP(UNLESS_LE, A <= B)
run_JUMP:
    i = switch_branch(&x, code, i);
    reconverge(&x, i);
    GO;
run_END:
    return;
}
