/// import.c: robots become models that move as they should.
#include <math.h>

#include "models.h"

static char *import_text(const char *text, slip_import_def def)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml = NULL;
    if (slip_import_text("robot.urdf", text, strlen(text), &def, notes, &yaml) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s\n", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_non_null(yaml);
    return yaml;
}

static char *import_robot(const char *path)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_import_def def = slip_default_import_def();
    char *yaml = NULL;
    assert_int_equal(slip_import_file(path, &def, notes, &yaml), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return yaml;
}

// values of columns at the end of a run of a model text
static void run_text(const char *text, const char *sets, const char *formulation, double until, int count,
                     const char *const *columns, double *values)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = 1e-3;
    def.until = until;
    def.relative = 1e-10;
    def.absolute = 1e-12;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    for (int k = 0; k < count; k++) values[k] = slip_sim_get(sim, columns[k]);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// the same by hand, angles against the vertical: damping, friction and limits of the joints included
static const char by_hand[] =
    "slipstick: 1\nname: by hand\nparameters: {g: 9.81, m1: 2, m2: 1.5, I1: 0.17, I2: 0.08, l: 1, a: 0.5, b: "
    "0.4}\n"
    "coordinates: {p: 1, q: 0.2}\n"
    "define:\n"
    "  x2: -l*sin(p) - b*sin(p + q)\n  z2: -l*cos(p) - b*cos(p + q)\n"
    "  vx2: -l*cos(p)*p' - b*cos(p + q)*(p' + q')\n  vz2: l*sin(p)*p' + b*sin(p + q)*(p' + q')\n"
    "energy:\n"
    "  kinetic: 0.5*(m1*a^2 + I1)*p'^2 + 0.5*m2*(vx2^2 + vz2^2) + 0.5*I2*(p' + q')^2\n"
    "  potential: -m1*g*a*cos(p) + m2*g*z2 + 0*x2\n"
    "forces: {p: -0.1*p'}\n"
    "frictions: {f: {slip: q, limit: 0.2}}\n"
    "contacts: {lower: {gap: q + 0.5}, upper: {gap: 2 - q}}\n";

static void is_as_by_hand(const char *path, const char *sets)
{
    char *yaml = import_robot(path);
    static const char *const robot[] = { "shoulder", "elbow", "shoulder'", "elbow'" }, *const hand[] = {
        "p", "q", "p'", "q'"
    };
    for (double until = 0.5; until < 2.1; until += 0.5) {
        double a[4], b[4];
        run_text(yaml, sets, "lcp", until, 4, robot, a);
        run_text(by_hand, "", "lcp", until, 4, hand, b);
        for (int k = 0; k < 4; k++) assert_near(a[k], b[k], 1e-7);
    }
    free(yaml);
}

static void a_double_pendulum_moves_as_by_hand(void **state)
{
    (void)state;
    is_as_by_hand("test/import/robots/double-pendulum.urdf",
                  "bodies.upper_arm.th.start=1 bodies.lower_arm.th.start=0.2");
    is_as_by_hand("test/import/robots/double-pendulum.xml",
                  "bodies.upper.th.start=1 bodies.lower.th.start=0.2");
}

#define HINGE                                                                                                \
    "<robot name='r'><link name='base'/><link name='rotor'><inertial><origin rpy='%s'/><mass value='1'/>"    \
    "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='-0.2' iyz='0.3'/></inertial></link>"                  \
    "<joint name='hinge' type='continuous'><parent link='base'/><child link='rotor'/>"                       \
    "<origin xyz='1 2 3' rpy='%s'/><axis xyz='%s'/></joint></robot>"

