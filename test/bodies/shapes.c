/// shapes.c: gaps and slips between shapes, in closed form and by properties that every pair must have.
#include "helper.h"

static const double PI = 3.14159265358979323846;

// two free bodies with one shape each; q = a.x a.y a.th b.x b.y b.th
static scene pair_of(const char *a, const char *b)
{
    char text[600];
    snprintf(text, sizeof text,
             "slipstick: 1\nname: pair\nbodies:\n"
             "  a: {mass: 1, inertia: 1, shape: {%s}}\n  b: {mass: 1, inertia: 1, shape: {%s}}\n"
             "contacts: {k: {between: [a, b], friction: 0.3}}\n",
             a, b);
    return scene_from(text);
}

static double gap_of(scene *s, const char *name, double ax, double ay, double ath, double bx, double by,
                     double bth)
{
    double q[6] = { ax, ay, ath, bx, by, bth }, u[6] = { 0 };
    scene_at(s, 0.0, q, u);
    return scene_gap(s, name);
}

// ------------------------------------------------------------------------------------ closed forms

static void circle_on_line(void **state)
{
    (void)state;
    scene s = pair_of("circle: 0.1, at: [0.2, 0.05]", "line: [0.3, -0.4], angle: 20 deg");
    unsigned long long seed = 4;
    for (int k = 0; k < 50; k++) {
        double q[6], u[6];
        for (int i = 0; i < 6; i++) q[i] = draw(&seed), u[i] = draw(&seed);
        scene_at(&s, 0.0, q, u);
        double angle = q[5] + 20 * PI / 180, n[2] = { -sin(angle), cos(angle) };
        double C[2] = { q[0] + 0.2 * cos(q[2]) - 0.05 * sin(q[2]),
                        q[1] + 0.2 * sin(q[2]) + 0.05 * cos(q[2]) };
        double L[2] = { q[3] + 0.3 * cos(q[5]) + 0.4 * sin(q[5]), q[4] + 0.3 * sin(q[5]) - 0.4 * cos(q[5]) };
        assert_near(scene_gap(&s, "k"), n[0] * (C[0] - L[0]) + n[1] * (C[1] - L[1]) - 0.1, 1e-15);
        // velocities of both bodies at the lowest point of the circle
        double c[2] = { C[0] - 0.1 * n[0], C[1] - 0.1 * n[1] };
        double v[2] = { u[0] - u[2] * (c[1] - q[1]) - (u[3] - u[5] * (c[1] - q[4])),
                        u[1] + u[2] * (c[0] - q[0]) - (u[4] + u[5] * (c[0] - q[3])) };
        assert_near(scene_rate(&s, "k", u, 0), n[0] * v[0] + n[1] * v[1], 1e-14);
        assert_near(scene_rate(&s, "k", u, 1), n[1] * v[0] - n[0] * v[1], 1e-14);
    }
    scene_end(&s);
}

// signs on a floor: slip counts along +x, and a wheel that rolls does not slip
static void rolling_does_not_slip(void **state)
{
    (void)state;
    scene s = scene_from("slipstick: 1\nname: wheel\nbodies:\n"
                         "  ground: {shape: {line: [0, 0]}}\n"
                         "  wheel: {mass: 1, inertia: 1, shape: {circle: 0.5}}\n"
                         "contacts: {floor: {between: [wheel, ground], friction: 0.3}}\n");
    double q[3] = { 3.0, 0.5, 1.0 }, roll[3] = { 2.0, 0.0, -4.0 }, slide[3] = { 2.0, 0.0, 0.0 },
           rise[3] = { 0.0, 1.0, 0.0 };
    scene_at(&s, 0.0, q, roll);
    assert_near(scene_gap(&s, "floor"), 0.0, 1e-15);
    assert_near(scene_rate(&s, "floor", roll, 1), 0.0, 1e-15);
    assert_near(scene_rate(&s, "floor", slide, 1), 2.0, 1e-15);
    assert_near(scene_rate(&s, "floor", rise, 0), 1.0, 1e-15);
    scene_end(&s);
}

static void conveyor_slips_at_rest(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: belt\nbodies:\n"
        "  ground: {shape: {line: [0, 0], speed: 0.5 + t}}\n  box: {mass: 1, shape: {point: [0, 0]}}\n"
        "contacts: {belt: {between: [box, ground], friction: 0.3}}\n");
    double q[2] = { 0.0, 0.0 }, u[2] = { 2.0, 0.0 };
    scene_at(&s, 1.0, q, u);
    assert_near(scene_rate(&s, "belt", u, 1), 0.5, 1e-15); // 2 - (0.5 + 1)
    assert_near(s.terms.z[s.system->elements[0].tangent_row], -1.0, 1e-15);
    scene_end(&s);
}

