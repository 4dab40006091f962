/// contacts.c: gaps and slips of shapes in space against geometry written out with numbers.
#include "helper.h"

/// Pose and motion of a body in numbers.
typedef struct pose {
    double at[3], q[4], v[3], w[3];
} pose;

static pose pose_of(const scene *s, const char *body, const double *q, const double *u)
{
    static const char *const names[] = { "x", "y", "z", "qw", "qx", "qy", "qz" };
    pose p = { .at = { 0 }, .q = { 1, 0, 0, 0 } };
    char name[60];
    if (strcmp(body, "ground") == 0) return p;
    double value[7], rate[7], length = 0;
    bool own = false;
    for (int k = 0; k < 7; k++) {
        snprintf(name, sizeof name, "%s.%s", body, names[k]);
        int i = scene_coordinate(s, name);
        value[k] = q[i];
        rate[k] = u[i];
        own = own || strstr(s->model->coordinates[i].rate_name, ".w1");
        if (k >= 3) length += value[k] * value[k];
    }
    for (int k = 0; k < 3; k++) p.at[k] = value[k], p.v[k] = rate[k], p.w[k] = rate[4 + k];
    for (int k = 0; k < 4; k++) p.q[k] = value[3 + k] / sqrt(length);
    if (own) rotate(p.q, rate + 4, p.w);
    return p;
}

static void point_of(const pose *p, const double *local, double *at)
{
    rotate(p->q, local, at);
    for (int k = 0; k < 3; k++) at[k] += p->at[k];
}

static void velocity_of(const pose *p, const double *at, double *v)
{
    double arm[3];
    for (int k = 0; k < 3; k++) arm[k] = at[k] - p->at[k];
    cross(p->w, arm, v);
    for (int k = 0; k < 3; k++) v[k] += p->v[k];
}

/// A contact whose gap and place are known by hand: its gap rate and the size of its slip follow.
static void check(scene *s, const char *name, const pose *a, const pose *b, const double *normal,
                  const double *at, double gap, const double *u)
{
    double va[3], vb[3], v[3], along;
    velocity_of(a, at, va);
    velocity_of(b, at, vb);
    for (int k = 0; k < 3; k++) v[k] = va[k] - vb[k];
    along = dot(v, normal);
    const slip_element *e = &s->system->elements[scene_contact(s, name)];
    double t[2];
    for (int k = 0; k < 2; k++) t[k] = slip_system_row_rate(s->system, &s->terms, e->tangent_row + k, u);
    if (fabs(scene_gap(s, name) - gap) > 1e-12) print_error("%s\n", name);
    assert_near(scene_gap(s, name), gap, 1e-12);
    assert_near(scene_rate(s, name, u, 0), along, 1e-11);
    assert_near(t[0] * t[0] + t[1] * t[1], dot(v, v) - along * along, 1e-10);
}

static const char on_plane[] =
    "slipstick: 1\nname: shapes\nspace: 3\nbodies:\n"
    "  tray: {mass: 3, inertia: [1, 1.5, 2], shape: {plane: [0.1, 0.2, 0.3], normal: [1, -2, 2]}}\n"
    "  ball: {mass: 1, inertia: 0.1, shape: {sphere: 0.2, at: [0.1, 0, 0.3]}}\n"
    "  box: {mass: 1, inertia: [0.1, 0.2, 0.2], shape: {box: [0.4, 0.6, 0.8], at: [0.1, 0.2, 0.3], attitude: "
    "{axis: [0, 0, 1], angle: 90 deg}}}\n"
    "  pill: {mass: 1, inertia: [0.1, 0.2, 0.2], shape: {capsule: [[0.1, 0, 0], [0.3, 0.2, 0.5]], radius: "
    "0.05}}\n"
    "  can: {mass: 1, inertia: [0.1, 0.1, 0.1], shape: {cylinder: [0.3, 0.8], at: [0, 0.1, 0], attitude: "
    "{axis: [1, 0, 0], angle: 90 deg}}}\n"
    "  ring: {mass: 1, inertia: [0.1, 0.1, 0.1], shape: {cylinder: [0.3, 0], points: 6}}\n"
    "  dust: {mass: 1, inertia: [0.1, 0.1, 0.1], shape: {corners: [[0.1, 0, 0], [0, 0.2, 0.1]]}}\n"
    "contacts: {c: {between: [[ball, box, pill, can, ring, dust], tray], friction: 0.5}}\n";

