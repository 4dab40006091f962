# mutants.awk: every small change of the lines of a C file that a test runs. Input: a file of line numbers, then the source.
# Output: line, what was changed, and the line after it, separated by tabs.

function emit(kind, text)
{
    print FNR "\t" kind "\t" text
}

# each place where `from` stands becomes `to`
function swap(code, from, to, kind,    done, at)
{
    for (done = 0; (at = index(substr(code, done + 1), from)) > 0; done += at)
        emit(kind, substr(code, 1, done + at - 1) to substr(code, done + at + length(from)))
}

# each match of a pattern goes, is halved, or is one more; its first character, which only separates it, stays where `keep` is 1
function change(code, pattern, keep, how, kind,    done, from, word, new)
{
    for (done = 0; match(substr(code, done + 1), pattern); done = from + RLENGTH - 1) {
        from = done + RSTART
        word = substr(code, from + keep, RLENGTH - keep)
        if (how == "next" && substr(code, from + RLENGTH, 1) ~ /[.ex]/) continue # the first digits of another kind of number
        new = how == "next" ? word + 1 : how == "half" ? "(0.5 * " word ")" : ""
        emit(kind, substr(code, 1, from + keep - 1) new substr(code, from + RLENGTH))
    }
}

BEGIN {
    count = split("+ - - + * / / * < <= <= < > >= >= > == != != == && || || && += -= -= +=", operator, " ")
    name = "[A-Za-z_][A-Za-z0-9_.>]*([[][^]]*[]])?"
}

NR == FNR { covered[$1] = 1; next }
!(FNR in covered) || /^[ \t]*(\/\/|#|assert)/ || /^[a-z]/ { next }

{
    code = $0
    sub(/ *\/\/.*$/, "", code)
    if (code ~ /^[ {}]*$/) next
    for (k = 1; k < count; k += 2) swap(code, " " operator[k] " ", " " operator[k + 1] " ", "operator")
    swap(code, "fmax(", "fmin(", "operator")
    swap(code, "fmin(", "fmax(", "operator")
    swap(code, "fabs(", "(", "magnitude")
    change(code, "[^A-Za-z0-9_.][0-9]+", 1, "next", "off by one")
    change(code, "[^A-Za-z0-9_.][0-9]+[.][0-9]+(e[-+]?[0-9]+)?", 1, "half", "constant")
    change(code, " [-+] " name "( [*] " name ")*", 0, "drop", "dropped term")
    if (code ~ /^ +[a-z_][^ ]*( [-+*\/]?= |\().*;$/ && code !~ /^ +(return|for|if|while)[ ;]/) emit("dropped statement", "    ;")
    if (match(code, /return [^;]+;$/)) emit("negated return", substr(code, 1, RSTART + 6) "!(" substr(code, RSTART + 7, RLENGTH - 8) ");")
}