static void circles_and_rings(void **state)
{
    (void)state;
    scene s = pair_of("circle: 0.1", "circle: 0.3, at: [1, 0]");
    assert_int_equal(s.model->contact_count, 1);
    assert_near(gap_of(&s, "k", 4.0, 4.0, 0.7, 0.0, 0.0, 0.0), 5.0 - 0.4, 1e-14);
    assert_near(gap_of(&s, "k", 4.0, 0.0, 0.7, 0.0, -1.0, PI / 2), 4.0 - 0.4, 1e-14);
    scene_end(&s);
    s = pair_of("circle: 0.1", "ring: 0.3");
    assert_near(gap_of(&s, "k", 0.03, 0.04, 0.0, 0.0, 0.0, 0.0), 0.2 - 0.05, 1e-15);
    // concentric: the gap is known, its direction is not, and nothing becomes NaN
    double q[6] = { 0 }, u[6] = { 1, 2, 3, 0, 0, 0 };
    scene_at(&s, 0.0, q, u);
    assert_near(scene_gap(&s, "k"), 0.2, 1e-14);
    assert_near(scene_rate(&s, "k", u, 0), 0.0, 1e-300);
    scene_end(&s);
}

static void box_corners_on_line(void **state)
{
    (void)state;
    scene s = pair_of("box: [0.4, 0.2], angle: 10 deg", "line: [0, 0]");
    assert_int_equal(s.model->contact_count, 4);
    double turn = 0.3 + 10 * PI / 180, q[6] = { 5.0, 1.0, 0.3, 0.0, 0.0, 0.0 }, u[6] = { 0 };
    scene_at(&s, 0.0, q, u);
    for (int k = 0; k < 4; k++) {
        char name[16];
        snprintf(name, sizeof name, "k_%d", k + 1);
        double x = k % 2 ? 0.2 : -0.2, y = k < 2 ? 0.1 : -0.1;
        assert_near(scene_gap(&s, name), 1.0 + x * sin(turn) + y * cos(turn), 1e-15);
    }
    scene_end(&s);
}

// over it like a line, beyond an end like that end; negative below, free beside
static void segment_regions(void **state)
{
    (void)state;
    scene s = pair_of("point: [0, 0]", "segment: [[1, 1], [3, 1]], radius: 0.05");
    assert_near(gap_of(&s, "k", 2.0, 1.5, 0, 0, 0, 0), 0.45, 1e-15);
    assert_near(gap_of(&s, "k", 2.0, 0.9, 0, 0, 0, 0), -0.15, 1e-15);
    assert_near(gap_of(&s, "k", 0.7, 1.4, 0, 0, 0, 0), 0.45, 1e-15);
    assert_near(gap_of(&s, "k", 3.3, 0.6, 0, 0, 0, 0), 0.45, 1e-15);
    scene_end(&s);
    s = pair_of("segment: [[0, 0], [1, 0]], radius: 0.1", "line: [0, 0]");
    assert_int_equal(s.model->contact_count, 2);
    assert_near(gap_of(&s, "k_1", 0, 0.5, PI / 6, 0, 0, 0), 0.4, 1e-15);
    assert_near(gap_of(&s, "k_2", 0, 0.5, PI / 6, 0, 0, 0), 0.9, 1e-15);
    scene_end(&s);
}

static void circle_and_box(void **state)
{
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        const char *circle = "circle: 0.1", *box = "box: [2, 1]";
        scene s = swap ? pair_of(box, circle) : pair_of(circle, box);
        assert_int_equal(s.model->contact_count, 1);
        const double at[5][3] = { { 0.2, 0.9, 0.3 },   // over the top
                                  { -1.5, 0.1, 0.4 },  // beside
                                  { 1.3, 0.9, 0.4 },   // off a corner: 0.3, 0.4
                                  { 0.3, -0.4, -0.2 }, // inside, nearest to the bottom
                                  { 0.95, 0.1, -0.15 } };
        for (int k = 0; k < 5; k++) {
            double gap = swap ? gap_of(&s, "k", 0, 0, 0, at[k][0], at[k][1], 0)
                              : gap_of(&s, "k", at[k][0], at[k][1], 0, 0, 0, 0);
            assert_near(gap, at[k][2], 1e-15);
        }
        scene_end(&s);
    }
}

