# SPDX-License-Identifier: Apache-2.0
"""How a failed test shows what Sfumato found: the report in place of Python's stack, and JSON in a section."""

import json

from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback


def show_report(item, excinfo, report):
    """Changes the report of a test whose exception is one of Sfumato's; leaves any other as it is."""
    import sfumato

    error = excinfo.value
    if isinstance(error, (sfumato.KernelError, sfumato.OperatorError, sfumato.CompileError)):
        if item.config.getoption("usepdb") or item.config.getoption("fulltrace"):
            return
        _replace(item, excinfo, report)
        # One line, as the command's --json has it.
        text = json.dumps(json.loads(sfumato.reports.json(error)))
    elif hasattr(error, "comparison"):  # sfumato.testing.Mismatch
        text = json.dumps({"compare": error.comparison.to_dict()})
    elif hasattr(error, "result"):  # sfumato.testing.ScheduleDependent
        text = json.dumps(json.loads(sfumato.reports.json(error.result)))
    else:
        return
    report.sections.append(("sfumato json", text))


def _replace(item, excinfo, report):
    """The last line of the test's own file, then the error's text."""
    own = [entry for entry in excinfo.traceback if entry.path == item.path]
    entry = own[-1] if own else excinfo.traceback[-1]
    text, line = str(excinfo.value), entry.lineno + 1
    source = str(entry.statement).strip()
    shown = f">   {source}\n{text}\n\n{item.path.name}:{line}: {excinfo.typename}\n"
    crash = ReprFileLocation(str(entry.path), line, f"{excinfo.typename}: {text}")
    report.longrepr = ReprExceptionInfo(ReprTraceback([ReprEntryNative([shown])], None, "native"), crash)
