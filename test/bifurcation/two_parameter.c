/// plane.c: special points over two parameters against closed forms.
#include "bifurcation/scenes.h"
#include "scratch.h"
#include "slipstick/two_parameter.h"
#include "sensitivity/facts.h"

static slip_two_parameter_diagram *find(const char *text, const char *sets, const slip_cycle_def *def,
                                        const char *along, const char *across, int branches)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_two_parameter_diagram *plane = NULL;
    slip_cycle_along way = slip_default_cycle_along();
    way.along = along;
    way.max_points = 120;
    way.max_branches = branches;
    slip_status status = slip_cycle_two_parameter(model, def, &way, across, &error, &plane);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return plane;
}

// curve number n of a kind
static const slip_two_parameter_curve *curve(const slip_two_parameter_diagram *p, const char *kind, int n)
{
    for (int k = 0; k < p->curve_count; k++)
        if (strcmp(p->curves[k].kind, kind) == 0 && n-- == 0) return &p->curves[k];
    print_error("no curve of kind %s: %s\n", kind, p->text);
    fail();
    return NULL;
}

static slip_cycle_def forced(void)
{
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    def.settle = 150.0;
    return def;
}

// --------------------------------------------------------------------------------------- one impact a period

/// x'' + 2 z x' + x = cos(w t), a wall at c. Shaw and Holmes 1983: between impacts a particular solution of
/// amplitude R and a free one; both ends of the period at the wall give v, the speed of the impact, as a root
/// of square v^2 - 2 c alpha v + c^2 - R^2 = 0.
typedef struct one_impact {
    double w, r, z, c, R, alpha, beta, square, flow[4], decay;
} one_impact;

static one_impact one_impact_at(double w, double r, double z, double c)
{
    const double T = 2.0 * acos(-1.0) / w, W = sqrt(1.0 - z * z), E = exp(-z * T), C = cos(W * T),
                 S = sin(W * T), lag = (1.0 - w * w) * (1.0 - w * w) + 4.0 * z * z * w * w;
    one_impact o = { .w = w, .r = r, .z = z, .c = c, .R = 1.0 / sqrt(lag), .decay = E };
    o.flow[0] = E * (C + z / W * S), o.flow[1] = E * S / W;
    o.flow[2] = -E * S / W, o.flow[3] = E * (C - z / W * S);
    // the free part starts and ends at the same height a: its speed there, of a
    const double first = (1.0 - o.flow[0]) / o.flow[1], last = o.flow[2] + o.flow[3] * first;
    o.alpha = (1.0 + r) / (last - first); // a = alpha v
    o.beta = r + first * o.alpha;         // R w sin(theta) = beta v, R cos(theta) = c - alpha v
    o.square = o.alpha * o.alpha + o.beta * o.beta / (w * w);
    return o;
}

// zero where both orbits meet
static double fold_test(double w, double r, double z, double c)
{
    const one_impact o = one_impact_at(w, r, z, c);
    return c * c * o.alpha * o.alpha - o.square * (c * c - o.R * o.R);
}

// zero where a multiplier of the faster one is -1: 1 + trace + determinant of saltation times flow
static double doubling_test(double w, double r, double z, double c)
{
    const one_impact o = one_impact_at(w, r, z, c);
    const double v = (c * o.alpha + sqrt(fold_test(w, r, z, c))) / o.square;
    const double cosine = c - o.alpha * v, sine = o.beta * v / w; // times R
    const double force = (1.0 - w * w) * cosine - 2.0 * z * w * sine;
    const double before = force - c - 2.0 * z * v, after = force - c + 2.0 * z * r * v;
    const double kick = (after + r * before) / v;
    const double trace = -r * (o.flow[0] + o.flow[3]) + kick * o.flow[1];
    return 1.0 + trace + r * r * o.decay * o.decay;
}

