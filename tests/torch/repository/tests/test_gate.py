# SPDX-License-Identifier: Apache-2.0
import pytest
import torch
from gated import gate
from torch_npu.testing.testcase import TestCase, run_tests


@pytest.mark.parametrize("shape", [(1,), (7, 5), (3, 1000)])
def test_gate(device, shape):
    x, y = torch.randn(shape), torch.randn(shape)
    assert torch.equal(gate(x.to(device), y.to(device)).cpu(), torch.where(y > 0, x, 0))


def test_sizes_that_differ(device):
    gate(torch.ones(64, device=device), torch.ones(8, device=device))


class TestGate(TestCase):
    def test_ones(self):
        x = torch.ones(33).npu()
        self.assertRtolEqual(gate(x, x).cpu(), torch.ones(33))


if __name__ == "__main__":
    run_tests()