// about an axis n of the link, n' R I R' n with R = Rz(yaw) Ry(pitch) Rx(roll): a torque of 1 N m for 1 s
static void inertia_is_turned_by_rpy(void **state)
{
    (void)state;
    const double r = 0.3, p = -0.7, y = 1.1,
                 I[3][3] = { { 1, 0.1, -0.2 }, { 0.1, 2, 0.3 }, { -0.2, 0.3, 2.5 } };
    const double R[3][3] = { { cos(y) * cos(p), cos(y) * sin(p) * sin(r) - sin(y) * cos(r),
                               cos(y) * sin(p) * cos(r) + sin(y) * sin(r) },
                             { sin(y) * cos(p), sin(y) * sin(p) * sin(r) + cos(y) * cos(r),
                               sin(y) * sin(p) * cos(r) - cos(y) * sin(r) },
                             { -sin(p), cos(p) * sin(r), cos(p) * cos(r) } };
    static const char *const axes[] = { "1 0 0", "0 1 0", "0 0 2" }, *const hinge = "hinge'";
    for (int n = 0; n < 3; n++) {
        double about = 0.0, rate;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) about += R[n][i] * I[i][j] * R[n][j];
        char text[1000];
        snprintf(text, sizeof text, HINGE, "0.3 -0.7 1.1", "0.5 0.2 -1", axes[n]);
        char *yaml = import_text(text, slip_default_import_def());
        char *whole = malloc(strlen(yaml) + 40);
        sprintf(whole, "%sforces: {hinge: 1}\n", yaml);
        run_text(whole, "", "lcp", 1.0, 1, &hinge, &rate);
        assert_near(rate, 1.0 / about, 1e-9);
        free(whole);
        free(yaml);
    }
}

// the joint's own turn: a weight at 1 m from a hinge that is turned onto its side feels no gravity
static void frames_of_joints_are_turned(void **state)
{
    (void)state;
    const char *format = "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='0 1 0'/>"
                         "<mass value='1'/></inertial></link><joint name='hinge' type='continuous'>"
                         "<parent link='base'/><child link='arm'/><origin rpy='%s 0 0'/><axis xyz='1 0 0'/>"
                         "</joint></robot>";
    static const char *const angle = "hinge";
    char text[600];
    double end;
    snprintf(text, sizeof text, format,
             "1.5707963267948966"); // y of the arm points up: a pendulum upside down
    char *yaml = import_text(text, slip_default_import_def());
    run_text(yaml, "", "lcp", 0.5, 1, &angle, &end);
    assert_near(end, 0.0, 1e-9);
    free(yaml);
    snprintf(text, sizeof text, format, "0"); // y is level: it falls, -g/l at first
    yaml = import_text(text, slip_default_import_def());
    run_text(yaml, "", "lcp", 0.01, 1, &angle, &end);
    assert_near(end, -0.5 * 9.81 * 1e-4, 1e-8);
    free(yaml);
}

static void a_slide_rests_at_its_limit(void **state)
{
    (void)state;
    const char *robot =
        "<robot name='lift'><link name='world'/><link name='car'><inertial><mass value='3'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='x' type='prismatic'>"
        "<parent link='world'/><child link='car'/><axis xyz='0 0 1'/>"
        "<limit lower='-0.2' upper='0.5'/></joint></robot>";
    char *yaml = import_text(robot, slip_default_import_def());
    static const char *const columns[] = { "x", "x'", "load" };
    static const char *const formulations[] = { "lcp", "moreau", "gauss" };
    char *whole = malloc(strlen(yaml) + 60);
    sprintf(whole, "%srecord: {load: x_lower.normal}\n", yaml);
    for (int k = 0; k < 3; k++) {
        double values[3];
        run_text(whole, "", formulations[k], 1.0, 3, columns, values);
        assert_near(values[0], -0.2, 1e-3);
        assert_near(values[1], 0.0, 1e-9);
        assert_near(values[2], 3 * 9.81, 1e-6);
    }
    free(whole);
    free(yaml);
}

