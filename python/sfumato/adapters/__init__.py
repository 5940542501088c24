# SPDX-License-Identifier: Apache-2.0
"""What other programs expect of an executor: kernelgym. KernelBench's tasks are what sfumato.judge reads as they are; JUnit and SARIF
of verdicts are sfumato.reports."""
