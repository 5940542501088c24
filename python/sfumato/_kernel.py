# SPDX-License-Identifier: Apache-2.0
"""Compiled sources and their kernels: lib.kernel[blocks].options(...)(arguments...)."""

from __future__ import annotations

import copy
import itertools
import os
import sys
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _control, _coverage, _native, _options, _warn
from ._arguments import Argument
from ._errors import KernelError
from ._native import CompileError, Error, LaunchResult
from ._result import of_launch
from ._sources import describe, source_file, surroundings
from ._types import parse_type

if TYPE_CHECKING:
    from ._estimate import Estimate


@_checks.named
def compile(
    source: str | os.PathLike | Iterable[str | os.PathLike],
    *,
    name: str = "kernel.cpp",
    chip: str | None = None,
    defines: Mapping[str, Any] | None = None,
    include_dirs: Iterable[str | os.PathLike] = (),
    flags: Iterable[str] = (),
    instantiations: Iterable[str] = (),
    tiling_key: int | None = None,
    tiling_struct: str | None = None,
    tiling_headers: Iterable[str | os.PathLike] = (),
    template: Mapping[str, Any] | None = None,
    dtypes: Mapping[str, Any] | None = None,
    formats: Mapping[str, str] | None = None,
    cache: str | os.PathLike | bool | None = True,
    coverage: str | os.PathLike | None = None,
) -> Library:
    """Compiles an Ascend C source with the system's C++ compiler (or takes it from the cache) for one chip.

    source          path of the file, as reports shall show it; a text of more than one line is the source itself; of
                    several paths the files are compiled together, as if one after the other
    name            of a source given as text: the file name in reports
    chip            family or product, e.g. "Ascend910B1"; without it the error lists them
    defines         {"NAME": value}; None as a value is a plain -DNAME
    include_dirs    further include folders
    flags           further compiler flags
    instantiations  template kernels to make available, e.g. ["scale<half, 8>"]
    tiling_key      the source is compiled for this key alone, and launched with it
    tiling_struct   the struct of GET_TILING_DATA
    tiling_headers  headers included before the source: BEGIN_TILING_DATA_DEF ...
    template        {"MODE": 3, "FAST": True}: the combination of ASCENDC_TPL_ARGS_DECL; else tiling_key chooses it
    dtypes          {"x": "half"}: element types of arguments, for DTYPE_X and ORIG_DTYPE_X
    formats         {"x": "NZ"}: for FORMAT_X; ND where only a dtype is given
    cache           the folder of compiled kernels; True: $SFUMATO_CACHE or the usual one; None: none is read or written
    coverage        a tracefile of lcov, or a .xml of Cobertura, to which the counts of lines and branches that run are
                    added (docs/testing.md); nothing is cached

    A source that does not compile raises CompileError; its `findings` are the compiler's errors, with file and line.
    """
    path = source_file(source, _checks.text(name, "compile: name", "kernel.cpp") or name)
    chip = _checks.chip(chip, "compile")
    words = {"defines": defines, "include_dirs": include_dirs, "flags": flags, "instantiations": instantiations}
    words |= {"tiling_key": tiling_key, "tiling_struct": tiling_struct, "tiling_headers": tiling_headers}
    words |= {"template": template, "dtypes": dtypes, "formats": formats}
    tracefile = "" if coverage is None else os.path.abspath(_checks.path(coverage, "compile: coverage"))
    if tracefile and not os.path.isdir(os.path.dirname(tracefile)):
        raise Error(f"compile: coverage={coverage!r}: there is no folder {os.path.dirname(tracefile)}")
    arguments = (path, chip, *compile_words(**words), _checks.cache(cache, "compile"), tracefile)
    try:
        library = Library(_coverage.compiled(*arguments), (arguments, *surroundings()))
    except CompileError as error:
        error.findings = _native.compile_findings(str(error), path, chip)
        raise
    for text in library.warnings:
        _warn.warn(text, text)
    return library


