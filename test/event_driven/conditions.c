/// conditions.c: random conditions in forces and frictions, with impacts and events that set rates and
/// places, against a plain integration in small steps.
///
/// The reference knows nothing of sides: it evaluates each formula as it stands at every stage of a
/// Runge-Kutta step of fixed length, and reflects and resets behind a step. Two lengths tell how far it is
/// right; a model in which they do not agree, or which the run calls doubtful, says nothing.
#include <math.h>
#include <stdarg.h>

#include "helper.h"

enum { MODELS = 60, MOST_NODES = 96, STATES = 4, X = 0, Y, XRATE, YRATE };
static const double UNTIL = 1.5;

// ------------------------------------------------------------------------------------------------- random

static unsigned long long seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(seed >> 40) / (double)(1ull << 24);
}

static int pick(int count)
{
    return (int)uniform(0.0, count - 1e-9);
}

// ----------------------------------------------------------------------------------------------- formulas

typedef enum { NUMBER, STATE, ADD, SUB, MUL, ABS, SIGN, FLOOR, MIN, MAX, LESS, AT_MOST, AND, CHOICE } kind;

typedef struct node {
    kind kind;
    int arg[3], state;
    double number;
} node;

typedef struct formula {
    node list[MOST_NODES];
    int count;
} formula;

static int put(formula *f, kind k, int a, int b, int c)
{
    assert_true(f->count < MOST_NODES);
    f->list[f->count] = (node){ .kind = k, .arg = { a, b, c } };
    return f->count++;
}

// with three digits, so that the text has the same value
static int number(formula *f, double low, double high)
{
    const int at = put(f, NUMBER, 0, 0, 0);
    f->list[at].number = round(1e3 * uniform(low, high)) / 1e3;
    return at;
}

static int state_of(formula *f, int state)
{
    const int at = put(f, STATE, 0, 0, 0);
    f->list[at].state = state;
    return at;
}

static int any_state(formula *f)
{
    static const int often[] = { X, Y, XRATE, YRATE, X, XRATE, YRATE };
    return state_of(f, often[pick(7)]);
}

// -1 in the text is (-1): all of this is written with brackets
static int scaled(formula *f, int a, double low, double high)
{
    return put(f, MUL, number(f, low, high), a, 0);
}

static int condition(formula *f, int depth)
{
    const int a = any_state(f), what = pick(depth > 1 ? 5 : 8);
    const kind compare = pick(2) ? LESS : AT_MOST;
    if (what < 2) return put(f, compare, a, number(f, -0.5, 0.8), 0);
    if (what == 2) return put(f, compare, number(f, 0.0, 0.0), a, 0);
    if (what == 3)
        return put(f, compare, number(f, -2.0, 3.0), put(f, FLOOR, scaled(f, a, 2.5, 20.0), 0, 0), 0);
    if (what == 4) return put(f, compare, put(f, ABS, a, 0, 0), number(f, 0.2, 1.0), 0);
    if (what == 5) { // the part of a tooth
        const int s = scaled(f, a, 2.0, 10.0);
        return put(f, LESS, number(f, 0.5, 0.5), put(f, SUB, s, put(f, FLOOR, s, 0, 0), 0), 0);
    }
    const int one = number(f, 1.0, 1.0), none = number(f, 0.0, 0.0);
    const int left = condition(f, depth + 1), right = condition(f, depth + 1);
    if (what == 6) return put(f, AND, left, right, 0);
    const int sum = put(f, ADD, put(f, CHOICE, left, one, none), put(f, CHOICE, right, one, none), 0);
    return put(f, AT_MOST, number(f, 1.0, 1.0), sum, 0);
}

