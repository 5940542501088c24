# SPDX-License-Identifier: Apache-2.0
"""Comparing tensors, and golden files of PyTorch; the rules that speak of PyTorch against PyTorch itself."""

import numpy as np
import pytest
import torch

sfumato = pytest.importorskip("sfumato", exc_type=ImportError)  # the native module of this Python
golden = sfumato.golden

DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


@pytest.mark.parametrize("dtype", [*DTYPES, torch.int32, torch.bool, torch.float8_e4m3fn])
def test_tensors_are_compared(dtype):
    want = torch.arange(-8, 8).to(dtype)
    got = want.clone()
    assert sfumato.compare(got, want, "exact")
    got[3:4] = torch.zeros(1).to(dtype)
    result = sfumato.compare(
        got.requires_grad_() if dtype.is_floating_point and dtype.itemsize > 1 else got, want, "exact"
    )
    assert (result.mismatches, result.first.index) == (1, (3,))


@pytest.mark.parametrize("dtype", DTYPES)
def test_rules_are_those_of_torch(dtype):
    generator = torch.Generator().manual_seed(0)
    want = torch.randn(4000, generator=generator).to(dtype)
    error = 10.0 ** torch.randint(-7, 0, (4000,), generator=generator)
    got = (want.double() * (1 + error * torch.randn(4000, generator=generator))).to(dtype)
    tolerance = 1e-2 if dtype in (torch.float16, torch.bfloat16) else 1e-4
    for rule, bound in (("mkb", 1e-4), ("kernelbench", tolerance)):
        close = torch.isclose(got, want, rtol=bound, atol=bound)
        assert sfumato.compare(got, want, rule).mismatches == int((~close).sum())
    with pytest.raises(
        AssertionError, match=rf"Mismatched elements: {sfumato.compare(got, want, 'close').mismatches} /"
    ):
        torch.testing.assert_close(got, want)


def test_golden_files(tmp_path):
    torch.save({"x": torch.arange(4, dtype=torch.bfloat16)}, tmp_path / "a.pt")
    assert golden.read(tmp_path / "a.pt")["x"].dtype.name == "bfloat16"
    golden.write(tmp_path / "b.pt", np.arange(4, dtype=np.float32))
    assert sfumato.compare(golden.read(tmp_path / "b.pt"), torch.arange(4.0), "exact")