static void shapes_on_a_plane(void **state)
{
    (void)state;
    scene s = scene_from(on_plane);
    assert_int_equal(s.model->contact_count, 1 + 8 + 2 + 2 + 6 + 2);
    double q[MOST], u[MOST];
    unsigned long long seed = 11;
    for (int trial = 0; trial < 40; trial++) {
        draw_state(&s, 1.0, &seed, q, u);
        scene_at(&s, 0, q, u);
        pose tray = pose_of(&s, "tray", q, u), p;
        const double place[3] = { 0.1, 0.2, 0.3 }, up[3] = { 1.0 / 3, -2.0 / 3, 2.0 / 3 };
        double n[3], o[3], at[3], touch[3], local[3];
        char name[40];
        rotate(tray.q, up, n);
        point_of(&tray, place, o);
        const struct {
            const char *body, *stem;
            int count;
            double local[8][3], radius;
        } points[] = {
            { "ball", "c_ball_tray", 1, { { 0.1, 0, 0.3 } }, 0.2 },
            { "pill", "c_pill_tray", 2, { { 0.1, 0, 0 }, { 0.3, 0.2, 0.5 } }, 0.05 },
            { "dust", "c_dust_tray", 2, { { 0.1, 0, 0 }, { 0, 0.2, 0.1 } }, 0 },
        };
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < points[b].count; k++) {
                p = pose_of(&s, points[b].body, q, u);
                point_of(&p, points[b].local[k], at);
                for (int i = 0; i < 3; i++) touch[i] = at[i] - points[b].radius * n[i];
                snprintf(name, sizeof name, points[b].count > 1 ? "%s_%d" : "%s", points[b].stem, k + 1);
                check(&s, name, &p, &tray, n, touch, dot(n, touch) - dot(n, o), u);
            }
        for (int k = 0; k < 8; k++) { // turned by 90 degrees: x of the box is y of its body, y is -x
            double x = k & 1 ? 0.2 : -0.2, y = k & 2 ? 0.3 : -0.3, z = k & 4 ? 0.4 : -0.4;
            local[0] = 0.1 - y, local[1] = 0.2 + x, local[2] = 0.3 + z;
            p = pose_of(&s, "box", q, u);
            point_of(&p, local, at);
            snprintf(name, sizeof name, "c_box_tray_%d", k + 1);
            check(&s, name, &p, &tray, n, at, dot(n, at) - dot(n, o), u);
        }
        for (int k = 0; k < 6; k++) {
            local[0] = 0.3 * cos(k * acos(-1.0) / 3), local[1] = 0.3 * sin(k * acos(-1.0) / 3), local[2] = 0;
            p = pose_of(&s, "ring", q, u);
            point_of(&p, local, at);
            snprintf(name, sizeof name, "c_ring_tray_%d", k + 1);
            check(&s, name, &p, &tray, n, at, dot(n, at) - dot(n, o), u);
        }
        for (int k = 0; k < 2; k++) { // z of the can is -y of its body; its lowest point among many
            double lowest = INFINITY, best[3] = { 0 };
            p = pose_of(&s, "can", q, u);
            for (int i = 0; i < 720000; i += trial < 2 ? 1 : 720) {
                double angle = 2 * acos(-1.0) * i / 720000;
                local[0] = 0.3 * cos(angle), local[1] = 0.1 - (k ? 0.4 : -0.4), local[2] = 0.3 * sin(angle);
                point_of(&p, local, at);
                if (dot(n, at) < lowest) lowest = dot(n, at), memcpy(best, at, sizeof best);
            }
            snprintf(name, sizeof name, "c_can_tray_%d", k + 1);
            assert_near(scene_gap(&s, name), lowest - dot(n, o), trial < 2 ? 1e-11 : 1e-5);
            double va[3], vb[3], rate = 0;
            velocity_of(&p, best, va);
            velocity_of(&tray, best, vb);
            for (int i = 0; i < 3; i++) rate += n[i] * (va[i] - vb[i]);
            assert_near(scene_rate(&s, name, u, 0), rate, trial < 2 ? 1e-5 : 1e-1);
        }
    }
    scene_end(&s);
}

static void round_on_round(void **state)
{
    (void)state;
    scene s = scene_from("slipstick: 1\nname: balls\nspace: 3\nbodies:\n"
                         "  a: {mass: 1, inertia: 0.1, shape: {sphere: 0.2, at: [0.1, 0, 0]}}\n"
                         "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], shape: {sphere: 0.3}}\n"
                         "  pill: {mass: 1, inertia: [0.1, 0.2, 0.2], shape: {capsule: [[-0.4, 0, 0], [0.4, "
                         "0, 0]], radius: 0.05}}\n"
                         "  dot: {mass: 1, inertia: 1, shape: {point: [0, 0, 0.1]}}\n"
                         "contacts: {c: {between: [a, b], friction: 0.5}, d: {between: [a, pill], friction: "
                         "0.5}, e: {between: [dot, b], friction: 0.1}}\n");
    assert_int_equal(s.model->contact_count, 3);
    double q[MOST], u[MOST];
    unsigned long long seed = 13;
    int inside = 0;
    for (int trial = 0; trial < 200; trial++) {
        draw_state(&s, 1.0, &seed, q, u);
        scene_at(&s, 0, q, u);
        pose a = pose_of(&s, "a", q, u), b = pose_of(&s, "b", q, u), pill = pose_of(&s, "pill", q, u),
             d = pose_of(&s, "dot", q, u);
        double ca[3], cd[3], n[3], touch[3], length = 0;
        point_of(&a, (const double[]){ 0.1, 0, 0 }, ca);
        point_of(&d, (const double[]){ 0, 0, 0.1 }, cd);
        for (int k = 0; k < 3; k++) n[k] = ca[k] - b.at[k], length += n[k] * n[k];
        for (int k = 0; k < 3; k++) n[k] /= sqrt(length), touch[k] = ca[k] - 0.2 * n[k];
        check(&s, "c", &a, &b, n, touch, sqrt(length) - 0.5, u);
        length = 0;
        for (int k = 0; k < 3; k++) n[k] = cd[k] - b.at[k], length += n[k] * n[k];
        for (int k = 0; k < 3; k++) n[k] /= sqrt(length);
        check(&s, "e", &d, &b, n, cd, sqrt(length) - 0.3, u);
        double axis[3], from[3], foot[3], along;
        rotate(pill.q, (const double[]){ 1, 0, 0 }, axis);
        for (int k = 0; k < 3; k++) from[k] = ca[k] - pill.at[k];
        along = fmax(-0.4, fmin(0.4, dot(from, axis)));
        inside += fabs(along) < 0.4;
        for (int k = 0; k < 3; k++) foot[k] = pill.at[k] + along * axis[k], n[k] = ca[k] - foot[k];
        length = sqrt(dot(n, n));
        for (int k = 0; k < 3; k++) n[k] /= length, touch[k] = ca[k] - 0.2 * n[k];
        check(&s, "d", &a, &pill, n, touch, length - 0.25, u);
    }
    assert_true(inside > 20 && inside < 180);
    scene_end(&s);
}

