# SPDX-License-Identifier: Apache-2.0
"""`sfumato op`: runs an operator project on files of arrays, or says what it declares."""

import ast
import functools
import json
import os
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

from . import _log_file, _op_ranks, _options, _warn, reports
from ._errors import KernelError, OperatorError
from ._exit import COMPILE, FAULT, OK, UNWRITTEN, USAGE
from ._files import write_files, write_text
from ._native import CompileError, Error
from ._op import load_op
from ._options import Route
from ._parser import Parser

_EXAMPLES = """examples:
  sfumato op AddCustom --chip Ascend910B1 --describe
  sfumato op AddCustom --chip Ascend910B1 --in x=x.npy --in z=z.npy --attr alpha=2.5 --out y=y.npy
  sfumato op Dispatch --chip Ascend910_9392 --ranks 8 --in x=x.{rank}.npy --attr world={ranks} --out y=y.{rank}.npy

exit codes: 0 it ran; 2 the command line or a file is wrong; 3 a source does not compile; 4 a report refuses the project or the
call, or the kernel has a fault; 6 an output or a file of findings could not be written"""


def _parser():
    parser = Parser("sfumato op", __doc__, _EXAMPLES)
    parser.add_argument(
        "folder", help="the project: the folder with op_host and op_kernel, one above it, or a JSON file"
    )
    parser.add_argument("--chip", required=True, help="family or product (`sfumato chips` lists them)")
    parser.add_argument("--op", metavar="NAME", help="the operator, as OP_ADD names it, where there are several")
    parser.add_argument(
        "--in",
        dest="inputs",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="the .npy file of an input; a dynamic input takes several files, with commas between; repeatable",
    )
    parser.add_argument(
        "--attr", action="append", default=[], metavar="NAME=VALUE", help="value of an attribute; repeatable"
    )
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="the .npy file that an output is written to; repeatable",
    )
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=TYPE[N,M]",
        help="type and shape of an output that the project does not infer, e.g. y=float16[8,2048]; repeatable",
    )
    parser.add_argument("--describe", action="store_true", help="run nothing; print what the operator declares")
    parser.add_argument("--tile", action="store_true", help="run only the tiling function; print what it chooses")
    parser.add_argument(
        "--json", metavar="FILE", help="write the findings, or with --describe and --tile what these print, as JSON"
    )
    parser.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF")
    parser.add_argument("--junit", metavar="FILE", help="write the findings as JUnit XML")
    parser.add_argument(
        "-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro; repeatable"
    )
    parser.add_argument(
        "-I", dest="include_dirs", action="append", default=[], metavar="DIR", help="folder of headers; repeatable"
    )
    _op_ranks.add_to(parser)
    _options.add_to(parser, Route.OP_COMMAND | Route.ESTIMATE)
    _log_file.add_to(parser)
    return parser


class _Unwritten(Exception):
    """An output, or a file of findings, that could not be saved."""


def _pairs(words, option):
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise Error(f"{option} {word}: legal is NAME=VALUE")
        if name in pairs:
            raise Error(f"{option} {word}: {name} is given twice")
        pairs[name] = value
    return pairs


