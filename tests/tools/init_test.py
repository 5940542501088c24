# SPDX-License-Identifier: Apache-2.0
"""`sfumato init`: what it writes works, what it refuses."""

import json
import os
import re
import subprocess
from pathlib import Path

from command_case import CommandCase, main, read_npy
from installation import SANITIZE
import limited

LIMIT_SECONDS = 150  # of a command, compilation and debugger included

FILES = [
    ".gitignore", ".vscode/launch.json", ".vscode/tasks.json", "CMakeLists.txt", "README.md", "add.cpp",
    "compile_commands.json", "host.cpp", "test_add.py", "x.npy", "y.npy",
]  # fmt: skip


class InitTest(CommandCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        environment = {**os.environ, "SFUMATO_CACHE": cls.cache}
        cls.done = subprocess.run(
            [cls.sfumato_path, "init", "add"], cwd=cls.dir, env=environment, capture_output=True, text=True
        )
        cls.folder = Path(cls.dir, "add")

    def run_words(self, words, stdin=subprocess.DEVNULL):
        environment = {**os.environ, "SFUMATO_CACHE": self.cache}
        pipes = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return limited.run(words, LIMIT_SECONDS, cwd=self.folder, env=environment, **pipes)

    def test_writes_a_folder(self):
        words = "add.cpp --chip Ascend910B1 --blocks 8 -- x.npy y.npy 'out:float32[10000]=z.npy' uint32:10000"
        self.assertEqual(
            (self.done.returncode, self.done.stderr, self.done.stdout),
            (
                0,
                "",
                "wrote add: add.cpp, tests, CMake and VS Code files. Next:\n  cd add\n"
                f"  sfumato run {words}\n  python3 -m pytest\n",
            ),
        )
        written = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        self.assertLessEqual(set(FILES), written)
        for name in FILES:
            if not name.endswith(".npy"):
                self.assertNotRegex((self.folder / name).read_text(), "@[a-z]+@", name)
        self.assertIn(f"`sfumato check {words}`", (self.folder / "README.md").read_text())

    def test_its_tasks_run(self):
        tasks = json.loads((self.folder / ".vscode/tasks.json").read_text())["tasks"]
        self.assertEqual([task["label"] for task in tasks], ["run", "check", "test"])
        for task in tasks[:2]:
            self.assertEqual(task["command"], "sfumato")
            done = self.run_words([self.sfumato_path, *task["args"]])
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            x, y, z = (read_npy(self.folder / f"{name}.npy") for name in "xyz")
            self.assertEqual((x[:2], x[:2]), (y[:2], z[:2]))
            floats = [memoryview(array[2]).cast("f") for array in (x, y, z)]
            self.assertEqual([a + b for a, b in zip(*floats[:2])], list(floats[2]))
            (self.folder / "z.npy").unlink()

    def test_its_commands_compile(self):
        commands = json.loads((self.folder / "compile_commands.json").read_text())
        self.assertEqual([command["file"] for command in commands], ["add.cpp", "host.cpp"])
        for command in commands:
            self.assertEqual(Path(command["directory"]), self.folder)
            done = self.run_words([*command["arguments"], "-fsyntax-only", "-Wall", "-Wextra", "-Werror"])
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_its_launch_stops_in_the_kernel(self):
        """As VS Code does it: gdb's machine interface is told what launch.json says, and a breakpoint of the user's."""
        if SANITIZE:
            self.skipTest("a sanitizer's leak check is a debugger itself")
        launch = json.loads((self.folder / ".vscode/launch.json").read_text())["configurations"][0]
        self.assertEqual((launch["type"], launch["MIMode"], launch["request"]), ("cppdbg", "gdb", "launch"))
        folder = launch["cwd"].replace("${workspaceFolder}", str(self.folder))
        setup = [command["text"] for command in launch["setupCommands"]]
        lines = (self.folder / "add.cpp").read_text().splitlines()
        there = next(i for i, line in enumerate(lines, 1) if "z_out.EnQue(c)" in line)
        commands = [
            f"-environment-cd {folder}",
            f"-file-exec-and-symbols {launch['program']}",
            "-exec-arguments " + " ".join(json.dumps(word) for word in launch["args"]),
            *(text if text.startswith("-") else f"-interpreter-exec console {json.dumps(text)}" for text in setup),
            f"-break-insert -f add.cpp:{there}",
            "-exec-run", "-exec-continue", "-var-create sum * c", "-var-list-children --all-values sum 0 3",
            "-data-evaluate-expression c.GetValue(3)", "-data-evaluate-expression z_out", "-gdb-set print elements 3",
            "-data-evaluate-expression c", "-gdb-exit",
        ]  # fmt: skip
        told = self.folder / "commands.mi"
        told.write_text("".join(f"{command}\n" for command in commands))
        # While the kernel runs, gdb reads no further.
        with told.open() as file:
            done = self.run_words(["gdb", "-q", "--interpreter=mi2"], stdin=file)
        told.unlink()
        self.assertNotIn("^error", done.stdout)
        stops = re.findall(r'^\*stopped,reason="breakpoint-hit".*?func="(\w+)".*?line="(\d+)"', done.stdout, re.M)
        entry = next(i for i, line in enumerate(lines, 1) if "GlobalTensor<float> x_gm" in line)
        self.assertEqual([(name, int(line)) for name, line in stops], [("add", entry), ("add", there)])
        self.assertRegex(done.stdout, r'\^done,name="sum",.*type="AscendC::LocalTensor<float>".*dynamic="1"')
        self.assertEqual(re.findall(r'exp="\[\d\]",.*?value="(.*?)"', done.stdout), ["0", "1.5", "3"])
        self.assertIn('^done,value="4.5"\n', done.stdout)
        self.assertRegex(
            done.stdout,
            r'\^done,value="LocalTensor<float> VECOUT at UB\+0x\w+, 1024 elements, 4096 bytes = \{0, 1.5, 3...\}"',
        )
        self.assertIn('^done,value="TQue, VECOUT -> GM, depth 1, 2 x 4096 bytes: 1 free, 1 allocated', done.stdout)

    def refused(self, *words):
        before = sorted(os.listdir(self.dir))
        result = self.sfumato("init", *words)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertEqual(sorted(os.listdir(self.dir)), before)
        return result.stderr

    def test_refuses_and_writes_nothing(self):
        for name in ("9lives", "a b", "int", "main", "two__bars", "../up", "", "x" * 65, "Größe"):
            self.assertEqual(
                self.refused(name),
                f"error: '{name}' cannot be the name of a kernel; legal: letters, digits and single _, at most 64, "
                "beginning with a letter; no keyword of C++, and not host, kernels, main or test\n",
            )
        os.symlink("nowhere", self.path("link"))
        for name in ("add", "link"):
            self.assertEqual(
                self.refused(name), f"error: {name} is already there; init writes a new folder and replaces nothing\n"
            )
        self.assertEqual(
            self.refused("other", "--chip", "ascend310"),
            "error: ascend310 has no Ascend C: `sfumato chips` lists the chips\n",
        )
        self.assertRegex(self.refused("other", "--chip", "Ascend911"), "^error: .*'Ascend911'")
        text = self.refused("TPipe")
        self.assertTrue(text.startswith("error: a kernel called TPipe does not compile; nothing was written\n"), text)
        self.assertNotRegex(text, re.escape(".TPipe."))
        self.assertEqual(self.refused(), "error: the name is missing: `sfumato init NAME`; --ci HOST needs none\n")


if __name__ == "__main__":
    main("init_test")
