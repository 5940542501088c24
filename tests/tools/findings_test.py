# SPDX-License-Identifier: Apache-2.0
"""`sfumato check`, and the files about findings that every command writes."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from formats import parse_findings, parse_junit, parse_sarif
from installation import COMMAND
from raised import keep, raised


CHIP = ["--chip", "Ascend910B1"]
NONE = ["--check=none"]  # what the test pins is all that is found

# Lines are counted from the first, which is empty.
KERNELS = r"""
#include <signal.h>
#include <unistd.h>
#include "kernel_operator.h"
using namespace AscendC;
#define KERNEL extern "C" __global__ __aicore__ void
KERNEL right(GM_ADDR x) { x[0] = 1; }
KERNEL warned(GM_ADDR x) {
    x[0] = 2;
    SetFlag<HardEvent::MTE2_V>(3);
}
KERNEL noted(GM_ADDR x) {
    TPipe pipe; Duplicate(LocalTensor<float>(TPosition::VECCALC, 0, 64), 0.0F, 0);
    x[0] = 3;
}
KERNEL wrong(GM_ADDR x) {
    SetFlag<HardEvent::MTE2_V>(9);
}
KERNEL killed(GM_ADDR x) { kill(getpid(), SIGKILL); }
KERNEL unordered(GM_ADDR x) {
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x, 64);
    TPipe pipe; LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
    Duplicate(ub, 1.0F, 64);
    DataCopy(gm, ub, 64);
}
"""

BAD = """
#include "kernel_operator.h"
template <class T> void Set(T* p) { p->member = 1; }
extern "C" __global__ __aicore__ void f(GM_ADDR x) {
    int* a = 1.5;
    int* b = 2.5;
}
"""


class FindingsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="sfumato-findings-test-")
        cls.write("k &k.cpp", KERNELS)
        cls.write("bad.cpp", BAD)
        cls.write(
            "missing.cpp",
            BAD.replace("    int* a = 1.5;\n    int* b = 2.5;\n", "    int a = 0;\n    AscendC::MmadImpl(a);\n"),
        )

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.dir, name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, name):
        with open(os.path.join(self.dir, name), encoding="utf-8") as f:
            return f.read()

    def sfumato(self, *args, **env):
        environment = {**os.environ, "SFUMATO_CACHE": os.path.join(self.dir, "cache"), **env}
        return subprocess.run(
            [COMMAND, *args], cwd=self.dir, env=environment, text=True, timeout=300, capture_output=True, check=False
        )

    def run_kernel(self, verb, kernel, *options, bytes_of="out:uint8[256]=x.npy", **env):
        if os.path.exists(os.path.join(self.dir, "x.npy")):
            os.remove(os.path.join(self.dir, "x.npy"))
        return self.sfumato(verb, "k &k.cpp", *CHIP, "--kernel", kernel, *options, "--", bytes_of, **env)

    def written(self):
        return os.path.exists(os.path.join(self.dir, "x.npy"))

    # sfumato check

    def test_check_says_what_it_checked(self):
        result = self.run_kernel("check", "right", "--check=numbers,sync")
        self.assertEqual((result.returncode, result.stderr), (0, "checked: sync, numbers: no findings\n"))
        result = self.run_kernel("check", "noted", "--check=none")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stderr.endswith("\nchecked: none: 0 faults, 0 warnings, 1 note\n"), result.stderr)

    def test_check_turns_everything_on(self):
        result = self.run_kernel("check", "warned", "--json")
        run = parse_findings(result.stdout)
        self.assertEqual(run["checked"], ["races", "init", "outputs", "sync", "numbers", "raw"])
        names = "checked: races, init, outputs, sync, numbers, raw: "
        self.assertTrue(result.stderr.splitlines()[-1].startswith(names), result.stderr)
        plain = parse_findings(self.run_kernel("run", "right", "--json").stdout)
        self.assertEqual(plain["checked"], ["races between cores", "outputs"])

    def test_a_warning_ends_check_with_4_and_keeps_the_outputs(self):
        for verb, options, code in [
            ("check", ["--check=none"], 4),
            ("check", ["--check=none", "--fail-on=fault"], 0),
            ("run", [], 0),
            ("run", ["--fail-on", "warning"], 4),
        ]:
            with self.subTest(verb=verb, options=options):
                result = self.run_kernel(verb, "warned", *options)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn("warning [flag-left-set]", result.stderr)
                self.assertTrue(self.written())
        self.assertEqual(self.run_kernel("check", "wrong").returncode, 4)
        self.assertFalse(self.written())
        self.assertEqual([n for n in os.listdir(self.dir) if n.endswith(".tmp")], [])

    def test_check_refuses_what_run_refuses(self):
        for words, text in [
            (["check"], "source is missing"),
            (["check", "k &k.cpp"], "which chip?"),
            (["check", "k &k.cpp", *CHIP, "--check=race"], "unknown check 'race'"),
            (["check", "k &k.cpp", *CHIP, "--fail-on=note"], "--fail-on"),
            (["run", "k &k.cpp", *CHIP, "--json", "--sarif=-"], "only one of them can go to standard output"),
        ]:
            with self.subTest(words=words):
                result = self.sfumato(*words, *(["--kernel", "right", "--", "workspace:1"] if CHIP[0] in words else []))
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(text, result.stderr)

    def test_schedule_all(self):
        result = self.run_kernel("run", "unordered", *NONE, "--schedule=all:1", "--json", "--fail-on=warning")
        self.assertEqual(result.returncode, 4, result.stderr)
        (finding,) = parse_findings(result.stdout)["findings"]
        self.assertEqual((finding["rule"], finding["line"]), ("schedule-dependent", 25))
        self.assertEqual(
            finding["related"],
            [
                {
                    "file": "k &k.cpp",
                    "line": 24,
                    "note": "Duplicate writes bytes 0 to 255 of UB, on PIPE_V of aiv0: before it under eager, after it "
                    "under late",
                }
            ],
        )
        self.assertIn("\n  other:  k &k.cpp:24, Duplicate writes bytes 0 to 255 of UB", result.stderr)

    # The files

    def test_one_finding_in_every_format(self):
        files = ["--json=f.json", "--sarif=f.sarif", "--junit=f.xml"]
        for kernel, code, severity, level, rule, line in [
            ("warned", 0, "warning", "warning", "flag-left-set", 10),
            ("wrong", 4, "fault", "error", "event-id-range", 17),
            ("noted", 0, "note", "note", "count-zero", 13),
        ]:
            with self.subTest(kernel=kernel):
                result = self.run_kernel("run", kernel, *NONE, *files)
                self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
                run = parse_findings(self.read("f.json"))
                self.assertEqual((run["source"], run["kernel"], run["blocks"]), ("k &k.cpp", kernel, 1))
                (finding,) = run["findings"]
                self.assertEqual((finding["severity"], finding["rule"], finding["line"]), (severity, rule, line))
                sarif = parse_sarif(self.read("f.sarif"))
                (found,) = sarif["results"]
                self.assertEqual((found["level"], found["ruleId"]), (level, rule))
                self.assertEqual(found["properties"], finding)
                self.assertTrue(found["message"]["text"].startswith(f"{severity} [{rule}] "))
                self.assertIn(found["message"]["text"], result.stderr)
                self.assertEqual(
                    found["locations"],
                    [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": "k%20%26k.cpp"},
                                "region": {"startLine": line},
                            },
                            "logicalLocations": [{"name": kernel, "kind": "function"}],
                        }
                    ],
                )
                (case,) = parse_junit(self.read("f.xml"))
                self.assertEqual((case.get("name"), case.get("classname")), (kernel, "k &k.cpp"))
                (child,) = case
                if severity == "note":
                    self.assertEqual((child.tag, child.text), ("system-out", found["message"]["text"] + "\n"))
                else:
                    self.assertEqual(child.attrib, {"type": rule, "message": finding["message"]})
                    self.assertEqual((child.tag, child.text), ("failure", found["message"]["text"]))

    def test_related_places(self):
        self.run_kernel("run", "unordered", *NONE, "--schedule=all:0", "--sarif=r.sarif")
        (found,) = parse_sarif(self.read("r.sarif"))["results"]
        (place,) = found["relatedLocations"]
        self.assertEqual(place["physicalLocation"]["region"], {"startLine": 24})
        self.assertTrue(place["message"]["text"].startswith("Duplicate writes bytes 0 to 255 of UB"))

    def test_nothing_found(self):
        self.run_kernel("run", "right", *NONE, "--json=n.json", "--sarif=n.sarif", "--junit=n.xml")
        self.assertEqual(parse_findings(self.read("n.json"))["findings"], [])
        sarif = parse_sarif(self.read("n.sarif"))
        self.assertEqual((sarif["results"], sarif["tool"]["driver"]["rules"]), ([], []))
        (case,) = parse_junit(self.read("n.xml"))
        self.assertEqual(list(case), [])

    def test_where_the_rules_are_published(self):
        url = "https://example.org/docs/"
        self.run_kernel("run", "warned", "--sarif=u.sarif", SFUMATO_DOCS_URL=url)
        rules = parse_sarif(self.read("u.sarif"))["tool"]["driver"]["rules"]
        self.assertIn(url + "reports.md#flag-left-set", [rule["helpUri"] for rule in rules])

    def test_rules_bring_their_help(self):
        self.run_kernel("run", "warned", *NONE, "--sarif=h.sarif")
        (rule,) = parse_sarif(self.read("h.sarif"))["tool"]["driver"]["rules"]
        self.assertNotIn("helpUri", rule)
        self.assertTrue(rule["help"]["text"].startswith(rule["shortDescription"]["text"]))
        head, sentence, source = rule["help"]["markdown"].split("\n\n")
        self.assertEqual(head, "**warning** `flag-left-set`")
        self.assertEqual(sentence.replace("\\", ""), rule["shortDescription"]["text"])
        self.assertTrue(source.startswith("Source: "))

    def test_standard_output_belongs_to_one_format(self):
        result = self.run_kernel("run", "warned", *NONE, "--sarif", "-")
        self.assertEqual(parse_sarif(result.stdout)["results"][0]["ruleId"], "flag-left-set")
        result = self.run_kernel("run", "warned", *NONE, "--junit=-")
        self.assertEqual(parse_junit(result.stdout)[0][0].get("type"), "flag-left-set")

    def test_a_file_that_cannot_be_written(self):
        for option in ("--json", "--sarif", "--junit"):
            result = self.run_kernel("run", "right", f"{option}=none/f")
            self.assertEqual(result.returncode, 6)
            self.assertIn("cannot write none/f: No such file or directory", result.stderr)
            self.assertTrue(self.written())

    # What did not start

    def test_a_command_line_that_cannot_be_read(self):
        for words, text in [
            (["run", "k &k.cpp", *CHIP, "--blocks", "two"], "--blocks"),
            (["check", *CHIP], "source is missing"),
            (["run", "k &k.cpp", "--no-such-option"], "--no-such-option"),
        ]:
            with self.subTest(words=words):
                result = self.sfumato(*words, "--sarif=p.sarif", "--junit", "p.xml", "--json")
                self.assertEqual(result.returncode, 2, result.stderr)
                run = parse_findings(result.stdout)
                self.assertEqual((run["ok"], run["findings"], run["error"]["kind"]), (False, [], "usage"))
                self.assertIn(text, run["error"]["message"])
                self.assertIn(text, result.stderr)
                self.assertFalse(parse_sarif(self.read("p.sarif"))["invocations"][0]["executionSuccessful"])
                (case,) = parse_junit(self.read("p.xml"))
                self.assertEqual([(child.tag, child.get("type")) for child in case], [("error", "usage")])
        result = self.sfumato("run", "--json", "--sarif=-")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        result = self.sfumato("build", "--json", "--junit=-")
        self.assertEqual((result.returncode, result.stdout), (1, ""))

    def assert_compile_errors(self, text, expected):
        run = parse_findings(text)
        self.assertEqual(run["error"]["kind"], "compile")
        self.assertEqual([(f["rule"], f["file"], f["line"]) for f in run["findings"]], expected)
        for finding in run["findings"]:
            self.assertEqual(finding["severity"], "fault")
            raised(finding["rule"])
        return run["findings"]

    def test_errors_of_the_compiler_are_findings(self):
        result = self.sfumato("run", "bad.cpp", *CHIP, "--json", "--sarif=c.sarif", "--junit=c.xml")
        self.assertEqual(result.returncode, 3)
        first = self.assert_compile_errors(result.stdout, [("compile-error", "bad.cpp", line) for line in (5, 6)])[0]
        self.assertIn("double", first["message"])
        self.assertNotIn("error:", first["message"])
        sarif = parse_sarif(self.read("c.sarif"))
        self.assertEqual([r["level"] for r in sarif["results"]], ["error", "error"])
        self.assertFalse(sarif["invocations"][0]["executionSuccessful"])
        (case,) = parse_junit(self.read("c.xml"))
        self.assertEqual([(child.tag, child.get("type")) for child in case], [("error", "compile")])

    def test_a_name_that_is_not_supported(self):
        for verb in ("run", "check"):
            result = self.sfumato(verb, "missing.cpp", *CHIP, "--json")
            self.assertEqual(result.returncode, 3)
            (finding,) = self.assert_compile_errors(result.stdout, [("compile-error", "missing.cpp", 6)])
            self.assertTrue(finding["message"].startswith("MmadImpl: "), finding["message"])

    def test_build(self):
        result = self.sfumato("build", "bad.cpp", "-o", "bad", "--json=b.json", "--sarif", "b.sarif", "--junit=b.xml")
        self.assertEqual(result.returncode, 1)
        findings = parse_findings(self.read("b.json"))["findings"]
        self.assertEqual(findings[0]["rule"], "compile-error")
        self.assertTrue(findings[0]["file"].endswith("bad.cpp") and findings[0]["line"] == 5, findings[0])
        self.assertTrue(parse_sarif(self.read("b.sarif"))["results"])
        self.assertEqual(parse_junit(self.read("b.xml"))[0][0].tag, "error")

    def test_a_run_that_is_killed(self):
        result = self.run_kernel("run", "killed", "--json", "--junit=k.xml")
        self.assertEqual(result.returncode, 4)
        error = parse_findings(result.stdout)["error"]
        self.assertEqual(error["kind"], "killed")
        (finding,) = parse_findings(result.stdout)["findings"]
        self.assertEqual((finding["rule"], finding["kernel"]), ("process-lost", "killed"))
        raised("process-lost")
        self.assertIn("was ended by signal 9 (Killed): no output is written", error["message"])
        self.assertEqual(parse_junit(self.read("k.xml"))[0][0].get("type"), "killed")
        self.assertFalse(self.written())

    def test_a_wrong_command_line(self):
        result = self.sfumato("run", "k &k.cpp", "--json", "--junit=w.xml")
        self.assertEqual(result.returncode, 2)
        run = parse_findings(result.stdout)
        self.assertEqual((run["error"]["kind"], run["findings"]), ("usage", []))
        self.assertEqual(parse_junit(self.read("w.xml"))[0][0].get("type"), "usage")
        result = self.run_kernel("run", "right", "--json", bytes_of="none.npy")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none.npy", parse_findings(result.stdout)["error"]["message"])

    def test_explain(self):
        result = self.sfumato("explain", "load3d", "--json=e.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(parse_findings(self.read("e.json"))["findings"], [])
        result = self.sfumato("explain", "load3d", "--stride", "99x1", "--json=e.json")
        self.assertEqual(result.returncode, 4, result.stderr)
        run = parse_findings(self.read("e.json"))
        self.assertEqual(run["findings"][0]["severity"], "fault")
        result = self.sfumato("explain", "load3d", "--json=-")
        self.assertEqual(result.returncode, 2)
        self.assertIn("the picture is on standard output", result.stderr)

    def test_the_schema_is_one(self):
        with self.assertRaises(AssertionError):
            parse_findings(json.dumps({"ok": True}))


if __name__ == "__main__":
    keep("findings_test")
    unittest.main()
