/// model/reader/reader.h: what the parts of the reader share while a tree becomes a model.
///
/// Every function goes on after a mistake and leaves what depends on it alone, so that one mistake
/// makes one message. Only lack of memory and a full list of messages end the reading early.
#ifndef SLIP_MODEL_READER_READER_H
#define SLIP_MODEL_READER_READER_H

#include "model/reader/parameter_dependents.h"
#include "model/model.h"
#include "model/reader/schema.h"
#include "model/yaml/yaml_tree.h"
#include "registry/part_names.h"

/// What a formula depends on.
enum {
    SLIP_USES_TIME = 1,
    SLIP_USES_COORDINATES = 2, ///< and, in an inclusion, states
    SLIP_USES_RATES = 4,
    SLIP_USES_QUANTITIES = 8, ///< floor.normal
    SLIP_USES_STATES = 16,    ///< first-order states of a mechanical model
    SLIP_USES_DELAYS = 32,    ///< values of the past
    SLIP_USES_POSITION = SLIP_USES_TIME | SLIP_USES_COORDINATES,
    SLIP_USES_MECHANICS = SLIP_USES_POSITION | SLIP_USES_RATES,
    SLIP_USES_MOTION = SLIP_USES_MECHANICS | SLIP_USES_STATES | SLIP_USES_DELAYS,
    SLIP_USES_ALL = SLIP_USES_MOTION | SLIP_USES_QUANTITIES,
};

typedef enum slip_symbol_kind {
    SLIP_SYMBOL_PARAMETER,
    SLIP_SYMBOL_DEFINITION,
    SLIP_SYMBOL_FUNCTION,
    SLIP_SYMBOL_COORDINATE,
    SLIP_SYMBOL_STATE,
    SLIP_SYMBOL_CONTACT,
    SLIP_SYMBOL_FRICTION,
    SLIP_SYMBOL_CONSTRAINT,
    SLIP_SYMBOL_BODY,
} slip_symbol_kind;

/// waiting: not looked at; open: being read, meeting it again is a cycle; failed: a mistake was
/// reported, whatever uses it says nothing more
typedef enum slip_symbol_stage {
    SLIP_STAGE_WAITING,
    SLIP_STAGE_OPEN,
    SLIP_STAGE_DONE,
    SLIP_STAGE_FAILED
} slip_symbol_stage;

/// A friction whose limit follows a force, of a contact or joint of the model: all but its coefficient is
/// known.
typedef struct slip_load_friction {
    char of[160];      ///< "contact 'floor'"
    slip_yaml *factor; ///< its coefficient in the file; NULL: 1
    slip_ref arm;      ///< times this, a length that turns a force into a torque; SLIP_NONE: 1
    slip_slip slip;
    bool angular;
    slip_load load;
    const slip_yaml *map; ///< of a slide: where its length stands
    const char *parent;   ///< the same: in the schema
} slip_load_friction;

typedef struct slip_symbol {
    const char *name;
    slip_yaml *node; ///< its value in the file
    slip_symbol_kind kind;
    slip_symbol_stage stage;
    slip_value value;
    slip_ref rate; ///< coordinates, and states of second order (slip_symbol_rate); SLIP_NONE: there is none
    unsigned uses; ///< what the value depends on
    slip_ref formula; ///< parameters: what gives the value, where that depends on others; SLIP_NONE
    int index;        ///< contacts and frictions: number of the element
    bool used;
    bool of_body;      ///< made by the bodies: the coordinate of one, or the constraint of a joint
    bool integrates;   ///< coordinate that is the integral of a first-order state
    bool held;         ///< coordinate that is a mode
    bool sampled;      ///< mode that is the memory or an output of a controller
    bool from_outside; ///< mode that is an input
    bool delayed;      ///< mode that is a part of a delay
    bool guessed;      ///< its start and rate are found from the loops
    union {            // a large model has many coordinates: what other kinds have takes no room in theirs
        struct {
            const char *rate_name;   ///< x', or what a body in space calls it
            const char *unit;        ///< of a body: m or rad; NULL for parts of an attitude
            slip_yaml *axis;         ///< of a body: its start and rate; NULL when it says nothing
            struct slip_body *turns; ///< of a body's quaternion: that body, and which of the four
            int part;
            slip_ref velocity; ///< x' where it is not the rate itself; SLIP_NONE
        } of_coordinate;
        struct {
            const char *const *argument; ///< names of its arguments
            int argument_count;
            const struct slip_table_data *table; ///< it is a table
        } of_function;
        struct {
            struct slip_shape_contact *touch;      ///< contact between shapes: its gap and slip
            struct slip_load_friction *resistance; ///< friction that a contact or a joint has of its own
        } of_element;
        struct slip_symbol *integral; ///< first-order state of a mechanical model: its coordinate
        slip_ref zero;                ///< constraint of a joint
    };
    struct slip_symbol *parent; ///< who needs it, while a chain of definitions is followed
} slip_symbol;

