# SPDX-License-Identifier: Apache-2.0
"""`sfumato doctor`: what it finds, and the command for what is missing, by the machine it is told of."""

import json
import os
import re
import sys
from pathlib import Path

from command_case import CommandCase, main

ROOT = "" if os.geteuid() == 0 else "sudo "
SYSTEMS = {
    'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\n': "apt-get",
    'PRETTY_NAME="Debian"\nID=debian\n': "apt-get",
    "ID=linuxmint\nID_LIKE='ubuntu debian'\n".replace("'", '"'): "apt-get",
    "ID=fedora\n": "dnf",
    'NAME="openEuler"\nID="openEuler"\nVERSION_ID="22.03"\n': "dnf",
    'ID="rocky"\nID_LIKE="rhel centos fedora"\n': "dnf",
}


class DoctorTest(CommandCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        empty = Path(cls.dir, "empty")
        empty.mkdir()
        # The Python of a system, without packages but numpy; that of an environment has all but torch.
        cls.write("python", "#!/bin/sh\nprintf '3.11.2\\n1\\nsfumato\\nnumpy\\n'\n")
        names = 'for name; do [ "$name" = torch ] || echo "$name"; done'
        cls.write("python-venv", f"#!/bin/sh\nshift 2; printf '3.12.1\\n0\\n'; {names}\n")
        for name in ("python", "python-venv"):
            os.chmod(Path(cls.dir, name), 0o755)

    def doctor(self, system="ID=debian\n", code=1, **env):
        """Where neither compiler nor debugger is: what it prints, and commands by what is missing."""
        self.write("os-release", system)
        given = {
            "PATH": self.path("empty"), "SFUMATO_CXX": "/no/c++", "SFUMATO_PYTHON": self.path("python"),
            "SFUMATO_OS_RELEASE": self.path("os-release"), "CONDA_PREFIX": "", **env,
        }  # fmt: skip
        result = self.sfumato("doctor", **given)
        self.assertEqual((result.returncode, result.stderr), (code, ""), result.stdout)
        needs = json.loads(self.sfumato("doctor", "--json", **given).stdout)["needs"]
        missing = {need["name"]: need["command"] for need in needs if not need["found"]}
        told = re.findall(r"^missing   (\w\S*), for .*?: (.*)$", result.stdout, re.M)
        unknown = "install it as this system does"
        self.assertEqual(told, [(name, command or unknown) for name, command in missing.items()])
        return result.stdout, missing

    def test_commands_are_those_of_the_system(self):
        compilers = {"apt-get": "g++", "dnf": "gcc-c++"}
        for system, manager in SYSTEMS.items():
            text, missing = self.doctor(system)
            self.assertIn("NOT ready", text)
            self.assertEqual(missing["c++"], f"{ROOT}{manager} install {compilers[manager]}", system)
            self.assertEqual(missing["gdb"], f"{ROOT}{manager} install gdb")
            self.assertEqual(missing["pytest"], f"{ROOT}{manager} install python3-pytest")
            self.assertEqual(missing["lldb"], f"{ROOT}{manager} install lldb")
            self.assertNotIn("numpy", missing)
        # Whose plain lldb has a Python that does not start.
        _, missing = self.doctor("ID=debian\nVERSION_CODENAME=bookworm\n")
        self.assertEqual(missing["lldb"], f"{ROOT}apt-get install lldb-16")

    def test_a_conda_environment_comes_first(self):
        _, missing = self.doctor(CONDA_PREFIX="/opt/conda/envs/k")
        self.assertEqual(missing["c++"], "conda install -c conda-forge gxx")
        self.assertEqual(missing["torch"], "conda install -c conda-forge pytorch-cpu")

    def test_an_unknown_system_is_told_what_is_missing(self):
        _, missing = self.doctor("ID=arch\n")
        self.assertEqual((missing["c++"], missing["gdb"]), ("", ""))

    def test_packages_of_python_are_those_of_the_interpreter(self):
        _, missing = self.doctor(SFUMATO_PYTHON=self.path("python-venv"))
        self.assertEqual(missing["torch"], f"{self.path('python-venv')} -m pip install torch")
        self.assertNotIn("pytest", missing)
        text, missing = self.doctor(SFUMATO_PYTHON="/no/python")
        self.assertEqual(missing["python3"], f"{ROOT}apt-get install python3")
        self.assertNotIn("torch", missing)
        self.assertNotIn("\nPython", text)
        _, missing = self.doctor()
        self.assertTrue(missing["allpairspy"].endswith(" -m pip install --user --break-system-packages allpairspy"))

    def test_what_is_here_is_named(self):
        os.symlink("/bin/true", self.path("lldb-16"))
        found = f"{self.dir}:{os.environ['PATH']}"
        text, missing = self.doctor(code=0, PATH=found, SFUMATO_CXX="", SFUMATO_PYTHON=sys.executable)
        self.assertIn(f"Python    {sys.executable} {sys.version.split()[0]}: numpy, ml_dtypes", text)
        self.assertNotIn("lldb", missing)
        self.assertIn(self.path("lldb-16"), text)
        self.assertIn("ready to run kernels\n", text)

    def test_the_prefix_is_told(self):
        cache = Path(self.path("prefixes"))
        cache.mkdir()
        told = {}
        for precompile in ("0", ""):
            told[precompile] = self.sfumato("doctor", "--cache", str(cache), SFUMATO_PRECOMPILE=precompile).stdout
        self.assertIn("prefix    not made: SFUMATO_PRECOMPILE is 0\n", told["0"])
        self.assertIn("prefix    none yet: the first kernel has it made in the background\n", told[""])
        (cache / "sfumato-prefix-1.h.gch").write_bytes(bytes(3 << 20))
        text = self.sfumato("doctor", "--cache", str(cache), SFUMATO_PRECOMPILE="", SFUMATO_PRECOMPILE_MB="128").stdout
        self.assertIn("prefix    1 (3.0 MiB of 128.0 MiB at most): kernels compile in a third of the time\n", text)
        self.assertIn(f"cache     {cache} (3.0 MiB)\n", text)

    def test_this_machine(self):
        result = self.sfumato("doctor")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("ready to run kernels", result.stdout)
        self.assertTrue(json.loads(self.sfumato("doctor", "--json").stdout)["cache_writable"])
        result = self.sfumato("doctor", SFUMATO_CXX="/nowhere/g++")
        self.assertEqual(result.returncode, 1)
        self.assertIn("NOT ready", result.stdout)

    def test_a_compiler_that_is_too_old(self):
        """A stand-in that says it is g++ 8 and takes nothing; one that is old enough says nothing of it."""
        old = "is version 8, which is too old: kernels need g++ 9 or clang++ 13, or newer; name one in SFUMATO_CXX"
        for name, version, told in (("g++", "8", True), ("clang++", "8.0.1", True), ("g++-9", "9", False)):
            with self.subTest(name):
                script = f'#!/bin/sh\ncase "$*" in *-dumpversion|*--version) echo {version};; '
                script += "*) echo 'old.cpp:1:1: error: unrecognized' >&2; exit 1;; esac\n"
                self.write(name, script)
                compiler = self.path(name)
                os.chmod(compiler, 0o755)
                doctor = self.sfumato("doctor", SFUMATO_CXX=compiler)
                self.assertEqual((doctor.returncode, old in doctor.stdout), (int(told), told), doctor.stdout)
                self.write("old.cpp", '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k() {}\n')
                run = self.sfumato("run", "old.cpp", "--chip", "Ascend910B1", SFUMATO_CXX=compiler)
                self.assertEqual((run.returncode, old in run.stdout + run.stderr), (3, told), run.stdout + run.stderr)


if __name__ == "__main__":
    main("doctor_test")
