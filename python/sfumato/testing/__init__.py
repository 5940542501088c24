# SPDX-License-Identifier: Apache-2.0
"""For tests of kernels: assertions that say where and how arrays differ, and launches under every order (docs/testing.md).

sfumato.testing.assert_close(got, want, "ascend")
sfumato.testing.run_all_schedules(lib.add[8], x, y, z)
sfumato.testing.strategies has strategies for hypothesis.
"""

from typing import Any

from .._native import Error, LaunchResult
from ..comparing import Comparison, compare

__all__ = ["Mismatch", "ScheduleDependent", "assert_close", "run_all_schedules"]


class Mismatch(AssertionError):
    """Arrays that are not close. `comparison` has the numbers; str() is its text."""

    def __init__(self, comparison: Comparison):
        self.comparison = comparison
        super().__init__(str(comparison))


class ScheduleDependent(AssertionError):
    """A kernel that leaves other bytes in another legal order. `result` has the findings; str() is the reports' text."""

    def __init__(self, result: LaunchResult, reports: list):
        self.result = result
        super().__init__("\n".join(map(str, reports)))


def assert_close(got: Any, want: Any, rule: str = "auto", **options: Any) -> Comparison:
    """Raises Mismatch where sfumato.compare(got, want, rule, ...) is not ok; else returns the comparison."""
    __tracebackhide__ = True
    comparison = compare(got, want, rule, **options)
    if not comparison.ok:
        raise Mismatch(comparison)
    return comparison


def run_all_schedules(launcher: Any, *arguments: Any, seeds: int = 8, **named: Any) -> Any:
    """Runs a launcher (lib.kernel[8]) or an operator of load_op under eager, late, ahead and `seeds` random orders, each from
    the same inputs. Returns what a call returns; arrays are updated as by eager.

    Raises KernelError for a fault under any of them, ScheduleDependent where bytes differ.
    """
    __tracebackhide__ = True
    if isinstance(seeds, bool) or not isinstance(seeds, int) or not 0 <= seeds <= 65535:
        raise Error(f"run_all_schedules: seeds={seeds!r} must be an int in [0, 65535]")
    if not hasattr(launcher, "options") or not callable(launcher):
        raise Error(
            f"run_all_schedules: {type(launcher).__name__} is no launcher; pass lib.kernel[blocks] or an operator of load_op"
        )
    prepared = launcher.options(schedule=f"all:{seeds}")
    returned = prepared(*arguments, **named)
    result = returned if isinstance(returned, LaunchResult) else prepared.last
    differing = [finding for finding in result.findings if finding.rule == "schedule-dependent"]
    if differing:
        raise ScheduleDependent(result, differing)
    return returned


def __getattr__(name: str):
    if name == "strategies":
        import importlib

        return importlib.import_module(".strategies", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
