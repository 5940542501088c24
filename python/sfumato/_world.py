# SPDX-License-Identifier: Apache-2.0
"""Many devices in this process, the ranks: `with sfumato.ranks(8, chip=...) as world` (docs/ranks.md)."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _checks, _collectives, _native, _warn
from ._arguments import Address, Argument
from ._errors import KernelError
from ._foreign import as_numpy, is_foreign
from ._kernel import Kernel, Launcher, _print
from ._native import CompileError, Error, LaunchResult, Report
from ._op import Operator, Tiling
from ._op_call import Call
from ._result import of_launch

# Options of a launch that make no sense for several at a time, and why.
_REFUSED = {
    "time": "nothing estimates how long launches of several ranks take",
    "isolated": "all ranks run in this process",
    "progress": "a world tells no progress",
}


class RankArray(np.ndarray):
    """An array of one rank: `rank` says which. Kernels of other ranks cannot be given it."""

    rank: int | None = None

    def __array_finalize__(self, made_of):
        self.rank = getattr(made_of, "rank", None)

    def numpy(self) -> np.ndarray:
        """The same memory as an array of NumPy. No launch runs: World.launch waits for all of its own."""
        return self.view(np.ndarray)


class Rank:
    """One device of a world."""

    def __init__(self, world: World, number: int):
        self._world = world
        self.number = number

    def array(self, values: Any) -> RankArray:
        """A copy of the values as an array of this rank."""
        return _of_rank(values, self.number)

    def context(self, group: str = "world") -> Address:
        """The address of its context in the group, for kernels that take it as an argument."""
        return self._world.context(group, self.number)

    def window(self, which: str = "in", group: str = "world") -> np.ndarray:
        """The bytes of its window "in" or "out" in the group: the memory itself, for preparing and looking."""
        return self._world.window(group, self.number, which)

    def __repr__(self):
        return f"<sfumato rank {self.number} of {len(self._world)}>"


class World:
    """Ranks 0 to n-1, each with its global memory, and groups of them, which have windows. What sfumato.ranks makes.

    Usable until the end of its `with`, or close()."""

    def __init__(self, n, chip, schedule, window_mb, collective_order, fill):
        self._native = _native.RankWorld(n, chip, window_mb << 20, fill)
        self._schedule = schedule
        self._order = collective_order
        self._groups = {"world": list(range(n))}
        self.last: LaunchResult | None = None  # of the latest launch
        self.report: list[Report] = []  # what all launches found

    def __enter__(self) -> World:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory of the ranks back. Views of windows keep it."""
        self._native = None

    def __len__(self) -> int:
        return len(self._groups["world"])

    def __getitem__(self, rank: int) -> Rank:
        return Rank(self, self._rank(rank))

    def __iter__(self):
        return (Rank(self, r) for r in range(len(self)))

    def _open(self):
        if self._native is None:
            raise Error("world: it is closed; use it inside its `with`")
        return self._native

    def _rank(self, value):
        return _checks.integer(value, 0, len(self) - 1, f"rank {value!r}")

    def arrays(self, make: Callable[[int], Any] | Iterable[Any]) -> list[RankArray]:
        """One array a rank: copies of make(0), make(1) ..., or of a list with one for each."""
        values = _each(make, range(len(self)), "arrays")
        return [_of_rank(value, rank) for rank, value in enumerate(values)]

    def group(self, name: str, ranks: Iterable[int]) -> str:
        """Makes a group of some of the ranks, in ascending order, with windows of its own; returns its name."""
        members = [self._rank(r) for r in ranks]
        self._open().add_group(_checks.text(name, "group: name", "tp"), members)
        self._groups[name] = members
        return name

    def context(self, group: str, rank: int) -> Address:
        """The address of the rank's context in the group, for kernels that take it as an argument."""
        return Address(self._open().place(group, self._rank(rank))[2])

    def window(self, group: str, rank: int, which: str = "in") -> np.ndarray:
        """The bytes of the rank's window "in" or "out" in the group: the memory itself, zeros at first."""
        if which not in ("in", "out"):
            raise Error(f"window: {which!r} is none; there are 'in' and 'out'")
        return self._open().window(group, self._rank(rank), which == "out")

    def launch(
        self,
        kernel: Kernel | Launcher | Callable[[int], Kernel],
        *,
        args: Callable[[int], Sequence[Any] | Mapping[str, Any]] | Sequence[Any],
        blocks: int | None = None,
        groups: Iterable[str] = ("world",),
        only: Iterable[int] | None = None,
        repeat: int = 1,
        schedule: str | None = None,
        **options: Any,
    ) -> LaunchResult:
        """Launches the kernel on every rank at once, waits for all, and updates the arrays that were written to.

        kernel    lib.kernel, lib.kernel[blocks] with its options, or a function of the rank that returns one of them
        args      a function of the rank, or a list with an item a rank: the arguments in order, or a dict of them
        blocks    how many blocks on each rank
        groups    which groups the launches are on: each waits at its beginning for the other ranks of these
        only      some of the ranks
        repeat    each rank launches it so often, without waiting between
        schedule  in which order ranks and cores run: eager, serial, late, ahead, skew[:R], torn[:N], seed:N; all[:N]
                  runs several from the same bytes, and warns where outputs depend on it (schedule-dependent)
        options   check=, overflow= ... as Launcher.options has them

        Raises KernelError with the faults of all ranks; then no array is changed. The result has `ranks`: a
        LaunchResult for each.
        """
        world = self._open()
        wanted = self._wanted(only, "launch")
        given = _each(args, wanted, "launch: args")
        launchers = [_launcher(kernel, rank, blocks, options) for rank in wanted]
        prepared, works = [], []
        for rank, launcher, arguments in zip(wanted, launchers, given):
            items = _arguments(launcher, rank, arguments)
            prepared += items
            kernels = launcher._kernel._kernels
            if kernels.chip != world.chip and rank == wanted[0]:
                self._check_chip(kernels.chip)
            works.append((rank, kernels, launcher._kernel.name, launcher._blocks, [item.item for item in items]))
        first = launchers[0]
        groups = _checks.words(groups, "launch: groups", '["world"]')
        name = first._kernel.name
        with self._launched("launch", name, first._blocks, works, groups, schedule, repeat, first._options) as result:
            for argument in prepared:
                argument.finish()
        return result

    def call(
        self,
        op: Operator,
        *,
        args: Callable[[int], Sequence[Any] | Mapping[str, Any]] | Sequence[Any],
        group: str | Sequence[str] = "world",
        only: Iterable[int] | None = None,
        repeat: int = 1,
        schedule: str | None = None,
        **options: Any,
    ) -> list[Any]:
        """Calls the operator on every rank at once, and returns for each what op(...) returns.

        op        from load_op
        args      a function of the rank, or a list with an item a rank: the inputs in order, or a dict of inputs,
                  attributes and `out` as op(...) takes them
        group     what the attributes that name groups (HcclGroup) are, where args do not say; two names for two
        only, repeat, schedule
                  as of launch
        options   as Operator.options has them

        Raises KernelError with the faults of all ranks; then no array is changed. `last` is the result."""
        self._open()
        if not isinstance(op, Operator):
            raise Error(f"call: {op!r} is no operator; pass one of sfumato.load_op")
        self._check_chip(op.chip, "call")
        names = [group] if isinstance(group, str) else list(group)
        if len(names) == 1:
            names *= len(op.groups)
        if op.groups and len(names) != len(op.groups):
            raise Error(f"call: group={group!r}: {op.name} has the groups {', '.join(op.groups)}: a name for each")
        wanted = self._wanted(only, "call")
        op = op.options(**options)
        calls, works, on = [], [], []
        for rank, given in zip(wanted, _each(args, wanted, "call: args")):
            named = dict(zip(op.groups, names))
            if isinstance(given, Mapping):
                named |= given
                given = ()
            elif not isinstance(given, (tuple, list)):
                raise Error(f"call: args of rank {rank} are {type(given).__name__}; a tuple is needed, or a dict")
            for name, value in itertools.chain(zip((p.name for p in op.inputs), given), named.items()):
                _check_owner(value, rank, f"call: {name}")
            call = Call(op, given, named)
            on += [named[attr] for attr in op.groups if named[attr] not in on]
            tiling = Tiling(op._native.tile(call.native), call)
            works.append((rank, op._native, call.native, tiling._native, call.input_bytes(), call.make_outputs()))
            calls.append((call, tiling))
        try:
            blocks, on = calls[0][1].blocks, on or ["world"]
            with self._launched("call", op.name, blocks, works, on, schedule, repeat, op._options) as result:
                for of_rank, (_, tiling) in zip(result.ranks, calls):
                    of_rank.tiling = tiling
                return [call.finish() for call, _ in calls]
        except CompileError as error:
            error.findings = _native.compile_findings(str(error), op.kernel_source, op.chip)
            raise

    def _wanted(self, only, what):
        wanted = range(len(self)) if only is None else sorted({self._rank(r) for r in only})
        if not wanted:
            raise Error(f"{what}: only=[] is no rank")
        return wanted

    @contextlib.contextmanager
    def _launched(self, what, name, blocks, works, groups, schedule, repeat, given):
        """The result of the works of all ranks: what is done with it comes before its findings are warned of."""
        chosen = {**given, "print": given["print"] or _print}
        for option, why in _REFUSED.items():
            if chosen[option]:
                raise Error(f"{what}: {option}={chosen[option]!r}: {why}")
        schedule = schedule or (chosen["schedule"] if chosen["schedule"] != "eager" else self._schedule)
        trace = chosen["trace"] or ""
        chosen |= {"schedule": "eager", "trace": None, "time": None, "isolated": None, "progress": None}
        repeat = _checks.integer(repeat, 1, 1_000_000, f"{what}: repeat={repeat!r}")
        began = time.perf_counter()
        result, of_ranks = self._native.launch(works, groups, schedule, repeat, trace, chosen)
        result = of_launch(result, name, self._native.chip, blocks, time.perf_counter() - began)
        result.ranks = of_ranks
        self.last = result
        self.report += result.findings
        if not result.ok:
            _warn.findings(result.findings, chosen["warn"], raises=False)
            raise KernelError(result)
        yield result
        _warn.findings(result.findings, chosen["warn"])

    def _check_chip(self, other, what="launch"):
        own = self._native.chip
        families = {product: chip["name"] for chip in _native.chips() for product in chip["products"]}
        kinds = [(families.get(name, name), name.startswith("Ascend910_93")) for name in (other, own)]  # A3: contexts
        if kinds[0] != kinds[1]:
            whose = "the operator is loaded" if what == "call" else "the kernel is compiled"
            raise Error(f"{what}: {whose} for {other}, the ranks are {own}")

    def all_reduce(self, arrays: Sequence[Any], op: str = "sum", *, group: str = "world") -> list[np.ndarray]:
        """Element by element over the ranks of the group, in the order of the world: a result for each, all the same.

        op: sum, prod, max or min. Types: int8, int16, int32, int64, float16, bfloat16 and float32."""
        return _collectives.all_reduce(self._of_group(arrays, group, "all_reduce"), op, self._order)

    def reduce_scatter(self, arrays: Sequence[Any], op: str = "sum", *, group: str = "world") -> list[np.ndarray]:
        """As all_reduce; rank r of the group gets the r-th part of the result along the first dimension."""
        return _collectives.reduce_scatter(self._of_group(arrays, group, "reduce_scatter"), op, self._order)

    def all_gather(self, arrays: Sequence[Any], *, group: str = "world") -> list[np.ndarray]:
        """What all have, one after another along the first dimension, for each rank of the group."""
        return _collectives.all_gather(self._of_group(arrays, group, "all_gather"))

    def all_to_all(self, arrays: Sequence[Any], *, group: str = "world") -> list[np.ndarray]:
        """Rank r of the group gets the r-th part, along the first dimension, of what each has, one after another."""
        return _collectives.all_to_all(self._of_group(arrays, group, "all_to_all"))

    def broadcast(self, arrays: Sequence[Any], root: int = 0, *, group: str = "world") -> list[np.ndarray]:
        """What rank `root` of the group has, for each rank of it. The others' arrays have the same shape and type."""
        return _collectives.broadcast(self._of_group(arrays, group, "broadcast"), root)

    def _of_group(self, arrays, group, what):
        self._open()
        members = self._groups.get(group)
        if members is None:
            raise Error(f"{what}: there is no group {group!r} of ranks; there are {', '.join(self._groups)}")
        values = _each(arrays, members, f"{what}: arrays")
        return [self._member(value, rank, what) for value, rank in zip(values, members)]

    def _member(self, value, rank, what):
        array = as_numpy(value, f"{what}: rank {rank}") if is_foreign(value) else np.asanyarray(value)
        owner = getattr(array, "rank", None)
        if owner not in (None, rank):
            raise Error(f"{what}: the array given for rank {rank} is rank {owner}'s; give each rank's in its place")
        return np.asarray(array)

    def __repr__(self):
        state = "" if self._native else ", closed"
        return f"<sfumato world of {len(self)} ranks, groups {', '.join(self._groups)}{state}>"


