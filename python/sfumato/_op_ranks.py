# SPDX-License-Identifier: Apache-2.0
"""`sfumato op --ranks N`: the operator on several devices at once (docs/ranks.md)."""

import re

from ._native import Error
from ._world import ranks

_ONLY = ("group", "repeat", "window_mb")


def add_to(parser):
    parser.add_argument(
        "--ranks",
        type=int,
        metavar="N",
        help="call the operator on so many devices at once, 1 to 64, which reach each other by windows; in the words of --in, "
        "--attr, --shape and --out {rank} and {ranks} stand for numbers, and attributes that name groups are the group world",
    )
    parser.add_argument(
        "--group",
        action="append",
        metavar="NAME=RANK,...",
        help="with --ranks: a group of some of them with windows of its own; --attr group=NAME uses it; repeatable",
    )
    parser.add_argument(
        "--repeat", type=int, metavar="N", help="with --ranks: how often each launches, without waiting between"
    )
    parser.add_argument("--window-mb", type=int, metavar="N", help="with --ranks: MiB of each window (default 200)")


def placings(options):
    """For each rank what makes its words of those of the command line; without ranks of the only device."""
    if options.ranks is None:
        for name in _ONLY:
            if getattr(options, name) is not None:
                raise Error(f"--{name.replace('_', '-')} is for several ranks: give --ranks N")
        return [_of_one]
    if options.tile:
        raise Error("--tile shows one call: leave out --ranks")
    if not 1 <= options.ranks <= 64:
        raise Error(f"--ranks {options.ranks} is not legal; legal: 1 to 64")
    return [_placing(rank, options.ranks) for rank in range(options.ranks)]


def _of_one(text):
    if found := re.search(r"\{ranks?\}", text):
        raise Error(f"{text}: {found[0]} stands for a number with --ranks N")
    return text


def _placing(rank, count):
    return lambda text: text.replace("{rank}", str(rank)).replace("{ranks}", str(count))


def call(options, op, values, schedule):
    """What the operator returns on each rank, and the result of all."""
    words = {} if options.window_mb is None else {"window_mb": options.window_mb}
    with ranks(options.ranks, chip=op.chip, schedule=schedule or "eager", fill=op._options["fill"], **words) as world:
        for text in options.group or ():
            world.group(*_group(text, options.ranks))
        repeat = 1 if options.repeat is None else options.repeat
        return world.call(op, args=values, repeat=repeat), world.last


def _group(text, count):
    name, equals, members = text.partition("=")
    numbers = members.split(",")
    if not name or not equals or not all(number.isdecimal() and int(number) < count for number in numbers):
        raise Error(f"--group {text}: legal: NAME=RANK,... with ranks 0 to {count - 1}")
    return name, [int(number) for number in numbers]


def about(options):
    """What reports say of the world."""
    if not options.ranks:
        return {}
    return {"ranks": options.ranks, "groups": ["world", *(text.partition("=")[0] for text in options.group or ())]}


def written_twice(by_ranks):
    return "every rank writes it; put {rank} into its name" if by_ranks else "it is already the file of another output"
