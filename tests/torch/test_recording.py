# SPDX-License-Identifier: Apache-2.0
"""record_torch.py of the kit of `sfumato record`: on a CPU, whose arithmetic is IEEE 754's, and on this device npu."""

import shutil
import subprocess
import sys

import pytest
from sfumato.recording import _kit
from sfumato.recording._digest import digest

# The first survivor where PyTorch computes in the type, or in float and rounds.
EXPECTED = {
    "Div float": "nearest",
    "Reciprocal float": ("exact", "board"),
    "Mul half": "nearest",
    "Add float": "nearest",
}


@pytest.mark.parametrize("device", ["cpu", "npu:0"])
def test_operators_are_recorded(device, tmp_path):
    folder = tmp_path / "kit"
    _kit.write(folder)
    done = subprocess.run(
        [sys.executable, "record_torch.py", device], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("soc ") and done.stdout.endswith("recorded 55 of 158\n")
    found = digest(folder)
    assert (found.kind, found.recorded) == ("torch_npu", 55)
    assert "operators of torch_npu: they are no instructions" in found.text()
    for question, words in EXPECTED.items():
        assert found.of(question).survivors[0] in words, found.of(question)
    for answer in found.answers:  # PyTorch's conversions to half and bfloat16 are to nearest even
        if answer.points and answer.question.startswith("Cast float to"):
            assert answer.survivors[:1] == ("rint, infnan",) or "int" in answer.question.split(",")[0], answer
    shutil.rmtree(folder)
