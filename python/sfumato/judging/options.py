# SPDX-License-Identifier: Apache-2.0
"""How submissions are judged."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .. import _checks, _control, _native, _options
from .._kernel import compile_words
from .._native import Error
from .._options import Route
from ._submissions import KINDS

FILLS = (0xFE, 0x01)
COSTLY = 32 << 20  # bytes of a case's arrays: beyond it only the first case has runs besides the first


@dataclass(frozen=True)
class Options:
    """How a submission is judged.

    kind        what the submission is: kernel, op, direct, model or tik; None: told from its content
    name        of its entry, where there are several: a kernel, OP_ADD's name, BuildCCE's kernel_name
    schedules   each case runs under each; the first is compared with the reference, the others with the first
    fills       two bytes: the first schedule runs with each in memory that nobody wrote
    cases       at most so many of the task's; None: all
    seed        of the task's generator of cases
    launch      options of launches (Launcher.options): {"overflow": "infnan"}
    compile     arguments of sfumato.compile for kind kernel: {"defines": {...}}
    keep_passing  True: verdicts of limits and crashes are cached like the others
    time        True, or a mapping of the options of Launcher.time: right submissions run once more for `estimate`
    """

    kind: str | None = None
    name: str | None = None
    schedules: Sequence[str] = ("eager", "late", "ahead")
    fills: Sequence[int] = FILLS
    cases: int | None = None
    seed: int = 0
    launch: Mapping[str, Any] = field(default_factory=dict)
    compile: Mapping[str, Any] = field(default_factory=dict)
    keep_passing: bool = False
    time: bool | Mapping[str, Any] = False

    def __post_init__(self):
        if self.kind is not None and self.kind not in KINDS:
            raise Error(f"judge: kind={self.kind!r} is none of {', '.join(KINDS)}")
        if self.name is not None and not isinstance(self.name, str):
            raise Error(f"judge: name={self.name!r} must be a name, or None")
        if not isinstance(self.keep_passing, bool):
            raise Error(f"judge: keep_passing={self.keep_passing!r} must be True or False")
        if isinstance(self.schedules, str) or not self.schedules:
            raise Error(f"judge: schedules={self.schedules!r} must be a list such as ['eager', 'late']")
        if not self.fills or not all(isinstance(fill, int) and 0 <= fill <= 255 for fill in self.fills):
            raise Error(f"judge: fills={self.fills!r} must be bytes such as [0xFE, 0x01]")
        if self.cases is not None and (
            isinstance(self.cases, bool) or not isinstance(self.cases, int) or self.cases < 1
        ):
            raise Error(f"judge: cases={self.cases!r} must be an int above 0, or None")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise Error(f"judge: seed={self.seed!r} must be an int from 0")
        for schedule in self.schedules:
            known = schedule in ("eager", "late", "ahead") or str(schedule).startswith("seed:")
            if not known:
                raise Error(f"judge: the schedule {schedule!r} is none of eager, late, ahead, seed:N")
        self._check_time()
        self._check_names("launch", _options.of(Route.JUDGE))
        _options.check(self.launch, "judge: launch")
        _control.check(dict(self.launch))
        self._check_names("compile", inspect.signature(compile_words).parameters)
        compile_words(**self.compile)

    def _check_names(self, field, legal):
        given = getattr(self, field)
        if not isinstance(given, Mapping):
            raise Error(f"judge: {field}={given!r} must be a mapping")
        _checks.known(given, sorted(legal), f"judge: {field}")

    def check_for(self, chip: str) -> None:
        """Refuses options that launches on the chip would."""
        for schedule in self.schedules:
            _native.check_launch_options(chip, {**_options.DEFAULTS, **self.launch, "schedule": schedule})

    def check_kind(self, kind: str) -> None:
        """Refuses options that this kind of submission does not have."""
        if self.compile and kind != "kernel":
            raise Error(f"judge: compile: {next(iter(self.compile))!r} is no option of a submission of kind {kind}")
        for name in self.launch:
            if not _options.TABLE[name].routes & _ROUTES.get(kind, Route.PYTHON):
                raise Error(f"judge: launch: {name!r} is no option of a submission of kind {kind}")

    @property
    def timed(self) -> bool:
        return self.time is not False

    def _check_time(self):
        if isinstance(self.time, bool):
            return
        if not isinstance(self.time, Mapping):
            raise Error(f"judge: time={self.time!r} must be True, False or a mapping such as {{'l2': 'warm'}}")
        _checks.known(self.time, _options.of(Route.ESTIMATE), "judge: time")
        _options.check(self.time, "judge: time")

    @classmethod
    def of(cls, options) -> Options:
        """Options of Options, a mapping of its fields, or None."""
        if isinstance(options, cls):
            return options
        if options is not None and not isinstance(options, Mapping):
            raise Error(f"judge: options={options!r} must be Options or a mapping of its fields such as {{'cases': 2}}")
        names = [entry.name for entry in fields(cls)]
        _checks.known(options or {}, names, "judge: options")
        return cls(**(options or {}))


# Whose options a kind of submission has: of models and direct launches, words of SFUMATO_OPTIONS.
_ROUTES = {"tik": Route.TIK_RUN, "model": Route.ENVIRONMENT, "direct": Route.ENVIRONMENT}


def plan(options: Options, prepared: dict) -> list[tuple[int, str, int, bool]]:
    """(case, schedule, fill, other) of each run, the first of a case being what its outputs are taken from."""
    first, fill = options.schedules[0], options.fills[0]
    runs = []
    for index, case in enumerate(prepared["cases"]):
        runs.append((index, first, fill, False))
        if index == 0 or bytes_of(case) <= COSTLY:
            runs += [(index, first, other, False) for other in options.fills[1:]]
            runs += [(index, schedule, fill, False) for schedule in options.schedules[1:]]
    if prepared["cases"][0]["other"] is not None:
        runs.append((0, first, fill, True))
    return runs


def timed_plan(options: Options, prepared: dict) -> list[tuple[int, str, int, bool]]:
    """The runs for an estimate: each case under the schedule that estimates need."""
    return [(index, "eager", options.fills[0], False) for index in range(len(prepared["cases"]))]


def bytes_of(case) -> int:
    values = [*case["inputs"].values(), *case["want"].values()]
    return sum(getattr(value, "nbytes", 0) for value in values)
