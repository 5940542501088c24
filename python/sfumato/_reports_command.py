# SPDX-License-Identifier: Apache-2.0
"""`sfumato reports`: puts files of findings together, for code hosts that take one file of one run."""

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote, unquote

from ._exit import OK, UNWRITTEN, USAGE
from ._files import write_text
from ._native import Error
from ._parser import Parser

_EXAMPLES = """examples:
  sfumato reports sarif reports/*.sarif --out sfumato.sarif
  sfumato reports codequality reports/*.sarif --out gl-code-quality-report.json"""
_SEVERITIES = {"error": "critical", "warning": "minor", "note": "info"}  # of GitLab, by SARIF's levels


def _parser():
    parser = Parser("sfumato reports", __doc__, _EXAMPLES)
    parser.add_argument(
        "format", choices=_WRITERS, help="what to write: SARIF of one run, for GitHub, or GitLab's code quality"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of SARIF that a command of Sfumato wrote")
    parser.add_argument("--out", metavar="FILE", default="-", help="the file to write (default: standard output)")
    return parser


def sarif(logs: Sequence[dict]) -> dict:
    """One log of one run, each rule once."""
    runs = [run for log in logs for run in log["runs"]]
    rules: dict[str, dict] = {}
    for run in runs:
        for rule in run["tool"]["driver"]["rules"]:
            rules.setdefault(rule["id"], rule)
    places = {name: index for index, name in enumerate(rules)}
    results = [{**result, "ruleIndex": places[result["ruleId"]]} for result in _results(runs)]
    driver = {**runs[0]["tool"]["driver"], "rules": list(rules.values())}
    invocations = [invocation for run in runs for invocation in run["invocations"]]
    return {**logs[0], "runs": [{"tool": {"driver": driver}, "invocations": invocations, "results": results}]}


def codequality(logs: Sequence[dict]) -> list[dict[str, Any]]:
    """The list that GitLab reads as artifacts:reports:codequality, an entry for each result."""
    seen: Counter = Counter()
    entries = []
    for result in _results(run for log in logs for run in log["runs"]):
        path, line = _place(result)
        # No line: what stands above a finding does not make it another. The kernel tells equal texts of one file apart.
        same = (result["ruleId"], path, _sentence(result), result.get("properties", {}).get("kernel", ""))
        seen[same] += 1
        fingerprint = hashlib.sha256(json.dumps([*same, seen[same]]).encode()).hexdigest()[:40]
        entry = {"description": same[2], "check_name": result["ruleId"], "fingerprint": fingerprint}
        entry |= {"severity": _SEVERITIES[result["level"]], "location": {"path": path, "lines": {"begin": line}}}
        entries.append(entry)
    return entries


def _results(runs: Iterable[dict]) -> list[dict]:
    """Results, those that say the same of one line once. Their places are as code hosts want them: paths from this folder on,
    and a line."""
    unique = {}
    for result in (result for run in runs for result in run["results"]):
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            if physical := location.get("physicalLocation"):
                physical["artifactLocation"]["uri"] = _from_here(physical["artifactLocation"]["uri"])
                physical.setdefault("region", {"startLine": 1})
        unique.setdefault((result["ruleId"], _place(result), _sentence(result)), result)
    return list(unique.values())


def _from_here(uri):
    here = f"file://{quote(os.getcwd())}/"
    return uri.removeprefix(here)


def _place(result):
    """Path and line."""
    physical = next((p["physicalLocation"] for p in result["locations"] if "physicalLocation" in p), None)
    if physical is None:
        return "(no file)", 1
    return unquote(physical["artifactLocation"]["uri"]).removeprefix("file://"), physical["region"]["startLine"]


def _sentence(result):
    """The finding in one line."""
    finding = result.get("properties")
    if not finding:
        return " ".join(result["message"]["text"].split())
    found = f" Found: {finding['found']}." if finding["found"] else ""
    legal = f" Legal: {finding['legal']}." if finding["legal"] else ""
    return " ".join(f"{finding['message']}.{found}{legal} Do: {finding['hint']}.".split())


_WRITERS = {"sarif": sarif, "codequality": codequality}


def _read(paths: Iterable[str]) -> list[dict]:
    logs = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                log = json.load(file)
            if log["runs"][0]["tool"]["driver"]["name"] != "Sfumato":
                raise KeyError
        except OSError as error:
            raise Error(f"{path}: {error.strerror}") from None
        except (ValueError, KeyError, IndexError, TypeError):
            raise Error(f"{path}: it is no SARIF of Sfumato, as --sarif writes it") from None
        logs.append(log)
    return logs


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        text = json.dumps(_WRITERS[options.format](_read(options.files)), indent=2) + "\n"
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    if options.out == "-":
        sys.stdout.write(text)
        return OK
    try:
        write_text(options.out, text)
    except OSError as error:
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return UNWRITTEN
    return OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
