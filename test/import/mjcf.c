/// mjcf.c: what MJCF has beyond bodies and joints: drives, tendons, equalities, keyframes, meshes with a mass.
#include <math.h>

#include "models.h"

static slip_import_def by_default(void)
{
    return slip_default_import_def();
}

static char *import_mjcf(const char *text, slip_import_def def)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml = NULL;
    if (slip_import_text("test/import/robots/robot.xml", text, strlen(text), &def, notes, &yaml) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s\n", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_non_null(yaml);
    return yaml;
}

// what is said of a text that cannot be taken over, or of one that can
static char *words_about(const char *text, slip_import_def def, bool fine)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml = NULL;
    const slip_status status =
        slip_import_text("test/import/robots/robot.xml", text, strlen(text), &def, notes, &yaml);
    assert_int_equal(status == SLIP_OK, fine);
    char *said = slip_diagnostics_text(notes);
    slip_diagnostics_destroy(notes);
    free(yaml);
    return said;
}

static void expect_words(const char *text, slip_import_def def, bool fine, const char *words)
{
    char *said = words_about(text, def, fine);
    if (!strstr(said, words)) fail_msg("expected '%s' in\n%s", words, said);
    free(said);
}

static slip_model *model; // of the simulation at hand

static slip_sim *start(const char *yaml, double until)
{
    model = read_model("", yaml, "", " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.step = 1e-3;
    def.until = until;
    def.relative = 1e-10;
    def.absolute = 1e-12;
    return make_sim(model, &def);
}

static void stop(slip_sim *sim)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// the number behind a key in the text of a model, from its first occurrence behind `of`
static double number_behind(const char *yaml, const char *of, const char *key, int skip)
{
    const char *at = strstr(yaml, of);
    assert_non_null(at);
    at = strstr(at, key);
    assert_non_null(at);
    at += strlen(key);
    char *end = NULL;
    double value = 0.0;
    for (int k = 0; k <= skip; k++) {
        at += strspn(at, " [,:");
        value = strtod(at, &end);
        assert_ptr_not_equal(end, at);
        at = end;
    }
    return value;
}

#define HINGE(inside, after)                                                                                 \
    "<mujoco><option gravity='0 0 0'/><worldbody><body name='rotor'>"                                        \
    "<inertial pos='0 0 0' mass='1' diaginertia='0.2 0.2 0.3'/><joint name='hinge' " inside "/></body>"      \
    "</worldbody>" after "</mujoco>"

// a motor with gear 2 and u = 1.5 against I + armature = 0.3 + 0.1: rate 2*1.5/0.4 after 1 s
static void a_motor_turns_rotor_and_armature(void **state)
{
    (void)state;
    slip_import_def def = by_default();
    def.keyframe = "on";
    char *yaml =
        import_mjcf(HINGE("armature='0.1'", "<actuator><motor name='m' joint='hinge' gear='2'/></actuator>"
                                            "<keyframe><key name='on' qpos='0.25' ctrl='1.5'/></keyframe>"),
                    def);
    slip_sim *sim = start(yaml, 1.0);
    assert_near(slip_sim_get(sim, "hinge"), 0.25, 1e-15);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "hinge'"), 7.5, 1e-9);
    stop(sim);
    free(yaml);
}

// its force is at its limit of 0.6 N m all the time: far from u = 10, which is limited to 8
static void a_position_actuator_keeps_its_limits(void **state)
{
    (void)state;
    slip_import_def def = by_default();
    def.keyframe = "on";
    char *yaml = import_mjcf(HINGE("", "<actuator><position name='p' joint='hinge' kp='5' kv='0.1' "
                                       "forcerange='-1 0.6' ctrlrange='-8 8'/>"
                                       "</actuator><keyframe><key name='on' ctrl='10'/></keyframe>"),
                             def);
    slip_sim *sim = start(yaml, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "hinge'"), 0.6 / 0.3, 1e-9);
    stop(sim);
    assert_non_null(strstr(yaml, "max(-1, min(0.6, 5*max(-8, min(8, p)) - 5*hinge - 0.1*hinge'))"));
    free(yaml);
}

// critical damping by dampratio: kv = 2 sqrt(kp (I + armature)) = 2 sqrt(10*0.4) = 4
static void dampratio_uses_what_the_joint_moves(void **state)
{
    (void)state;
    char *yaml =
        import_mjcf(HINGE("armature='0.1'",
                          "<actuator><position name='p' joint='hinge' kp='10' dampratio='1'/></actuator>"),
                    by_default());
    assert_near(number_behind(yaml, "p_force", "10*hinge - ", 0), 4.0, 1e-12);
    free(yaml);
}

