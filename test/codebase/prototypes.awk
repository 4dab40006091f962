# prototypes.awk: the functions that headers declare, one per line: file, line, name, yes or no: has it a sentence?
# A sentence is a /// comment on the line above, or ///< behind one of its lines.
FNR == 1 { above = inside = depth = 0; text = "" }
/^#ifdef __cplusplus/, /^#endif/ { next }
/^#/ { directive = 1 }
directive { directive = /\\$/; above = 0; next }
/^[ \t]*\/\/\// && text == "" { above = 1; next }
/^[ \t]*(\/\/.*)?$/ && text == "" { above = 0; next }
{
    code = $0
    sub(/\/\/.*/, "", code)
    if (text == "") { first = FNR; said = above }
    if ($0 ~ /\/\/\/</) said = 1
    text = text " " code
    depth += gsub(/\{/, "{", code) - gsub(/\}/, "}", code)
    if (depth > 0 || code !~ /[;}][ \t]*$/) next
    if (text !~ /^ *(typedef|enum|struct|static|extern)/ && text !~ /[{=]/ && match(text, /slip_[A-Za-z0-9_]+\(/))
        print FILENAME, first, substr(text, RSTART, RLENGTH - 1), said ? "yes" : "no"
    text = ""
    above = 0
}
