#!/bin/sh
# dependencies.sh TARGET: what slipstick stands on (libyaml, expat, cminpack, NLopt) as static libraries for another
# machine, in build-TARGET/dependencies. They are compiled from Debian's sources, which are fetched once into
# build-sources; nothing of them is kept in this repository. TARGET: a file of cmake/toolchains without its suffix.
#
# The sources come through apt, whose signatures are checked, with lists of its own: neither root nor a deb-src line in
# the system's lists is needed. SLIPSTICK_SOURCES names a folder that holds them already (libyaml-*, expat-*,
# cminpack-*, nlopt-*, unpacked), where there is no apt or no network.
set -eu
target=${1:?usage: dependencies.sh TARGET}
cd "$(dirname "$0")/../.."
toolchain=$PWD/cmake/toolchains/$target.cmake
[ -f "$toolchain" ] || { echo "dependencies: no cmake/toolchains/$target.cmake" >&2; exit 2; }
prefix=$PWD/build-$target/dependencies
sources=${SLIPSTICK_SOURCES:-$PWD/build-sources}
[ ! -f "$prefix/complete" ] || exit 0

# source_lists FOLDER: the system's lists of packages, as lists of sources from the same places
source_lists() {
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"$1/$(basename "$list" .list).list"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$1/$(basename "$list")"
    done
}

fetch() {
    apt=$sources/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
    source_lists "$apt/parts"
    set -- -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" \
        -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root -o Acquire::Retries=3
    apt-get "$@" update
    for package in libyaml expat cminpack nlopt; do
        (cd "$sources" && { apt-get "$@" source "$package" || without_patches "$package" "$@"; })
    done
}

# A mirror may lack the newest patches of Debian; the release they are for serves as well.
without_patches() {
    package=$1
    shift
    apt-get "$@" source --download-only --tar-only "$package"
    tarball=$(ls "$package"_*.orig.tar.* | head -n 1)
    version=${tarball#*_}
    mkdir -p "$package-${version%.orig*}"
    tar -xf "$tarball" -C "$package-${version%.orig*}" --strip-components=1
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
step() { "$@" >>"$log" 2>&1 || { tail -n 30 "$log" >&2; exit 1; }; }

mkdir -p "$sources"
if ! ls -d "$sources"/nlopt-*/ >/dev/null 2>&1; then
    echo "dependencies: fetching the sources of libyaml, expat, cminpack and NLopt from Debian" >&2
    step fetch
fi

# build NAME OPTION...: one of them, by its own CMake
build() {
    name=$1
    shift
    folder=$(ls -d "$sources/$name"-*/ | head -n 1)
    [ ! -f "$folder/$name/CMakeLists.txt" ] || folder=$folder/$name
    # a C++ compiler is asked for by some, and used by none
    step cmake -S "$folder" -B "build-$target/build-$name" -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$toolchain" \
        -D CMAKE_BUILD_TYPE=Release -D BUILD_SHARED_LIBS=OFF -D BUILD_TESTING=OFF -D "CMAKE_INSTALL_PREFIX=$prefix" \
        -D CMAKE_INSTALL_LIBDIR=lib -D CMAKE_POSITION_INDEPENDENT_CODE=ON -D CMAKE_CXX_COMPILER_WORKS=1 -D CMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG -ffp-contract=off -ffile-prefix-map=$PWD=." "$@"
    step cmake --build "build-$target/build-$name"
    step cmake --install "build-$target/build-$name"
}

echo "dependencies: compiling them for $target" >&2
build libyaml
build expat -D EXPAT_BUILD_TOOLS=OFF -D EXPAT_BUILD_EXAMPLES=OFF -D EXPAT_BUILD_TESTS=OFF -D EXPAT_BUILD_DOCS=OFF \
    -D EXPAT_SHARED_LIBS=OFF ${SLIPSTICK_EXPAT_OPTIONS:-}
build cminpack -D USE_BLAS=OFF -D BUILD_EXAMPLES=OFF
build nlopt -D NLOPT_CXX=OFF -D NLOPT_FORTRAN=OFF -D NLOPT_PYTHON=OFF -D NLOPT_OCTAVE=OFF -D NLOPT_MATLAB=OFF \
    -D NLOPT_GUILE=OFF -D NLOPT_SWIG=OFF -D NLOPT_TESTS=OFF

# what they install for pkg-config differs from what Debian's packages have
describe() {
    cat >"$prefix/lib/pkgconfig/$1.pc" <<PC
prefix=$prefix
Name: $1
Description: for $target
Version: $2
Libs: -L$prefix/lib -l$3
Cflags: -I$prefix/include/${4:-} ${5:-}
PC
}
mkdir -p "$prefix/lib/pkgconfig"
[ ! -d "$prefix/lib64" ] || cp "$prefix"/lib64/*.a "$prefix/lib" # where cminpack puts its own
describe yaml-0.1 0.2.5 yaml
describe expat 2.5.0 expat
# on Windows its header takes it for a DLL
describe cminpack 1.3.6 cminpack_s cminpack-1 "$(case $target in windows) printf %s -DCMINPACK_NO_DLL ;; esac)"
describe nlopt 2.7.1 nlopt
touch "$prefix/complete"
