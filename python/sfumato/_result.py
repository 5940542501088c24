# SPDX-License-Identifier: Apache-2.0
"""What a launch tells of itself: one line, and a table in a notebook."""

from collections import Counter

from ._native import LaunchResult

listeners: list = []  # called with each result of a launch (sfumato_pytest)


def of_launch(result: LaunchResult, kernel: str, chip: str, blocks: int, seconds: float) -> LaunchResult:
    """The result with what only its caller knows."""
    result.kernel, result.chip, result.blocks, result.seconds = kernel, chip, blocks, seconds
    for listener in listeners:
        listener(result)
    return result


def _rows(result):
    """(name, text) pairs."""
    known = vars(result)
    rows = []
    if "kernel" in known:
        rows.append(("kernel", f"{known['kernel']}[{known['blocks']}] on {known['chip']}"))
    if result.task_type:
        rows.append(("cores", result.task_type + (f", {result.task_type_from}" if result.task_type_from else "")))
    rows.append(("instructions", f"{result.records:,}"))
    if "seconds" in known:
        rows.append(("time", _time(known["seconds"]) + " on this machine"))
    counts = Counter(finding.severity for finding in result.findings)
    rows.append(
        ("findings", ", ".join(f"{n} {severity}{'s' if n > 1 else ''}" for severity, n in counts.items()) or "none")
    )
    return rows


def _time(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale or unit == "us":
            return f"{seconds / scale:.3g} {unit}"
    return ""


def _repr(result):
    state = "ok" if result.ok else "fault"
    return f"<sfumato.LaunchResult {state}: {'; '.join(f'{name} {text}' for name, text in _rows(result))}>"


def _html(result):
    import html

    cell = "<tr><th style='text-align:left'>{}</th><td style='text-align:left'>{}</td></tr>"
    rows = [cell.format(html.escape(name), html.escape(text)) for name, text in _rows(result)]
    for finding in result.findings:
        text = f"<details><summary>{html.escape(finding.message)}</summary><pre>{html.escape(str(finding))}</pre></details>"
        rows.append(cell.format(f"{html.escape(finding.severity)}: {html.escape(finding.rule)}", text))
    return f"<table>{''.join(rows)}</table>"


def _estimate(result, own=LaunchResult.estimate):
    """Of a launch in another process, whose packed result has none, what that process sent (_isolated.py)."""
    return vars(result).get("sent_estimate") or own.__get__(result)


LaunchResult.__repr__ = _repr
LaunchResult._repr_html_ = _html
LaunchResult.estimate = property(_estimate, doc=LaunchResult.estimate.__doc__)
