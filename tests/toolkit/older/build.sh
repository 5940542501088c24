#!/bin/bash
# Configures by the preset, and makes the package: with kernels first where the target for them is there.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
rm -rf build_out
cmake --preset=default || exit 1
cmake --build build_out --target binary || { echo "[ERROR] no kernels, no package"; exit 1; }
cmake --build build_out --target package
