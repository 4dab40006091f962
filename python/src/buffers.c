/// buffers.c: numbers in C memory as a buffer, which numpy shows without a copy; and numbers of numpy in C.
#include <stdlib.h>
#include <string.h>

#include "binding.h"

enum { ITEM = sizeof(double) };

typedef struct block {
    PyObject_HEAD double *data;
    Py_ssize_t shape[2], strides[2];
    int dimensions;
} block;

PyTypeObject *bind_block_type;

PyObject *bind_block(double *data, Py_ssize_t rows, Py_ssize_t columns)
{
    block *self = PyObject_New(block, bind_block_type);
    if (!self) {
        free(data);
        return NULL;
    }
    self->data = data;
    self->dimensions = columns > 0 ? 2 : 1;
    self->shape[0] = rows, self->shape[1] = columns;
    self->strides[0] = (columns > 0 ? columns : 1) * ITEM, self->strides[1] = ITEM;
    return (PyObject *)self;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    static char doubles[] = "d";
    static double nothing[1];
    block *self = (block *)object;
    (void)flags; // it is contiguous, and says all it knows
    const Py_ssize_t count = self->shape[0] * (self->dimensions == 2 ? self->shape[1] : 1);
    *view = (Py_buffer){ .buf = self->data ? self->data : nothing,
                         .obj = Py_NewRef(object),
                         .len = count * ITEM,
                         .itemsize = ITEM,
                         .ndim = self->dimensions,
                         .format = doubles,
                         .shape = self->shape,
                         .strides = self->strides };
    return 0;
}

static void destroy(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    free(((block *)object)->data);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, (void *)destroy },
    { Py_bf_getbuffer, (void *)get_buffer },
    { Py_tp_doc, (void *)"Numbers in memory of the library: numpy.asarray() shows them without a copy." },
    { 0, NULL },
};

PyType_Spec bind_block_spec = { .name = "slipstick._core.Block",
                                .basicsize = (int)sizeof(block),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                .slots = slots };

// ------------------------------------------------------------------------------- numbers handed in

static void *take_buffer(PyObject *object, const char *what, const char *formats, size_t item,
                         const char *wanted, Py_buffer *buffer, Py_ssize_t *count)
{
    if (PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        PyErr_Format(PyExc_TypeError, "%s: a contiguous array of %s is needed", what, wanted);
        return NULL;
    }
    const char *format = buffer->format ? buffer->format : "B";
    if (*format == '@' || *format == '=' || *format == '<') format++;
    if (!*format || format[1] || !strchr(formats, *format) || buffer->itemsize != (Py_ssize_t)item) {
        PyErr_Format(PyExc_TypeError, "%s: a contiguous array of %s is needed", what, wanted);
        PyBuffer_Release(buffer);
        return NULL;
    }
    *count = buffer->len / buffer->itemsize;
    return buffer->buf;
}

double *bind_doubles(PyObject *object, const char *what, Py_buffer *buffer, Py_ssize_t *count)
{
    return take_buffer(object, what, "d", sizeof(double), "float64", buffer, count);
}

int *bind_ints(PyObject *object, const char *what, Py_buffer *buffer, Py_ssize_t *count)
{
    return take_buffer(object, what, "il", sizeof(int), "int32", buffer, count);
}

const char **bind_words(PyObject *list, const char *what, int *count)
{
    const Py_ssize_t length = PySequence_Size(list);
    if (length < 0 || length > INT_MAX) return NULL;
    const char **words = malloc(((size_t)length + 1) * sizeof *words);
    if (!words) return PyErr_NoMemory(), NULL;
    for (Py_ssize_t k = 0; k < length; k++) {
        PyObject *item = PySequence_GetItem(list, k);
        words[k] = item && PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        Py_XDECREF(item); // the list holds it
        if (words[k]) continue;
        if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%s: a list of str is needed", what);
        free(words);
        return NULL;
    }
    *count = (int)length;
    return words;
}
