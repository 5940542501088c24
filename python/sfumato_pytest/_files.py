# SPDX-License-Identifier: Apache-2.0
"""Files about all tests of a session: --sfumato-json and --sfumato-sarif (docs/testing.md).

What a test found is collected where it runs, goes with pytest's reports, from workers of pytest-xdist too, and is written by
the process that was started."""

import json
import platform
import shlex
import time
from pathlib import Path

import pytest

_FILES = {"json": "every test as JSON", "sarif": "what the tests found as SARIF"}
_ENDS = {"passed": 0, "xfailed": 0, "skipped": 0, "xpassed": 1, "failed": 2, "error": 3}  # the worst phase decides


def add_options(group):
    for kind, what in _FILES.items():
        group.addoption(f"--sfumato-{kind}", metavar="FILE", help=f"writes {what}: outcome, findings, chips, times")


def configure(config):
    paths = {kind: config.getoption(f"--sfumato-{kind}") for kind in _FILES}
    paths = {kind: path for kind, path in paths.items() if path}
    if paths:
        config.pluginmanager.register(Session(config, paths), "sfumato-files")


class Session:
    def __init__(self, config, paths):
        self._config, self._paths = config, paths
        self._began = time.perf_counter()
        self._heard = []  # results of launches since the last report
        self._tests = {}  # of the whole session, by nodeid

    def pytest_sessionstart(self):
        from sfumato import _result

        _result.listeners.append(self._heard.append)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        heard = self._heard[:]
        self._heard.clear()
        report.sfumato = _phase(item, call, heard)
        return report

    def pytest_collectreport(self, report):
        if report.failed:
            self._test(report.nodeid or ".").update(outcome="error", error=_error("collect", report.longrepr))

    def pytest_runtest_logreport(self, report):
        if hasattr(self._config, "workerinput"):
            return
        test, told = self._test(report.nodeid), getattr(report, "sfumato", {})
        outcome = _outcome(report)
        if _ENDS[outcome] >= _ENDS[test["outcome"]] and (report.when == "call" or outcome != "passed"):
            test["outcome"] = outcome
        test["seconds"] += report.duration
        test["chips"] = sorted({*test["chips"], *told.get("chips", ())})
        test["schedule"] = told.get("schedule") or test["schedule"]
        for name in ("launches", "instructions"):
            test[name] += told.get(name, 0)
        for finding in told.get("findings", ()):
            if finding not in test["findings"]:
                test["findings"].append(finding)
        for name in ("compare", "verdict", "place"):
            if told.get(name):
                test[name] = told[name]
        if report.failed:
            test["error"] = test["error"] or _error(report.when, report.longrepr)
        elif report.skipped:
            test["reason"] = _reason(report)

    def _test(self, nodeid):
        new = {"name": nodeid, "outcome": "passed", "seconds": 0.0, "chips": [], "schedule": "", "launches": 0}
        new |= {"instructions": 0, "findings": [], "error": None, "again": f"python3 -m pytest {shlex.quote(nodeid)}"}
        return self._tests.setdefault(nodeid, new)

    def pytest_sessionfinish(self, exitstatus):
        if hasattr(self._config, "workerinput"):
            return
        tests = list(self._tests.values())
        for kind, path in self._paths.items():
            text = self._json(tests, exitstatus) if kind == "json" else _sarif(tests)
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, encoding="utf-8")

    def _json(self, tests, exitstatus):
        import sfumato

        counts = dict.fromkeys(_ENDS, 0)
        for test in tests:
            counts[test["outcome"]] += 1
        chips = sorted({chip for test in tests for chip in test["chips"]})
        about = {"version": sfumato.__version__, "date": sfumato._native.utc(), "chips": chips}
        about |= {"pytest": pytest.__version__, "python": platform.python_version(), "exit_code": int(exitstatus)}
        about |= {"seconds": time.perf_counter() - self._began, "counts": counts}
        return json.dumps({**about, "tests": tests}, indent=1) + "\n"


def _outcome(report):
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed"
    return "error" if report.failed and report.when != "call" else report.outcome


def _error(when, longrepr):
    crash = getattr(longrepr, "reprcrash", None)
    return {"when": when, "message": str(crash.message if crash else longrepr)}


def _reason(report):
    if hasattr(report, "wasxfail"):
        return report.wasxfail
    return report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""


def _phase(item, call, heard):
    """What is known of a phase of a test where it ran, as JSON."""
    findings = [finding for result in heard for finding in result.findings]
    chips = {str(result.chip) for result in heard}
    told = {"launches": len(heard), "instructions": sum(result.records for result in heard)}
    arguments = getattr(item, "funcargs", {})
    told["schedule"] = arguments.get("sfumato_schedule", "")
    if isinstance(arguments.get("chip"), str) and "sfumato_schedule" in arguments:
        chips.add(arguments["chip"])
    if call.excinfo is not None:
        told |= _of_error(item, call.excinfo, findings)
    verdicts = [value for name, value in item.user_properties if name == "sfumato-verdict"]
    if verdicts and call.when == "call":
        told["verdict"] = json.loads(verdicts[-1])
        chips.add(told["verdict"]["chip"])
    unique = {finding.json(): None for finding in findings}
    return {**told, "chips": sorted(chips), "findings": [_from_here(json.loads(finding)) for finding in unique]}


def _from_here(finding):
    """Its files below this folder by their paths from it: what code hosts know a file by."""
    for place in (finding, *finding.get("related", ())):
        place["file"] = place["file"].removeprefix(f"{Path.cwd()}/")
    return finding


def _of_error(item, excinfo, findings):
    """Adds its findings; returns what else it tells."""
    error, told = excinfo.value, {}
    findings += [*getattr(error, "findings", ()), *filter(None, [getattr(error, "report", None)])]
    if hasattr(error, "comparison"):
        told["compare"] = error.comparison.to_dict()
    own = [entry for entry in excinfo.traceback if entry.path == item.path]
    if own:
        told["place"] = {"file": item.nodeid.partition("::")[0], "line": own[-1].lineno + 1}
    return told


def _sarif(tests):
    from sfumato import _native, reports

    runs = []
    for test in tests:
        place = test.get("place") or {"file": test["name"].partition("::")[0], "line": 0}
        run = reports.Run(name=test["name"], source=place["file"], line=place["line"], seconds=test["seconds"])
        run.findings = [_native.report_of(finding) for finding in test["findings"]]
        run.chip, run.schedule, run.records = ", ".join(test["chips"]), test["schedule"], test["instructions"]
        if test["outcome"] in ("failed", "error"):
            run.error_kind, run.error, run.judged = f"test-{test['outcome']}", test["error"]["message"], True
            run.again = test["again"]
        runs.append(run)
    return reports.sarif(*runs)
