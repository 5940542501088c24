# SPDX-License-Identifier: Apache-2.0
"""The command: runs a script, then a kernel it built on .npy files."""

import argparse
import functools
import math
import sys
import traceback
from pathlib import Path

import numpy as np

from .. import _log_file, _options, tik
from .._errors import KernelError
from .._exit import COMPILE, FAULT, OK, QUIT, UNWRITTEN, USAGE
from .._files import write_files
from .._native import Error
from .._options import Route
from .._parser import Parser
from .._types import dtype_of
from . import _container, _platform, compat
from . import _telling as telling
from ._telling import Refused, say

_EPILOG = """\
Without --in, --out and --inout only the script runs: it builds its kernels, and runs those that it starts itself.

Exit codes: 0 all well; 2 the command line or a file is wrong, or the script raises an error of its own;
3 the script does not build; 4 the kernel has a fault (no output file is written), or, with --fail-on warning, a warning
(output files are written); 5 the debugger was left; 6 the kernel ran and its output files are complete, but standard
output, standard error, --json, --sarif, --junit, --log or --trace could not be written.

Examples:
  sfumato tik add.py --chip Ascend910B1 --in src_gm=src.npy --out dst_gm=dst.npy
  sfumato tik in_place.py --chip Ascend910B1 --inout x,y=data.npy
  sfumato tik op.py --chip Ascend310P3 --call 'op((16, 64), "float16")' --kernel op --in x=x.npy --in n=3 --out y=y.npy
"""


class _Parser(Parser):
    def error(self, message):
        """Ends nothing yet: --json and its like are owed the message."""
        raise Refused(f"{self.plain(message)}\n`sfumato tik --help` lists what is legal.")


def _add_files(p):
    p.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help="write the findings as JSON to standard output, or to a file",
    )
    p.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF 2.1.0; - is standard output")
    p.add_argument("--junit", metavar="FILE", help="write the findings as JUnit XML; - is standard output")


def _files_of(arguments):
    """What a command line that cannot be read asks for."""
    p = _Parser("sfumato tik", add_help=False)
    _add_files(p)
    try:
        files, _ = p.parse_known_args(arguments)
    except Refused:
        files = argparse.Namespace(json=None, sarif=None, junit=None)
    files.script = ""
    return files


def parser() -> argparse.ArgumentParser:
    p = _Parser("sfumato tik", "Run a TIK script, and a kernel it builds.", _EPILOG)
    p.add_argument("script", help="Python script that builds kernels with TIK")
    p.add_argument("script_arguments", nargs="*", metavar="ARG", help="arguments of the script itself; best after --")
    p.add_argument("--chip", metavar="NAME", help="chip family or product; the choice of the script itself goes before")
    p.add_argument(
        "--in",
        dest="inputs",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="the .npy file of an input, or a number; repeatable",
    )
    p.add_argument(
        "--out",
        dest="outputs",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="the .npy file that an output is written to; repeatable",
    )
    p.add_argument(
        "--inout",
        dest="shared",
        action="append",
        default=[],
        metavar="NAMES=FILE",
        help="one array for the tensors NAMES (x,y): read from FILE and written back, or to OUT: NAMES=IN.npy=OUT",
    )
    p.add_argument(
        "--shape",
        dest="shapes",
        action="append",
        default=[],
        metavar="NAME=N,M",
        help="shape of an output or workspace whose script says only that it is large",
    )
    p.add_argument("--kernel", metavar="NAME", help="the kernel to run; needed where the script builds several")
    p.add_argument(
        "--call",
        metavar="EXPR",
        help="Python expression to evaluate in the script after it ran, e.g. a call of the function that builds the kernel",
    )
    p.add_argument("--out-dir", metavar="DIR", help="folder that kernel_meta/<kernel>.json is written to")
    _options.add_to(p, Route.TIK_COMMAND | Route.ESTIMATE)
    p.add_argument(
        "--debug",
        action="store_true",
        help="run the kernel under the debugger of TIK, whose commands are like those of pdb",
    )
    p.add_argument(
        "--fail-on",
        default="fault",
        choices=("fault", "warning"),
        help="end with exit code 4 at a fault, or at a warning, too",
    )
    _add_files(p)
    _log_file.add_to(p)
    return p


