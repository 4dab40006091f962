// ODE (Open Dynamics Engine). Settings: quick (1: dWorldQuickStep, 0: dWorldStep), iterations (of QuickStep), erp, cfm, round
// (1: friction bounded by the normal force, dContactApprox1; 0: by a constant force, which no scene here means).
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

enum { MAX_CONTACTS = 8 };

typedef struct world {
    const scene *s;
    dWorldID id;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *bodies;
    bool quick;
    int mode;
} world;

static const char *version(void)
{
    return "0.16";
}

static dGeomID make_geom(dSpaceID space, const scene_body *b)
{
    const double *n = b->size, *x = b->start.x;
    if (b->shape == SHAPE_SPHERE) return dCreateSphere(space, n[0]);
    if (b->shape == SHAPE_BOX) return dCreateBox(space, n[0], n[1], n[2]);
    return dCreatePlane(space, n[0], n[1], n[2], n[0] * x[0] + n[1] * x[1] + n[2] * x[2]);
}

static dBodyID make_body(dWorldID id, const scene_body *b)
{
    dBodyID body = dBodyCreate(id);
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    const pose *p = &b->start;
    dBodySetPosition(body, p->x[0], p->x[1], p->x[2]);
    dBodySetQuaternion(body, p->q);
    dBodySetLinearVel(body, p->v[0], p->v[1], p->v[2]);
    dBodySetAngularVel(body, p->w[0], p->w[1], p->w[2]);
    return body;
}

static void make_joint(world *w, const scene_joint *j)
{
    dBodyID body = w->bodies[j->body], parent = j->parent < 0 ? 0 : w->bodies[j->parent];
    const double *at = j->at, *axis = j->axis;
    if (j->kind == JOINT_HINGE) {
        dJointID hinge = dJointCreateHinge(w->id, 0);
        dJointAttach(hinge, body, parent);
        dJointSetHingeAnchor(hinge, at[0], at[1], at[2]);
        dJointSetHingeAxis(hinge, axis[0], axis[1], axis[2]);
        dJointSetHingeParam(hinge, dParamFMax,
                            j->friction); // a motor at rest is how ODE does friction in a hinge
        dJointSetHingeParam(hinge, dParamVel, 0.0);
    } else if (j->kind == JOINT_BALL) {
        dJointID ball = dJointCreateBall(w->id, 0);
        dJointAttach(ball, body, parent);
        dJointSetBallAnchor(ball, at[0], at[1], at[2]);
    } else {
        dJointID slider = dJointCreateSlider(w->id, 0);
        dJointAttach(slider, body, parent);
        dJointSetSliderAxis(slider, axis[0], axis[1], axis[2]);
    }
}

static void *create(const scene *s, const settings *with, double step, int level, char message[256])
{
    (void)step, (void)level, (void)message;
    world *w = calloc(1, sizeof *w);
    dInitODE();
    w->s = s, w->id = dWorldCreate(), w->space = dHashSpaceCreate(0), w->contacts = dJointGroupCreate(0);
    w->quick = setting(with, "quick", 1.0) > 0.0;
    w->mode = dContactBounce | (setting(with, "round", 1.0) > 0.0 ? dContactApprox1 : 0);
    dWorldSetERP(w->id, setting(with, "erp", dWorldGetERP(w->id)));
    dWorldSetCFM(w->id, setting(with, "cfm", dWorldGetCFM(w->id)));
    dWorldSetQuickStepNumIterations(w->id, (int)setting(with, "iterations", 20.0));
    w->bodies = calloc((size_t)s->body_count, sizeof *w->bodies);
    for (int k = 0; k < s->body_count; k++) {
        const scene_body *b = &s->bodies[k];
        if (b->mass > 0.0) w->bodies[k] = make_body(w->id, b);
        if (!scene_has_contacts(s)) continue;
        dGeomID geom = make_geom(w->space, b);
        if (w->bodies[k]) dGeomSetBody(geom, w->bodies[k]);
    }
    for (int k = 0; k < s->joint_count; k++) make_joint(w, &s->joints[k]);
    return w;
}

static void meet(void *data, dGeomID a, dGeomID b)
{
    world *w = data;
    dContact contacts[MAX_CONTACTS];
    if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
    int count = dCollide(a, b, MAX_CONTACTS, &contacts[0].geom, sizeof *contacts);
    for (int k = 0; k < count; k++) {
        dContact *c = &contacts[k];
        memset(&c->surface, 0, sizeof c->surface);
        c->surface.mode = w->mode;
        c->surface.mu = w->s->friction, c->surface.bounce = w->s->restitution, c->surface.bounce_vel = 0.0;
        dJointAttach(dJointCreateContact(w->id, w->contacts, c), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static bool step(void *data, double t, double h, char message[256])
{
    (void)message;
    world *w = data;
    double g[3], force[3];
    scene_gravity(w->s, t, g);
    dWorldSetGravity(w->id, g[0], g[1], g[2]);
    for (int k = 0; k < w->s->drive_count; k++) {
        dBodyID body = w->bodies[w->s->drives[k].body];
        scene_drive_force(w->s, k, t, dBodyGetPosition(body), force);
        dBodyAddForce(body, force[0], force[1], force[2]);
    }
    dSpaceCollide(w->space, w, meet);
    if (w->quick)
        dWorldQuickStep(w->id, h);
    else
        dWorldStep(w->id, h);
    dJointGroupEmpty(w->contacts);
    return true;
}

static void read(void *data, int body, pose *p)
{
    dBodyID b = ((world *)data)->bodies[body];
    memcpy(p->x, dBodyGetPosition(b), sizeof p->x);
    memcpy(p->q, dBodyGetQuaternion(b), sizeof p->q);
    memcpy(p->v, dBodyGetLinearVel(b), sizeof p->v);
    memcpy(p->w, dBodyGetAngularVel(b), sizeof p->w);
}

static void destroy(void *data)
{
    world *w = data;
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->id);
    free(w->bodies), free(w);
    dCloseODE();
}

const engine engine_under_test = { "ode", "C", false, false, false, version, create, step, read, destroy };
