# SPDX-License-Identifier: Apache-2.0
"""Which device there is, and waiting for it."""

from dataclasses import dataclass

import torch

from .. import _C
from .._faults import KernelFault


def index_of(device):
    """The number of a device given as None (the current one), number, string or torch.device; raises for another."""
    if device is None:
        return _C.current_device()
    if isinstance(device, int):
        index = _C.current_device() if device == -1 else device
    else:
        device = torch.device(device)
        if device.type != "npu":
            raise ValueError(f"expected a device npu, found {device}")
        index = _C.current_device() if device.index is None else device.index
    _C.check_device(index)
    return index


def synchronize(device=None):
    """Raises KernelFault with the reports of faults that no call has raised; everything submitted has run."""
    index_of(device)
    _C.check_wait_device()
    collect_faults()


def collect_faults():
    faults = _C.collect_faults()
    if faults:
        raise KernelFault(faults)


def is_available():
    return True


def init():
    """Nothing is left to do."""


def is_initialized():
    return True


def device_count():
    """1, or SFUMATO_DEVICES: so many names of one device."""
    return _C.device_count()


def current_device():
    return _C.current_device()


def set_device(device):
    _C.set_device(index_of(device))


class device:
    """Makes a device current for a with block; None changes nothing."""

    def __init__(self, device):
        self.index = -1 if device is None else index_of(device)

    def __enter__(self):
        self.before = _C.current_device()
        if self.index >= 0:
            _C.set_device(self.index)
        return self

    def __exit__(self, *_):
        _C.set_device(self.before)


class device_of(device):
    """The device of a tensor; one of the CPU changes nothing."""

    def __init__(self, tensor):
        super().__init__(tensor.device if tensor.device.type == "npu" else None)


@dataclass(frozen=True)
class DeviceProperties:
    """total_memory: bytes of this machine. L2_cache_size: 0, not known of the chips."""

    name: str
    total_memory: int
    cube_core_num: int
    vector_core_num: int
    L2_cache_size: int = 0

    @property
    def multi_processor_count(self):
        return self.cube_core_num


def get_device_properties(device=None):
    index_of(device)
    cube, vector = _C.cores()
    return DeviceProperties(_C.soc_name(), _C.memory()[1], cube, vector)


def get_device_name(device=None):
    """The product, e.g. "Ascend910B1": of SFUMATO_CHIP, else Ascend910B1."""
    index_of(device)
    return _C.soc_name()


# Programs ask which generation they run on by these numbers. A range has its products in the order of the names.
_VERSIONS = {
    100: ["Ascend910PremiumA", "Ascend910ProA", "Ascend910A", "Ascend910ProB", "Ascend910B"],
    200: ["Ascend310P1", "Ascend310P2", "Ascend310P3", "Ascend310P4", "Ascend310P5", "Ascend310P7"],
    220: ["Ascend910B1", "Ascend910B2", "Ascend910B2C", "Ascend910B3", "Ascend910B4", "Ascend910B4-1"],
    240: ["Ascend310B1", "Ascend310B2", "Ascend310B3", "Ascend310B4"],
    250: [f"Ascend910_{number}" for number in (9391, 9392, 9381, 9382, 9372, 9362)],
}


def get_soc_version():
    """The number of the product: 220 to 225 of Atlas A2, 250 to 255 of A3, 200 to 205 of 310P, 260 of all Ascend950;
    -1: it has none."""
    name = _C.soc_name().removesuffix("-Vector")
    if name.startswith("Ascend950"):
        return 260
    return next((first + names.index(name) for first, names in _VERSIONS.items() if name in names), -1)


def get_device_capability(device=None):
    """None, as the vendor's."""
    index_of(device)


def can_device_access_peer(device, peer):
    return index_of(device) != index_of(peer)


def get_amp_supported_dtype():
    return [torch.float16, torch.bfloat16]


def is_bf16_supported():
    return True
