/// chatter.c: mechanisms that chatter, rock and slide beside anything else, against the same ones alone.
#include "bystanders.h"

enum { MAX_COLUMNS = 8 };

/// A mechanism in a model of its own: what it is made of, its coordinates, and how long it is run.
typedef struct mechanism {
    sections parts;
    const char *columns[MAX_COLUMNS + 1];
    watched w;
} mechanism;

typedef void maker(mechanism *m, uint64_t *random);

// a forced mass between two walls
static void make_walls(mechanism *m, uint64_t *random)
{
    sections *s = &m->parts;
    const double b = random_between(random, 0.2, 1.0), e = random_between(random, 0.0, 0.8);
    ADD(s->coordinates, "x: 0");
    PLUS(s->kinetic, "0.5*x'^2");
    PLUS(s->potential, "0.05*x^2");
    ADD(s->forces, "x: \"%.17g*cos(%.17g*t) - %.17g*x'\"", random_between(random, 0.5, 2.0),
        random_between(random, 0.4, 1.0), random_between(random, 0.1, 0.5));
    ADD(s->contacts, "wall: {gap: %.17g - x, restitution: %.17g}", b, e);
    ADD(s->contacts, "wall2: {gap: %.17g + x, restitution: %.17g}", b, e);
    m->columns[0] = "x", m->columns[1] = "x'";
    m->w = (watched){ "x", b, 1.0, 40.0 };
}

// a pendulum against a wall beside its lowest point
static void make_pendulum(mechanism *m, uint64_t *random)
{
    sections *s = &m->parts;
    ADD(s->coordinates, "a: {start: %.17g}", random_between(random, 0.3, 2.5));
    PLUS(s->kinetic, "0.5*a'^2");
    PLUS(s->potential, "-9.81*cos(a)");
    ADD(s->contacts, "wall: {gap: \"sin(a + %.17g)\", restitution: %.17g}", random_between(random, -0.2, 0.2),
        random_between(random, 0.0, 0.8));
    m->columns[0] = "a", m->columns[1] = "a'";
    m->w = (watched){ "a", 1.0, 3.0, random_between(random, 2.0, 12.0) };
}

// a ball on a table that shakes
static void make_table(mechanism *m, uint64_t *random)
{
    sections *s = &m->parts;
    const double w = random_between(random, 5.0, 30.0);
    ADD(s->coordinates, "y: {start: %.17g}", random_scale(random, 1e-2, 1.0));
    PLUS(s->kinetic, "0.5*y'^2");
    PLUS(s->potential, "9.81*y");
    ADD(s->contacts, "table: {gap: \"y - %.17g*sin(%.17g*t)\", restitution: %.17g}",
        random_between(random, 0.3, 1.3) * 9.81 / (w * w), w, random_between(random, 0.0, 0.6));
    m->columns[0] = "y", m->columns[1] = "y'";
    m->w = (watched){ "y", 0.1, 1.0, random_between(random, 1.0, 3.0) };
}

// a box that falls on its corners
static void make_box(mechanism *m, uint64_t *random)
{
    sections *s = &m->parts;
    const double a = random_between(random, 0.2, 0.8), b = random_between(random, 0.1, 0.5),
                 e = random_between(random, 0.0, 0.5), mu = random_between(random, 0.2, 0.9);
    ADD(s->coordinates, "x: {start: 0, rate: %.17g}", random_between(random, -0.3, 0.3));
    ADD(s->coordinates, "y: %.17g", b + a + random_between(random, 0.0, 0.1));
    ADD(s->coordinates, "th: %.17g", random_between(random, -0.2, 0.2));
    PLUS(s->kinetic, "0.5*(x'^2 + y'^2) + %.17g*th'^2", (a * a + b * b) / 6.0);
    PLUS(s->potential, "9.81*y");
    for (int side = -1; side <= 1; side += 2)
        ADD(s->contacts,
            "%s: {gap: \"y + %.17g*sin(th) - %.17g*cos(th)\", slip: \"x + %.17g*cos(th) + %.17g*sin(th)\", "
            "friction: %.17g, restitution: %.17g}",
            side < 0 ? "left" : "right", side * a, b, side * a, b, mu, e);
    const char *const columns[] = { "x", "y", "th", "x'", "y'", "th'" };
    memcpy(m->columns, columns, sizeof columns);
    m->w = (watched){ "th", 0.1, 1.0, random_between(random, 0.5, 2.5) };
}

