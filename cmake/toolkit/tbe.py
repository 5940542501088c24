# SPDX-License-Identifier: Apache-2.0
"""The vendor's Python packages tbe and te, for scripts under `sfumato env`: sfumato.tik.compat takes their names."""

import sfumato.tik.compat  # noqa: F401