static void a_joint_follows_another(void **state)
{
    (void)state;
    const char *robot =
        "<robot name='hand'><link name='palm'/><link name='a'><inertial><origin xyz='0.1 0 0'/>"
        "<mass value='1'/></inertial></link><link name='b'><inertial><origin xyz='0.1 0 0'/>"
        "<mass value='1'/></inertial></link>"
        "<joint name='left' type='continuous'><parent link='palm'/><child link='a'/>"
        "<axis xyz='0 1 0'/></joint><joint name='right' type='continuous'><parent link='palm'/>"
        "<child link='b'/><axis xyz='0 1 0'/><mimic joint='left' multiplier='-2'/></joint></robot>";
    char *yaml = import_text(robot, slip_default_import_def());
    static const char *const columns[] = { "left", "right" };
    double values[2];
    run_text(yaml, "", "lcp", 0.1, 2, columns, values);
    assert_true(fabs(values[0]) > 1e-3);
    assert_near(values[1], -2 * values[0], 1e-8);
    free(yaml);
}

// a robot that is dropped comes to rest on its feet: 4 kg on spheres of 0.1 m
static void a_free_robot_stands_on_the_floor(void **state)
{
    (void)state;
    const char *robot =
        "<robot name='table'><link name='top'><inertial><mass value='4'/><inertia ixx='1' iyy='1' izz='2'/>"
        "</inertial><collision><origin xyz='0.5 0.5 -0.2'/><geometry><sphere "
        "radius='0.1'/></geometry></collision>"
        "<collision><origin xyz='-0.5 0.5 -0.2'/><geometry><sphere radius='0.1'/></geometry></collision>"
        "<collision><origin xyz='0 -0.5 -0.2'/><geometry><sphere radius='0.1'/></geometry></collision>"
        "</link></robot>";
    slip_import_def def = slip_default_import_def();
    def.free = true;
    def.floor = 0.5;
    char *yaml = import_text(robot, def);
    static const char *const columns[] = { "top.z", "top.qx" };
    double values[2];
    run_text(yaml, "bodies.top.z.start=0.35", "moreau", 1.0, 2, columns, values);
    assert_near(values[0], 0.3, 1e-4);
    assert_near(values[1], 0.0, 1e-6);
    free(yaml);
}

// torques of 1 N m for 1 s about hinges through the body's own frame: geoms weigh what they should
static void geoms_have_mass(void **state)
{
    (void)state;
    static const struct {
        const char *geom;
        double about[3]; // x, y, z axes through the origin of the body
    } cases[] = {
        { "type='box' size='0.1 0.2 0.3' mass='6'",
          { 0.5 * (0.16 + 0.36), 0.5 * (0.04 + 0.36), 0.5 * (0.04 + 0.16) } },
        { "type='sphere' size='0.1' mass='5' pos='0 0 1'", { 0.02 + 5, 0.02 + 5, 0.02 } },
        { "type='cylinder' size='0.1 0.3' mass='12' euler='0 90 0'", { 0.06, 0.03 + 0.36, 0.03 + 0.36 } },
        { "type='cylinder' size='0.1' fromto='0 0 0 2 0 0' mass='3'",
          { 0.015, 0.0075 + 1 + 3, 0.0075 + 1 + 3 } },
        { "type='sphere' size='0.5' density='600'",
          { 0.1 * 600 * 4 * 3.14159265358979 / 3 / 8, 0.1 * 600 * 4 * 3.14159265358979 / 3 / 8,
            0.1 * 600 * 4 * 3.14159265358979 / 3 / 8 } },
        { "type='capsule' size='0.1 0.3' mass='1'",
          // 0.6 m of cylinder and two halves of a ball: shares 0.6 and 0.4/3 of 0.7333
          { 0.81818181818 * (0.03 + 0.36) / 12 + 0.18181818182 * (0.004 + 0.09 + 0.0225),
            0.81818181818 * (0.03 + 0.36) / 12 + 0.18181818182 * (0.004 + 0.09 + 0.0225),
            0.81818181818 * 0.005 + 0.18181818182 * 0.004 } },
    };
    static const char *const axes[] = { "1 0 0", "0 1 0", "0 0 1" }, *const rate = "h'";
    for (int k = 0; k < 6; k++)
        for (int n = 0; n < 3; n++) {
            char text[600];
            snprintf(text, sizeof text,
                     "<mujoco><option gravity='0 0 0'/><worldbody><body name='b'><joint name='h' "
                     "axis='%s'/><geom %s/>"
                     "</body></worldbody></mujoco>",
                     axes[n], cases[k].geom);
            char *yaml = import_text(text, slip_default_import_def()), *whole = malloc(strlen(yaml) + 40);
            double value;
            sprintf(whole, "%sforces: {h: 1}\n", yaml);
            run_text(whole, "", "lcp", 1.0, 1, &rate, &value);
            assert_near(value * cases[k].about[n], 1.0, 1e-8);
            free(whole);
            free(yaml);
        }
}