def _parsed(arguments):
    """argparse gives the script no arguments behind -- once options stood between."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser().parse_args(arguments[:end])
    options.script_arguments += arguments[end + 1 :]
    return options


def main(arguments: list[str]) -> int:
    try:
        options = _parsed(arguments)
    except Refused as error:
        return telling.Telling(_files_of(arguments)).error(USAGE, f"sfumato tik: error: {error}")
    registry = _container.registry
    registry.built, registry.out_dir, registry.debug = [], options.out_dir, options.debug
    registry.runs, registry.check = [], options.check or ""
    told = telling.Telling(options)
    try:
        complete = _run(options)
        return told.runs(registry.runs, OK if complete else UNWRITTEN)
    except KernelError as error:
        return told.runs(registry.runs, FAULT, error)
    except tik.TikError as error:
        return told.error(COMPILE, str(error), error)
    except tik.DebugQuit as error:
        say(str(error))
        return QUIT
    except (Refused, Error) as error:
        return told.error(USAGE, f"sfumato: {error}")
    finally:
        registry.runs = None


def _run(options) -> bool:
    """Whether all but the findings is written."""
    if options.chip:
        try:
            _platform.choose_chip(options.chip)
        except tik.TikError as error:
            raise Refused(f"--chip {options.chip}: no such chip for TIK; legal: {error.legal}") from None
    variables = _execute(options)
    if options.call:
        try:
            eval(compile(options.call, "--call", "eval"), variables)
        except (KernelError, Error, tik.DebugQuit):
            raise
        except Exception:
            raise Refused(f"--call {options.call}:\n{traceback.format_exc(limit=-3)}") from None
    if not (options.inputs or options.outputs or options.shared or options.shapes or options.debug):
        return True
    kernel = _choose(options.kernel)
    if options.chip:
        _note_other_chip(options.chip, kernel)
    names = {target.name: target for target in [*kernel.inputs, *kernel.outputs]}
    feed = {name: _read(name, text, names) for name, text in map(_pair, options.inputs)}
    wanted = dict(map(_pair, options.outputs))
    outputs = {target.name for target in kernel.outputs}
    for name in wanted:
        if name not in outputs:
            raise Refused(f"--out {name}: the outputs are {', '.join(sorted(outputs)) or 'none'}")
    for text in options.shared:
        wanted.update(_share(text, names, outputs, feed))
    run = functools.partial(kernel.tikdb.run, interactive=True) if options.debug else kernel.run
    run_options = _launch_options(options)
    if options.shapes:
        run_options["shapes"] = {name: _shape(name, text) for name, text in map(_pair, options.shapes)}
    log = _log_file.LogFile(options.log)
    arrays = run(feed, **log.options, **run_options)
    saved = [
        (wanted[target.name], functools.partial(np.save, arr=array))
        for target, array in zip(kernel.outputs, arrays)
        if target.name in wanted
    ]
    if options.time:
        words = kernel.last.estimate.shown(options.time)
        if options.time == "-":
            print(words)
        else:
            saved.append((options.time, lambda file: file.write(f"{words}\n".encode())))
    try:
        write_files(saved)
    except OSError as error:
        raise Refused(f"an output cannot be written: {error.filename}: {error.strerror}") from None
    lost = log.finish()
    if lost:
        say(f"sfumato: {lost}")
    return not lost


def _execute(options) -> dict:
    """Runs the script as __main__ with `tik` in its names, as the pages' examples expect."""
    path = Path(options.script)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    compat.install()
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv = [options.script, *options.script_arguments]
    variables = {"__name__": "__main__", "__file__": options.script, "__builtins__": __builtins__, "tik": tik}
    try:
        exec(compile(source, options.script, "exec"), variables)
    except (KernelError, Error, tik.DebugQuit):
        raise
    except SystemExit as stop:
        if stop.code not in (None, 0):
            raise Refused(f"{path} ended with exit code {stop.code}") from None
    except Exception as error:
        tail = error.__traceback__.tb_next
        text = "".join(traceback.format_exception(type(error), error, tail))
        raise Refused(f"{path} raised\n{text.rstrip()}") from None
    return variables


