# SPDX-License-Identifier: Apache-2.0
"""How far results are from exact ones: `sfumato ulp`, and the figures of docs/truth.md.

`_calls` says which calls there are, `_inputs` what they are given, `_exact` what they would give without rounding,
`_kernels` runs them, `_measure` compares.
"""
