/// parts.h: the parts that can be chosen by name. Each kind is one table in the source; a line in
/// that table makes a part appear in `slipstick list`, in the checks of the model reader, in --help,
/// in the JSON and in the tests that run every part.
#ifndef SLIPSTICK_PARTS_H
#define SLIPSTICK_PARTS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum slip_part_kind {
    SLIP_FORMULATIONS, ///< how the nonsmooth elements are treated
    SLIP_INTEGRATORS,  ///< how an ODE is advanced
    SLIP_SOLVERS,      ///< how a complementarity problem or QP is solved
    SLIP_LAWS,         ///< friction laws
    SLIP_IMPACTS,      ///< impact laws
    SLIP_DAMPINGS,     ///< damping laws of compliant contacts
    SLIP_JOINTS,       ///< kinds of joint between bodies
    SLIP_SHAPES,       ///< kinds of shape that bodies touch with
    SLIP_FUNCTIONS,    ///< functions of the formula language
    SLIP_PART_KIND_COUNT
} slip_part_kind;

typedef struct slip_part_info {
    const char *name;      ///< as typed: "dai", "rk4", "lemke"
    const char *summary;   ///< one line
    const char *accepts;   ///< what it takes: "mechanics, inclusion", "LCP, MLCP", "y, x"; "" when anything
    const char *reference; ///< paper and equations; "" when none
} slip_part_info;

/// What the value of an option may be.
typedef struct slip_bounds {
    double low, high;
    bool open;                ///< `low` itself is excluded
    const char *text;         ///< the same in words: "greater than 0"; "" when any number will do
    const char *const *words; ///< of a choice, NULL at the end: its value is the number of a word; else NULL
} slip_bounds;

/// An option of a part, or a parameter of a law, declared once in the file of the part: model files, the
/// command line, C, JSON and the manual follow.
typedef struct slip_option {
    const char *name; ///< "stiffness"
    const char *unit; ///< "N/m"; "" for a pure number
    slip_bounds range;
    double value;         ///< what holds when it is not given; NaN: as `fallback` says
    const char *fallback; ///< the same in words: "0.01", "required", "from mass and step"
    const char *meaning;
} slip_option;

/// The options of the k-th part of a kind, or the parameters of a law, *count of them; NULL when it has none.
/// Those that all solvers share are not among them, see slip_solve_option_entry().
const slip_option *slip_part_options(slip_part_kind kind, int k, int *count);

/// The word for a kind: "formulations"; NULL past the end.
const char *slip_part_kind_name(int kind);

/// Fills *part with the k-th part of a kind; false past the end.
bool slip_part(slip_part_kind kind, int k, slip_part_info *part);

#ifdef __cplusplus
}
#endif
#endif
