/// output/report/report_page.c: the built page as bytes of the library. Everything that embeds it is in this file.
#include "output/report/report_page.h"

#include "base/embed.h"

#if SLIP_HAVE_PAGE

SLIP_EMBED(slip_page_2d, SLIP_PAGE_2D);
SLIP_EMBED(slip_page_3d, SLIP_PAGE_3D);

slip_page_text slip_page(int dimensions)
{
    const char *from = dimensions == 3 ? slip_page_3d : slip_page_2d;
    const char *to = dimensions == 3 ? slip_page_3d_end : slip_page_2d_end;
    return (slip_page_text){ from, (size_t)(to - from) };
}

#else

slip_page_text slip_page(int dimensions)
{
    (void)dimensions;
    return (slip_page_text){ NULL, 0 };
}

#endif
