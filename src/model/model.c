/// model/model.c: what a finished model tells about itself.
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "model/model.h"

bool slip_model_start(slip_model *model)
{
    model->origin = model;
    model->pool = slip_pool_create();
    model->graph = slip_graph_create();
    model->users = model->pool ? SLIP_POOL_NEW(model->pool, atomic_int, 1) : NULL;
    if (model->users) atomic_init(model->users, 1);
    return model->users && model->graph;
}

slip_model *slip_model_retain_origin(const slip_model *model)
{
    atomic_fetch_add(model->origin->users, 1);
    return model->origin;
}

void slip_model_destroy(slip_model *model)
{
    if (!model) return;
    slip_model *origin = model->origin;
    if (model != origin) { // a variation: what it does not share stands behind it in one block
        slip_graph_destroy(model->graph);
        free(model);
    }
    if (origin->users && atomic_fetch_sub(origin->users, 1) > 1) return;
    slip_graph_destroy(origin->graph);
    slip_pool_destroy(origin->pool);
    free(origin);
}

const char *slip_model_name(const slip_model *model)
{
    return model->name;
}
const char *slip_model_about(const slip_model *model)
{
    return model->about;
}
int slip_model_file_count(const slip_model *model)
{
    int count = 1;
    for (const slip_included *k = model->included; k; k = k->next) count++;
    return count;
}

const char *slip_model_file_at(const slip_model *model, int k)
{
    if (k <= 0) return k == 0 ? slip_model_file(model) : NULL;
    const slip_included *file = model->included;
    while (file && --k > 0) file = file->next;
    return file ? file->file.name : NULL;
}

const char *slip_model_file(const slip_model *model)
{
    return model->sources[0].name;
}

const char *slip_model_text(const slip_model *model, size_t *length)
{
    if (length) *length = (size_t)model->sources[0].length;
    return model->sources[0].text;
}

const char *slip_model_kind(const slip_model *model)
{
    return model->type == SLIP_INCLUSION ? "inclusion" : "mechanics";
}

int slip_model_coordinate_count(const slip_model *model)
{
    return model->coordinate_count;
}

int slip_model_mass_coordinate_count(const slip_model *model)
{
    return model->mass_coordinate_count;
}

const char *slip_model_coordinate_name(const slip_model *model, int k)
{
    return k >= 0 && k < model->coordinate_count ? model->coordinates[k].name : NULL;
}

int slip_model_parameter_count(const slip_model *model)
{
    return model->parameter_count;
}

const char *slip_model_parameter_name(const slip_model *model, int k)
{
    return k >= 0 && k < model->parameter_count ? model->parameters[k].name : NULL;
}

double slip_model_parameter_value(const slip_model *model, int k)
{
    return k >= 0 && k < model->parameter_count ? model->parameters[k].value : NAN;
}

const char *slip_model_parameter_unit(const slip_model *model, int k)
{
    return k >= 0 && k < model->parameter_count ? model->parameters[k].unit : "";
}

int slip_model_distribution_count(const slip_model *model)
{
    return model->spread_count;
}

slip_distribution slip_model_distribution(const slip_model *model, int k)
{
    return k >= 0 && k < model->spread_count ? model->spreads[k] : (slip_distribution){ 0 };
}

char *slip_model_json(const slip_model *model, const char *description)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_open(&json, "model", '{');
    slip_json_text(&json, "name", model->name);
    slip_json_text(&json, "kind", slip_model_kind(model));
    slip_json_text(&json, "file", slip_model_file(model));
    slip_json_text(&json, "about", model->about);
    slip_json_close(&json, '}');
    slip_json_open(&json, "parameters", '{');
    for (int k = 0; k < model->parameter_count; k++)
        slip_json_number(&json, model->parameters[k].name, model->parameters[k].value);
    slip_json_close(&json, '}');
    slip_json_open(&json, "units", '{');
    for (int k = 0; k < model->parameter_count; k++)
        if (model->parameters[k].unit[0])
            slip_json_text(&json, model->parameters[k].name, model->parameters[k].unit);
    slip_json_close(&json, '}');
    if (description) slip_json_text(&json, "description", description);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
