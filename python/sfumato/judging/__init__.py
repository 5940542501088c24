# SPDX-License-Identifier: Apache-2.0
"""Verdicts about kernels: judge, judge_many, Judge, Limits."""

from .limits import Limits

__all__ = ["Limits"]
