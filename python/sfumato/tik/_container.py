# SPDX-License-Identifier: Apache-2.0
"""The container: class Tik, its tensors and scalars, BuildCCE and running."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import _control as launch_control
from .. import _checks, _options, _warn
from .._errors import KernelError
from .._files import named, write_text
from .._foreign import plain
from .._native import Error, LaunchResult
from .._native import tik as native
from .._result import of_launch
from .._types import dtype_of, flat_bytes, require_native
from . import _scopes
from ._calls import Calls
from ._control import Control
from ._debug import Tikdb
from ._errors import fault
from ._expr import Value
from ._platform import current_soc
from ._printf import Printf
from ._recorder import Recorder
from ._scalar import InputScalar, Scalar, ScalarArray
from ._tensor import Tensor, item_size, require_dtype, shape_of
from ._where import here
from ._whole import Whole

# A shape of this many elements or more says only "large": the array that is fed tells the size.
_LARGE = 2**31 - 1


class Registry:
    """For the command: the kernels built, what their runs found, and the folder of their JSON files."""

    def __init__(self):
        self.built: list[Tik] | None = None
        self.out_dir: str | None = None
        self.debug = False  # every instance can be debugged
        self.check = ""  # of runs that do not say what they look for
        self.runs: list[tuple[Tik, LaunchResult, dict]] | None = None  # with their options


registry = Registry()


class Tik(Control, Whole, Calls):
    """A TIK program: its statements are recorded in the order of the calls, frozen by BuildCCE, and run.

    profiling      a Dprofile, or None; the chip is the one chosen last
    disable_debug  True refuses tikdb.start_debug, and keeps nothing for it; run() does not ask for it
    """

    def __init__(self, profiling=None, disable_debug: bool = False, err_msg_level: int = 0, block_size: int = 32):
        if err_msg_level not in (0, 1):
            raise fault("err_msg_level is 0 or 1", found=repr(err_msg_level))
        if block_size != 32:
            raise fault("blocks have 32 bytes", found=repr(block_size))
        self.soc = current_soc()
        self.kernel_name: str | None = None
        self.inputs: list[Tensor | InputScalar] = []
        self.outputs: list[Tensor] = []
        self.tikdb = Tikdb(self, disable_debug)
        self._printf = Printf()
        self._program = (native.Program if disable_debug and not registry.debug else Recorder)(self.soc.product)

    # -- data ----------------------------------------------------------------------------------------------------------

    def Tensor(  # noqa: N802 - the vendor's name
        self,
        dtype: str,
        shape: int | Sequence[int | Value],
        scope: str,
        name: str,
        enable_buffer_reuse=False,
        no_reuse_list=None,
        reuse_list=None,
        is_workspace: bool = False,
        is_atomic_add: bool = False,
        max_mem_size: int | None = None,
        init_value: Any = None,
        is_global_tensor: bool = False,
        start_addr: int | None = None,
    ) -> Tensor:
        """A tensor in a memory (tik.md 3.8).

        is_workspace    in GM, and no argument of the kernel
        is_atomic_add   in GM, an output that is 0, or init_value, before the launch
        max_mem_size    bytes it has at most; needed where the shape holds Scalars
        init_value      in GM: the constant contents, or the number an atomic output starts from
        start_addr      its byte address in a memory of the core, instead of the next free one
        The reuse lists are taken and change nothing.
        """
        require_dtype(dtype, "Tensor")
        dims = shape_of(shape, "shape", "Tensor")
        flags = {
            "is_workspace": bool(is_workspace),
            "is_atomic_add": bool(is_atomic_add),
            "is_global_tensor": bool(is_global_tensor),
            "max_mem_size": max_mem_size,
            "start_addr": start_addr,
            "init_value": _initial(dtype, init_value),
        }
        extents = self._extents(dims, dtype, scope, name, max_mem_size)
        tensor = self._program.tensor(dtype, extents, scope, name, here(), **flags)
        return Tensor(self._program, tensor, dtype, dims, scope, name)

    def _extents(self, dims, dtype, scope, name, max_mem_size):
        """The shape without Scalars: of as many elements as the tensor can have."""
        known = not any(isinstance(dim, Value) for dim in dims)
        if scope == _scopes.scope_gm and (not known or math.prod(dims) >= _LARGE):
            return [_LARGE]
        if known:
            return list(dims)
        if max_mem_size is None:
            raise fault("a tensor whose shape holds Scalars needs max_mem_size", operand=name)
        return [max_mem_size // item_size(dtype)]

    def Scalar(self, dtype: str = "int64", name: str = "reg_buf", init_value=None) -> Scalar:  # noqa: N802 - as above
        """A variable of the scalar unit."""
        scalar = Scalar(self._program, dtype, name)
        if init_value is not None:
            scalar.set_as(init_value)
        return scalar

    def ScalarArray(self, dtype="int64", length=1, name="reg_buf", init_value=None) -> ScalarArray:  # noqa: N802
        """Scalars by index; init_value sets all of them, or each from a list."""
        array = ScalarArray(self._program, dtype, length, name)
        if init_value is not None:
            values = init_value if isinstance(init_value, (list, tuple)) else [init_value] * length
            if len(values) != length:
                raise fault(
                    "init_value has one value, or one for each element",
                    found=f"{len(values)} values for {length} elements",
                    legal=f"1 or {length} values",
                )
            for i, value in enumerate(values):
                array[i].set_as(value)
        return array

    def InputScalar(self, dtype: str = "int64", name: str = "input_scalar") -> InputScalar:  # noqa: N802 - as above
        """A value given when the kernel is launched; stands in BuildCCE's inputs, after the tensors."""
        return InputScalar(self._program, dtype, name)

    def get_available_buffer_size(self, scope: str) -> int:
        """The bytes left in a memory of the core at this point."""
        return self._program.available(scope)

    # -- building ------------------------------------------------------------------------------------------------------

    def BuildCCE(  # noqa: N802 - the vendor's name
        self,
        kernel_name: str,
        inputs: Sequence[Tensor | InputScalar],
        outputs: Sequence[Tensor],
        output_files_path: str | Path | None = None,
        enable_l2=False,
        config: Mapping[str, Any] | None = None,
        flowtable: Sequence[Tensor | InputScalar] | None = None,
        evaluates=None,
        extend_params=None,
    ) -> None:
        """Verifies and freezes the kernel. With a folder, writes kernel_meta/<kernel_name>.json there.

        flowtable  further inputs, after the others
        enable_l2, config, evaluates and extend_params are taken and change nothing.
        """
        where = here()
        inputs, outputs = _arguments("inputs", inputs, self), _arguments("outputs", outputs, self)
        flowtable = _arguments("flowtable", () if flowtable is None else flowtable, self)
        for value in outputs:
            if not isinstance(value, Tensor):
                raise fault("outputs are tensors", found=repr(value))
        if config is not None and not isinstance(config, Mapping):
            raise fault("config is a dict", found=repr(config))
        self._program.build(
            kernel_name,
            [_native_id(v) for v in inputs],
            [_native_id(v) for v in outputs],
            [_native_id(v) for v in flowtable],
            where,
        )
        self._printf.check_blocks(self._program.info()["block_dim"])
        self.kernel_name, self.inputs, self.outputs = kernel_name, [*inputs, *flowtable], outputs
        if registry.built is not None:
            registry.built.append(self)
        folder = output_files_path or registry.out_dir
        if folder is not None:
            self._write_json(Path(folder) / "kernel_meta")

    def _write_json(self, folder: Path) -> None:
        info = self._program.info()
        sizes = list(info["workspaces"])
        text = {
            "binFileName": self.kernel_name,
            "kernelName": f"{self.kernel_name}__kernel0",
            "blockDim": info["block_dim"],
            "coreType": info["core_type"],
            "workspace": {"num": len(sizes), "size": sizes},
            "parameters": info["parameters"],
        }
        try:
            with named(folder):
                folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / f"{self.kernel_name}.json", json.dumps(text, indent=4) + "\n")
        except OSError as error:
            raise Error(f"BuildCCE: {error.filename} cannot be written: {error.strerror}") from None

    # -- running -------------------------------------------------------------------------------------------------------

    @property
    def last(self) -> LaunchResult | None:
        """What the latest run found."""
        return self._program.last

    def run(self, feed_dict: Mapping[str, Any], **options: Any) -> list[np.ndarray]:
        """Runs the built kernel and returns its outputs in order. Raises KernelError for a fault.

        feed_dict  name of each input to its array or number; may name outputs too: their contents before the launch.
                   The same array under the names of several tensors is one piece of global memory; where one of them
                   is an output, the array holds its contents afterwards
        options    those of docs/options.md; shapes: {name: shape} of outputs and workspaces whose script says only
                   "large"
        """
        return self._launch(feed_dict, None, **options)

    def _launch(self, feed_dict, debugger, **options):
        """run(), steered by a debugger of _debugger.py or by nobody."""
        if self.kernel_name is None:
            raise fault("the kernel is not built yet")
        feed = dict(feed_dict)
        known = {value.name: value for value in [*self.inputs, *self.outputs]}
        for name in feed:
            if name not in known:
                raise fault("the kernel has no such argument", found=repr(name), legal=", ".join(known) or "none")
        for value in self.inputs:
            if value.name not in feed:
                raise fault(
                    "an input is not fed", found=f"no {value.name!r}", legal=", ".join(v.name for v in self.inputs)
                )
        checked = {name: _fed(known[name], value) for name, value in feed.items()}
        shared = _shared(checked, [value.name for value in self.outputs])
        _checks.known(options, ["shapes", "warn", *_options.of(_options.Route.TIK_RUN)], "run")
        if not isinstance(options.get("shapes", {}), Mapping):
            raise Error(f"run: shapes={options['shapes']!r} must be a dict, e.g. {{'y': (64,)}}")
        options.setdefault("check", registry.check)
        _options.check(options, "run")
        launch_control.check(options, "run")
        # The command tells all findings itself.
        warn = options.pop("warn", None)
        warn = warn if registry.runs is None else False
        options.setdefault("progress", None)
        with (
            self._printf.opened(self.kernel_name, options.get("print")) as options["print"],
            launch_control.progress(options, self.kernel_name),
        ):
            began = time.perf_counter()
            try:
                if debugger is None:
                    results = self._program.run(checked, options)
                else:
                    results = self._program.debug(checked, debugger, options)
            except KernelError as error:
                self._told(error.result, began)
                _warn.findings(error.result.findings, warn, raises=False)
                raise
        self._told(self.last, began)
        if registry.runs is not None:
            registry.runs.append((self, self.last, options))
        for value, result in zip(self.outputs, results):
            if value.name in shared:
                np.copyto(checked[value.name], result.reshape(checked[value.name].shape))
        _warn.findings(self.last.findings, warn)
        return results

    def _told(self, result, began):
        blocks = self._program.info()["block_dim"]
        of_launch(result, self.kernel_name, self.soc.product, blocks, time.perf_counter() - began)


