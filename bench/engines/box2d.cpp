// Box2D 2.4, for planar scenes; its y is our z. Settings: velocity_iterations, position_iterations, sub_steps (so many steps within one),
// sleep, shrink (m, by which boxes and planes are made smaller, since the library keeps a skin around polygons). The speed below which
// nothing bounces, 1 m/s, is a constant of the library.
#include <box2d/box2d.h>
#include <cmath>
#include <cstdio>
#include <vector>

#include "engine.h"

namespace
{

struct World {
    const scene *s;
    b2World physics{ b2Vec2(0, 0) };
    std::vector<b2Body *> bodies;
    int velocity_iterations, position_iterations, sub_steps;
    double shrink;
};

const char *version()
{
    static char text[32];
    std::snprintf(text, sizeof text, "%d.%d.%d", b2_version.major, b2_version.minor, b2_version.revision);
    return text;
}

b2Vec2 plane_vector(const double a[3])
{
    return b2Vec2(float(a[0]), float(a[2]));
}

// Boxes and circles; a plane is a wide box below its surface, as its manual builds ground.
void add_shape(World &w, b2Body *body, const scene_body &b)
{
    b2CircleShape circle;
    b2PolygonShape box;
    b2FixtureDef fixture;
    fixture.friction = float(w.s->friction), fixture.restitution = float(w.s->restitution),
    fixture.density = 1;
    if (b.shape == SHAPE_SPHERE) {
        circle.m_radius = float(b.size[0]);
        fixture.shape = &circle;
    } else {
        if (b.shape == SHAPE_BOX)
            box.SetAsBox(float(b.size[0] / 2 - w.shrink), float(b.size[2] / 2 - w.shrink));
        else
            box.SetAsBox(50, 5, -float(5 + w.shrink) * plane_vector(b.size),
                         float(std::atan2(-b.size[0], b.size[2])));
        fixture.shape = &box;
    }
    body->CreateFixture(&fixture);
}

void add_body(World &w, const scene_body &b)
{
    b2BodyDef def;
    def.type = b.mass > 0 ? b2_dynamicBody : b2_staticBody;
    def.position = plane_vector(b.start.x);
    def.angle = float(-pose_angle(&b.start));
    def.linearVelocity = plane_vector(b.start.v);
    def.angularVelocity = float(-b.start.w[1]);
    def.allowSleep = !scene_is_driven(w.s);
    b2Body *body = w.physics.CreateBody(&def);
    if (scene_has_contacts(w.s)) add_shape(w, body, b);
    b2MassData mass;
    mass.mass = float(b.mass), mass.I = float(b.inertia[1]), mass.center.SetZero();
    if (b.mass > 0) body->SetMassData(&mass);
    w.bodies.push_back(body);
}

void add_joint(World &w, b2Body *ground, const scene_joint &j)
{
    b2Body *body = w.bodies[j.body], *parent = j.parent < 0 ? ground : w.bodies[j.parent];
    if (j.kind == JOINT_SLIDER) {
        b2PrismaticJointDef def;
        def.Initialize(parent, body, plane_vector(j.at), plane_vector(j.axis));
        w.physics.CreateJoint(&def);
        return;
    }
    b2RevoluteJointDef def;
    def.Initialize(parent, body, plane_vector(j.at));
    def.enableMotor = j.friction > 0; // a motor at rest is how Box2D does friction in a hinge
    def.maxMotorTorque = float(j.friction);
    w.physics.CreateJoint(&def);
}

void *create(const scene *s, const settings *with, double, int, char *message)
{
    if (!s->planar) {
        std::snprintf(message, 256, "planar scenes only");
        return nullptr;
    }
    auto *w = new World;
    w->s = s;
    w->velocity_iterations = int(setting(with, "velocity_iterations", 8));
    w->position_iterations = int(setting(with, "position_iterations", 3));
    w->shrink = setting(with, "shrink", 0);
    w->sub_steps = int(setting(with, "sub_steps", 1));
    w->physics.SetAllowSleeping(setting(with, "sleep", 1) > 0);
    for (int k = 0; k < s->body_count; k++) add_body(*w, s->bodies[k]);
    b2BodyDef fixed;
    b2Body *ground = w->physics.CreateBody(&fixed);
    for (int k = 0; k < s->joint_count; k++) add_joint(*w, ground, s->joints[k]);
    return w;
}

bool step(void *data, double t, double h, char *)
{
    World &w = *static_cast<World *>(data);
    double g[3], force[3], part = h / w.sub_steps;
    for (int n = 0; n < w.sub_steps; n++) {
        scene_gravity(w.s, t + n * part, g);
        w.physics.SetGravity(plane_vector(g));
        for (int k = 0; k < w.s->drive_count; k++) {
            b2Body *body = w.bodies[w.s->drives[k].body];
            b2Vec2 x = body->GetWorldCenter();
            double at[3] = { x.x, 0, x.y };
            scene_drive_force(w.s, k, t + n * part, at, force);
            body->ApplyForceToCenter(plane_vector(force), true);
        }
        w.physics.Step(float(part), w.velocity_iterations, w.position_iterations);
    }
    return true;
}

void read(void *data, int body, pose *p)
{
    const b2Body *b = static_cast<World *>(data)->bodies[body];
    b2Vec2 x = b->GetWorldCenter(), v = b->GetLinearVelocity();
    double half = -0.5 * b->GetAngle();
    *p = pose{ { x.x, 0, x.y },
               { std::cos(half), 0, std::sin(half), 0 },
               { v.x, 0, v.y },
               { 0, -b->GetAngularVelocity(), 0 } };
}

void destroy(void *data)
{
    delete static_cast<World *>(data);
}

} // namespace

extern "C" const engine engine_under_test = { "box2d", "C++",  false, true, false,
                                              version, create, step,  read, destroy };