/// A formula of parameters that was evaluated (dependents.h).
typedef struct slip_parameter_use {
    slip_ref formula;
    const slip_bounds *range;
    const double *at; ///< where the number went; NULL: it was only held against its range
} slip_parameter_use;

typedef struct slip_reader {
    slip_model *model;
    const slip_model *before;      ///< the model that is read again, which keeps the files it includes; NULL
    const slip_memory_file *files; ///< in memory, which the model may name
    int file_count;
    slip_schema schema;
    slip_pool *scratch; ///< trees, symbols: gone when reading ends
    slip_diagnostics *notes;
    slip_diagnostics *trial; ///< messages of formulas that will be read again
    slip_status status;      ///< SLIP_NO_MEMORY ends the reading; mistakes do not
    slip_yaml *root;
    bool inclusion;
    unsigned old_names; ///< former names of keys that were noted, a bit for each
    slip_ref t;
    slip_ref hole;         ///< stands for a name that waits for itself; SLIP_NONE while not needed
    slip_symbol **symbols; ///< in order of declaration
    size_t symbol_count, symbol_capacity;
    slip_symbol **slots; ///< hash table of the same
    size_t slot_count;
    slip_quantity_input *quantities;
    size_t quantity_count, quantity_capacity;
    size_t recorded_quantities; ///< those of `record`; the rest is the drawing's and the elements'
    size_t drawn_quantities;    ///< those and the drawing's
    size_t element_quantities;  ///< those and the elements' without bounds
    struct slip_bodies *bodies; ///< NULL: the model has none
    slip_parameter_use *noted;
    size_t noted_count, noted_capacity;
    bool *shaping; ///< by number in the graph: parameters whose values decided what the model is made of
    size_t shaping_count;
    bool starts_shape;             ///< where the model starts did
    bool all_shape;                ///< all numbers did
    const slip_impact_law *impact; ///< of all contacts that name none; NULL: the model names none
    int delay_room;                ///< delays that there are modes for; with more the model is read again
    slip_delay *delays;            ///< as they are met
    size_t delay_count, delay_capacity;
    slip_symbol **delay_symbols; ///< the clock, then the coefficients
    const char **suggestions;    ///< quantity names, made when the first misspelt one is met
    int suggestion_count;
    const char *units[8]; ///< texts of units that were met last; many coordinates have the same
    int unit_count;
    int copied_nodes;     ///< keys and values that repeated parts have added
    size_t copied_length; ///< bytes of text that they, sums and calls of functions have
} slip_reader;

// ------------------------------------------------------------------------------ messages (reader.c)

void slip_reader_error(slip_reader *r, slip_span where, const char *hint, const char *format, ...)
    SLIP_PRINTF(4, 5);
void slip_reader_warning(slip_reader *r, slip_span where, const char *hint, const char *format, ...)
    SLIP_PRINTF(4, 5);
void slip_reader_note(slip_reader *r, slip_span where, const char *format, ...) SLIP_PRINTF(3, 4);

/// False, and the status is set: for `return slip_reader_no_memory(r);`
bool slip_reader_no_memory(slip_reader *r);

/// True when there is no sense in going on.
bool slip_reader_stopped(const slip_reader *r);

