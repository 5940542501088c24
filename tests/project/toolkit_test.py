#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The toolkit folder: its environment, and the vendor's libraries by name."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND, CXX, TOOLKIT
from raised import keep, raised

CALLER = Path(__file__).with_name("programs") / "by_name.c"


def number(text):
    """FNV-1a, as the folder of links is named by."""
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return f"{value:08x}"


class Folder(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.environment = {"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(self.folder / "data"), "HOME": "/nowhere"}
        self.opp = self.folder / "data/sfumato/opp"
        self.home = self.folder / "data/sfumato/toolkits" / number(f"{TOOLKIT}\n{self.opp}") / "ascend-toolkit/latest"

    def run_it(self, *command, expect=0, **env):
        done = subprocess.run(
            [str(word) for word in command], cwd=self.folder, env={**self.environment, **env}, capture_output=True,
            text=True
        )  # fmt: skip
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout if expect == 0 else done.stderr

    def settings(self, *options, **env):
        return json.loads(self.run_it(COMMAND, "env", "--shell", "json", *options, **env))


class Environment(Folder):
    def test_the_settings(self):
        paths = f"{self.opp}/vendors/customize/op_api/lib:{self.home}/lib64"
        homes = ("ASCEND_HOME_PATH", "ASCEND_HOME_DIR", "ASCEND_TOOLKIT_HOME", "ASCEND_INSTALL_PATH")
        expected = {
            **dict.fromkeys(homes, str(self.home)),
            "ASCEND_OPP_PATH": str(self.opp),
            "PATH": f"{self.home}/bin:/usr/bin:/bin:{COMMAND.parent}",
            "LD_LIBRARY_PATH": paths,
            "ASCEND_AICPU_PATH": str(self.home),
            "TOOLCHAIN_HOME": f"{self.home}/toolkit",
            "CMAKE_PREFIX_PATH": str(self.home),
            "PYTHONPATH": f"{self.home}/python/site-packages:{self.opp}/built-in/op_impl/ai_core/tbe",
            "SFUMATO_CHIP": "Ascend310P3",
        }
        self.assertEqual(self.settings("--chip", "ascend310p3"), expected)
        # A family stands for its first product; what was set stays behind ours.
        (self.opp / "vendors/mine").mkdir()
        again = self.settings("--chip", "Ascend910B", LD_LIBRARY_PATH="/x:" + paths, SFUMATO_CHIP="Ascend310P1")
        self.assertEqual(again["SFUMATO_CHIP"], "Ascend910B1")
        mine = paths.replace(":", f":{self.opp}/vendors/mine/op_api/lib:", 1)
        self.assertEqual(again["LD_LIBRARY_PATH"], mine + ":/x")
        self.assertEqual(self.settings(SFUMATO_CHIP="Ascend310P1")["SFUMATO_CHIP"], "Ascend310P1")

    def test_once_is_enough(self):
        once = self.settings()
        self.assertEqual(self.settings(**once), once)
        inside = self.run_it(COMMAND, "env", "--", COMMAND, "env", "--shell", "json")
        self.assertEqual(json.loads(inside), once)
        for script in ("set_env.sh", "bin/setenv.bash"):
            command = f". {TOOLKIT}/{script}; . {TOOLKIT}/{script}; {COMMAND} env --shell json"
            self.assertEqual(json.loads(self.run_it("bash", "-c", command)), once)

    def test_for_shells(self):
        command = f'eval "$({COMMAND} env)"; command -v bisheng; echo "$ODD"; echo "$ASCEND_OPP_PATH"'
        odd = self.folder / "it's $here"
        printed = self.run_it("sh", "-c", command, ODD="1", XDG_DATA_HOME=str(odd))
        home, *others = printed.splitlines()
        self.assertEqual(Path(home).resolve(), TOOLKIT / "bin/bisheng")
        self.assertEqual(others, ["1", f"{odd}/sfumato/opp"])
        fish = self.run_it(COMMAND, "env", "--shell", "fish", XDG_DATA_HOME=str(odd)).splitlines()
        escaped = str(odd).replace("'", "\\'")
        home = f"{escaped}/sfumato/toolkits/{number(f'{TOOLKIT}{chr(10)}{odd}/sfumato/opp')}/ascend-toolkit/latest"
        self.assertIn(f"set -gx ASCEND_HOME_PATH '{home}'", fish)
        self.assertIn(f"set -gx ASCEND_OPP_PATH '{escaped}/sfumato/opp'", fish)
        self.assertIn(f"set -gx --path PATH '{home}/bin:/usr/bin:/bin:{COMMAND.parent}'", fish)

    def test_commands(self):
        self.assertEqual(
            self.run_it(COMMAND, "env", "--chip", "Ascend310P3", "--", "sh", "-c", "echo $SFUMATO_CHIP"),
            "Ascend310P3\n",
        )
        self.run_it(COMMAND, "env", "--", "sh", "-c", "exit 7", expect=7)
        self.assertEqual(
            self.run_it(COMMAND, "env", "--", "no-such-command", expect=127),
            "error: cannot run no-such-command: No such file or directory\n",
        )
        self.assertTrue(self.run_it(COMMAND, "env", "--chip", "Ascend911", expect=2).startswith("error: unknown chip"))
        self.assertEqual(
            self.run_it(COMMAND, "env", "--", "atc", "--model=x", expect=1),
            "atc: there are no models here: kernels and operator projects run, networks do not (docs/toolkit.md)\n",
        )

    def test_an_installed_toolkit_is_left_alone(self):
        other = self.folder / "vendor/opp"
        (other / "vendors").mkdir(parents=True)
        before = sorted(other.rglob("*"))
        self.assertEqual(self.settings(ASCEND_OPP_PATH=str(other))["ASCEND_OPP_PATH"], str(self.opp))
        self.assertEqual(sorted(other.rglob("*")), before)

    def wrong(self, expected, **variables):
        """One variable that is off is one finding."""
        set_up = {**self.settings(), **variables}
        self.assertEqual(self.run_it(COMMAND, "env", "--check", expect=4, **set_up), expected)
        raised("toolkit-missing")

    def test_what_is_wrong_with_an_environment(self):
        self.assertEqual(self.run_it(COMMAND, "env", "--", COMMAND, "env", "--check"), "")
        again = '  do:     run the program with `sfumato env -- COMMAND`, or eval "$(sfumato env)" again\n'
        self.wrong(
            "fault [toolkit-missing] the variable leads nowhere\n"
            f"  found:  ASCEND_HOME_PATH: /nowhere\n  legal:  {self.home}\n{again}",
            ASCEND_HOME_PATH="/nowhere",
        )
        self.wrong(
            "fault [toolkit-missing] the variable leads to another toolkit\n"
            f"  found:  ASCEND_TOOLKIT_HOME: /usr\n  legal:  {self.home}\n{again}",
            ASCEND_TOOLKIT_HOME="/usr",
        )
        self.wrong(
            "fault [toolkit-missing] the variable leads to the packages of another toolkit\n"
            f"  found:  ASCEND_OPP_PATH: /usr\n  legal:  {self.opp}\n{again}",
            ASCEND_OPP_PATH="/usr",
        )
        self.wrong(
            "fault [toolkit-missing] an entry of the variable is no folder\n"
            "  found:  ASCEND_CUSTOM_OPP_PATH: /nowhere\n"
            "  legal:  folders <path>/vendors/<vendor> of installed packages\n"
            "  do:     install the package there, or unset the variable\n",
            ASCEND_CUSTOM_OPP_PATH="/usr:/nowhere",
        )
        self.wrong(
            "fault [toolkit-missing] bisheng is not the one of the toolkit folder\n"
            f"  found:  PATH: none\n  legal:  {self.home}/bin before the others\n{again}",
            PATH="/usr/bin:/bin",
        )
        self.wrong(
            "fault [toolkit-missing] the libraries of the toolkit folder are not in the variable\n"
            f"  found:  LD_LIBRARY_PATH: /x\n  legal:  {self.home}/lib64\n{again}",
            LD_LIBRARY_PATH="/x",
        )


class Libraries(Folder):
    def test_a_program_links_and_opens_them_by_name(self):
        names = [path.stem.removeprefix("lib") for path in sorted((TOOLKIT / "lib64").glob("*.so"))]
        self.assertIn("nnopbase", names)
        # Once with all of them, once with a single one, and once with none: dlopen.
        every = [f"-l{name}" for name in names]
        for program, libraries in (("all", every), ("one", ["-lnnopbase"])):
            self.run_it(
                CXX, "-x", "c", CALLER, "-x", "none", f"-I{TOOLKIT}/include", f"-L{TOOLKIT}/lib64", *libraries, "-o",
                program
            )  # fmt: skip
            self.assertEqual(self.run_it(COMMAND, "env", "--", f"./{program}"), "Ascend910B1\n")
        for name in names:
            code = (
                f"import ctypes; l = ctypes.CDLL('lib{name}.so'); l.aclrtGetSocName.restype = ctypes.c_char_p; l.aclCreateTensor;"
                "print(l.aclrtGetSocName().decode())"
            )
            self.assertEqual(self.run_it(COMMAND, "env", "--", sys.executable, "-c", code), "Ascend910B1\n")


if __name__ == "__main__":
    keep("project_toolkit")
    sys.exit(unittest.main())
