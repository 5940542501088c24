# SPDX-License-Identifier: Apache-2.0
"""`sfumato diff`: compares two files of arrays by a rule, and says where and how they differ."""

import json
import os
import sys

from . import golden
from ._exit import DIFFERENT, OK, USAGE
from ._native import Error
from ._parser import Parser
from .comparing import compare

_EXAMPLES = """rules: exact, ulp:N, allclose:RTOL,ATOL, close, ascend, ascend-ratio:L0 to L2 (with --third), share:RTOL,ATOL,FRACTION,
kernelbench, mkb, npukernelbench, auto (exact for integers and bool, else ascend; float64: close)

examples:
  sfumato diff got.npy want.npy
  sfumato diff got.npz want.npz --rule ulp:2 --json
  sfumato diff got.bin want.bin --dtype float16 --shape 8,2048 --blocks 8

exit codes: 0 equal; 1 different; 2 the command line or a file is wrong"""


def _parser():
    parser = Parser("sfumato diff", __doc__, _EXAMPLES)
    parser.add_argument("got", help="what a kernel wrote: .npy, .npz, .bin, .pt or .safetensors")
    parser.add_argument("want", help="what it should have written")
    parser.add_argument("--rule", default="auto", help="how to compare: one of the rules below")
    parser.add_argument("--third", metavar="FILE", help="the result of another implementation, for ascend-ratio")
    parser.add_argument("--dtype", metavar="TYPE", help="element type of .bin files, e.g. float16")
    parser.add_argument(
        "--want-dtype", metavar="TYPE", help="element type of the second .bin file, where it is another"
    )
    parser.add_argument("--shape", metavar="N,M", help="shape of .bin files")
    parser.add_argument(
        "--kind",
        default="compute",
        help="what made the arrays: compute, elementwise or movement; the rule auto is exact for the last two",
    )
    parser.add_argument(
        "--blocks", type=int, metavar="N", help="name the blocks of mismatches, where N blocks share the elements"
    )
    parser.add_argument(
        "--tile", type=int, metavar="N", help="name the blocks of mismatches, where each has N elements"
    )
    parser.add_argument("--equal-nan", action="store_true", default=None, help="for allclose and close: NaN equals NaN")
    parser.add_argument("--ignore-zero-sign", action="store_true", help="-0 equals 0")
    parser.add_argument("--json", action="store_true", help="print all that was found as JSON")
    return parser


def _read(path, dtype, shape):
    is_bin = path.endswith(".bin")
    arrays = golden.read(path, dtype=dtype, shape=_shape(shape) if is_bin else None)
    return arrays if isinstance(arrays, dict) else {"": arrays}


def _shape(text):
    try:
        return None if text is None else tuple(int(n) for n in text.split(",") if n.strip())
    except ValueError:
        raise Error(f"--shape {text}: legal is N,M, e.g. 8,2048") from None


def _compare(options):
    """The comparisons by name; '' is the name of the only array."""
    got = _read(options.got, options.dtype, options.shape)
    want = _read(options.want, options.want_dtype or options.dtype, options.shape)
    third = _read(options.third, options.want_dtype or options.dtype, options.shape) if options.third else {}
    for path, arrays, others in ((options.got, got, want), (options.want, want, got)):
        missing = sorted(set(others) - set(arrays))
        if missing:
            raise Error(f"{path}: it has no array {missing[0]!r}; it has {', '.join(map(repr, sorted(arrays)))}")
    return {
        name: compare(
            got[name],
            want[name],
            options.rule,
            kind=options.kind,
            third=third.get(name),
            signed_zero=not options.ignore_zero_sign,
            equal_nan=options.equal_nan,
            blocks=options.blocks,
            tile=options.tile,
        )
        for name in got
    }


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        results = _compare(options)
    except (Error, MemoryError) as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    ok = all(results.values())
    try:
        if options.json:
            answers = {name: result.to_dict() for name, result in results.items()}
            print(json.dumps(answers[""] if set(answers) == {""} else {"ok": ok, "arrays": answers}, indent=2))
        else:
            for name, result in results.items():
                print(f"{name}: {result}" if name else result)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK if ok else DIFFERENT


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
