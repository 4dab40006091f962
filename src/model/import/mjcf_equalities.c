/// model/import/mjcf_equalities.c: <equality> and <tendon> of MJCF: what keeps bodies together and couples coordinates.
///
/// MuJoCo holds these with stiff springs (solref), here they hold exactly.
#include <string.h>

#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"

static bool is_off(const slip_xml *element)
{
    const slip_xml_attribute *active = slip_xml_attribute_of(element, "active");
    return active && strcmp(active->value, "false") == 0;
}

static int find_joint(const slip_robot *robot, const char *name)
{
    for (int k = 0; k < robot->joint_count; k++)
        if (slip_robot_has_coordinate(&robot->joints[k]) && strcmp(robot->joints[k].name, name) == 0)
            return k;
    return -1;
}

int slip_mjcf_joint_of(const slip_mjcf *m, const slip_xml *element, const char *attribute)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, attribute);
    const int joint = a ? find_joint(m->robot, a->value) : -1;
    if (a && joint < 0)
        slip_robot_error(m->robot, a->where, NULL, "there is no hinge or slide '%.60s'", a->value);
    return joint;
}

int slip_mjcf_tendon_of(const slip_mjcf *m, const slip_xml *element, const char *attribute)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, attribute);
    for (int k = 0; a && k < m->robot->tendon_count; k++)
        if (strcmp(m->robot->tendons[k].name, a->value) == 0) return k;
    return -1; // spatial ones are left out: that was said
}

// ------------------------------------------------------------------------------------------------- tendons

static void read_terms(const slip_mjcf *m, const slip_xml *element, slip_robot_tendon *t)
{
    for (const slip_xml *part = slip_xml_child(element, "joint"); part; part = slip_xml_next(part, "joint")) {
        slip_robot_term *term = &t->terms[t->term_count];
        if (!slip_robot_need_text(m->robot, part, "joint")) continue;
        term->joint = slip_mjcf_joint_of(m, part, "joint");
        if (!slip_robot_need_numbers(m->robot, part, "coef", 1, &term->factor) || term->joint < 0) continue;
        t->length += term->factor * m->robot->joints[term->joint].reference;
        t->term_count++;
    }
}

static void read_tendon_limits(const slip_mjcf *m, const slip_xml *element, slip_robot_tendon *t)
{
    const slip_xml_attribute *limited = slip_xml_attribute_of(element, "limited"),
                             *range = slip_xml_attribute_of(element, "range");
    double ends[2] = { 0, 0 };
    t->limited = limited && strcmp(limited->value, "auto") != 0 ? strcmp(limited->value, "true") == 0
                                                                : range && m->limits_by_range;
    if (!t->limited || !slip_robot_need_numbers(m->robot, element, "range", 2, ends)) return;
    t->lower = ends[0], t->upper = ends[1];
    if (!(t->lower < t->upper))
        slip_robot_error(m->robot, range->where, NULL, "the lower limit, %g, must be below the upper one, %g",
                         ends[0], ends[1]);
}

static void read_tendon_forces(const slip_mjcf *m, const slip_xml *element, slip_robot_tendon *t)
{
    static const char *const names[] = { "damping", "frictionloss", "stiffness" };
    double *const values[] = { &t->damping, &t->friction, &t->stiffness };
    const slip_xml_attribute *a = slip_xml_attribute_of(element, "springlength");
    const int count = slip_robot_number_count(a) == 1 ? 1 : 2;
    for (int k = 0; k < 3; k++)
        if (slip_xml_attribute_of(element, names[k]))
            slip_robot_size(m->robot, element, names[k], 1, true, values[k]);
    t->relaxed[0] = t->relaxed[1] = -1.0;
    slip_robot_numbers(m->robot, element, "springlength", count, t->relaxed);
    if (count == 1) t->relaxed[1] = t->relaxed[0];
    if (t->relaxed[0] == -1.0) t->relaxed[0] = t->relaxed[1] = t->length; // as the file shows the robot
}

