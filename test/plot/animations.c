/// films.c: frames of an animation are where the motion is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "scratch.h"
#include "slipstick/plot.h"
#include "output/plot/animation.h"
#include "output/plot/projected_solids.h"

static const char falling[] = "slipstick: 1\nname: A <b> that falls\ncoordinates: {y: 1}\n"
                              "energy: {kinetic: \"0.5*y'^2\", potential: 10*y}\n"
                              "contacts: {floor: {gap: y}}\n"
                              "draw: {ground: {line: [[-1, 0], [1, 0]]}, ball: {circle: [0, y, 0.1]}}\n"
                              "run: {until: 0.4}\n";

static slip_model *model; // of the last film, which needs it

static slip_animation *film_of(const char *text, const slip_animation_def *def, slip_error *error)
{
    slip_model_destroy(model);
    model = read_model("", text, "", ";");
    slip_sim_def settings = slip_default_sim_def();
    settings.draw = true;
    slip_sim *sim = make_sim(model, &settings);
    slip_animation *film = NULL;
    slip_animation_create(sim, model, def, error, &film);
    slip_sim_destroy(sim);
    if (film) { // it goes on without the simulation
        unsigned char *rgb =
            malloc(3 * (size_t)slip_animation_width(film) * (size_t)slip_animation_height(film));
        assert_true(slip_animation_pixels(film, 0, rgb));
        int dark = 0;
        for (int k = 0; k < slip_animation_width(film) * slip_animation_height(film); k++)
            dark += rgb[3 * k] < 128;
        assert_true(dark > 20);
        free(rgb);
        assert_int_equal(slip_animation_write(scratch_path(".svg"), film, error), SLIP_OK);
    }
    return film;
}

static int drop_model(void **state)
{
    (void)state;
    slip_model_destroy(model);
    return 0;
}

