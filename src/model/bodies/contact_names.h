/// model/bodies/contact_names.h: contacts made from shapes get names that `record` can use.
///
///     floor                   the only contact of entry 'floor'
///     floor_1, floor_2        several features of one pair of shapes
///     pile_b1_b2              a pair of a group, with _1, _2 behind it where it has several features
#ifndef SLIP_MODEL_CONTACT_NAMES_H
#define SLIP_MODEL_CONTACT_NAMES_H

#include "model/bodies/rigid_bodies.h"

typedef struct slip_contact_namer {
    slip_reader *r;
    slip_yaml *node;    ///< the entry of the file, with the laws of the contacts
    int pairs;          ///< of shapes
    char stem[200];     ///< name of the pair that is being declared
    int features, next; ///< of it
} slip_contact_namer;

void slip_contact_namer_start_pair(slip_contact_namer *n, const char *a, const char *a_shape, const char *b,
                                   const char *b_shape, int features);

/// One contact; returns the next index.
int slip_declare_pair_contact(slip_contact_namer *n, struct slip_shape_contact touch, int index);

/// False, with a message, when the entry's key is not a name.
bool slip_check_contact_name(slip_reader *r, const slip_yaml *key);

/// The entry was wrong: its name is known, so that what uses it says nothing.
void slip_declare_failed(slip_reader *r, slip_yaml *node);

#endif