void slip_mjcf_tendons(const slip_mjcf *m, const slip_xml *root)
{
    const slip_xml *section = slip_xml_child(root, "tendon");
    for (const slip_xml *e = section ? section->first : NULL; e && !m->robot->no_memory; e = e->next) {
        if (strcmp(e->name, "fixed") != 0) {
            slip_robot_warn_omitted(m->robot, e,
                                    "the motion depends on it: tendons are taken over between joints, not "
                                    "along paths");
            continue;
        }
        slip_robot_tendon *t = &m->robot->tendons[m->robot->tendon_count];
        *t = (slip_robot_tendon){ .name = slip_mjcf_name(e, "tendon"), .where = e->where };
        t->terms = SLIP_POOL_NEW(m->robot->pool, slip_robot_term, e->count + 1);
        if (!t->terms) m->robot->no_memory = true;
        if (!t->terms) return;
        read_terms(m, e, t);
        read_tendon_limits(m, e, t);
        read_tendon_forces(m, e, t);
        m->robot->tendon_count += t->term_count > 0;
    }
}

// --------------------------------------------------------------------------------------------------- loops

// the link of a body, -1 for the world; false when there is none of that name
static bool find_body(const slip_mjcf *m, const slip_xml *element, const char *attribute, int *link)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, attribute);
    *link = -1;
    if (!a || strcmp(a->value, "world") == 0) return true;
    for (int k = 0; k < m->robot->link_count; k++)
        if (m->robot->links[k].element && strcmp(m->robot->links[k].name, a->value) == 0)
            return *link = k, true;
    slip_robot_error(m->robot, a->where, NULL, "there is no body '%.60s'", a->value);
    return false;
}

// a site among the children of a body
static bool find_site_in(const slip_mjcf *m, const slip_xml *body, const char *name, double at[3],
                         double attitude[4])
{
    for (const slip_xml *site = slip_xml_child(body, "site"); site; site = slip_xml_next(site, "site"))
        if (strcmp(slip_mjcf_name(site, ""), name) == 0) return slip_mjcf_place(m, site, at, attitude);
    return false;
}

// its link, and its place in the frame of that
static bool find_site(const slip_mjcf *m, const slip_xml *world, const slip_xml *element,
                      const char *attribute, int *link, double at[3], double attitude[4])
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, attribute);
    *link = -1;
    if (a && find_site_in(m, world, a->value, at, attitude)) return true;
    for (int k = 0; a && k < m->robot->link_count; k++) {
        const slip_robot_link *own = &m->robot->links[k];
        if (!own->element || !find_site_in(m, own->element, a->value, at, attitude)) continue;
        for (int c = 0; c < 3; c++) at[c] -= own->origin[c];
        return *link = k, true;
    }
    slip_robot_error(m->robot, a ? a->where : element->where, NULL, "there is no site '%.60s'",
                     a ? a->value : "");
    return false;
}

// q' of a turn
static void invert(const double q[4], double inverse[4])
{
    inverse[0] = q[0];
    for (int k = 1; k < 4; k++) inverse[k] = -q[k];
}

// point and attitude of link a as link b has them where all coordinates are 0
static void see_from(const slip_robot *robot, int a, const double at[3], int b, double seen[3],
                     double attitude[4])
{
    double a_at[3], a_turn[4], b_at[3], b_turn[4], back[4];
    slip_mjcf_pose(robot, a, a_at, a_turn);
    slip_mjcf_pose(robot, b, b_at, b_turn);
    invert(b_turn, back);
    slip_rotation_vector(a_turn, at, seen);
    for (int k = 0; k < 3; k++) seen[k] += a_at[k] - b_at[k];
    slip_rotation_vector(back, seen, seen);
    slip_rotation_product(back, a_turn, attitude);
}

static bool read_by_sites(const slip_mjcf *m, const slip_xml *e, const slip_xml *world, slip_robot_loop *loop)
{
    double turn[2][4], back[4];
    const bool first = find_site(m, world, e, "site1", &loop->link[0], loop->at[0], turn[0]),
               second = find_site(m, world, e, "site2", &loop->link[1], loop->at[1], turn[1]);
    if (!first || !second) return false;
    invert(turn[0], back);
    slip_rotation_product(turn[1], back,
                          loop->attitude); // of the first body in the second, as the sites coincide
    return true;
}

