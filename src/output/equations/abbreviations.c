/// output/equations/abbreviations.c: long expressions in pieces that have names, long lines of LaTeX in
/// several.
#include "output/equations/abbreviations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers of operations: an expression up to the first is printed unabridged; an abbreviated piece has at
// least the second; a subexpression that occurs twice gets a name from the third on.
enum { MAX_UNSPLIT_OPERATIONS = 36, MIN_PIECE_OPERATIONS = 24, MIN_REPEATED_OPERATIONS = 6 };

// in letters: a line of an A4 page with margins of 2 cm
static const double MAX_LINE_WIDTH = 70.0;

// ----------------------------------------------------------------------------------------------- pieces

/// One expression while it is abbreviated; arrays are indexed by the nodes of the graph.
typedef struct abbreviation_pass {
    slip_graph *graph;
    slip_abbreviations *shorts;
    slip_ref explained; // keeps its own form: it is being explained
    double *size;       // operations as printed, 0 where not reached
    int *parents;       // within the expression
    bool *spine;        // a summand of the whole, or the sum of some: lines break there
} abbreviation_pass;

static slip_ref replace_named(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    const abbreviation_pass *k = context;
    (void)graph;
    if (original == k->explained || original >= k->shorts->room || k->shorts->symbol[original] < 0)
        return rewritten;
    return k->shorts->symbol[original];
}

static slip_ref rewrite_expression(abbreviation_pass *k, slip_ref ref, slip_ref explained)
{
    k->explained = explained;
    return slip_graph_rewrite(k->graph, ref, replace_named, k);
}

// numbers of many digits and long names take the room of several letters
static double own_size(const slip_graph *graph, slip_node node)
{
    if (node.op == SLIP_OP_INPUT) return 1.0 + (double)strlen(slip_graph_input_name(graph, node.index)) / 4.0;
    return node.op == SLIP_OP_CONSTANT && node.value * 1e4 != floor(node.value * 1e4) ? 5.0 : 1.0;
}

// operations of the expression written out; may be beyond any integer
static double written_out(abbreviation_pass *k, slip_ref ref)
{
    memset(k->parents, 0, ((size_t)ref + 1) * sizeof *k->parents);
    memset(k->spine, 0, (size_t)ref + 1);
    k->parents[ref] = 1;
    k->spine[ref] = true;
    for (slip_ref r = ref; r >= 0; r--) { // operands stand before what uses them
        if (!k->parents[r]) continue;
        slip_node node = slip_graph_node(k->graph, r);
        bool sum = node.op == SLIP_OP_ADD || node.op == SLIP_OP_SUB || node.op == SLIP_OP_NEG;
        for (int i = 0; i < 3; i++) {
            if (node.arg[i] < 0) continue;
            k->parents[node.arg[i]]++;
            if (sum && k->spine[r]) k->spine[node.arg[i]] = true;
        }
    }
    for (slip_ref r = 0; r <= ref; r++) {
        k->size[r] = 0.0;
        if (!k->parents[r]) continue;
        slip_node node = slip_graph_node(k->graph, r);
        k->size[r] = own_size(k->graph, node);
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0) k->size[r] += k->size[node.arg[i]];
    }
    return k->size[ref];
}

static bool worth_a_name(const abbreviation_pass *k, slip_ref r, double size)
{
    return (k->parents[r] > 1 && size >= MIN_REPEATED_OPERATIONS) ||
           (!k->spine[r] && size >= MIN_PIECE_OPERATIONS);
}

// sizes again, with what has a name counted as one; names what deserves one on the way
static bool name_pieces(abbreviation_pass *k, slip_ref ref, void (*piece)(void *, const char *, slip_ref),
                        void *context)
{
    for (slip_ref r = 0; r < ref; r++) {
        if (!k->parents[r]) continue;
        slip_node node = slip_graph_node(k->graph, r);
        double size = own_size(k->graph, node);
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0) size += k->shorts->symbol[node.arg[i]] >= 0 ? 1.0 : k->size[node.arg[i]];
        k->size[r] = size;
        if (k->shorts->symbol[r] >= 0 || !worth_a_name(k, r, size)) continue;
        char name[32];
        snprintf(name, sizeof name, "sigma.%d", ++k->shorts->count);
        slip_ref value = rewrite_expression(k, r, r), symbol = slip_graph_input(k->graph, name);
        if (value < 0 || symbol < 0) return false;
        piece(context, name, value);
        k->shorts->symbol[r] = symbol;
    }
    return true;
}

static bool reserve_symbols(slip_abbreviations *shorts, int count)
{
    if (count <= shorts->room) return true;
    slip_ref *more = realloc(shorts->symbol, (size_t)count * sizeof *more);
    if (!more) return false;
    for (int k = shorts->room; k < count; k++) more[k] = SLIP_NONE;
    shorts->symbol = more;
    shorts->room = count;
    return true;
}

