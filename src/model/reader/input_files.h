/// model/reader/input_files.h: the one door through which files come that a model names.
///
/// A model may come from a stranger, so the door knows from which folders it may read, how much, and what it
/// has read: the model keeps every file (slip_included), by which outputs are kept from overwriting one.
#ifndef SLIP_MODEL_READER_INPUT_FILES_H
#define SLIP_MODEL_READER_INPUT_FILES_H

#include "model/reader/reader.h"

/// The folders from which a model called `name` may read: its own, and those of `allow`. False when out of memory.
bool slip_input_folders_set(slip_model *model, const char *name, const char *const *allow, int allow_count);

/// The file that `name` says, seen from the file `in`. NULL after a mistake. Not yet among those of the model.
slip_included *slip_input_file_read(slip_reader *r, const slip_source *in, const slip_yaml *name,
                                    slip_input_kind kind);

/// Adds it to those of the model. False, after a mistake, when they are too many or too large together.
bool slip_input_file_keep(slip_reader *r, const slip_yaml *name, slip_included *file);

/// A file of data: table, input, mesh. A second name of the same path gives the same. NULL after a mistake.
const slip_source *slip_read_data_file(slip_reader *r, const slip_yaml *name);

#endif
