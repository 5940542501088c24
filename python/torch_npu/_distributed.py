# SPDX-License-Identifier: Apache-2.0
"""torch.distributed with the backend hccl, which is refused with what there is instead."""

import functools

import torch

_REFUSED = (
    'torch.distributed with the backend "hccl" is not in this version of Sfumato: it comes with the next, which runs '
    "one process a rank. Until then all ranks live in one process: sfumato.ranks(8) in Python, or the HCCL calls of C "
    "from a thread for each device (docs/ranks.md); the backend gloo works on CPU tensors."
)


def install() -> None:
    """init_process_group refuses hccl before it waits for other processes."""
    if not torch.distributed.is_available():
        return
    from torch.distributed import distributed_c10d

    made = distributed_c10d.init_process_group

    @functools.wraps(made)
    def init_process_group(backend=None, *arguments, **words):
        if "hccl" in str(backend or "").lower():
            raise RuntimeError(_REFUSED)
        return made(backend, *arguments, **words)

    torch.distributed.init_process_group = distributed_c10d.init_process_group = init_process_group
