/// system/glide_code.h: what a glide is made of. For the files of src/system only.
#ifndef SLIP_SYSTEM_GLIDE_CODE_H
#define SLIP_SYSTEM_GLIDE_CODE_H

#include "formula/weave.h"
#include "system/glide.h"
#include "system/system_code.h"

/// A tape of its own memory. What it reads and leaves has the same registers in all of them.
typedef struct slip_glide_part {
    slip_tape *tape;
    double *reg;
    int count, factor_count, gap_count, end_count;
    int in_a_row;               ///< so many terms of the midpoint stand in a row; 0: they have routes
    slip_route *terms, *factor; ///< of the midpoint
    slip_route *gap, *end;      ///< gaps there and at the end, by element
} slip_glide_part;

/// Registers.
typedef struct slip_glide_places {
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
} slip_glide_places;

struct slip_glide {
    const slip_system *system;
    bool printed, has_rows; ///< rows: Y, W and rates of contacts and frictions are made as well
    slip_tape *f;           ///< flat terms, masses, rates of what turns
    int *flat;              ///< per term: its register in f; -1: it is a number
    int *factor;            ///< the same of masses
    int *velocity;          ///< of what turns
    slip_glide_places at;
    slip_glide_part fly, first, second;
};

/// What the steps of making one share.
typedef struct slip_glide_maker {
    slip_glide *g;
    const slip_system *s;
    slip_weaver *w;
    slip_glide_places *at;
    int n, *place, *results, result_count;
    int back; ///< three registers for lengths of quaternions
} slip_glide_maker;

/// x := M^-1 x of block b, whose divisors are known.
void slip_glide_solve(const slip_glide_maker *m, int b, int x);

/// Registers first .. first + count hold results.
void slip_glide_want(slip_glide_maker *m, int first, int count);

// ---- glide_rows.c

/// Whether there are few enough of them.
bool slip_glide_takes_rows(const slip_system *system);

void slip_glide_place_rows(slip_glide_maker *m);
void slip_glide_put_row_numbers(const slip_glide *g, double *reg);

/// Behind u + M^-1 h dt, where the tape was copied to last.
void slip_glide_weave_rows(slip_glide_maker *m);

#endif
