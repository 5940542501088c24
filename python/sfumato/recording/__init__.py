# SPDX-License-Identifier: Apache-2.0
"""Records of boards (docs/recording.md): the kit that volunteers run, what its bits say, and records that are kept.

`sfumato record` is this package. Models, probes and digest import nothing of Sfumato but each other.
"""