static int term(formula *f)
{
    const int a = any_state(f), what = pick(9), none = number(f, 0.0, 0.0);
    if (what == 0) return scaled(f, put(f, ABS, a, 0, 0), -2.0, 2.0);
    if (what == 1) {
        const int rate = state_of(f, XRATE + pick(2));
        return scaled(f, put(f, MUL, rate, put(f, ABS, rate, 0, 0), 0), -2.0, 0.0);
    }
    if (what == 2) return scaled(f, put(f, SIGN, put(f, SUB, a, number(f, -0.5, 0.5), 0), 0, 0), -2.0, 2.0);
    if (what == 3) return scaled(f, put(f, MAX, a, none, 0), -2.0, 2.0);
    if (what == 4) return scaled(f, put(f, MAX, put(f, SIGN, a, 0, 0), none, 0), -2.0, 2.0);
    if (what == 5) return scaled(f, put(f, MIN, a, any_state(f), 0), -2.0, 2.0);
    if (what == 6) return scaled(f, put(f, FLOOR, scaled(f, a, 2.0, 8.0), 0, 0), -0.3, 0.3);
    return put(f, CHOICE, condition(f, 0), number(f, -2.0, 2.0), number(f, -2.0, 2.0));
}

static int sum_of_terms(formula *f, int first)
{
    for (int k = pick(3); k > 0; k--) first = put(f, ADD, first, term(f), 0);
    return first;
}

static double value(const formula *f, int at, const double *x)
{
    const node *n = &f->list[at];
    if (n->kind == NUMBER) return n->number;
    if (n->kind == STATE) return x[n->state];
    const double a = value(f, n->arg[0], x);
    if (n->kind == ABS) return fabs(a);
    if (n->kind == SIGN) return a < 0.0 ? -1.0 : a > 0.0;
    if (n->kind == FLOOR) return floor(a);
    const double b = value(f, n->arg[1], x);
    if (n->kind == ADD) return a + b;
    if (n->kind == SUB) return a - b;
    if (n->kind == MUL) return a * b;
    if (n->kind == MIN) return fmin(a, b);
    if (n->kind == MAX) return fmax(a, b);
    if (n->kind == LESS) return a < b;
    if (n->kind == AT_MOST) return a <= b;
    if (n->kind == AND) return a != 0.0 && b != 0.0;
    return a != 0.0 ? b : value(f, n->arg[2], x);
}

