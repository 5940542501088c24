# SPDX-License-Identifier: Apache-2.0
"""tikdb: running a built kernel as the vendor's debugger does."""

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._debugger import Debugger, DebugQuit, Watcher
from ._errors import fault
from ._recorder import Recorder
from ._where import here


class Tikdb:
    """The debugger of one Tik instance."""

    def __init__(self, tik, disabled: bool):
        self._tik, self._disabled = tik, disabled

    def start_debug(self, feed_dict: Mapping[str, Any], interactive: bool = True, desc_tensor=None) -> list[np.ndarray]:
        """Runs the built kernel; the outputs in order. Refused after Tik(disable_debug=True).

        interactive  True: stops before the first statement and asks for commands on the standard input. Raises
                     DebugQuit when the debugger is left before the kernel has ended.
        """
        if self._disabled:
            raise fault("the debug function is disabled")
        return self.run(feed_dict, interactive) or [np.zeros(1, np.uint8)]

    def debug_print(self, expr: str) -> None:
        """Prints a Python expression over the values of the kernel when start_debug comes here (see docs)."""
        if not isinstance(expr, str) or not expr.strip():
            raise fault("the argument is a Python expression in a string", found=repr(expr))
        if isinstance(self._tik._program, Recorder):
            self._tik._program.debug_print(expr, here())

    def run(self, feed_dict: Mapping[str, Any], interactive: bool, **options: Any) -> list[np.ndarray]:
        """As Tik.run, debugged. The instance must have been made for it."""
        program = self._tik._program
        if not interactive:
            debugger = Watcher(program) if program.prints else None
            return self._tik._launch(feed_dict, debugger, **options)
        debugger = Debugger(program, self._tik.kernel_name)
        outputs = self._tik._launch(feed_dict, debugger, **{"warn": False, **options})  # findings are printed below
        if debugger.quit_at:
            file, line = debugger.quit_at
            raise DebugQuit(
                f"tik: the debugger was left at {file}:{line}, before the kernel had ended; "
                "c runs to the end, interactive=False does without commands"
            )
        sys.stdout.write("The kernel has ended.\n")
        for finding in self._tik.last.findings:
            sys.stdout.write(f"{finding}\n")
        return outputs
