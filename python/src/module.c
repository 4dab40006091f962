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
                PyModule_AddFunctions(module, bind_model_methods) == 0 &&
                PyModule_AddFunctions(module, bind_other_methods) == 0;
    if (!good) Py_CLEAR(module);
    return module;
}
