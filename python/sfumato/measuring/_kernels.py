# SPDX-License-Identifier: Apache-2.0
"""A kernel for each call, made here: it runs one call over arrays of any length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .._kernel import compile as compile_source
from ._calls import Call

TILE = 1024  # elements of one call in a kernel; a scalar stands for a whole tile

_HEAD = """#include "kernel_operator.h"
using namespace AscendC;

template <class T, class F>
__aicore__ inline void Through(GM_ADDR first, GM_ADDR second, GM_ADDR out, uint32_t tiles, F&& call) {
    constexpr int32_t n = TILE;
    GlobalTensor<T> x, z, y;
    x.SetGlobalBuffer((__gm__ T*)first, tiles * n);
    z.SetGlobalBuffer((__gm__ T*)second, tiles * n);
    y.SetGlobalBuffer((__gm__ T*)out, tiles * n);
    TPipe pipe;
    TBuf<> buffers[3];
    for (auto& buffer : buffers) pipe.InitBuffer(buffer, n * sizeof(T));
    LocalTensor<T> src = buffers[0].Get<T>(), other = buffers[1].Get<T>(), dst = buffers[2].Get<T>();
    for (uint32_t tile = 0; tile < tiles; ++tile) {
        DataCopy(src, x[tile * n], n);
        DataCopy(other, z[tile * n], n);
        PipeBarrier<PIPE_ALL>();
        call(dst, src, other, n);
        PipeBarrier<PIPE_ALL>();
        DataCopy(y[tile * n], dst, n);
        PipeBarrier<PIPE_ALL>();
    }
}
"""

_KERNEL = """
extern "C" __global__ __aicore__ void {kernel}(GM_ADDR first, GM_ADDR second, GM_ADDR out, uint32_t tiles) {{
    using T = {type};
    Through<T>(first, second, out, tiles, [](auto& dst, auto& src, auto& other, int32_t n) {{ {code}; }});
}}
"""
_SCALAR = "const T scalar = other.GetValue(0); "


def source(calls: Iterable[tuple[Call, str]]) -> str:
    """Ascend C, with the kernel CALL_TYPE for each call and type."""
    kernels = [
        _KERNEL.format(
            kernel=f"{call.name}_{type_name}", type=type_name, code=_SCALAR * ("scalar" in call.code) + call.code
        )
        for call, type_name in calls
    ]
    return _HEAD.replace("TILE", str(TILE)) + "".join(kernels)


def compiled(calls: Iterable[tuple[Call, str]], chip: str) -> Any:
    return compile_source(source(calls), name="ulp.cpp", chip=chip)


def run(library: Any, call: Call, first: np.ndarray, second: np.ndarray, options: Mapping[str, Any]) -> tuple:
    """What the call gives for every pair of operands, [second, first], and the LaunchResult."""
    type_name = {"float16": "half", "float32": "float"}[first.dtype.name]
    row = np.resize(first, -(-first.size // TILE) * TILE)
    pairs = np.tile(row, second.size), np.repeat(second, row.size)
    out = np.empty_like(pairs[0])
    kernel = getattr(library, f"{call.name}_{type_name}").options(warn=False, **options)
    launched = kernel[1](*pairs, out, np.uint32(out.size // TILE))
    return out.reshape(second.size, row.size)[:, : first.size], launched
