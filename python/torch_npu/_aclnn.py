# SPDX-License-Identifier: Apache-2.0
"""Calls aclnn functions with tensors of PyTorch, by their two phases, as extensions of programs do."""

import ctypes
import os
from functools import cache
from pathlib import Path

import torch

from . import _build, _C

# The numbers of aclDataType.
TYPES = {
    torch.float32: 0, torch.float16: 1, torch.int8: 2, torch.int32: 3, torch.uint8: 4, torch.int16: 6, torch.int64: 9,
    torch.float64: 11, torch.bool: 12, torch.bfloat16: 27,
}  # fmt: skip
_SCALARS = {
    bool: (ctypes.c_bool, torch.bool),
    int: (ctypes.c_int64, torch.int64),
    float: (ctypes.c_double, torch.float64),
}


class Scalar:
    """A number that the function takes as an aclScalar."""

    def __init__(self, value):
        self.value = value


def _packages():
    """Libraries of operators of the user's own, whose functions win: ASCEND_CUSTOM_OPP_PATH, then by load_priority."""
    folders = [Path(folder) for folder in os.environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(":") if folder]
    vendors = Path(os.environ.get("ASCEND_OPP_PATH", "")) / "vendors"
    if "ASCEND_OPP_PATH" in os.environ and (vendors / "config.ini").is_file():
        for line in (vendors / "config.ini").read_text().splitlines():
            if line.startswith("load_priority="):
                folders += [vendors / name for name in line.partition("=")[2].split(",") if name]
    return [path for folder in folders if (path := folder / "op_api/lib/libcust_opapi.so").is_file()]


@cache
def _libraries(packages):
    return [ctypes.CDLL(str(path)) for path in (*packages, _build.toolkit_folder() / "lib64/libopapi.so")]


def _longs(values):
    return (ctypes.c_int64 * len(values))(*values)


class _Objects:
    """The acl objects of one call, which are destroyed behind it. library: whose they are."""

    def __init__(self, library):
        self._library, self._made = library, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for kind, handle in reversed(self._made):
            getattr(self._library, f"aclDestroy{kind}")(ctypes.c_void_p(handle))

    def _create(self, kind, *words):
        function = getattr(self._library, f"aclCreate{kind}")
        function.restype = ctypes.c_void_p
        handle = function(*words)
        if not handle:
            raise RuntimeError(_said(self._library))
        return handle

    def _keep(self, kind, *words):
        handle = self._create(kind, *words)
        self._made.append((kind, handle))
        return ctypes.c_void_p(handle)

    def _tensor(self, t):
        if t.dtype not in TYPES:
            raise TypeError(f"a tensor of {t.dtype}; legal are {', '.join(str(dtype) for dtype in TYPES)}")
        storage = t.untyped_storage()
        data, stored = ctypes.c_void_p(storage.data_ptr()), _longs([storage.nbytes() // t.element_size()])
        return (
            _longs(t.shape), ctypes.c_uint64(t.dim()), TYPES[t.dtype], _longs(t.stride()),
            ctypes.c_int64(t.storage_offset()), torch.ops.npu.get_npu_format(t), stored, ctypes.c_uint64(1), data,
        )  # fmt: skip

    def word(self, value):
        """A value as C has it."""
        if value is None:
            return ctypes.c_void_p()
        if isinstance(value, torch.Tensor):
            return self._keep("Tensor", *self._tensor(value))
        if isinstance(value, Scalar):
            c_type, dtype = _SCALARS[type(value.value)]
            number = c_type(value.value)
            return self._keep("Scalar", ctypes.byref(number), TYPES[dtype])
        if isinstance(value, (list, tuple)):
            if value and isinstance(value[0], torch.Tensor):
                # The list owns its tensors.
                handles = (ctypes.c_void_p * len(value))(*[self._create("Tensor", *self._tensor(t)) for t in value])
                return self._keep("TensorList", handles, ctypes.c_uint64(len(value)))
            return self._keep("IntArray", _longs(value), ctypes.c_uint64(len(value)))
        if isinstance(value, str):
            return ctypes.c_char_p(value.encode())
        if isinstance(value, torch.dtype):
            return ctypes.c_int64(TYPES[value])
        return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)


def _said(library):
    """The report of the last call that failed; empty where the library has none."""
    if not hasattr(library, "aclGetRecentErrMsg"):
        return ""
    library.aclGetRecentErrMsg.restype = ctypes.c_char_p
    return (library.aclGetRecentErrMsg() or b"").decode()


def _address(library, name):
    """Of a function, which may be one of the libraries that it needs; None where it has none."""
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value if hasattr(library, name) else None


def call(name, values):
    """Both phases of an aclnn function on the current stream.

    values: the parameters of the first phase in order: tensors, lists, Scalar, numbers, texts, dtypes, or None.
    Raises RuntimeError with the report of a phase that refuses.
    """
    *packages, opapi = _libraries(tuple(_packages()))
    library = next((one for one in packages if _address(one, name) not in (None, _address(opapi, name))), opapi)
    with _Objects(library) as objects:
        words = [objects.word(value) for value in values]
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        code = getattr(library, f"{name}GetWorkspaceSize")(*words, ctypes.byref(size), ctypes.byref(executor))
        if code == 0:
            device = torch.device("npu", _C.current_device())
            # Its memory outlives it until the block is handed out again, which is behind the second phase.
            workspace = torch.empty(size.value, dtype=torch.uint8, device=device)
            place = ctypes.c_void_p(workspace.data_ptr() if size.value else None)
            stream = ctypes.c_void_p(_C.current_stream(device.index))
            code = getattr(library, name)(place, size, executor, stream)
        if code != 0:
            raise RuntimeError(_said(library) or f"{name} returned {code}")
