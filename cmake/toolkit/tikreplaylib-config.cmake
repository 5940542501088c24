# SPDX-License-Identifier: Apache-2.0
# Projects of the first toolkits look for it: their kernels replayed the tiling when they were built. Ours have the tiling
# when they run, and there is nothing to link.
set(tikreplaylib_FOUND TRUE)
