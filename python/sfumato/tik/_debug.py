# SPDX-License-Identifier: Apache-2.0
"""tikdb: running a built kernel as the vendor's debugger does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._errors import fault


class Tikdb:
    """The debugger of one Tik instance."""

    def __init__(self, tik, disabled: bool):
        self._tik, self._disabled = tik, disabled

    def start_debug(self, feed_dict: Mapping[str, Any], interactive: bool = True, desc_tensor=None) -> list[np.ndarray]:
        """Runs the built kernel; the outputs in order. Needs Tik(disable_debug=False)."""
        if self._disabled:
            raise fault(
                "debug",
                "the debug function is disabled",
                instruction="start_debug",
                hint="make the instance with tik.Tik(disable_debug=False), or call run(feed_dict)",
            )
        if interactive:
            raise NotImplementedError("tik: start_debug(interactive=True) is not implemented; pass interactive=False")
        return self._tik.run(feed_dict) or [np.zeros(1, np.uint8)]
