#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The folder of links: every name that build files and scripts have for a part of the toolkit, and `sfumato toolkit`."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import CMAKE, COMMAND, CXX, TOOLKIT

# Below ascend-toolkit/latest.
NAMES = """
acllib/include/acl/acl.h acllib/lib64/libascendcl.so acllib/lib64/stub/libascendcl.so atc/include atc/lib64/stub/libascendcl.so
aarch64-linux/include aarch64-linux/lib64/libascendcl.so aarch64-linux/ascend_toolkit_install.info
x86_64-linux/ascend_toolkit_install.info x86_64-linux/ascendc/include x86_64-linux/asc/impl x86_64-linux/bin/msopgen
x86_64-linux/ccec_compiler/bin/bisheng x86_64-linux/devlib/linux/x86_64/libascendcl.so x86_64-linux/devlib/x86_64/libascendcl.so
x86_64-linux/include/acl/acl.h x86_64-linux/lib64/libascendcl.so x86_64-linux/simulator/Ascend310P1/lib/libruntime_camodel.so
x86_64-linux/tikcpp/ascendc_kernel_cmake/ascendc.cmake x86_64-linux/tikcpp/tikcfw/kernel_operator.h x86_64-linux/version.info
bin/bisheng bin/ccec bin/msopgen bin/setenv.bash compiler/bin compiler/ccec_compiler/bin/ccec compiler/include compiler/lib64
compiler/tikcpp/ascendc_kernel_cmake/ascendc.cmake compiler/tikcpp/tikcfw compiler/version.info devlib/libascendcl.so
fwkacllib/include fwkacllib/lib64/libascendcl.so include/acl/acl.h lib64/libunified_dlog.so opp/built-in opp/vendors opp/version.info
lib/cmake/tikicpulib lib64/cmake/ASC python/site-packages runtime/include/acl/acl.h runtime/lib64/libascendcl.so runtime/lib64/stub/libascendcl.so runtime/version.info
set_env.sh share/info/asc-devkit/version.info share/info/runtime/version.info tikcpp/tikcfw toolkit/include toolkit/tools tools/ascendc_tools tools/ccec_compiler/bin/bisheng
tools/simulator/Ascend910B4/lib/libruntime_camodel.so tools/tikcpp/ascendc_kernel_cmake/ascendc.cmake
tools/tikicpulib/lib/Ascend910B1/libascendcl.so tools/tikicpulib/lib/cmake tools/tikicpulib/lib/include/kernel_operator.h
version.cfg version.info
""".split()


