/// symbolic/language/parser.c: from tokens to nodes. Recursion follows nesting only (SLIP_FORMULA_DEPTH); long sums
/// and products are loops.
///
///     or -> and -> not -> comparison -> sum -> product -> sign -> power -> primary
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/language/parser.h"

#define PI 3.14159265358979323846

static slip_operand parse_or(slip_parser *r);
static slip_operand parse_sign(slip_parser *r);

static bool at_sign(const slip_parser *r, char sign)
{
    return !r->stopped && r->token.kind == SLIP_TOKEN_SIGN && r->token.sign == sign;
}

static bool at_word(const slip_parser *r, const char *word)
{
    return !r->stopped && slip_token_is(r, &r->token, word);
}

static slip_operand stop_parsing(slip_parser *r)
{
    r->stopped = true;
    return slip_operand_failed(r->token.start, r->token.end);
}

// one level deeper; false, with the mistake recorded, when that is too deep
static bool enter_nesting(slip_parser *r)
{
    r->depth++;
    if (slip_parser_depth(r) <= SLIP_FORMULA_DEPTH) return true;
    slip_parser_error(r, r->token.start, r->token.end, "give a part of it a name of its own",
                      "the formula is nested more than %d levels deep", (int)SLIP_FORMULA_DEPTH);
    r->stopped = true;
    return false;
}

// ------------------------------------------------------------------------------------------- names

bool slip_parser_knows(const slip_parser *r, const char *name, int primes, slip_value *value)
{
    return r->scope && r->scope->find && r->scope->find(r->scope->context, name, primes, value);
}

static bool find_name(slip_parser *r, const slip_token *t, char *name, slip_value *value)
{
    if (t->primes == 0 && strcmp(name, "pi") == 0) {
        *value = slip_scalar(slip_graph_constant(r->graph, PI));
        value->dimension.known = SLIP_ASSUMED_UNIT;
        return true;
    }
    if (slip_parser_knows(r, name, t->primes, value)) return true;
    // the last part of a dotted name may take a component
    size_t length = strlen(name);
    if (length < 3 || name[length - 2] != '.' || (name[length - 1] != 'x' && name[length - 1] != 'y'))
        return false;
    name[length - 2] = '\0';
    bool known = slip_parser_knows(r, name, t->primes, value);
    name[length - 2] = '.';
    if (!known) return false;
    slip_operand whole = { *value, t->start, t->end };
    *value = slip_operand_component(r, &whole, name[length - 1] == 'y', t->end).value;
    return true;
}

static slip_operand parse_name(slip_parser *r)
{
    slip_token t = r->token;
    slip_operand out = slip_operand_failed(t.start, t.end);
    char name[SLIP_NAME_LENGTH + 1];
    memcpy(name, r->text + t.start, t.name_end - t.start);
    name[t.name_end - t.start] = '\0';
    if (find_name(r, &t, name, &out.value)) {
        for (int k = 0; k < out.value.count; k++)
            slip_graph_set_place(r->graph, out.value.part[k], slip_parser_span(r, t.start, t.end));
        r->spoiled |= slip_operand_is_failed(&out);
    } else {
        slip_parser_explain_name(r, &t, name);
    }
    slip_parser_next(r);
    return out;
}

// -------------------------------------------------------------------------------------------- calls

static bool is_call(const slip_parser *r)
{
    size_t k = r->token.end;
    while (k < r->length && strchr(" \t\r\n", r->text[k])) k++; // no NUL in here: the bytes were checked
    return k < r->length && r->text[k] == '(';
}

static bool may_be_set_valued(slip_parser *r, const slip_token *t, const slip_function *f)
{
    if (!f->set_valued || (r->scope && r->scope->set_valued)) return true;
    const char *hint = r->scope ? r->scope->set_valued_hint : NULL;
    if (!hint) hint = f->set_elsewhere;
    slip_parser_error(r, t->start, t->end, hint, "%s is set-valued and has no meaning here", f->info.name);
    return false;
}

