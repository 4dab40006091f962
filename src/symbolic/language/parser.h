/// symbolic/language/parser.h: what the lexer, the parser and its helpers share. For the files of src/symbolic only.
#ifndef SLIP_SYMBOLIC_LANGUAGE_PARSER_H
#define SLIP_SYMBOLIC_LANGUAGE_PARSER_H

#include "symbolic/graph/function.h"

typedef enum slip_token_kind {
    SLIP_TOKEN_END,
    SLIP_TOKEN_NUMBER,
    SLIP_TOKEN_NAME,
    SLIP_TOKEN_SIGN
} slip_token_kind;

/// Signs of two characters in one: <= >= == !=
enum { SLIP_SIGN_LE = 'l', SLIP_SIGN_GE = 'g', SLIP_SIGN_EQ = 'e', SLIP_SIGN_NE = 'n' };

typedef struct slip_token {
    slip_token_kind kind;
    size_t start, end; ///< bytes of the text
    char sign;         ///< SIGN: the character, or one of the above
    double value;      ///< NUMBER
    size_t name_end;   ///< NAME: where the primes begin
    int primes;        ///< NAME
} slip_token;

enum { SLIP_NAME_LENGTH = 127, SLIP_PARSER_MAX_ERRORS = 8 };

typedef struct slip_parser {
    slip_graph *graph;
    const char *text;
    size_t length;
    slip_span where;
    const int32_t *map;
    const slip_scope *scope;
    slip_diagnostics *notes;
    slip_token token; ///< the one looked at
    size_t last_end;  ///< where the one before it ended
    int depth, mistakes;
    bool stopped; ///< a mistake that reading cannot go on from
    bool spoiled; ///< a name was known but without a value: its own mistake was said elsewhere
} slip_parser;

/// With the levels of the formulas that call this one: all of them are on the stack.
static inline int slip_parser_depth(const slip_parser *r)
{
    return r->depth + (r->scope ? r->scope->depth : 0);
}

/// A stretch of the formula and what it stands for. part[0] == SLIP_NONE after a mistake.
typedef struct slip_operand {
    slip_value value;
    size_t start, end;
} slip_operand;

/// Records a mistake at text[start..end). The first SLIP_PARSER_MAX_ERRORS are said, the rest only counted.
void slip_parser_error(slip_parser *r, size_t start, size_t end, const char *hint, const char *format, ...)
    SLIP_PRINTF(5, 6);
slip_span slip_parser_span(const slip_parser *r, size_t start, size_t end);

/// Reads the token at `from` into *token. False, with the mistake recorded, when there is none.
bool slip_parser_lex(slip_parser *r, size_t from, slip_token *token);
void slip_parser_next(slip_parser *r); ///< moves r->token on; sets r->stopped
bool slip_token_is(const slip_parser *r, const slip_token *token, const char *word);

/// Bytes that no formula may hold: control characters and broken UTF-8. Records the mistake.
bool slip_parser_check_bytes(slip_parser *r);

// ---------------------------------------------------------------------------------- names and units

/// True when the name (NUL-terminated) stands for something here.
bool slip_parser_knows(const slip_parser *r, const char *name, int primes, slip_value *value);

/// Explains an unknown name, and what to write instead (parser_hints.c).
void slip_parser_explain_name(slip_parser *r, const slip_token *t, const char *name);
void slip_parser_explain_call(slip_parser *r, const slip_token *t, const char *name);

/// The product that begins at `start` with its missing signs: 0.5 m y'^2 is 0.5*m*y'^2 where m is a symbol,
/// 0.5 m*y'^2 where it is a unit alone. False when it is too long or cannot be read.
bool slip_parser_spell_product(const slip_parser *r, size_t start, char *text, size_t size);

/// True when the name is a function or stands for something here.
bool slip_token_is_symbol(const slip_parser *r, const slip_token *t);

typedef struct slip_unit {
    slip_unit_info info;
    double times, over; ///< value * times / over is SI; both exact, so that 9 mm is 0.009
    slip_dimension dimension;
    bool shy; ///< gives way to a symbol of that name after * and /
} slip_unit;
const slip_unit *slip_unit_find(const char *name, size_t length);

/// Reads the unit after a number, if there is one, scales *value and sets *dimension (else left alone).
/// r->token is the first token after the number.
bool slip_parser_read_unit(slip_parser *r, const slip_token *number, double *value,
                           slip_dimension *dimension);

// ----------------------------------------------------------------------------------------- operands

slip_operand slip_operand_failed(size_t start, size_t end);
bool slip_operand_is_failed(const slip_operand *a);

/// The dimension of an operation; false, with the mistake recorded, when its operands do not fit
/// (operand_units.c).
bool slip_operand_units_combine(slip_parser *r, slip_op op, const slip_operand *a, const slip_operand *b,
                                slip_dimension *out);
bool slip_operand_units_call(slip_parser *r, const slip_function *f, const slip_operand *arg, int count,
                             slip_dimension *out);

slip_operand slip_operand_combine(slip_parser *r, slip_op op, const slip_operand *a, const slip_operand *b);
slip_operand slip_operand_negate(slip_parser *r, slip_op op, const slip_operand *a, size_t start);
slip_operand slip_operand_component(slip_parser *r, const slip_operand *a, int part, size_t end);
slip_operand slip_operand_call(slip_parser *r, slip_op function, const slip_operand *arg, int count,
                               size_t start, size_t end);

#endif