def _of_rank(values, rank):
    array = np.array(as_numpy(values, f"rank {rank}") if is_foreign(values) else values, order="C").view(RankArray)
    array.rank = rank
    return array


def _each(values, ranks, what):
    """One value for each of the ranks, from a function of the rank or a list."""
    if callable(values):
        return [values(rank) for rank in ranks]
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise Error(f"{what}={values!r}: a function of the rank is needed, or a list with an item for each")
    listed = list(values)
    if len(listed) != len(ranks):
        raise Error(f"{what}: {len(listed)} items for {len(ranks)} ranks")
    return listed


def _launcher(kernel, rank, blocks, options):
    if not isinstance(kernel, (Kernel, Launcher)) and callable(kernel):
        kernel = kernel(rank)
    if isinstance(kernel, Kernel):
        if blocks is None:
            raise Error(f"launch: say how many blocks: blocks=8, or {kernel.name}[8]")
        kernel = kernel[blocks]
    elif not isinstance(kernel, Launcher):
        raise Error(f"launch: {kernel!r} is no kernel; pass lib.kernel, lib.kernel[8], or a function of the rank")
    elif blocks is not None and blocks != kernel._blocks:
        raise Error(f"launch: blocks={blocks}, but the kernel has {kernel._blocks} blocks")
    return kernel.options(**options) if options else kernel


