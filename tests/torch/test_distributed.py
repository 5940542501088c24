# SPDX-License-Identifier: Apache-2.0
"""torch.distributed: hccl is refused at once, the others are as PyTorch has them."""

import pytest
import torch
import torch_npu  # noqa: F401


@pytest.mark.parametrize("backend", ["hccl", "cpu:gloo,npu:hccl"])
def test_hccl_is_of_the_next_version(backend):
    with pytest.raises(RuntimeError, match='"hccl" is not in this version of Sfumato: it comes with the next'):
        torch.distributed.init_process_group(backend)


def test_gloo_is_there(tmp_path):
    torch.distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        total = torch.ones(3)
        torch.distributed.all_reduce(total)
        assert total.tolist() == [1, 1, 1]
    finally:
        torch.distributed.destroy_process_group()
