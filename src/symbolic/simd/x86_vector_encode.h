/// symbolic/simd/x86_vector_encode.h: packed instructions of x86-64, byte by byte: AVX for four numbers, AVX-512 for
/// eight.
///
/// Vector registers are numbers 0 to 15, or 31 with AVX-512. Memory is a row of tape registers at rdi, a slot
/// at rsi, or a number of the pool that stands before the code.
#ifndef SLIP_SYMBOLIC_SIMD_X86_VECTOR_ENCODE_H
#define SLIP_SYMBOLIC_SIMD_X86_VECTOR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct slip_vector_encoder {
    unsigned char *code;
    size_t at;
    bool wide; ///< AVX-512
} slip_vector_encoder;

enum {
    SLIP_X86_LOAD = 0x10,
    SLIP_X86_STORE = 0x11,
    SLIP_X86_MOVE = 0x28,
    SLIP_X86_SQRT = 0x51,
    SLIP_X86_AND = 0x54,
    SLIP_X86_OR = 0x56,
    SLIP_X86_XOR = 0x57,
    SLIP_X86_ADD = 0x58,
    SLIP_X86_MUL = 0x59,
    SLIP_X86_SUB = 0x5C,
    SLIP_X86_MIN = 0x5D,
    SLIP_X86_DIV = 0x5E,
    SLIP_X86_MAX = 0x5F,
    SLIP_X86_COMPARE = 0xC2,
};
enum { SLIP_IS_EQ, SLIP_IS_LT, SLIP_IS_LE, SLIP_IS_NAN, SLIP_IS_NE }; // of SLIP_X86_COMPARE

static inline void slip_encode_byte(slip_vector_encoder *s, int b)
{
    s->code[s->at++] = (unsigned char)b;
}

static inline void slip_encode_u32(slip_vector_encoder *s, uint32_t v)
{
    memcpy(s->code + s->at, &v, 4);
    s->at += 4;
}

/// What stands before the operation: map of operations (1: 0F, 2: 0F38, 3: 0F3A), registers, and with AVX-512
/// a mask (0: none) and whether it clears.
typedef struct slip_prefix {
    int map, to, a, b;
    int mask;
    bool clears;
} slip_prefix;

static inline void slip_encode_prefix(slip_vector_encoder *s, slip_prefix p)
{
    enum { DOUBLE = 1 }; // the prefix 66
    const int to = ~p.to, a = ~p.a, b = ~p.b;
    const int right = (to >> 3 & 1) << 7, base = (b >> 3 & 1) << 5;
    if (!s->wide) {
        slip_encode_byte(s, 0xC4);
        slip_encode_byte(s, right | 0x40 | base | p.map);
        slip_encode_byte(s, (a & 15) << 3 | 4 | DOUBLE);
        return;
    }
    slip_encode_byte(s, 0x62);
    slip_encode_byte(s, right | (b >> 4 & 1) << 6 | base | (to >> 4 & 1) << 4 | p.map);
    slip_encode_byte(s, 0x80 | (a & 15) << 3 | 4 | DOUBLE);
    slip_encode_byte(s, (p.clears ? 0x80 : 0) | 0x40 | (a >> 4 & 1) << 3 | p.mask);
}

/// to := a op b
static inline void slip_encode(slip_vector_encoder *s, int op, int to, int a, int b)
{
    slip_encode_prefix(s, (slip_prefix){ .map = 1, .to = to, .a = a, .b = b });
    slip_encode_byte(s, op);
    slip_encode_byte(s, 0xC0 | (to & 7) << 3 | (b & 7));
}

/// The same with b in memory, `row` bytes from rdi or, in a slot, from rsi. Loads and stores have no a: 0.
typedef struct slip_memory {
    bool slot;
    uint32_t row;
} slip_memory;

static inline void slip_encode_address(slip_vector_encoder *s, int to, slip_memory m)
{
    slip_encode_byte(s, 0x80 | (to & 7) << 3 | (m.slot ? 6 : 7));
    slip_encode_u32(s, m.row);
}

static inline void slip_encode_memory(slip_vector_encoder *s, int op, int to, int a, slip_memory m)
{
    slip_encode_prefix(s, (slip_prefix){ .map = 1, .to = to, .a = a });
    slip_encode_byte(s, op);
    slip_encode_address(s, to, m);
}

/// to := a op a number of the pool, which is `from_start` bytes behind the first byte of the code. With a
/// mask: only where it is set, 0 elsewhere.
static inline void slip_encode_pooled(slip_vector_encoder *s, int op, int to, int a, size_t from_start,
                                      int mask)
{
    slip_encode_prefix(s, (slip_prefix){ .map = 1, .to = to, .a = a, .mask = mask, .clears = mask != 0 });
    slip_encode_byte(s, op);
    slip_encode_byte(s, 0x05 | (to & 7) << 3);
    slip_encode_u32(s, (uint32_t)from_start - (uint32_t)(s->at + 4)); // from where the instruction ends
}

/// A comparison: vector register `to` all ones or zeros, or with AVX-512 mask `to`, where `within` (0: all)
/// is set. b is in memory unless that is NULL.
static inline void slip_encode_compare(slip_vector_encoder *s, int to, int a, int b,
                                       const slip_memory *memory, int how, int within)
{
    slip_encode_prefix(s, (slip_prefix){ .map = 1, .to = to, .a = a, .b = memory ? 0 : b, .mask = within });
    slip_encode_byte(s, SLIP_X86_COMPARE);
    if (memory)
        slip_encode_address(s, to, *memory);
    else
        slip_encode_byte(s, 0xC0 | (to & 7) << 3 | (b & 7));
    slip_encode_byte(s, how);
}

/// to := mask ? yes : no; yes is in memory unless that is NULL
static inline void slip_encode_blend(slip_vector_encoder *s, int to, int mask, int yes,
                                     const slip_memory *memory, int no)
{
    slip_encode_prefix(
        s,
        (slip_prefix){
            .map = s->wide ? 2 : 3, .to = to, .a = no, .b = memory ? 0 : yes, .mask = s->wide ? mask : 0 });
    slip_encode_byte(s, s->wide ? 0x65 : 0x4B); // vblendmpd, vblendvpd
    if (memory)
        slip_encode_address(s, to, *memory);
    else
        slip_encode_byte(s, 0xC0 | (to & 7) << 3 | (yes & 7));
    if (!s->wide) slip_encode_byte(s, mask << 4);
}

/// Mask 1 := mask 1 or mask 2, of AVX-512.
static inline void slip_encode_mask_or(slip_vector_encoder *s)
{
    slip_encode_byte(s, 0xC5), slip_encode_byte(s, 0x80 | (~1 & 15) << 3 | 4); // korw
    slip_encode_byte(s, 0x45), slip_encode_byte(s, 0xCA);
}

#endif