static slip_operand report_unclosed(slip_parser *r, size_t opener)
{
    if (r->stopped) return stop_parsing(r);
    if (r->token.kind == SLIP_TOKEN_END) {
        slip_parser_error(r, opener, opener + 1, NULL, "this parenthesis is never closed");
    } else {
        slip_parser_error(r, r->token.start, r->token.end, NULL, "expected an operator or ')' here");
    }
    return stop_parsing(r);
}

typedef enum after_argument { ARGUMENT_FOLLOWS, ARGUMENT_IS_LAST, ARGUMENT_BROKEN } after_argument;

// what stands behind an argument: a comma and another one, or the parenthesis
static after_argument pass_argument(slip_parser *r, size_t opener)
{
    if (at_sign(r, ')')) return ARGUMENT_IS_LAST;
    if (!at_sign(r, ',')) {
        report_unclosed(r, opener);
        return ARGUMENT_BROKEN;
    }
    slip_parser_next(r);
    return r->stopped ? ARGUMENT_BROKEN : ARGUMENT_FOLLOWS;
}

// the arguments after `(`, up to `)`; of a chain the first two are merged as they come
static bool parse_arguments(slip_parser *r, const slip_function *f, slip_op op, slip_operand *arg, int *count,
                            size_t opener)
{
    int kept = 0;
    *count = 0;
    after_argument next = at_sign(r, ')') ? ARGUMENT_IS_LAST : ARGUMENT_FOLLOWS;
    while (next == ARGUMENT_FOLLOWS) {
        slip_operand one = parse_or(r);
        if (r->stopped) return false;
        ++*count;
        if (f && f->chains && kept == 2) {
            arg[0] = slip_operand_call(r, op, arg, 2, arg[0].start, arg[1].end);
            kept = 1;
        }
        if (kept < 3) arg[kept++] = one;
        next = pass_argument(r, opener);
    }
    return next == ARGUMENT_IS_LAST;
}

// of a function of the model
static bool parse_own_arguments(slip_parser *r, slip_value *argument, int *count, size_t opener)
{
    *count = 0;
    after_argument next = at_sign(r, ')') ? ARGUMENT_IS_LAST : ARGUMENT_FOLLOWS;
    while (next == ARGUMENT_FOLLOWS) {
        slip_operand one = parse_or(r);
        if (r->stopped) return false;
        if (*count < SLIP_MAX_ARGUMENTS) argument[*count] = one.value;
        ++*count;
        next = pass_argument(r, opener);
    }
    return next == ARGUMENT_IS_LAST;
}

static slip_operand parse_own_call(slip_parser *r, const char *name, int arity)
{
    slip_token t = r->token;
    slip_value argument[SLIP_MAX_ARGUMENTS];
    char problem[SLIP_PROBLEM_LENGTH] = "";
    int count, before = r->mistakes;
    slip_parser_next(r); // the parenthesis
    size_t opener = r->token.start;
    if (!enter_nesting(r)) return stop_parsing(r);
    slip_parser_next(r);
    if (r->stopped || !parse_own_arguments(r, argument, &count, opener)) return stop_parsing(r);
    r->depth--;
    slip_operand out = slip_operand_failed(t.start, r->token.end);
    slip_parser_next(r);
    bool fits = count == arity || arity == SLIP_ANY_ARGUMENTS;
    if (!fits)
        slip_parser_error(r, t.start, out.end, NULL, "%s takes %d argument%s, not %d", name, arity,
                          arity == 1 ? "" : "s", count);
    if (!fits || r->mistakes > before) return out;
    for (int k = 0; k < count && k < SLIP_MAX_ARGUMENTS; k++)
        if (argument[k].part[0] == SLIP_NONE) r->spoiled = true;
    if (r->spoiled ||
        r->scope->call(r->scope->context, name, slip_parser_depth(r), argument, &out.value, problem))
        return out;
    if (problem[0])
        slip_parser_error(r, t.start, out.end, NULL, "%s", problem);
    else
        r->spoiled = true;
    return out;
}