// turned and moved as a whole, nobody slips
static void a_motion_that_all_share(void **state)
{
    (void)state;
    scene s = scene_from(on_plane);
    double q[MOST], u[MOST];
    unsigned long long seed = 17;
    for (int trial = 0; trial < 20; trial++) {
        draw_state(&s, 1.0, &seed, q, u);
        double v[3], w[3];
        for (int k = 0; k < 3; k++) v[k] = draw(&seed), w[k] = draw(&seed);
        static const char *const bodies[] = { "tray", "ball", "box", "pill", "can", "ring", "dust" };
        for (int b = 0; b < 7; b++) {
            pose p = pose_of(&s, bodies[b], q, u);
            char name[40];
            snprintf(name, sizeof name, "%s.x", bodies[b]);
            int i = scene_coordinate(&s, name);
            double turning[3], own[3];
            const double back[4] = { p.q[0], -p.q[1], -p.q[2], -p.q[3] };
            cross(w, p.at, turning);
            rotate(back, w, own);
            bool in_own = strstr(s.model->coordinates[i + 4].rate_name, ".w1") != NULL;
            for (int k = 0; k < 3; k++) u[i + k] = v[k] + turning[k], u[i + 4 + k] = in_own ? own[k] : w[k];
            u[i + 3] = 0;
        }
        scene_at(&s, 0, q, u);
        for (int row = 0; row < s.system->row_count; row++)
            assert_near(slip_system_row_rate(s.system, &s.terms, row, u), 0, 1e-11);
    }
    scene_end(&s);
}

// A point mass in a frictionless socket is a pendulum as long as the clearance; with friction it stays where its
// angle is below that of friction.
static void a_ball_in_its_socket(void **state)
{
    (void)state;
    static const char *const all[] = { "lcp", "gauss", "moreau" };
    static const char socket[] =
        "slipstick: 1\nname: s\nspace: 3\ngravity: 9.81\n"
        "bodies: {m: {mass: 2, x: {start: 0.06}, z: {start: -0.08}}}\n"
        "clearances: {ball: {spherical: [m, ground], radius: 1 cm, clearance: 10 cm, friction: mu}}\n"
        "record: {N: ball.normal}\n";
    static const char pendulum[] =
        "slipstick: 1\nname: p\ncoordinates: {th: {start: asin(0.6)}}\nmass: {th: 1}\n"
        "forces: {th: -9.81/0.1*sin(th)}\n";
    slip_sim_def def = slip_default_sim_def();
    slip_model *right = read_model("", pendulum, "", ";");
    def.formulation = "lcp", def.step = 1e-4, def.until = 0.3;
    slip_sim *sim = make_sim(right, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const double x = 0.1 * sin(slip_sim_get(sim, "th"));
    slip_sim_destroy(sim);
    slip_model_destroy(right);
    for (int k = 0; k < 6; k++) {
        char text[800];
        snprintf(text, sizeof text, "%sparameters: {mu: %s}\n", socket, k < 3 ? "0" : "0.8");
        slip_model *model = read_model("", text, "", ";");
        def.formulation = all[k % 3];
        sim = make_sim(model, &def);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_near(slip_sim_get(sim, "m.x"), k < 3 ? x : 0.06, k % 3 == 2 ? 2e-4 : 1e-6);
        if (k >= 3) assert_near(slip_sim_get(sim, "N"), 2 * 9.81 * 0.8, 1e-6);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_on_a_plane),
        cmocka_unit_test(round_on_round),
        cmocka_unit_test(a_ball_in_its_socket),
        cmocka_unit_test(a_motion_that_all_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
