# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries as NumPy arrays of the same memory, and results of the same kind as what was given."""

from typing import Any

import ml_dtypes
import numpy as np

from ._native import Error


def is_torch(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "data_ptr")


def is_foreign(value: Any) -> bool:
    """An array, but none of NumPy's."""
    return not isinstance(value, (np.ndarray, np.generic)) and (is_torch(value) or hasattr(value, "__dlpack__"))


def as_numpy(value: Any, what: str) -> np.ndarray:
    """A NumPy array of the memory of a torch tensor or of anything with DLPack, on the CPU. Raises Error that begins with `what`."""
    if is_torch(value):
        return of_torch(value, what)
    try:
        return np.from_dlpack(value)
    except (BufferError, TypeError, RuntimeError, ValueError) as error:
        raise Error(f"{what}: DLPack gives no array on the CPU: {error}") from None


def plain(array: np.ndarray, what: str) -> np.ndarray:
    """The same memory as an array of NumPy's own class: that of a matrix or of records. Refuses a mask, which memory cannot hold."""
    if type(array) is np.ndarray:
        return array
    if isinstance(array, np.ma.MaskedArray):
        raise Error(
            f"{what}: a masked array, {np.ma.count_masked(array)} of its {array.size} elements masked; memory holds no mask: "
            "pass array.filled(value), or array.data for what lies below the mask"
        )
    return np.asarray(array)


def owner_of(array: np.ndarray) -> tuple[int, int]:
    """Address and bytes of the memory that the array is a part of: of NumPy's base, of a tensor's storage."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    if is_torch(array.base):
        storage = array.base.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    return array.__array_interface__["data"][0], array.nbytes


def as_kind_of(array: np.ndarray, given: Any) -> Any:
    """The array as the library of `given` has it, sharing its memory: a tensor for a tensor; NumPy's where it has no way."""
    if is_torch(given):
        return to_torch(array)
    space = getattr(given, "__array_namespace__", None)
    if not is_foreign(given) or space is None:
        return array
    try:
        return space().from_dlpack(array)
    except (AttributeError, BufferError, TypeError, RuntimeError, ValueError):
        return array


def to_torch(array: np.ndarray) -> Any:
    """A tensor of the array's memory; types NumPy lacks go by their bits."""
    import torch

    if array.dtype.type.__module__.startswith("ml_dtypes"):
        word = {1: np.uint8, 2: np.int16}[array.dtype.itemsize]
        return torch.from_numpy(array.view(word)).view(getattr(torch, array.dtype.name))
    return torch.from_numpy(array)


def of_torch(tensor, what):
    import torch

    tensor = tensor.detach()
    if tensor.device.type != "cpu":
        raise Error(f"{what}: the tensor is on the device {str(tensor.device)!r}; pass tensor.cpu()")
    name = str(tensor.dtype).removeprefix("torch.")
    if hasattr(ml_dtypes, name):
        word = {1: torch.uint8, 2: torch.int16}[tensor.element_size()]
        return tensor.view(word).numpy().view(getattr(ml_dtypes, name))
    try:
        return tensor.numpy()
    except TypeError as error:
        raise Error(f"{what}: {error}") from None
