/// formulation/moreau/moreau_problem.h: the contact problem of a step of Moreau's rule, in numbers; see moreau.h.
#ifndef SLIP_FORMULATION_MOREAU_MOREAU_PROBLEM_H
#define SLIP_FORMULATION_MOREAU_MOREAU_PROBLEM_H

#include "dynamics/fused_midpoint.h"

/// What a block does in a solution; the guess of the next step.
typedef enum slip_moreau_state {
    SLIP_STATE_OPEN,
    SLIP_STATE_STICKING,
    SLIP_STATE_FORWARD,
    SLIP_STATE_BACKWARD
} slip_moreau_state;

/// What the contact problem stands for.
typedef enum slip_moreau_problem_kind {
    SLIP_MOREAU_REFERENCE, ///< a whole step as in the paper: rows and active set of the midpoint, restitution
                           ///< always
    SLIP_MOREAU_SUBSTEP,   ///< an internal step: gap rates at its end by rows that turn, restitution where it
                           ///< strikes
    SLIP_MOREAU_IMPACT,    ///< a strike: no time passes, no force acts
    SLIP_MOREAU_PLASTIC_IMPACT ///< the same without restitution
} slip_moreau_problem_kind;

/// Equations of known states, factored: they are kept while their matrix stands.
typedef struct slip_moreau_factor {
    enum { SLIP_MOREAU_LU, SLIP_MOREAU_LEAST_NORM } kind;
    int count;            ///< of equations; 0: of none
    long matrix;          ///< number of the W they are made of
    unsigned char *state; ///< of the blocks
    double *J;            ///< by rows
    double *columns;      ///< the same by columns
    double *inverse;      ///< L and U; or minus the inverse of least norm, by columns
    int *pivot;
} slip_moreau_factor;

/// The contact problem of the present step. Unknowns i = block * d + component.
typedef struct slip_moreau_problem {
    slip_moreau_problem_kind law;
    double length; ///< s, over which forces act
    int blocks;
    int *element;   ///< per block
    int *row;       ///< per unknown; -1 for one that was filled in
    bool filled_in; ///< some are
    double *W, *q, *mu, *r, *w;
    double *friction; ///< per block, in force, at rest or sliding: mu, or N where the limit is known
    double largest;   ///< |q|
    double still;     ///< m/s: slips up to this are none; below 0: all are some
    long matrix;      ///< number of W: another one, another number
    struct {
        int blocks, *element;
        bool kept; ///< JY and S are made of the masses and constraint rows that follow
        bool own;  ///< so are W and Y, and of contact rows, not by a program
        double *value, *factor;
        double *least; ///< per row: smaller entries of it are left out
    } of;
    double *Y;               ///< M^-1 w' of each unknown, constraints eliminated; n numbers each
    const double **response; ///< where they are: there, or where a program left them
    const double *u;         ///< u_A, until the step is taken
    double *start;           ///< n, the same for who looks later
    double *before;          ///< gamma_A
    double *eps;             ///< restitution in force, per unknown
    bool *hits;              ///< per block: it is struck, faster than forces explain
    double *smooth_change;   ///< velocity change that smooth forces alone would give
    double *coupled;         ///< (J M^-1 J')^-1 J M^-1 w' of each unknown; constraint_count numbers each
    double *best;            ///< impulses that came nearest when no solver converged
    double *pull;            ///< n, of a strike: M^-1 h, constraints eliminated
    double *free;            ///< u_A + M^-1 h dt, constraints eliminated; n
    bool flown;              ///< that is there already, constraints not yet; and
    slip_fused_midpoint_rows made; ///< these of all rows, unless NULL
    double *JY;                    ///< M^-1 J', constraint by constraint; n each
    double *S;                     ///< factor of J M^-1 J'
    double *lambda;                ///< constraint impulses
    // states of the blocks, solved for as linear equations
    unsigned char *state;        ///< slip_moreau_state, per block: as solved for, then as found
    double *slip_direction;      ///< per unknown: direction of slip in the place of its tangents
    double *J, *x, *gram, *rest; ///< their matrix, unknowns, scratch, rates of the unknowns
    slip_moreau_factor factored;
    const double *near; ///< impulses to stay near to where the equations leave some open; NULL: least norm
    bool open;          ///< they do
    int *unknown;
    int *sparse_row, *sparse_column; ///< W by blocks, where a crowd leaves most of it empty
} slip_moreau_problem;

#endif
