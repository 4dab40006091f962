/// collision/surface_features.c: solids as smooth surface pieces: vertices, edges and faces; side, caps and rims; ellipsoids.
#include "collision/surface_features.h"

#include "base/elementary.h"
#include "collision/collision_tolerances.h"

void slip_convex_solid_of(const slip_placed_solid *placed, slip_convex_solid *form)
{
    const slip_solid_kind kind = placed->solid->kind;
    form->placed = placed;
    form->is_poly = kind != SLIP_SOLID_CYLINDER && kind != SLIP_SOLID_ELLIPSOID;
    form->radius = 0.0;
    if (!form->is_poly) return;
    slip_polytope_of(placed, &form->poly);
    form->radius = form->poly.radius;
}

static bool is_cylinder(const slip_convex_solid *form)
{
    return form->placed->solid->kind == SLIP_SOLID_CYLINDER;
}

slip_v3 slip_convex_solid_centre(const slip_convex_solid *form)
{
    if (form->placed->solid->kind != SLIP_SOLID_HULL) return form->placed->frame.at;
    const slip_hull *h = form->poly.shape;
    slip_v3 sum = v3(0, 0, 0);
    for (int i = 0; i < h->vertex_count; i++) sum = v3_add(sum, slip_polytope_vertex(&form->poly, i));
    return v3_scale(1.0 / h->vertex_count, sum);
}

double slip_convex_solid_size(const slip_convex_solid *form)
{
    slip_solid centred = *form->placed->solid;
    centred.local = SLIP_POSE_IDENTITY;
    return slip_solid_bounding_radius(&centred);
}

// ------------------------------------------------------------------------------------------- support

// D m in the axes of an ellipsoid, D its semi-axes
static slip_v3 scale_by_semi_axes(const slip_convex_solid *form, slip_v3 m)
{
    const double *s = form->placed->solid->half;
    const slip_v3 in = v3_to_local(&form->placed->frame, m);
    return v3(s[0] * in.x, s[1] * in.y, s[2] * in.z);
}

double slip_convex_solid_support(const slip_convex_solid *form, slip_v3 m)
{
    if (form->is_poly)
        return v3_dot(m, slip_polytope_vertex(&form->poly, slip_polytope_support(&form->poly, m, 0)));
    const slip_axes *f = &form->placed->frame;
    const slip_solid *s = form->placed->solid;
    const double middle = v3_dot(m, f->at);
    if (!is_cylinder(form)) return middle + v3_norm(scale_by_semi_axes(form, m));
    return middle + s->half[2] * fabs(v3_dot(m, f->z)) +
           s->radius * slip_hypot(v3_dot(m, f->x), v3_dot(m, f->y));
}

slip_v3 slip_convex_solid_support_point(const slip_convex_solid *form, slip_v3 m)
{
    if (form->is_poly) return slip_polytope_vertex(&form->poly, slip_polytope_support(&form->poly, m, 0));
    const slip_axes *f = &form->placed->frame;
    const slip_solid *s = form->placed->solid;
    if (!is_cylinder(form)) {
        const slip_v3 Dm = v3_unit(scale_by_semi_axes(form, m));
        return v3_point_to_world(f, v3(s->half[0] * Dm.x, s->half[1] * Dm.y, s->half[2] * Dm.z));
    }
    const double along = v3_dot(m, f->z);
    const slip_v3 end = v3_add_scaled(f->at, along > 0.0 ? s->half[2] : -s->half[2], f->z);
    return v3_add_scaled(end, s->radius, v3_unit(v3_add_scaled(m, -along, f->z)));
}

// The component of m perpendicular to an axis.
static slip_v3 perpendicular_part(slip_v3 m, slip_v3 axis)
{
    return v3_add_scaled(m, -v3_dot(m, axis), axis);
}

slip_v3 slip_surface_piece_support_point(const slip_convex_solid *form, const slip_surface_piece *piece,
                                         slip_v3 m)
{
    if (piece->bend == SLIP_PIECE_POINT) return piece->at;
    if (piece->bend == SLIP_PIECE_CIRCLE)
        return v3_add_scaled(piece->at, piece->radius, v3_unit(perpendicular_part(m, piece->axis)));
    // D^2 m / |D m|
    const double *s = form->placed->solid->half;
    const slip_v3 Dm = v3_unit(scale_by_semi_axes(form, m));
    return v3_point_to_world(&form->placed->frame, v3(s[0] * Dm.x, s[1] * Dm.y, s[2] * Dm.z));
}

