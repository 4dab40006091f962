#!/bin/sh
# notices.sh SOURCES: the licences of what is inside the programs, the wheel and the npm package, as their own sources have them.
set -eu
sources=${1:?usage: notices.sh SOURCES}
cd "$(dirname "$0")/../.."
cat <<'TEXT'
slipstick is under the MIT licence (LICENSE). Programs of one file, the Python wheel and the npm package contain the libraries below, under
licences of their own. NLopt has parts under the GNU Lesser General Public License: the source of slipstick, which is beside these packages,
builds them anew with another NLopt (docs/install.md).
TEXT
notice() {
    printf '\n%s\n%s\n\n' "$1" "$(printf '%s' "$1" | sed 's/./-/g')"
    cat "$2"
}
notice libyaml "$(ls -d "$sources"/libyaml-*/)License"
notice expat "$(ls -d "$sources"/expat-*/)COPYING"
notice cminpack "$(ls -d "$sources"/cminpack-*/)CopyrightMINPACK.txt"
notice NLopt "$(ls -d "$sources"/nlopt-*/)COPYING"
for file in "$sources"/nlopt-*/src/algs/*/COPYRIGHT; do
    notice "NLopt, $(basename "$(dirname "$file")")" "$file"
done
# the C libraries, where they are linked statically
for package in musl mingw-w64-x86-64-dev wasi-libc libc6-dev-arm64-cross; do
    [ ! -f /usr/share/doc/$package/copyright ] || notice "C library: $package" /usr/share/doc/$package/copyright
done
# what the page of reports is made of
modules=$(ls -d build-*/web/node_modules 2>/dev/null | head -n 1)
for package in three uplot; do
    [ -z "$modules" ] || [ ! -f "$modules/$package/LICENSE" ] || notice "page of reports: $package" "$modules/$package/LICENSE"
done