// The fingers are coupled, so the tendon's length is that of each; 5 N through 0.5 on 0.12 kg each
static void a_gripper_closes_by_its_tendon(void **state)
{
    (void)state;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_import_def def = by_default();
    char *yaml = NULL;
    def.keyframe = "closing";
    assert_int_equal(slip_import_file("test/import/robots/gripper.xml", &def, notes, &yaml), SLIP_OK);
    assert_int_equal(slip_diagnostics_count(notes), 0);
    slip_diagnostics_destroy(notes);
    slip_sim *sim = start(yaml, 2.0);
    assert_near(slip_sim_get(sim, "left"), 0.004, 1e-12);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "left"), slip_sim_get(sim, "right"), 1e-9);
    assert_near(slip_sim_get(sim, "left"), 0.02, 1e-5); // where the drive holds it
    stop(sim);
    free(yaml);
}

// A pendulum whose tip is connected to the world does not fall; one that is connected to a rod that hangs swings with it
static void a_connected_body_stays(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='ja' axis='0 1 0'/>"
        "<geom type='capsule' fromto='0 0 0 1 0 0' size='0.02' mass='1' contype='0' conaffinity='0'/>"
        "<body name='b' pos='1 0 0'><joint name='jb' axis='0 1 0'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 -1' size='0.02' mass='1' contype='0' "
        "conaffinity='0'/></body></body>"
        "</worldbody><equality><connect body1='b' anchor='0 0 -1'/></equality></mujoco>";
    char *yaml = import_mjcf(text, by_default());
    slip_sim *sim = start(yaml, 0.5);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "ja"), 0.0, 1e-6);
    assert_near(slip_sim_get(sim, "jb"), 0.0, 1e-6);
    stop(sim);
    free(yaml);
}

// a brick as a mesh, scaled and mirrored, weighs what it weighs as a box
static void a_mesh_weighs_as_the_solid_it_is(void **state)
{
    (void)state;
    static const char format[] = "<mujoco><asset><mesh name='brick' file='brick.obj' scale='0.1 -0.1 "
                                 "0.2'/></asset><worldbody><body name='b'>"
                                 "<freejoint/><geom %s density='500' contype='0' conaffinity='0' pos='0.3 "
                                 "0.2 0.1' euler='10 20 30'/></body>"
                                 "</worldbody></mujoco>";
    // the box that the mesh is: 0.1 x 0.2 x 0.6 about (0.15, 0, 0.3) of the geom, here about its own place
    char text[900];
    snprintf(text, sizeof text, format, "type='mesh' mesh='brick'");
    char *mesh = import_mjcf(text, by_default());
    snprintf(text, sizeof text, format, "type='box' size='0.05 0.1 0.3'");
    char *box = import_mjcf(text, by_default());
    assert_near(number_behind(mesh, "  b: ", "mass: ", 0), 0.1 * 0.2 * 0.6 * 500.0, 1e-12);
    for (int k = 0; k < 6; k++)
        assert_near(number_behind(mesh, "  b: ", "inertia: ", k), number_behind(box, "  b: ", "inertia: ", k),
                    1e-12);
    double distance = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d =
            number_behind(mesh, "  b: ", "centre: ", k) - number_behind(box, "  b: ", "centre: ", k);
        distance += d * d;
    }
    assert_near(sqrt(distance), sqrt(0.15 * 0.15 + 0.3 * 0.3), 1e-12);
    free(mesh);
    free(box);
}

// by x and y axes, by a z axis, by fixed axes, in a frame: the same attitude of a slide
static void attitudes_are_read_in_all_forms(void **state)
{
    (void)state;
    static const char *const forms[] = { "euler='0 90 0'", "xyaxes='0 0 -1 0 2 0'", "zaxis='3 0 0'",
                                         "axisangle='0 1 0 90'" };
    for (int k = 0; k < 5; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "<mujoco>%s<worldbody>%s<body name='b' %s><joint name='j' type='slide' axis='0 0 1'/><geom "
                 "type='sphere' "
                 "size='0.1' contype='0' conaffinity='0'/></body>%s</worldbody></mujoco>",
                 k == 3 ? "<compiler eulerseq='ZYX'/>" : "",
                 k == 4 ? "<frame pos='0 0 1' euler='0 90 0'>" : "", k == 4 ? "" : forms[k],
                 k == 4 ? "</frame>" : "");
        char *yaml = import_mjcf(text, by_default());
        assert_near(number_behind(yaml, "  b: ", "along: ", 0), 1.0, 1e-12);
        assert_near(number_behind(yaml, "  b: ", "along: ", 2), 0.0, 1e-12);
        free(yaml);
    }
}

