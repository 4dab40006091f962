/// symbolic/native/x86_scalar_encode.h: scalar instructions of x86-64, byte by byte: SSE2, or the form of AVX that leaves
/// the operands alone.
///
/// xmm registers are numbers 0 to 15. Memory is a register of the tape, by way of rbx, or a number of the
/// pool that stands before the code.
#ifndef SLIP_SYMBOLIC_NATIVE_X86_SCALAR_ENCODE_H
#define SLIP_SYMBOLIC_NATIVE_X86_SCALAR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct slip_scalar_encoder {
    unsigned char *code;
    size_t at;
    bool avx;
} slip_scalar_encoder;

static inline void slip_scalar_byte(slip_scalar_encoder *s, int b)
{
    s->code[s->at++] = (unsigned char)b;
}

static inline void slip_scalar_u32(slip_scalar_encoder *s, uint32_t v)
{
    memcpy(s->code + s->at, &v, 4);
    s->at += 4;
}

static inline void slip_scalar_u64(slip_scalar_encoder *s, uint64_t v)
{
    memcpy(s->code + s->at, &v, 8);
    s->at += 8;
}

// prefix 0F op, xmm to xmm
static inline void slip_scalar_sse(slip_scalar_encoder *s, int prefix, int op, int to, int from)
{
    slip_scalar_byte(s, prefix);
    if (to > 7 || from > 7) slip_scalar_byte(s, 0x40 | (to > 7 ? 4 : 0) | (from > 7 ? 1 : 0));
    slip_scalar_byte(s, 0x0F);
    slip_scalar_byte(s, op);
    slip_scalar_byte(s, 0xC0 | (to & 7) << 3 | (from & 7));
}

// the same with three operands: to := a op b
static inline void slip_scalar_vex(slip_scalar_encoder *s, int prefix, int op, int to, int a, int b)
{
    int pp = prefix == 0x66 ? 1 : 3, right = to > 7 ? 0 : 0x80;
    if (b > 7) {
        slip_scalar_byte(s, 0xC4), slip_scalar_byte(s, right | 0x41),
            slip_scalar_byte(s, (~a & 15) << 3 | pp);
    } else {
        slip_scalar_byte(s, 0xC5), slip_scalar_byte(s, right | (~a & 15) << 3 | pp);
    }
    slip_scalar_byte(s, op);
    slip_scalar_byte(s, 0xC0 | (to & 7) << 3 | (b & 7));
}

enum {
    SCALAR = 0xF2,
    PACKED = 0x66,
    OP_MOVE = 0x28, // PACKED
    OP_SQRT = 0x51,
    OP_AND = 0x54, // PACKED, as the next three
    OP_ANDN = 0x55,
    OP_OR = 0x56,
    OP_XOR = 0x57,
    OP_ADD = 0x58,
    OP_MUL = 0x59,
    OP_SUB = 0x5C,
    OP_MIN = 0x5D,
    OP_DIV = 0x5E,
    OP_MAX = 0x5F,
    OP_COMPARE = 0xC2,
};
enum { IS_EQ, IS_LT, IS_LE, IS_NAN, IS_NE }; // of OP_COMPARE

static inline void slip_scalar_move(slip_scalar_encoder *s, int to, int from)
{
    if (s->avx)
        slip_scalar_vex(s, PACKED, OP_MOVE, to, 0, from);
    else
        slip_scalar_sse(s, PACKED, OP_MOVE, to, from);
}

// to := a op b; `to` is not b, unless it is a as well
static inline void slip_scalar_operate(slip_scalar_encoder *s, int prefix, int op, int to, int a, int b)
{
    if (s->avx) {
        slip_scalar_vex(s, prefix, op, to, a, b);
        return;
    }
    if (to != a) slip_scalar_move(s, to, a);
    slip_scalar_sse(s, prefix, op, to, b);
}

static inline void slip_scalar_compare(slip_scalar_encoder *s, int to, int a, int b, int how)
{
    slip_scalar_operate(s, SCALAR, OP_COMPARE, to, a, b);
    slip_scalar_byte(s, how);
}

// to := a op a number of the pool, which stands before the code
static inline void slip_scalar_pooled(slip_scalar_encoder *s, int op, int to, int a, int which)
{
    if (s->avx) {
        slip_scalar_byte(s, 0xC5), slip_scalar_byte(s, (to > 7 ? 0 : 0x80) | (~a & 15) << 3 | 1);
    } else {
        if (to != a) slip_scalar_move(s, to, a);
        slip_scalar_byte(s, PACKED);
        if (to > 7) slip_scalar_byte(s, 0x44);
        slip_scalar_byte(s, 0x0F);
    }
    slip_scalar_byte(s, op);
    slip_scalar_byte(s, 0x05 | (to & 7) << 3);
    slip_scalar_u32(s, (uint32_t)(16 * which) - (uint32_t)(s->at + 4)); // from where the instruction ends
}

// the memory of a tape register: rbx is ahead of the first one, so that more of them are near
enum { SLIP_SCALAR_BASE_OFFSET = 128 };

static inline void slip_scalar_address(slip_scalar_encoder *s, int xmm, uint32_t tape_register)
{
    const int32_t from = (int32_t)(8 * tape_register) - SLIP_SCALAR_BASE_OFFSET;
    if (from < 128) {
        slip_scalar_byte(s, 0x43 | (xmm & 7) << 3), slip_scalar_byte(s, from & 0xff);
    } else {
        slip_scalar_byte(s, 0x83 | (xmm & 7) << 3), slip_scalar_u32(s, (uint32_t)from);
    }
}

// to := a op a register of the tape; to is a unless there is AVX. 0x10 loads it, 0x11 stores it, with a = 0
static inline void slip_scalar_memory(slip_scalar_encoder *s, int op, int to, int a, uint32_t tape_register)
{
    if (s->avx) {
        slip_scalar_byte(s, 0xC5), slip_scalar_byte(s, (to > 7 ? 0 : 0x80) | (~a & 15) << 3 | 3);
    } else {
        slip_scalar_byte(s, SCALAR);
        if (to > 7) slip_scalar_byte(s, 0x44);
        slip_scalar_byte(s, 0x0F);
    }
    slip_scalar_byte(s, op);
    slip_scalar_address(s, to, tape_register);
}

// the flags of a against b: below, equal, not a number
static inline void slip_scalar_flags(slip_scalar_encoder *s, int a, int b)
{
    if (s->avx)
        slip_scalar_vex(s, PACKED, 0x2E, a, 0, b);
    else
        slip_scalar_sse(s, PACKED, 0x2E, a, b);
}

#endif
