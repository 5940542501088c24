# SPDX-License-Identifier: Apache-2.0
"""The submissions with known verdicts, and what tests judge them with."""

import json
from pathlib import Path

import submissions
from sfumato.judging import Limits

CHIP = "Ascend910B1"
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "judge.schema.json").read_text(encoding="utf-8"))
LIMITS = Limits(wall=1.5, cpu=60, memory=512 << 20)
KNOWN = submissions.read()
TEXT = {name: text for name, _, _, text, _ in KNOWN}
RIGHT = TEXT["right-body-plain"]
