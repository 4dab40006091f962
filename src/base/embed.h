/// base/embed.h: a file as bytes of the library.
///
/// .incbin takes a file as it is, in no time; a C array of a megabyte would take the compiler minutes. Both gcc
/// and clang know it, for every kind of library.
#ifndef SLIP_BASE_EMBED_H
#define SLIP_BASE_EMBED_H

/// Its bytes begin at name[0] and end before name_end[0], which is 0.
#define SLIP_EMBED(name, path)                                                                               \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".hidden " #name "\n.global " #name "\n.balign 16\n" #name ":\n"                                 \
            ".incbin \"" path "\"\n"                                                                         \
            ".hidden " #name "_end\n.global " #name "_end\n" #name "_end:\n.byte 0\n"                        \
            ".popsection\n");                                                                                \
    extern const char name[], name##_end[]

#endif