static void say(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(char *text, size_t size, const char *format, ...)
{
    const size_t at = strlen(text);
    va_list list;
    va_start(list, format);
    const int wanted = vsnprintf(text + at, size - at, format, list);
    va_end(list);
    assert_true(wanted >= 0 && (size_t)wanted < size - at);
}

static void print(const formula *f, int at, char *text, size_t size)
{
    static const char *const names[] = { "x", "y", "x'", "y'" };
    static const char *const before[] = {
        [ABS] = "abs(", [SIGN] = "sign(", [FLOOR] = "floor(", [MIN] = "min(",
        [MAX] = "max(", [CHOICE] = "if(", [ADD] = "(",        [SUB] = "(",
        [MUL] = "(",    [LESS] = "(",     [AT_MOST] = "(",    [AND] = "("
    };
    static const char *const between[] = {
        [ADD] = " + ",   [SUB] = " - ", [MUL] = "*",  [LESS] = " < ", [AT_MOST] = " <= ",
        [AND] = " and ", [MIN] = ", ",  [MAX] = ", ", [CHOICE] = ", "
    };
    const node *n = &f->list[at];
    if (n->kind == NUMBER) {
        say(text, size, "(%.3f)", n->number);
        return;
    }
    if (n->kind == STATE) {
        say(text, size, "%s", names[n->state]);
        return;
    }
    const int count = n->kind == CHOICE ? 3 : n->kind >= ABS && n->kind <= FLOOR ? 1 : 2;
    say(text, size, "%s", before[n->kind]);
    for (int k = 0; k < count; k++) {
        if (k) say(text, size, "%s", between[n->kind]);
        print(f, n->arg[k], text, size);
    }
    say(text, size, ")");
}

// ------------------------------------------------------------------------------------------------- models

typedef struct scene {
    formula f;
    int force[2], limit; // limit: -1 without friction
    double start[STATES], e, wall_e;
    bool walls;
    int watched,
        set; // an event: state `watched` falls below `below`, then `set` becomes `factor` of itself; -1: none
    double below, factor;
} scene;

static double rounded(double low, double high)
{
    return round(1e3 * uniform(low, high)) / 1e3;
}

static void make_scene(scene *s)
{
    formula *f = &s->f;
    f->count = 0;
    s->start[X] = rounded(-0.6, 0.6), s->start[Y] = rounded(0.05, 1.0);
    s->start[XRATE] = rounded(-1.5, 1.5), s->start[YRATE] = rounded(-1.5, 1.5);
    s->force[0] = sum_of_terms(f, scaled(f, state_of(f, X), -4.0, -0.5));
    s->force[1] = sum_of_terms(f, number(f, -10.0, -3.0));
    s->limit = -1;
    const int rubs = pick(4);
    if (rubs == 1) s->limit = number(f, 0.1, 0.8);
    if (rubs == 2) s->limit = put(f, CHOICE, condition(f, 0), number(f, 0.1, 0.8), number(f, 0.1, 0.8));
    if (rubs == 3) { // a step on the way, written with a sign
        const int side = put(f, SIGN, put(f, SUB, state_of(f, pick(2)), number(f, -0.3, 0.3), 0), 0, 0);
        s->limit = put(f, ADD, number(f, 0.2, 0.5),
                       scaled(f, put(f, MAX, number(f, 0.0, 0.0), side, 0), 0.0, 0.5), 0);
    }
    s->e = 0.1 * pick(10), s->wall_e = 0.1 * pick(10);
    s->walls = pick(2);
    s->watched = pick(3) ? -1 : pick(2) ? Y : YRATE;
    s->below = s->watched == Y ? rounded(0.05, 0.4) : rounded(-1.5, 0.0);
    s->set = XRATE;
    s->factor = -0.1 * (3 + pick(7));
}

static void write_scene(const scene *s, char *text, size_t size)
{
    static const char *const names[] = { "x", "y", "x'", "y'" };
    text[0] = '\0';
    say(text, size,
        HEAD "coordinates: {x: {start: %.3f, rate: %.3f}, y: {start: %.3f, rate: %.3f}}\nmass: {x: 1, y: "
             "1}\nforces: "
             "{x: \"",
        s->start[X], s->start[XRATE], s->start[Y], s->start[YRATE]);
    print(&s->f, s->force[0], text, size);
    say(text, size, "\", y: \"");
    print(&s->f, s->force[1], text, size);
    say(text, size, "\"}\ncontacts:\n  floor: {gap: y, restitution: %.1f}\n", s->e);
    if (s->walls)
        say(text, size,
            "  right: {gap: 0.7 - x, restitution: %.1f}\n  left: {gap: x + 0.7, restitution: %.1f}\n",
            s->wall_e, s->wall_e);
    if (s->limit >= 0) {
        say(text, size, "frictions: {f: {slip: x, limit: \"");
        print(&s->f, s->limit, text, size);
        say(text, size, "\"}}\n");
    }
    if (s->watched >= 0)
        say(text, size, "when: {w: {condition: \"%s < %.3f\", set: {%s: \"%.1f*%s\"}}}\n", names[s->watched],
            s->below, names[s->set], s->factor, names[s->set]);
    say(text, size, "run: {until: %g}\n", UNTIL);
}

// --------------------------------------------------------------------------------------- the reference

typedef struct holds {
    bool rests, sticks; // y on the floor, x by friction
} holds;

static void rate_of(const scene *s, const double *x, holds h, double *rate)
{
    rate[X] = x[XRATE], rate[Y] = x[YRATE];
    rate[XRATE] = h.sticks ? 0.0 : value(&s->f, s->force[0], x);
    rate[YRATE] = h.rests ? 0.0 : value(&s->f, s->force[1], x);
}

static void runge_kutta(const scene *s, double *x, holds h, double step)
{
    static const double place[] = { 0.0, 0.5, 0.5, 1.0 }, weight[] = { 1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0 };
    double k[STATES] = { 0 }, sum[STATES] = { 0 }, at[STATES];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < STATES; i++) at[i] = x[i] + place[stage] * step * k[i];
        rate_of(s, at, h, k);
        for (int i = 0; i < STATES; i++) sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < STATES; i++) x[i] += step * sum[i];
}

