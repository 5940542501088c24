# SPDX-License-Identifier: Apache-2.0
"""Runs quantize.cpp over 8 blocks and compares it with what sfumato.cast says."""

from pathlib import Path

import numpy as np

import sfumato

CHIP = "Ascend910B1"
BLOCKS, PER_BLOCK = 8, 4000

x = np.linspace(-200, 200, BLOCKS * PER_BLOCK, dtype=np.float32)
y = np.zeros(x.shape, np.int8)

lib = sfumato.compile(Path(__file__).with_name("quantize.cpp"), chip=CHIP)
lib.quantize[BLOCKS](x, y, PER_BLOCK)

half = sfumato.cast(x, "float16", round_mode="CAST_NONE", chip=CHIP)
expected = sfumato.cast(half, "int8", round_mode="CAST_ROUND", chip=CHIP)
print(f"{np.count_nonzero(y == expected)} of {y.size} values as sfumato.cast has them; {y[:3]} ... {y[-3:]}")