/// Memory and text that live as long as the model; NULL sets the status.
void *slip_reader_take(slip_reader *r, size_t count, size_t size);
const char *slip_reader_text(slip_reader *r, const char *text, size_t length);
#define SLIP_READER_NEW(r, type, count) ((type *)slip_reader_take((r), (size_t)(count), sizeof(type)))

/// The unit of a dimension, for the model; "" when it is unknown.
const char *slip_reader_unit(slip_reader *r, const slip_dimension *dimension);

/// The map under a key of `map`; NULL when it is absent or was found bad.
slip_yaml *slip_reader_map(const slip_yaml *map, const char *key);

/// The word under a key, kept with the model; NULL when it is absent. A part has to be in its list: a mistake
/// where it is not, and NULL.
const char *slip_read_word(slip_reader *r, const slip_yaml *map, const char *key, slip_span *where);
const char *slip_read_part(slip_reader *r, const slip_yaml *map, const char *key, slip_part_kind kind,
                           slip_span *where);

/// The value under a key, of any type; NULL when it is absent or was found bad.
slip_yaml *slip_reader_value(const slip_yaml *map, const char *key);

// ------------------------------------------------------------------------------ names (symbols.c)

/// Makes `key` a name of the model; a malformed or reserved one, or one that is taken, is a mistake.
/// NULL when there was a mistake (or no memory).
slip_symbol *slip_declare(slip_reader *r, slip_symbol_kind kind, const slip_yaml *key, slip_yaml *node);

/// The same for text[0..length) of a key: the x of x''.
slip_symbol *slip_declare_part(slip_reader *r, slip_symbol_kind kind, const slip_yaml *key, size_t length,
                               slip_yaml *node);

/// A name that the program makes, "slider.x" or "floor_1"; one that is taken is a mistake.
slip_symbol *slip_declare_derived(slip_reader *r, slip_symbol_kind kind, const char *name, slip_yaml *node);

slip_symbol *slip_lookup(const slip_reader *r, const char *name, size_t length);

/// The symbol of a kind that a key of the file names; a mistake with the nearest such name when there
/// is none. `what` says what was expected: "coordinate".
slip_symbol *slip_reference(slip_reader *r, slip_symbol_kind kind, const slip_yaml *key, const char *what);

/// x' of a coordinate or state that has one.
slip_value slip_symbol_rate(const slip_symbol *symbol);

/// "parameter", "coordinate", ...
const char *slip_symbol_word(slip_symbol_kind kind);

// -------------------------------------------------------------------------- formulas (formulas.c)

/// What a formula has to be.
typedef struct slip_formula_spec {
    const char *what;         ///< "the gap of contact 'floor'"
    unsigned may_use;         ///< SLIP_USES_...
    int count;                ///< components; 0: one or two
    bool set_valued;          ///< sgn and dio are allowed
    const slip_bounds *range; ///< checked when the formula is constant
} slip_formula_spec;

/// Reads a scalar as a formula. False when there was a mistake, here or in what it uses.
bool slip_read_formula(slip_reader *r, slip_yaml *node, const slip_formula_spec *wanted, slip_value *value,
                       unsigned *uses);

/// The same for one number into `out`, with its place. Nothing happens when node is NULL.
bool slip_read_scalar(slip_reader *r, slip_yaml *node, const slip_formula_spec *wanted, slip_formula *out);

/// The value of a constant key of `map`: `fallback` when it is absent. False when there was a mistake.
bool slip_read_constant(slip_reader *r, const slip_yaml *map, const char *parent, const char *key,
                        const char *of, double fallback, double *value);

enum { SLIP_MAX_SUSPECT_NAMES = 8 };

/// a name that may not be used here
typedef struct slip_suspect_name {
    char name[80]; ///< as written
    slip_ref node;
    unsigned uses; ///< what it depends on and should not
} slip_suspect_name;

/// A function of the model while its formula is read: what its arguments are.
typedef struct slip_call_frame {
    const slip_symbol *function;
    const slip_value *argument;
    struct slip_call_frame *caller;
} slip_call_frame;

