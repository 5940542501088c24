# SPDX-License-Identifier: Apache-2.0
"""How long a launch would take on a board: an estimate, as `sfumato time` prints it."""

from __future__ import annotations

from typing import Any


class Estimate:
    """An estimate of time from published figures, never a measurement (docs/timing.md).

    core_us     microseconds until the last core ends
    task_us     the same with what the launch adds
    cycles      of the core's clock
    low_us, high_us   the interval of core_us that the error of its class says; None where none is stated
    data        everything, as the JSON of `sfumato time` has it
    """

    def __init__(self, text: str, words: str):
        import json

        self.data: dict[str, Any] = json.loads(text)
        self._words = words

    def __getattr__(self, name: str) -> Any:
        if name != "data" and name in self.data:
            return self.data[name]
        raise AttributeError(f"an estimate has no {name!r}")

    @property
    def low_us(self) -> float | None:
        return self.data["error"].get("low_us")

    @property
    def high_us(self) -> float | None:
        return self.data["error"].get("high_us")

    def busy(self, pipe: str, kind: str | None = None) -> float:
        """Microseconds that a pipe ("V", "MTE2" ...) is busy, mean of the cores; of one kind ("aiv", "aic") or the most."""
        found = [p["busy_us"] for p in self.data["pipes"] if p["pipe"] == pipe and kind in (None, p["kind"])]
        return max(found, default=0.0)

    def shown(self, where: str) -> str:
        """What a command writes: the words to "-", the JSON to a file."""
        import json

        return str(self).rstrip("\n") if where == "-" else json.dumps(self.data)

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return f"<sfumato.Estimate of {self.data['kernel']} on {self.data['chip']}: {self.data['core_us']:.4g} us of core time>"
