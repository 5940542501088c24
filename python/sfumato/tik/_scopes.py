# SPDX-License-Identifier: Apache-2.0
"""The names of the memories, as scripts pass them to Tensor."""

scope_gm = "global"
scope_ubuf = "local.UB"
scope_cbuf = "local.L1"
scope_ca = "local.L0A"
scope_cb = "local.L0B"
scope_cc = "local.L0C"
scope_cbuf_out = "local.L0C"
scope_reg = "local.REG"
scope_vreg = "local.VREG"
scope_smask = "local.SMASK"
scope_aicpu = "local.AICPU"

# The scopes a tensor may lie in, and the memory each names.
MEMORIES = {scope_ubuf: "UB", scope_cbuf: "L1", scope_ca: "L0A", scope_cb: "L0B", scope_cc: "L0C"}
