#!/usr/bin/env bash
# links.sh ROOT PAGE...: every relative link of the pages leads to a file, and to a heading where it names one.
set -eu
root=$1
shift
cd "$root"
status=0

# the anchors of a page, as GitHub makes them: lower case, no punctuation, blanks as hyphens
anchors() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print }' "$1" | tr '[:upper:]' '[:lower:]' |
        sed -E 's/`//g; s/[^[:alnum:] _-]//g; s/ /-/g'
}

# file and target of every link outside fenced blocks
links() {
    awk '/^```/ { code = !code } !code { while (match($0, /\]\([^) ]+\)/)) {
        print substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH) } }' "$1"
}

for page in "$@"; do
    [ -e "$page" ] || { echo "FAILED: no page $page"; status=1; continue; }
    folder=$(dirname "$page")
    while IFS= read -r target; do
        case $target in http://* | https://* | mailto:*) continue ;; esac
        file=${target%%#*} anchor=
        case $target in *'#'*) anchor=${target#*#} ;; esac
        if [ -z "$file" ]; then file=$page; else file=$folder/$file; fi
        if [ ! -e "$file" ]; then
            echo "FAILED: $page: $target leads nowhere"
            status=1
        elif [ -n "$anchor" ] && ! anchors "$file" | grep -qxF -- "$anchor"; then
            echo "FAILED: $page: $target: no such heading"
            status=1
        fi
    done < <(links "$page")
done
[ $status = 0 ] && echo "all good"
exit $status