/// One reading of one formula. Names that are not known yet, or whose own formula has a mistake, get a
/// stand-in so that the parser goes on to the end of the formula and every mistake is found.
///
/// The parser also asks for names that it then takes for units (the m of 5 N/m), so what a formula
/// depends on is only suspected from the names asked for, and looked up in the graph when it matters.
typedef struct slip_formula_reading {
    slip_reader *r;
    const slip_formula_spec *wanted;
    const slip_yaml *node;
    slip_call_frame *frame; ///< of the function whose formula is read; NULL: none
    unsigned uses;
    bool poisoned;         ///< uses a name whose own formula has a mistake
    bool vectors;          ///< whether the stand-in of such a name has two components
    slip_symbol **pending; ///< names that must be read first
    size_t pending_count, pending_capacity;
    slip_symbol *circle; ///< a name that waits for this one
    slip_suspect_name suspects[SLIP_MAX_SUSPECT_NAMES];
    int suspect_count;
    char problem[240]; ///< a quantity that an element does not have
    char culprit[80];
    bool on_trial; ///< what is met is not of the model: the formula of a function by itself
    bool no_memory;
} slip_formula_reading;

/// Reads a formula. True when it is good; messages are made only when nothing is pending and there is
/// no circle. `pending` is heap memory of the caller's.
bool slip_formula_reading_parse(slip_formula_reading *c, slip_yaml *node, slip_value *value);

/// Holds a good formula against what is wanted.
bool slip_formula_reading_check(slip_reader *r, slip_formula_reading *c, const slip_yaml *node,
                                slip_value value);

/// The functions of `define` (functions.c): f(x, y) as names, their formulas by themselves, and calls of
/// them.
void slip_declare_function(slip_reader *r, slip_yaml *node);
void slip_check_functions(slip_reader *r);
int slip_function_arity(void *reading, const char *name);
bool slip_function_call(void *reading, const char *name, int depth, const slip_value *argument,
                        slip_value *value, char *problem);

/// Delays (delays.c): modes for what the simulation knows of the past, and the number of coordinates with
/// them; calls of delay(x, tau); where they start.
int slip_declare_delays(slip_reader *r, int coordinate_count);
bool slip_delay_call(slip_formula_reading *c, const slip_value *argument, slip_value *value, char *problem);
void slip_start_delays(slip_reader *r);

/// Notes that a formula uses a name, which may not be allowed here.
void slip_note_use(slip_formula_reading *c, const char *name, int primes, unsigned uses, slip_value value);

/// The scope of a reading.
slip_scope slip_formula_reading_scope(slip_formula_reading *c);

/// Holds the unit of a formula, where it is given, against what its key takes (units.c).
bool slip_check_unit(slip_reader *r, const slip_yaml *node, const char *what, const slip_dimension *given);

/// Numbers that were most likely meant in another unit: degrees, cycles per second (unit_questions.c).
void slip_question_units(slip_reader *r);

/// Reads all parameters and definitions, each after those it needs (definitions.c).
void slip_read_definitions(slip_reader *r);

/// The parameters alone, and the definitions that they use.
void slip_read_parameters(slip_reader *r);

/// Reads these symbols and what they need.
void slip_read_pending(slip_reader *r, slip_symbol **symbols, size_t count);

// ----------------------------------------------------------------------- graph (questions.c)

/// The value of an expression without inputs; NaN when it has none. False when out of memory. For the
/// functions below and for who keeps the formula itself.
bool slip_value_of(slip_reader *r, slip_ref ref, double *value);

/// True when the expression depends on a node.
bool slip_depends_on_node(slip_reader *r, slip_value value, slip_ref node);

/// True when the expression contains sgn or dio.
bool slip_is_set_valued(slip_reader *r, slip_value value);

// ------------------------------------------------------- what follows from parameters (dependents.c)

/// The same for whoever goes on to decide something by the number: reading again is the way to another one.
bool slip_evaluate(slip_reader *r, slip_ref ref, double *value);

/// For a number that goes to its place in the model and is not looked at.
bool slip_evaluate_into(slip_reader *r, slip_ref ref, double *value);

/// For a number that is only held against a range by the caller, and is fine as long as it lies in it.
bool slip_evaluate_check(slip_reader *r, slip_ref ref, const slip_bounds *range, double *value);

