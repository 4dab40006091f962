#!/usr/bin/env bash
# try.sh FOLDER PROGRAM: uses what a release has as its users would: unpacks or installs it elsewhere, runs it, and compares the bits with those
# of PROGRAM. What cannot be run here (no qemu, no wine, no Chromium) is named. No network is used.
set -eu
folder=$(cd "${1:?usage: try.sh FOLDER PROGRAM}" && pwd)
native=$(realpath "${2:?usage: try.sh FOLDER PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
say() { printf '%s\n' "$*"; }
die() { say "FAILED: $*"; exit 1; }

models="xiong/friction-mass classics/stack classics/servo-windup-stiffer classics/recorded-push spatial/coin"
# hashes PROGRAM...: what it writes for some models, two of which read further files
hashes() {
    for model in $models; do
        rm -rf out
        "$@" run "$model" --until 0.05 -q -o out >said 2>&1 || true # some are not to be trusted, and say so
        cat out/trajectory.csv out/events.csv 2>/dev/null | sha256sum
    done
}
(cd "$root" && SLIPSTICK_MODELS=$root/models && export SLIPSTICK_MODELS && cd "$work" && hashes "$native") >expected
[ "$(sort -u expected | wc -l)" = 5 ] || die "the program itself"

say "- sums and SBOM"
(cd "$folder" && sha256sum --quiet -c SHA256SUMS) || die "SHA256SUMS"
node "$root/tools/release/check_sbom.mjs" "$folder" "$folder/slipstick-$version.spdx.json" || die "SBOM"

# program FILE NEEDED-TO-RUN...: a program of one file, alone in an empty folder, without an environment
program() {
    file=$1
    shift
    [ -f "$folder/$file" ] || return 0
    if [ $# -gt 0 ] && ! command -v "$1" >/dev/null; then
        say "- $file: no $1 to run it"
        return
    fi
    rm -rf alone
    mkdir alone
    cp "$folder/$file" alone
    chmod 755 "alone/$file"
    cd alone
    run=(env -i "HOME=$work" "PATH=$PATH" WINEDEBUG=-all "$@" "$work/alone/$file")
    # wine makes its folder of Windows at the first call
    "${run[@]}" --version >"$work/said" 2>/dev/null || { cd ..; say "- $file: cannot be run here"; return; }
    grep -q "^slipstick $version" "$work/said" || die "$file --version"
    [ "$("${run[@]}" list models --json 2>/dev/null | grep -c '"title"')" -ge 1 ] || die "$file has no models"
    hashes "${run[@]}" >"$work/found"
    cmp -s "$work/expected" "$work/found" || die "$file: other bits"
    "${run[@]}" run friction-mass -q --report page.html >"$work/said" 2>&1 && grep -q '</html>' page.html || die "$file --report"
    cd ..
    say "- $file"
}
program "slipstick-$version-linux-x86_64"
program "slipstick-$version-linux-arm64" qemu-aarch64
program "slipstick-$version-windows-x86_64.exe" "$(command -v wine64 || echo /usr/lib/wine/wine64)"

if ls "$folder"/*.deb >/dev/null 2>&1; then
    for package in "$folder"/*.deb; do dpkg-deb -x "$package" debian; done
    usr=$work/debian/usr
    lib=$(dirname "$(find "$usr/lib" -name 'libslipstick.so.*' | head -n 1)")
    hashes "$usr/bin/slipstick" >found
    cmp -s expected found || die "program of the Debian package: other bits"
    export PKG_CONFIG_PATH=$lib/pkgconfig
    # shellcheck disable=SC2046  # words are meant
    cc -std=c17 "$root/examples/bounce.c" $(pkg-config --cflags --libs slipstick) -lm -o bounce
    LD_LIBRARY_PATH=$lib ./bounce | cmp - "$root/examples/bounce.txt" || die "library of the Debian package"
    (cd / && PYTHONPATH=$usr/lib/python3/dist-packages SLIPSTICK_MODELS=$usr/share/slipstick/models /usr/bin/python3 -c '
import slipstick
assert slipstick.Model("bouncing-ball").run(until=2.0).trust == "trusted"') || die "python3-slipstick"
    say "- Debian packages"
fi

wheel=$(ls "$folder"/slipstick-*.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
    # numpy is that of the system, since there is no network
    /usr/bin/python3 -m venv --system-site-packages venv
    venv/bin/pip install --quiet --no-index --disable-pip-version-check "$wheel" || die "pip install"
    "$native" run xiong/friction-mass -q -o out
    (cd / && "$work/venv/bin/python" - "$root/docs/python.md" "$work/out/trajectory.csv" <<'PYTHON') || die "the wheel"
import doctest, sys
import numpy, slipstick
assert "/venv/" in slipstick.__file__, slipstick.__file__
run = slipstick.Model("xiong/friction-mass").run()
rows = numpy.genfromtxt(sys.argv[2], delimiter=",", names=True, deletechars="", replace_space=" ")
assert numpy.array_equal(rows["t"], run.t), "other bits"
for name, column in zip(rows.dtype.names, run.columns):
    assert numpy.array_equal(rows[name], run[column], equal_nan=True), f"{column}: other bits"
found = doctest.testfile(sys.argv[1], module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
assert found.attempted > 10 and found.failed == 0
PYTHON
    # and a Python that has nothing else
    /usr/bin/python3 -m venv bare
    bare/bin/pip install --quiet --no-index --no-deps --disable-pip-version-check "$wheel"
    (cd / && "$work/bare/bin/python" -c 'import slipstick; print(slipstick.Model("slider-crank").describe())' >"$work/said") || die "the wheel without numpy"
    say "- $(basename "$wheel"), with the examples of docs/python.md"
fi

if [ -f "$folder/slipstick-$version.tgz" ]; then
    node "$root/test/install/npm.mjs" "$native" "$folder/slipstick-$version.tgz" >/dev/null || die "npm package in Node"
    if command -v chromium >/dev/null; then
        node "$root/test/install/browser.mjs" "$native" "$folder/slipstick-$version.tgz" || die "npm package in a browser"
        say "- npm package, in Node and in Chromium"
    else
        say "- npm package, in Node; no chromium"
    fi
fi
say "all good"