// equal blocks, corner over corner: the upper ones rest on the faces, not on the flanks
static void boxes_stack(void **state)
{
    (void)state;
    scene s = pair_of("box: [0.2, 0.1]", "box: [0.2, 0.1]");
    assert_int_equal(s.model->contact_count, 8);
    for (int noise = -1; noise <= 1; noise++) {
        double q[6] = { noise * 1e-13, 0.1 - 1e-9, 0.0, 0.0, 0.0, 0.0 }, u[6] = { 0.3, -1.0, 0, 0, 0, 0 };
        scene_at(&s, 0.0, q, u);
        int touching = 0;
        for (int k = 0; k < 8; k++) {
            const slip_element *e = &s.system->elements[k];
            if (s.terms.gap[k] > 0.0) continue;
            touching++;
            assert_near(s.terms.gap[k], -1e-9, 1e-15);
            assert_near(slip_system_row_rate(s.system, &s.terms, e->normal_row, u), -1.0, 1e-15);
            // the slip of a on b and of b on a: the same number, since normal and motion both change sides
            assert_near(slip_system_row_rate(s.system, &s.terms, e->tangent_row, u), 0.3, 1e-15);
        }
        assert_true(touching >= 2);
    }
    scene_end(&s);
}

// a corner of one box on the face of another, both tilted alike
static void box_corner_on_box(void **state)
{
    (void)state;
    scene s = pair_of("box: [0.2, 0.2]", "box: [2, 1]");
    double tilt = 0.4, h = 0.5 + 0.1 * sqrt(2.0) + 0.03;
    double q[6] = { -h * sin(tilt), h * cos(tilt), tilt + PI / 4, 0, 0, tilt }, u[6] = { 0 };
    scene_at(&s, 0.0, q, u);
    double least = 1.0;
    for (int k = 0; k < 8; k++) least = fmin(least, s.terms.gap[k]);
    assert_near(least, 0.03, 1e-15);
    assert_near(scene_gap(&s, "k_3"), 0.03, 1e-15); // lower left, turned by 45 degrees, points down
    scene_end(&s);
}

// --------------------------------------------------------------------------------- every pair of kinds

static const char *const kinds[] = { "point: [0.1, 0.2]",
                                     "corners: [[0.1, 0.2], [-0.3, 0.1], [0, 0]]",
                                     "circle: 0.2, at: [0.1, 0.1]",
                                     "ring: 1.5, at: [0.1, -0.2]",
                                     "line: [0.1, 0.1], angle: 0.3",
                                     "segment: [[-0.4, 0.1], [0.5, 0.3]], radius: 0.05",
                                     "box: [0.5, 0.3], at: [0.1, 0.1], angle: 0.2" };
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// contacts of each pair: rows arrive, columns are met; -1 where neither has a surface for the other
static const int expected[KINDS][KINDS] = {
    { -1, -1, 1, 1, 1, 1, 1 }, { -1, -1, 3, 3, 3, 3, 3 }, { 1, 3, 1, 1, 1, 1, 1 }, { 1, 3, 1, -1, -1, 2, 4 },
    { 1, 3, 1, -1, -1, 2, 4 }, { 1, 3, 1, 2, 2, 4, 6 },   { 1, 3, 1, 4, 4, 6, 8 },
};

static void turn(double angle, const double *in, double *out)
{
    out[0] = cos(angle) * in[0] - sin(angle) * in[1];
    out[1] = sin(angle) * in[0] + cos(angle) * in[1];
}

// the same scene somewhere else, turned, and carried along by a rigid motion
static void carry(const double *q, const double *u, double *p, double *v)
{
    const double angle = 1.1, by[2] = { 3.0, -2.0 }, spin = 0.7, drift[2] = { 0.4, 0.9 };
    for (int b = 0; b < 6; b += 3) {
        turn(angle, &q[b], &p[b]);
        turn(angle, &u[b], &v[b]);
        p[b] += by[0], p[b + 1] += by[1], p[b + 2] = q[b + 2] + angle;
        v[b] += drift[0] - spin * p[b + 1], v[b + 1] += drift[1] + spin * p[b], v[b + 2] = u[b + 2] + spin;
    }
}

// gaps, gap rates and slips do not see where the scene is, nor a motion that all bodies share
static void check_carried(scene *s, const double *q, const double *u, int contact)
{
    double p[6], v[6];
    const slip_element *e = &s->system->elements[contact];
    scene_at(s, 0.0, q, u);
    double gap = s->terms.gap[contact], normal = slip_system_row_rate(s->system, &s->terms, e->normal_row, u);
    double slip = slip_system_row_rate(s->system, &s->terms, e->tangent_row, u);
    carry(q, u, p, v);
    scene_at(s, 0.0, p, v);
    assert_near(s->terms.gap[contact], gap, 1e-14);
    assert_near(slip_system_row_rate(s->system, &s->terms, e->normal_row, v), normal, 1e-13);
    assert_near(slip_system_row_rate(s->system, &s->terms, e->tangent_row, v), slip, 1e-13);
}

