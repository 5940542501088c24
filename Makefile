# SPDX-License-Identifier: Apache-2.0
# `make demo` and `make check` do everything on a fresh Debian 12 as root, installs included. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
.PHONY: help deps wheel wheels release demo quick check check-all asan tsan odr exhaustive races-exhaustive control-random matmul-random operators judge-hostile judge-ends compilers arm64 arm64-sysroot ray-check torch-check bench docs format clean

JOBS ?= $(shell nproc)
# Found after `deps` ran, hence in the recipe and not here.
CONFIGURE = $$(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache) \
            -DPython_EXECUTABLE=$(CURDIR)/.venv/bin/python
# One compiler cache for every clone: paths inside the clone count as relative.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

help: ## this list
	@sed -nE 's/^([a-z0-9 -]+):.*## (.*)/\1\t\2/p' Makefile | column -t -s $$'\t' 2>/dev/null || grep -E '^[a-z0-9 -]+:.*## ' Makefile

deps: ## installs the packages of Debian and PyPI that are missing; elsewhere says which
	@tools/setup/deps.sh

build/%/build.ninja: CMakePresets.json requirements.txt | deps
	cmake --preset $* $(CONFIGURE)

wheel: deps ## the wheel of .venv's Python with every library linked in, and the source distribution, in build/dist
	@tools/setup/wheel.sh

wheels: build/release/build.ninja ## the wheels that are released, for x86-64 and aarch64, tried in bare folders of Debian 11 to 13 and Ubuntu 22.04 (6 GB, as root): 2 hours
	@tools/setup/wheels.sh build/wheels

release: wheels ## all files of a release, with a report, in build/release-files/files; publishes nothing
	@build/wheels/venv/bin/python -m pip install -q 'cyclonedx-python-lib>=11.12,<12'
	@build/wheels/venv/bin/python tools/setup/release.py build/release-files build/wheels

demo: build/release/build.ninja ## the Cast kernel from source to a checked result, then a wrong kernel and its report
	cmake --build build/release -j $(JOBS) --target sfumato sfumato_command
	.venv/bin/python examples/demo.py --sfumato build/release/tools/sfumato/sfumato

quick: | deps ## the layers' tests, one SIMD target: 5 minutes, 12 the first time
	@.venv/bin/python tools/setup/check.py quick -j $(JOBS)

check: | deps ## every test once, and a third of those under the sanitizers: 20 minutes, 40 the first time
	@.venv/bin/python tools/setup/check.py check -j $(JOBS)

check-all: | deps ## every test, all under the sanitizers, one definition of every name: 90 minutes the first time
	@.venv/bin/python tools/setup/check.py check-all -j $(JOBS)

asan tsan: | deps ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer; under ThreadSanitizer
	@.venv/bin/python tools/setup/check.py $@ -j $(JOBS)

odr: build/lto/build.ninja ## what two files define differently under one name: types, then bodies of inline functions
	.venv/bin/python tools/odr.py build/lto $(JOBS)

exhaustive: build/release/build.ninja ## all 2^32 inputs of the 32-bit conversions (under an hour on two cores), and of the functions
	cmake --build build/release -j $(JOBS) --target exhaustive

races-exhaustive: build/release/build.ninja ## 10^8 random records through the race checks and a slow reference: minutes
	cmake --build build/release -j $(JOBS) --target races-exhaustive

control-random: build/release/build.ninja ## 1,000 launches under random Ctrl-C, timeouts, crashes and forks: minutes
	cmake --build build/release -j $(JOBS) --target control-random

matmul-random: build/release/build.ninja ## 300 random products of Matmul under every schedule: seconds
	cmake --build build/release -j $(JOBS) --target matmul-random

operators: build/release/build.ninja ## the operator projects of tests/op/projects against NumPy: minutes
	cmake --build build/release -j $(JOBS) --target operators

judge-hostile: build/release/build.ninja ## 10,000 hostile or broken jobs against the workers of sfumato.judge (root): minutes
	cmake --build build/release -j $(JOBS) --target judge-hostile

judge-ends: build/release/build.ninja ## every way a submission ends, in a full and a partial sandbox and without: minutes
	cmake --build build/release -j $(JOBS) --target judge-ends

bench: build/release/build.ninja ## benchmarks against native twins
	cmake --build build/release -j $(JOBS)
	build/release/bench/sfumato_bench
	.venv/bin/python bench/command.py --sfumato build/release/tools/sfumato/sfumato
	PYTHONPATH=build/release/python .venv/bin/python bench/tik.py
	PYTHONPATH=build/release/python .venv/bin/python bench/rows.py
	PYTHONPATH=build/release/python .venv/bin/python bench/calls.py
	.venv/bin/python bench/checks.py --sfumato build/release/tools/sfumato/sfumato

compilers: build/release/build.ninja ## the public headers, the examples and a kernel with g++ 9 and 10 of Debian 11, and every other old compiler that is there: minutes
	tools/setup/compilers.sh build/compilers
	cmake --build build/release -j $(JOBS) --target sfumato_command
	SFUMATO_COMPILERS=all .venv/bin/python tests/project/compilers_test.py

arm64: build/release/build.ninja build/arm64/build.ninja ## cross-compiles for arm64 and runs the tests of the layers, the front ends and conformance under qemu
	cmake --build build/release -j $(JOBS) --target sfumato-tablegen
	cmake --build build/arm64 -j $(JOBS)
	ctest --test-dir build/arm64 --output-on-failure -j $(JOBS)

build/arm64/build.ninja: | arm64-sysroot
arm64-sysroot: | deps
	@tools/setup/sysroot.sh build/sysroot/aarch64/current aarch64

torch-check: build/release/build.ninja ## torch_npu and extensions, with PyTorch of Debian 13 and of PyPI (11 GB, as root; not in check)
	cmake --build build/release -j $(JOBS) --target sfumato sfumato_command sfumato_python sfumato_cmake_chips sfumato_pages sfumato_vendor
	cmake --install build/release --prefix build/torch/prefix >/dev/null
	SFUMATO_PYTHON=$(CURDIR)/build/release/python tools/setup/torch.sh build/torch
	build/torch/pypi/bin/python tests/installed.py build/release -- python -m pytest -q -p no:cacheprovider tests/reference/torch_test.py

ray-check: build/release/build.ninja build/ray/installed ## sweeps on a Ray cluster of local processes, one killed half-way (400 MB of PyPI; not in check)
	cmake --build build/release -j $(JOBS) --target sfumato sfumato_command sfumato_python
	PYTHONPATH=$(CURDIR)/build/release/python build/ray/bin/python -m pytest -q -p no:cacheprovider tests/sweeping/ray_check.py

build/ray/installed: pyproject.toml | deps
	.venv/bin/python -m venv build/ray
	build/ray/bin/python -m pip install --quiet --disable-pip-version-check "ray>=2.40,<3" "numpy>=1.25,<3" "ml_dtypes>=0.4,<1" "pytest>=8,<10"
	@touch $@

docs: build/release/build.ninja .venv/docs.installed ## the documentation as a site in build/docs/site: warnings are errors, links are checked
	cmake --build build/release -j $(JOBS) --target sfumato_pages
	.venv/bin/python tools/docs/build.py

.venv/docs.installed: tools/docs/requirements.txt | deps
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

format: | deps ## clang-format and ruff over the sources
	git ls-files -z '*.h' '*.cpp' | xargs -0 clang-format -i
	.venv/bin/python -m ruff check --fix --quiet .
	.venv/bin/python -m ruff format --quiet .

clean: ## removes what was built; .venv stays
	rm -rf build
