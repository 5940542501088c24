# SPDX-License-Identifier: Apache-2.0
"""The recipes for CI that `sfumato init --ci` writes: their steps are run as the host would run them, in a clean folder, but for
those that install, which the installation of this test stands for. The problem matchers, applied to what the steps print."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml
from formats import parse_junit, parse_sarif
from installation import COMMAND, PREFIX

INSTALL = ("packages", "build", "install")  # ids of steps of GitHub
CASE = {
    "kernel": "add.cpp",
    "chip": "Ascend910B1",
    "blocks": 2,
    "args": ["x", "y", "z", 4096],
    "inputs": {name: {"shape": [4096], "dtype": "float32"} for name in "xy"},
    "outputs": {"z": {"shape": [4096], "dtype": "float32"}},
    "reference": "refs.py:add",
}
# The kernel: right; with a store that is too short; with an operand at an odd place.
SLIPS = {
    "right": ("", ""),
    "warned": ("DataCopy(z_gm[at], c, n)", "DataCopy(z_gm[at], c, n - 1)"),
    "fault": ("Add(c, a, b, n)", "Add(c, a[1], b, n - 8)"),
}


def runs(expression, cancelled, folder, values):
    """Whether a step runs, by those expressions of GitHub that the recipe has."""
    known = {
        "!cancelled()": not cancelled,
        "hashFiles('cases.jsonl') != ''": (folder / "cases.jsonl").exists(),
        "github.event.pull_request.head.repo.fork != true": True,
        "steps.kept.outputs.cache-hit != 'true'": not values.get("kept"),
    }
    text = re.fullmatch(r"\$\{\{ (.*) \}\}", expression)
    return all(known[part] for part in (text[1] if text else expression).split(" && "))


def annotations(matcher, log, folder):
    """(severity, file, line, code, message) of what a runner finds: each line against the patterns of each owner in turn."""
    found = []
    for owner in matcher["problemMatcher"]:
        pattern = owner["pattern"]
        at, values = 0, {}
        for line in log.splitlines():
            match = re.search(pattern[at]["regexp"], re.sub(r"\x1b\[[0-9;]*m", "", line))
            if match is None and at:
                at, values = 0, {}
                match = re.search(pattern[0]["regexp"], line)
            if match is None:
                continue
            for name, group in pattern[at].items():
                if isinstance(group, int):
                    values[name] = match[group]
            at += 1
            if at == len(pattern):
                severity = values.get("severity", owner.get("severity"))
                path = values["file"].removeprefix(f"{folder}/")
                found.append((severity, path, int(values["line"]), values.get("code"), values["message"]))
                at, values = 0, {}
    return found


class Recipes(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.top = Path(tempfile.mkdtemp(prefix="sfumato-ci-test-"))
        cls.environment = {
            **os.environ,
            "PATH": f"{COMMAND.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "SFUMATO_CACHE": str(cls.top / "cache"),
            "SFUMATO_PYTHON": sys.executable,
            **({} if any(PREFIX.parent.glob("sfumato-*.dist-info")) else {"PYTEST_PLUGINS": "sfumato_pytest"}),
        }

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def sfumato(self, *words, cwd):
        return subprocess.run([COMMAND, *words], cwd=cwd, env=self.environment, capture_output=True, text=True)

    def repository(self, name, ci, slip, cases=True):
        """A clean folder with a kernel, its tests, cases and the recipe."""
        place = self.top / name
        place.mkdir()
        done = self.sfumato("init", "add", "--ci", ci, cwd=place)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(", a recipe for CI. Next:", done.stdout)
        folder = place / "add"
        source = folder / "add.cpp"
        before, after = SLIPS[slip]
        source.write_text(source.read_text().replace(before, after) if before else source.read_text())
        if cases:
            (folder / "cases.jsonl").write_text(json.dumps(CASE) + "\n" + json.dumps({**CASE, "seed": 1}) + "\n")
            (folder / "refs.py").write_text("def add(x, y):\n    return x + y\n")
        return folder

    def shell(self, words, script, folder):
        done = subprocess.run(
            [*words, "-c", script],
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def github(self, folder):
        """Exit codes of the steps that ran by name, what they printed, the actions, and whether the job fails."""
        recipe = yaml.safe_load((folder / ".github/workflows/sfumato.yml").read_text())
        (job,) = recipe["jobs"].values()
        codes, log, actions = {}, "", []
        for step in job["steps"]:
            failed = any(codes.values())
            if not (runs(step["if"], False, folder, {}) if "cancelled" in step.get("if", "") else not failed):
                continue
            if "uses" in step:
                actions.append((step["uses"].partition("@")[0], step.get("with", {})))
                continue
            self.assertNotIn("${{", step["run"])
            self.assertEqual(self.shell(["sh", "-n"], step["run"], folder), (0, ""))
            if step.get("id") not in INSTALL:
                codes[step["name"]], text = self.shell(
                    ["sh", "-e"], step["run"], folder
                )  # sh: the job is in a container
                log += text
        return codes, log, actions

    def gitlab(self, folder):
        recipe = yaml.safe_load((folder / ".gitlab-ci.yml").read_text())
        job = recipe["kernels"]
        self.assertEqual(self.shell(["bash", "-n"], "\n".join(job["before_script"]), folder), (0, ""))
        code, log = self.shell(["bash", "-eo", "pipefail"], "\n".join(job["script"]), folder)
        return code, log, job["artifacts"]["reports"]

    def test_github_a_right_kernel(self):
        folder = self.repository("right", "github", "right")
        codes, log, actions = self.github(folder)
        self.assertEqual(list(codes.values()), [0] * 4, log)
        self.assertEqual(list(codes)[1:], ["Test the kernels", "Run the cases", "Put the findings together"])
        upload = dict(actions)["github/codeql-action/upload-sarif"]
        run = parse_sarif((folder / upload["sarif_file"]).read_text())
        self.assertEqual((run["results"], len(run["invocations"])), ([], 8))  # 6 tests, 2 cases
        self.assertEqual(len(parse_junit((folder / "reports/cases.xml").read_text())), 2)
        self.assertEqual(json.loads((folder / "reports/tests.json").read_text())["counts"]["passed"], 6)
        self.assertEqual(
            annotations(json.loads((folder / ".github/sfumato-matcher.json").read_text()), log, folder), []
        )

    def test_github_wrong_kernels(self):
        for slip, severity, rule in (("warned", "warning", "copy-tail"), ("fault", "error", "ub-alignment")):
            folder = self.repository(f"github-{slip}", "github", slip)
            text = (folder / "add.cpp").read_text()
            line = 1 + text.partition(SLIPS[slip][1])[0].count("\n")
            codes, log, actions = self.github(folder)
            self.assertEqual([name for name, code in codes.items() if code], ["Test the kernels", "Run the cases"], log)
            run = parse_sarif((folder / dict(actions)["github/codeql-action/upload-sarif"]["sarif_file"]).read_text())
            places = {
                (r["level"], r["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"])
                for r in run["results"]
                for place in [r["locations"][0]["physicalLocation"]]
            }
            self.assertIn((severity, rule, "add.cpp", line), places)
            if slip == "warned":
                self.assertIn(("error", "wrong", "add.cpp", 1), places)
            matcher = json.loads((folder / ".github/sfumato-matcher.json").read_text())
            found = {part[:4] for part in annotations(matcher, log, folder)}
            self.assertIn((severity, "add.cpp", line, rule), found, log)
            if slip == "fault":
                swept = "".join(line + "\n" for line in log.splitlines() if line[:1].isdigit())
                (one,) = annotations(matcher, swept, folder)
                self.assertEqual(one[:4], ("error", "add.cpp", line, rule))
            # Each command that failed.txt lists works in the repository.
            for command in (folder / "reports/cases/failed.txt").read_text().splitlines():
                self.assertEqual(self.shell(["sh", "-e"], command, folder)[0], 5)

    def test_gitlab(self):
        folder = self.repository("gitlab", "gitlab", "right", cases=False)
        code, log, reports = self.gitlab(folder)
        self.assertEqual((code, json.loads((folder / reports["codequality"]).read_text())), (0, []), log)
        self.assertEqual([path.name for path in folder.glob(reports["junit"])], ["tests.xml"])
        folder = self.repository("gitlab-fault", "gitlab", "fault")
        code, log, reports = self.gitlab(folder)
        self.assertEqual(code, 5, log)
        entries = json.loads((folder / reports["codequality"]).read_text())
        line = 1 + (folder / "add.cpp").read_text().partition(SLIPS["fault"][1])[0].count("\n")
        (entry,) = (entry for entry in entries if entry["check_name"] == "ub-alignment")
        self.assertEqual(entry["severity"], "critical")
        self.assertEqual(entry["location"], {"path": "add.cpp", "lines": {"begin": line}})
        self.assertIn("Legal: a multiple of 32. Do: start at an index", entry["description"])
        self.assertEqual(len({e["fingerprint"] for e in entries}), len(entries))
        self.assertEqual(sorted(path.name for path in folder.glob(reports["junit"])), ["cases.xml", "tests.xml"])

    def test_into_a_repository_that_is_there(self):
        folder = self.top / "there"
        folder.mkdir()
        done = self.sfumato("init", "--ci", "github", cwd=folder)
        self.assertEqual(
            done.stdout, "wrote .github/workflows/sfumato.yml, .github/sfumato-matcher.json\n", done.stderr
        )
        (folder / ".github/workflows/sfumato.yml").unlink()
        done = self.sfumato("init", "--ci", "github", cwd=folder)
        told = "error: .github/sfumato-matcher.json is already there; init replaces nothing, and nothing was written\n"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", told))
        self.assertFalse((folder / ".github/workflows/sfumato.yml").exists())
        self.assertEqual(self.sfumato("init", "--ci", "jenkins", cwd=folder).returncode, 2)

    def test_the_matcher_is_installed(self):
        folder = self.top / "matcher"
        folder.mkdir()
        self.sfumato("init", "--ci", "github", cwd=folder)
        self.assertEqual(
            (PREFIX / "share/sfumato/problem-matcher.json").read_text(),
            (folder / ".github/sfumato-matcher.json").read_text(),
        )

    def test_matchers_fit_every_form(self):
        """Findings of run, of check in colour, of Python, errors of a compiler; with those of GitHub and of VS Code."""
        folder = self.repository("forms", "github", "fault", cases=False)
        source = (folder / "add.cpp").read_text()
        words = ("add.cpp", "--chip", "Ascend910B1", "--", "x.npy", "y.npy", "out:float32[10000]=z.npy", "uint32:10000")
        log = self.sfumato("run", *words, cwd=folder).stderr
        (folder / "add.cpp").write_text(source.replace(*reversed(SLIPS["fault"])).replace(*SLIPS["warned"]))
        log += self.sfumato("run", *words, cwd=folder).stderr
        (folder / "add.cpp").write_text(source.replace("TPipe pipe;", "TPipe pip;"))
        log += self.sfumato("run", *words, cwd=folder).stderr
        script = "import numpy as np, sfumato\nx = np.zeros(64, np.float32)\n"
        script += "sfumato.compile('w.cpp', chip='Ascend910B1').add[1](x, x.copy(), x.copy(), 60)\n"
        (folder / "w.cpp").write_text(source.replace(*reversed(SLIPS["fault"])))
        log += subprocess.run(
            [sys.executable, "-c", script], cwd=folder, env=self.environment, capture_output=True, text=True
        ).stderr
        lines = {
            name: 1 + source.partition(text)[0].count("\n")
            for name, text in (("add", "Add(c"), ("copy", "DataCopy(z_gm"))
        }
        load = 1 + source.partition("DataCopy(a, x_gm")[0].count("\n")
        broken = 1 + source.partition("pipe.InitBuffer(x_in")[0].count("\n")
        github = json.loads((folder / ".github/sfumato-matcher.json").read_text())
        tasks = json.loads((folder / ".vscode/tasks.json").read_text())["tasks"]
        self.assertEqual([task["problemMatcher"][-1] for task in tasks], ["$gcc"] * 3)
        own = {"problemMatcher": [m for m in tasks[0]["problemMatcher"] if isinstance(m, dict)]}
        for matcher, fault, compiler in ((github, "error", True), (own, "fault", False)):
            found = {part[:4] for part in annotations(matcher, log, folder)}
            self.assertIn((fault, "add.cpp", lines["add"], "ub-alignment"), found, log)
            self.assertIn(("warning", "add.cpp", lines["copy"], "copy-tail"), found, log)
            self.assertIn(("warning", "w.cpp", load, "copy-tail"), found, log)
            self.assertEqual(("error", "add.cpp", broken, None) in found, compiler, log)


class Reports(unittest.TestCase):
    def sfumato(self, *words):
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        return subprocess.run([COMMAND, "reports", *words], env=environment, capture_output=True, text=True)

    def test_what_it_refuses(self):
        with tempfile.TemporaryDirectory() as name:
            odd = Path(name, "odd.sarif")
            for text in ("no JSON", "{}", '{"runs": []}', '{"runs": [{"tool": {"driver": {"name": "other"}}}]}'):
                odd.write_text(text)
                done = self.sfumato("sarif", str(odd))
                told = f"error: {odd}: it is no SARIF of Sfumato, as --sarif writes it\n"
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", told))
            done = self.sfumato("codequality", f"{name}/none.sarif")
            self.assertEqual(
                (done.returncode, done.stderr), (2, f"error: {name}/none.sarif: No such file or directory\n")
            )


if __name__ == "__main__":
    unittest.main()
