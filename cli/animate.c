/// animate.c: slipstick animate OUT.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "output_files.h"
#include "platform/cli_platform.h"
#include "slipstick/plot.h"
#include "terminal.h"
#include "plot_args.h"

static const cli_option options[] = {
    { "from", 0, CLI_OPTION_TEXT, "T", "begin at T", NULL },
    { "to", 0, CLI_OPTION_TEXT, "T", "end at T", NULL },
    { "seconds", 0, CLI_OPTION_TIME, "S", "length of the animation (as long as the run, 2 to 20 s)", NULL },
    { "rate", 'r', CLI_OPTION_NUMBER, "N", "frames per second (25)", NULL },
    { "size", 0, CLI_OPTION_TEXT, "WxH", "pixels (640x480)", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "FILE",
      "write .svg, .glb, .gif or .mp4 there, the latter two with ffmpeg (OUT/film.svg)", "file" },
    { "gltf", 0, CLI_OPTION_FLAG, NULL, "glTF 2.0 for Blender and other viewers (OUT/film.glb)", NULL },
    { "set", 0, CLI_OPTION_LIST, "PATH=VALUE",
      "override a parameter or any key of the model, on top of those of OUT", NULL },
    CLI_OPTION_ALLOW,
    { 0 },
};

static const char *end_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : "";
}

static bool is_video(const char *path)
{
    return strcmp(end_of(path), ".gif") == 0 || strcmp(end_of(path), ".mp4") == 0;
}

static bool is_gltf(const char *path)
{
    return strcmp(end_of(path), ".glb") == 0;
}

static bool read_def(const cli_args *args, slip_animation_def *def)
{
    *def = slip_default_animation_def();
    def->seconds = cli_args_number(args, "seconds", def->seconds);
    def->rate = cli_args_number(args, "rate", def->rate);
    const char *path = cli_args_text(args, "output");
    if (path && strcmp(end_of(path), ".svg") != 0 && !is_video(path) && !is_gltf(path)) {
        cli_report_usage(args, "%.200s: an animation ends in .svg, .glb, .gif or .mp4", path);
        return false;
    }
    if (path && cli_args_has(args, "gltf") && !is_gltf(path)) {
        cli_report_usage(args, "%.200s: --gltf writes files that end in .glb", path);
        return false;
    }
    return cli_view_times(args, &def->from, &def->to) && cli_view_size(args, &def->width, &def->height);
}

// ------------------------------------------------------------------------------------------- ffmpeg

// frames go to a program that reads them from its standard input; it is found along PATH
static cli_child *start_ffmpeg(const slip_animation *animation, const char *path)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", slip_animation_width(animation), slip_animation_height(animation));
    snprintf(rate, sizeof rate, "%g", slip_animation_rate(animation));
    bool gif = strcmp(end_of(path), ".gif") == 0;
    char *const arguments[] = { "ffmpeg",
                                "-loglevel",
                                "error",
                                "-y",
                                "-f",
                                "rawvideo",
                                "-pix_fmt",
                                "rgb24",
                                "-s",
                                size,
                                "-r",
                                rate,
                                "-i",
                                "-",
                                gif ? "-vf" : "-pix_fmt",
                                gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse" : "yuv420p",
                                (char *)path,
                                NULL };
    return cli_child_start(arguments);
}

static int write_video(const slip_animation *animation, const char *path)
{
    size_t bytes = 3 * (size_t)slip_animation_width(animation) * (size_t)slip_animation_height(animation);
    unsigned char *rgb = malloc(bytes);
    if (!rgb) {
        cli_complain("out of memory");
        return CLI_EXIT_EARLY;
    }
    cli_child *child = start_ffmpeg(animation, path);
    if (!child) {
        cli_complain("%s: %s animations are made by ffmpeg, which could not be started; .svg needs nothing",
                     path, end_of(path));
        free(rgb);
        return CLI_EXIT_EARLY;
    }
    bool fine = true;
    for (int k = 0; k < slip_animation_frame_count(animation) && fine; k++)
        fine = slip_animation_pixels(animation, k, rgb) && cli_child_write(child, rgb, bytes);
    free(rgb);
    if (cli_child_end(child) && fine) return CLI_EXIT_DONE;
    cli_complain("%s: ffmpeg did not write it", path);
    return CLI_EXIT_EARLY;
}

