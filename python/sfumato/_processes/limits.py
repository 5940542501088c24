# SPDX-License-Identifier: Apache-2.0
"""What one job may use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from .._native import Error


@dataclass(frozen=True)
class Limits:
    """What one job may use; what exceeds it ends with its verdict (docs/spec/clients.md, 7.3).

    wall       seconds of the job without its compiles
    cpu        seconds of CPU time of any one process of it
    memory     bytes: of its processes together, and of what one maps beyond what the interpreter needs
    files      bytes of its private folder, which is also the largest file
    processes  processes and threads at once
    compile    seconds of its compiles
    output     bytes it may print
    """

    wall: float = 60.0
    cpu: float = 120.0
    memory: int = 4 << 30
    files: int = 64 << 20
    processes: int = 256
    compile: float = 120.0
    output: int = 64 << 20

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            whole = field.type == "int"
            good = not isinstance(value, bool) and isinstance(value, int if whole else (int, float))
            if not good or not value > 0 or not math.isfinite(value):
                raise Error(f"Limits: {field.name}={value!r} must be {'an int' if whole else 'a number'} above 0")

    @classmethod
    def of(cls, limits) -> Limits:
        """Limits of Limits, a mapping of its fields, or None."""
        if isinstance(limits, cls):
            return limits
        if limits is not None and not isinstance(limits, Mapping):
            raise Error(f"judge: limits={limits!r} must be Limits or a mapping of its fields such as {{'wall': 20}}")
        names = [field.name for field in fields(cls)]
        for name in limits or {}:
            if name not in names:
                raise Error(f"judge: limits: {name!r} is not known; legal: {', '.join(names)}")
        return cls(**(limits or {}))

    def to_dict(self) -> dict:
        return {field.name: getattr(self, field.name) for field in fields(self)}