class Links(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.environment = {
            "PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(self.folder / "data"), "HOME": str(self.home), "LC_ALL": "C",
        }  # fmt: skip

    def run_it(self, *command, expect=0, **env):
        done = subprocess.run(
            [str(word) for word in command], cwd=self.folder, env={**self.environment, **env}, capture_output=True,
            text=True
        )  # fmt: skip
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout if expect == 0 else done.stderr

    def latest(self):
        return Path(self.run_it(COMMAND, "env", "--plain", "--", "sh", "-c", "echo $ASCEND_HOME_PATH").strip())


class Layout(Links):
    def test_every_name_leads_to_something(self):
        latest = self.latest()
        self.assertEqual([name for name in NAMES if not (latest / name).exists()], [])
        astray = [path for path in latest.parents[1].rglob("*") if path.is_symlink() and not path.exists()]
        self.assertEqual([str(path.relative_to(latest)) for path in astray], [])

    def test_the_compiler_leads_to_the_folder_of_a_version(self):
        """Which build files take for the toolkit."""
        latest = self.latest()
        version = (latest / (latest / "compiler").readlink()).parent.resolve()
        self.assertEqual(version, latest.parent / "8.5.0")
        self.assertEqual([name for name in NAMES if not (version / name).exists()], [])

    def test_a_version_that_scripts_read(self):
        latest = self.latest()
        read = f"grep -m1 ^version= {latest}/x86_64-linux/ascend_toolkit_install.info; grep ^Version= {latest}/opp/version.info"
        self.assertEqual(self.run_it("sh", "-c", read), "version=8.5.0\nVersion=8.5.0\n")

    def test_libraries_by_links_are_whole(self):
        """ldd says where everything is, and a program that was linked to one runs by it."""
        latest = self.latest()
        folders = (
            "lib64",
            "acllib/lib64",
            "runtime/lib64/stub",
            "x86_64-linux/devlib",
            "tools/simulator/Ascend910B1/lib",
        )
        (self.folder / "main.c").write_text(
            '#include <stdio.h>\n#include "acl/acl.h"\nint main() { puts(aclrtGetSocName()); }\n'
        )
        for folder in folders:
            for library in sorted((latest / folder).glob("*.so")):
                said = self.run_it("ldd", library)
                self.assertNotIn("not found", said, library)
                self.assertIn("libsfumato.so", said, library)
            self.run_it(
                CXX, "-x", "c", "main.c", "-x", "none", f"-I{latest}/include", f"-L{latest}/{folder}", "-lascendcl",
                "-lunified_dlog", f"-Wl,-rpath,{latest}/{folder}", "-o", "main"
            )  # fmt: skip
            self.assertEqual(self.run_it("./main"), "Ascend910B1\n", folder)

    def test_an_older_folder_is_mended(self):
        """What a version before had is taken away, nothing is written through its links, and what others made stays."""
        latest = self.latest()
        root = latest.parents[1]
        shutil.rmtree(latest / "lib64")
        (latest / "lib64").symlink_to(TOOLKIT / "lib64")
        (root / ".sfumato").write_text(f"ascend-toolkit/latest/lib64 -> {TOOLKIT}/lib64\n")
        (latest / "own.txt").write_text("")
        before = sorted(TOOLKIT.rglob("*"))
        self.assertEqual(self.latest(), latest)
        self.assertTrue((latest / "lib64/stub/libascendcl.so").exists() and (latest / "own.txt").exists())
        self.assertFalse((latest / "lib64").is_symlink())
        self.assertEqual(sorted(TOOLKIT.rglob("*")), before)


class Linked(Links):
    def link(self, *words, expect=0, **env):
        return self.run_it(COMMAND, "toolkit", *words, expect=expect, **env)

    def test_a_folder_that_others_name(self):
        place = self.home / "Ascend"
        self.assertEqual(self.link("link", place), f"linked {place} to {TOOLKIT}\n")
        count = sum(path.is_symlink() for path in place.rglob("*"))
        self.assertEqual(self.link("link", place), f"linked {place} to {TOOLKIT}\n")
        for script in ("ascend-toolkit/set_env.sh", "ascend-toolkit/latest/bin/setenv.bash", "cann/set_env.sh"):
            printed = self.run_it("bash", "-c", f". {place}/{script} && echo $ASCEND_OPP_PATH && command -v bisheng")
            self.assertTrue(printed.startswith(f"{self.folder}/data/sfumato/opp\n") and "bisheng" in printed, printed)
        self.assertTrue((place / "latest/opp").samefile(self.folder / "data/sfumato/opp"))
        self.assertEqual(self.link("unlink", place), f"took {count} links away from {place}\n")
        self.assertEqual(sorted(self.home.rglob("*")), [])
        self.assertEqual(self.link("unlink", place), f"nothing at {place} is ours\n")

    def test_cmake_by_a_link(self):
        """To the folder of links, to the toolkit folder itself, and to one linked folder in another's."""
        self.link("link", self.home / "Ascend")
        (self.folder / "itself").symlink_to(TOOLKIT)
        (self.folder / "again").symlink_to(self.home / "Ascend/latest")
        for number, home in enumerate(
            (self.home / "Ascend/ascend-toolkit/latest", self.folder / "itself", self.folder / "again")
        ):
            (self.folder / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.16)
project(p LANGUAGES CXX)
set(SOC_VERSION Ascend910B1)
include({home}/tools/tikcpp/ascendc_kernel_cmake/ascendc.cmake)
find_package(ASC REQUIRED HINTS {home}/compiler/tikcpp/ascendc_kernel_cmake)
find_package(tikicpulib REQUIRED PATHS {home}/tools/tikicpulib/lib/cmake)
""")
            self.run_it(CMAKE, "-S", ".", "-B", f"build{number}")

    def test_cmake_without_a_word_about_places(self):
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(p LANGUAGES CXX)\nset(SOC_VERSION Ascend910B1)\n"
            "find_package(ASC REQUIRED)\nfind_package(tikicpulib REQUIRED)\n"
        )
        self.run_it(COMMAND, "env", "--plain", "--", CMAKE, "-S", ".", "-B", "build")

    def test_what_is_there_is_left_alone(self):
        place = self.home / "Ascend"
        (place / "ascend-toolkit/latest").mkdir(parents=True)
        self.assertEqual(
            self.link("link", place, expect=4),
            f"error: {place}/ascend-toolkit is there and not ours, so it is left alone: move it away, or name another folder "
            "with `sfumato toolkit link FOLDER`\n",
        )
        self.assertEqual(sorted(place.rglob("*")), [place / "ascend-toolkit", place / "ascend-toolkit/latest"])
        shutil.rmtree(place / "ascend-toolkit")
        (place / "opp").write_text("a file of the user's")
        (place / "cann").symlink_to("/nowhere")
        said = f"linked {place} to {TOOLKIT}\nleft {place}/cann: it is not ours\nleft {place}/opp: it is not ours\n"
        self.assertEqual(self.link("link", place), said)
        self.link("unlink", place)
        self.assertEqual(sorted(place.rglob("*")), [place / "cann", place / "opp"])

    def test_wrong_uses(self):
        legal = "`sfumato toolkit --help` lists what is legal.\n"
        self.assertEqual(self.link(expect=2), "error: action is missing\n" + legal)
        self.assertEqual(
            self.link("make", expect=2), "error: action: 'make' is not legal; legal: link, unlink\n" + legal
        )
        self.assertEqual(self.link("link", "/proc/Ascend", expect=4)[:41], "error: cannot make /proc/Ascend: No such ")
        file = self.folder / "file"
        file.write_text("")
        self.assertEqual(self.link("link", file, expect=4), f"error: cannot make {file}: Not a directory\n")
        self.assertEqual(
            self.link("link", file, expect=4, XDG_DATA_HOME="/proc"),
            "fault [toolkit-missing] the folder of operator packages cannot be made\n"
            "  found:  ASCEND_OPP_PATH: /proc/sfumato/opp\n  legal:  a folder that can be written to\n"
            "  do:     set XDG_DATA_HOME to one\n",
        )

    def as_somebody(self, script, uid):
        """In a mount namespace with an empty /usr/local."""
        start = [
            "unshare",
            "-m",
            "sh",
            "-c",
            'mount --make-rprivate / && mount -t tmpfs -o mode=755 none /usr/local && exec "$@"',
            "sh",
        ]
        if uid:
            start += ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
            for path in (self.folder, self.home):
                path.chmod(0o777)
        if os.getuid() or shutil.which("unshare") is None or subprocess.run([*start, "true"], check=False).returncode:
            self.skipTest("root alone can lay an empty /usr/local over this one, where namespaces are not refused")
        return self.run_it(*start, "sh", "-c", script)

    def test_for_root_there_is_a_place_for_all(self):
        script = f"{COMMAND} toolkit link; ls -d /usr/local/Ascend/cann/lib64/libascendcl.so; {COMMAND} toolkit unlink; ls /usr/local"
        said = self.as_somebody(script, 0).splitlines()
        self.assertEqual(
            said[:3],
            [
                f"linked /usr/local/Ascend to {TOOLKIT}",
                f"linked {self.home}/Ascend to {TOOLKIT}",
                "/usr/local/Ascend/cann/lib64/libascendcl.so",
            ],
        )
        self.assertEqual(
            [line.split(" ", 2)[2] for line in said[3:]],
            ["links away from /usr/local/Ascend", f"links away from {self.home}/Ascend"],
        )

    def test_others_have_their_home(self):
        said = self.as_somebody(f"{COMMAND} toolkit link; {COMMAND} toolkit link /usr/local/Ascend 2>&1; true", 12345)
        self.assertEqual(
            said,
            f"linked {self.home}/Ascend to {TOOLKIT}\n"
            f"left /usr/local/Ascend: that is for root, with `sudo {COMMAND} toolkit link`\n"
            "error: cannot make /usr/local/Ascend: Permission denied\n",
        )

    def test_where_it_is_linked_nothing_is_said(self):
        """eval, and a command where namespaces are refused."""
        script = f"""{COMMAND} toolkit link > /dev/null; eval "$({COMMAND} env)"; {COMMAND} toolkit unlink > /dev/null; eval "$({COMMAND} env)" """
        said = self.as_somebody(f"({script}) 2>&1", 0)
        self.assertEqual(
            said,
            "note: /usr/local/Ascend is not Sfumato's toolkit folder (eval only sets variables): a build that names it needs "
            "`sfumato env -- COMMAND`, or `sfumato toolkit link`\n",
        )

    def test_shown_is_not_linked(self):
        script = f"{COMMAND} toolkit link {self.folder}/other; {COMMAND} env -- {COMMAND} toolkit link /usr/local/Ascend 2>&1"
        self.assertEqual(
            self.as_somebody(f"{script}; echo $?", 0).splitlines()[1:],
            [
                "error: /usr/local/Ascend is shown by `sfumato env`, so links would be made elsewhere: do it outside",
                "4",
            ],
        )


if __name__ == "__main__":
    sys.exit(unittest.main())
