/// symbolic/simd/simd_lanes.c: which instruction set runs the lanes, and their registers.
#include "symbolic/simd/simd_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "platform/platform.h"
#include "symbolic/simd/simd_kernels.h"

bool slip_simd_width_available(slip_simd_width packing)
{
#ifdef SLIP_LANES_X86
    if (packing == SLIP_SIMD_WIDTH_4) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (packing == SLIP_SIMD_WIDTH_8)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#endif
    return packing == SLIP_SIMD_WIDTH_2;
}

slip_simd_width slip_simd_width_best(void)
{
    slip_simd_width best = SLIP_SIMD_WIDTH_2;
    for (int k = 0; k < SLIP_SIMD_WIDTH_COUNT; k++)
        if (slip_simd_width_available((slip_simd_width)k)) best = (slip_simd_width)k;
    return best;
}

double *slip_lanes_rows(const slip_tape *t)
{
    size_t bytes = (size_t)(t->registers + 1) * SLIP_LANES * sizeof(double);
    double *rows = slip_aligned_memory(bytes); // a multiple of 64, rows being whole cache lines
    if (rows) memset(rows, 0, bytes);
    return rows;
}

void slip_lanes_start(const slip_tape *t, double *rows)
{
    for (int k = 0; k < t->constant_count; k++)
        for (int j = 0; j < SLIP_LANES; j++) rows[(t->first_constant + k) * SLIP_LANES + j] = t->constants[k];
}

void slip_lanes_run(const slip_tape *t, slip_simd_width packing, const slip_lanes_code *code, double *rows)
{
#ifdef SLIP_LANES_X86
    if (packing == SLIP_SIMD_WIDTH_8) {
        slip_lanes_run_8(t, code, rows);
        return;
    }
    if (packing == SLIP_SIMD_WIDTH_4) {
        slip_lanes_run_4(t, code, rows);
        return;
    }
#endif
    (void)packing;
    slip_lanes_run_2(t, code, rows);
}

// machine code asks of a number no more than whether it is one
static bool same_numbers(const slip_tape *a, const slip_tape *b)
{
    for (int k = 0; k < a->constant_count; k++)
        if (isnan(a->constants[k]) != isnan(b->constants[k])) return false;
    return true;
}

bool slip_lanes_same_program(const slip_tape *a, const slip_tape *b)
{
    return a->length == b->length && a->first_constant == b->first_constant &&
           a->constant_count == b->constant_count &&
           memcmp(a->code, b->code, (size_t)a->length * sizeof *a->code) == 0 && same_numbers(a, b);
}

bool slip_lanes_same_registers(const slip_tape *a, const slip_tape *b)
{
    return slip_lanes_same_program(a, b) && a->registers == b->registers;
}

bool slip_tape_lanes_create(slip_tape_lanes *lanes, const slip_tape *tape, slip_simd_width packing)
{
    *lanes = (slip_tape_lanes){ .tape = tape, .rows = slip_lanes_rows(tape) };
    slip_tape_lanes_set_packing(lanes, packing);
    return lanes->rows != NULL;
}

void slip_tape_lanes_destroy(slip_tape_lanes *lanes)
{
    slip_lanes_code_destroy(lanes->code);
    free(lanes->rows);
}

void slip_tape_lanes_set_packing(slip_tape_lanes *lanes, slip_simd_width packing)
{
    slip_lanes_code_destroy(lanes->code);
    lanes->packing = packing;
    lanes->code = slip_lanes_code_create(lanes->tape, packing);
}

void slip_tape_lanes_load(slip_tape_lanes *lanes, int lane, const double *registers)
{
    for (int r = 0; r < lanes->tape->registers; r++) lanes->rows[(long)r * SLIP_LANES + lane] = registers[r];
}
