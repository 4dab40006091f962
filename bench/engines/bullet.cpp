// Bullet, in double precision. Settings: iterations, split (split impulse), erp, erp2 (of contacts), dantzig (1: the direct solver
// btDantzigSolver in place of sequential impulses), sleep (0: bodies never sleep), directions (of friction, 1 or 2).
#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "engine.h"

namespace
{

struct World {
    const scene *s;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btDantzigSolver direct;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> dynamics;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::vector<btHingeConstraint *> rubbing;
};

const char *version()
{
    static char text[16];
    std::snprintf(text, sizeof text, "%d.%02d", btGetVersion() / 100, btGetVersion() % 100);
    return text;
}

btVector3 vector(const double a[3])
{
    return btVector3(a[0], a[1], a[2]);
}

btCollisionShape *make_shape(const scene_body &b)
{
    if (b.shape == SHAPE_SPHERE) return new btSphereShape(b.size[0]);
    if (b.shape == SHAPE_BOX) return new btBoxShape(vector(b.size) / 2);
    return new btStaticPlaneShape(vector(b.size), vector(b.size).dot(vector(b.start.x)));
}

void add_body(World &w, const scene_body &b, bool touches, bool sleeps)
{
    const pose &p = b.start;
    w.shapes.emplace_back(make_shape(b));
    btRigidBody::btRigidBodyConstructionInfo info(b.mass, nullptr, w.shapes.back().get(), vector(b.inertia));
    if (b.mass > 0)
        info.m_startWorldTransform = btTransform(btQuaternion(p.q[1], p.q[2], p.q[3], p.q[0]), vector(p.x));
    info.m_friction = std::sqrt(w.s->friction); // of a pair, Bullet takes the product
    info.m_restitution = std::sqrt(w.s->restitution);
    btRigidBody *body = new btRigidBody(info);
    w.bodies.emplace_back(body);
    body->setLinearVelocity(vector(p.v));
    body->setAngularVelocity(vector(p.w));
    if (!sleeps) body->setActivationState(DISABLE_DEACTIVATION);
    w.dynamics->addRigidBody(body, touches ? 1 : 0, touches ? 1 : 0);
}

// the frame of a joint in a body: x along its axis, or z for hinges, as Bullet wants it
btTransform frame(const World &w, const scene_joint &j, int body)
{
    btVector3 from(j.kind == JOINT_SLIDER ? 1 : 0, 0, j.kind == JOINT_SLIDER ? 0 : 1);
    btTransform ground(shortestArcQuat(from, vector(j.axis)), vector(j.at));
    return body < 0 ? ground : w.bodies[body]->getWorldTransform().inverse() * ground;
}

void add_joint(World &w, const scene_joint &j)
{
    btRigidBody &a = *w.bodies[j.body];
    btRigidBody &b = j.parent < 0 ? btTypedConstraint::getFixedBody() : *w.bodies[j.parent];
    btTransform in_a = frame(w, j, j.body), in_b = frame(w, j, j.parent);
    if (j.kind == JOINT_HINGE) {
        auto *hinge = new btHingeConstraint(a, b, in_a, in_b);
        w.joints.emplace_back(hinge);
        if (j.friction > 0) w.rubbing.push_back(hinge);
    } else if (j.kind == JOINT_BALL) {
        w.joints.emplace_back(new btPoint2PointConstraint(a, b, in_a.getOrigin(), in_b.getOrigin()));
    } else {
        auto *slider = new btSliderConstraint(b, a, in_b, in_a, true);
        slider->setLowerLinLimit(1), slider->setUpperLinLimit(-1); // lower above upper: free
        slider->setLowerAngLimit(0), slider->setUpperAngLimit(0);
        w.joints.emplace_back(slider);
    }
    w.dynamics->addConstraint(w.joints.back().get(), true);
}

void *create(const scene *s, const settings *with, double, int, char *)
{
    auto *w = new World;
    w->s = s;
    if (setting(with, "dantzig", 0) > 0)
        w->solver = std::make_unique<btMLCPSolver>(&w->direct);
    else
        w->solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    w->dynamics = std::make_unique<btDiscreteDynamicsWorld>(&w->dispatcher, &w->broadphase, w->solver.get(),
                                                            &w->configuration);
    btContactSolverInfo &info = w->dynamics->getSolverInfo();
    info.m_numIterations = int(setting(with, "iterations", info.m_numIterations));
    info.m_splitImpulse = int(setting(with, "split", info.m_splitImpulse));
    info.m_erp = setting(with, "erp", info.m_erp);
    info.m_erp2 = setting(with, "erp2", info.m_erp2);
    if (setting(with, "directions", 1) > 1) info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    bool sleeps = setting(with, "sleep", 1) > 0 && !scene_is_driven(s);
    for (int k = 0; k < s->body_count; k++) add_body(*w, s->bodies[k], scene_has_contacts(s), sleeps);
    for (int k = 0; k < s->joint_count; k++) add_joint(*w, s->joints[k]);
    return w;
}

bool step(void *data, double t, double h, char *)
{
    World &w = *static_cast<World *>(data);
    double g[3], force[3];
    scene_gravity(w.s, t, g);
    w.dynamics->setGravity(vector(g));
    for (int k = 0; k < w.s->drive_count; k++) {
        btRigidBody &body = *w.bodies[w.s->drives[k].body];
        const btVector3 &x = body.getCenterOfMassPosition();
        double at[3] = { x.x(), x.y(), x.z() };
        scene_drive_force(w.s, k, t, at, force);
        body.applyCentralForce(vector(force));
    }
    // a motor at rest is how Bullet does friction in a hinge
    for (btHingeConstraint *hinge : w.rubbing)
        hinge->enableAngularMotor(true, 0, w.s->joints[0].friction * h);
    w.dynamics->stepSimulation(h, 0);
    return true;
}

void read(void *data, int body, pose *p)
{
    const btRigidBody &b = *static_cast<World *>(data)->bodies[body];
    const btTransform &at = b.getWorldTransform();
    btQuaternion q = at.getRotation();
    double turned[4] = { q.w(), q.x(), q.y(), q.z() };
    for (int k = 0; k < 3; k++) {
        p->x[k] = at.getOrigin()[k];
        p->v[k] = b.getLinearVelocity()[k];
        p->w[k] = b.getAngularVelocity()[k];
    }
    for (int k = 0; k < 4; k++) p->q[k] = turned[k];
}

void destroy(void *data)
{
    auto *w = static_cast<World *>(data);
    for (auto &joint : w->joints) w->dynamics->removeConstraint(joint.get());
    for (auto &body : w->bodies) w->dynamics->removeRigidBody(body.get());
    delete w;
}

} // namespace

extern "C" const engine engine_under_test = { "bullet", "C++",  false, false, false,
                                              version,  create, step,  read,  destroy };
