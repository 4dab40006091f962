/// derive/sheet.h: a sheet of equations, as text or as LaTeX.
#ifndef SLIP_DERIVE_SHEET_H
#define SLIP_DERIVE_SHEET_H

#include "core/text.h"
#include "formula/formula.h"
#include "derive/sheet_short.h"

typedef struct slip_sheet {
    slip_text text;
    slip_graph *graph; ///< of the expressions; left-hand sides become inputs of it
    bool latex;
    bool in_equations;
    slip_shorts shorts;
} slip_sheet;

void slip_sheet_begin(slip_sheet *sheet, const char *title);
void slip_sheet_heading(slip_sheet *sheet, const char *text);
void slip_sheet_sentence(slip_sheet *sheet, const char *format, ...) SLIP_PRINTF(2, 3);

/// "left relation expression"; `left` is a name of the model ("p1x''", "floor.e'") or "" to go on from the
/// line before; relation is "=" or "in". Pieces of a long expression get names, sigma.1 and so on, on lines
/// before.
void slip_sheet_equation(slip_sheet *sheet, const char *left, const char *relation, slip_ref right);
void slip_sheet_number(slip_sheet *sheet, const char *left, double value);

/// The finished text, to be released with free(); NULL when memory ran out.
char *slip_sheet_end(slip_sheet *sheet);

#endif
