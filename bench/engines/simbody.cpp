// Simbody: compliant contacts (Hunt and Crossley), error-controlled steps. Settings: stiffness (Pa; as its examples for hard rubber), transition
// (speed at which friction is full, m/s), bounce (1: dissipation from the restitution, e = 1 - c v, at the speed of a fall of 1 m), accuracy
// (at the usual level).
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "engine.h"

namespace
{

using namespace SimTK;

struct World {
    const scene *s;
    MultibodySystem system;
    SimbodyMatterSubsystem matter{ system };
    GeneralForceSubsystem forces{ system };
    ContactTrackerSubsystem tracker{ system };
    CompliantContactSubsystem contact{ system, tracker };
    std::unique_ptr<Force::Gravity> gravity;
    std::unique_ptr<Force::DiscreteForces> loads;
    std::vector<MobilizedBody> bodies;
    std::unique_ptr<RungeKuttaMersonIntegrator> integrator;
    std::unique_ptr<TimeStepper> stepper;
};

const char *version()
{
    static char text[32];
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    std::snprintf(text, sizeof text, "%d.%d.%d", major, minor, build);
    return text;
}

Vec3 vector(const double a[3])
{
    return Vec3(a[0], a[1], a[2]);
}

Transform placed(const pose &p)
{
    return Transform(Rotation(Quaternion(p.q[0], p.q[1], p.q[2], p.q[3])), vector(p.x));
}

// A half-space of Simbody lies where its x is positive, so that its x is turned against the normal.
void add_surface(Body &body, const Transform &at, const scene_body &b, const ContactMaterial &material)
{
    if (b.shape == SHAPE_SPHERE)
        body.addContactSurface(at, ContactSurface(ContactGeometry::Sphere(b.size[0]), material));
    else if (b.shape == SHAPE_BOX)
        body.addContactSurface(at, ContactSurface(ContactGeometry::Brick(vector(b.size) / 2), material));
    else
        body.addContactSurface(Transform(Rotation(UnitVec3(-vector(b.size)), XAxis), vector(b.start.x)),
                               ContactSurface(ContactGeometry::HalfSpace(), material));
}

// the frame of a joint: z along a hinge, x along a slider
Transform joint_frame(const scene_joint &j, const Transform &body)
{
    UnitVec3 axis(vector(j.axis));
    Rotation turned = j.kind == JOINT_BALL ? Rotation()
                                           : Rotation(axis, j.kind == JOINT_HINGE ? CoordinateAxis(ZAxis)
                                                                                  : CoordinateAxis(XAxis));
    return ~body * Transform(turned, vector(j.at));
}

void add_body(World &w, int k, const ContactMaterial &material)
{
    const scene_body &b = w.s->bodies[k];
    if (b.mass == 0) {
        add_surface(w.matter.Ground().updBody(), Transform(), b, material);
        w.bodies.push_back(w.matter.Ground());
        return;
    }
    Body::Rigid body(MassProperties(b.mass, Vec3(0), Inertia(b.inertia[0], b.inertia[1], b.inertia[2])));
    if (scene_has_contacts(w.s)) add_surface(body, Transform(), b, material);
    int joint = scene_tree_joint(w.s, k);
    if (joint < 0) {
        w.bodies.push_back(MobilizedBody::Free(w.matter.Ground(), Transform(), body, Transform()));
        return;
    }
    const scene_joint &j = w.s->joints[joint];
    MobilizedBody parent = j.parent < 0 ? w.matter.Ground() : w.bodies[j.parent];
    Transform in_parent = joint_frame(j, j.parent < 0 ? Transform() : placed(w.s->bodies[j.parent].start));
    Transform in_body = joint_frame(j, placed(b.start));
    if (j.kind == JOINT_HINGE)
        w.bodies.push_back(MobilizedBody::Pin(parent, in_parent, body, in_body));
    else if (j.kind == JOINT_BALL)
        w.bodies.push_back(MobilizedBody::Ball(parent, in_parent, body, in_body));
    else
        w.bodies.push_back(MobilizedBody::Slider(parent, in_parent, body, in_body));
}

void add_loops(World &w)
{
    for (int k = 0; k < w.s->joint_count; k++) {
        const scene_joint &j = w.s->joints[k];
        if (scene_tree_joint(w.s, j.body) == k) continue;
        // in a planar scene two coordinates close a loop; the third would be redundant
        Transform parent = placed(w.s->bodies[j.parent].start), body = placed(w.s->bodies[j.body].start);
        for (int axis = 0; axis < 3; axis += 2) {
            UnitVec3 normal(~parent.R() * Vec3(axis == 0, 0, axis == 2));
            Vec3 at = ~parent * vector(j.at);
            Constraint::PointInPlane(w.bodies[j.parent], normal, dot(normal, at), w.bodies[j.body],
                                     ~body * vector(j.at));
        }
    }
}

bool refuses(const scene *s, char *message)
{
    int boxes = 0;
    for (int k = 0; k < s->body_count; k++) boxes += s->bodies[k].mass > 0 && s->bodies[k].shape == SHAPE_BOX;
    bool rubs = false;
    for (int k = 0; k < s->joint_count; k++) rubs = rubs || s->joints[k].friction > 0;
    if (rubs) std::snprintf(message, 256, "dry friction in hinges is not supported");
    if (boxes > 1 && scene_has_contacts(s)) std::snprintf(message, 256, "no contact between two boxes");
    return rubs || (boxes > 1 && scene_has_contacts(s));
}

void *create(const scene *s, const settings *with, double, int level, char *message)
{
    if (refuses(s, message)) return nullptr;
    auto *w = new World;
    w->s = s;
    double speed = std::sqrt(2 * 9.81), e = s->restitution;
    double dissipation = setting(with, "bounce", 0) > 0 ? (1 - e) / speed : setting(with, "dissipation", 0);
    ContactMaterial material(setting(with, "stiffness", 1e7), dissipation, s->friction, s->friction, 0);
    w->contact.setTransitionVelocity(setting(with, "transition", 1e-2));
    w->gravity = std::make_unique<Force::Gravity>(w->forces, w->matter, vector(s->gravity));
    w->loads = std::make_unique<Force::DiscreteForces>(w->forces, w->matter);
    for (int k = 0; k < s->body_count; k++) add_body(*w, k, material);
    add_loops(*w);
    State state = w->system.realizeTopology();
    w->system.realizeModel(state);
    for (int k = 0; k < s->body_count; k++) {
        const scene_body &b = s->bodies[k];
        if (b.mass == 0) continue;
        int joint = scene_tree_joint(s, k);
        if (joint < 0) w->bodies[k].setQToFitTransform(state, placed(b.start));
        w->system.realize(state, Stage::Position);
        if (joint < 0)
            w->bodies[k].setUToFitVelocity(state, SpatialVec(vector(b.start.w), vector(b.start.v)));
        else if (s->joints[joint].kind == JOINT_BALL)
            w->bodies[k].setUToFitAngularVelocity(state, vector(b.start.w));
    }
    w->integrator = std::make_unique<RungeKuttaMersonIntegrator>(w->system);
    w->integrator->setAccuracy(setting(with, "accuracy", 1e-3) * std::pow(10.0, 1 - level));
    w->stepper = std::make_unique<TimeStepper>(w->system, *w->integrator);
    w->stepper->initialize(state);
    return w;
}

bool step(void *data, double t, double h, char *message)
{
    World &w = *static_cast<World *>(data);
    try {
        if (scene_is_driven(w.s)) {
            State &state = w.integrator->updAdvancedState();
            double g[3], force[3];
            scene_gravity(w.s, t, g);
            w.gravity->setGravityVector(state, vector(g));
            w.system.realize(state, Stage::Position);
            for (int k = 0; k < w.s->drive_count; k++) {
                const MobilizedBody &body = w.bodies[w.s->drives[k].body];
                Vec3 x = body.getBodyOriginLocation(state);
                scene_drive_force(w.s, k, t, &x[0], force);
                w.loads->setOneBodyForce(state, body, SpatialVec(Vec3(0), vector(force)));
            }
            w.integrator->reinitialize(Stage::Dynamics, false);
        }
        w.stepper->stepTo(t + h);
    } catch (const std::exception &e) {
        std::snprintf(message, 256, "at t = %.3g s: %.200s", t, e.what());
        return false;
    }
    return true;
}

void read(void *data, int body, pose *p)
{
    World &w = *static_cast<World *>(data);
    const State &state = w.integrator->getState();
    w.system.realize(state, Stage::Velocity);
    const MobilizedBody &b = w.bodies[body];
    Vec3 x = b.getBodyOriginLocation(state), v = b.getBodyOriginVelocity(state),
         spin = b.getBodyAngularVelocity(state);
    Quaternion q = b.getBodyRotation(state).convertRotationToQuaternion();
    for (int k = 0; k < 3; k++) p->x[k] = x[k], p->v[k] = v[k], p->w[k] = spin[k];
    for (int k = 0; k < 4; k++) p->q[k] = q[k];
}

void destroy(void *data)
{
    delete static_cast<World *>(data);
}

} // namespace

extern "C" const engine engine_under_test = { "simbody", "C++",  true, false, false,
                                              version,   create, step, read,  destroy };