def compile_words(
    *,
    defines=None,
    include_dirs=(),
    flags=(),
    instantiations=(),
    tiling_key=None,
    tiling_struct=None,
    tiling_headers=(),
    template=None,
    dtypes=None,
    formats=None,
):
    """The options of `compile` as the library takes them. Refuses what is of a wrong type."""
    return (
        _checks.defines(defines, "compile"),
        _checks.words(include_dirs, "compile: include_dirs", '["include"]'),
        _checks.words(flags, "compile: flags", '["-O1", "-g"]'),
        _checks.words(instantiations, "compile: instantiations", '["scale<half, 8>"]'),
        None if tiling_key is None else _key(tiling_key, "compile"),
        _checks.text(tiling_struct, "compile: tiling_struct", "TilingData"),
        _checks.words(tiling_headers, "compile: tiling_headers", '["tiling.h"]'),
        [(n, _template_word(v)) for n, v in _checks.pairs(template, "compile: template", '{"MODE": 3}')],
        [(n, _dtype_word(v)) for n, v in _checks.pairs(dtypes, "compile: dtypes", '{"x": "half"}')],
        _checks.texts(formats, "compile: formats", '{"x": "NZ"}'),
    )


@_checks.named
def precompile(
    chip: str,
    *,
    folder: str | os.PathLike = "",
    defines: Mapping[str, Any] | None = None,
    include_dirs: Iterable[str | os.PathLike] = (),
    flags: Iterable[str] = (),
) -> bool:
    """Compiles what every kernel of the chip includes first (3 s, 60 MB), so that those compiled later take a third of the time.

    compile() has it made in the background; this is for who wants it now, or in another folder. It is used for sources
    that begin with `#include "kernel_operator.h"` and are compiled with the same chip and flags.

    folder  where it lies: that of compiled kernels, or one that $SFUMATO_PREFIX names where kernels are compiled

    False where flags change what is included (-I, -W) or the folder cannot be written.
    """
    return _native.precompile(
        _checks.chip(chip, "precompile"),
        os.fspath(folder),
        _checks.defines(defines, "precompile"),
        _checks.words(include_dirs, "precompile: include_dirs", '["include"]'),
        _checks.words(flags, "precompile: flags", '["-O1", "-g"]'),
    )


def _key(value, what):
    return _checks.integer(value, 0, 2**64 - 1, f"{what}: tiling_key={value!r}")


def _dtype_word(dtype):
    if isinstance(dtype, str):
        return dtype
    return "bool" if np.dtype(dtype) == np.bool_ else parse_type(dtype)


def _template_word(value):
    """A number, a bool, or a type as the command would be told it."""
    if isinstance(value, (bool, int, np.bool_, np.integer)):
        return str(int(value))
    return _dtype_word(value)


class Library:
    """The kernels of one source: lib.name, or lib["ns::name"] where the name is no Python name."""

    def __init__(self, kernels, recipe):
        self._kernels = kernels
        self._recipe = recipe  # what another process compiles
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
        if name not in self._made:
            # A class of its own, so that help() of the kernel tells its parameters.
            told = {"__doc__": describe(self._kernels, name), "__slots__": ()}
            self._made[name] = type("Kernel", (Kernel,), told)(self._kernels, name, self._recipe)
        return self._made[name]

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("__") and name.endswith("__"):  # Python's own
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

    def __init__(self, kernels, name, recipe):
        self._kernels = kernels
        self._recipe = recipe
        self.name: str = name
        self._latest: dict[str, LaunchResult] = {}  # shared by those that `options` makes
        self._options: dict[str, Any] = {}

    @property
    def last(self) -> LaunchResult | None:
        return self._latest.get("result")

    @property
    def signature(self) -> str:
        return self._kernels.signature(self.name)

    def __getitem__(self, blocks: int) -> Launcher:
        blocks = _checks.integer(blocks, 1, 0xFFFF, f"{self.name}[{blocks!r}]: the number of blocks")
        launcher = Launcher(self, blocks)
        return launcher.options(**self._options) if self._options else launcher

    def options(self, **options: Any) -> Kernel:
        """The kernel with some options of its launchers changed: those of Launcher.options."""
        changed = copy.copy(self)
        changed._options = {**self._options, **options}
        changed[1]  # refuses what is wrong
        return changed

    def _positional(self, arguments, named):
        """All arguments in the kernel's order."""
        names = self._kernels.parameters(self.name)
        unknown = [name for name in named if name not in names]
        if unknown:
            raise Error(f"{self.signature}: it has no parameter {unknown[0]!r}")
        twice = [name for name in names[: len(arguments)] if name in named]
        if twice:
            raise Error(f"{self.signature}: {twice[0]!r} is given by position and by name")
        missing = [name or "a parameter without a name" for name in names[len(arguments) :] if name not in named]
        if missing:
            raise Error(f"{self.signature}: missing {', '.join(missing)}")
        return (*arguments, *(named[name] for name in names[len(arguments) :]))

    def __call__(self, *arguments, **named):
        raise Error(f"{self.name}: say how many blocks: {self.name}[8](...)")

    def check(self, *arguments, **named):
        raise Error(f"{self.name}: say how many blocks: {self.name}[8].check(...)")

    def time(self, *arguments, **named):
        raise Error(f"{self.name}: say how many blocks: {self.name}[8].time(...)")

    def __repr__(self):
        return f"<sfumato.Kernel {self.signature} for {self._kernels.chip}>"


