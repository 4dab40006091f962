/// module.c: the module slipstick._core.
#include "binding.h"

static bool make_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type && PyModule_AddType(module, *type) == 0;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "slipstick._core",
    "The C library as the package uses it.",
    -1,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = bind_errors_find() ? PyModule_Create(&definition) : NULL;
    bool good = module && make_type(module, &bind_block_spec, &bind_block_type) &&
                make_type(module, &bind_model_spec, &bind_model_type) &&
                make_type(module, &bind_sim_spec, &bind_sim_type) &&
                make_type(module, &bind_net_spec, &bind_net_type);
    PyMethodDef *const tables[] = { bind_model_methods, bind_study_methods, bind_sweep_methods,
                                    bind_fit_methods,   bind_many_methods,  bind_search_methods,
                                    bind_solve_methods, bind_other_methods, bind_export_methods };
    for (size_t k = 0; good && k < sizeof tables / sizeof *tables; k++)
        good = PyModule_AddFunctions(module, tables[k]) == 0;
    if (!good) Py_CLEAR(module);
    return module;
}
