# SPDX-License-Identifier: Apache-2.0
"""Every call that 20 or more of 460 public TIK programs use is there. tik_usage.csv: the call, and in how many."""

import csv
import inspect
from pathlib import Path

import pytest

from sfumato import tik
from sfumato._native import tik as native
from sfumato.tik._calls import Calls, read_table
from sfumato.tik._expr import Value
from sfumato.tik._tensor import Tensor


def read_usage() -> list:
    with Path(__file__).with_name("tik_usage.csv").open(newline="") as file:
        return [(row["call"], int(row["programs"])) for row in csv.DictReader(file)]


USAGE = read_usage()


def is_known(call: str) -> bool:
    """Whether the call works: an instruction that the native program knows, or a method written for it."""
    if call.startswith("tik."):
        return hasattr(tik, call.removeprefix("tik."))
    if call.startswith("."):
        return any(hasattr(kind, call[1:]) for kind in (Tensor, Value, tik.Scalar))
    if call.startswith("Dprofile."):
        return hasattr(tik.Dprofile, call.removeprefix("Dprofile."))
    if call.endswith("=)"):
        call, _, keyword = call.removesuffix("=)").partition("(")
        return keyword in inspect.signature(getattr(tik.Tik, call)).parameters
    return native.knows(call) or getattr(tik.Tik, call) is not Calls.__dict__.get(call)


def test_the_list():
    assert len(USAGE) == 70
    assert all(programs >= 20 for _, programs in USAGE)
    assert [programs for _, programs in USAGE] == sorted((programs for _, programs in USAGE), reverse=True)


@pytest.mark.parametrize(("call", "programs"), USAGE, ids=[call for call, _ in USAGE])
def test_is_known(call, programs):
    assert is_known(call)


def test_a_name_without_meaning_says_so():
    table = read_table()
    unknown = [call for call in table if not is_known(call)]
    assert "vector_vadd" in unknown and "call_module" in unknown
    t = tik.Tik()
    for call in unknown:
        with pytest.raises(NotImplementedError, match=f"tik: Sfumato does not implement {call};"):
            getattr(t, call)()
