/// collision/broad_phase.c: grids of several widths over the boxes, kept in one hash table.
///
/// Each box is in one cell: that of its centre, in the grid whose cells are as wide as its longest edge
/// rounded up to a power of 2. Boxes that overlap it are in the cells around it in its own grid and in wider
/// ones, 27 at most in each (hierarchical hash grids: Teschner et al., Optimized spatial hashing, 2003;
/// Ericson 2005, section 7.2). Small sets are searched without cells. Everything is rebuilt for each search,
/// in time proportional to the number of boxes, so that pairs do not depend on earlier searches.
#include "collision/broad_phase.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRID_LEVELS = 64,          ///< widths; boxes that are 2^63 times smaller than the largest share the last
    BRUTE_FORCE_MAX_BOXES = 12 ///< a level, or a set, with at most so many boxes is searched box by box
};

// Largest cell number; boxes farther out share the outermost cells.
#define CELL_INDEX_MAX 1073741824.0

typedef struct entry {
    int box, level, cell[3];
    slip_aabb bounds;
} entry;

typedef struct level_info {
    int count, low[3], high[3];     ///< boxes, and the range of their cells
    int few[BRUTE_FORCE_MAX_BOXES]; ///< the boxes, while they are few
    double width;
} level_info;

typedef struct slip_broad_phase_work {
    int boxes_room, table_room, pairs_room;
    entry *placed, *entry;  ///< by box; in the order of the table
    int *start;             ///< where each bucket begins among the entries
    int (*raw)[2];          ///< pairs as they are found
    int *begin;             ///< start of the pairs of each box
    int *wide, wide_count;  ///< unbounded boxes
    int raw_count, buckets; ///< a power of 2
    level_info level[GRID_LEVELS];
} slip_broad_phase_work;

slip_broad_phase *slip_broad_phase_create(void)
{
    slip_broad_phase *broad = calloc(1, sizeof *broad);
    slip_broad_phase_work *work = calloc(1, sizeof *work);
    if (broad && work) {
        broad->work = work;
        return broad;
    }
    free(broad);
    free(work);
    return NULL;
}

void slip_broad_phase_destroy(slip_broad_phase *broad)
{
    if (!broad) return;
    slip_broad_phase_work *w = broad->work;
    free(w->placed);
    free(w->entry);
    free(w->start);
    free(w->raw);
    free(w->begin);
    free(w->wide);
    free(w);
    free(broad->pair);
    free(broad);
}

// ----------------------------------------------------------------------------------------- memory

static bool resize_block(slip_broad_phase *broad, void **block, int room, size_t size)
{
    void *larger = realloc(*block, (size_t)room * size);
    if (!larger) return false;
    *block = larger;
    broad->growth++;
    return true;
}

static bool make_room(slip_broad_phase *broad, int count)
{
    slip_broad_phase_work *w = broad->work;
    w->buckets = 16;
    while (w->buckets < 2 * count) w->buckets *= 2;
    if (count >= w->boxes_room) {
        const int room = count + count / 2 + 16;
        if (!resize_block(broad, (void **)&w->placed, room, sizeof *w->placed) ||
            !resize_block(broad, (void **)&w->entry, room, sizeof *w->entry) ||
            !resize_block(broad, (void **)&w->begin, room + 2, sizeof *w->begin) ||
            !resize_block(broad, (void **)&w->wide, room, sizeof *w->wide))
            return false;
        w->boxes_room = room;
    }
    if (w->buckets > w->table_room) {
        if (!resize_block(broad, (void **)&w->start, w->buckets + 2, sizeof *w->start)) return false;
        w->table_room = w->buckets;
    }
    return true;
}

static bool pair_room(slip_broad_phase *broad)
{
    slip_broad_phase_work *w = broad->work;
    const int room = w->pairs_room ? 2 * w->pairs_room : 64;
    if (!resize_block(broad, (void **)&w->raw, room, sizeof *w->raw) ||
        !resize_block(broad, (void **)&broad->pair, room, sizeof *broad->pair))
        return false;
    w->pairs_room = room;
    return true;
}

// ------------------------------------------------------------------------------------- boxes into cells

static int cell_of(double x, double width)
{
    return (int)floor(fmin(CELL_INDEX_MAX, fmax(-CELL_INDEX_MAX, x / width)));
}

static int bucket_of(const slip_broad_phase_work *w, int level, const int cell[3])
{
    uint32_t h = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^
                 (uint32_t)cell[2] * 83492791u ^ (uint32_t)level * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u; // spread the high bits downward
    h ^= h >> 13;
    return (int)(h & (uint32_t)(w->buckets - 1));
}

