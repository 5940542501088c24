# SPDX-License-Identifier: Apache-2.0
"""`sfumato sweep`: runs a file of cases, or makes one from what an operator declares."""

import contextlib
import json
import os
import sys
import tempfile

from .. import reports
from .._errors import OperatorError
from .._exit import INTERRUPTED, NOT_RIGHT, OK, UNWRITTEN, USAGE
from .._files import write_text
from .._full_disk import FullDisk
from .._native import CompileError, Error
from .._parser import Parser
from . import _generate
from ._summary import details, stamp, table
from ._sweep import ONLY, sweep

_EXAMPLES = """examples:
  sfumato sweep --generate AddCustom --chip Ascend910B1 --reference refs.py:add > cases.jsonl
  sfumato sweep cases.jsonl -j 8 --out results
  sfumato sweep cases.jsonl --out results --only failed
  sfumato sweep cases.jsonl --out results --shard 3/16
  sfumato sweep cases.jsonl --case 3f9c2a

exit codes: 0 every case is right; 2 the command line or a case cannot be read; 5 a case is not right; 6 the folder cannot be
written, or a disk that cases need is full; 130 interrupted. After 6 and 130 the same command goes on where it was"""


def _parser():
    parser = Parser("sfumato sweep", __doc__, _EXAMPLES)
    parser.add_argument("cases", nargs="?", help="a file with a line of JSON for each case (docs/sweeping.md)")
    parser.add_argument(
        "--out", metavar="DIR", help="folder of the results; a case that has a result there does not run again"
    )
    parser.add_argument(
        "-j", "--jobs", type=int, metavar="N", help="cases that run at once (default: one for each CPU core)"
    )
    parser.add_argument(
        "--shard", metavar="I/N", help="run the I-th of N parts of the cases; every machine parts them alike"
    )
    parser.add_argument("--only", choices=ONLY, help="run again the cases that have this result")
    parser.add_argument(
        "--case",
        action="append",
        default=[],
        metavar="ID",
        help="run only the case with this id, or with an id that begins so, and print all that is found; repeatable. Without a file "
        "of cases it is looked for in --out; without --out no result is kept",
    )
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="seconds that a launch may take")
    parser.add_argument("--memory", type=int, default=4096, metavar="MIB", help="memory that a worker may use")
    parser.add_argument(
        "--ray",
        nargs="?",
        const=True,
        metavar="ADDRESS",
        help="run on the Ray cluster at ADDRESS; without ADDRESS on one that Ray finds or starts",
    )
    parser.add_argument(
        "--report",
        metavar="DIR",
        help="run nothing; print the table of this folder, and write its results.jsonl and report.html again",
    )
    parser.add_argument("--junit", metavar="FILE", help="write the results as JUnit XML, a testcase for each case")
    parser.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF")
    parser.add_argument("--no-html", action="store_true", help="write no report.html")
    parser.add_argument("--quiet", action="store_true", help="print no progress")
    _generate.add_options(parser.add_argument_group("making cases"))
    return parser


def _shard(text):
    if text is None:
        return 1, 1
    number, slash, count = text.partition("/")
    if not slash or not number.isdigit() or not count.isdigit():
        raise Error(f"--shard {text}: legal is I/N, e.g. 3/16")
    return int(number), int(count)


def _run(options):
    if options.generate:
        for case in _generate.from_options(options):
            print(json.dumps(case))
        return OK
    if options.report:
        from ._journal import read_results
        from ._report import write_report

        results = read_results(options.report)
        if not options.no_html:
            write_report(results, os.path.join(options.report, "report.html"))
        print(table(results))
        print(stamp(results))
        _write_findings(options, results)
        return OK if all(result["ok"] for result in results) else NOT_RIGHT
    if options.case and (options.cases or options.out):
        return _run_again(options)
    if not options.cases or not options.out:
        raise Error(
            "sweep: give a file of cases and --out DIR, or --case ID with one of them, or --generate OP, or --report DIR"
        )
    done = _sweep(options, options.out)
    print(done)
    if done.failed:
        n = len(done.failed)
        print(
            f"{n} case{'s are' if n > 1 else ' is'} not right: {os.path.join(options.out, 'failed.txt')} has the commands"
        )
    print(stamp(done.results))
    told = (
        f"{done.ran} of {len(done.results)} cases ran in {done.seconds:.1f} s"
        if done.ran
        else f"{len(done.results)} cases, none ran"
    )
    print(f"{told}; {os.path.join(options.out, 'results.jsonl')}")
    _write_findings(options, done.results)
    return OK if done.ok else NOT_RIGHT


def _sweep(options, out):
    if options.jobs is not None and options.jobs < 1:
        raise Error(f"-j {options.jobs}: it is at least 1")
    return sweep(
        options.cases,
        out=out,
        workers=options.jobs,
        shard=_shard(options.shard),
        only=options.only,
        case=options.case,
        timeout=options.timeout,
        memory=options.memory << 20,
        ray=options.ray,
        progress=not options.quiet and not options.case,
        report=not options.no_html and options.out is not None,
    )


def _run_again(options):
    """The cases of --case, with all that is found."""
    with contextlib.ExitStack() as stack:
        done = _sweep(options, options.out or stack.enter_context(tempfile.TemporaryDirectory(prefix="sfumato-sweep-")))
    print("\n\n".join(map(details, done.results)))
    print(stamp(done.results))
    _write_findings(options, done.results)
    return OK if done.ok else NOT_RIGHT


def _write_findings(options, results):
    for path, write in ((options.junit, reports.junit), (options.sarif, reports.sarif)):
        if path:
            write_text(path, write(*results))


def main(arguments):
    try:
        code = _run(_parser().parse_args(arguments))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        print(f"error: {error.filename}: {error.strerror}" if error.filename else f"error: {error}", file=sys.stderr)
        return UNWRITTEN
    except FullDisk as error:
        print(f"error: {error}", file=sys.stderr)
        return UNWRITTEN
    except (Error, OperatorError, CompileError) as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
