# SPDX-License-Identifier: Apache-2.0
# What users have of the native module: the errors, what a launch found, the chips. The rest is this package's own.
from typing import Any, Final

from sfumato._estimate import Estimate

def __getattr__(name: str) -> Any: ...

__version__: str

class Error(Exception): ...
class UnsupportedError(Error): ...

class CompileError(Error):
    findings: list[Report]

class RelatedPlace:
    file: Final[str]
    line: Final[int]
    note: Final[str]

class Report:
    severity: Final[str]
    rule: Final[str]
    whose: Final[str]
    chip: Final[str]
    kernel: Final[str]
    core: Final[str]
    instruction: Final[str]
    index: Final[int]
    operand: Final[str]
    message: Final[str]
    found: Final[str]
    legal: Final[str]
    hint: Final[str]
    file: Final[str]
    line: Final[int]
    related: Final[list[RelatedPlace]]
    rank: Final[int | None]
    def json(self) -> str: ...

class Reading:
    call: Final[str]
    reading: Final[str]
    tag: Final[str]
    source: Final[str]
    switch: Final[str]
    file: Final[str]
    line: Final[int]
    count: Final[int]
    def json(self) -> str: ...

class LaunchCost:
    bytes_gm_read: Final[int]
    bytes_gm_written: Final[int]
    vector_elements: Final[int]
    mac: Final[int]

class LaunchResult:
    cost: Final[LaunchCost]
    rests_on: Final[list[Reading]]
    findings: Final[list[Report]]
    records: Final[int]
    trace: Final[str]
    task_type: Final[str]
    task_type_from: Final[str]
    estimate: Final[Estimate | None]
    ok: Final[bool]
    def _repr_html_(self) -> str: ...

def chips() -> list[dict[str, Any]]: ...
def last_report() -> Report | None: ...