// two blocks on a rough floor that push one another, one of them on a spring
static void make_blocks(mechanism *m, uint64_t *random)
{
    sections *s = &m->parts;
    ADD(s->coordinates, "x: {start: 0, rate: %.17g}", random_between(random, 1.0, 3.0));
    ADD(s->coordinates, "v: %.17g", random_between(random, 0.2, 1.0));
    PLUS(s->kinetic, "0.5*x'^2 + 0.5*%.17g*v'^2", random_between(random, 0.5, 2.0));
    PLUS(s->potential, "0.5*%.17g*(v - 1)^2", random_between(random, 5.0, 50.0));
    ADD(s->forces, "x: %.17g", random_between(random, 0.5, 2.0));
    ADD(s->contacts, "between: {gap: v - x, restitution: %.17g}", random_between(random, 0.0, 0.8));
    ADD(s->frictions, "floor: {slip: v, limit: %.17g}", random_between(random, 0.1, 1.0));
    const char *const columns[] = { "x", "v", "x'", "v'" };
    memcpy(m->columns, columns, sizeof columns);
    m->w = (watched){ "x", 1.0, 2.0, random_between(random, 2.0, 10.0) };
}

// ------------------------------------------------------------------------------------------------- runs

typedef struct result {
    double value[MAX_COLUMNS], last; // at the end; s, of the last impact of the mechanism
    char text[6000];
} result;

static void keep_last(void *context, const slip_event *event)
{
    if (event->kind == SLIP_EVENT_IMPACT && strcmp(event->element, "other") != 0)
        ((result *)context)->last = event->t;
}

static void run(const mechanism *m, const sections *parts, const char *formulation, double tolerance,
                double longest, uint64_t *random, result *r)
{
    slip_model *model = read_sections(parts, m->w.time, tolerance, r->text, sizeof r->text);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.max_step = longest;
    slip_sim *sim = make_sim(model, &def);
    r->last = -INFINITY;
    slip_sim_on_event(sim, keep_last, r);
    slip_run_outcome outcome = run_on_or_halt(sim, m->w.time, random);
    if (outcome != SLIP_DONE) print_error("under %s:\n", formulation), print_model(r->text);
    assert_int_equal(outcome, SLIP_DONE);
    for (int k = 0; m->columns[k]; k++) r->value[k] = slip_sim_get(sim, m->columns[k]);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// the rates are not compared where they are about to jump, or just have
static double difference(const mechanism *m, const result *a, const result *b)
{
    double most = 0.0;
    const bool struck = m->w.time - fmax(a->last, b->last) < 1e-4 * m->w.time;
    for (int k = 0; m->columns[k]; k++)
        if (!struck || !strchr(m->columns[k], '\'')) most = fmax(most, fabs(a->value[k] - b->value[k]));
    return most;
}

// False where it is too sensitive to be compared: another step changes its motion
static bool run_case(uint64_t number)
{
    static maker *const makers[] = { make_walls, make_pendulum, make_table, make_box, make_blocks };
    static result alone, finer, beside;
    uint64_t random = number * 104729u + 3u;
    mechanism m = { 0 };
    makers[number % 5](&m, &random);
    const char *formulation = event_driven[random_bits(&random) % 3];
    run(&m, &m.parts, formulation, 1e-10, NAN, NULL, &alone);
    run(&m, &m.parts, formulation, 1e-11, m.w.time / 137.0, NULL, &finer);
    const double rounding = difference(&m, &alone, &finer);
    if (rounding > 1e-6) return false;
    sections parts = m.parts;
    add_bystanders(&parts, &m.w, &random);
    run(&m, &parts, formulation, 1e-10, NAN, &random, &beside);
    const double change = difference(&m, &alone, &beside);
    if (!(change <= 1e-6 + 100.0 * rounding)) {
        print_error("case %lu under %s: changed by %g, alone by %g\n", (unsigned long)number, formulation,
                    change, rounding);
        print_model(beside.text);
    }
    assert_true(change <= 1e-6 + 100.0 * rounding);
    return true;
}

static void mechanisms_move_as_if_alone(void **state)
{
    (void)state;
    const int count = case_count(200);
    int compared = 0;
    for (int k = 0; k < count; k++) compared += run_case((uint64_t)k);
    assert_true(compared > count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(mechanisms_move_as_if_alone) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
