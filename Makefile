# The commands people use. All the building is CMake's (CMakePresets.json); this file only names things.
#
#   make          build/slipstick
#   make demo     installs what is missing, builds, compares formulations on a slider-crank, says where the report is
#   make test     the whole suite, one ctest summary at the end
#   make lab      gives build/slipstick its laboratory, and writes lab.html: every model alive in a browser
#   make site     the documentation as a web site that works from disk, with a report of every model: build/site/index.html
#   make dist     a source tarball that builds without git;  make deb   Debian packages, looked over by lintian
#   make wasm | arm64 | static | windows   for another machine: build-wasm/slipstick.wasm, ... (docs/install.md)
#   make same-bits   the shipped models and studies on all of these that are built: one hash each
#   make release     all packages with sums and an SBOM in release/, tried as their users would;  make release-twice   the same bytes again?
#   make abi         is the binary interface of the library the recorded one?  make abi-record   records it
#   make campaigns   long random tests that stop and go on; make campaign-table prints what is on record (docs/reliability.md)
#   make benchmark   slipstick beside the physics engines that are installed, on scenes with known answers: build-benchmark/benchmark.html
#   make bench | campaign | install | format | lint | fuzz | fuzz-campaign | soak | mutants | coverage | docs | clean

SHELL  := /bin/sh
JOBS   ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PREFIX ?= /usr/local
DEMO   ?= models/flores/slider-crank.yaml
OUT    ?= out/demo
FUZZ_SECONDS ?= 600

# build_preset(directory, preset, options of the build): configures once, then ninja sees what changed.
# A plain build has no tests and so needs no test packages; the first thing that wants tests switches them on.
define build_preset
@test -f $(1)/build.ninja && grep -q 'SLIPSTICK_TESTS:BOOL=ON' $(1)/CMakeCache.txt || cmake --preset $(2) -D SLIPSTICK_TESTS=ON > /dev/null
@cmake --build $(1) --parallel $(JOBS) $(3)
endef

.PHONY: abi abi-record release-twice same-bits wasm arm64 static windows all setup release plain debug asan tsan demo test test-builds bench benchmark campaign campaign-numbers campaign-models campaigns campaign-table install format lint fuzz fuzz-campaign soak mutants coverage docs lab site dist deb clean help

all: setup
	@test -f build/build.ninja || cmake --preset release -D SLIPSTICK_TESTS=OFF > /dev/null
	@cmake --build build --parallel $(JOBS)

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@tools/setup.sh build

# Without Node there is no page to put the result into: the table is there all the same.
demo: all
	@mkdir -p $(OUT)
	@if build/slipstick --version | grep -q '^ *page *yes'; then \
	    build/slipstick compare $(DEMO) --until 0.1 --budget 300ms --report $(OUT)/report.html && \
	    printf '\nLook:   open %s/report.html in a browser: the motion, forces, energies, every formulation over the others\n' "$(abspath $(OUT))"; \
	else \
	    build/slipstick compare $(DEMO) --until 0.1 --budget 300ms && \
	    printf '\nLook:   the table above; for a page with plots and an animation install nodejs and npm, and run make demo again\n'; \
	fi
	@printf 'Next:   build/slipstick --help, and the models in models/\n'

# Every build that has tests. The suite directory holds no build of its own, only the list of them.
test-builds:
	@tools/setup.sh build test docs
	@tools/setup.sh browser site || echo 'make: no Chromium or no Pandoc; tests of pages in a browser will be skipped' >&2
	$(call build_preset,build,release)
	$(call build_preset,build-asan,asan)
	$(call build_preset,build-fuzz,fuzz)

test: test-builds
	@mkdir -p build-suite
	@printf 'subdirs("%s")\n' "$(CURDIR)/build" "$(CURDIR)/build-asan" "$(CURDIR)/build-fuzz" > build-suite/CTestTestfile.cmake
	@ctest --test-dir build-suite --output-on-failure --parallel $(JOBS)

# without any optional part: what they would add is refused in words, and everything else works
plain:
	@tools/setup.sh build test
	@cmake --preset plain -D SLIPSTICK_TESTS=ON > /dev/null
	@cmake --build build-plain --parallel $(JOBS) --target slipstick_cli
	@if [ -x build/slipstick ]; then test/cli/plain.sh build-plain/slipstick build/slipstick; else test/cli/plain.sh build-plain/slipstick; fi

# make tsan TESTS='sweep|ensemble|thread_pool|many_body.parallel' for some of the tests alone
debug asan tsan:
	@tools/setup.sh build test
	$(call build_preset,build-$@,$@)
	@ctest --preset $@ --parallel $(JOBS) $(if $(TESTS),-R '$(TESTS)')

bench:
	@tools/setup.sh build
	@test -f build-bench/build.ninja || cmake --preset release -B build-bench -D SLIPSTICK_BENCH=ON -D SLIPSTICK_TESTS=OFF > /dev/null
	@cmake --build build-bench --parallel $(JOBS)
	@tools/bench.sh build-bench

