/// maps.c: domains of behaviour of Painleve's rod (Gomez 2008, Figs 2.7 and 2.8), point by point and at
/// borders.
#include "gomez/helper.h"

#include "slipstick/domain_map.h"

static slip_domain_map *rod_map(const json_t *known, const slip_domain_axis axis[2], slip_model **model)
{
    json_t *F = json_object_get(known, "F");
    char sets[200];
    slip_error error = { 0 };
    slip_domain_map *map = NULL;
    // gravity is -1 of F_y; the rest is the control
    snprintf(sets, sizeof sets, "eps=%.17g;mu=%.17g;F_x=%.17g;F_y=%.17g;F_th=%.17g", number(known, "eps"),
             number(known, "mu"), item(F, 0), item(F, 1) + 1.0, item(F, 2));
    *model = load("painleve-rod", sets);
    slip_status status = slip_domain_map_create(*model, axis, &error, &map);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return map;
}

static const double degree = 3.14159265358979323846 / 180;

static void every_point_of_the_maps(void **state)
{
    (void)state;
    const char *names[] = { "map_classical", "map_classical15", "map_control", "map_control_negative" };
    json_t *facts = read_facts();
    for (int k = 0; k < 4; k++) {
        json_t *known = json_object_get(facts, names[k]), *speeds = json_object_get(known, "thetadot"),
               *angles = json_object_get(known, "theta_deg");
        slip_domain_axis axis[2] = { { "th", 0.1, 3.0, 30 }, { "th'", -3, 3, 3 } };
        slip_model *model;
        slip_domain_map *map = rod_map(known, axis, &model);
        for (size_t j = 0; j < json_array_size(speeds); j++) {
            const char *row = json_string_value(json_array_get(json_object_get(known, "classes"), j));
            const char *counts =
                json_string_value(json_array_get(json_object_get(known, "lcp_solution_count"), j));
            for (size_t i = 0; i < json_array_size(angles); i++) {
                slip_domain_point p =
                    slip_domain_map_evaluate(map, item(angles, i) * degree, item(speeds, j));
                assert_int_equal("ABC-"[p.domain], row[i]);
                assert_int_equal(p.solutions, counts[i] - '0');
            }
        }
        json_t *theta_c = json_object_get(known, "theta_c");
        slip_domain_border borders[8];
        int count = slip_domain_map_borders(map, 0.0, borders, 8), found = 0;
        for (int b = 0; b < count && b < 8; b++) {
            bool none = borders[b].before == SLIP_DOMAIN_NONE || borders[b].after == SLIP_DOMAIN_NONE;
            for (size_t c = 0; c < 2 && none; c++) found += fabs(borders[b].at - item(theta_c, c)) < 1e-10;
            json_t *theta_v = json_object_get(known, "theta_v");
            if (json_is_number(theta_v) && !none)
                assert_near(borders[b].at, json_number_value(theta_v), 1e-10);
        }
        assert_true(found >= 1); // with a torque one of the two may lie where the contact vanishes
        if (k < 3) assert_int_equal(found, 2);
        slip_domain_map_destroy(map);
        slip_model_destroy(model);
    }
    json_decref(facts);
}

// above |th'| = thetadot_v the contact vanishes
static void the_speed_at_which_it_vanishes(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *known = json_object_get(facts, "map_classical"), *one;
    slip_domain_axis axis[2] = { { "th'", 0.0, 3.0, 40 }, { "th", 0.1, 3.0, 3 } };
    slip_model *model;
    slip_domain_map *map = rod_map(known, axis, &model);
    size_t k;
    json_array_foreach(json_object_get(known, "thetadot_v"), k, one)
    {
        slip_domain_border border[4];
        int count = slip_domain_map_borders(map, number(one, "theta_deg") * degree, border, 4);
        assert_int_equal(count, 1);
        assert_near(border[0].at, number(one, "value"), 1e-8); // to where an acceleration is told from zero
        assert_int_equal(border[0].after, SLIP_DOMAIN_VANISHES);
    }
    slip_domain_map_destroy(map);
    slip_model_destroy(model);
    json_decref(facts);
}

// the paradox begins at mu_c = 2 sqrt(eps (1 + eps))
static void the_critical_friction(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    size_t k;
    json_array_foreach(json_object_get(facts, "critical_mu"), k, one) for (int above = 0; above < 2; above++)
    {
        char sets[120];
        slip_error error;
        slip_domain_map *map = NULL;
        snprintf(sets, sizeof sets, "eps=%.17g;mu=%.17g", number(one, "eps"),
                 number(one, "mu_c") * (above ? 1 + 1e-9 : 1 - 1e-9));
        slip_model *model = load("painleve-rod", sets);
        slip_domain_axis axis[2] = { { "th", 0.1, 3.0, 3 }, { "th'", 0, 1, 1 } };
        assert_int_equal(slip_domain_map_create(model, axis, &error, &map), SLIP_OK);
        slip_domain_point p = slip_domain_map_evaluate(map, number(one, "theta_at_mu_c"), 0.0);
        assert_int_equal(p.domain, above ? SLIP_DOMAIN_NONE : SLIP_DOMAIN_HOLDS);
        slip_domain_map_destroy(map);
        slip_model_destroy(model);
    }
    json_decref(facts);
}