// three joints on one body, in degrees; a ball that falls beside it, on the plane of the world
static void bodies_of_mjcf_have_several_joints(void **state)
{
    (void)state;
    const char *text =
        "<mujoco model='t'><default><geom density='500'/></default><worldbody><geom type='plane' size='1 1 "
        "1'/>"
        "<body name='cart' pos='0 0 0.5' euler='0 0 90'><joint type='slide' axis='1 0 0' name='x'/>"
        "<joint type='slide' axis='0 0 1' name='z'/><joint name='pitch' axis='0 1 0' range='-30 60'/>"
        "<geom type='box' size='0.1 0.2 0.05'/></body>"
        "<body name='ball' pos='1 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
    static const char *const columns[] = { "x", "z", "pitch", "ball.z" };
    double values[4];
    char *yaml = import_text(text, slip_default_import_def());
    assert_non_null(strstr(yaml, "pitch_lower: {gap: pitch - (-0.5235987755982988)}"));
    run_text(yaml, "", "moreau", 1.0, 4, columns, values);
    assert_near(values[1], -0.45, 1e-3);
    assert_near(values[2], 0.0, 1e-6);
    assert_near(values[3], 0.1, 1e-3);
    free(yaml);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    slip_import_def def = slip_default_import_def();
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml;
    assert_int_equal(slip_import_text("r", "", 0, NULL, notes, &yaml), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_import_text("r", "", 0, &def, notes, NULL), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_import_file("no/such/file", &def, notes, &yaml), SLIP_IO);
    assert_int_equal(slip_import_file(NULL, &def, notes, &yaml), SLIP_BAD_ARGUMENT);
    slip_diagnostics_destroy(notes);
}

// meshes for the eye are left out, those that touch as well when that is asked for; what is left is as it was
static void meshes(void **state)
{
    (void)state;
    static const char urdf[] =
        "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\"><inertial><origin xyz=\"0 0 -0.5\"/><mass "
        "value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" "
        "iyz=\"0\"/></inertial><visual><geometry><mesh filename=\"a.dae\"/></geometry></visual>"
        "<collision><geometry>%s</geometry></collision></link><joint name=\"j\" type=\"continuous\">"
        "<parent link=\"base\"/><child link=\"arm\"/><axis xyz=\"0 1 0\"/></joint></robot>";
    static const char mjcf[] =
        "<mujoco><worldbody><body name=\"arm\"><joint name=\"j\" axis=\"0 1 0\"/><inertial pos=\"0 0 -0.5\" "
        "mass=\"1\" diaginertia=\"0.1 0.1 0.01\"/><geom type=\"mesh\" mesh=\"a\" contype=\"0\" "
        "conaffinity=\"0\"/>%s</body></worldbody></mujoco>";
    static const char *const meshes[] = { "<mesh filename=\"a.dae\"/>", "<geom type=\"mesh\" mesh=\"b\"/>" };
    static const char *const balls[] = { "<sphere radius=\"0.1\"/>", "<geom type=\"sphere\" size=\"0.1\"/>" };
    slip_import_def whole = slip_default_import_def(), skip = whole;
    skip.skip_meshes = true;
    for (int k = 0; k < 2; k++) {
        char text[2000];
        slip_diagnostics *notes = slip_diagnostics_create();
        char *yaml = NULL;
        snprintf(text, sizeof text, k ? mjcf : urdf, meshes[k]);
        assert_int_equal(slip_import_text("r.xml", text, strlen(text), &whole, notes, &yaml),
                         k ? SLIP_BAD_FILE : SLIP_OK);
        char *said = slip_diagnostics_text(notes);
        assert_non_null(strstr(said, k ? "no <mesh> of <asset> is called 'b'"
                                       : "meshes of other files than OBJ and STL are left out"));
        free(yaml);
        free(said);
        slip_diagnostics_destroy(notes);
        char *bare = import_text(text, skip);
        assert_null(strstr(bare, "shape"));
        snprintf(text, sizeof text, k ? mjcf : urdf, balls[k]);
        char *full = import_text(text, whole);
        assert_non_null(strstr(full, "sphere"));
        free(bare);
        free(full);
    }
}

