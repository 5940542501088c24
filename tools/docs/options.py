# SPDX-License-Identifier: Apache-2.0
"""docs/options.md: the table of launch options, and who has which."""

from __future__ import annotations

from sfumato import _options
from sfumato._options import Option, Route

# Who has an option, as the last column says it.
ROUTES = {
    Route.RUN_COMMAND: "`run`, `check`, `gdb`, `lldb`, `time`",
    Route.TIK_COMMAND: "`tik`",
    Route.OP_COMMAND: "`op`",
    Route.ENVIRONMENT: "SFUMATO_OPTIONS",
    Route.PYTHON: "Python",
    Route.TIK_RUN: "run() of TIK",
    Route.JUDGE: "judge",
    Route.SWEEP: "sweep",
}
INTRODUCTION = """# Options of launches

An option has one name, the same values and the same default wherever it stands:

| where | how |
|---|---|
| `sfumato run`, `check`, `gdb`, `lldb`, `time`, `tik`, `op` | `--overflow infnan`; a switch that is off by default needs no value: `--strict` |
| host programs | `SFUMATO_OPTIONS=overflow=infnan,strict=on` |
| launches and operators in Python | `options(overflow="infnan", strict=True)` |
| TIK kernels in Python | `run(feed, overflow="infnan", strict=True)` |
| judge | `options={"launch": {"overflow": "infnan"}}` |
| cases of a sweep | `"options": {"overflow": "infnan"}` |

What is not legal is refused with the list of what is. Judges and sweeps settle themselves what they do not have."""
ESTIMATE = """## Of an estimate

Of `sfumato time`, of `--time` of `op` and `tik`, and, in Python, in the dictionary of the option `time`: `options(time={"l2": "warm"})`
([timing.md](timing.md))."""


def _table(options: list[Option], every: Route | None) -> list[str]:
    heads = ["option", "values", "default", "what it does", *(["who has it"] if every else [])]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for option in options:
        values = ", ".join(f"`{word}`" for word in option.words) if option.kind in ("word", "switch") else option.legal
        cells = [f"`{option.name}`", values, f"`{option.standard}`" if option.standard else "", option.sentence]
        if every:
            who = ", ".join(text for route, text in ROUTES.items() if option.routes & route)
            cells.append("all" if option.routes & every == every else who)
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def page(made: str) -> str:
    every = Route(sum(ROUTES))
    launches, estimate = (list(_options.of(route).values()) for route in (every, Route.ESTIMATE))
    return "\n".join(
        [f"<!-- {made} -->", INTRODUCTION, "", *_table(launches, every), "", ESTIMATE, "", *_table(estimate, None), ""]
    )
