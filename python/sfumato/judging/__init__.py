# SPDX-License-Identifier: Apache-2.0
"""Verdicts about kernels: judge, judge_many, Judge with their Limits and Options, and the pool of workers below them."""

from ._judge import Judge, judge, judge_many
from .._processes.limits import Limits
from .options import Options
from .pool import Job, Outcome, Pool
from .verdict import VERDICTS, Verdict

__all__ = ["Job", "Judge", "Limits", "Options", "Outcome", "Pool", "VERDICTS", "Verdict", "judge", "judge_many"]