static double root(double test(double, double, double, double), double low, double high, double r, double z,
                   double c)
{
    const bool rises = test(low, r, z, c) < 0.0;
    assert_true(rises != (test(high, r, z, c) < 0.0));
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if ((test(middle, r, z, c) < 0.0) == rises)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Without impacts the amplitude is R, whatever r: at grazing it is c, so that 1 - w^2 and 2 z w make 1/c
static double grazing_at(double z, double c)
{
    const double half = 1.0 - 2.0 * z * z;
    return sqrt(half + sqrt(half * half - 1.0 + 1.0 / (c * c)));
}

// a picture that names both parameters and both kinds, and none of another format
static void draws(const slip_two_parameter_diagram *p)
{
    slip_error error = { 0 };
    char text[20000];
    const char *path = scratch_path("-plane.svg");
    assert_int_equal(slip_two_parameter_picture(path, p, "Two curves", &error), SLIP_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    remove(path);
    assert_non_null(strstr(text, ">Two curves<"));
    assert_non_null(strstr(text, ">fold<"));
    assert_non_null(strstr(text, ">grazing<"));
    assert_null(strstr(text, ">torus"));
    assert_int_equal(slip_two_parameter_picture("plane.txt", p, "", &error), SLIP_BAD_ARGUMENT);
}

static void folds_and_grazing(void **state)
{
    (void)state;
    const slip_cycle_def def = forced();
    slip_two_parameter_diagram *p = find(oscillator, "w=1.7", &def, "w=1.7:2", "r=0.6:0.9:4", 6);
    const slip_two_parameter_curve *fold = curve(p, "fold", 0), *grazing = curve(p, "grazing", 0);
    assert_int_equal(p->curve_count, 2);
    assert_int_equal(fold->point_count, 4);
    assert_int_equal(grazing->point_count, 4);
    assert_int_equal(p->whole, 2); // the others are short
    for (int k = 0; k < 4; k++) {
        const double r = 0.6 + 0.1 * k;
        assert_near(fold->points[k].across, r, 1e-12);
        assert_near(fold->points[k].along, root(fold_test, 1.75, 1.95, r, 0.05, 0.5), 1e-8);
        assert_near(grazing->points[k].along, grazing_at(0.05, 0.5), 1e-8);
        assert_near(fold->points[k].period, 2.0 * acos(-1.0) / fold->points[k].along, 1e-9);
    }
    meet_one("impact-oscillator", "n1.w_fold", 1e-2, fold->points[2].along);
    meet_one("impact-oscillator", "w_graze", 1e-1, grazing->points[2].along);
    assert_string_equal(fold->events, "impact wall");
    assert_string_equal(fold->begin, "");
    assert_string_equal(fold->end, "");
    assert_non_null(strstr(p->critical, "nothing touches at the start"));
    char *json = slip_two_parameter_json(p);
    json_t *tree = json_loads(json, 0, NULL);
    assert_non_null(tree);
    const json_t *first = json_array_get(json_object_get(tree, "curves"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "kind")), "fold");
    assert_int_equal(json_array_size(json_object_get(first, "points")), 4);
    json_decref(tree);
    free(json);
    draws(p);
    slip_two_parameter_destroy(p);
}

static void doublings(void **state)
{
    (void)state;
    const slip_cycle_def def = forced();
    slip_two_parameter_diagram *p = find(oscillator, "c=0;z=0.02;w=2.6", &def, "w=2.6:2.7", "r=0.6:0.8:3", 1);
    const slip_two_parameter_curve *c = curve(p, "doubling", 0);
    assert_int_equal(c->point_count, 3);
    meet_one("impact-oscillator-c0-b", "n1.w_pd", 1e-2, c->points[0].along);
    for (int k = 0; k < 3; k++)
        assert_near(c->points[k].along, root(doubling_test, 2.6, 2.7, c->points[k].across, 0.02, 0.0), 1e-8);
    slip_two_parameter_destroy(p);
}

// the fold passes w = 1.88 at r = 0.7456
static void out_of_range(void **state)
{
    (void)state;
    const slip_cycle_def def = forced();
    slip_two_parameter_diagram *p = find(oscillator, "w=1.7", &def, "w=1.7:1.88", "r=0.6:0.9:4", 1);
    const slip_two_parameter_curve *c = curve(p, "fold", 0);
    assert_int_equal(c->first, 0);
    assert_int_equal(c->point_count, 2);
    assert_string_equal(c->end, "it leaves the range of w before r = 0.8");
    slip_two_parameter_destroy(p);
}

// --------------------------------------------------------------------------------------- contact problem

// M = [1 b; b 1]: sliding backwards, the gap's acceleration from a unit of normal force is 1 - mu b, less
// 1 - b^2. Behind mu = 1/b a load towards the floor has no answer, and one away from it has two
static const char brake[] = "slipstick: 1\n"
                            "name: mass whose slip moves its gap\n"
                            "parameters: {F: 0.3, w: 0.8, g: 0.3, b: 0.3, mu: 0.5, x0: 0}\n"
                            "coordinates: {x: {start: x0, rate: -0.2}, y: {start: 0}}\n"
                            "energy: {kinetic: x'^2/2 + y'^2/2 + b*x'*y', potential: x^2/2 + g*y}\n"
                            "forces: {x: F*cos(w*t)}\n"
                            "contacts: {floor: {gap: y, slip: x, friction: mu, restitution: 0}}\n"
                            "run: {formulation: lcp, until: 100}\n";

static void contact_problems(void **state)
{
    (void)state;
    static const struct {
        const char *sets, *kind;
    } list[] = { { "", SLIP_TWO_PARAMETER_INCONSISTENT }, { "x0=3", SLIP_TWO_PARAMETER_AMBIGUOUS } };
    const slip_cycle_def def = forced();
    for (int i = 0; i < 2; i++) {
        slip_two_parameter_diagram *p = find(brake, list[i].sets, &def, "mu=0.7:4", "b=0.28:0.32:3", 1);
        const slip_two_parameter_curve *c = curve(p, list[i].kind, 0);
        assert_int_equal(c->point_count, 3);
        for (int k = 0; k < 3; k++) assert_near(c->points[k].along, 1.0 / c->points[k].across, 1e-9);
        assert_int_equal(curve(p, "stop", 0)->point_count, 3);
        slip_two_parameter_destroy(p);
    }
}

static void wrong_input(void **state)
{
    (void)state;
    static const struct {
        const char *plane, *text;
    } list[] = { { "r=0.6:0.9", "needs NAME=FROM:TO:COUNT" },
                 { "r=0.6:0.6:5", "different ends" },
                 { "r=0.6:0.9:1", "2 to 1000 values" },
                 { "r=0.6:0.9:2x", "needs NAME" },
                 { NULL, "needs NAME" },
                 { "q=0.6:0.9:3", "q" },
                 { "w=0.6:0.9:3", "the first parameter already" } };
    slip_model *model = read_model("", oscillator, "", ";");
    const slip_cycle_def def = forced();
    slip_cycle_along along = slip_default_cycle_along();
    along.along = "w=1.7:2";
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        slip_error error = { 0 };
        slip_two_parameter_diagram *plane = NULL;
        assert_int_not_equal(slip_cycle_two_parameter(model, &def, &along, list[k].plane, &error, &plane),
                             SLIP_OK);
        assert_null(plane);
        assert_string_equal(error.where, "two-parameter");
        if (!strstr(error.text, list[k].text)) print_error("%s\n", error.text);
        assert_non_null(strstr(error.text, list[k].text));
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_and_grazing), cmocka_unit_test(doublings),   cmocka_unit_test(out_of_range),
        cmocka_unit_test(contact_problems),  cmocka_unit_test(wrong_input), cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