def _arguments(launcher, rank, given):
    kernel = launcher._kernel
    if isinstance(given, Mapping):
        given = kernel._positional((), given)
    elif not isinstance(given, (tuple, list)):
        raise Error(
            f"launch: args of rank {rank} are {type(given).__name__}; a tuple of arguments is needed, or a dict"
        )
    names = itertools.chain(kernel._kernels.parameters(kernel.name), itertools.repeat(""))
    for position, value in enumerate(given, 1):
        _check_owner(value, rank, f"launch: argument {position}")
    return [Argument(position, value, name) for position, (value, name) in enumerate(zip(given, names), 1)]


def _check_owner(value, rank, what):
    owner = value.rank if isinstance(value, RankArray) else None
    if owner not in (None, rank):
        raise Error(
            f"{what} of rank {rank} is an array of rank {owner}, which kernels of rank {rank} cannot touch; give each "
            "rank its own, and let ranks exchange data in windows"
        )


@_checks.named
def ranks(
    n: int,
    *,
    chip: str | None = None,
    schedule: str = "eager",
    window_mb: int = 200,
    collective_order: str = "rank",
    fill: int = 0xFE,
) -> World:
    """n devices in this process, the ranks, for kernels that talk to each other: with sfumato.ranks(8, ...) as world.

    n                 1 to 64
    chip              family or product, as of compile()
    schedule          in which order ranks and cores run where a launch does not say (World.launch)
    window_mb         size of each window, in MiB: a rank has two in each group; memory is used as it is touched
    collective_order  in which order World.all_reduce and reduce_scatter add: rank, reverse, ring, tree or wide
    fill              the byte in global memory that nobody wrote
    """
    n = _checks.integer(n, 1, 64, f"ranks: n={n!r}")
    window_mb = _checks.integer(window_mb, 1, 4096, f"ranks: window_mb={window_mb!r}")
    fill = _checks.integer(fill, 0, 255, f"ranks: fill={fill!r}")
    schedule = _checks.text(schedule, "ranks: schedule", "late") or "eager"
    _native.check_rank_schedule(schedule, n)
    _collectives.check_order(collective_order)
    return World(n, _checks.chip(chip, "ranks"), schedule, window_mb, collective_order, fill)