static void rub(double *x, double most)
{
    const double v = x[XRATE];
    x[XRATE] = fabs(v) <= most ? 0.0 : v - copysign(most, v);
}

static void reflect(const scene *s, double *x, double step)
{
    if (x[Y] <= 0.0 && x[YRATE] < 0.0) {
        const double v = -s->e * x[YRATE], pull = fabs(value(&s->f, s->force[1], x));
        x[YRATE] = v < 4.0 * step * pull ? 0.0 : v;
        x[Y] = x[YRATE] > 0.0 ? -s->e * x[Y] : 0.0;
    }
    for (int side = -1; side <= 1 && s->walls; side += 2)
        if (side * x[X] >= 0.7 && side * x[XRATE] > 0.0) x[X] = 0.7 * side, x[XRATE] *= -s->wall_e;
}

static void integrate(const scene *s, double step, double *x)
{
    const long steps = lround(UNTIL / step);
    memcpy(x, s->start, STATES * sizeof *x);
    bool was = s->watched >= 0 && x[s->watched] < s->below;
    for (long i = 0; i < steps; i++) {
        double rate[STATES];
        rate_of(s, x, (holds){ false, false }, rate);
        const double limit = s->limit >= 0 ? value(&s->f, s->limit, x) : 0.0;
        const holds h = { x[Y] <= 0.0 && x[YRATE] == 0.0 && rate[YRATE] < 0.0,
                          s->limit >= 0 && x[XRATE] == 0.0 && fabs(rate[XRATE]) <= limit };
        runge_kutta(s, x, h, step);
        if (s->limit >= 0 && !h.sticks) rub(x, step * limit);
        reflect(s, x, step);
        const bool now = s->watched >= 0 && x[s->watched] < s->below;
        if (now && !was) x[s->set] *= s->factor;
        was = now;
    }
}

// -------------------------------------------------------------------------------------------- comparing

// 1 when the run is right, 0 when nothing is known of it
static int compare(const scene *s, const char *formulation)
{
    enum { SIZE = 8192 };
    char text[SIZE];
    double fine[STATES], coarse[STATES], off = 0.0, error = 0.0;
    write_scene(s, text, SIZE);
    integrate(s, 1e-5, fine);
    integrate(s, 4e-5, coarse);
    for (int k = 0; k < 2; k++) error = fmax(error, fabs(fine[k] - coarse[k]));
    slip_model *model = read_model("", text, "", ";");
    slip_sim *sim = event_sim(model, formulation);
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    const bool told = outcome != SLIP_DONE || slip_sim_warning(sim, 0);
    off = fmax(fabs(slip_sim_get(sim, "x") - fine[X]), fabs(slip_sim_get(sim, "y") - fine[Y]));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    if (told || error > 1e-3) return 0;
    if (off > 1e-3 + 10.0 * error)
        fail_msg("%s\n%s is off by %g, the reference by %g", text, formulation, off, error);
    return 1;
}

static void random_models(void **state)
{
    static const char *const formulations[] = { "lcp", "gauss", "lcp", "moreau" };
    int known = 0;
    (void)state;
    seed = 20240611;
    for (int k = 0; k < MODELS; k++) {
        scene s;
        make_scene(&s);
        known += compare(&s, formulations[k % 4]);
    }
    assert_true(known >= MODELS * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_models) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