double slip_surface_piece_curvature(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 m,
                                    slip_v3 u, slip_v3 w)
{
    if (piece->bend == SLIP_PIECE_POINT) return 0.0;
    if (piece->bend == SLIP_PIECE_CIRCLE) {
        // r / |m'| (1 - m' m'^T / |m'|^2), m' across the axis
        const slip_v3 out = perpendicular_part(m, piece->axis);
        const double size = v3_norm(out);
        if (!(size > 0.0)) return HUGE_VAL;
        const slip_v3 e = v3_scale(1.0 / size, out), uo = perpendicular_part(u, piece->axis),
                      wo = perpendicular_part(w, piece->axis);
        return piece->radius / size * (v3_dot(uo, wo) - v3_dot(uo, e) * v3_dot(wo, e));
    }
    // (D^2 - x x^T) / |D m|
    const slip_v3 Dm = scale_by_semi_axes(form, m), Du = scale_by_semi_axes(form, u),
                  Dw = scale_by_semi_axes(form, w);
    const double size = v3_norm(Dm);
    return (v3_dot(Du, Dw) - v3_dot(Dm, Du) * v3_dot(Dm, Dw) / (size * size)) / size;
}

bool slip_convex_solid_piece_contains(const slip_convex_solid *form, const slip_surface_piece *piece,
                                      slip_v3 p, double nearly)
{
    if (piece->freedom == SLIP_NORMAL_FREE) return true;
    if (!form->is_poly) {
        const slip_v3 in = v3_point_to_local(&form->placed->frame, p);
        const slip_solid *s = form->placed->solid;
        return piece->freedom == SLIP_NORMAL_PERPENDICULAR ? fabs(in.z) <= s->half[2] + nearly
                                                           : slip_hypot(in.x, in.y) <= s->radius + nearly;
    }
    if (piece->freedom == SLIP_NORMAL_PERPENDICULAR)
        return slip_polytope_within_edge(&form->poly, piece->number, p, nearly);
    return slip_polytope_within_face(&form->poly, piece->number, p, nearly);
}

// ------------------------------------------------------------------------------------------- pieces

static slip_surface_piece rim_piece(const slip_convex_solid *form, int end)
{
    const slip_axes *f = &form->placed->frame;
    const slip_solid *s = form->placed->solid;
    return (slip_surface_piece){ SLIP_NORMAL_FREE,
                                 SLIP_PIECE_CIRCLE,
                                 .at = v3_add_scaled(f->at, end ? s->half[2] : -s->half[2], f->z),
                                 .radius = s->radius,
                                 .axis = f->z,
                                 .feature = SLIP_FEATURE_ROUND,
                                 .number = 8 * end };
}

static slip_surface_piece side_piece(const slip_convex_solid *form)
{
    const slip_axes *f = &form->placed->frame;
    return (slip_surface_piece){ SLIP_NORMAL_PERPENDICULAR,
                                 SLIP_PIECE_CIRCLE,
                                 .direction = f->z,
                                 .at = f->at,
                                 .radius = form->placed->solid->radius,
                                 .axis = f->z,
                                 .feature = SLIP_FEATURE_EDGE };
}

static int cylinder_pieces(const slip_convex_solid *form, slip_v3 m, slip_surface_piece *piece)
{
    const slip_axes *f = &form->placed->frame;
    const double along = v3_dot(m, f->z);
    const int end = along > 0.0;
    piece[0] = rim_piece(form, end);
    piece[1] = side_piece(form);
    piece[2] = (slip_surface_piece){ SLIP_NORMAL_FIXED, .direction = end ? f->z : v3_neg(f->z),
                                     .at = piece[0].at, .feature = SLIP_FEATURE_FACE, .number = end };
    if (fabs(along) > CYLINDER_LIES_COSINE) return 3;
    piece[3] = rim_piece(form, !end); // lying: both rims are visible
    return 4;
}