// where the second body has the anchor, and how it sees the first, is what the file shows
static bool read_by_bodies(const slip_mjcf *m, const slip_xml *e, slip_robot_loop *loop)
{
    const bool first = find_body(m, e, "body1", &loop->link[0]),
               second = find_body(m, e, "body2", &loop->link[1]);
    const bool anchored = slip_robot_numbers(m->robot, e, "anchor", 3, loop->at[0]);
    if (!first || !second || !anchored) return false;
    if (!loop->weld && !slip_xml_attribute_of(e, "anchor")) {
        slip_robot_error(m->robot, e->where, NULL, "<connect> needs 'anchor', or 'site1' and 'site2'");
        return false;
    }
    if (loop->weld && slip_xml_attribute_of(e, "relpose"))
        slip_robot_warn_once(m->robot, e->where,
                             "'relpose' of <weld> is left out: bodies are welded as the file shows them");
    for (int k = 0; k < 3 && loop->link[0] >= 0; k++)
        loop->at[0][k] -= m->robot->links[loop->link[0]].origin[k];
    see_from(m->robot, loop->link[0], loop->at[0], loop->link[1], loop->at[1], loop->attitude);
    return true;
}

static void read_loop(const slip_mjcf *m, const slip_xml *e, const slip_xml *world)
{
    slip_robot_loop *loop = &m->robot->loops[m->robot->loop_count];
    *loop =
        (slip_robot_loop){ .name = slip_mjcf_name(e, e->name), .weld = e->name[0] == 'w', .where = e->where };
    const bool sites = slip_xml_attribute_of(e, "site1") || slip_xml_attribute_of(e, "site2");
    if (!(sites ? read_by_sites(m, e, world, loop) : read_by_bodies(m, e, loop))) return;
    if (loop->link[0] < 0 && loop->link[1] < 0) return; // the world holds itself
    if (loop->link[0] < 0) {                            // the model wants the moving one first
        slip_robot_loop turned = *loop;
        loop->link[0] = turned.link[1], loop->link[1] = -1;
        memcpy(loop->at[0], turned.at[1], sizeof loop->at[0]);
        memcpy(loop->at[1], turned.at[0], sizeof loop->at[1]);
        invert(turned.attitude, loop->attitude);
    }
    m->robot->loop_count++;
}

// ----------------------------------------------------------------------------------------------- couplings

static void read_coupling(const slip_mjcf *m, const slip_xml *e)
{
    const bool tendons = strcmp(e->name, "tendon") == 0;
    const char *const names[] = { tendons ? "tendon1" : "joint1", tendons ? "tendon2" : "joint2" };
    slip_robot_coupling *c = &m->robot->couplings[m->robot->coupling_count];
    *c = (slip_robot_coupling){ .name = slip_mjcf_name(e, "coupling"), .c = { 0, 1, 0, 0, 0 } };
    slip_robot_mover *const movers[] = { &c->first, &c->second };
    if (!slip_robot_need_text(m->robot, e, names[0])) return;
    for (int k = 0; k < 2; k++)
        *movers[k] = (slip_robot_mover){ .joint = tendons ? -1 : slip_mjcf_joint_of(m, e, names[k]),
                                         .tendon = tendons ? slip_mjcf_tendon_of(m, e, names[k]) : -1 };
    const slip_xml_attribute *a = slip_xml_attribute_of(e, "polycoef");
    int count = slip_robot_number_count(a);
    if (count < 1 || count > 5) count = 5;
    if (!slip_robot_numbers(m->robot, e, "polycoef", count, c->c)) return;
    for (int k = a ? count : 5; k < 5; k++) c->c[k] = 0.0;
    m->robot->coupling_count += c->first.joint >= 0 || c->first.tendon >= 0;
}

void slip_mjcf_equalities(const slip_mjcf *m, const slip_xml *root, const slip_xml *world)
{
    const slip_xml *section = slip_xml_child(root, "equality");
    for (const slip_xml *e = section ? section->first : NULL; e; e = e->next) {
        if (is_off(e)) continue;
        if (strcmp(e->name, "connect") == 0 || strcmp(e->name, "weld") == 0)
            read_loop(m, e, world);
        else if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "tendon") == 0)
            read_coupling(m, e);
        else
            slip_robot_error(m->robot, e->where, "there are connect, weld, joint and tendon",
                             "<%.60s> of <equality> is not taken over, and the motion depends on it",
                             e->name);
    }
}
