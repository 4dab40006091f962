#!/bin/sh
# setup.sh [SET]...: installs the packages that are missing, and only those; says nothing when none is.
#
#   build     compiler, cmake, libyaml, cminpack, expat, NLopt, Node for the page of reports   (the default)
#   test      cmocka, jansson, MPFR, LAPACKE on the serial OpenBLAS, clang with its sanitizer and fuzzer runtimes; python, pytest and what the Python package is tested with
#   python    Python with its headers, numpy, setuptools, wheel and pip, for the Python package
#   docs      scdoc, for the manual page
#   lint      clang-tidy, clang-format, cppcheck
#   coverage  gcovr
#   browser   Chromium, in which the page of reports is tested
#   site      Pandoc, for `make site`
#   package   debhelper, dh-python, lintian and fakeroot, for `make deb`; abigail-tools, for `make abi`
#   all       all of these
#   wasm      clang and lld with wasi-libc, for `make wasm`; these and the next only when named
#   arm64     gcc for 64-bit ARM, and qemu-user, which runs what it makes
#   static    musl, for a program that needs nothing but the kernel
#   windows   mingw-w64, and wine64, which runs what it makes
#   benchmark Bullet, ODE, Box2D, MuJoCo, DART and Simbody, as far as the system has them, for `make benchmark`
#   optional  HDF5, Open MPI and FFmpeg, for the optional parts; only when named
#
# On Debian and its relatives it calls apt-get, as root or through sudo. Elsewhere it checks, and names
# the packages of other systems. SLIPSTICK_SETUP=no skips it all, SLIPSTICK_SETUP=check only reports.
set -eu

set_build="build-essential cmake ninja-build pkg-config libyaml-dev libcminpack-dev libexpat1-dev libnlopt-dev"
set_python="python3-dev python3-numpy python3-setuptools python3-wheel python3-pip"
# LAPACK is what the linear algebra is compared with; the serial OpenBLAS, since the default flavour is threaded.
set_test="libcmocka-dev libjansson-dev libmpfr-dev libopenblas-serial-dev liblapacke-dev clang libclang-rt-dev $set_python python3-pytest python3-hypothesis python3-scipy python3-pandas python3-matplotlib python3-nbclient python3-ipykernel"
set_docs="scdoc"
set_lint="clang-tidy clang-format cppcheck"
set_coverage="gcovr"
set_browser="chromium"
set_site="pandoc"
set_package="debhelper lintian fakeroot scdoc dh-python python3-dev abigail-tools"
set_wasm="clang lld llvm wasi-libc libclang-rt-dev-wasm32 dpkg-dev"
set_arm64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user dpkg-dev"
set_static="musl-tools dpkg-dev"
set_windows="gcc-mingw-w64-x86-64 wine64 dpkg-dev"
set_benchmark="g++ libbullet-dev libode-dev libbox2d-dev libmujoco-dev libdart-dev libdart-external-ikfast-dev libdart-external-odelcpsolver-dev libdart-external-convhull-3d-dev libsimbody-dev"
set_optional="libhdf5-dev libopenmpi-dev openmpi-bin ffmpeg"

# Node may have come from elsewhere than apt; then Debian's is not wanted beside it.
if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    set_build="$set_build nodejs npm"
fi

say() { printf 'setup: %s\n' "$*" >&2; }

# those that the system's lists know: an engine that is not packaged is left out
known_packages() {
    for package in "$@"; do
        ! apt-cache show "$package" >/dev/null 2>&1 || printf '%s ' "$package"
    done
}

wanted_packages() {
    for set_name in "$@"; do
        case $set_name in
        build) printf '%s ' "$set_build" ;;
        test)  printf '%s ' "$set_test" ;;
        python) printf '%s ' "$set_python" ;;
        docs)  printf '%s ' "$set_docs" ;;
        lint)  printf '%s ' "$set_lint" ;;
        coverage) printf '%s ' "$set_coverage" ;;
        browser) printf '%s ' "$set_browser" ;;
        site)  printf '%s ' "$set_site" ;;
        package) printf '%s ' "$set_package" ;;
        wasm)     printf '%s ' "$set_wasm" ;;
        arm64)    printf '%s ' "$set_arm64" ;;
        static)   printf '%s ' "$set_static" ;;
        windows)  printf '%s ' "$set_windows" ;;
        benchmark) known_packages $set_benchmark ;;
        optional) printf '%s ' "$set_optional" ;;
        all)   printf '%s ' "$set_build $set_test $set_docs $set_lint $set_coverage $set_browser $set_site $set_package" ;;
        *)     say "unknown set '$set_name'; there are build, python, test, docs, lint, coverage, browser, site, package, all, wasm, arm64, static, windows, benchmark, optional"; exit 2 ;;
        esac
    done
}

other_systems() {
    cat >&2 <<'TEXT'
Needed on other systems (build; test; docs, lint and browser):
  Fedora   dnf install gcc make cmake ninja-build pkgconf libyaml-devel cminpack-devel expat-devel NLopt-devel nodejs npm
           libcmocka-devel jansson-devel mpfr-devel openblas-devel lapack-devel clang compiler-rt python3-devel python3-numpy python3-pytest
           scdoc clang-tools-extra cppcheck chromium
  Arch     pacman -S base-devel cmake ninja pkgconf libyaml cminpack expat nlopt nodejs npm
           cmocka jansson mpfr openblas lapacke clang compiler-rt python-numpy python-pytest
           scdoc cppcheck chromium
  macOS    brew install cmake ninja pkg-config libyaml cminpack expat nlopt node
           cmocka jansson mpfr openblas lapack llvm python numpy
           scdoc cppcheck
TEXT
}

# Without dpkg: is the thing itself there? Prints what is not.
missing_things() {
    for tool in cc cmake ninja pkg-config node npm; do
        command -v $tool >/dev/null 2>&1 || printf '%s ' $tool
    done
    modules="yaml-0.1 cminpack expat nlopt"
    case " $* " in *" test "* | *" all "*)
        modules="$modules cmocka jansson mpfr"
        command -v clang >/dev/null 2>&1 || printf 'clang '
    esac
    for module in $modules; do
        pkg-config --exists $module 2>/dev/null || printf '%s ' $module
    done
}

missing_packages() {
    # one dpkg-query for all: 20 ms
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p') || true
    for package in "$@"; do
        case "
$installed
" in *"
$package
"*) ;; *) printf '%s ' "$package" ;; esac
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

mode=${SLIPSTICK_SETUP:-yes}
[ "$mode" != no ] || exit 0
[ $# -gt 0 ] || set -- build
packages=$(wanted_packages "$@")

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    missing=$(missing_things "$@")
    [ -n "$missing" ] || exit 0
    say "missing: $missing"
    other_systems
    exit 1
fi

# shellcheck disable=SC2086  # a list of words is meant
missing=$(missing_packages $packages)
[ -n "$missing" ] || exit 0
say "missing: $missing"
[ "$mode" != check ] || exit 1
if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
    say "not root and no sudo; as root:  apt-get install --no-install-recommends $missing"
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt_options="-o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -qq"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
say "installing them (a minute or two on a new machine)"
# shellcheck disable=SC2086
if ! { as_root env DEBIAN_FRONTEND=noninteractive apt-get $apt_options update &&
       as_root env DEBIAN_FRONTEND=noninteractive apt-get $apt_options install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "apt-get failed; its last lines are above"
    other_systems
    exit 1
fi
