# Two commands do everything on a fresh machine: make demo, make test.
BUILD := build
JOBS  := $(shell nproc)

.PHONY: help setup build demo test tidy format format-check asan fuzz bench dist install clean

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make demo     set up, build, train the miniature GPT for real and judge it
demo: build
	@scripts/setup.sh run
	@scripts/demo.sh $(BUILD)

## make test     set up, build, run every test
test: build
	@scripts/setup.sh run test
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

## make build    set up, configure and compile; leaves build/accept and every test program
build:
	@scripts/setup.sh build test
	@[ -f $(BUILD)/build.ninja ] || cmake --preset dev
	@cmake --build $(BUILD) -j $(JOBS)

## make tidy     clang-tidy over every source (TIDY_BASE=REV: only what changed since REV)
tidy: build
	@scripts/setup.sh ci
	@scripts/tidy.sh $(BUILD) $(TIDY_BASE)

## make format   clang-format over every source; format-check only reports
format:
	@scripts/setup.sh ci
	@git ls-files '*.h' '*.cpp' | xargs clang-format-19 -i
format-check:
	@scripts/setup.sh ci
	@git ls-files '*.h' '*.cpp' | xargs clang-format-19 --dry-run --Werror

## make asan     the rooms that read foreign bytes under address and undefined behaviour sanitizers
asan:
	@scripts/setup.sh build test
	@scripts/asan.sh

## make fuzz     libFuzzer over the parsers (FUZZ_RUNS=1000000 inputs each)
fuzz:
	@scripts/setup.sh build test ci
	@scripts/fuzz.sh $(or $(FUZZ_RUNS),1000000)

## make bench    the figures of tests/bench/README.md
bench: build
	@tests/bench/run_all.sh $(BUILD)

## make dist     one relocatable tar.gz in dist/; make dist-test tries it in bare Debian 12 and 13
dist:
	@scripts/setup.sh build dist
	@scripts/dist.sh
dist-test: dist
	@scripts/dist_test.sh

install: build
	cmake --install $(BUILD)

clean:
	rm -rf build build-* dist