slip_ref slip_abbreviate(slip_abbreviations *shorts, slip_graph *graph, slip_ref ref,
                         void (*piece)(void *context, const char *name, slip_ref value), void *context)
{
    size_t nodes = (size_t)ref + 1;
    abbreviation_pass k = { .graph = graph, .shorts = shorts, .explained = SLIP_NONE };
    k.size = malloc(nodes * sizeof *k.size);
    k.parents = malloc(nodes * sizeof *k.parents);
    k.spine = malloc(nodes);
    slip_ref result = SLIP_NONE;
    if (k.size && k.parents && k.spine && reserve_symbols(shorts, (int)nodes)) {
        if (written_out(&k, ref) <= MAX_UNSPLIT_OPERATIONS)
            result = ref;
        else if (name_pieces(&k, ref, piece, context))
            result = rewrite_expression(&k, ref, ref);
    }
    free(k.size);
    free(k.parents);
    free(k.spine);
    return result;
}

void slip_abbreviations_destroy(slip_abbreviations *shorts)
{
    free(shorts->symbol);
}

// ------------------------------------------------------------------------------------------------ lines

// the end of a group {...} that begins at s
static const char *group_end(const char *s, const char *end)
{
    int depth = 0;
    for (; s < end; s++) {
        if (*s == '\\' && s + 1 < end)
            s++;
        else if (*s == '{')
            depth++;
        else if (*s == '}' && --depth == 0)
            return s + 1;
    }
    return end;
}

static size_t command_length(const char *s)
{
    return 1 + strspn(s + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static bool is_command(const char *s, const char *name)
{
    return strncmp(s, name, strlen(name)) == 0 && command_length(s) == strlen(name);
}

// roughly, in letters
static double text_width(const char *s, const char *end)
{
    double sum = 0.0;
    while (s < end) {
        if (is_command(s, "\\frac")) { // as wide as the wider of the two
            const char *low = group_end(s + 5, end), *past = group_end(low, end);
            double above = text_width(s + 5, low), below = text_width(low, past);
            sum += 0.6 + (above > below ? above : below);
            s = past;
        } else if (*s == '\\' && command_length(s) == 1) {
            s += 2; // a thin space
            sum += 0.3;
        } else if (*s == '\\') {
            size_t length = command_length(s);
            bool word = is_command(s, "\\sin") || is_command(s, "\\cos") || is_command(s, "\\tan") ||
                        is_command(s, "\\max") || is_command(s, "\\min");
            bool nothing = is_command(s, "\\left") || is_command(s, "\\right") ||
                           is_command(s, "\\operatorname") || is_command(s, "\\mathit") ||
                           is_command(s, "\\mathrm") || is_command(s, "\\dot") || is_command(s, "\\ddot");
            sum += word ? 3.0 : nothing ? 0.0 : 1.2;
            s += length;
        } else if ((*s == '_' || *s == '^') && s + 1 < end && s[1] == '{') {
            const char *past = group_end(s + 1, end);
            sum += 0.75 * text_width(s + 1, past);
            s = past;
        } else {
            sum += *s == '{' || *s == '}' || *s == ' '   ? 0.0
                   : *s == '+' || *s == '-' || *s == '=' ? 2.0
                                                         : 1.0;
            s++;
        }
    }
    return sum;
}

// the next " + " or " - " outside of groups and cases; *open counts \left without its \right
static const char *next_break(const char *s, int *open)
{
    int cases = 0;
    for (const char *from = s; *s; s++) {
        if (*s == '\\') {
            if (is_command(s, "\\left")) ++*open;
            if (is_command(s, "\\right")) --*open;
            if (strncmp(s, "\\begin{cases}", 13) == 0) cases++;
            if (strncmp(s, "\\end{cases}", 11) == 0) cases--;
            s += command_length(s) > 1 ? command_length(s) - 1 : 1;
        } else if (*s == '{') {
            s = group_end(s, s + strlen(s)) - 1;
        } else if (s > from && cases == 0 && s[0] == ' ' && (s[1] == '+' || s[1] == '-') && s[2] == ' ') {
            return s;
        }
    }
    return s;
}

void slip_add_latex_lines(slip_text *out, const char *latex)
{
    double line = 0.0;
    int open = 0;
    for (const char *s = latex; *s;) {
        int at = open; // parentheses that are open here
        const char *past = next_break(s, &open);
        double piece = text_width(s, past);
        if (line > 0.0 && line + piece > MAX_LINE_WIDTH) {
            for (int k = 0; k < at; k++) slip_text_add(out, " \\right.");
            slip_text_add(out, " \\\\\n &\\quad");
            for (int k = 0; k < at; k++) slip_text_add(out, " \\left.");
            line = 2.0;
        }
        slip_text_bytes(out, s, (size_t)(past - s));
        line += piece;
        s = past;
    }
}
