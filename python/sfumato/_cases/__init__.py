# SPDX-License-Identifier: Apache-2.0
"""Runs of cases for verdicts: kernels, operators, TIK scripts, models; what an exception says; whether outputs are right."""
