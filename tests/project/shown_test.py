#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The toolkit folder at /usr/local/Ascend, for a command of `sfumato env` alone."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND

PLACE = Path("/usr/local/Ascend")
NOT_SHOWN = (
    "note: /usr/local/Ascend is not Sfumato's toolkit folder ({}): a build that names it needs `sfumato toolkit link`\n"
)


def refusal():
    """Why this machine shows nothing, empty where it does."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [COMMAND, "env", "--", "true"],
            capture_output=True,
            text=True,
            env={**os.environ, "XDG_DATA_HOME": folder},
            check=True,
        )
    return said.stderr.strip()


REFUSED = refusal()


@unittest.skipIf(REFUSED, f"namespaces are refused here, so nothing of them is tested: {REFUSED}")
class Shown(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.folder.chmod(0o777)
        self.data = self.folder / "data"
        self.environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "XDG_DATA_HOME": str(self.data),
            "HOME": "/nowhere",
        }

    def run_it(self, script, *, before=(), options=(), expect=0, cwd=None, said="", **env):
        """What a script prints under `sfumato env`."""
        done = subprocess.run(
            [*before, COMMAND, "env", *options, "--", "sh", "-c", script],
            cwd=cwd or self.folder, env={**self.environment, **env}, capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (expect, said), done.stdout)
        return done.stdout

    def test_it_is_there_and_the_machine_is_as_it_was(self):
        before = sorted(os.listdir("/usr/local")), Path("/proc/self/mountinfo").read_text()
        listed = self.run_it("ls /usr/local; cat /usr/local/Ascend/ascend-toolkit/latest/opp/vendors/config.ini").split(
            "\n"
        )
        self.assertEqual(listed, sorted({*before[0], "Ascend"}) + ["load_priority=", ""])
        self.assertEqual((sorted(os.listdir("/usr/local")), Path("/proc/self/mountinfo").read_text()), before)

    def test_all_that_leads_there(self):
        names = (
            "ascend-toolkit/latest", "ascend-toolkit/set_env.sh", "latest/bin/setenv.bash", "set_env.sh", "cann/set_env.sh",
            "nnae/latest", "nnae/set_env.sh", "cann-8.5.0", "ascend-toolkit/8.5.0", "opp/vendors",
        )  # fmt: skip
        for name in names:
            self.run_it(f"test -e {PLACE}/{name}")
        # One toolkit by every name of it.
        same = "for name in latest cann nnae/latest ascend-toolkit/latest; do stat -Lc %d:%i $name/.; done | sort -u | wc -l"
        self.assertEqual(self.run_it(f"cd {PLACE}; {same}"), "1\n")

    def test_a_package_that_is_installed_there_is_the_users(self):
        self.run_it(f"mkdir {PLACE}/ascend-toolkit/latest/opp/vendors/mine")
        self.assertTrue((self.data / "sfumato/opp/vendors/mine").is_dir())

    def test_it_stays_for_what_the_command_starts(self):
        self.assertEqual(
            self.run_it(f"sfumato env -- sh -c 'ls {PLACE}/cann/set_env.sh'"), f"{PLACE}/cann/set_env.sh\n"
        )

    def test_homes_of_the_vendors_images(self):
        """Where the machine has no such user, and the user's own home is not beside it."""
        before = sorted(os.listdir("/home"))
        if not {"HwHiAiUser", "ma-user"}.isdisjoint(before):
            self.skipTest("this machine has one of these users")
        printed = self.run_it("ls -d /home/*/Ascend/ascend-toolkit/latest")
        self.assertEqual(
            printed, "".join(f"/home/{user}/Ascend/ascend-toolkit/latest\n" for user in ("HwHiAiUser", "ma-user"))
        )
        self.assertEqual(self.run_it("ls /home", HOME="/home/somebody").split(), before)
        self.assertEqual(sorted(os.listdir("/home")), before)

    def test_from_below(self):
        for folder in ("/usr/local", "/usr/local/bin"):
            self.assertEqual(
                self.run_it(
                    "pwd -P; ls -d /usr/local/Ascend; cd ..; test -d Ascend || test -d local/Ascend", cwd=folder
                ),
                f"{folder}\n{PLACE}\n",
            )

    def test_nothing_is_made_beside_the_real_entries(self):
        said = "touch: cannot touch '/usr/local/made-by-a-test': Read-only file system\n"
        self.run_it("touch /usr/local/made-by-a-test", expect=1, said=said, LC_ALL="C")

    def test_only_the_variables(self):
        self.assertEqual(self.run_it(f"test -e {PLACE}/cann || echo none", options=["--plain"]), "none\n")

    def test_the_command_is_as_without(self):
        self.run_it("exit 9", expect=9)
        self.run_it("kill -TERM $$", expect=-signal.SIGTERM)
        self.assertEqual(self.run_it("id -u; id -g"), f"{os.getuid()}\n{os.getgid()}\n")
        # One process: what started it finds it under the number it has, in its group, with its standard input.
        child = subprocess.Popen(
            [COMMAND, "env", "--", "sh", "-c", "echo $$; ps -o pgid= -p $$; cat"], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        said = child.communicate("typed")[0].split()
        self.assertEqual(said, [str(child.pid), str(child.pid), "typed"])

    @unittest.skipUnless(os.getuid() == 0, "another user is become by root alone")
    def test_others_keep_their_number_and_get_no_rights(self):
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is not here")
        other = ["setpriv", "--reuid", "12345", "--regid", "12346", "--clear-groups"]
        script = f"id -u; id -g; grep CapEff /proc/self/status; ls -d {PLACE}/cann; touch /usr/local/bin/x 2> /dev/null || echo no"
        printed = self.run_it(script, before=other)
        self.assertEqual(
            printed.split("\n"), ["12345", "12346", "CapEff:\t0000000000000000", f"{PLACE}/cann", "no", ""]
        )

    @unittest.skipUnless(os.getuid() == 0, "root's rights are given up by root alone")
    def test_root_of_a_container_keeps_all_users(self):
        """Without the right to mount, and with user namespaces."""
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is not here")
        script = f"ls -d {PLACE}/cann; touch x; chown 5:6 x; stat -c %u:%g x"
        if (
            len(Path("/proc/self/uid_map").read_text().split()) != 3
            or "4294967295" not in Path("/proc/self/uid_map").read_text()
        ):
            self.skipTest("this is a user namespace already")
        self.assertEqual(
            self.run_it(script, before=["setpriv", "--bounding-set", "-sys_admin"]), f"{PLACE}/cann\n5:6\n"
        )


class Refused(unittest.TestCase):
    def test_one_line_says_so_and_the_command_runs(self):
        """In a user namespace that allows no other and gives no right to mount."""
        refuse = "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set -all "
        script = f"{refuse} {COMMAND} env -- sh -c 'echo ran; exit 3'"
        if shutil.which("unshare") is None or subprocess.run(["unshare", "-Ur", "true"], check=False).returncode:
            self.skipTest(f"no user namespace can be made to try it in: {REFUSED or 'unshare is not here'}")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["unshare", "-Ur", "sh", "-c", script], env={**os.environ, "XDG_DATA_HOME": folder}, capture_output=True,
                text=True,
            )  # fmt: skip
        self.assertEqual(
            (done.returncode, done.stdout, done.stderr), (3, "ran\n", NOT_SHOWN.format("user.max_user_namespaces is 0"))
        )


if __name__ == "__main__":
    sys.exit(unittest.main())