static double critical(const char *name, const char *sets, double high, int after)
{
    slip_critical_def def = slip_default_critical_def();
    slip_critical found;
    slip_error error = { 0 };
    slip_model *model = load(name, sets);
    def.model = model, def.parameter = "mu", def.high = high;
    slip_status status = slip_find_critical(&def, &error, &found);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    assert_int_equal(found.before, 1);
    assert_int_equal(found.after, after);
    slip_model_destroy(model);
    return found.at;
}

// at an angle A = eps + cos(th) (cos(th) - mu sin(th)) changes its sign; least over all angles is mu_c
static void critical_friction_by_search(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    size_t k;
    char sets[120];
    json_array_foreach(json_object_get(facts, "critical_mu"), k, one)
    {
        snprintf(sets, sizeof sets, "eps=%.17g;th0=%.17g;thd0=0", number(one, "eps"),
                 number(one, "theta_at_mu_c"));
        assert_near(critical("painleve-rod", sets, 3.0, 0), number(one, "mu_c"), 1e-9);
    }
    json_decref(facts);
    for (double th = 0.3; th < 1.5; th += 0.2) {
        double c = cos(th), s = sin(th);
        snprintf(sets, sizeof sets, "eps=1/3;th0=%.17g;thd0=0", th);
        assert_near(critical("painleve-rod", sets, 9.0, 0), (1.0 / 3 + c * c) / (s * c), 1e-9);
    }
    double c = cos(0.9), s = sin(0.9); // turning fast it may also leave: two solutions instead of none
    assert_near(critical("painleve-rod", "th0=0.9;thd0=3", 3.0, 2), (1.0 / 3 + c * c) / (s * c), 1e-9);
}

// mu_c = (eps + a^2)/(a b), section 2.9: 5/3 for the square, where eps = 1/3 and a^2 = b^2 = 1/2
static void the_block_jams(void **state)
{
    (void)state;
    assert_near(critical("sliding-block", "", 3.0, 0), 5.0 / 3.0, 1e-9);
    double a = 2 / sqrt(5), b = 1 / sqrt(5);
    assert_near(critical("sliding-block", "w=2", 4.0, 0), (1.0 / 3 + a * a) / (a * b), 1e-9);
}

// any parameter will do: the critical angle of mu = 2
static void the_critical_angle(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *known = json_object_get(facts, "map_classical");
    slip_critical_def def = slip_default_critical_def();
    slip_critical found;
    slip_error error = { 0 };
    slip_model *model = load("painleve-rod", "thd0=0");
    def.model = model;
    def.parameter = "th0", def.low = 0.1, def.high = 1.2;
    assert_int_equal(slip_find_critical(&def, &error, &found), SLIP_OK);
    assert_near(found.at, item(json_object_get(known, "theta_c"), 0), 1e-9);
    slip_model_destroy(model);
    json_decref(facts);
}

static void what_a_search_refuses(void **state)
{
    (void)state;
    slip_critical_def def = slip_default_critical_def();
    slip_critical found;
    slip_error error = { 0 };
    slip_model *model = load("painleve-rod", ""), *open = load("painleve-rod", "coordinates.y.start=3");
    def.parameter = "mu";
    assert_int_equal(slip_find_critical(&def, &error, &found), SLIP_BAD_ARGUMENT);
    def.model = model, def.parameter = "nu";
    assert_int_not_equal(slip_find_critical(&def, &error, &found), SLIP_OK);
    def.parameter = "mu", def.low = 1.0;
    assert_int_equal(slip_find_critical(&def, &error, &found), SLIP_BAD_ARGUMENT);
    def.low = 0.0;
    assert_int_equal(slip_find_critical(&def, &error, &found), SLIP_OK);
    assert_true(isnan(found.at) && found.before == 1 && found.after == 1);
    def.model = open;
    assert_int_equal(slip_find_critical(&def, &error, &found), SLIP_UNSUPPORTED);
    slip_model_destroy(model), slip_model_destroy(open);
}

static void what_a_map_refuses(void **state)
{
    (void)state;
    slip_model *model = load("painleve-rod", "");
    slip_error error;
    slip_domain_map *map = NULL;
    slip_domain_axis wrong[2] = { { "theta", 0, 1, 3 }, { "th'", 0, 1, 3 } },
                     empty[2] = { { "th", 1, 0, 3 }, { "th'", 0, 1, 3 } };
    assert_int_equal(slip_domain_map_create(model, wrong, &error, &map), SLIP_UNKNOWN_NAME);
    assert_int_equal(slip_domain_map_create(model, empty, &error, &map), SLIP_BAD_ARGUMENT);
    slip_model_destroy(model);
    model = load("painleve-rod", "coordinates.y.start=3");
    slip_domain_axis axis[2] = { { "th", 0.1, 1, 3 }, { "th'", 0, 1, 3 } };
    assert_int_equal(slip_domain_map_create(model, axis, &error, &map), SLIP_UNSUPPORTED);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_of_the_maps), cmocka_unit_test(the_speed_at_which_it_vanishes),
        cmocka_unit_test(the_critical_friction),   cmocka_unit_test(critical_friction_by_search),
        cmocka_unit_test(the_block_jams),          cmocka_unit_test(the_critical_angle),
        cmocka_unit_test(what_a_search_refuses),   cmocka_unit_test(what_a_map_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
