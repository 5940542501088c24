# SPDX-License-Identifier: Apache-2.0
"""python -m sfumato.tik, which `sfumato tik` runs."""

import sys

from .._exit import OK, UNWRITTEN
from ._command import main
from ._output import Streams

streams = Streams()
try:
    code = main(sys.argv[1:])
except SystemExit as stop:  # of the parser
    code = stop.code
sys.exit(UNWRITTEN if not code and streams.lost else code or OK)
