# SPDX-License-Identifier: Apache-2.0
"""python -m sfumato.tik, which `sfumato tik` runs."""

import sys

from ._command import main

sys.exit(main(sys.argv[1:]))
