/// platform/threads_together.c: the same work on several threads.
#include "platform/threads.h"

void slip_threads_together(int threads, slip_thread_main *main, void *context)
{
    slip_thread started[SLIP_THREADS_TOGETHER];
    int made = 0;
    while (made < threads - 1 && made < SLIP_THREADS_TOGETHER - 1 &&
           slip_thread_start(&started[made], main, context))
        made++;
    main(context);
    for (int k = 0; k < made; k++) slip_thread_join(&started[k]);
}