static double from_segment(slip_v3 p, slip_v3 a, slip_v3 b)
{
    const slip_v3 e = v3_sub(b, a);
    const double t = fmin(1.0, fmax(0.0, v3_dot(e, v3_sub(p, a)) / v3_dot(e, e)));
    return v3_norm(v3_sub(p, v3_add_scaled(a, t, e)));
}

static slip_surface_piece edge_piece(const slip_polytope *p, int edge)
{
    const int *given = p->shape->edge[edge];
    const slip_v3 at = slip_polytope_vertex(p, given[0]);
    return (slip_surface_piece){ SLIP_NORMAL_PERPENDICULAR,
                                 .direction = v3_unit(v3_sub(slip_polytope_vertex(p, given[1]), at)),
                                 .at = at, .feature = SLIP_FEATURE_EDGE, .number = edge };
}

// The edge of a face, facing m, that is nearest to a point.
static int nearest_edge(const slip_polytope *p, int face, slip_v3 near)
{
    const slip_hull *h = p->shape;
    int best = -1;
    double least = HUGE_VAL;
    for (int k = h->face_start[face]; k < h->face_start[face + 1]; k++) {
        const int *given = h->edge[h->face_edge[k]];
        const double away =
            from_segment(near, slip_polytope_vertex(p, given[0]), slip_polytope_vertex(p, given[1]));
        if (away < least) least = away, best = h->face_edge[k];
    }
    return best;
}

static int nearer_end(const slip_polytope *p, int edge, slip_v3 near)
{
    const int *given = p->shape->edge[edge];
    const double first = v3_norm(v3_sub(near, slip_polytope_vertex(p, given[0])));
    return first <= v3_norm(v3_sub(near, slip_polytope_vertex(p, given[1]))) ? given[0] : given[1];
}

// If a whole face or edge is farthest along m, its vertex nearest to a point, and the edge there; -1 for
// none.
static int vertex_towards(const slip_polytope *p, slip_v3 m, slip_v3 near, int *edge)
{
    const slip_hull *h = p->shape;
    const int vertex = slip_polytope_support(p, m, 0);
    *edge = -1;
    if (h->face_count == 0) return vertex;
    for (int k = h->fan_start[vertex]; k < h->fan_start[vertex + 1]; k++) {
        const int *given = h->edge[h->fan[k]];
        for (int side = 2; side < 4; side++)
            if (v3_dot(slip_polytope_normal(p, given[side]), m) > 1.0 - FACE_IS_SUPPORT)
                *edge = nearest_edge(p, given[side], near);
        const slip_v3 e = v3_sub(slip_polytope_vertex(p, given[1]), slip_polytope_vertex(p, given[0]));
        const double along = v3_dot(e, m);
        if (*edge < 0 && along * along < EDGE_IS_SUPPORT_COSINE2 * v3_dot(e, e)) *edge = h->fan[k];
    }
    return *edge >= 0 ? nearer_end(p, *edge, near) : vertex;
}

static void add_piece(slip_surface_piece *piece, int *count, slip_surface_piece one)
{
    for (int k = 0; k < *count; k++)
        if (piece[k].feature == one.feature && piece[k].number == one.number) return;
    if (*count < SLIP_SURFACE_PIECES_MAX) piece[(*count)++] = one;
}

static slip_surface_piece vertex_piece(const slip_polytope *p, int vertex)
{
    return (slip_surface_piece){ SLIP_NORMAL_FREE, .at = slip_polytope_vertex(p, vertex),
                                 .feature = SLIP_FEATURE_VERTEX, .number = vertex };
}

// A vertex, and the edges and faces around it that may become the support when m turns.
static void add_around(const slip_polytope *p, slip_v3 m, int vertex, slip_surface_piece *piece, int *count)
{
    const slip_hull *h = p->shape;
    add_piece(piece, count, vertex_piece(p, vertex));
    for (int k = h->fan_start[vertex]; k < h->fan_start[vertex + 1]; k++) {
        const int *given = h->edge[h->fan[k]];
        const slip_v3 e = v3_sub(slip_polytope_vertex(p, given[1]), slip_polytope_vertex(p, given[0]));
        const double along = v3_dot(e, m);
        if (along * along < 0.5 * v3_dot(e, e)) add_piece(piece, count, edge_piece(p, h->fan[k]));
        // Each face is added once: from the edge at which it is on this side of the vertex.
        const int face = given[0] == vertex ? given[2] : given[3];
        const slip_v3 n = slip_polytope_normal(p, face);
        if (v3_dot(n, m) > FLAT_PART_FACES_COSINE)
            add_piece(piece, count,
                      (slip_surface_piece){ SLIP_NORMAL_FIXED, .direction = n,
                                            .at = slip_polytope_vertex(p, vertex),
                                            .feature = SLIP_FEATURE_FACE, .number = face });
    }
}