// the force of the normal row on body a is a unit vector, that of the tangent row it turned by -90 degrees,
// and body b gets the opposite; both have one line of action, so the torques about any point cancel
static void check_rows(scene *s, const double *q, int contact, bool *tilted)
{
    const slip_element *e = &s->system->elements[contact];
    double n[6], t[6];
    for (int k = 0; k < 6; k++) {
        double unit[6] = { 0 };
        unit[k] = 1.0;
        n[k] = slip_system_row_dot(s->system, &s->terms, e->normal_row, unit);
        t[k] = slip_system_row_dot(s->system, &s->terms, e->tangent_row, unit);
    }
    assert_near(hypot(n[0], n[1]), 1.0, 1e-14);
    double side = t[0] * n[1] - t[1] * n[0]; // +1 on body a, -1 when b is the one that arrives: both flip
    assert_near(side, 1.0, 1e-14);
    for (int k = 0; k < 2; k++) {
        assert_near(n[k] + n[3 + k], 0.0, 1e-14);
        assert_near(t[k] + t[3 + k], 0.0, 1e-14);
    }
    const double *rows[2] = { n, t };
    for (int k = 0; k < 2; k++) {
        const double *w = rows[k];
        double torque = w[2] + w[5] + q[0] * w[1] - q[1] * w[0] + q[3] * w[4] - q[4] * w[3];
        assert_near(torque, 0.0, 1e-13);
    }
    *tilted = *tilted || fabs(n[0]) > 0.1;
}

// the row is the derivative of the gap, away from kinks
static bool check_derivative(scene *s, const double *q, const double *u, int contact)
{
    const double h = 1e-6;
    double gap[3], p[6];
    for (int k = -1; k <= 1; k++) {
        for (int i = 0; i < 6; i++) p[i] = q[i] + k * h * u[i];
        scene_at(s, 0.0, p, u);
        gap[k + 1] = s->terms.gap[contact];
    }
    if (fabs(gap[0] - 2 * gap[1] + gap[2]) > 1e-9) return false; // a kink
    scene_at(s, 0.0, q, u);
    double rate = slip_system_row_rate(s->system, &s->terms, s->system->elements[contact].normal_row, u);
    assert_near((gap[2] - gap[0]) / (2 * h), rate, 1e-7);
    return true;
}

static void every_pair(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    for (int i = 0; i < KINDS; i++)
        for (int j = 0; j < KINDS; j++) {
            if (expected[i][j] < 0) continue;
            scene s = pair_of(kinds[i], kinds[j]);
            assert_int_equal(s.model->contact_count, expected[i][j]);
            bool tilted = false;
            int smooth = 0, all = 0;
            for (int k = 0; k < 20; k++) {
                double q[6], u[6];
                for (int m = 0; m < 6; m++) q[m] = draw(&seed) * (m % 3 == 2 ? 3.0 : 0.6), u[m] = draw(&seed);
                for (int c = 0; c < s.model->contact_count; c++, all++) {
                    check_carried(&s, q, u, c);
                    scene_at(&s, 0.0, q, u);
                    check_rows(&s, q, c, &tilted);
                    smooth += check_derivative(&s, q, u, c);
                }
            }
            assert_true(tilted);
            assert_true(smooth > 0.9 * all);
            scene_end(&s);
        }
}

static void shapes_without_surface(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int j = 0; j < KINDS; j++) {
            if (expected[i][j] >= 0) continue;
            char text[600];
            snprintf(text, sizeof text,
                     "slipstick: 1\nname: pair\nbodies:\n  a: {mass: 1, inertia: 1, shape: {%s}}\n"
                     "  b: {mass: 1, inertia: 1, shape: {%s}}\ncontacts: {k: {between: [a, b]}}\n",
                     kinds[i], kinds[j]);
            slip_diagnostics *notes = slip_diagnostics_create();
            slip_model *model = NULL;
            assert_int_equal(slip_model_read_text("m", text, strlen(text), NULL, 0, notes, &model),
                             SLIP_BAD_MODEL);
            slip_diagnostics_destroy(notes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_on_line),         cmocka_unit_test(rolling_does_not_slip),
        cmocka_unit_test(conveyor_slips_at_rest), cmocka_unit_test(circles_and_rings),
        cmocka_unit_test(box_corners_on_line),    cmocka_unit_test(segment_regions),
        cmocka_unit_test(circle_and_box),         cmocka_unit_test(boxes_stack),
        cmocka_unit_test(box_corner_on_box),      cmocka_unit_test(every_pair),
        cmocka_unit_test(shapes_without_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
