/// formula/holding.h: which register of the processor holds which value of a stretch.
///
/// When a register is wanted, the value that is needed last of all makes room. A value that memory does not
/// have is stored for that in a slot, which others use when it is no longer needed: so few slots do, and what
/// goes in and out of them stays near the processor. Values that are read once are not loaded at all where an
/// operation takes them from memory.
#ifndef SLIP_FORMULA_HOLDING_H
#define SLIP_FORMULA_HOLDING_H

#include "formula/stretch.h"

enum { SLIP_MAX_HELD = 32 };

/// Where in memory: a register of the tape, or from SLIP_FIRST_SLOT on a slot; -1 nowhere.
enum { SLIP_NOWHERE = -1, SLIP_FIRST_SLOT = SLIP_MAX_REGISTERS };

/// An operand: in a register of the processor, or (-1) in memory.
typedef struct slip_spot {
    int held, place;
} slip_spot;

typedef struct slip_holding slip_holding;
struct slip_holding {
    void (*load)(slip_holding *h, int held, int place);
    void (*store)(slip_holding *h, int held, int place);
    int first, end; ///< registers of the processor that may be used
    int slots;      ///< how many there were in use at a time

    const slip_stretches *stretches;
    int32_t held[SLIP_MAX_HELD]; ///< the value that each has, -1 none
    uint32_t busy;               ///< bits of those that the act in hand uses
    int32_t *at;                 ///< of each value: the register that holds it, -1 none
    int32_t *place;              ///< of each value
    int32_t *next;               ///< of each value: the act that reads it next
    int32_t
        *given; ///< of each register of the tape that is stored to: the value that it begins with, -1 none
    int32_t *free_slots, free_count;
};

/// Room for all stretches of a tape. False when out of memory.
bool slip_holding_create(slip_holding *h, const slip_stretches *s);
void slip_holding_destroy(slip_holding *h);

/// A stretch begins: no register holds anything.
void slip_hold_nothing(slip_holding *h);

/// The register that holds what is read, loaded if none does.
int slip_hold_value(slip_holding *h, slip_read read);
/// The same, or its place in memory where that is as good.
slip_spot slip_spot_of(slip_holding *h, slip_read read);
bool slip_is_held(const slip_holding *h, slip_read read);

/// Before the result is placed: registers of values that nobody reads again are free for it, if the last
/// instruction of the act is the one that reads and writes.
void slip_hold_release(slip_holding *h, const slip_act *act);

/// A register for a result, which then has the value.
int slip_hold_room(slip_holding *h);
void slip_hold_result(slip_holding *h, int held, int value);

/// A slot for a result that is written to memory; its place.
int slip_hold_in_slot(slip_holding *h, int value);

/// The act is written.
void slip_hold_end(slip_holding *h, const slip_act *act);

/// SLIP_ACT_STORE.
void slip_hold_store(slip_holding *h, const slip_act *act);

/// Before a call, which may change all registers: what is needed again goes to memory.
void slip_hold_leave(slip_holding *h);

#endif
