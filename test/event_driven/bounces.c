/// bounces.c: a bouncing ball beside anything else, against its closed form.
///
/// A ball that leaves the floor with speed v is back after 2 v/g, with e v: it comes to rest after infinitely
/// many bounces, at the accumulation point. Friction mu takes mu (1 + e) v of its sideways speed at each of
/// them, and decelerates it by mu g afterwards.
#include "bystanders.h"

enum { MAX_IMPACTS = 4000 };

typedef struct ball {
    double h, v, g, e, mu, along; // start, start of the rates, gravity, restitution, friction
} ball;

typedef struct motion {
    double y, rate, x, along, rest; // at the end; s, the accumulation point
    double since;                   // s, from the last impact to the end, or to the next one if that is less
    int impacts;
    double t[MAX_IMPACTS], approach[MAX_IMPACTS];
} motion;

static double toward_zero(double value, double by)
{
    return fabs(value) <= by ? 0.0 : value - copysign(by, value);
}

static void slide(motion *m, double deceleration, double T)
{
    const double stops = deceleration > 0.0 ? fabs(m->along) / deceleration : INFINITY, t = fmin(T, stops);
    m->x += m->along * t - 0.5 * copysign(deceleration, m->along) * t * t;
    m->along = toward_zero(m->along, deceleration * t);
}

static void fall_freely(const ball *b, motion *m)
{
    double t = 0.0, y = b->h, v = b->v, until = m->rest; // handed over there
    m->impacts = 0;
    m->x = 0.0, m->along = b->along;
    const double strike = sqrt(v * v + 2.0 * b->g * y);
    m->rest = (v + strike) / b->g + 2.0 * b->e * strike / (b->g * (1.0 - b->e));
    for (;;) {
        const double approach = sqrt(v * v + 2.0 * b->g * y), flight = (v + approach) / b->g;
        if (t + flight >= until || approach < 1e-12) break;
        m->x += m->along * flight;
        m->along = toward_zero(m->along, b->mu * (1.0 + b->e) * approach);
        t += flight, y = 0.0, v = b->e * approach;
        assert_true(m->impacts < MAX_IMPACTS);
        m->t[m->impacts] = t, m->approach[m->impacts++] = approach;
    }
    const double left = until - t;
    if (until >= m->rest) {
        m->y = m->rate = 0.0, m->since = INFINITY;
        slide(m, b->mu * b->g, until - m->rest);
        return;
    }
    m->y = y + v * left - 0.5 * b->g * left * left;
    m->rate = v - b->g * left;
    m->x += m->along * left;
    m->since = fmin(m->impacts ? left : INFINITY, (v + sqrt(v * v + 2.0 * b->g * y)) / b->g - left);
}

// --------------------------------------------------------------------------------------------- the runs

typedef struct seen {
    int impacts;
    double t[MAX_IMPACTS], rest; // s, when the contact closed for good
} seen;

static void keep(void *context, const slip_event *event)
{
    seen *s = context;
    if (strcmp(event->element, "floor") != 0) return;
    if (event->kind == SLIP_EVENT_IMPACT && s->impacts < MAX_IMPACTS) s->t[s->impacts++] = event->t;
    if (event->kind == SLIP_EVENT_CONTACT) s->rest = event->t;
    if (event->kind == SLIP_EVENT_RELEASE) s->rest = NAN;
}

// The last impacts are too slow to be bounces: rebounds lower than a few digits of the position are rest
static void compare_impacts(const ball *b, const motion *exact, const seen *s, double until, double digits)
{
    const double slow = 1e-6 * sqrt(b->g * fmax(1.0, exact->approach[0] * exact->approach[0] / b->g));
    for (int k = 0; k < exact->impacts && exact->approach[k] > slow; k++) {
        if (until - exact->t[k] < digits) break;
        assert_true(k < s->impacts);
        assert_near(s->t[k], exact->t[k], digits);
    }
    const double fall = 2.0 * slow / (b->g * (1.0 - b->e)); // all that is left of it
    if (until < exact->rest + digits) return;
    assert_near(s->rest, exact->rest, digits + fall);
}