static void frames_are_where_the_motion_is(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_animation_def def = slip_default_animation_def();
    def.seconds = 2.0, def.rate = 10.0, def.from = 0.1;
    slip_animation *film = film_of(falling, &def, &error);
    if (!film) fail_msg("%s: %s", error.where, error.text);
    assert_int_equal(slip_animation_frame_count(film), 20);
    for (int k = 0; k < 20; k++) {
        double t = 0.1 + 0.3 * k / 19.0, lowest = INFINITY;
        assert_near(film->time[k], t, 1e-12);
        // one of the numbers of a frame is y
        for (int i = 0; i < film->drawing.width; i++)
            lowest = fmin(lowest, fabs(film->value[k * film->drawing.width + i] - (1.0 - 5.0 * t * t)));
        assert_near(lowest, 0.0, 1e-6);
    }
    slip_animation_destroy(film);
    char text[4096];
    FILE *file = fopen(scratch_path(".svg"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    remove(scratch_path(".svg"));
    assert_non_null(strstr(text, "A &#60;b&#62; that falls"));
    assert_non_null(strstr(text, "<animate attributeName=\"d\" dur=\"2s\""));
}

static void wishes_out_of_reach_are_refused(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_animation_def def = slip_default_animation_def();
    def.to = 5.0;
    assert_null(film_of(falling, &def, &error));
    assert_non_null(strstr(error.text, "outside the run"));
    def = slip_default_animation_def(), def.rate = 1e6;
    assert_null(film_of(falling, &def, &error));
    def = slip_default_animation_def(), def.height = 64; // the foot would take all of it
    assert_null(film_of(falling, &def, &error));
    assert_non_null(strstr(error.text, "not the size of an animation"));
    assert_null(film_of("slipstick: 1\nname: bare\ncoordinates: {y: 1}\nmass: {y: 1}\nrun: {until: 1}\n",
                        NULL, &error));
    assert_int_equal(error.status, SLIP_UNSUPPORTED);
}

// also in the smallest film
static void what_falls_moves_down(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_animation_def def = slip_default_animation_def();
    def.width = def.height = 120;
    slip_animation *film = film_of(falling, &def, &error);
    remove(scratch_path(".svg"));
    if (!film) fail_msg("%s: %s", error.where, error.text);
    double y[2] = { NAN, NAN };
    for (int k = 0; k < 2; k++) {
        slip_picture picture = { 0 };
        slip_animation_draw_frame(film, k ? slip_animation_frame_count(film) - 1 : 0, &picture);
        for (int i = 0; i < picture.mark_count; i++)
            if (picture.marks[i].kind == SLIP_MARK_CIRCLE && picture.marks[i].pen.fill == SLIP_INK_BODY_FILL)
                y[k] = picture.xy[2 * picture.marks[i].first + 1];
        slip_picture_destroy(&picture);
    }
    assert_true(y[0] >= 0.0 && y[1] <= 120.0 && y[1] > y[0] + 5.0); // y of SVG points down
    slip_animation_destroy(film);
}

// a unit box seen from anywhere is a hexagon; every corner is within its outline, and so are its inner edges
static void outlines_hold_their_solid(void **state)
{
    (void)state;
    const double half = 0.7071067811865476;
    slip_drawn_shape box = { .kind = SLIP_DRAWN_BOX, .size_count = 3, .size = { 1, 2, 3 } };
    double frame[7] = { 0.5, -1, 2, half, 0, half, 0 }, xy[4 * SLIP_OUTLINE_POINTS], edges[8];
    int count = slip_project_outline(&box, frame, xy);
    assert_int_equal(count, 6);
    slip_project_box_edges(&box, frame, edges);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < count; i++) {
            const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % count), *p = edges + 2 * k;
            assert_true((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= -1e-9);
        }
    slip_drawn_shape ball = { .kind = SLIP_DRAWN_SPHERE, .size_count = 1, .size = { 2 } };
    double centre[2];
    slip_project_point(3, frame, centre);
    count = slip_project_outline(&ball, frame, xy);
    for (int k = 0; k < count; k++)
        assert_near(hypot(xy[2 * k] - centre[0], xy[2 * k + 1] - centre[1]), 2.0, 1e-9);
    frame[0] = NAN;
    assert_int_equal(slip_project_outline(&box, frame, xy), 0);
}

static unsigned word_at(const unsigned char *bytes, size_t at)
{
    return (unsigned)bytes[at] | (unsigned)bytes[at + 1] << 8 | (unsigned)bytes[at + 2] << 16 |
           (unsigned)bytes[at + 3] << 24;
}

// two chunks that fill the file to its stated length, and as many bytes in the second as its text says
static void a_gltf_file_is_a_container_of_text_and_bytes(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_animation_def def = slip_default_animation_def();
    slip_animation *film = film_of(falling, &def, &error);
    assert_non_null(film);
    const char *path = scratch_path(".glb");
    assert_int_equal(slip_animation_write_gltf(path, film, &error), SLIP_OK);
    slip_animation_destroy(film);
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    remove(path);
    const size_t text = word_at(bytes, 12);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(word_at(bytes, 4), 2);
    assert_int_equal(word_at(bytes, 8), length);
    assert_memory_equal(bytes + 16, "JSON", 4);
    assert_int_equal(text % 4, 0);
    assert_int_equal(20 + text + 8 + word_at(bytes, 20 + text), length);
    char expected[60];
    snprintf(expected, sizeof expected, "\"byteLength\": %u", word_at(bytes, 20 + text));
    bytes[20 + text] = '\0';
    assert_non_null(strstr((const char *)bytes + 20, expected));
    assert_non_null(strstr((const char *)bytes + 20, "\"translation\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gltf_file_is_a_container_of_text_and_bytes),
        cmocka_unit_test(frames_are_where_the_motion_is),
        cmocka_unit_test(wishes_out_of_reach_are_refused),
        cmocka_unit_test(what_falls_moves_down),
        cmocka_unit_test(outlines_hold_their_solid),
    };
    return cmocka_run_group_tests_name("films", tests, NULL, drop_model);
}
