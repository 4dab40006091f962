/// output/plot/run_source.c: how a run was made, out of its summary.json.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "base/status.h"
#include "base/atomic_file.h"
#include "slipstick/plot.h"
#include "output/plot/run_table.h"

static void read_sets(slip_run_source *s, const char *list)
{
    while (slip_json_item(list, s->set_count)) s->set_count++;
    s->sets = calloc((size_t)s->set_count + 1, sizeof *s->sets);
    for (int k = 0; s->sets && k < s->set_count; k++)
        s->sets[k] = slip_json_read_text(slip_json_item(list, k));
}

static void read_settings(slip_run_source *s, const char *json)
{
    const char *settings = slip_json_member(json, "settings");
    s->def = slip_default_sim_def();
    s->def.formulation = s->words[0] = slip_json_read_text(slip_json_member(json, "formulation"));
    s->def.integrator = s->words[1] = slip_json_read_text(slip_json_member(json, "integrator"));
    s->def.solver = s->words[2] = slip_json_read_text(slip_json_member(json, "solver"));
    s->def.branch = s->words[3] = slip_json_read_text(slip_json_member(settings, "branch"));
    s->def.on_disagreement = s->words[4] = slip_json_read_text(slip_json_member(settings, "on_disagreement"));
    s->def.step = slip_json_read_number(slip_json_member(json, "step"));
    s->def.until = slip_json_read_number(slip_json_member(json, "until"));
    s->def.max_step = slip_json_read_number(slip_json_member(settings, "max_step"));
    s->def.relative = slip_json_read_number(slip_json_member(settings, "relative"));
    s->def.absolute = slip_json_read_number(slip_json_member(settings, "absolute"));
}

slip_status slip_run_source_read(const char *directory, slip_error *error, slip_run_source *s)
{
    char path[4200];
    *s = (slip_run_source){ .def = slip_default_sim_def() };
    snprintf(path, sizeof path, "%.4000s/summary.json", directory);
    char *json = slip_file_read_text(path, error);
    if (!json) return SLIP_IO;
    s->file = slip_json_read_text(slip_json_member(json, "file"));
    read_sets(s, slip_json_member(slip_json_member(json, "settings"), "set"));
    read_settings(s, json);
    free(json);
    bool fine = s->file && s->sets && s->def.formulation;
    for (int k = 0; fine && k < s->set_count; k++) fine = s->sets[k] != NULL;
    if (fine) return SLIP_OK;
    slip_run_source_free(s);
    return slip_fail(error, SLIP_BAD_ARGUMENT, path,
                     "is not the summary of a run: it has no file and formulation");
}

void slip_run_source_free(slip_run_source *s)
{
    for (int k = 0; k < s->set_count && s->sets; k++) free(s->sets[k]);
    for (int k = 0; k < SLIP_RUN_SOURCE_STRINGS; k++) free(s->words[k]);
    free(s->sets);
    free(s->file);
    *s = (slip_run_source){ 0 };
}