# Engines are not installed by this: tools/setup.sh benchmark does that. One that is missing is a grey column.
benchmark:
	@tools/setup.sh build
	@cmake --preset release -B build-benchmark -D SLIPSTICK_ENGINES=ON -D SLIPSTICK_TESTS=OFF > /dev/null
	@cmake --build build-benchmark --parallel $(JOBS)
	@node tools/benchmark/benchmark.mjs build-benchmark $(BENCHMARK)

# random solver problems and elementary functions judged in exact arithmetic, random impacts for their energy: make campaign-numbers CAMPAIGN=1000000 SEED=7
CAMPAIGN ?= 1000000
SEED ?= 1
campaign: campaign-numbers campaign-models
campaign-numbers:
	@tools/setup.sh build test
	$(call build_preset,build,release)
	@build/test/solver/solver_campaign $(CAMPAIGN) $(SEED)
	@build/test/base/test_base.elementary $(CAMPAIGN)
	@build/test/impact/test_impact.energy $(CAMPAIGN)

# random models under formulations that are independent of each other; Ctrl-C stops it, and it goes on where it was
MODELS ?= 100000
campaign-models:
	@tools/setup.sh build test
	$(call build_preset,build,release)
	@build/test/campaign/model_campaign build/campaign $(MODELS) $(SEED)

# formulas, caches, failing allocations, time limits, kills, Python: make campaigns CAMPAIGNS="formulas kills" for some of them
campaigns:
	@tools/setup.sh build test
	$(call build_preset,build,release)
	$(call build_preset,build-asan,asan)
	@tools/campaigns.sh build $(CAMPAIGNS)

campaign-table:
	@tools/campaigns.sh --table build build-fuzz

install: all
	@cmake --install build --prefix $(PREFIX)

format:
	@tools/setup.sh lint
	@git ls-files '*.c' '*.h' | xargs clang-format -i

# on a debug build, since the analyser needs the assertions, and by clang, whose options clang-tidy understands
lint:
	@tools/setup.sh build test lint
	@test -f build-lint/build.ninja || cmake --preset debug -B build-lint -D CMAKE_C_COMPILER=clang > /dev/null
	@tools/lint.sh build-lint

fuzz:
	@tools/setup.sh build test
	$(call build_preset,build-fuzz,fuzz)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh build-fuzz

# all fuzz programs until they have made so many executions together; Ctrl-C stops it, and it goes on where it was
FUZZ_EXECUTIONS ?= 100000000
fuzz-campaign:
	@tools/setup.sh build test
	$(call build_preset,build-fuzz,fuzz)
	@tools/fuzz_campaign.sh build-fuzz $(FUZZ_EXECUTIONS)

# kill -9, full disks, limits, closed pipes: what is left behind
KILLS ?= 500
soak: all
	@tools/soak.sh build/slipstick $(KILLS)

# do the tests notice? make mutants TEST=base.decimal FILES=src/base/decimal.c COUNT=100 SEED=7
COUNT ?= 25
mutants:
	@tools/setup.sh build test
	@tools/mutants.sh $(TEST) $(COUNT) $(SEED) $(FILES)

coverage:
	@tools/setup.sh build test coverage
	$(call build_preset,build-coverage,coverage)
	@find build-coverage -name '*.gcda' -delete
	@ctest --preset coverage --parallel $(JOBS)
	@tools/coverage.sh build-coverage

docs:
	@tools/setup.sh docs
	@$(MAKE) --no-print-directory all
	@tools/docs.sh build

# the library as WebAssembly, and the page around it
lab:
	@tools/setup.sh build wasm
	@$(MAKE) --no-print-directory all
	@tools/lab.sh build
	@build/slipstick lab --shipped -o lab.html

site:
	@tools/setup.sh build site
	@$(MAKE) --no-print-directory all
	@node tools/site/site.mjs --program build/slipstick --out build/site

dist:
	@tools/dist.sh build

deb:
	@tools/setup.sh build package
	@tools/deb.sh build/deb

# everything people can take, of the last commit
RELEASE ?= release
release: all
	@tools/setup.sh build test package wasm arm64 static windows
	@JOBS=$(JOBS) tools/release/release.sh $(RELEASE)
	@tools/release/try.sh $(RELEASE) build/slipstick

# built once more, in another folder: the same bytes
release-twice:
	@mkdir -p build-release/second
	@JOBS=$(JOBS) tools/release/release.sh build-release/again build-release/second
	@diff $(RELEASE)/SHA256SUMS build-release/again/SHA256SUMS && echo 'release: the same bytes'

abi:
	@tools/setup.sh build package
	@tools/abi/abi.sh strict

abi-record:
	@tools/setup.sh build package
	@tools/abi/abi.sh record

# For other machines, with Debian's cross compilers: tools/cross/build.sh says what each is.
wasm arm64 static windows:
	@tools/setup.sh build $@
	@JOBS=$(JOBS) tools/cross/build.sh $@

# all shipped models and some studies on every target that is built, compared with the native program hash by hash
same-bits: all
	@tools/cross/same_bits.sh

clean:
	@rm -rf build build-plain build-debug build-asan build-tsan build-coverage build-fuzz build-bench build-wasm build-arm64 build-static build-windows build-sources build-lint build-suite build-engine build-wheel build-release build-benchmark release out