/// Says the same of formulas that were evaluated by other means.
bool slip_note_structural(slip_reader *r, const slip_ref *formulas, int count);
bool slip_note_check(slip_reader *r, slip_ref formula, const slip_bounds *range);

/// Into the model, when everything is in its place.
void slip_store_dependents(slip_reader *r);

// ------------------------------------------------------------------ quantities (quantities.c)

typedef enum slip_quantity_search {
    SLIP_NO_QUANTITY,
    SLIP_QUANTITY_FOUND,
    SLIP_FAILED_ELEMENT
} slip_quantity_search;

/// The element quantity "floor.normal" as an input, made when it is new and `make` is true. When the
/// element does not have it, `problem` says so.
slip_quantity_search slip_find_quantity(slip_reader *r, const char *name, bool make, slip_value *value,
                                        char *problem, size_t size);

/// Forces of all elements as records behind those that are there.
void slip_record_elements(slip_reader *r);

/// The k-th quantity name, for suggestions; NULL at the end.
const char *slip_suggest_quantity(slip_reader *r, int k);

// ----------------------------------------------------------------------- sections, front ends

/// Reads sources[0] with the overrides into the model; mistakes are in the notes.
void slip_read_tree(slip_reader *r);

void slip_declare_mechanics(slip_reader *r); ///< coordinates, elements: names and inputs
void slip_read_coordinates(slip_reader *r);  ///< where they start; before definitions, which use their units
void slip_read_mechanics(slip_reader *r);    ///< their formulas

/// Gives a coordinate its unit, in formulas and in the model.
void slip_coordinate_unit(slip_reader *r, slip_symbol *s, slip_coordinate *c, slip_dimension dimension);
void slip_read_masses(slip_reader *r);
void slip_check_mass_forces(slip_reader *r); ///< terms of Lagrange's equations that are written a second time

/// First-order states (states.c): names, and the number of coordinates with theirs; values, once the inputs
/// of the graph are there; start and rate.
int slip_declare_states(slip_reader *r, int coordinate_count);
void slip_place_states(slip_reader *r);
void slip_read_state(slip_reader *r, const slip_symbol *s, slip_coordinate *c);

/// Modes (modes.c), behind all coordinates that move.
int slip_declare_modes(slip_reader *r, int coordinate_count);
slip_symbol *slip_declare_mode(slip_reader *r, slip_yaml *node, int index); ///< NULL: a mistake

/// Controllers (controllers.c): modes for what they keep, then their formulas.
int slip_declare_controllers(slip_reader *r, int coordinate_count);
void slip_read_controllers(slip_reader *r);
void slip_read_mode(slip_reader *r, slip_symbol *s, slip_coordinate *c);

/// Tables, as functions (tables.c), and inputs that follow the time, as definitions (signals.c).
void slip_read_tables(slip_reader *r);
bool slip_table_call(slip_reader *r, const slip_symbol *s, const slip_value *argument, slip_value *value,
                     char *problem);
void slip_read_signals(slip_reader *r);

// ------------------------------------------------------------------- how parameters vary (spread.c)

void slip_read_spreads(slip_reader *r);

/// Events and what stops the run (whens.c).
void slip_read_model_events(slip_reader *r);

void slip_read_element(slip_reader *r, const slip_symbol *s);

/// Frictions whose limit follows a force (resistances.c): one that a contact or joint has of its own becomes
/// the next element; those of contacts are declared; read; and a friction of the model, false when it has no
/// load.
void slip_declare_resistance(slip_reader *r, const char *name, slip_yaml *node,
                             slip_load_friction resistance);
void slip_declare_resistances(slip_reader *r);
void slip_read_resistance(slip_reader *r, const slip_symbol *s, slip_contact *c);
void slip_read_patch(slip_reader *r, const slip_symbol *contact, slip_contact *c); ///< changes its friction
bool slip_read_load(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c);

/// The law of impact of all contacts that name none, before any is read.
void slip_read_impact(slip_reader *r);
void slip_declare_inclusion(slip_reader *r);
void slip_read_inclusion_start(slip_reader *r);
void slip_read_inclusion(slip_reader *r);

