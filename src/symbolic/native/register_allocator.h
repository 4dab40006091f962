/// symbolic/native/register_allocator.h: which register of the processor holds which value of a stretch.
///
/// When a register is wanted, the value that is needed last of all makes room. A value that memory does not
/// have is stored for that in a slot, which others use when it is no longer needed: so few slots do, and what
/// goes in and out of them stays near the processor. Values that are read once are not loaded at all where an
/// operation takes them from memory.
#ifndef SLIP_SYMBOLIC_NATIVE_REGISTER_ALLOCATOR_H
#define SLIP_SYMBOLIC_NATIVE_REGISTER_ALLOCATOR_H

#include "symbolic/native/basic_block.h"

enum { SLIP_MAX_MACHINE_REGISTERS = 32 };

/// Where in memory: a register of the tape, or from SLIP_FIRST_SPILL_SLOT on a slot; -1 nowhere.
enum { SLIP_NO_LOCATION = -1, SLIP_FIRST_SPILL_SLOT = SLIP_MAX_REGISTERS };

/// An operand: in a register of the processor, or (-1) in memory.
typedef struct slip_operand_location {
    int held, place;
} slip_operand_location;

typedef struct slip_regalloc slip_regalloc;
struct slip_regalloc {
    void (*load)(slip_regalloc *h, int held, int place);
    void (*store)(slip_regalloc *h, int held, int place);
    int first, end; ///< registers of the processor that may be used
    int slots;      ///< how many there were in use at a time

    const slip_basic_blocks *stretches;
    int32_t held[SLIP_MAX_MACHINE_REGISTERS]; ///< the value that each has, -1 none
    uint32_t busy;                            ///< bits of those that the act in hand uses
    int32_t *at;                              ///< of each value: the register that holds it, -1 none
    int32_t *place;                           ///< of each value
    int32_t *next;                            ///< of each value: the act that reads it next
    int32_t
        *given; ///< of each register of the tape that is stored to: the value that it begins with, -1 none
    int32_t *free_slots, free_count;
};

/// Room for all stretches of a tape. False when out of memory.
bool slip_regalloc_create(slip_regalloc *h, const slip_basic_blocks *s);
void slip_regalloc_destroy(slip_regalloc *h);

/// A stretch begins: no register holds anything.
void slip_regalloc_begin_block(slip_regalloc *h);

/// The register that holds what is read, loaded if none does.
int slip_regalloc_load(slip_regalloc *h, slip_read read);
/// The same, or its place in memory where that is as good.
slip_operand_location slip_regalloc_locate(slip_regalloc *h, slip_read read);
bool slip_regalloc_in_register(const slip_regalloc *h, slip_read read);

/// Before the result is placed: registers of values that nobody reads again are free for it, if the last
/// instruction of the act is the one that reads and writes.
void slip_regalloc_release(slip_regalloc *h, const slip_block_op *act);

/// A register for a result, which then has the value.
int slip_regalloc_take(slip_regalloc *h);
void slip_regalloc_assign(slip_regalloc *h, int held, int value);

/// A slot for a result that is written to memory; its place.
int slip_regalloc_assign_slot(slip_regalloc *h, int value);

/// The act is written.
void slip_regalloc_end_op(slip_regalloc *h, const slip_block_op *act);

/// SLIP_BLOCK_OP_STORE.
void slip_regalloc_store(slip_regalloc *h, const slip_block_op *act);

/// Before a call, which may change all registers: what is needed again goes to memory.
void slip_regalloc_spill_all(slip_regalloc *h);

#endif
