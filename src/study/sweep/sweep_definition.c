/// study/sweep/sweep_definition.c: a definition that is the sweep's own, and its description.
#include <inttypes.h>
#include <string.h>

#include "base/checksum.h"
#include "model/model.h"
#include "slipstick_config.h"
#include "study/sweep/sweep.h"

// ------------------------------------------------------------------------------------------------- copy

static const char *copy_string(slip_pool *pool, const char *text, bool *fine)
{
    if (!text) return NULL;
    char *copy = slip_pool_text(pool, text, strlen(text));
    if (!copy) *fine = false;
    return copy;
}

static void *copy_array(slip_pool *pool, const void *from, size_t count, size_t size, bool *fine)
{
    if (count == 0) return NULL;
    void *copy = slip_pool_take(pool, count, size);
    if (!copy) *fine = false;
    return copy ? memcpy(copy, from, count * size) : NULL;
}

static bool is_same_key(const char *key, const char *parameter)
{
    static const char section[] = "parameters.";
    if (!key) return false;
    if (strncmp(key, section, sizeof section - 1) == 0) key += sizeof section - 1;
    return strcmp(key, parameter) == 0;
}

static bool is_varied(const slip_sweep_def *def, const char *parameter)
{
    bool varied = false;
    for (int k = 0; k < def->axis_count; k++) varied = varied || is_same_key(def->axes[k].key, parameter);
    for (int k = 0; k < def->table_columns; k++)
        varied = varied || is_same_key(def->table_keys[k], parameter);
    for (int k = 0; k < def->draw_count; k++) varied = varied || is_same_key(def->draws[k].key, parameter);
    return varied;
}

// those that are asked for, then those of the model
static void copy_draws(slip_pool *pool, const slip_sweep_def *from, slip_sweep_def *to, bool *fine)
{
    const int own = from->spreads && from->model ? slip_model_distribution_count(from->model) : 0;
    slip_distribution *draws = SLIP_POOL_NEW(pool, slip_distribution, from->draw_count + own + 1);
    to->draws = draws, to->draw_count = 0;
    *fine = *fine && draws;
    for (int k = 0; *fine && k < from->draw_count; k++) draws[to->draw_count++] = from->draws[k];
    for (int k = 0; *fine && k < own; k++) {
        const slip_distribution spread = slip_model_distribution(from->model, k);
        if (!is_varied(from, spread.key)) draws[to->draw_count++] = spread;
    }
    for (int k = 0; *fine && k < to->draw_count; k++) draws[k].key = copy_string(pool, draws[k].key, fine);
}

bool slip_sweep_copy_def(slip_pool *pool, const slip_sweep_def *from, slip_sweep_def *to)
{
    bool fine = true;
    *to = *from;
    to->sim.formulation = copy_string(pool, from->sim.formulation, &fine);
    to->sim.integrator = copy_string(pool, from->sim.integrator, &fine);
    to->sim.solver = copy_string(pool, from->sim.solver, &fine);
    to->sim.branch = copy_string(pool, from->sim.branch, &fine);
    to->sim.on_disagreement = copy_string(pool, from->sim.on_disagreement, &fine);
    to->directory = copy_string(pool, from->directory, &fine);
    to->section = copy_string(pool, from->section, &fine);
    slip_sweep_axis *axes = copy_array(pool, from->axes, (size_t)from->axis_count, sizeof *axes, &fine);
    for (int k = 0; fine && k < from->axis_count; k++) {
        axes[k].key = copy_string(pool, from->axes[k].key, &fine);
        axes[k].values = copy_array(pool, from->axes[k].values, (size_t)from->axes[k].count,
                                    sizeof *axes[k].values, &fine);
    }
    const char **keys = copy_array(pool, from->table_keys, (size_t)from->table_columns, sizeof *keys, &fine);
    for (int k = 0; fine && k < from->table_columns; k++) keys[k] = copy_string(pool, keys[k], &fine);
    to->axes = axes, to->table_keys = keys;
    copy_draws(pool, from, to, &fine);
    to->table = copy_array(pool, from->table, (size_t)(from->table_rows * from->table_columns),
                           sizeof *to->table, &fine);
    return fine;
}

// ------------------------------------------------------------------------------------------ description

static uint64_t sum_of(const double *values, long count)
{
    return slip_checksum(SLIP_CHECKSUM, (const char *)values, (size_t)count * sizeof *values);
}

static void describe_model(const slip_model *m, slip_text *text)
{
    slip_text_add(text, "version: %s\nmodel: %s\n", SLIP_VERSION, m->name);
    slip_text_add(text, "model file: checksum %016" PRIx64 "\n", slip_model_checksum(m));
    slip_text_add(text, "overrides:");
    for (int k = 1; k < m->source_count; k++) slip_text_add(text, " %s", m->sources[k].text);
    slip_text_add(text, "\n");
}

static const char *text_or_default(const char *text)
{
    return text ? text : "as the model says";
}

static void describe_settings(const slip_sim_def *def, slip_text *text)
{
    slip_text_add(text, "formulation: %s\nintegrator: %s\nsolver: %s\n", text_or_default(def->formulation),
                  text_or_default(def->integrator), text_or_default(def->solver));
    slip_text_add(text, "branch: %s\non-disagreement: %s\nstrict: %d\n", text_or_default(def->branch),
                  text_or_default(def->on_disagreement), def->strict);
    slip_text_add(text, "step: %.17g\nuntil: %.17g\nmax-step: %.17g\nrelative: %.17g\nabsolute: %.17g\n",
                  def->step, def->until, def->max_step, def->relative, def->absolute);
}

static void describe_points(const slip_sweep_def *def, slip_text *text)
{
    static const char *const draws[] = { "uniform", "normal", "log" };
    static const char *const samplings[] = { "random", "latin", "sobol" };
    for (int k = 0; k < def->axis_count; k++)
        slip_text_add(text, "over %s: %d values, checksum %016" PRIx64 "\n", def->axes[k].key,
                      def->axes[k].count, sum_of(def->axes[k].values, def->axes[k].count));
    for (int k = 0; k < def->table_columns; k++) slip_text_add(text, "points: %s\n", def->table_keys[k]);
    if (def->table_columns)
        slip_text_add(text, "points: %ld rows, checksum %016" PRIx64 "\n", def->table_rows,
                      sum_of(def->table, def->table_rows * def->table_columns));
    for (int k = 0; k < def->draw_count; k++)
        slip_text_add(text, "draw %s: %s %.17g %.17g\n", def->draws[k].key, draws[def->draws[k].kind],
                      def->draws[k].a, def->draws[k].b);
    slip_text_add(text, "random: %ld\nsampling: %s\nseed: %" PRIu64 "\nfollow: %d\n", def->samples,
                  samplings[def->sampling], def->seed, def->follow);
}

void slip_sweep_describe(const slip_sweep *sweep, slip_text *text)
{
    const slip_sweep_def *def = &sweep->def;
    slip_text_add(text, "slipstick sweep store 1\n");
    describe_model(def->model, text);
    describe_settings(&def->sim, text);
    describe_points(def, text);
    slip_text_add(text, "keep: %u\nafter: %.17g\nstrobe: %.17g\n", def->outputs, def->after, def->strobe);
    if (def->section)
        slip_text_add(text, "section: %s %.17g %d\n", def->section, def->section_at, def->section_direction);
    slip_text_add(text, "companion: %d\naccuracy: %.17g\nvalues:", def->companion, def->accuracy);
    for (int k = 0; k < sweep->width; k++) slip_text_add(text, " %s", sweep->value_name[k]);
    slip_text_add(text, "\n");
}