static int poly_pieces(const slip_polytope *p, slip_v3 m, const slip_v3 near[2], slip_surface_piece *piece)
{
    int count = 0;
    if (p->shape->face_count == 0) { // a sphere, or a capsule with both ends visible
        for (int k = 0; k < p->shape->vertex_count; k++) piece[count++] = vertex_piece(p, k);
        if (count == 2) piece[count++] = edge_piece(p, 0);
        return count;
    }
    const int places = v3_norm(v3_sub(near[0], near[1])) > 0.0 ? 2 : 1;
    for (int k = 0; k < places; k++) {
        int edge;
        const int vertex = vertex_towards(p, m, near[k], &edge);
        if (edge >= 0) add_piece(piece, &count, edge_piece(p, edge));
        add_around(p, m, vertex, piece, &count);
    }
    return count;
}

int slip_convex_solid_pieces(const slip_convex_solid *form, slip_v3 m, const slip_v3 near[2],
                             slip_surface_piece piece[SLIP_SURFACE_PIECES_MAX])
{
    if (form->is_poly) return poly_pieces(&form->poly, m, near, piece);
    if (is_cylinder(form)) return cylinder_pieces(form, m, piece);
    piece[0] = (slip_surface_piece){ SLIP_NORMAL_FREE, SLIP_PIECE_ELLIPSOID, .at = form->placed->frame.at,
                                     .feature = SLIP_FEATURE_ROUND };
    return 1;
}

void slip_convex_solid_support_ends(const slip_convex_solid *form, slip_v3 m, slip_v3 end[2])
{
    slip_surface_piece piece[SLIP_SURFACE_PIECES_MAX];
    if (form->is_poly) {
        const slip_polytope *p = &form->poly;
        const slip_hull *h = p->shape;
        const int vertex = slip_polytope_support(p, m, 0);
        end[0] = end[1] = slip_polytope_vertex(p, vertex);
        const int from = h->face_count ? h->fan_start[vertex] : 0,
                  to = h->face_count ? h->fan_start[vertex + 1] : 1;
        for (int k = from; k < to && h->vertex_count > 1; k++) {
            const int *given = h->edge[h->face_count ? h->fan[k] : 0];
            const slip_v3 other = slip_polytope_vertex(p, given[0] == vertex ? given[1] : given[0]);
            if (fabs(v3_dot(m, v3_sub(other, end[0]))) <
                EDGE_ENDS_LEVEL_COSINE * v3_norm(v3_sub(other, end[0])))
                end[1] = other;
        }
        return;
    }
    const slip_v3 none[2] = { { 0 } };
    const int count = slip_convex_solid_pieces(form, m, none, piece);
    for (int k = 0; k < 2; k++)
        end[k] = slip_surface_piece_support_point(form, &piece[k && count == 4 ? 3 : 0], m);
}

int slip_convex_solid_seed_normals(const slip_convex_solid *form, int room, slip_v3 *normal)
{
    const slip_axes *f = &form->placed->frame;
    const slip_v3 axis[3] = { f->z, f->x, f->y };
    if (!form->is_poly || form->poly.shape->face_count == 0) {
        // The caps of a cylinder and directions perpendicular to its axis; the flattest and sharpest places
        // of an ellipsoid.
        for (int k = 0; k < 6; k++) normal[k] = k & 1 ? v3_neg(axis[k / 2]) : axis[k / 2];
        return 6;
    }
    const int faces = form->poly.shape->face_count, step = 1 + (faces - 1) / room;
    int count = 0;
    for (int k = 0; k < faces; k += step) normal[count++] = slip_polytope_normal(&form->poly, k);
    return count;
}

