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

    def run_words(self, words):
        environment = {**os.environ, "SFUMATO_CACHE": self.cache}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
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
        if SANITIZE:
            self.skipTest("a sanitizer's leak check is a debugger itself")
        launch = json.loads((self.folder / ".vscode/launch.json").read_text())["configurations"][0]
        setup = [c["text"] for c in launch["setupCommands"] if not c["text"].startswith("-")]
        commands = [word for text in (*setup, "run", "next", "print count") for word in ("-ex", text)]
        done = self.run_words(["gdb", "-q", "-batch", *commands, "--args", launch["program"], *launch["args"]])
        self.assertIn('Thread 2 "aiv0" hit Breakpoint 1, add (', done.stdout)
        self.assertIn("\n$1 = 10000\n", done.stdout)

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
                f"error: '{name}' cannot be the name of a kernel, its file and its folder: letters, digits and single _, "
                "a letter first, at most 64, no word of C++ and none of host, kernels, main, test\n",
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
        self.assertIn("NAME is required", self.refused().replace("name is", "NAME is"))


if __name__ == "__main__":
    main("init_test")