// meshes that touch become hulls whose contacts are detected: an arm that falls on the floor lies on it
static void hulls(void **state)
{
    (void)state;
    static const char urdf[] =
        "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\"><inertial><origin xyz=\"0.05 0 0\"/><mass "
        "value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
        "<collision><origin xyz=\"0.2 0 0\"/><geometry><mesh filename=\"%s\" "
        "scale=\"%s\"/></geometry></collision>"
        "</link><joint name=\"j\" type=\"prismatic\"><limit lower=\"-5\" upper=\"5\"/><origin xyz=\"0 0 "
        "1\"/><parent link=\"base\"/><child "
        "link=\"arm\"/><axis xyz=\"0 0 1\"/></joint></robot>";
    static const char mjcf[] =
        "<mujoco><compiler meshdir=\"test/fuzz/corpus/mesh\"/><asset><mesh file=\"%s\" "
        "scale=\"%s\"/></asset><worldbody><geom "
        "type=\"plane\" size=\"1 1 1\"/><body name=\"arm\" pos=\"0 0 1\"><joint "
        "name=\"j\" type=\"slide\" axis=\"0 0 "
        "1\"/><inertial pos=\"0.05 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 "
        "0.1\"/><geom type=\"mesh\" mesh=\"roof\" "
        "pos=\"0.2 0 0\"/></body></worldbody></mujoco>";
    slip_import_def def = slip_default_import_def();
    def.floor = 0.5;
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text, k ? mjcf : urdf, k ? "roof.obj" : "test/fuzz/corpus/mesh/roof.obj",
                 "0.1 0.1 0.1");
        char *yaml = import_text(text, def);
        assert_non_null(
            strstr(yaml, "{mesh: \"test/fuzz/corpus/mesh/roof.obj\", scale: 0.1, at: [0.2, 0, 0]}"));
        assert_non_null(strstr(yaml, "floor_arm: {detect: [arm, ground], friction: 0.5}"));
        slip_diagnostics *none = slip_diagnostics_create();
        slip_model *model = NULL;
        assert_int_equal(slip_model_read_text("r.yaml", yaml, strlen(yaml), NULL, 0, none, &model), SLIP_OK);
        slip_sim_def settings = slip_default_sim_def();
        slip_sim *sim = NULL;
        settings.step = 1e-3, settings.until = 1.0;
        assert_int_equal(slip_sim_create(model, &settings, NULL, &sim), SLIP_OK);
        while (slip_sim_time(sim) < 0.9) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        assert_near(slip_sim_get(sim, "j"), -1.0, 1e-6); // its lowest corners are at z = 0 in the file
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        slip_diagnostics_destroy(none);
        free(yaml);
        snprintf(text, sizeof text, k ? mjcf : urdf, k ? "roof.obj" : "test/fuzz/corpus/mesh/roof.obj",
                 "0.1 -0.1 0.2");
        yaml = import_text(text, def);
        assert_non_null(strstr(yaml, "scale: [0.1, -0.1, 0.2]"));
        free(yaml);
    }
}

