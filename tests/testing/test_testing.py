# SPDX-License-Identifier: Apache-2.0
"""sfumato.testing: assert_close, all schedules in one call, and the strategies for hypothesis."""

from pathlib import Path

import numpy as np
import pytest

import sfumato
from sfumato import testing

SOURCE = Path(__file__).with_name("doubles.cpp")
CHIP = "Ascend910B1"


def test_assert_close():
    want = np.arange(16, dtype=np.float32)
    assert testing.assert_close(want, want).ok
    with pytest.raises(testing.Mismatch) as error:
        testing.assert_close(want + (want == 3), want, "exact")
    assert error.value.comparison.first.index == (3,)
    assert str(error.value) == str(error.value.comparison)
    assert testing.assert_close(want + (want == 3), want, "allclose:0,1").max_abs == 1


def test_all_schedules():
    x, y = np.ones(128, np.float32), np.zeros(128, np.float32)
    result = testing.run_all_schedules(sfumato.compile(SOURCE, chip=CHIP).doubles[2], x, y, 64)
    assert result.ok and (y == 2).all()


def test_a_missing_flag_shows_under_all_schedules():
    kernel = sfumato.compile(SOURCE, chip=CHIP, defines={"WITHOUT_FLAG": None}).doubles
    x, y = np.full(128, 3, np.float32), np.zeros(128, np.float32)
    launcher = kernel[2].options(auto_sync=False)
    with pytest.raises(testing.ScheduleDependent) as error:
        testing.run_all_schedules(launcher, x, y, 64, seeds=0)
    assert str(error.value).startswith("warning [schedule-dependent]")
    assert error.value.result.findings[0].rule == "schedule-dependent"


def test_operators_run_under_all_schedules():
    op = sfumato.load_op(Path(__file__).parents[2] / "examples" / "operator", chip=CHIP)
    x = np.arange(64, dtype=np.float32)
    z = testing.run_all_schedules(op, x, x, alpha=2.0, seeds=1)
    testing.assert_close(z, 3 * x, "exact")


def test_a_kernel_keeps_options():
    kernel = sfumato.compile(SOURCE, chip=CHIP).doubles
    assert repr(kernel.options(schedule="late", strict=True)[2].options(strict=False)) == (
        "<sfumato.Launcher doubles[2] {'schedule': 'late'}>"
    )
    assert repr(kernel[2]) == "<sfumato.Launcher doubles[2] {}>"
