#!/usr/bin/env bash
# tree.sh BUILD: installs to one place, moves the tree to another, and uses it there.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/tree"
tree=$work/tree
cd "$work"

say() { printf '%s\n' "$*"; }
die() { say "FAILED: $*"; exit 1; }

say "- what must be there"
libdir=$(dirname "$(find "$tree" -name libslipstick.a)")
for file in bin/slipstick include/slipstick/slipstick.h share/slipstick/models/xiong/friction-mass.yaml \
    share/doc/slipstick/README.md share/bash-completion/completions/slipstick; do
    [ -s "$tree/$file" ] || die "$file is missing"
done
[ -s "$libdir/libslipstick.so" ] && [ -s "$libdir/libslipstick.a" ] && [ -s "$libdir/pkgconfig/slipstick.pc" ] || die "libraries"
if command -v scdoc >/dev/null; then [ -s "$tree/share/man/man1/slipstick.1" ] || die "the manual page is missing"; fi
if grep -rIl -e "$root" -e "$work/first" "$tree" --include='*.pc' --include='*.cmake'; then die "absolute paths"; fi

say "- the links of the pages hold there too"
(cd "$tree/share/doc/slipstick" && bash "$root/test/docs/links.sh" . README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/reproduction/*.md) ||
    die "links of the installed pages"

say "- the program finds its models there"
(cd / && "$tree/bin/slipstick" list models | grep -q xiong/friction-mass) || die "models of the installed program"
(cd / && "$tree/bin/slipstick" run friction-mass --until 10ms -q) || die "a model by name"

say "- each header alone, in C17 and in C++"
for header in "$tree"/include/slipstick/*.h; do
    name=$(basename "$header")
    printf '#include <slipstick/%s>\nint main(void) { return 0; }\n' "$name" >one.c
    cc -std=c17 -pedantic -Wall -Wextra -Werror -I"$tree/include" -fsyntax-only one.c || die "$name in C"
    c++ -std=c++17 -Wall -Wextra -Werror -I"$tree/include" -fsyntax-only -x c++ one.c || die "$name in C++"
done

say "- the shared library exports what the headers declare, and nothing else"
nm -D --defined-only "$libdir/libslipstick.so" | awk '{ print $3 }' | sort >exported
grep -ohE 'slip_[A-Za-z0-9_]+\(' "$tree"/include/slipstick/*.h | tr -d '(' | sort -u >declared
extra=$(comm -23 exported declared)
[ -z "$extra" ] || die "exported without being declared: $extra"
[ "$(wc -l <exported)" -ge 30 ] || die "too little is exported"

say "- examples by pkg-config, shared and static"
export PKG_CONFIG_PATH=$libdir/pkgconfig
for kept in "$root"/examples/*.txt; do
    name=$(basename "$kept" .txt)
    example=$root/examples/$name.c
    # shellcheck disable=SC2046  # words are meant
    cc -std=c17 -Wall -Werror "$example" $(pkg-config --cflags --libs slipstick) -lm -pthread -o shared
    LD_LIBRARY_PATH=$libdir ./shared >shared.txt || die "$name, shared"
    # shellcheck disable=SC2046
    cc -std=c17 "$example" $(pkg-config --cflags slipstick) "$libdir/libslipstick.a" \
        $(pkg-config --libs --static slipstick | sed 's/-lslipstick//') -lm -pthread -o static
    ./static >static.txt || die "$name, static"
    cmp shared.txt static.txt || die "$name: shared and static differ"
    # kept output, compared to the digits it prints
    diff "$kept" shared.txt || die "$name: output is not examples/$name.txt"
done

say "- examples by CMake"
mkdir cmake-user
cat >cmake-user/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(user C)
find_package(slipstick 0.2 REQUIRED)
add_executable(shared ${EXAMPLE})
target_link_libraries(shared PRIVATE slipstick::slipstick)
add_executable(static ${EXAMPLE})
target_link_libraries(static PRIVATE slipstick::static)
CMAKE
cmake -S cmake-user -B cmake-build -G Ninja -DEXAMPLE="$root/examples/bounce.c" -Dslipstick_ROOT="$tree" >/dev/null
cmake --build cmake-build >/dev/null || die "building with find_package"
cmake-build/shared | cmp - "$root/examples/bounce.txt" || die "CMake, shared"
cmake-build/static | cmp - "$root/examples/bounce.txt" || die "CMake, static"
say "all good"
