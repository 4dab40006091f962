/// alloc_fail.h: make the k-th allocation fail, to prove that every failure is survived.
///
/// Add alloc_fail.c to the test and link with
///     -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc
/// Only calls from our own objects are seen, not those inside libc. One thread only.
///
///     for (long k = 1;; k++) {
///         alloc_fail_at(k);
///         do_something();              // must return a failure or a right result, and leak nothing
///         if (alloc_fail_stop() < k) break;  // fewer than k allocations: all points were tried
///     }
#ifndef SLIP_ALLOC_FAIL_H
#define SLIP_ALLOC_FAIL_H

/// Starts counting; the k-th allocation from now fails (0: none does).
void alloc_fail_at(long k);

/// Stops counting and failing; returns how many allocations were asked for since the start.
long alloc_fail_stop(void);

/// From here to the next start allocations neither fail nor count: for parts that are not ours.
void alloc_fail_pause(void);

#endif