def _shared(feed, outputs) -> set[str]:
    """The outputs whose array has another name too, to be written back. Arrays that share only a part are refused."""
    arrays = [(name, value) for name, value in feed.items() if isinstance(value, np.ndarray) and value.size]
    shared = set()
    for position, (name, array) in enumerate(arrays):
        for other, before in arrays[:position]:
            written = [n for n in (other, name) if n in outputs]
            if not written or not np.may_share_memory(array, before) or not np.shares_memory(array, before):
                continue
            same = array.__array_interface__["data"] == before.__array_interface__["data"]
            whole = array.flags.c_contiguous and before.flags.c_contiguous and array.nbytes == before.nbytes
            if not same or not whole or "int4" in (array.dtype.name, before.dtype.name):
                raise fault("two arrays share memory without being the same array", found=f"{other} and {name}")
            if not array.flags.writeable:
                raise fault(
                    "an array that is an output too is read-only", operand=written[0], found="flags.writeable is False"
                )
            shared.update(written)
    return shared


def _native_id(value):
    return value._tensor if isinstance(value, Tensor) else value._scalar


def _arguments(what, values, tik) -> list:
    if isinstance(values, (Tensor, InputScalar)):
        values = [values]
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise fault("{operand} is a list", operand=what, found=repr(values))
    for value in values:
        legal = isinstance(value, (Tensor, InputScalar)) and value._program is tik._program
        if not legal:
            raise fault(
                "the arguments of a kernel are tensors and InputScalars of its Tik instance",
                operand=what,
                found=repr(value),
                hint="use an InputScalar for a number" if isinstance(value, Scalar) else "",
            )
        if isinstance(value, Tensor) and not value._original:
            raise fault(
                "the arguments of a kernel are whole tensors",
                operand=what,
                found=f"{value!r}, a slice or another shape of it",
            )
    return list(values)


