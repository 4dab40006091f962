/// solver/problem/problem_storage.c: problems that own their arrays.
#include "solver/problem/problem_storage.h"

#include <stdlib.h>
#include <string.h>

problem_storage *slip_problem_storage_create(void)
{
    problem_storage *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    o->pool = slip_pool_create();
    if (o->pool) return o;
    free(o);
    return NULL;
}

void slip_problem_destroy(slip_problem *p)
{
    if (!p) return;
    problem_storage *o = (problem_storage *)p;
    slip_pool_destroy(o->pool);
    free(o);
}

// block columns present in one block row, counted or written in order, by marking
static int row_pattern(int block, int from, int to, const int *col, int *mark, int stamp, int *out)
{
    int count = 0;
    for (int k = from; k < to; k++) {
        const int c = col[k] / block;
        if (mark[c] == stamp) continue;
        mark[c] = stamp;
        if (out) out[count] = c;
        count++;
    }
    return count;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

bool slip_problem_storage_blocks(problem_storage *o, int rows, int cols, int block, int count, const int *row,
                                 const int *col, const double *value, slip_matrix *out)
{
    const int block_rows = rows / block, block_cols = cols / block;
    int *start = SLIP_POOL_NEW(o->pool, int, block_rows + 1),
        *mark = calloc((size_t)block_cols + 1, sizeof *mark);
    if (!start || !mark) return free(mark), false;
    int total = 0;
    for (int i = 0, k = 0; i < block_rows; i++) { // stamps i + 1 mark what this row has
        const int from = k;
        while (k < count && row[k] / block == i) k++;
        total += row_pattern(block, from, k, col, mark, i + 1, NULL);
        start[i + 1] = total;
    }
    int *column = SLIP_POOL_NEW(o->pool, int, total);
    double *values = SLIP_POOL_NEW(o->pool, double, (size_t)total *(size_t)(block * block));
    int *place = calloc((size_t)block_cols + 1, sizeof *place);
    if (!column || !values || !place) return free(mark), free(place), false;
    memset(mark, 0, sizeof *mark * ((size_t)block_cols + 1));
    for (int i = 0, k = 0; i < block_rows; i++) {
        const int from = k;
        while (k < count && row[k] / block == i) k++;
        row_pattern(block, from, k, col, mark, i + 1, column + start[i]);
        if (block > 1)
            qsort(column + start[i], (size_t)(start[i + 1] - start[i]), sizeof *column, compare_ints);
        for (int c = start[i]; c < start[i + 1]; c++) place[column[c]] = c;
        for (int e = from; e < k; e++)
            values[((long)place[col[e] / block] * block + row[e] % block) * block + col[e] % block] =
                value[e];
    }
    free(mark);
    free(place);
    *out = slip_matrix_sparse(rows, cols, block, start, column, values);
    return true;
}
