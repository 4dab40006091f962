/// output/report/report_page.c: the built pages as bytes of the library. Everything that embeds it is in this file.
#include "output/report/report_page.h"

#if SLIP_HAVE_PAGE || SLIP_HAVE_LAB

// .incbin takes a file as it is, in no time; a C array of a megabyte would take the compiler minutes. Both
// gcc and clang know it, for every kind of library.
#ifdef _WIN32
#define EMBED(name, path)                                                                                    \
    __asm__(".section .rdata,\"dr\"\n"                                                                       \
            ".global " #name "\n.balign 16\n" #name ":\n"                                                    \
            ".incbin \"" path "\"\n"                                                                         \
            ".global " #name "_end\n" #name "_end:\n.byte 0\n"                                               \
            ".text\n");                                                                                      \
    extern const char name[], name##_end[]
#else
#define EMBED(name, path)                                                                                    \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".hidden " #name "\n.global " #name "\n.balign 16\n" #name ":\n"                                 \
            ".incbin \"" path "\"\n"                                                                         \
            ".hidden " #name "_end\n.global " #name "_end\n" #name "_end:\n.byte 0\n"                        \
            ".popsection\n");                                                                                \
    extern const char name[], name##_end[]
#endif

#endif

#if SLIP_HAVE_PAGE

EMBED(slip_page_2d, SLIP_PAGE_2D);
EMBED(slip_page_3d, SLIP_PAGE_3D);

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

#if SLIP_HAVE_LAB

EMBED(slip_page_lab, SLIP_PAGE_LAB);

slip_page_text slip_lab_page(void)
{
    const char *from = slip_page_lab, *to = slip_page_lab_end;
    return (slip_page_text){ from, (size_t)(to - from) };
}

#else

slip_page_text slip_lab_page(void)
{
    return (slip_page_text){ NULL, 0 };
}

#endif