// --------------------------------------------------------------------------------------- flat parts

// Cosines of the angles up to which flat parts are treated as lying on one another.
#define FLAT_COSINE      0.98
#define BROADSIDE_COSINE 0.15

static bool cylinder_patch(const slip_convex_solid *form, slip_v3 m, slip_face_patch *patch)
{
    const slip_axes *f = &form->placed->frame;
    const slip_solid *s = form->placed->solid;
    const double along = v3_dot(m, f->z);
    const int end = along > 0.0;
    if (fabs(along) > FLAT_COSINE) {
        *patch = (slip_face_patch){ .feature = SLIP_FEATURE_FACE,
                                    .number = end,
                                    .flat = true,
                                    .normal = end ? f->z : v3_neg(f->z),
                                    .at = v3_add_scaled(f->at, end ? s->half[2] : -s->half[2], f->z),
                                    .radius = s->radius,
                                    .ex = f->x,
                                    .ey = f->y };
        return true;
    }
    if (fabs(along) > BROADSIDE_COSINE) return false;
    // The points of both rims that are farthest along m.
    const slip_v3 out = v3_scale(s->radius, v3_unit(perpendicular_part(m, f->z)));
    *patch = (slip_face_patch){ .count = 2,
                                .corner_feature = SLIP_FEATURE_ROUND,
                                .edge_feature = SLIP_FEATURE_EDGE,
                                .feature = SLIP_FEATURE_EDGE,
                                .corner_number = { 0, 8 } };
    patch->core_radius = s->radius;
    for (int k = 0; k < 2; k++) {
        patch->core[k] = v3_add_scaled(f->at, k ? s->half[2] : -s->half[2], f->z);
        patch->corner[k] = v3_add(patch->core[k], out);
    }
    return true;
}

bool slip_convex_solid_face(const slip_convex_solid *form, slip_v3 m, slip_face_patch *patch)
{
    if (!form->is_poly) return is_cylinder(form) && cylinder_patch(form, m, patch);
    const slip_polytope *p = &form->poly;
    const int face = slip_polytope_face_along(p, m);
    if (face >= 0 && v3_dot(slip_polytope_normal(p, face), m) > FLAT_COSINE) {
        slip_polytope_face_patch(p, face, patch);
        return true;
    }
    if (p->shape->face_count > 0 || p->shape->vertex_count == 1) return false;
    slip_polytope_edge_patch(p, 0, patch); // a capsule
    return fabs(v3_dot(form->placed->frame.z, m)) < BROADSIDE_COSINE;
}

bool slip_convex_solid_line(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 m,
                            slip_straight_feature *line)
{
    if (!form->is_poly) {
        const slip_axes *f = &form->placed->frame;
        const slip_solid *s = form->placed->solid;
        if (!is_cylinder(form) || fabs(v3_dot(m, f->z)) > BROADSIDE_COSINE) return false;
        for (int end = 0; end < 2; end++) line->end[end] = rim_piece(form, end);
        line->side = side_piece(form);
        line->from = v3_add_scaled(f->at, -s->half[2], f->z);
        line->length = 2.0 * s->half[2];
        return true;
    }
    const slip_polytope *p = &form->poly;
    if (p->shape->vertex_count == 1) return false;
    const int edge = p->shape->face_count == 0 ? 0 : piece->feature == SLIP_FEATURE_EDGE ? piece->number : -1;
    if (edge < 0) return false;
    const int *given = p->shape->edge[edge];
    for (int end = 0; end < 2; end++)
        line->end[end] = (slip_surface_piece){ SLIP_NORMAL_FREE, .at = slip_polytope_vertex(p, given[end]),
                                               .feature = SLIP_FEATURE_VERTEX, .number = given[end] };
    line->from = line->end[0].at;
    const slip_v3 e = v3_sub(line->end[1].at, line->from);
    line->length = v3_norm(e);
    line->side = (slip_surface_piece){ SLIP_NORMAL_PERPENDICULAR, .direction = v3_unit(e), .at = line->from,
                                       .feature = SLIP_FEATURE_EDGE, .number = edge };
    return fabs(v3_dot(line->side.direction, m)) < BROADSIDE_COSINE;
}
