/// symbolic/graph/latex_names.c: names of models as LaTeX symbols: mu_1 is \mu_{1}, th1' is \dot{\theta}_{1}.
#include <string.h>

#include "symbolic/graph/print.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_greek(const char *name, size_t length)
{
    static const char *const letters[] = { "alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta",   "eta",
                                           "theta", "iota",  "kappa",   "lambda", "mu",      "nu",     "xi",
                                           "pi",    "rho",   "sigma",   "tau",    "upsilon", "phi",    "chi",
                                           "psi",   "omega", "Gamma",   "Delta",  "Theta",   "Lambda", "Xi",
                                           "Pi",    "Sigma", "Upsilon", "Phi",    "Psi",     "Omega" };
    for (size_t k = 0; k < sizeof letters / sizeof letters[0]; k++)
        if (strlen(letters[k]) == length && memcmp(letters[k], name, length) == 0) return true;
    return false;
}

static void add_base(const char *name, size_t length, slip_text *out)
{
    if (length == 0)
        slip_text_add(out, "\\_");
    else if (length == 2 && memcmp(name, "th", 2) == 0)
        slip_text_add(out, "\\theta");
    else if (length == 3 && memcmp(name, "eps", 3) == 0)
        slip_text_add(out, "\\varepsilon");
    else if (is_greek(name, length))
        slip_text_add(out, "\\%.*s", (int)length, name);
    else
        slip_text_add(out, length == 1 ? "%.*s" : "\\mathit{%.*s}", (int)length, name);
}

// parts between _ and . with commas; words of three letters and more upright, Greek ones as letters
static void add_index(const char *name, size_t length, slip_text *out)
{
    bool first = true;
    for (size_t k = 0, n; k < length; k += n + 1) {
        for (n = 0; k + n < length && name[k + n] != '_' && name[k + n] != '.'; n++) {}
        if (n == 0) continue;
        if (!first) slip_text_add(out, ",");
        first = false;
        if (is_greek(name + k, n))
            slip_text_add(out, "\\%.*s", (int)n, name + k);
        else
            slip_text_add(out, n >= 3 && is_letter(name[k]) ? "\\mathrm{%.*s}" : "%.*s", (int)n, name + k);
    }
}

void slip_latex_name(const char *name, slip_text *out)
{
    static const char *const dots[] = { "\\dot{", "\\ddot{" };
    size_t length = strcspn(name, "'"), base = 0;
    int primes = (int)strlen(name + length);
    while (base < length && is_letter(name[base])) base++;
    if (primes == 1 || primes == 2) slip_text_add(out, "%s", dots[primes - 1]);
    add_base(name, base, out);
    if (primes == 1 || primes == 2) slip_text_add(out, "}");
    if (primes > 2) slip_text_add(out, "^{(%d)}", primes);
    if (base == length) return;
    slip_text_add(out, "_{");
    add_index(name + base, length - base, out);
    slip_text_add(out, "}");
}
