# SPDX-License-Identifier: Apache-2.0
"""`sfumato ulp`: how far the results of an elementwise call are from exact ones, over all halves or floats of every kind."""

import argparse
import json
import math
import os
import sys

from .. import _options
from .._exit import FAULT, OK, USAGE
from .._native import CompileError, Error
from . import _calls, _inputs, _kernels, _measure

# What changes bits of results; numerics where launches have it.
OPTIONS = ("overflow", "estimate", "div", "numerics")

_EXAMPLES = """examples:
  sfumato ulp Exp half Ascend910B1
  sfumato ulp Div float Ascend910B --div seed:1 --inputs 1:2
  sfumato ulp Rsqrt float Ascend310P3 --json

The exact result is computed in float64 with a bound of its error, independently of the engine; where that leaves two
candidates a point is unsure. A unit in the last place (ulp) is that of the exact result. docs/truth.md has the figures of
every call, and says which of them rest on a board.

exit codes: 0 measured; 2 the command line is wrong; 4 the launch was refused"""


def _parser():
    parser = argparse.ArgumentParser(
        "sfumato ulp", description=__doc__, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("call", help="an elementwise call with a real result, e.g. Exp")
    parser.add_argument("type", help="half or float")
    parser.add_argument("chip", help="chip family or product")
    parser.add_argument(
        "--inputs",
        default="strata",
        metavar="WHICH",
        help="operands: all (of half); strata, which are all halves, and floats of every binade, cells of tables, subnormals "
        "and specials; LOW:HIGH, all in it or 1048576 of them. A second operand has some of every kind",
    )
    _options.add_to(parser, _options.Route.RUN_COMMAND, OPTIONS)
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    return parser


def measured(call: str, type_name: str, chip: str, inputs: str, options: dict):
    """The figures of one call. Throws Error and CompileError."""
    row, _ = _calls.find(call, type_name, chip)
    first, second = _inputs.operands(row, type_name, inputs)
    given, _ = _kernels.run(_kernels.compiled([(row, type_name)], chip), row, first, second, options)
    return _measure.measure(call, first, second, given, row.two)


def text(title: str, found: _measure.Measured) -> str:
    share = f" ({100 * found.right / found.numbers:.2f} %)" if found.numbers else ""
    unsure = f", {found.unsure} unsure" if found.unsure else ""
    rows = [("correctly rounded", f"{found.right} of {found.numbers} numbers{share}{unsure}")]
    if found.numbers:
        at = ", ".join(f"{value:.9g}" for value in found.at)
        error = f"{found.largest:.4g} ulp"
        rows.append(("largest error", f"{error} at {at}: gives {found.given:.9g}, exact {found.exact:.10g}"))
    count, right = found.subnormals
    if count:
        rows.append(("subnormal results", f"{right} of {count} correctly rounded"))
    for kind, came in found.specials.items():
        rows.append((f"exact {kind}", ", ".join(f"{name} {number}" for name, number in came.items())))
    return "\n".join([title, *(f"  {name:<23}{value}" for name, value in rows)])


def _plain(value):
    """What JSON has: inf and NaN as texts."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def main(arguments: list[str]) -> int:
    asked = _parser().parse_args(arguments)
    try:
        options = {"overflow": "board", **_options.given(asked, _options.Route.RUN_COMMAND)}
        found = measured(asked.call, asked.type, asked.chip, asked.inputs, options)
    except (Error, MemoryError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAULT if isinstance(error, CompileError) else USAGE
    said = ", ".join(f"{name}={value}" for name, value in options.items())
    try:
        if asked.json:
            answer = {
                "call": asked.call,
                "type": asked.type,
                "chip": asked.chip,
                "inputs": asked.inputs,
                "options": options,
            }
            print(json.dumps(_plain({**answer, **found._asdict()}), indent=2))
        else:
            title = f"{asked.call} of {asked.type} on {asked.chip}, {asked.inputs}: {found.points} points ({said})"
            print(text(title, found))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
