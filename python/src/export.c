/// export.c: a model as a page of its own, as C source, or as an FMU.
#include <stdlib.h>

#include "binding.h"
#include "slipstick/export.h"
#include "slipstick/lab.h"

// lab(path)
static PyObject *lab(PyObject *module, PyObject *args)
{
    PyObject *model;
    const char *path;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!s", bind_model_type, &model, &path)) return NULL;
    const slip_lab_model entry = { .model = ((bind_model *)model)->model };
    slip_lab_def def = slip_default_lab_def();
    def.models = &entry, def.model_count = 1;
    return slip_lab_write(path, &def, &error) == SLIP_OK ? Py_NewRef(Py_None) : bind_raise(&error);
}

static PyObject *info_dict(const slip_export_info *info)
{
    return Py_BuildValue("{s:s,s:s,s:d,s:i,s:i,s:i,s:i}", "formulation", info->formulation, "integrator",
                         info->integrator, "step", info->step, "states", info->states, "parameters",
                         info->parameters, "outputs", info->outputs, "tested_steps", info->tested_steps);
}

// export(model, settings, fmi, path, name, fix, fix_structure): C source for fmi 0, else an FMU of that version
static PyObject *export_model(PyObject *module, PyObject *args)
{
    PyObject *model, *settings, *fix;
    const char *path, *name;
    int fmi, fix_structure;
    slip_sim_def sim;
    slip_solve_options options;
    slip_error error = { 0 };
    slip_export_info info;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!issOp", bind_model_type, &model, &PyDict_Type, &settings, &fmi, &path,
                          &name, &fix, &fix_structure) ||
        !bind_settings(settings, &sim, &options))
        return NULL;
    slip_export_def def = slip_default_export_def();
    const char **fixed = bind_words(fix, "fix", &def.fix_count);
    if (!fixed) return NULL;
    def.name = name, def.fix = fixed, def.fix_structure = fix_structure, def.fmi = fmi;
    const slip_model *m = ((bind_model *)model)->model;
    const slip_status status = fmi ? slip_export_fmu(m, &sim, &def, path, &info, &error)
                                   : slip_export_c(m, &sim, &def, path, &info, &error);
    free(fixed);
    return status == SLIP_OK ? info_dict(&info) : bind_raise(&error);
}

PyMethodDef bind_export_methods[] = {
    { "lab", lab, METH_VARARGS, NULL },
    { "export", export_model, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