static slip_operand parse_call(slip_parser *r)
{
    slip_token t = r->token;
    slip_operand arg[3];
    char name[SLIP_NAME_LENGTH + 1];
    int count = 0;
    memcpy(name, r->text + t.start, t.name_end - t.start);
    name[t.name_end - t.start] = '\0';
    slip_op op = SLIP_OP_COUNT;
    const slip_function *f = t.primes ? NULL : slip_function_find(name, strlen(name), &op);
    bool own = !f && !t.primes && r->scope && r->scope->arity;
    int arity = own ? r->scope->arity(r->scope->context, name) : -1;
    if (arity >= 0) return parse_own_call(r, name, arity);
    bool fine = f && may_be_set_valued(r, &t, f);
    if (!f) slip_parser_explain_call(r, &t, name);
    slip_parser_next(r); // the parenthesis
    size_t opener = r->token.start;
    if (!enter_nesting(r)) return stop_parsing(r);
    slip_parser_next(r);
    if (r->stopped || !parse_arguments(r, f, op, arg, &count, opener)) return stop_parsing(r);
    r->depth--;
    size_t end = r->token.end;
    slip_parser_next(r);
    if (f && (count < f->arity || (!f->chains && count > f->arity + (f->pair[0] != 0)))) {
        slip_parser_error(r, t.start, end, NULL, "%s(%s) cannot take %d argument%s", name, f->info.arguments,
                          count, count == 1 ? "" : "s");
        fine = false;
    }
    if (!fine) return slip_operand_failed(t.start, end);
    return slip_operand_call(r, op, arg, f->chains ? 2 : count, t.start, end);
}

// --------------------------------------------------------------------------------------- operands

static slip_operand parse_number(slip_parser *r)
{
    slip_token t = r->token;
    double value = t.value;
    slip_parser_next(r);
    if (r->stopped) return stop_parsing(r);
    slip_dimension dimension = { 0 };
    bool fine = slip_parser_read_unit(r, &t, &value, &dimension);
    slip_operand out = slip_operand_failed(t.start, r->last_end);
    if (!fine) return out;
    if (!isfinite(value)) {
        slip_parser_error(r, out.start, out.end, NULL, "the number is too large in SI units");
        return out;
    }
    out.value.part[0] = slip_graph_constant(r->graph, value);
    out.value.dimension = dimension;
    slip_graph_set_place(r->graph, out.value.part[0], slip_parser_span(r, out.start, out.end));
    return out;
}

static slip_operand parse_parenthesis(slip_parser *r)
{
    size_t opener = r->token.start;
    if (!enter_nesting(r)) return stop_parsing(r);
    slip_parser_next(r);
    slip_operand out = parse_or(r);
    if (r->stopped) return stop_parsing(r);
    if (at_sign(r, ',')) {
        slip_parser_error(r, r->token.start, r->token.end,
                          "a decimal point is written '.'; only functions take several values",
                          "a comma has no meaning here");
        return stop_parsing(r);
    }
    if (!at_sign(r, ')')) return report_unclosed(r, opener);
    r->depth--;
    slip_parser_next(r);
    out.start = opener;
    out.end = r->last_end;
    return out;
}

static slip_operand refuse_token(slip_parser *r)
{
    slip_token *t = &r->token;
    if (t->kind == SLIP_TOKEN_END)
        slip_parser_error(r, r->last_end, r->last_end + 1, NULL,
                          "the formula ends where a value is expected");
    else if (t->sign == ')' && r->depth == 0)
        slip_parser_error(r, t->start, t->end, NULL, "this parenthesis was never opened");
    else
        slip_parser_error(r, t->start, t->end, NULL, "'%.*s' where a value is expected",
                          (int)(t->end - t->start), r->text + t->start);
    return stop_parsing(r);
}