static void files_are_read_through_the_door(void **state)
{
    (void)state;
    expect_words("<mujoco><include file='../../../README.md'/></mujoco>", by_default(), false,
                 "is outside of the folders from which this model may read");
    expect_words("<mujoco><include file='none.xml'/></mujoco>", by_default(), false, "cannot be read");
    expect_words(
        "<mujoco><include file='gripper-defaults.xml'/><include file='gripper-defaults.xml'/></mujoco>",
        by_default(), false, "is included twice");
    slip_import_def def = by_default();
    def.keyframe = "home";
    expect_words(HINGE("", "<keyframe><key name='up'/></keyframe>"), def, false,
                 "there is no keyframe 'home'");
    expect_words(HINGE("", "<equality><connect body1='rotor' body2='x' anchor='0 0 0'/></equality>"),
                 by_default(), false, "there is no body 'x'");
    expect_words(HINGE("", "<tendon><spatial name='s'/></tendon>"), by_default(), true,
                 "<spatial> is left out");
    expect_words(HINGE("", "<actuator><muscle joint='hinge'/></actuator>"), by_default(), true,
                 "has dynamics of its own is left out");
}

#define ROBOT(joint, link)                                                                                   \
    "<robot name='r'><link name='base'/><link name='a'><inertial><mass value='1'/>"                          \
    "<inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link><link name='b'>" link "</link>"               \
    "<joint name='swing' type='continuous'><parent link='base'/><child link='a'/></joint>"                   \
    "<joint name='tip' " joint "<parent link='a'/><child link='b'/></joint></robot>"

static void descriptions_are_taken_as_they_come(void **state)
{
    (void)state;
    expect_words(ROBOT("type='fixed'><axis xyz='0 0 0'/>", ""), by_default(), true, "");
    expect_words(ROBOT("type='continuous'>", ""), by_default(), true,
                 "joint 'tip' moves nothing that has a mass and is fixed");
    expect_words(ROBOT("type='revolute'><limit effort='3'/>", "<inertial><mass value='1'/></inertial>"),
                 by_default(), true, "limits that leave no room");
    expect_words(ROBOT("type='fixed'>",
                       "<inertial><mass value='1'/><inertia ixx='-1e-20' iyy='0.1' izz='0.1'/></inertial>"),
                 by_default(), true, "were repaired to 0, 0.1 and 0.1");
    expect_words(ROBOT("type='fixed'>",
                       "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.5'/></inertial>"),
                 by_default(), true, "were repaired to 0.25, 0.25 and 0.5");
    expect_words(ROBOT("type='fixed'>",
                       "<inertial><mass value='1'/><inertia ixx='-0.2' iyy='0.1' izz='0.5'/></inertial>"),
                 by_default(), false, "has a negative principal moment");
}

static void packages_are_found(void **state)
{
    (void)state;
    static const char text[] =
        ROBOT("type='fixed'>", "<collision><geometry><mesh filename='package://parts/brick.obj'/>"
                               "</geometry></collision>");
    const slip_import_package package = { "parts", "test/import/robots" };
    slip_import_def def = by_default();
    expect_words(text, def, true, "--package parts=DIR");
    def.packages = &package, def.package_count = 1;
    char *yaml = import_mjcf(text, def);
    assert_non_null(strstr(yaml, "{mesh: \"test/import/robots/brick.obj\"}"));
    free(yaml);
    def.folder = "test/import/wrong"; // where the model will be
    yaml = import_mjcf(text, def);
    assert_non_null(strstr(yaml, "{mesh: \"../robots/brick.obj\"}"));
    free(yaml);
    static const char by_folder[] =
        ROBOT("type='fixed'>", "<collision><geometry><mesh filename='package://robots/brick.obj' scale='1 -1 "
                               "2'/></geometry></collision>");
    yaml = import_mjcf(by_folder, by_default()); // a folder above the file has that name
    assert_non_null(strstr(yaml, "robots/brick.obj\", scale: [1, -1, 2]}"));
    free(yaml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_turns_rotor_and_armature),
        cmocka_unit_test(a_position_actuator_keeps_its_limits),
        cmocka_unit_test(dampratio_uses_what_the_joint_moves),
        cmocka_unit_test(a_gripper_closes_by_its_tendon),
        cmocka_unit_test(a_connected_body_stays),
        cmocka_unit_test(a_mesh_weighs_as_the_solid_it_is),
        cmocka_unit_test(attitudes_are_read_in_all_forms),
        cmocka_unit_test(files_are_read_through_the_door),
        cmocka_unit_test(descriptions_are_taken_as_they_come),
        cmocka_unit_test(packages_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
