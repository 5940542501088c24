# SPDX-License-Identifier: Apache-2.0
"""Constants that programs use as the toolkit's and define themselves: there for a source without one, and never in the way."""

import numpy as np
import pytest
import sfumato

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
{own}
extern "C" __global__ __aicore__ void sizes(GM_ADDR x) {{
    auto* words = (__gm__ int32_t*)x;
    words[0] = CACHE_LINE_SIZE, words[1] = ONE_BLOCK_SIZE, words[2] = VECTOR_REG_WIDTH, words[3] = TOTAL_VEC_LOCAL_SIZE;
    words[4] = ASC_UB_SIZE, words[5] = AscendC::ASC_L1_SIZE, words[6] = ASC_BT_SIZE;
}}
"""
MEMORIES = {
    "Ascend910B1": [188416, 196352, 524032, 1024],
    "Ascend310P3": [253952, 262144, 1048576, 0],
    "Ascend310B1": [253952, 253952, 1048576, 1024],
}


@pytest.mark.parametrize("chip", MEMORIES)
@pytest.mark.parametrize("own", ["", "constexpr uint32_t CACHE_LINE_SIZE = 512;", "#define ONE_BLOCK_SIZE 8"])
def test_constants(own, chip, tmp_path):
    source = tmp_path / "k.cpp"
    source.write_text(KERNEL.format(own=own))
    words = np.zeros(8, np.int32)
    sfumato.compile(source, chip=chip).sizes[1](words)
    line, block = 512 if "LINE" in own else 64, 8 if "BLOCK" in own else 32
    assert words.tolist() == [line, block, 256, *MEMORIES[chip], 0]
