/// symbolic/native/register_allocator.h: register allocation within a basic block (Belady: the value whose next use is farthest away is spilled).
///
/// A spilled value that is not in memory yet is stored in a slot, which is reused when the value is no longer
/// needed: few slots are sufficient, and they stay in the cache. Values that are read once are not loaded at
/// all if an operation takes them from memory.
#ifndef SLIP_SYMBOLIC_NATIVE_REGISTER_ALLOCATOR_H
#define SLIP_SYMBOLIC_NATIVE_REGISTER_ALLOCATOR_H

#include "symbolic/native/basic_block.h"

enum { SLIP_MAX_MACHINE_REGISTERS = 32 };

/// A memory location: a register of the tape, or a spill slot from SLIP_FIRST_SPILL_SLOT on; -1 none.
enum { SLIP_NO_LOCATION = -1, SLIP_FIRST_SPILL_SLOT = SLIP_MAX_REGISTERS };

/// An operand: in a machine register, or (-1) in memory.
typedef struct slip_operand_location {
    int held, place;
} slip_operand_location;

typedef struct slip_regalloc slip_regalloc;
struct slip_regalloc {
    void (*load)(slip_regalloc *h, int held, int place);
    void (*store)(slip_regalloc *h, int held, int place);
    int first, end; ///< range of machine registers that may be used
    int slots;      ///< most slots in use at a time

    const slip_basic_blocks *stretches;
    int32_t held[SLIP_MAX_MACHINE_REGISTERS]; ///< the value in each register, -1 none
    uint32_t busy;                            ///< bits of those that the present operation uses
    int32_t *at;                              ///< of each value: the register that holds it, -1 none
    int32_t *place;                           ///< memory location of each value
    int32_t *next;                            ///< of each value: the operation that reads it next
    int32_t *given; ///< of each tape register that is stored to: its initial value, -1 none
    int32_t *free_slots, free_count;
};

/// Memory for all blocks of a tape. False when out of memory.
bool slip_regalloc_create(slip_regalloc *h, const slip_basic_blocks *s);
void slip_regalloc_destroy(slip_regalloc *h);

/// Begins a block: no register holds a value.
void slip_regalloc_begin_block(slip_regalloc *h);

/// The register of the value read, which is loaded if necessary.
int slip_regalloc_load(slip_regalloc *h, slip_read read);
/// The same, or its memory location if the operation can use that.
slip_operand_location slip_regalloc_locate(slip_regalloc *h, slip_read read);
bool slip_regalloc_in_register(const slip_regalloc *h, slip_read read);

/// Before the result is placed: frees the registers of values that are not read again, if the last
/// instruction of the operation is the one that reads and writes.
void slip_regalloc_release(slip_regalloc *h, const slip_block_op *act);

/// A register for a result, which then holds the value.
int slip_regalloc_take(slip_regalloc *h);
void slip_regalloc_assign(slip_regalloc *h, int held, int value);

/// A slot for a result that is written to memory; returns its location.
int slip_regalloc_assign_slot(slip_regalloc *h, int value);

/// The act is written.
void slip_regalloc_end_op(slip_regalloc *h, const slip_block_op *act);

/// SLIP_BLOCK_OP_STORE.
void slip_regalloc_store(slip_regalloc *h, const slip_block_op *act);

/// Before a call, which may change all registers: what is needed again goes to memory.
void slip_regalloc_spill_all(slip_regalloc *h);

#endif
