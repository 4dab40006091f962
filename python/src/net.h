/// net.h: a network as the extension holds it, and what adds components to it.
#ifndef SLIPSTICK_BINDING_NET_H
#define SLIPSTICK_BINDING_NET_H

#include "binding.h"

typedef struct net net;

/// Numbers of a ready-made component.
typedef union net_data {
    double mass;
    slip_rigid_body body;
    slip_spring_damper spring;
    slip_plane_contact plane;
} net_data;

/// One component, as the network knows it.
typedef struct component {
    net *owner;
    slip_admittance moves; ///< of a component in Python
    slip_impedance pushes;
    PyObject *call, *motion; ///< its functions; NULL for components in C
    net_data data;           ///< `self` of ready-made components
    slip_friction_law *law;
    int states, outputs;
} component;

struct net {
    PyObject_HEAD slip_net *net;
    component **components; ///< by number
    int count;
    bool ready, busy;
    PyObject *raised[3]; ///< exception of a component in Python
};

PyObject *net_as_tuple(const double *numbers, int count);
void net_free_component(component *c);

// methods of the type; each returns the number of the component that it adds

PyObject *net_add_moving(PyObject *object, PyObject *args);  ///< an admittance in Python
PyObject *net_add_pushing(PyObject *object, PyObject *args); ///< an impedance in Python
PyObject *net_add_mass(PyObject *object, PyObject *args);
PyObject *net_add_body(PyObject *object, PyObject *args);
PyObject *net_add_spring(PyObject *object, PyObject *args);
PyObject *net_add_plane(PyObject *object, PyObject *args);
PyObject *net_add_law(PyObject *object, PyObject *args);
PyObject *net_add_input(PyObject *object, PyObject *args);

#endif
