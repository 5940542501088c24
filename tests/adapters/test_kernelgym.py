# SPDX-License-Identifier: Apache-2.0
"""The backend of KernelGYM: every error code, and what an answer never has."""

import pytest
import sfumato
from add_submission import KERNEL, TASK
from sfumato.adapters import kernelgym


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    made = kernelgym.SfumatoBackend("Ascend910B1", cache=tmp_path_factory.mktemp("cache"))
    yield made
    made.cleanup()


def ask(backend, code, **more):
    return backend.evaluate({"task_id": "t1", "reference_code": TASK, "kernel_code": code, **more})


def test_a_right_kernel(backend):
    answer = ask(backend, KERNEL, num_correct_trials=2, timeout=60)
    verdict = answer.pop("metadata")["verdict"]
    assert answer == {
        "task_id": "t1",
        "status": "completed",
        "compiled": True,
        "correctness": True,
        "decoy_kernel": False,
        "reference_runtime": None,
        "kernel_runtime": None,
        "speedup": None,
        "error_message": None,
        "error_code": None,
    }
    assert len(verdict["cases"]) == 2


@pytest.mark.parametrize(
    ("change", "error", "status", "compiled"),
    [
        (("Add(a, a, b", "Sub(a, a, b"), "CORRECTNESS_ERROR", "completed", True),
        (
            ("    SetFlag<HardEvent::MTE2_V>(0);\\n    WaitFlag<HardEvent::MTE2_V>(0);\\n", ""),
            "CORRECTNESS_ERROR",
            "completed",
            True,
        ),
        (("Add(a, a, b", "Addd(a, a, b"), "COMPILATION_ERROR", "completed", False),
        (("DataCopy(a, gx", "DataCopy(a[1], gx"), "RUNTIME_ERROR", "completed", True),
        ((KERNEL, "#include <math.h>"), "VALIDATION_ERROR", "failed", False),
        ((KERNEL, "short"), "VALIDATION_ERROR", "failed", False),
        ((KERNEL, "class ModelNew:\\n  def"), "SYNTAX_ERROR", "failed", False),
    ],
)
def test_errors(backend, change, error, status, compiled):
    answer = ask(backend, KERNEL.replace(*(part.replace("\\n", "\n") for part in change)))
    assert (answer["error_code"], answer["status"], answer["compiled"]) == (error, status, compiled), answer[
        "error_message"
    ]
    assert not answer["correctness"] and not answer["decoy_kernel"] and answer["error_message"]


def test_requests_that_cannot_be_read(backend):
    assert (
        ask(backend, KERNEL, num_correct_trials=21)["error_message"]
        == "num_correct_trials: 21 must be an int of 1 to 20"
    )
    assert ask(backend, KERNEL, timeout=5)["error_message"] == "timeout: 5 must be an int of 10 to 3600"
    assert ask(backend, None)["error_message"] == "kernel_code: it is a text; found NoneType"
    assert backend.evaluate({"kernel_code": KERNEL})["error_message"] == "reference_code: it is a text; found NoneType"


def test_the_methods_of_a_backend(backend):
    compiled = backend.compile(KERNEL)
    assert compiled["compiled"] and compiled["error_code"] is None
    handle = backend.create_model(backend.load(compiled["artifact"]))
    assert backend.run(handle, {"reference_code": TASK})["correctness"]
    with pytest.raises(sfumato.Error, match="the artifact of compile"):
        backend.load({})


def test_every_verdict_has_an_answer():
    from sfumato.judging import VERDICTS

    assert set(VERDICTS) == {*kernelgym.ERRORS, "right", "decoy"}