def _array(path, types):
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise Error(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if array.dtype == np.dtype("V2") and "bfloat16" in types:  # what numpy.save makes of ml_dtypes
        array = array.view(ml_dtypes.bfloat16)
    return np.ascontiguousarray(array)


def _value(text):
    """A number, True, False, or a list as Python writes them; else the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False}.get(text, text)


def _shape(text):
    name, bracket, rest = text.partition("[")
    if not bracket or not rest.endswith("]"):
        raise Error(f"--shape {text}: legal is TYPE[N,M], e.g. float16[8,2048]")
    try:
        return tuple(int(n) for n in rest[:-1].split(",") if n.strip()), name
    except ValueError:
        raise Error(f"--shape {text}: legal is TYPE[N,M], e.g. float16[8,2048]") from None


def _describe(op):
    attrs = [
        {"name": a.name, "type": a.type, "required": a.required, **({} if a.required else {"default": a.default})}
        for a in op.attrs
    ]
    return {
        "name": op.name,
        "chip": op.chip,
        "chips": op.chips,
        "inputs": [{"name": p.name, "kind": p.kind} for p in op.inputs],
        "outputs": [{"name": p.name, "kind": p.kind} for p in op.outputs],
        "attrs": attrs,
        "combinations": op.combinations,
        "kernel_source": op.kernel_source,
        "host_sources": op.host_sources,
    }


def _describe_text(d):
    lines = [f"{d['name']} for {d['chip']} (AddConfig: {', '.join(d['chips'])})"]
    for side in ("inputs", "outputs"):
        for p in d[side]:
            types = [c[p["name"]] for c in d["combinations"]]
            kind = "" if p["kind"] == "required" else f" ({p['kind']})"
            lines.append(f"  {side[:-1]:<7} {p['name']}{kind}: {' | '.join(types)}")
    for a in d["attrs"]:
        value = "required" if a["required"] else f"default {a['default']!r}"
        lines.append(f"  attr    {a['name']}: {a['type']}, {value}")
    lines.append(f"  kernel  {d['kernel_source']}")
    return "\n".join(lines)


def _tiling(t):
    return {
        "blocks": t.blocks,
        "key": t.key,
        "data": t.data.hex(),
        "workspaces": list(t.workspaces),
        "schedule_mode": t.schedule_mode,
        "log": t.log,
        "outputs": [[{"shape": list(s.shape), "dtype": s.dtype, "format": s.format} for s in o] for o in t.outputs],
    }


def _write(path, text):
    if path == "-":
        print(text)
        return
    try:
        write_text(path, text + "\n")
    except OSError as error:
        raise _Unwritten(f"{path}: {error.strerror}") from None


def _load(options):
    project = options.folder
    if project.endswith(".json"):
        project = Path(project).read_text(encoding="utf-8")
    defines = {}
    for word in options.defines:
        name, equals, value = word.partition("=")
        defines[name] = value if equals else None
    return load_op(project, chip=options.chip, op=options.op, defines=defines, include_dirs=options.include_dirs)


def _values(options, op, placed):
    """What a call is given, by name. placed: the text of a word, for one rank."""
    files = _pairs(map(placed, options.inputs), "--in")
    params = {p.name: p for p in op.inputs}
    values = {name: _value(text) for name, text in _pairs(map(placed, options.attr), "--attr").items()}
    for name, text in files.items():
        if name not in params:
            raise Error(f"--in {name}={text}: the inputs of {op.name} are {', '.join(params) or 'none'}")
        types = params[name].types
        arrays = [_array(path, types) for path in text.split(",")]
        values[name] = arrays if params[name].kind == "dynamic" else arrays[0]
    for name, value in values.items():
        if any(a.name == name and a.type == "string" for a in op.attrs):
            values[name] = str(value) if not isinstance(value, str) else value
    shapes = {name: _shape(text) for name, text in _pairs(map(placed, options.shape), "--shape").items()}
    names = [p.name for p in op.outputs]
    for name in (*shapes, *_pairs(map(placed, options.out), "--out")):
        if name not in names:
            raise Error(f"{name}: the outputs of {op.name} are {', '.join(names)}")
    if shapes:
        values["out"] = [shapes.get(name) for name in names]
    return values


def _save(options, op, placed, results, saved):
    """Adds what is written to files, by path: (option, writes it to a file)."""
    outputs = _pairs(map(placed, options.out), "--out")
    for name, result in zip((p.name for p in op.outputs), results if isinstance(results, tuple) else (results,)):
        if name not in outputs:
            continue
        for i, array in enumerate(result if isinstance(result, list) else [result]):
            path = outputs[name] if not isinstance(result, list) else outputs[name].replace("{}", str(i))
            if path in saved:
                why = _op_ranks.written_twice(saved[path][0] == name and options.ranks)
                raise Error(f"--out {name}={path}: {why}")
            saved[path] = name, functools.partial(np.save, arr=array)


def _call(options):
    """Loads and runs; returns the result of the launch, or None."""
    op = _load(options)
    if options.describe:
        d = _describe(op)
        _write(options.json, json.dumps(d, indent=2)) if options.json else print(_describe_text(d))
        return None
    placings = _op_ranks.placings(options)
    values = [_values(options, op, placed) for placed in placings]
    said = _options.given(options, Route.OP_COMMAND)
    if options.time is not None:
        said["time"] = _options.given(options, Route.ESTIMATE)
    schedule = said.pop("schedule", None) if options.ranks else None
    op = op.options(**said)
    if options.tile:
        t = op.tile(**values[0])
        for finding in t.findings:
            print(finding, file=sys.stderr)
        _write(options.json or "-", json.dumps(_tiling(t), indent=2))
        return None
    log = _log_file.LogFile(options.log)
    op = op.options(**log.options)
    try:
        if options.ranks:
            results, last = _op_ranks.call(options, op, values, schedule)
        else:
            results, last = [op(**values[0])], op.last
    finally:
        lost = log.finish()
    saved = {}
    for placed, result in zip(placings, results):
        _save(options, op, placed, result, saved)
    try:
        write_files([(path, write) for path, (_, write) in saved.items()])
    except OSError as error:
        name, _ = saved[error.filename]
        raise _Unwritten(f"--out {name}={error.filename}: {error.strerror}") from None
    if lost:
        raise _Unwritten(lost)
    if options.time:
        _write(options.time, last.estimate.shown(options.time))
    return last


def _report(options, run, text):
    """What is printed of a run, and its files."""
    shown = reports.Run.of(run, source=options.folder, **_op_ranks.about(options))
    if not text:
        for finding in shown.findings:
            print(finding, file=sys.stderr)
        counts = {s: sum(f.severity == s for f in shown.findings) for s in ("fault", "warning", "note")}
        to = sys.stderr if "-" in (options.json, options.sarif, options.junit) else sys.stdout
        print(", ".join(f"{n} {s}{'' if n == 1 else 's'}" for s, n in counts.items()), file=to)
    for path, write in ((options.json, reports.json), (options.sarif, reports.sarif), (options.junit, reports.junit)):
        if path:
            _write(path, write(shown).rstrip("\n"))


def main(arguments):
    options = _parser().parse_args(arguments)
    _warn.silence()  # all findings are printed
    code, run, text = OK, None, None
    try:
        try:
            run = _call(options)
        except KernelError as error:
            code, run = FAULT, error
        except OperatorError as error:
            code, run, text = FAULT, error, str(error)
        except CompileError as error:
            code, run, text = COMPILE, error, f"error: {error}"
        except BrokenPipeError:
            raise
        except (Error, OSError) as error:
            code, text = USAGE, f"error: {error}"
            run = reports.Run(error_kind="usage", error=str(error))
        if text:
            print(text, file=sys.stderr)
        if run is not None:
            _report(options, run, text)
        sys.stdout.flush()
    except _Unwritten as error:
        print(f"error: {error}", file=sys.stderr)
        return UNWRITTEN
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
