// DART. Settings: native (1: its own collision detector, 0: FCL, the default), pgs (1: projected Gauss-Seidel in place of Dantzig's method).
#include <dart/dart.hpp>

#include <cmath>
#include <vector>

#include "engine.h"

namespace
{

using namespace dart;

struct World {
    const scene *s;
    simulation::WorldPtr physics;
    std::vector<dynamics::BodyNode *> bodies;
};

const char *version()
{
    return DART_VERSION;
}

Eigen::Vector3d vector(const double a[3])
{
    return Eigen::Vector3d(a[0], a[1], a[2]);
}

Eigen::Isometry3d placed(const pose &p)
{
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.linear() = Eigen::Quaterniond(p.q[0], p.q[1], p.q[2], p.q[3]).toRotationMatrix();
    t.translation() = vector(p.x);
    return t;
}

Eigen::Isometry3d moved(const double a[3])
{
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.translation() = vector(a);
    return t;
}

void add_shape(const World &w, const scene_body &b, dynamics::BodyNode *node)
{
    const double *n = b.size;
    dynamics::ShapePtr shape;
    if (b.shape == SHAPE_SPHERE)
        shape = std::make_shared<dynamics::SphereShape>(n[0]);
    else
        shape = std::make_shared<dynamics::BoxShape>(b.shape == SHAPE_BOX ? vector(n)
                                                                          : Eigen::Vector3d(40, 40, 4));
    auto *held = node->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    held->getDynamicsAspect()->setFrictionCoeff(w.s->friction); // of a pair it takes the smaller
    held->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(w.s->restitution)); // and the product
    if (b.shape != SHAPE_PLANE) return;
    // a plane is the upper face of a thick plate
    Eigen::Isometry3d below = Eigen::Isometry3d::Identity();
    below.linear() =
        Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), vector(n)).toRotationMatrix();
    below.translation() = -2.0 * vector(n);
    held->setRelativeTransform(below);
}

template <class Joint> void place(Joint &properties, const World &w, const scene_joint &j)
{
    properties.mT_ChildBodyToJoint = placed(w.s->bodies[j.body].start).inverse() * moved(j.at);
    properties.mT_ParentBodyToJoint =
        (j.parent < 0 ? Eigen::Isometry3d::Identity() : placed(w.s->bodies[j.parent].start).inverse()) *
        moved(j.at);
}

// Joint frames have the ground's axes at the start, so that axes and spins of the scene can be used as they are.
dynamics::BodyNode *add_jointed(World &w, const dynamics::SkeletonPtr &skeleton, const scene_joint &j)
{
    dynamics::BodyNode *parent = j.parent < 0 ? nullptr : w.bodies[j.parent];
    const pose &start = w.s->bodies[j.body].start;
    if (j.kind == JOINT_BALL) {
        dynamics::BallJoint::Properties properties;
        place(properties, w, j);
        auto pair = skeleton->createJointAndBodyNodePair<dynamics::BallJoint>(parent, properties);
        pair.first->setVelocities(vector(start.w));
        return pair.second;
    }
    if (j.kind == JOINT_SLIDER) {
        dynamics::PrismaticJoint::Properties properties;
        place(properties, w, j);
        properties.mAxis = vector(j.axis);
        auto pair = skeleton->createJointAndBodyNodePair<dynamics::PrismaticJoint>(parent, properties);
        pair.first->setVelocity(0, vector(j.axis).dot(vector(start.v)));
        return pair.second;
    }
    dynamics::RevoluteJoint::Properties properties;
    place(properties, w, j);
    properties.mAxis = vector(j.axis);
    auto pair = skeleton->createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent, properties);
    pair.first->setVelocity(0, vector(j.axis).dot(vector(start.w)));
    pair.first->setCoulombFriction(0, j.friction);
    return pair.second;
}

