# SPDX-License-Identifier: Apache-2.0
"""Compiled sources and their kernels: lib.kernel[blocks].options(...)(arguments...)."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _native
from ._errors import KernelError
from ._native import Error, LaunchResult
from ._types import dtype_of, flat_bytes, pack_int4, require_type, unpack_int4

_DEFAULTS = {
    "schedule": "eager",
    "overflow": "saturate",
    "auto_sync": True,
    "strict": False,
    "collect": False,
    "core": "default",
    "cast_round": "page",
    "mmad_order": "sequential",
    "tiling_key": 0,
    "fill": 0xFE,
    "log": None,
    "log_order": "issued",
    "print": None,
}


def compile(
    source: str | os.PathLike,
    *,
    chip: str | None = None,
    defines: Mapping[str, Any] | None = None,
    include_dirs: Iterable[str | os.PathLike] = (),
    flags: Iterable[str] = (),
    instantiations: Iterable[str] = (),
) -> Library:
    """Compiles an Ascend C source with the system's C++ compiler (or takes it from the cache) for one chip.

    source          path of the file, as reports shall show it
    chip            family or product, e.g. "Ascend910B1"; without it the error lists them
    defines         {"NAME": value}; None as a value is a plain -DNAME
    include_dirs    further include folders
    flags           further compiler flags
    instantiations  template kernels to make available, e.g. ["scale<half, 8>"]
    """
    words = [(name, "1" if value is None else str(value)) for name, value in (defines or {}).items()]
    kernels = _native.compile(
        os.fspath(source),
        chip or "",
        words,
        [os.fspath(path) for path in include_dirs],
        [str(flag) for flag in flags],
        [str(name) for name in instantiations],
    )
    return Library(kernels)


class Library:
    """The kernels of one source: lib.name, or lib["ns::name"] where the name is no Python name."""

    def __init__(self, kernels):
        self._kernels = kernels
        self._made = {}

    @property
    def chip(self) -> str:
        return self._kernels.chip

    @property
    def kernels(self) -> list[str]:
        return self._kernels.names

    @property
    def warnings(self) -> list[str]:
        """What the compiler and the cache said."""
        return self._kernels.warnings

    @property
    def from_cache(self) -> bool:
        """True when no compiler had to run."""
        return self._kernels.from_cache

    def __getitem__(self, name: str) -> Kernel:
        name = self._kernels.find(name)
        return self._made.setdefault(name, Kernel(self._kernels, name))

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except Error as error:
            raise AttributeError(str(error)) from None

    def __dir__(self):
        return [*super().__dir__(), *self._kernels.names]

    def __repr__(self):
        return f"<sfumato.Library for {self.chip}: {', '.join(self.kernels)}>"


class Kernel:
    """One kernel; kernel[blocks] is ready to launch. `last` is the result of the latest launch."""

    def __init__(self, kernels, name):
        self._kernels = kernels
        self.name: str = name
        self.last: LaunchResult | None = None

    @property
    def signature(self) -> str:
        return self._kernels.signature(self.name)

    def __getitem__(self, blocks: int) -> Launcher:
        if isinstance(blocks, bool) or not isinstance(blocks, (int, np.integer)) or not 1 <= blocks <= 0xFFFFFFFF:
            raise Error(f"{self.name}[{blocks!r}]: the number of blocks must be an int of at least 1")
        return Launcher(self, int(blocks))

    def __call__(self, *arguments):
        raise Error(f"{self.name}: say how many blocks: {self.name}[8](...)")

    def __repr__(self):
        return f"<sfumato.Kernel {self.signature} for {self._kernels.chip}>"


class Launcher:
    """A kernel with its number of blocks and its options."""

    def __init__(self, kernel, blocks):
        self._kernel = kernel
        self._blocks = blocks
        self._options = dict(_DEFAULTS)

    def options(self, **options: Any) -> Launcher:
        """A launcher with some options changed.

        schedule    "eager" (program order), "late", "ahead" or "seed:N": any legal order must give the same bytes
        overflow    "saturate", "infnan" or "board": what float16 and bfloat16 results do beyond their range
        auto_sync   False: only the synchronisation written in the kernel
        strict      True: warnings are faults
        collect     True: refused instructions are skipped and all faults collected; the launch still raises
        core        "aiv", "aic" or "mix" (one aic with two aiv) on chips with separate cores, for a kernel that declares
                    no type; "default": those its code needs
        cast_round  "page" or "ties": CAST_ROUND on Ascend910
        mmad_order  "sequential" or "k0-block": how Mmad adds real products along k
        tiling_key  what TILING_KEY_IS compares with
        fill        the byte that fills memory nobody wrote
        log         called with one line per instruction
        log_order   "issued" or "executed": when, of the instructions of a core
        print       called with what AscendC::printf and DumpTensor print; default: sys.stdout
        """
        unknown = [name for name in options if name not in _DEFAULTS]
        if unknown:
            raise Error(f"options: {unknown[0]!r} is not known; legal: {', '.join(_DEFAULTS)}")
        for name in ("fill", "tiling_key"):
            value, most = options.get(name, 0), 0xFF if name == "fill" else 2**64 - 1
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value <= most:
                raise Error(f"options: {name}={value!r} must be an int in [0, {most}]")
        changed = copy.copy(self)
        changed._options = {**self._options, **options}
        return changed

    def __call__(self, *arguments: Any) -> LaunchResult:
        """Runs the kernel. Arrays the kernel wrote to are updated, unless it had a fault: then KernelError is raised."""
        kernel = self._kernel
        prepared = [_Argument(position, value) for position, value in enumerate(arguments, 1)]
        options = {**self._options, "print": self._options["print"] or _print}
        result = _native.launch(
            kernel._kernels, kernel.name, self._blocks, [argument.item for argument in prepared], options
        )
        kernel.last = result
        if not result.ok:
            raise KernelError(result)
        for argument in prepared:
            argument.finish()
        return result

    def __repr__(self):
        changed = {name: value for name, value in self._options.items() if value != _DEFAULTS[name]}
        return f"<sfumato.Launcher {self._kernel.name}[{self._blocks}] {changed}>"


def _print(text):
    sys.stdout.write(text)


class _Argument:
    """One argument as the native module takes it: (kind, value, type name, writable)."""

    def __init__(self, position, value):
        self._unpack_into = None
        if isinstance(value, np.ndarray):
            self.item = self._array(f"argument {position}", value)
        elif value is None:
            self.item = ("null", None, "", False)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.item = ("bytes", bytes(value), "", False)
        elif isinstance(value, (bool, int, float)):
            self.item = self._number(f"argument {position}", value, "")
        elif isinstance(value, np.bool_):
            self.item = self._number(f"argument {position}", int(value), "")
        elif isinstance(value, np.generic):
            # A NumPy scalar says its type; the kernel's parameter must be of that type.
            name = require_type(value.dtype, f"argument {position}")
            plain = float(value) if name.startswith(("float", "bfloat")) else int(value)
            self.item = self._number(f"argument {position}", plain, name)
        else:
            raise Error(
                f"argument {position}: {type(value).__name__} is not understood; pass a NumPy array for global memory "
                "(numpy.from_dlpack gives one), an int or a float for a value, bytes for a struct"
            )

    def finish(self):
        if self._unpack_into is not None:
            unpack_int4(self.item[1], self._unpack_into)

    def _number(self, what, value, name):
        if isinstance(value, float):
            return ("float", value, name, False)
        if not -(2**63) <= value < 2**64:
            raise Error(f"{what}: {value} fits no 64-bit integer")
        return ("negative" if value < 0 else "integer", int(value), name, False)

    def _array(self, what, array):
        name = require_type(array.dtype, what)
        if not array.dtype.isnative:
            raise Error(
                f"{what}: dtype {array.dtype.str} has the other byte order; pass array.astype({dtype_of(name).name!r})"
            )
        if not array.flags.c_contiguous:
            raise Error(
                f"{what}: the array is not C-contiguous (shape {array.shape}, strides {array.strides}); "
                "pass numpy.ascontiguousarray(array)"
            )
        if name != "int4":
            return ("array", flat_bytes(array), name, array.flags.writeable)
        if array.ndim == 0 or array.shape[-1] % 2:
            raise Error(
                f"{what}: int4 is packed two a byte, so the last dimension must be even; the shape is {array.shape}"
            )
        packed = pack_int4(array)
        if array.flags.writeable:
            self._unpack_into = array
        else:
            packed.flags.writeable = False
        return ("array", packed, name, array.flags.writeable)
