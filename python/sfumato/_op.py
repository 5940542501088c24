# SPDX-License-Identifier: Apache-2.0
"""Operator projects: op = load_op("AddCustom", chip="Ascend910B1"); y = op(x, z, alpha=2.0)."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Iterable, Mapping
from typing import Any

from . import _checks, _control, _native, _options, _warn
from ._bundle import project_folder
from ._errors import KernelError
from ._kernel import _print
from ._native import CompileError, Error, LaunchResult
from ._op_call import Attr, Call, Spec, param_of, spec_of
from ._result import of_launch


@_checks.named
def load_op(
    project: str | os.PathLike | Mapping[str, str],
    *,
    chip: str | None = None,
    op: str | None = None,
    defines: Mapping[str, Any] | None = None,
    include_dirs: Iterable[str | os.PathLike] = (),
    flags: Iterable[str] = (),
    strict: bool = True,
    cache: str | os.PathLike | bool | None = True,
) -> Operator:
    """Loads an operator project: compiles its host code with Sfumato's headers and reads the definition.

    project       its folder, or one above it; or its files as a mapping, as JSON, or as one Python text (docs/operators.md)
    chip          family or product, e.g. "Ascend910B1"; without it the error lists them
    op            the name of OP_ADD, where there are several
    defines, include_dirs, flags
                  for the host code and the kernel
    strict        False: a product of A3 takes the configuration of A2
    cache         as of compile: None: no cache is read or written
    """
    chip = _checks.chip(chip, "load_op")
    folder = project_folder(project)
    try:
        native = _native.load_op(
            folder,
            chip,
            _checks.text(op, "load_op: op", "AddCustom"),
            _checks.defines(defines, "load_op"),
            _checks.words(include_dirs, "load_op: include_dirs", '["include"]'),
            _checks.words(flags, "load_op: flags", '["-O1", "-g"]'),
            _checks.switch(strict, "load_op: strict"),
            _checks.cache(cache, "load_op"),
        )
    except CompileError as error:
        error.findings = _native.compile_findings(str(error), folder, chip)
        raise
    operator = Operator(native)
    for text in operator.warnings:
        _warn.warn(text, text)
    return operator


# What may be changed by hand.
_TILING = {
    "blocks": "an integer of 1 to 65535",
    "key": "an integer of 0 to 2**64 - 1",
    "data": "bytes",
    "workspaces": "a list of sizes in bytes",
    "schedule_mode": "0 or 1",
}


class Tiling:
    """What the tiling function chose: blocks, key, data (bytes), workspaces, schedule_mode, log, findings. Blocks, key, data,
    workspaces and schedule_mode may be changed before op.run."""

    def __init__(self, native, call):
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_call", call)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._native, name)

    def __setattr__(self, name, value):
        try:
            setattr(self._native, name, value)
        except TypeError:
            raise Error(f"tiling: {name}={value!r}: {_TILING.get(name, 'it cannot be changed')}") from None
        except AttributeError:
            raise Error(f"tiling: {name!r} cannot be changed; {', '.join(_TILING)} can") from None

    @property
    def outputs(self) -> list[list[Spec]]:
        """Of each output its tensors, as inferred."""
        return [[spec_of(t) for t in tensors] for tensors in self._call.native.outputs]

    def __repr__(self):
        return f"<sfumato Tiling: {self.blocks} blocks, key {self.key}, {len(self.data)} bytes>"


class Operator:
    """One operator for one chip; calling it runs it. `last` is the result of the latest launch, `last.tiling` its tiling."""

    def __init__(self, native):
        self._native = native
        d = self._definition = native.definition
        self.name: str = d["name"]
        self.chip: str = d["chip"]
        self.inputs = [param_of(p) for p in d["inputs"]]
        self.outputs = [param_of(p) for p in d["outputs"]]
        self.attrs = [Attr(a["name"], a["type"], a["required"], a["default"]) for a in d["attrs"]]
        self.chips: list[str] = d["chips"]
        self.groups: list[str] = d["groups"]  # the attributes that name groups of ranks: MC2().HcclGroup
        self.kernel_source: str = d["kernel_source"]
        self.host_sources: list[str] = d["host_sources"]
        self.from_cache: bool = d["from_cache"]
        self.warnings: list[str] = d["warnings"]
        self._latest: dict[str, LaunchResult] = {}  # shared by those that `options` makes
        self._options = dict(_options.DEFAULTS)

    @property
    def last(self) -> LaunchResult | None:
        return self._latest.get("result")

    @property
    def combinations(self) -> list[dict[str, str]]:
        """The legal element types and formats: {"x": "float16", "y": "float16"}, the format behind a blank where it is not
        ND."""
        return [
            {
                p.name: p.types[i] if p.formats[i] == "ND" else f"{p.types[i]} {p.formats[i]}"
                for p in (*self.inputs, *self.outputs)
            }
            for i in range(self._definition["columns"])
        ]

    @_options.documented
    def options(self, **options: Any) -> Operator:
        """The operator with some options of its launches changed: those of docs/options.md but tiling_key."""
        legal = [name for name in _options.DEFAULTS if name != "tiling_key"]
        changed = copy.copy(self)
        changed._options = _options.changed(self._options, options, legal, self.chip)
        if options.get("isolated"):
            raise Error(
                "options: isolated=True is for kernels of sfumato.compile: the host code of an operator runs in this process"
            )
        return changed

    def infer(self, *inputs: Any, **named: Any) -> list[list[Spec]]:
        """The outputs' shapes and types. Inputs may be arrays or Spec."""
        call = self._call(inputs, named)
        return [[spec_of(t) for t in tensors] for tensors in call.native.outputs]

    def tile(self, *inputs: Any, **named: Any) -> Tiling:
        """Runs the tiling function. Inputs may be arrays or Spec; attributes by name."""
        call = self._call(inputs, named)
        return Tiling(self._native.tile(call.native), call)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Runs the operator: inputs in their order or by name (None: absent; a list: a dynamic input), attributes by name.
        Returns the output, or a tuple of them.

        out     arrays to write to, or (shape, dtype) for each output
        """
        call = self._call(inputs, named)
        return self._run(Tiling(self._native.tile(call.native), call), call)

    def run(self, tiling: Tiling, *inputs: Any, **named: Any) -> Any:
        """As a call, with a tiling that the caller has."""
        return self._run(tiling, self._call(inputs, named))

    def _call(self, inputs, named):
        return Call(self, inputs, named)

    def _run(self, tiling, call):
        options = {**self._options, "print": self._options["print"] or _print}
        inputs, outputs = call.input_bytes(), call.make_outputs()
        try:
            began = time.perf_counter()
            with _control.progress(options, self.name):
                result = self._native.run(call.native, tiling._native, inputs, outputs, options)
        except CompileError as error:
            error.findings = _native.compile_findings(str(error), self.kernel_source, self.chip)
            raise
        result.tiling = tiling
        self._latest["result"] = of_launch(result, self.name, self.chip, tiling.blocks, time.perf_counter() - began)
        if not result.ok:
            _warn.findings(result.findings, options["warn"], raises=False)
            raise KernelError(result)
        returned = call.finish()
        _warn.findings(result.findings, options["warn"])
        return returned

    def __repr__(self):
        names = [p.name for p in self.inputs] + [f"{a.name}=" for a in self.attrs]
        return f"<sfumato.Operator {self.name}({', '.join(names)}) for {self.chip}>"
