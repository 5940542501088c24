# SPDX-License-Identifier: Apache-2.0
"""The general form of TIK's vector instructions (page 003): every call of it on every chip and type that has it.

All of UB is compared with NumPy: what the calls write, and that they write nothing else.
"""

import numpy as np
import pytest
from tik_batch import Batch
from tik_plans import VARIANTS, Plan, parameters
from tik_table import CHIPS, PLANS, triples

# Calls times types, by chip.
COUNTS = {
    "Ascend310": 142,
    "Ascend910": 173,
    "Ascend310P": 238,
    "Ascend310P-Vector": 256,
    "Ascend910B": 247,
    "Ascend310B": 315,
}
RUNS = [(family, "saturate") for family in CHIPS] + [("Ascend910B", "infnan")]


@pytest.mark.parametrize("family, overflow", RUNS)
def test_every_call(family, overflow):
    here = [(call, dtype) for chip, call, dtype in triples() if chip == family]
    done, batch = {variant: set() for variant in VARIANTS}, Batch(CHIPS[family], seed=list(CHIPS).index(family))
    with np.errstate(all="ignore"):
        for call, dtype in here:
            for variant in VARIANTS:
                if PLANS[call](Plan(batch, CHIPS[family], call, dtype, variant, overflow == "infnan")):
                    done[variant].add((call, dtype))
    batch.run(overflow=overflow)
    assert len(here) == COUNTS[family] and done["plain"] == set(here)
    assert done["counter"] == {(call, dtype) for call, dtype in here if "mask_mode" in parameters(call)}
    assert {call for call, _ in done["late"]} == {call for call, _ in here} - {"vtranspose"}


def test_every_byte_is_compared():
    batch = Batch("Ascend910B1", seed=1)
    assert PLANS["vadd"](Plan(batch, "Ascend910B1", "vadd", "int16", "plain", False))
    batch.image.after[-1] ^= 1
    with pytest.raises(AssertionError, match="1 cases differ\\n.* vadd int16 plain .* byte .* is"):
        batch.run()