// --------------------------------------------------------------------------------------------- animation

static int write_animation(const slip_animation *animation, const char *path)
{
    slip_error error = { 0 };
    int code = CLI_EXIT_DONE;
    if (is_video(path))
        code = write_video(animation, path);
    else if ((is_gltf(path) ? slip_animation_write_gltf : slip_animation_write)(path, animation, &error) !=
             SLIP_OK)
        code = cli_report_error(false, &error);
    if (code == CLI_EXIT_DONE)
        fprintf(stderr, "%s: %d frames, %g s\n", cli_shown(path, (char[4200]){ 0 }, 4200),
                slip_animation_frame_count(animation),
                slip_animation_frame_count(animation) / slip_animation_rate(animation));
    return code;
}

static int animate_model(const slip_model *model, slip_sim_def sim_def, const slip_animation_def *def,
                         const char *path)
{
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    slip_animation *animation = NULL;
    sim_def.draw = true;
    slip_status status = slip_sim_create(model, &sim_def, &error, &sim);
    if (status == SLIP_OK) status = slip_animation_create(sim, model, def, &error, &animation);
    int code = status == SLIP_OK ? write_animation(animation, path) : cli_report_error(false, &error);
    slip_animation_destroy(animation);
    slip_sim_destroy(sim);
    return code;
}

// overrides of the run, then those of the command line
static slip_model *load(const cli_args *args, const slip_run_source *source)
{
    const cli_value *given = cli_args_value(args, "set");
    cli_value all = { .count = source->set_count + given->count };
    all.list = calloc((size_t)all.count + 1, sizeof *all.list);
    if (!all.list) {
        cli_complain("out of memory");
        return NULL;
    }
    for (int k = 0; k < source->set_count; k++) all.list[k] = source->sets[k];
    for (int k = 0; k < given->count; k++) all.list[source->set_count + k] = given->list[k];
    slip_model *model =
        cli_model_load(args, source->file ? source->file : args->operands[0], &all, false, false);
    free(all.list);
    return model;
}

static int animate(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(
            args, "%s",
            args->operand_count
                ? "one animation at a time"
                : "nothing to animate: slipstick animate OUT, where 'slipstick run -o OUT' wrote");
    slip_animation_def def;
    if (!read_def(args, &def)) return CLI_EXIT_BAD;
    slip_error error = { 0 };
    slip_run_source source = { .def = slip_default_sim_def() };
    bool directory = cli_is_folder(args->operands[0]);
    char path[4200];
    snprintf(path, sizeof path, "%.4000s%sfilm.%s", directory ? args->operands[0] : "", directory ? "/" : "",
             cli_args_has(args, "gltf") ? "glb" : "svg");
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    if (directory && slip_run_source_read(args->operands[0], &error, &source) != SLIP_OK)
        return cli_report_error(false, &error);
    slip_model *model = load(args, &source);
    const char *output = cli_args_text(args, "output");
    int code = model ? animate_model(model, source.def, &def, output ? output : path) : CLI_EXIT_BAD;
    slip_model_destroy(model);
    slip_run_source_free(&source);
    return code;
}

const cli_command cli_command_animate = {
    .name = "animate",
    .operands = "OUT",
    .summary = "an animation of a run: animated SVG, glTF, GIF or MP4",
    .about = "OUT is the directory that 'slipstick run -o' wrote, or a model. The run is repeated with the "
             "settings\nin OUT/summary.json, so that contact forces are shown too; the model file must still "
             "be where it was.\n"
             "Arrows are green where a contact sticks and orange where it slips.",
    .examples = "slipstick animate out # writes out/film.svg, which a browser plays\n"
                "slipstick animate out --from 0.1 --to 0.2 --seconds 10 -o slow.svg # slow motion\n"
                "slipstick animate out --gltf # writes out/film.glb, which Blender opens\n"
                "slipstick animate classics/woodpecker -o woodpecker.gif # needs ffmpeg\n",
    .options = options,
    .run = animate,
};
