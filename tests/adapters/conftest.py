# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))

pytest_plugins = ["pytester"]
