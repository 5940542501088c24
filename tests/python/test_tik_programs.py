# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/tik on every chip that has their calls, under four schedules and every check, against NumPy."""

import sys
from pathlib import Path

import numpy as np
import pytest
from tik_program_checks import ALL, load

import sfumato.tik.compat  # noqa: F401 - the programs import tbe
from sfumato import tik
from sfumato.tik._command import main
from sfumato.tik._container import registry

EXAMPLES = Path(__file__).parents[2] / "examples" / "tik"
ORDERS = ["eager", "serial", "late", "ahead", "seed:11", "seed:12"]
WAYS = [{"schedule": schedule, "check": check} for check in ("none", "all") for schedule in ORDERS]
PROGRAMS = load()


def build(program, chip):
    """The program's Tik instance for a chip."""
    if chip.endswith("-Vector"):
        tik.set_current_compile_soc_info(chip.removesuffix("-Vector"), "VectorCore")
    else:
        tik.set_current_compile_soc_info(chip)
    path = EXAMPLES / f"{program.script}.py"
    variables = {"__name__": "program"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), variables)
    return variables[program.script](**program.arguments)


def compare(what, found, wanted):
    """Bytes, so that zeros have their signs."""
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), what
    bits = f"u{wanted.dtype.itemsize}"
    wrong = found.view(bits) != wanted.view(bits)
    assert not wrong.any(), f"{what}: {found[wrong][:4]} for {wanted[wrong][:4]} at {np.argwhere(wrong)[:4].tolist()}"


@pytest.mark.parametrize("chip", ALL)
@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_program(program, chip):
    if chip not in program.chips:
        with pytest.raises(tik.TikError) as caught:
            build(program, chip)
        assert caught.value.file == str(EXAMPLES / f"{program.script}.py")
        assert caught.value.rule.endswith("-unsupported") or caught.value.rule == "select-mode"
        return
    built = build(program, chip)
    launches = program.check(np.random.default_rng(20), chip, **program.arguments)
    for feed, expected in [launches] if isinstance(launches, tuple) else launches:
        for way in WAYS:
            outputs = built.run(feed, **way)
            assert len(outputs) == len(expected)
            for target, found, wanted in zip(built.outputs, outputs, expected):
                compare(f"{target.name}, {way}", found, np.ascontiguousarray(wanted))
            assert [str(finding) for finding in built.last.findings] == [], way


@pytest.mark.parametrize("script", sorted({program.script for program in PROGRAMS}))
def test_script_runs_by_the_command(script, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(registry, "built", None)
    chip = next(program.chips[-1] for program in PROGRAMS if program.script == script)
    assert main([str(EXAMPLES / f"{script}.py"), "--chip", chip]) == 0
    assert [kernel.kernel_name for kernel in registry.built] == [script]
