# SPDX-License-Identifier: Apache-2.0
"""`sfumato judge`: one verdict of a closed list about each submission, with its reason."""

import argparse
import os
import re
import sys
from pathlib import Path

from . import judging
from ._exit import OK, USAGE
from ._native import Error
from ._processes import system
from .judging._submissions import KINDS
from .judging.pool import MODES

_EXAMPLES = """verdicts and exit codes, the first that holds: invalid 2, no-compile 3, refused 4, tiling-failed 4, timeout 6, out-of-memory 6,
crashed 7, decoy 5, wrong 5, unstable 5, right 0; of several submissions that of the first that is not right, in their order.
A wrong command line is 2, too

examples:
  sfumato judge task.py add.cpp --chip Ascend910B1
  sfumato judge task.py attempts/*.cpp --chip Ascend910B1 -j 8 --json > verdicts.jsonl
  sfumato judge tasks/add AddCustom/ --chip Ascend910B1 --memory 2G --timeout 20"""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(text):
    found = re.fullmatch(r"([0-9]+)([KMG]?)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 512M or 4G")
    return int(found[1]) * _UNITS[found[2]]


def _words(text):
    return [word for word in text.split(",") if word]


def _parser():
    parser = argparse.ArgumentParser(
        "sfumato judge", description=__doc__, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    limits, options = judging.Limits(), judging.Options()
    parser.add_argument("task", help="a Python file, or a folder with task.toml")
    parser.add_argument(
        "submissions", nargs="+", metavar="submission", help="a kernel, a project's folder, a script, a bundle"
    )
    parser.add_argument("--chip", default=os.environ.get("SFUMATO_CHIP"), help="family or product, e.g. Ascend910B1")
    parser.add_argument("--kind", choices=KINDS, help="what they are; else told from their content")
    parser.add_argument("--name", help="of the entry, where a submission has several")
    parser.add_argument(
        "--schedules", type=_words, default=list(options.schedules), metavar="A,B", help="eager,late,ahead"
    )
    parser.add_argument("--cases", type=int, metavar="N", help="at most N cases of the task")
    parser.add_argument("--seed", type=int, default=0, help="of the task's generator of cases")
    parser.add_argument(
        "--timeout", type=float, default=limits.wall, metavar="S", help="seconds of a job without compiling"
    )
    parser.add_argument(
        "--compile-timeout", type=float, default=limits.compile, metavar="S", help="seconds of compiling"
    )
    parser.add_argument("--memory", type=_bytes, default=limits.memory, metavar="SIZE", help="of a job, e.g. 4G")
    parser.add_argument("--time", action="store_true", help="estimate the time of right ones on a board")
    parser.add_argument("--sandbox", choices=MODES, default="auto", help="require: fail where it would be partial")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="jobs at once; else one for each core")
    parser.add_argument("--cache", metavar="DIR", help="of verdicts and compiled kernels; none: neither is kept")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each submission, as they end")
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