static int warnings_of(const char *name, const char *text, const char *about)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_import_def def = slip_default_import_def();
    char *yaml = NULL;
    int count = 0;
    assert_int_equal(slip_import_text(name, text, strlen(text), &def, notes, &yaml), SLIP_OK);
    for (int k = 0; k < slip_diagnostics_count(notes); k++)
        count += strstr(slip_diagnostics_get(notes, k).text, about) != NULL;
    slip_diagnostics_destroy(notes);
    free(yaml);
    return count;
}

// what nobody reads is said, misspelt or not taken over; what says nothing is not
static void attributes_are_not_ignored(void **state)
{
    (void)state;
    static const char mjcf[] =
        "<mujoco><compiler settotalmass='5'/><option wind='0 0 0' density='1.2' timestep='0.01'/><worldbody>"
        "<body name='a' gravcomp='1'><joint axis='0 1 0' dampin='2' springdamper='0 0'/>"
        "<geom type='sphere' size='0.1' mass='1' shellinertia='false' condim='3' rgba='1 0 0 1'/>"
        "</body></worldbody></mujoco>";
    static const char urdf[] =
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixz='0'/></inertial></link><joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/><dynamics damping='1' fricton='0.2'/></joint></robot>";
    static const char *const told[] = { "'settotalmass'", "'density'", "'gravcomp'", "'dampin'" };
    assert_int_equal(warnings_of("robot.xml", mjcf, "the motion may depend on it"), 4);
    for (int k = 0; k < 4; k++) assert_int_equal(warnings_of("robot.xml", mjcf, told[k]), 1);
    assert_int_equal(warnings_of("robot.urdf", urdf, "'fricton' of <dynamics>"), 1);
    assert_int_equal(warnings_of("robot.urdf", urdf, "the motion may depend on it"), 1);
}

// A hinge that is at 30 degrees where the file shows it, with a spring that is relaxed at 45 and a stop at
// 90: the coordinate counts from the picture. Masses are those of geoms where the compiler says so.
static void joints_of_mjcf_have_a_reference(void **state)
{
    (void)state;
    static const char *const columns[] = { "h" };
    char *yaml =
        import_text("<mujoco><compiler inertiafromgeom='true'/><option gravity='0 0 0'/><worldbody><body>"
                    "<inertial pos='0 0 0' mass='9' diaginertia='9 9 9'/>"
                    "<joint name='h' axis='0 1 0' ref='30' springref='45' stiffness='2' range='0 90'/>"
                    "<geom type='sphere' size='0.1' mass='1' pos='0 0 -0.5'/></body></worldbody></mujoco>",
                    slip_default_import_def());
    const double degree = 3.14159265358979323846 / 180.0, J = 0.25 + 0.4 * 0.01;
    double value;
    run_text(yaml, "", "lcp", 0.5, 1, columns, &value);
    assert_near(value, 15.0 * degree * (1.0 - cos(0.5 * sqrt(2.0 / J))), 1e-8);
    assert_non_null(strstr(yaml, "h_lower: {gap: h - (-0.5235987755982"));
    free(yaml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_moves_as_by_hand),
        cmocka_unit_test(inertia_is_turned_by_rpy),
        cmocka_unit_test(frames_of_joints_are_turned),
        cmocka_unit_test(a_slide_rests_at_its_limit),
        cmocka_unit_test(a_joint_follows_another),
        cmocka_unit_test(a_free_robot_stands_on_the_floor),
        cmocka_unit_test(geoms_have_mass),
        cmocka_unit_test(attributes_are_not_ignored),
        cmocka_unit_test(joints_of_mjcf_have_a_reference),
        cmocka_unit_test(bodies_of_mjcf_have_several_joints),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(meshes),
        cmocka_unit_test(hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
