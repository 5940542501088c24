# SPDX-License-Identifier: Apache-2.0
"""The installation that a test runs on, and what its build was configured with. tests/installed.py starts such tests."""

import os
import sys
from pathlib import Path

if "SFUMATO_INSTALLED" not in os.environ:
    sys.exit(f"{sys.argv[0]} tests an installation: tests/installed.py build/dev -- python {' '.join(sys.argv)}")

PREFIX = Path(os.environ["SFUMATO_INSTALLED"])  # of include, lib and share
COMMAND = Path(os.environ["SFUMATO_COMMAND"])
TOOLKIT = PREFIX / "share" / "sfumato" / "ascend"
CXX = os.environ["SFUMATO_TEST_CXX"]  # of programs; kernels are compiled as a user's are
CMAKE = os.environ["SFUMATO_TEST_CMAKE"]
RELEASE = os.environ["SFUMATO_TEST_BUILD_TYPE"] == "Release"
SANITIZE = os.environ["SFUMATO_TEST_SANITIZE"]  # e.g. "address,undefined", else empty
