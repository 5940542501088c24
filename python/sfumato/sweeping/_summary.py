# SPDX-License-Identifier: Apache-2.0
"""Results as tables: by operator and type, and the first reasons of what is not right."""

import math
from collections import Counter
from typing import Any

from ._case import parts


def subject(result: dict) -> str:
    """What a case is about: the last part of the path of its operator, kernel or submission."""
    case = result["case"]
    path = case.get("op") or case.get("kernel") or case.get("submission")
    return case.get("operator") or case.get("entry") or path.rstrip("/").rpartition("/")[2]


def _parts(result):
    return filter(None, parts(result["case"]))


def dtypes(result: dict) -> str:
    """The types of the inputs, each once, in their order."""
    return ", ".join(dict.fromkeys(part.get("dtype", "file") for part in _parts(result))) or "-"


def shape(result: dict) -> str:
    """The largest shape of the inputs, as 8x2048."""
    shapes = [part["shape"] for part in _parts(result) if "shape" in part]
    if not shapes:
        return "-"
    largest = max(shapes, key=lambda s: (math.prod(s), s))
    return "x".join(map(str, largest)) or "scalar"


def elements(result: dict) -> int:
    """Of the largest input."""
    return max((math.prod(part["shape"]) for part in _parts(result) if "shape" in part), default=0)


def rows(results: list[dict]) -> list[dict[str, Any]]:
    """Counts for each subject and type."""
    counts: dict[tuple[str, str], Counter] = {}
    for result in results:
        counts.setdefault((subject(result), dtypes(result)), Counter())[result["verdict"]] += 1
    return [
        {"subject": s, "dtype": d, "cases": n.total(), "right": n["right"], "verdicts": dict(n)}
        for (s, d), n in sorted(counts.items())
    ]


def reasons(results: list[dict]) -> list[tuple[int, str, str, dict]]:
    """What is not right, the most first: count, verdict, why, a case of it."""
    groups: dict[tuple[str, str], list[dict]] = {}
    for result in results:
        if not result["ok"]:
            groups.setdefault((result["verdict"], _reason(result)), []).append(result)
    found = [(len(members), verdict, why, members[0]) for (verdict, why), members in groups.items()]
    return sorted(found, key=lambda row: (-row[0], row[1], row[2]))


def _reason(result):
    if result["report"]:
        report = result["report"]
        place = f", {report['file']}:{report['line']}" if report.get("file") else ""
        return f"[{report['rule']}]{place}"
    compared = result["compare"]
    if compared:
        return f"{compared['output']}: {compared.get('problem') or compared.get('pattern') or 'values differ'}"
    return result["summary"]


def table(results: list[dict]) -> str:
    """At most some thirty lines."""
    lines = [("what", "types", "cases", "right", "not right")]
    for row in rows(results)[:20]:
        other = ", ".join(f"{n} {verdict}" for verdict, n in sorted(row["verdicts"].items()) if verdict != "right")
        lines.append((row["subject"], row["dtype"], str(row["cases"]), str(row["right"]), other or "-"))
    widths = [max(len(line[i]) for line in lines) for i in range(4)]
    text = ["  ".join([*(part.ljust(width) for part, width in zip(line, widths)), line[4]]).rstrip() for line in lines]
    if len(rows(results)) > 20:
        text.append(f"... and {len(rows(results)) - 20} more")
    for count, verdict, why, result in reasons(results)[:8]:
        text.append(f"{count} {verdict}: {why}, as case {result['id']}")
        if result.get("repeat"):
            text.append(f"  again: {result['repeat']}")
    return "\n".join(text)
