# SPDX-License-Identifier: Apache-2.0
"""Results as tables: by operator and type, and the first reasons of what is not right."""

from collections import Counter
from typing import Any

from .._native import report_of
from ..comparing import Comparison
from ._names import called, dtypes, subject


def rows(results: list[dict]) -> list[dict[str, Any]]:
    """Counts for each subject and type."""
    counts: dict[tuple[str, str], Counter] = {}
    for result in results:
        counts.setdefault((subject(result["case"]), dtypes(result["case"])), Counter())[result["verdict"]] += 1
    return [
        {"subject": s, "dtype": d, "cases": sum(n.values()), "right": n["right"], "verdicts": dict(n)}
        for (s, d), n in sorted(counts.items())
    ]


def reasons(results: list[dict]) -> list[tuple[int, str, str, dict]]:
    """What is not right, the most first: count, verdict, why, a case of it."""
    groups: dict[tuple[str, str], list[dict]] = {}
    for result in results:
        if not result["ok"]:
            groups.setdefault((result["verdict"], reason(result)), []).append(result)
    found = [(len(members), verdict, why, members[0]) for (verdict, why), members in groups.items()]
    return sorted(found, key=lambda row: (-row[0], row[1], row[2]))


def reason(result: dict) -> str:
    """Why it is not right, in words that many cases share."""
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
        text.append(f"{count} {verdict}: {why}, as {called(result)}")
        if result.get("again"):
            text.append(f"  again: {result['again']}")
    return "\n".join(text)


def failed(results: list[dict]) -> str:
    """A line for each case that is not right: the command that runs it again, verdict and name. A shell takes it as it is."""
    lines = (
        f"{result['again']}  # {result['verdict']}: {called(result)}"
        for result in results
        if not result["ok"] and result.get("again")
    )
    return "".join(f"{line}\n" for line in lines)


def stamp(results: list[dict]) -> str:
    """Chips, version and date: "Ascend910B1, Sfumato 0.1.0, 2026-12-01T09:30:00Z"."""
    words = sorted({result["case"]["chip"] for result in results})
    words += [f"Sfumato {version}" for version in sorted({result.get("version") or "?" for result in results})]
    return ", ".join([*words, ended(results)]).removesuffix(", ")


def ended(results: list[dict]) -> str:
    """When the last of them ended; empty where none says."""
    return max((result["seconds"].get("ended") or "" for result in results), default="")


def details(result: dict) -> str:
    """All that a result says, for a person."""
    lines = [f"{result['verdict']}: {called(result)} ({result['case']['chip']}), case {result['id']}"]
    if result["report"]:
        lines.append(str(report_of(result["report"])))
    elif result["compare"]:
        lines.append(f"{result['compare']['output']}: {Comparison.of_dict(result['compare'])}")
        if result["verdict"] != "wrong":
            lines.append(result["summary"])
    else:
        lines.append(result["summary"])
    told = result["report"] or {}
    lines += [str(report_of(finding)) for finding in result["findings"] if finding != told]
    lines += [result["log"].rstrip()] if result["log"] else []
    if result.get("repeat"):
        lines.append(f"as a command, with its arrays as files: {result['repeat']}")
    return "\n".join(lines)
