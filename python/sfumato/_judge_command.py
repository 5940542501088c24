# SPDX-License-Identifier: Apache-2.0
"""`sfumato judge` runs submitted kernels on the cases of a task, each in a sandbox, and gives one verdict about each."""

import argparse
import os
import re
import sys
from pathlib import Path

from . import judging
from ._exit import OK, USAGE
from ._native import Error
from ._parser import Parser
from ._processes import system
from .judging._submissions import KINDS
from .judging.pool import MODES

_EXAMPLES = """A verdict is the first of these that holds, and the exit code is its number: invalid 2, no-compile 3, refused 4,
tiling-failed 4, timeout 6, out-of-memory 6, crashed 7, decoy 5, wrong 5, unstable 5, right 0 (docs/judging.md).
Of several submissions the first that is not right decides the exit code. It is 2 for a wrong command line, too

examples:
  sfumato judge task.py add.cpp --chip Ascend910B1
  sfumato judge task.py attempts/*.cpp --chip Ascend910B1 -j 8 --json > verdicts.jsonl
  sfumato judge tasks/add AddCustom/ --chip Ascend910B1 --memory 2G --timeout 20"""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(text):
    found = re.fullmatch(r"([0-9]+)([KMG]?)", text)
    if not found:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size; legal: a number of bytes, or one with K, M or G, such as 4G"
        )
    return int(found[1]) * _UNITS[found[2]]


def _words(text):
    return [word for word in text.split(",") if word]


def _parser():
    parser = Parser("sfumato judge", __doc__, _EXAMPLES)
    limits, options = judging.Limits(), judging.Options()
    parser.add_argument("task", help="what to solve: a Python file, or a folder with task.toml")
    parser.add_argument(
        "submissions",
        nargs="+",
        metavar="submission",
        help="an attempt: a kernel's source, the folder of an operator project, a TIK script, a model, a bundle in JSON",
    )
    parser.add_argument(
        "--chip",
        default=os.environ.get("SFUMATO_CHIP"),
        help="family or product, e.g. Ascend910B1 (default: $SFUMATO_CHIP)",
    )
    parser.add_argument("--kind", choices=KINDS, help="what the submissions are (default: told from their content)")
    parser.add_argument("--name", help="the kernel or operator to run, where a submission has several")
    parser.add_argument(
        "--schedules",
        type=_words,
        default=list(options.schedules),
        metavar="A,B",
        help="run every case under each of these schedules (default: eager,late,ahead)",
    )
    parser.add_argument("--cases", type=int, metavar="N", help="run at most N cases of the task")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers that the task makes cases from")
    parser.add_argument(
        "--timeout", type=float, default=limits.wall, metavar="S", help="seconds that a job may take, without compiling"
    )
    parser.add_argument(
        "--compile-timeout", type=float, default=limits.compile, metavar="S", help="seconds that compiling may take"
    )
    parser.add_argument(
        "--memory", type=_bytes, default=limits.memory, metavar="SIZE", help="memory that a job may use, e.g. 4G"
    )
    parser.add_argument("--time", action="store_true", help="estimate how long right submissions would take on a board")
    parser.add_argument(
        "--sandbox",
        choices=MODES,
        default="auto",
        help="require: refuse to run where the sandbox would be partial; off: no namespaces, no control groups",
    )
    parser.add_argument(
        "-j", "--jobs", type=int, metavar="N", help="jobs that run at once (default: one for each CPU core)"
    )
    parser.add_argument("--cache", metavar="DIR", help="folder of verdicts and compiled kernels; none: keep neither")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each submission, as they end")
    return parser


def main(arguments: list[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        limits = judging.Limits(wall=options.timeout, memory=options.memory, compile=options.compile_timeout)
        words = {name: getattr(options, name) for name in ("kind", "name", "schedules", "cases", "seed", "time")}
        verdicts = judging.judge_many(
            ((Path(submission), Path(options.task)) for submission in options.submissions),
            chip=options.chip,
            limits=limits,
            options=words,
            cache=options.cache or True,
            workers=options.jobs or min(len(options.submissions), system.processors()),
            sandbox=options.sandbox,
        )
        return _print(verdicts, options)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _print(verdicts, options):
    codes, said_partial = {}, False
    for verdict in verdicts:
        name = options.submissions[verdict.index]
        codes[verdict.index] = verdict.exit_code
        if options.json:
            print(verdict.to_json(), flush=True)
        else:
            if verdict.sandbox == "partial" and not said_partial:
                said_partial = True
                print(
                    f"note: the sandbox is partial: {'; '.join(verdict.sandbox_lacking)}", file=sys.stderr, flush=True
                )
            print(f"{name}: {verdict}" if len(options.submissions) > 1 else verdict, flush=True)
    return next((codes[index] for index in sorted(codes) if codes[index]), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