static double longest_edge(const slip_aabb *b)
{
    return fmax(fmax(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
}

static bool is_wide(const slip_aabb *b)
{
    return !isfinite(longest_edge(b)) || !isfinite(b->low[0] + b->low[1] + b->low[2]);
}

static slip_status check_boxes(int count, const slip_aabb *box, double *largest, slip_error *error)
{
    *largest = 0.0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            if (!(box[i].low[k] <= box[i].high[k]))
                return slip_fail(error, SLIP_BAD_ARGUMENT, "broad phase", "box %d goes from %g to %g", i,
                                 box[i].low[k], box[i].high[k]);
        if (!is_wide(&box[i])) *largest = fmax(*largest, longest_edge(&box[i]));
    }
    return SLIP_OK;
}

// Each grid is half as wide as the one before; the first is as wide as the largest box.
static void reset_levels(slip_broad_phase_work *w, double largest)
{
    for (int l = 0; l < GRID_LEVELS; l++) {
        // the finest grids of tiny scenes are limited by the smallest numbers
        w->level[l] = (level_info){ .width = fmax(ldexp(largest, -l), 0x1p-1000) };
        for (int k = 0; k < 3; k++) w->level[l].low[k] = INT32_MAX, w->level[l].high[k] = INT32_MIN;
    }
}

static int level_of(const slip_broad_phase_work *w, const slip_aabb *b)
{
    const double size = longest_edge(b);
    int low = 0, high = GRID_LEVELS - 1; // the last level that is as wide as the box
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (w->level[middle].width >= size)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void place_box(slip_broad_phase_work *w, int i, const slip_aabb *b)
{
    entry *e = &w->placed[i];
    *e = (entry){ .box = i, .bounds = *b };
    if (is_wide(b)) {
        e->level = -1;
        w->wide[w->wide_count++] = i;
        return;
    }
    e->level = level_of(w, b);
    level_info *l = &w->level[e->level];
    for (int k = 0; k < 3; k++) {
        e->cell[k] = cell_of(0.5 * b->low[k] + 0.5 * b->high[k], l->width);
        if (e->cell[k] < l->low[k]) l->low[k] = e->cell[k];
        if (e->cell[k] > l->high[k]) l->high[k] = e->cell[k];
    }
    if (l->count < BRUTE_FORCE_MAX_BOXES) l->few[l->count] = i;
    l->count++;
}

// Sorts entries by bucket (counting sort).
static void fill_table(slip_broad_phase_work *w, int count)
{
    memset(w->start, 0, ((size_t)w->buckets + 2) * sizeof *w->start);
    for (int i = 0; i < count; i++) {
        const entry *e = &w->placed[i];
        if (e->level >= 0) w->start[bucket_of(w, e->level, e->cell) + 2]++;
    }
    for (int b = 0; b < w->buckets; b++) w->start[b + 2] += w->start[b + 1];
    for (int i = 0; i < count; i++) {
        const entry *e = &w->placed[i];
        if (e->level >= 0) w->entry[w->start[bucket_of(w, e->level, e->cell) + 1]++] = *e;
    }
}

// ------------------------------------------------------------------------------------------- pairs

typedef struct search {
    slip_broad_phase *broad;
    slip_broad_phase_work *w;
    const bool *fixed;
    bool no_memory;
} search;

static bool boxes_overlap(const slip_aabb *a, const slip_aabb *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

static void test_pair(search *s, const entry *a, const entry *b)
{
    if (s->fixed && s->fixed[a->box] && s->fixed[b->box]) return;
    s->broad->tests++;
    if (!boxes_overlap(&a->bounds, &b->bounds)) return;
    slip_broad_phase_work *w = s->w;
    if (w->raw_count == w->pairs_room && !pair_room(s->broad)) {
        s->no_memory = true;
        return;
    }
    int *pair = w->raw[w->raw_count++];
    pair[0] = a->box < b->box ? a->box : b->box;
    pair[1] = a->box < b->box ? b->box : a->box;
}

// A pair of boxes of one level is found from the box in the earlier cell only.
static bool comes_later(const entry *e, const int cell[3])
{
    for (int k = 2; k >= 0; k--)
        if (cell[k] != e->cell[k]) return cell[k] > e->cell[k];
    return true;
}

static void search_cell(search *s, const entry *e, int level, const int cell[3])
{
    const slip_broad_phase_work *w = s->w;
    const int bucket = bucket_of(w, level, cell);
    for (int k = w->start[bucket]; k < w->start[bucket + 1]; k++) {
        const entry *f = &w->entry[k];
        if (f->level != level || f->cell[0] != cell[0] || f->cell[1] != cell[1] || f->cell[2] != cell[2])
            continue;
        const bool own_cell = level == e->level && memcmp(cell, e->cell, sizeof e->cell) == 0;
        if (own_cell && f->box <= e->box) continue;
        test_pair(s, e, f);
    }
}

static void search_level(search *s, const entry *e, int level)
{
    const level_info *l = &s->w->level[level];
    int low[3], high[3], cell[3];
    for (int k = 0; k < 3; k++) {
        // Half a cell on each side, since a box is in the cell of its centre; a little more because of
        // rounding.
        low[k] = cell_of(e->bounds.low[k] - 0.51 * l->width, l->width);
        high[k] = cell_of(e->bounds.high[k] + 0.51 * l->width, l->width);
        if (low[k] < l->low[k]) low[k] = l->low[k];
        if (high[k] > l->high[k]) high[k] = l->high[k];
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                if (level != e->level || comes_later(e, cell)) search_cell(s, e, level, cell);
}

static void search_few(search *s, const entry *e, int level)
{
    const level_info *l = &s->w->level[level];
    for (int k = 0; k < l->count; k++)
        if (level != e->level || l->few[k] > e->box) test_pair(s, e, &s->w->placed[l->few[k]]);
}

static void search_from(search *s, const entry *e)
{
    if (e->level < 0) return;
    for (int level = 0; level <= e->level; level++) {
        if (s->w->level[level].count > BRUTE_FORCE_MAX_BOXES)
            search_level(s, e, level);
        else
            search_few(s, e, level);
    }
}

static void search_wide(search *s, int count)
{
    const slip_broad_phase_work *w = s->w;
    for (int k = 0; k < w->wide_count; k++)
        for (int i = 0; i < count; i++) {
            const entry *wide = &w->placed[w->wide[k]];
            const bool both = w->placed[i].level < 0;
            if (!both || i > wide->box) test_pair(s, wide, &w->placed[i]);
        }
}

// All pairs of a small set, which are ascending as they are found.
static void search_all(search *s, int count, const slip_aabb *box)
{
    slip_broad_phase_work *w = s->w;
    for (int i = 0; i < count; i++) w->placed[i] = (entry){ .box = i, .bounds = box[i] };
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) test_pair(s, &w->placed[i], &w->placed[k]);
}

static void search_grids(search *s, int count, const slip_aabb *box, double largest)
{
    slip_broad_phase_work *w = s->w;
    reset_levels(w, largest);
    for (int i = 0; i < count; i++) place_box(w, i, &box[i]);
    fill_table(w, count);
    for (int i = 0; i < count && !s->no_memory; i++) search_from(s, &w->placed[i]);
    if (!s->no_memory) search_wide(s, count);
}

// Stable sort of the pairs by one of their numbers.
static void sort_by(slip_broad_phase_work *w, int count, int number, int (*from)[2], int (*into)[2])
{
    memset(w->begin, 0, ((size_t)count + 2) * sizeof *w->begin);
    for (int k = 0; k < w->raw_count; k++) w->begin[from[k][number] + 1]++;
    for (int i = 0; i < count; i++) w->begin[i + 1] += w->begin[i];
    for (int k = 0; k < w->raw_count; k++) {
        int *pair = into[w->begin[from[k][number]]++];
        pair[0] = from[k][0], pair[1] = from[k][1];
    }
}

// Ascending: first by the second numbers, then by the first.
static void sort_pairs(slip_broad_phase *broad, int count)
{
    slip_broad_phase_work *w = broad->work;
    sort_by(w, count, 1, w->raw, broad->pair);
    sort_by(w, count, 0, broad->pair, w->raw);
}

static void publish_pairs(slip_broad_phase *broad)
{
    slip_broad_phase_work *w = broad->work;
    int(*sorted)[2] = w->raw;
    w->raw = broad->pair;
    broad->pair = sorted;
    broad->pair_count = w->raw_count;
}

slip_status slip_broad_phase_find(slip_broad_phase *broad, int count, const slip_aabb *box, const bool *fixed,
                                  slip_error *error)
{
    slip_broad_phase_work *w = broad->work;
    double largest;
    broad->pair_count = 0;
    broad->tests = 0;
    w->raw_count = w->wide_count = 0;
    const slip_status status = check_boxes(count, box, &largest, error);
    if (status != SLIP_OK) return status;
    if (count > INT32_MAX / 4 || !make_room(broad, count))
        return slip_fail(error, SLIP_NO_MEMORY, "broad phase", "no room for %d boxes", count);
    search s = { broad, w, fixed, false };
    const bool small = count <= BRUTE_FORCE_MAX_BOXES;
    if (small)
        search_all(&s, count, box);
    else
        search_grids(&s, count, box, largest);
    if (s.no_memory)
        return slip_fail(error, SLIP_NO_MEMORY, "broad phase", "no room for the pairs of %d boxes", count);
    if (!small) sort_pairs(broad, count);
    publish_pairs(broad);
    return SLIP_OK;
}
