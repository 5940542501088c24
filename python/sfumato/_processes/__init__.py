# SPDX-License-Identifier: Apache-2.0
"""Code in other processes: frames between them, processes started by exec, pools of these, jobs behind walls."""
