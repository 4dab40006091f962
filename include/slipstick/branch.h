/// branch.h: special points of a branch of periodic motions (cycle.h, two_parameter.h) or equilibria
/// (equilibrium.h).
#ifndef SLIPSTICK_BRANCH_H
#define SLIPSTICK_BRANCH_H

#ifdef __cplusplus
extern "C" {
#endif

#define SLIP_BRANCH_KINDS(X)                                                                                 \
    X(PLAIN, "", "nothing")                                                                                  \
    X(FOLD, "fold", "the branch turns back: two motions, or two equilibria, meet")                           \
    X(DOUBLING, "doubling", "a multiplier passes -1: an orbit of twice the period branches off")             \
    X(TORUS, "torus", "a pair of multipliers leaves or enters the unit circle (Neimark-Sacker)")             \
    X(BRANCHING, "branching",                                                                                \
      "another branch crosses: a symmetry is lost (pitchfork), or two branches meet")                        \
    X(HOPF, "hopf", "an orbit shrinks to an equilibrium; of equilibria: a pair of eigenvalues is imaginary") \
    X(GRAZING, "grazing", "a gap touches zero where it turns, or an impact speed is zero")                   \
    X(STOP, "stop", "a sliding contact that reverses begins to stick, or the opposite")                      \
    X(STICK, "sticking", "a sliding contact comes to rest on the way, or a phase of sticking vanishes")      \
    X(BORDER, "border", "the event sequence of the orbit changes in another way")                            \
    X(EDGE, "edge", "friction or a contact begins or ceases to hold an equilibrium")                         \
    X(END, "end", "the branch could not be followed further")

#define SLIP_BRANCH_AS_ENUM(name, word, text) SLIP_BRANCH_##name,
typedef enum slip_branch_kind { SLIP_BRANCH_KINDS(SLIP_BRANCH_AS_ENUM) SLIP_BRANCH_COUNT } slip_branch_kind;

/// The word used in tables and JSON, "fold"; "" of a plain point. Never NULL.
const char *slip_branch_kind_name(slip_branch_kind kind);

#ifdef __cplusplus
}
#endif
#endif