dynamics::BodyNode *add_free(const dynamics::SkeletonPtr &skeleton, const pose &start)
{
    auto pair = skeleton->createJointAndBodyNodePair<dynamics::FreeJoint>();
    pair.first->setRelativeTransform(placed(start));
    pair.first->setLinearVelocity(vector(start.v));
    pair.first->setAngularVelocity(vector(start.w));
    return pair.second;
}

void add_body(World &w, int k)
{
    const scene_body &b = w.s->bodies[k];
    int joint = scene_tree_joint(w.s, k);
    bool child = joint >= 0 && w.s->joints[joint].parent >= 0;
    dynamics::SkeletonPtr skeleton = child ? w.bodies[w.s->joints[joint].parent]->getSkeleton()
                                           : dynamics::Skeleton::create("s" + std::to_string(k));
    dynamics::BodyNode *node;
    if (b.mass == 0) {
        auto pair = skeleton->createJointAndBodyNodePair<dynamics::WeldJoint>();
        pair.first->setTransformFromParentBodyNode(placed(b.start));
        node = pair.second;
    } else {
        node = joint < 0 ? add_free(skeleton, b.start) : add_jointed(w, skeleton, w.s->joints[joint]);
        dynamics::Inertia inertia;
        inertia.setMass(b.mass);
        inertia.setMoment(vector(b.inertia).asDiagonal());
        node->setInertia(inertia);
    }
    w.bodies.push_back(node);
    if (scene_has_contacts(w.s)) add_shape(w, b, node);
    if (!child) w.physics->addSkeleton(skeleton);
}

void *create(const scene *s, const settings *with, double step, int, char *)
{
    auto *w = new World{ s, simulation::World::create(), {} };
    w->physics->setTimeStep(step);
    if (setting(with, "native", 0) > 0)
        w->physics->getConstraintSolver()->setCollisionDetector(collision::DARTCollisionDetector::create());
    if (setting(with, "pgs", 0) > 0) {
        auto solver = std::make_shared<constraint::PgsBoxedLcpSolver>();
        static_cast<constraint::BoxedLcpConstraintSolver *>(w->physics->getConstraintSolver())
            ->setBoxedLcpSolver(solver);
    }
    for (int k = 0; k < s->body_count; k++) add_body(*w, k);
    for (int k = 0; k < s->joint_count; k++) {
        const scene_joint &j = s->joints[k];
        if (scene_tree_joint(s, j.body) == k) continue;
        w->physics->getConstraintSolver()->addConstraint(std::make_shared<constraint::BallJointConstraint>(
            w->bodies[j.body], w->bodies[j.parent], vector(j.at)));
    }
    return w;
}

bool step(void *data, double t, double, char *)
{
    World &w = *static_cast<World *>(data);
    double g[3], force[3];
    scene_gravity(w.s, t, g);
    w.physics->setGravity(vector(g));
    for (int k = 0; k < w.s->drive_count; k++) {
        dynamics::BodyNode *body = w.bodies[w.s->drives[k].body];
        scene_drive_force(w.s, k, t, body->getCOM().data(), force);
        body->addExtForce(vector(force), Eigen::Vector3d::Zero(), false);
    }
    w.physics->step();
    return true;
}

void read(void *data, int body, pose *p)
{
    const dynamics::BodyNode *b = static_cast<World *>(data)->bodies[body];
    Eigen::Map<Eigen::Vector3d>(p->x) = b->getCOM();
    Eigen::Map<Eigen::Vector3d>(p->v) = b->getCOMLinearVelocity();
    Eigen::Map<Eigen::Vector3d>(p->w) = b->getAngularVelocity();
    Eigen::Quaterniond q(b->getWorldTransform().linear());
    p->q[0] = q.w(), p->q[1] = q.x(), p->q[2] = q.y(), p->q[3] = q.z();
}

void destroy(void *data)
{
    delete static_cast<World *>(data);
}

} // namespace

extern "C" const engine engine_under_test = { "dart",  "C++",  false, false, false,
                                              version, create, step,  read,  destroy };
