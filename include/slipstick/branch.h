/// branch.h: what is special about a point of a branch, of periodic motions (cycle.h, plane.h) or of places
/// of rest (equilibrium.h).
#ifndef SLIPSTICK_BRANCH_H
#define SLIPSTICK_BRANCH_H

#ifdef __cplusplus
extern "C" {
#endif

#define SLIP_BRANCH_KINDS(X)                                                                                 \
    X(PLAIN, "", "nothing")                                                                                  \
    X(FOLD, "fold", "the branch turns back: two motions, or two places, meet")                               \
    X(DOUBLING, "doubling", "a multiplier passes -1: an orbit of twice the period branches off")             \
    X(TORUS, "torus", "a pair of multipliers leaves or enters the unit circle (Neimark-Sacker)")             \
    X(BRANCHING, "branching",                                                                                \
      "another branch crosses: a symmetry is lost (pitchfork), or two branches meet")                        \
    X(HOPF, "hopf", "an orbit shrinks to a place of rest; of those: a pair of eigenvalues is imaginary")     \
    X(GRAZING, "grazing", "an open gap that turns reaches zero")                                             \
    X(STOP, "stop", "what turns begins to stick there, or the other way round")                              \
    X(STICK, "sticking", "what slides comes to rest on the way, or has no time to stick any more")           \
    X(BORDER, "border", "the events of the orbit change in another way")                                     \
    X(EDGE, "edge", "friction or a contact begins to hold a place, or holds none any more")                  \
    X(END, "end", "the branch could not be followed further")

#define SLIP_BRANCH_AS_ENUM(name, word, text) SLIP_BRANCH_##name,
typedef enum slip_branch_kind { SLIP_BRANCH_KINDS(SLIP_BRANCH_AS_ENUM) SLIP_BRANCH_COUNT } slip_branch_kind;

/// The word used in tables and JSON, "fold"; "" of a plain point. Never NULL.
const char *slip_branch_kind_name(slip_branch_kind kind);

#ifdef __cplusplus
}
#endif
#endif
