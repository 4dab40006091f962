/// output/equations/equation_sheet.h: a sheet of equations, as text or as LaTeX.
#ifndef SLIP_OUTPUT_EQUATIONS_EQUATION_SHEET_H
#define SLIP_OUTPUT_EQUATIONS_EQUATION_SHEET_H

#include "base/text.h"
#include "symbolic/graph/formula.h"
#include "output/equations/abbreviations.h"

typedef struct slip_equation_sheet {
    slip_text text;
    slip_graph *graph; ///< of the expressions; left-hand sides become inputs of it
    bool latex;
    bool in_equations;
    slip_abbreviations shorts;
} slip_equation_sheet;

void slip_equation_sheet_begin(slip_equation_sheet *sheet, const char *title);
void slip_equation_sheet_heading(slip_equation_sheet *sheet, const char *text);
void slip_equation_sheet_sentence(slip_equation_sheet *sheet, const char *format, ...) SLIP_PRINTF(2, 3);

/// "left relation expression"; `left` is a name of the model ("p1x''", "floor.e'") or "" to go on from the
/// line before; relation is "=" or "in". Pieces of a long expression get names, sigma.1 and so on, on lines
/// before.
void slip_equation_sheet_equation(slip_equation_sheet *sheet, const char *left, const char *relation,
                                  slip_ref right);
void slip_equation_sheet_number(slip_equation_sheet *sheet, const char *left, double value);

/// The finished text, to be released with free(); NULL when memory ran out.
char *slip_equation_sheet_end(slip_equation_sheet *sheet);

#endif