def _initial(dtype, value):
    if value is None or isinstance(value, (int, float)):
        return value
    return flat_bytes(np.ascontiguousarray(np.asarray(value).astype(dtype_of(dtype))))


def _fed(target, value):
    """An array or a number, checked against the tensor or InputScalar it is for."""
    if isinstance(target, InputScalar):
        real = target.dtype.startswith(("float", "bfloat"))
        if isinstance(value, np.generic) or isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if isinstance(value, bool) or not isinstance(value, (int, float) if real else int):
            raise fault(
                "an InputScalar is fed a number of its kind",
                operand=target.name,
                found=repr(value),
                legal=f"{'float' if real else 'int'} for {target.dtype}",
            )
        if not real:
            limits = np.iinfo(target.dtype)
            if not limits.min <= value <= limits.max:
                raise Error(
                    f"run: {target.name!r}: {value} is out of range: legal is {limits.min} to {limits.max} ({target.dtype})"
                )
        return value
    array = plain(np.asanyarray(value), f"run: {target.name!r}")
    require_native(array, f"run: {target.name!r}")
    if all(isinstance(dim, int) for dim in target.shape) and math.prod(target.shape) < _LARGE:
        if array.shape != tuple(target.shape):
            raise fault(
                "the array has another shape than the tensor",
                operand=target.name,
                found=str(array.shape),
                legal=str(tuple(target.shape)),
            )
    return array