static slip_operand parse_primary(slip_parser *r)
{
    slip_operand out;
    if (r->stopped) return stop_parsing(r);
    if (r->token.kind == SLIP_TOKEN_NUMBER) {
        out = parse_number(r);
    } else if (at_word(r, "and") || at_word(r, "or") || at_word(r, "not")) {
        if (!at_word(r, "not")) return refuse_token(r);
        slip_parser_error(r, r->token.start, r->token.end, "put it in parentheses: (not c)",
                          "'not' cannot stand behind an operator");
        return stop_parsing(r);
    } else if (r->token.kind == SLIP_TOKEN_NAME) {
        out = is_call(r) ? parse_call(r) : parse_name(r);
    } else if (at_sign(r, '(')) {
        out = parse_parenthesis(r);
    } else {
        return refuse_token(r);
    }
    while (at_sign(r, '.')) { // .x or .y behind a parenthesis
        slip_parser_next(r);
        if (r->stopped) return stop_parsing(r);
        if (!at_word(r, "x") && !at_word(r, "y")) {
            slip_parser_error(r, r->token.start, r->token.end, NULL,
                              "expected .x or .y: the components of a vector");
            return stop_parsing(r);
        }
        out = slip_operand_component(r, &out, at_word(r, "y"), r->token.end);
        slip_parser_next(r);
    }
    return out;
}

// ------------------------------------------------------------------------------------- operators

static slip_operand parse_power(slip_parser *r)
{
    slip_operand base = parse_primary(r);
    if (!at_sign(r, '^')) return base;
    if (!enter_nesting(r)) return stop_parsing(r);
    slip_parser_next(r);
    slip_operand exponent = parse_sign(r); // to the right: 2^3^2 is 2^9, 2^-3 is fine
    if (r->stopped) return stop_parsing(r);
    r->depth--;
    return slip_operand_combine(r, SLIP_OP_POW, &base, &exponent);
}

static slip_operand parse_sign(slip_parser *r)
{
    bool minus = at_sign(r, '-');
    if (!minus && !at_sign(r, '+')) return parse_power(r);
    size_t start = r->token.start;
    if (!enter_nesting(r)) return stop_parsing(r);
    slip_parser_next(r);
    slip_operand inner = parse_sign(r);
    if (r->stopped) return stop_parsing(r);
    r->depth--;
    return minus ? slip_operand_negate(r, SLIP_OP_NEG, &inner, start) : inner;
}

// 2 (x), x y, (a)(b): said where the second operand begins
static slip_operand missing_operator(slip_parser *r, const slip_operand *left)
{
    char product[64], hint[120] = "write * to multiply";
    if (slip_parser_spell_product(r, left->start, product, sizeof product))
        snprintf(hint, sizeof hint, "write %s", product);
    slip_parser_error(r, r->token.start, r->token.end, hint, "an operator is missing here");
    return stop_parsing(r);
}

static slip_operand parse_product(slip_parser *r)
{
    slip_operand left = parse_sign(r);
    while (!r->stopped) {
        bool times = at_sign(r, '*');
        if (!times && !at_sign(r, '/')) break;
        slip_parser_next(r);
        slip_operand right = parse_sign(r);
        if (r->stopped) return stop_parsing(r);
        left = slip_operand_combine(r, times ? SLIP_OP_MUL : SLIP_OP_DIV, &left, &right);
    }
    bool word = at_word(r, "and") || at_word(r, "or");
    bool operand = r->token.kind == SLIP_TOKEN_NUMBER || r->token.kind == SLIP_TOKEN_NAME || at_sign(r, '(');
    if (!r->stopped && operand && !word) return missing_operator(r, &left);
    return left;
}

static slip_operand parse_sum(slip_parser *r)
{
    slip_operand left = parse_product(r);
    while (!r->stopped) {
        bool plus = at_sign(r, '+');
        if (!plus && !at_sign(r, '-')) break;
        slip_parser_next(r);
        slip_operand right = parse_product(r);
        if (r->stopped) return stop_parsing(r);
        left = slip_operand_combine(r, plus ? SLIP_OP_ADD : SLIP_OP_SUB, &left, &right);
    }
    return left;
}

