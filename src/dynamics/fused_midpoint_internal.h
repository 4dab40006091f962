/// dynamics/fused_midpoint_internal.h: inside a fused midpoint step. For the files of src/dynamics only.
#ifndef SLIP_DYNAMICS_FUSED_MIDPOINT_INTERNAL_H
#define SLIP_DYNAMICS_FUSED_MIDPOINT_INTERNAL_H

#include "symbolic/compiler/tape_fusion.h"
#include "dynamics/fused_midpoint.h"
#include "dynamics/system_tapes.h"

/// A tape of its own memory. What it reads and leaves has the same registers in all of them.
typedef struct slip_fused_midpoint_tape {
    slip_tape *tape;
    double *reg;
    int count, factor_count, gap_count, end_count;
    int in_a_row;                       ///< so many terms of the midpoint stand in a row; 0: they have routes
    slip_result_target *terms, *factor; ///< of the midpoint
    slip_result_target *gap, *end;      ///< gaps there and at the end, by element
} slip_fused_midpoint_tape;

/// Registers.
typedef struct slip_fused_midpoint_registers {
    int zero, half, dt, finite;
    int time;       ///< at the start, the midpoint and the end
    int x, a, mid;  ///< 2 n, n, n
    int middle;     ///< n
    int end;        ///< 2 n
    int mass, more; ///< of constant masses: what forces are divided by, four for each block; forces
    int block;      ///< of those that vary: four for each
    int terms;      ///< those of the midpoint, in the order of slip_terms.flat; -1: one by one
    int number;     ///< of terms behind h that are numbers, one for each term
    int Y, W;       ///< rows x n: M^-1 w'; rows x rows: w M^-1 w', lower triangle
    int before, q;  ///< rows: rates with u, and with u + M^-1 h dt
} slip_fused_midpoint_registers;

struct slip_fused_midpoint {
    const slip_system *system;
    bool printed, has_rows; ///< rows: Y, W and rates of contacts and frictions are made as well
    slip_tape *f;           ///< flat terms, masses, rates of what turns
    int *flat;              ///< per term: its register in f; -1: it is a number
    int *factor;            ///< the same of masses
    int *velocity;          ///< of what turns
    slip_fused_midpoint_registers at;
    slip_fused_midpoint_tape fly, first, second;
};

/// What the steps of making one share.
typedef struct slip_fused_midpoint_builder {
    slip_fused_midpoint *g;
    const slip_system *s;
    slip_tape_fusion *w;
    slip_fused_midpoint_registers *at;
    int n, *place, *results, result_count;
    int back; ///< three registers for lengths of quaternions
} slip_fused_midpoint_builder;

/// x := M^-1 x of block b, whose divisors are known.
void slip_fused_midpoint_mass_solve(const slip_fused_midpoint_builder *m, int b, int x);

/// Registers first .. first + count hold results.
void slip_fused_midpoint_add_results(slip_fused_midpoint_builder *m, int first, int count);

// ---- fused_midpoint_rows.c

/// Whether there are few enough of them.
bool slip_fused_midpoint_fits_rows(const slip_system *system);

void slip_fused_midpoint_place_rows(slip_fused_midpoint_builder *m);
void slip_fused_midpoint_set_row_values(const slip_fused_midpoint *g, double *reg);

/// Behind u + M^-1 h dt, where the tape was copied to last.
void slip_fused_midpoint_emit_rows(slip_fused_midpoint_builder *m);

#endif