def _choose(name):
    built = _container.registry.built
    if not built:
        raise Refused("the script built no kernel; does it only define functions? Then give --call 'function(...)'")
    matching = [kernel for kernel in built if name in (None, kernel.kernel_name)]
    if len(matching) != 1:
        names = ", ".join(kernel.kernel_name for kernel in built)
        raise Refused(f"which kernel? --kernel {name or 'NAME'}: the script built {names}")
    return matching[0]


def _note_other_chip(chip, kernel):
    if chip.lower() not in (kernel.soc.product.lower(), kernel.soc.family["name"].lower()):
        say(f"note: the script chose {kernel.soc.product} itself, not --chip {chip}")


def _pair(text):
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise Refused(f"'{text}': NAME=FILE is needed")
    return name, value


def _shape(name, text):
    try:
        return tuple(int(n) for n in text.strip("[]()").split(",") if n.strip())
    except ValueError:
        raise Refused(f"--shape {name}={text}: whole numbers with commas between are needed, e.g. 8,2048") from None


def _read(name, text, names):
    target = names.get(name)
    if target is None:
        raise Refused(f"--in {name}: the kernel's arguments are {', '.join(names)}")
    if isinstance(target, tik.InputScalar):
        try:
            return float(text) if target.dtype.startswith(("float", "bfloat")) else int(text, 0)
        except ValueError:
            raise Refused(f"--in {name}={text}: a number of {target.dtype} is needed") from None
    try:
        array = np.load(text, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise Refused(f"--in {name}={text}: {error}") from None
    # NumPy saves types it does not know, such as bfloat16, as plain bytes.
    wanted = dtype_of(target.dtype)
    return array.view(wanted) if array.dtype.kind == "V" and array.itemsize == wanted.itemsize else array


def _share(text, names, outputs, feed) -> dict[str, str]:
    """Feeds one array to several tensors; the output among them and its file."""
    listed, path = _pair(text)
    # A path may hold '=': the one after ".npy" separates.
    source, npy, target = path.partition(".npy=")
    source = source + ".npy" if npy else path
    output = next((name for name in listed.split(",") if name in outputs), None)
    if output is None:
        raise Refused(f"--inout {listed}: none of them is an output; the outputs are {', '.join(sorted(outputs))}")
    array = None
    for name in listed.split(","):
        if name in feed:
            raise Refused(f"--inout {name}: the tensor has an array already")
        if isinstance(names.get(name), tik.InputScalar):
            raise Refused(f"--inout {name}: an InputScalar is a number; give it with --in")
        if array is None:
            array = _read(name, source, names)
        elif name not in names:
            raise Refused(f"--inout {name}: the kernel's arguments are {', '.join(names)}")
        feed[name] = _as_tensor(array, names[name])
    return {output: target or path}


def _as_tensor(array, tensor):
    """The same bytes with the type and shape of the tensor, where they can have them."""
    wanted = dtype_of(tensor.dtype)
    size = math.prod(dim if isinstance(dim, int) else 0 for dim in tensor.shape)
    if array.dtype == wanted and array.size != size or array.nbytes != size * wanted.itemsize:
        return array
    return np.ascontiguousarray(array).view(wanted).reshape(tensor.shape)


def _launch_options(arguments):
    said = _options.given(arguments, Route.TIK_COMMAND)
    if arguments.time is not None:
        said["time"] = _options.given(arguments, Route.ESTIMATE)
    return said
