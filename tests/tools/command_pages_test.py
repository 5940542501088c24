#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/command.md, the man page and the completion of shells are those of the command's tables, and work."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from installation import COMMAND

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))
import command  # noqa: E402

os.environ["SFUMATO_PYTHON"] = sys.executable
FILES = ROOT / "tools" / "sfumato"

# Words as bash splits them, the last one being completed.
COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
compopt() { :; }
_sfumato
printf '%s\\n' "${COMPREPLY[@]}"
"""


def run(*words, **kwargs):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **kwargs)


def bash(*words):
    script = FILES / "completion" / "sfumato.bash"
    return run("bash", "-c", COMPLETE, "bash", script, "sfumato", *words, cwd=ROOT).stdout.split()


class CommandPages(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.tree = command.describe(COMMAND)

    def test_the_files_are_those_of_the_tables(self):
        for path, text in command.files(self.tree).items():
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text, "build the target command-pages")

    def test_every_verb_of_the_help_has_options(self):
        listed = run(COMMAND, "--help").stdout.partition("Subcommands:")[2].partition("`sfumato run")[0]
        names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertEqual(names, [verb["name"] for verb in self.tree["verbs"]])
        for name, verb in command.verbs(self.tree):
            self.assertIn("--help", [n for option in verb["options"] for n in option["names"]], name)
            words_alone = name in ("toolkit", "op_build", "opc", "npu-smi")
            self.assertTrue(
                words_alone or len(verb["options"]) > 1 or verb.get("verbs"), f"{name}: is it in kPythonVerbs?"
            )

    def test_every_option_is_in_its_help(self):
        for name, verb in command.verbs(self.tree):
            shown = run(COMMAND, *name.split(), "--help").stdout
            for option in verb["options"]:
                for each in option["names"]:
                    self.assertIn(each, shown, name)

    def test_bash_completes_verbs(self):
        self.assertEqual(bash("ch"), ["check", "chips"])
        self.assertEqual(bash("--v"), ["--version"])
        self.assertIn("build-op", bash(""))
        self.assertEqual(bash("explain", "load"), ["load3d", "load2d"])

    def test_bash_completes_options(self):
        self.assertEqual(bash("run", "--ov"), ["--overflow"])
        self.assertEqual(bash("run", "--js"), ["--json", "--json="])
        self.assertEqual(bash("tik", "k.py", "--rests"), ["--rests-on"])
        self.assertEqual(bash("explain", "load3d", "--sv"), ["--svg"])
        self.assertEqual(bash("run", "k.cpp", "--", "--ov"), [])

    def test_bash_completes_values(self):
        self.assertEqual(bash("run", "--overflow", ""), ["saturate", "infnan", "board"])
        self.assertEqual(bash("run", "--overflow", "=", "inf"), ["infnan"])
        self.assertEqual(bash("check", "--overflow", "="), ["saturate", "infnan", "board"])
        self.assertEqual(bash("tik", "k.py", "--flags", "s"), ["setter"])
        self.assertEqual(bash("run", "--chip", "Ascend310B"), [c for c in self.tree["chips"] if "310B" in c])
        self.assertEqual(bash("run", "--cache", "exa"), ["examples"])
        self.assertEqual(bash("run", "--sarif", "READ"), ["README.md", "README.zh.md"])

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_man_page_renders_without_a_warning(self):
        page = FILES / "man" / "sfumato.1"
        done = run("groff", "-man", "-ww", "-Tutf8", "-P-cbou", page)
        self.assertEqual(done.stderr, "")
        text = done.stdout
        for name, _ in command.verbs(self.tree):
            self.assertIn(f"SFUMATO {name.upper()}", text)
        self.assertIn("--rests-on", text.replace("\N{HYPHEN}", "-").replace("\N{MINUS SIGN}", "-"))

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_man_has_no_warning(self):
        page = FILES / "man" / "sfumato.1"
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
        done = run("man", "--warnings", "--encoding=UTF-8", "--local-file", page, env=environment)
        self.assertEqual(done.stderr, "")
        self.assertIn("sfumato explain load3d|load2d|nd2nz|fractal", done.stdout)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_its_file(self):
        self.assertEqual(run("zsh", "-f", "-n", FILES / "completion" / "_sfumato").stderr, "")

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        source = f"source {FILES / 'completion' / 'sfumato.fish'}; complete -C"
        for words, wanted in {
            "sfumato ru": ["run"],
            "sfumato run --over": ["--overflow"],
            "sfumato run --overflow inf": ["infnan"],
            "sfumato explain load": ["load2d", "load3d"],
        }.items():
            found = run("fish", "--no-config", "-c", f"{source}'{words}'").stdout.splitlines()
            self.assertEqual(sorted(line.split("\t")[0] for line in found), wanted)


if __name__ == "__main__":
    unittest.main()