class Launcher:
    """A kernel with its number of blocks and its options."""

    def __init__(self, kernel, blocks):
        self._kernel = kernel
        self._blocks = blocks
        self._options = dict(_options.DEFAULTS)

    @_options.documented
    def options(self, **options: Any) -> Launcher:
        """A launcher with some options changed: those of docs/options.md."""
        changed = copy.copy(self)
        compiled = self._kernel._kernels.tiling_key
        changed._options = _options.changed(self._options, options, _options.DEFAULTS, self._kernel._kernels.chip)
        if options.get("tiling_key") is not None:
            key = _key(options["tiling_key"], "options")
            if compiled is not None and key != compiled:
                raise Error(f"options: tiling_key={key}, but the source was compiled for the key {compiled}")
        return changed

    def check(self, *arguments: Any, **named: Any) -> LaunchResult:
        """Runs the kernel as a call does, with every check on: what they find is in `findings` of the result."""
        return self.options(check="all")(*arguments, **named)

    def time(
        self,
        *arguments: Any,
        l2: str = "cold",
        launch: str = "usual",
        scalar_cycles: float = 0,
        gains: str = "small",
        skip_data: bool = False,
        **named: Any,
    ) -> Estimate:
        """Runs the kernel as a call does, and estimates how long it would take on a board (docs/timing.md).

        l2             "warm": L2 holds the inputs, as where an operator is run again and again
        launch         "cold": the first launch
        scalar_cycles  of the scalar unit before each instruction, for the C++ code between instructions
        gains  of hints: modelled for launches up to 131072 instructions ("small"), for "all", or "none"
        skip_data      True: instructions move and compute nothing, and arrays stay as they are: for large kernels whose
                       scalar code reads no results
        """
        words = {"l2": l2, "launch": launch, "scalar_cycles": scalar_cycles, "gains": gains, "skip_data": skip_data}
        return self.options(time=words)(*arguments, **named).estimate

    def __call__(self, *arguments: Any, **named: Any) -> LaunchResult:
        """Runs the kernel, arguments by position or by the kernel's names for them. Arrays the kernel wrote to are
        updated, unless it had a fault: then KernelError is raised.

        An argument is an array (global memory): NumPy's, a tensor of torch on the CPU, anything with DLPack, written in
        place; a list of arrays (a list of tensors), a number, None (a null
        pointer), or bytes, a structured value or a Struct (a struct by value, or a block of global memory)."""
        kernel = self._kernel
        if named:
            arguments = kernel._positional(arguments, named)
        names = itertools.chain(kernel._kernels.parameters(kernel.name), itertools.repeat(""))
        prepared = [Argument(position, value, name) for position, (value, name) in enumerate(zip(arguments, names), 1)]
        options = {**self._options, "print": self._options["print"] or _print}
        if options["tiling_key"] is None:
            options["tiling_key"] = kernel._kernels.tiling_key or 0
        began = time.perf_counter()
        with _control.progress(options, kernel.name):
            items = [argument.item for argument in prepared]
            if _control.isolated(options):
                from . import _isolated

                result = _isolated.launch(kernel._kernels, kernel._recipe, kernel.name, self._blocks, items, options)
            else:
                result = _native.launch(kernel._kernels, kernel.name, self._blocks, items, options)
        kernel._latest["result"] = of_launch(
            result, kernel.name, kernel._kernels.chip, self._blocks, time.perf_counter() - began
        )
        if not result.ok:
            _warn.findings(result.findings, options["warn"], raises=False)
            raise KernelError(result)
        for argument in prepared:
            argument.finish()
        _warn.findings(result.findings, options["warn"])
        return result

    def __repr__(self):
        changed = {name: value for name, value in self._options.items() if value != _options.DEFAULTS[name]}
        return f"<sfumato.Launcher {self._kernel.name}[{self._blocks}] {changed}>"


def _print(text):
    sys.stdout.write(text)