/// Starts of states that formulations keep for elements (element_starts.c).
void slip_read_element_starts(slip_reader *r);

/// The `draw:` section, and the bodies as they are (draw.c).
void slip_read_drawing(slip_reader *r);

/// Constants K, alpha, beta, K_t, beta_t of a `dai` map (may be NULL), `parent` its path in the table.
void slip_read_dai(slip_reader *r, const slip_yaml *map, const char *parent, const char *of,
                   slip_dai_constants *dai);

/// Gives keys below `node` that have a former name their present one, with a note at the first of each
/// (renamed_keys.c). `path` is that of the node in the table, "" at the top.
void slip_rename_old_keys(slip_reader *r, slip_yaml *node, const char *path);

/// The same for one key of a map with path `parent`.
void slip_rename_old_key(slip_reader *r, const char *parent, slip_yaml *key);
bool slip_is_old_key(const char *parent, const char *name); ///< a former name of one

/// The name that a key was written with, which may be its former one.
const char *slip_written_key(const slip_yaml *key);

/// A friction that a contact declares by its key, "floor_spinning", under the former name of the key; NULL when
/// there is none.
slip_symbol *slip_lookup_renamed(slip_reader *r, const char *name, size_t length);

/// Applies the overrides, sources[1] and on, to the tree (overrides.c): those of parameters, on which the
/// number of parts may depend, or the others.
void slip_apply_overrides(slip_reader *r, bool early);

/// Puts the files of `include:` into the tree (include_files.c). False when there was a mistake.
bool slip_include_files(slip_reader *r);

/// True for a place in an included file.
bool slip_is_included(const slip_model *model, slip_span where);

/// Writes `repeat:` and sums out (repeat.c). False when there was a mistake.
bool slip_expand_repeats(slip_reader *r);

/// Writes the bodies of `fill:` out, without their places (fill.c). False when there is none, or a mistake.
bool slip_expand_fills(slip_reader *r);

/// What a body of a fill is called: ball3, or where the name of the fill ends with a digit ball1_3.
enum { SLIP_FILLED_NAME = 160 };
void slip_name_filled(const slip_yaml *fill, long number, char *name, size_t size);

// ------------------------------------------------------------------------- bodies (bodies/)

/// Names of the bodies; the number of coordinates with theirs.
int slip_declare_bodies(slip_reader *r, int coordinate_count);

/// Parameters, then where the bodies are, once the inputs of the graph are there.
void slip_build_bodies(slip_reader *r);

/// Contacts and constraints that bodies make; each gives the next free index.
int slip_declare_shape_contacts(slip_reader *r, slip_yaml *node, int index);
int slip_declare_detected(slip_reader *r, slip_yaml *node, int index);
int slip_declare_clearances(slip_reader *r, int index);
int slip_declare_joints(slip_reader *r, int index);

/// Energies and forces of the bodies, on top of those written as formulas.
void slip_read_bodies(slip_reader *r);

/// What a contact of shapes that are found cannot have; and the crowd of the model, once all is read.
void slip_check_detected(slip_reader *r, const slip_symbol *s, slip_contact *c);
void slip_read_detect_model(slip_reader *r);

/// Finds the starting values that are only guessed. Loops that are open where the motion begins are mistakes.
void slip_close_loops(slip_reader *r);

/// Gives back what is not in a pool.
void slip_release_bodies(slip_reader *r);

/// Start and rate of a body's coordinate.
void slip_read_axis(slip_reader *r, slip_symbol *s, slip_coordinate *c);

typedef enum slip_body_search {
    SLIP_NOT_IN_BODY,
    SLIP_IN_BODY,
    SLIP_BODY_FAILED,
    SLIP_BODY_NOT_PLACED
} slip_body_search;

/// Names of that kind, for suggestions: how many, and the k-th.
int slip_count_in_bodies(slip_reader *r);
const char *slip_suggest_in_body(slip_reader *r, int k);

/// "crank.th", "crank.tip" (two components) and their rates.
slip_body_search slip_find_in_body(slip_reader *r, const char *name, int primes, slip_value *value,
                                   unsigned *uses);

#endif
