/// analyze.h: what a rigid model can do from a state: domains of behaviour (Gomez 2008, Figs 2.7 and 2.8).
///
///     slip_domain_axis axis[2] = { { "th", 0.1, 3.0, 100 }, { "th'", -2.5, 2.5, 101 } };
///     slip_domain_map *map = NULL;
///     if (slip_domain_map_create(model, axis, &error, &map) != SLIP_OK) ...
///     slip_domain_point p = slip_domain_map_point(map, 3, 7);
///     slip_domain_map_destroy(map);
///
/// The contacts that hold at the model's start hold at every point, and slip as they do there: the other
/// coordinates and rates are moved as little as that takes.
#ifndef SLIPSTICK_DOMAIN_MAP_H
#define SLIPSTICK_DOMAIN_MAP_H

#include <stdbool.h>

#include "slipstick/model.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIP_DOMAINS(X)                                                                                      \
    X(HOLDS, "holds", "every contact stays closed")                                                          \
    X(VANISHES, "vanishes", "a contact opens")                                                               \
    X(NONE, "none", "no force is consistent with sliding")                                                   \
    X(UNREACHABLE, "unreachable", "the contacts cannot be closed there")

#define SLIP_DOMAIN_AS_ENUM(name, word, text) SLIP_DOMAIN_##name,
typedef enum slip_domain { SLIP_DOMAINS(SLIP_DOMAIN_AS_ENUM) SLIP_DOMAIN_COUNT } slip_domain;

const char *slip_domain_name(slip_domain domain); ///< "holds"; never NULL
const char *slip_domain_text(slip_domain domain); ///< a sentence; never NULL

/// A coordinate ("th") or a rate ("th'") and where it is looked at.
typedef struct slip_domain_axis {
    const char *name;
    double low, high;
    int count; ///< >= 1
} slip_domain_axis;

typedef struct slip_domain_point {
    double at[2];
    slip_domain domain; ///< of Gauss' principle, which has an answer wherever sliding is possible
    int solutions;      ///< motions that the contact LCP allows; -1 when there are too many contacts to count
    double force;       ///< sum of the normal forces, N; NaN when there is none
} slip_domain_point;

typedef struct slip_domain_map slip_domain_map;

/// Looks at every point of the grid that the two axes span. The model must outlive the map.
slip_status slip_domain_map_create(const slip_model *model, const slip_domain_axis axis[2], slip_error *error,
                                   slip_domain_map **map);

/// The same with `progress` called after every point of the grid with the fraction done. False ends it: axis
/// 1 of the map then ends with the last row that is whole. SLIP_BAD_ARGUMENT when none is.
slip_status slip_domain_map_create_watched(const slip_model *model, const slip_domain_axis axis[2],
                                           bool (*progress)(void *context, double fraction), void *context,
                                           slip_error *error, slip_domain_map **map);
void slip_domain_map_destroy(slip_domain_map *map); ///< NULL is fine

const slip_domain_axis *slip_domain_map_axis(const slip_domain_map *map,
                                             int which); ///< axis 0 or 1, else NULL
slip_domain_point slip_domain_map_point(const slip_domain_map *map, int i,
                                        int j); ///< grid point i of axis 0, j of axis 1
int slip_domain_map_count(const slip_domain_map *map,
                          slip_domain domain); ///< points of the grid that lie in a domain
int slip_domain_map_ambiguous_count(
    const slip_domain_map *map); ///< points where the contact LCP has more than one solution

/// Any point, not only of the grid.
slip_domain_point slip_domain_map_evaluate(slip_domain_map *map, double x, double y);

/// Where the domain changes along axis 0 at the value y of axis 1, to rounding, searched between the grid's
/// columns: up to `most` places into `where`, with the domains before and after. Returns how many there are.
typedef struct slip_domain_border {
    double at;
    slip_domain before, after;
} slip_domain_border;

/// The borders at y; see slip_domain_border.
int slip_domain_map_borders(slip_domain_map *map, double y, slip_domain_border *where, int most);

/// How often each domain occurs, and the borders along axis 0 where axis 1 is nearest to 0, as one JSON
/// object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_domain_map_json(slip_domain_map *map);
double slip_domain_map_middle(const slip_domain_map *map); ///< that value of axis 1

/// One line per point: both values, domain, solutions, force.
slip_status slip_domain_map_write_csv(const slip_domain_map *map, const char *path, slip_error *error);

/// The same as a picture (SVG).
slip_status slip_domain_map_write_svg(const slip_domain_map *map, const char *path, slip_error *error);

/// Critical friction: the parameter is raised from `low`, and where the number of solutions of the contact
/// problem at the model's start changes first is found to rounding. Steps of (high - low)/intervals that see
/// no change are believed.
typedef struct slip_critical_def {
    const slip_model *model; ///< must be given
    const char *parameter;   ///< "mu"
    double low, high;
    int intervals; ///< (64)
} slip_critical_def;

/// The defaults in parentheses above; model, parameter and range are still to be given.
slip_critical_def slip_default_critical_def(void);

typedef struct slip_critical {
    char parameter[96]; ///< as asked for, and from where to where
    double low, high;
    double at;         ///< the last value that is as at `low`; NaN when nothing changes up to `high`
    int before, after; ///< solutions; a continuum counts as one
} slip_critical;

/// Finds the critical value. The model is not changed.
slip_status slip_find_critical(const slip_critical_def *def, slip_error *error, slip_critical *critical);

/// The same as a sentence without its stop, cut to `size` bytes; returns `text`.
const char *slip_critical_text(const slip_critical *critical, char *text, size_t size);

/// The same as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_critical_json(const slip_critical *critical);

#ifdef __cplusplus
}
#endif
#endif