static bool at_comparison(const slip_parser *r, slip_op *op, bool *swapped)
{
    if (r->stopped || r->token.kind != SLIP_TOKEN_SIGN) return false;
    char s = r->token.sign;
    *swapped = s == '>' || s == SLIP_SIGN_GE;
    *op = s == '<' || s == '>'                     ? SLIP_OP_LT
          : s == SLIP_SIGN_LE || s == SLIP_SIGN_GE ? SLIP_OP_LE
          : s == SLIP_SIGN_EQ                      ? SLIP_OP_EQ
                                                   : SLIP_OP_NE;
    return s == '<' || s == '>' || s == SLIP_SIGN_LE || s == SLIP_SIGN_GE || s == SLIP_SIGN_EQ ||
           s == SLIP_SIGN_NE;
}

static slip_operand parse_comparison(slip_parser *r)
{
    slip_op op;
    bool swapped;
    slip_operand left = parse_sum(r);
    if (!at_comparison(r, &op, &swapped)) return left;
    slip_parser_next(r);
    slip_operand right = parse_sum(r);
    if (r->stopped) return stop_parsing(r);
    left = swapped ? slip_operand_combine(r, op, &right, &left) : slip_operand_combine(r, op, &left, &right);
    if (!at_comparison(r, &op, &swapped)) return left;
    slip_parser_error(r, r->token.start, r->token.end, "write a < b and b < c",
                      "comparisons cannot be chained");
    return stop_parsing(r);
}

static slip_operand parse_not(slip_parser *r)
{
    if (!at_word(r, "not")) return parse_comparison(r);
    size_t start = r->token.start;
    if (!enter_nesting(r)) return stop_parsing(r);
    slip_parser_next(r);
    slip_operand inner = parse_not(r);
    if (r->stopped) return stop_parsing(r);
    r->depth--;
    return slip_operand_negate(r, SLIP_OP_NOT, &inner, start);
}

static slip_operand parse_and(slip_parser *r)
{
    slip_operand left = parse_not(r);
    while (at_word(r, "and")) {
        slip_parser_next(r);
        slip_operand right = parse_not(r);
        if (r->stopped) return stop_parsing(r);
        left = slip_operand_combine(r, SLIP_OP_AND, &left, &right);
    }
    return left;
}

static slip_operand parse_or(slip_parser *r)
{
    slip_operand left = parse_and(r);
    while (at_word(r, "or")) {
        slip_parser_next(r);
        slip_operand right = parse_and(r);
        if (r->stopped) return stop_parsing(r);
        left = slip_operand_combine(r, SLIP_OP_OR, &left, &right);
    }
    return left;
}

// ------------------------------------------------------------------------------------- the formula

static void check_end(slip_parser *r)
{
    slip_token *t = &r->token;
    if (r->stopped || t->kind == SLIP_TOKEN_END) return;
    if (at_sign(r, ')'))
        slip_parser_error(r, t->start, t->end, NULL, "this parenthesis was never opened");
    else if (at_sign(r, ','))
        slip_parser_error(r, t->start, t->end,
                          "a decimal point is written '.'; only functions take several values",
                          "a comma has no meaning here");
    else
        slip_parser_error(r, t->start, t->end, NULL, "expected an operator here");
}

bool slip_formula_parse(slip_graph *graph, const char *text, size_t length, slip_span where,
                        const int32_t *map, const slip_scope *scope, slip_diagnostics *notes,
                        slip_value *value)
{
    slip_parser r = { .graph = graph,
                      .text = text,
                      .length = length,
                      .where = where,
                      .map = map,
                      .scope = scope,
                      .notes = notes };
    *value = slip_scalar(SLIP_NONE);
    if (!slip_parser_check_bytes(&r)) return false;
    slip_parser_next(&r);
    if (!r.stopped && r.token.kind == SLIP_TOKEN_END) {
        slip_parser_error(&r, 0, length ? length : 1, NULL, "the formula is empty");
        return false;
    }
    slip_operand whole = parse_or(&r);
    check_end(&r);
    if (r.mistakes == 0 && !r.spoiled && slip_operand_is_failed(&whole))
        slip_diagnose(notes, SLIP_ERROR, where, NULL, "out of memory while reading the formula");
    if (r.mistakes > 0 || slip_operand_is_failed(&whole)) return false;
    *value = whole.value;
    return true;
}