static bool is_right(const ball *b, const motion *exact, slip_sim *sim, double digits)
{
    const double speed = exact->impacts ? exact->approach[0] : fabs(exact->rate) + b->g * digits;
    bool right = fabs(slip_sim_get(sim, "y") - exact->y) <= digits * speed;
    if (exact->since > digits) right = right && fabs(slip_sim_get(sim, "y'") - exact->rate) <= digits * b->g;
    return right && (b->mu == 0.0 || (fabs(slip_sim_get(sim, "x") - exact->x) <= digits * 10.0 * speed));
}

static void write_ball(const ball *b, sections *s)
{
    ADD(s->coordinates, "y: {start: %.17g, rate: %.17g}", b->h, b->v);
    PLUS(s->kinetic, "0.5*y'^2");
    PLUS(s->potential, "%.17g*y", b->g);
    if (b->mu > 0.0) {
        ADD(s->coordinates, "x: {start: 0, rate: %.17g}", b->along);
        PLUS(s->kinetic, "0.5*x'^2");
        ADD(s->contacts, "floor: {gap: y, restitution: %.17g, slip: x, friction: %.17g}", b->e, b->mu);
    } else {
        ADD(s->contacts, "floor: {gap: y, restitution: %.17g}", b->e);
    }
}

static ball choose_ball(uint64_t *random)
{
    ball b = { .h = random_scale(random, 1e-2, 10.0),
               .g = random_scale(random, 0.5, 50.0),
               .e = random_between(random, 0.0, 0.93) };
    if (random_bits(random) & 1) b.v = random_between(random, -1.0, 1.0) * sqrt(b.g * b.h);
    if (random_bits(random) % 4 == 0) b.mu = random_between(random, 0.05, 1.0);
    b.along = random_between(random, -1.0, 1.0) * sqrt(b.g * b.h);
    return b;
}

static void run_case(uint64_t number)
{
    uint64_t random = number * 7919u + 1u;
    const ball b = choose_ball(&random);
    static motion exact;
    static seen s;
    static char text[6000];
    exact.rest = INFINITY;
    sections parts = { 0 };
    write_ball(&b, &parts);
    const double v = sqrt(b.v * b.v + 2.0 * b.g * b.h),
                 rest = (b.v + v) / b.g + 2.0 * b.e * v / (b.g * (1.0 - b.e)),
                 until = rest * random_between(&random, 0.2, 1.5);
    const watched w = { "y", b.h, v, rest };
    add_bystanders(&parts, &w, &random);
    exact.rest = until;
    fall_freely(&b, &exact);
    const char *formulation = event_driven[random_bits(&random) % 3];
    slip_model *model = read_sections(&parts, until, 1e-8, text, sizeof text);
    slip_sim *sim = event_sim(model, formulation);
    s = (seen){ .rest = NAN };
    slip_sim_on_event(sim, keep, &s);
    const slip_run_outcome outcome = run_on_or_halt(sim, until, &random);
    const double digits = 1e-8 * fmax(1.0, rest) + 1e-5 * sqrt(fmax(1.0, b.h) / b.g) * 1e-2;
    const bool right = outcome == SLIP_DONE && is_right(&b, &exact, sim, digits);
    if (!right) {
        print_error(
            "case %lu under %s: y = %.17g, exact %.17g, y' = %.17g, exact %.17g, x = %.17g, exact %.17g, "
            "rest %.17g\n",
            (unsigned long)number, formulation, slip_sim_get(sim, "y"), exact.y, slip_sim_get(sim, "y'"),
            exact.rate, slip_sim_get(sim, "x"), exact.x, exact.rest);
        print_model(text);
    }
    assert_true(right);
    compare_impacts(&b, &exact, &s, until, digits);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void balls_bounce_as_if_alone(void **state)
{
    (void)state;
    const int count = case_count(400);
    for (int k = 0; k < count; k++) run_case((uint64_t)k);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(balls_bounce_as_if_alone) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
